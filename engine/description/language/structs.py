"""TABLE of the structs of the editable model, one row per field: `name type default | unit | sentence`.

Types: f8 f4 i4 u1 i8 numbers, [n] a fixed count, * a list of any length, ** a list of lists, str text, chr fixed text,
orient an alternative orientation (type and numbers), plugin a reference to a plugin instance, mjt... an enum. A `+`
before the name marks a field that only Tumble or releases after 3.4 have. A default shorter than its field is filled
with zeros; an absent default is all zeros or empty. `| = field` takes unit and sentence from that field or size of the
compiled model. Units are those of `tables.units`. A line with a deeper indentation continues the line above.
"""

STRUCTS = """
MjsBody: a body
  childclass       str                                       | -          | default class of elements added below it
  pos              f8[3]                                     | = body_pos
  quat             f8[4]          1                          | = body_quat
  alt              orient                                    | angle      | orientation in another notation, used instead of
                                                                            quat
  mass             f8                                        | = body_mass
  ipos             f8[3]          nan                        | = body_ipos
  iquat            f8[4]          1                          | = body_iquat
  inertia          f8[3]                                     | = body_inertia
  ialt             orient                                    | angle      | orientation of the inertial frame in another
                                                                            notation, used instead of iquat
  fullinertia      f8[6]          nan                        | kg m^2     | inertia about ipos in the body frame: xx, yy, zz,
                                                                            xy, xz, yz; or inertia and iquat
  mocap            u1                                        | -          | whether the pose is an input (mocap_pos and
                                                                            mocap_quat)
  gravcomp         f8                                        | = body_gravcomp
  sleep            mjtSleepPolicy                            | -          | whether the tree may fall asleep (mjtSleepPolicy)
  userdata         f8*                                       | = body_user
  +simple          i4             2                          | -          | whether a diagonal inertia may be stored as such: 0
                                                                            no, 2 yes
  explicitinertial u1                                        | -          | whether the inertia was given, not inferred from
                                                                            geoms
  plugin           plugin                                    | -          | instance of a passive force plugin
  info             str                                       | -          | text for error messages

MjsFrame: a frame: a pose for the elements in it
  childclass       str                                       | -          | default class of elements added below it
  pos              f8[3]                                     | m          | position in the body or the outer frame
  quat             f8[4]          1                          | quat       | orientation in the body or the outer frame
  alt              orient                                    | angle      | orientation in another notation, used instead of
                                                                            quat
  +scale           f8[3]          1 1 1                      | -          | scale factors of lengths inside the frame
  +scaling         i4                                        | -          | whether forces scale with lengths and masses: 0 yes
                                                                            (similar), 1 no (geometry)
  +massscale       f8                                        | -          | scale factor of masses; 0: the product of scale
  info             str                                       | -          | text for error messages

MjsJoint: a joint
  type             mjtJoint       3                          | = jnt_type
  pos              f8[3]                                     | = jnt_pos
  axis             f8[3]          0 0 1                      | = jnt_axis
  ref              f8                                        | m or angle | coordinate in the configuration in which the model
                                                                            is described
  align            i4             2                          | -          | free joint: whether the body frame is moved to the
                                                                            inertial frame (mjtAlignFree)
  stiffness        f8                                        | = jnt_stiffness
  springref        f8                                        | m or angle | coordinate at which the spring is at rest
  springdamper     f8[2]                                     | -          | time constant (s) and damping ratio from which
                                                                            stiffness and damping are computed, if positive
  limited          i4             2                          | -          | whether range limits the joint (mjtLimited)
  range            f8[2]                                     | m or angle | limits; for a ball joint, the second is the largest
                                                                            angle
  margin           f8                                        | = jnt_margin
  solref_limit     f8[2]          0.02 1                     | = jnt_solref
  solimp_limit     f8[5]          0.9 0.95 0.001 0.5 2       | = jnt_solimp
  actfrclimited    i4             2                          | -          | whether actfrcrange limits actuator forces
                                                                            (mjtLimited)
  actfrcrange      f8[2]                                     | = jnt_actfrcrange
  armature         f8                                        | = dof_armature
  damping          f8                                        | = dof_damping
  +dampingpoly     f8[2]                                     | = dof_dampingpoly
  frictionloss     f8                                        | = dof_frictionloss
  solref_friction  f8[2]          0.02 1                     | = dof_solref
  solimp_friction  f8[5]          0.9 0.95 0.001 0.5 2       | = dof_solimp
  group            i4                                        | = jnt_group
  actgravcomp      u1                                        | = jnt_actgravcomp
  userdata         f8*                                       | = jnt_user
  info             str                                       | -          | text for error messages

MjsGeom: a geom
  type             mjtGeom        2                          | = geom_type
  pos              f8[3]                                     | = geom_pos
  quat             f8[4]          1                          | = geom_quat
  alt              orient                                    | angle      | orientation in another notation, used instead of
                                                                            quat
  fromto           f8[6]          nan                        | m          | end points of a long shape, used instead of pose and
                                                                            length
  size             f8[3]                                     | = geom_size
  contype          i4             1                          | = geom_contype
  conaffinity      i4             1                          | = geom_conaffinity
  condim           i4             3                          | = geom_condim
  priority         i4                                        | = geom_priority
  friction         f8[3]          1 0.005 0.0001             | = geom_friction
  solmix           f8             1                          | = geom_solmix
  solref           f8[2]          0.02 1                     | = geom_solref
  solimp           f8[5]          0.9 0.95 0.001 0.5 2       | = geom_solimp
  margin           f8                                        | = geom_margin
  gap              f8                                        | = geom_gap
  mass             f8             nan                        | kg         | mass; used instead of density if given
  density          f8             1000                       | kg/m^3 or kg/m^2 | density; for a shell, mass per area
  typeinertia      mjtGeomInertia                            | -          | whether it is solid or a shell (mjtGeomInertia)
  fluid_ellipsoid  f8                                        | -          | 1: use the ellipsoid model of fluid forces
  fluid_coefs      f8[5]          0.5 0.25 1.5 1 1           | -          | coefficients: blunt drag, slender drag, angular
                                                                            drag, Kutta lift, Magnus lift
  material         str                                       | -          | name of the material
  rgba             f4[4]          0.5 0.5 0.5 1              | = geom_rgba
  group            i4                                        | = geom_group
  hfieldname       str                                       | -          | name of the height field
  meshname         str                                       | -          | name of the mesh that it shows or is fitted to
  fitscale         f8             1                          | -          | scale of a shape that is fitted to a mesh
  +castshadow      u1             1                          | -          | whether it casts shadows
  userdata         f8*                                       | = geom_user
  plugin           plugin                                    | -          | instance of a signed distance plugin
  info             str                                       | -          | text for error messages

MjsSite: a site
  pos              f8[3]                                     | = site_pos
  quat             f8[4]          1                          | = site_quat
  alt              orient                                    | angle      | orientation in another notation, used instead of
                                                                            quat
  fromto           f8[6]          nan                        | m          | end points of a long shape, used instead of pose and
                                                                            length
  size             f8[3]          0.005 0.005 0.005          | = site_size
  type             mjtGeom        2                          | = site_type
  material         str                                       | -          | name of the material
  group            i4                                        | = site_group
  rgba             f4[4]          0.5 0.5 0.5 1              | = site_rgba
  userdata         f8*                                       | = site_user
  info             str                                       | -          | text for error messages

MjsCamera: a camera
  pos              f8[3]                                     | = cam_pos
  quat             f8[4]          1                          | = cam_quat
  alt              orient                                    | angle      | orientation in another notation, used instead of
                                                                            quat
  mode             mjtCamLight                               | = cam_mode
  targetbody       str                                       | -          | name of the body at which it looks in the target
                                                                            modes
  orthographic     i4                                        | = cam_orthographic
  +output          i4             1                          | = cam_output
  fovy             f8             45                         | = cam_fovy
  ipd              f8             0.068                      | = cam_ipd
  intrinsic        f4[4]                                     | = cam_intrinsic
  sensor_size      f4[2]                                     | = cam_sensorsize
  resolution       f4[2]          1 1                        | = cam_resolution
  focal_length     f4[2]                                     | m          | focal lengths in x and y
  focal_pixel      f4[2]                                     | pixel      | focal lengths in x and y, in pixels
  principal_length f4[2]                                     | m          | offset of the principal point in x and y
  principal_pixel  f4[2]                                     | pixel      | offset of the principal point in x and y, in pixels
  userdata         f8*                                       | = cam_user
  info             str                                       | -          | text for error messages

MjsLight: a light
  pos              f8[3]                                     | = light_pos
  dir              f8[3]          0 0 -1                     | = light_dir
  mode             mjtCamLight                               | = light_mode
  targetbody       str                                       | -          | name of the body at which it points in the target
                                                                            modes
  active           u1             1                          | = light_active
  type             mjtLightType                              | = light_type
  texture          str                                       | -          | name of an image light's texture
  castshadow       u1             1                          | = light_castshadow
  bulbradius       f4             0.02                       | = light_bulbradius
  intensity        f4                                        | = light_intensity
  range            f4             10                         | = light_range
  attenuation      f4[3]          1                          | = light_attenuation
  cutoff           f4             45                         | = light_cutoff
  exponent         f4             10                         | = light_exponent
  ambient          f4[3]                                     | = light_ambient
  diffuse          f4[3]          0.7 0.7 0.7                | = light_diffuse
  specular         f4[3]          0.3 0.3 0.3                | = light_specular
  +softness        f4             0.2                        | = light_softness
  info             str                                       | -          | text for error messages

MjsFlex: a deformable body
  contype          i4             1                          | = flex_contype
  conaffinity      i4             1                          | = flex_conaffinity
  condim           i4             3                          | = flex_condim
  priority         i4                                        | = flex_priority
  friction         f8[3]          1 0.005 0.0001             | = flex_friction
  solmix           f8             1                          | = flex_solmix
  solref           f8[2]          0.02 1                     | = flex_solref
  solimp           f8[5]          0.9 0.95 0.001 0.5 2       | = flex_solimp
  margin           f8                                        | = flex_margin
  gap              f8                                        | = flex_gap
  dim              i4             2                          | = flex_dim
  radius           f8             0.005                      | = flex_radius
  internal         u1                                        | = flex_internal
  flatskin         u1                                        | = flex_flatskin
  selfcollide      i4             4                          | = flex_selfcollide
  vertcollide      i4                                        | -          | whether vertices collide instead of elements
  passive          i4                                        | = flex_passive
  activelayers     i4             1                          | = flex_activelayers
  group            i4                                        | = flex_group
  edgestiffness    f8                                        | = flex_edgestiffness
  edgedamping      f8                                        | = flex_edgedamping
  rgba             f4[4]          0.5 0.5 0.5 1              | = flex_rgba
  material         str                                       | -          | name of the material
  young            f8                                        | Pa         | Young's modulus
  poisson          f8                                        | -          | Poisson's ratio, 0 to 0.5
  damping          f8                                        | = flex_damping
  thickness        f8             -1                         | m          | thickness of a shell
  elastic2d        i4                                        | -          | elasticity of a shell: 0 none, 1 bending, 2
                                                                            stretching, 3 both
  nodebody         str*                                      | -          | names of the nodes' bodies
  vertbody         str*                                      | -          | names of the vertices' bodies
  node             f8*                                       | m          | nodes in the frames of their bodies, three numbers
                                                                            each
  vert             f8*                                       | m          | vertices in the frames of their bodies, three
                                                                            numbers each
  elem             i4*                                       | -          | vertices of elements, dim+1 each
  texcoord         f4*                                       | -          | texture coordinates of vertices, two numbers each
  elemtexcoord     i4*                                       | -          | texture coordinates of elements' vertices
  info             str                                       | -          | text for error messages

MjsMesh: a mesh
  content_type     str                                       | -          | media type of the file, if its name does not imply
                                                                            it
  file             str                                       | -          | name of the file
  refpos           f8[3]                                     | m          | translation removed from the vertices
  refquat          f8[4]          1                          | quat       | rotation removed from the vertices
  scale            f8[3]          1 1 1                      | -          | scaling of the vertices in x, y and z
  inertia          mjtMeshInertia 2                          | -          | how mass properties are computed (mjtMeshInertia)
  smoothnormal     u1                                        | -          | whether normals are averaged over all faces, even
                                                                            across sharp edges
  needsdf          u1                                        | -          | whether a signed distance field is computed for it
  maxhullvert      i4             -1                         | -          | maximum number of vertices of its convex hull, -1:
                                                                            no limit
  uservert         f4*                                       | m          | vertices, three numbers each
  usernormal       f4*                                       | -          | normals, three numbers each
  usertexcoord     f4*                                       | -          | texture coordinates, two numbers each
  userface         i4*                                       | -          | vertices of triangles, three each
  userfacenormal   i4*                                       | -          | normals of triangles' corners, three each
  userfacetexcoord i4*                                       | -          | texture coordinates of triangles' corners, three
                                                                            each
  plugin           plugin                                    | -          | instance of a signed distance plugin
  material         str                                       | -          | name of the material
  info             str                                       | -          | text for error messages

MjsHField: a height field
  content_type     str                                       | -          | media type of the file, if its name does not imply
                                                                            it
  file             str                                       | -          | name of the file
  size             f8[4]                                     | = hfield_size
  nrow             i4                                        | = hfield_nrow
  ncol             i4                                        | = hfield_ncol
  userdata         f4*                                       | any        | elevations by rows, scaled to 0..1 by the compiler
  info             str                                       | -          | text for error messages

MjsSkin: a skin
  file             str                                       | -          | name of the file
  material         str                                       | -          | name of the material
  rgba             f4[4]          0.5 0.5 0.5 1              | = skin_rgba
  inflate          f4                                        | = skin_inflate
  group            i4                                        | = skin_group
  vert             f4*                                       | m          | vertices, three numbers each
  texcoord         f4*                                       | -          | texture coordinates, two numbers each
  face             i4*                                       | -          | vertices of triangles, three each
  bodyname         str*                                      | -          | names of the bones' bodies
  bindpos          f4*                                       | m          | positions of bones in the pose of the vertices,
                                                                            three numbers each
  bindquat         f4*                                       | quat       | orientations of bones in the pose of the vertices,
                                                                            four numbers each
  vertid           i4**                                      | -          | vertices that each bone moves
  vertweight       f4**                                      | -          | weights of these vertices
  info             str                                       | -          | text for error messages

MjsTexture: a texture
  type             mjtTexture     1                          | = tex_type
  colorspace       mjtColorSpace                             | = tex_colorspace
  builtin          i4                                        | -          | generated pattern: none, gradient, checker, flat
                                                                            (mjtBuiltin)
  mark             i4                                        | -          | marks on the pattern: none, edge, cross, random
                                                                            (mjtMark)
  rgb1             f8[3]          0.8 0.8 0.8                | 0..1       | first colour of the pattern
  rgb2             f8[3]          0.5 0.5 0.5                | 0..1       | second colour of the pattern
  markrgb          f8[3]                                     | 0..1       | colour of marks
  random           f8             0.01                       | 0..1       | probability that a pixel has a random mark
  height           i4                                        | = tex_height
  width            i4                                        | = tex_width
  nchannel         i4             3                          | = tex_nchannel
  content_type     str                                       | -          | media type of the file, if its name does not imply
                                                                            it
  file             str                                       | -          | name of the file
  gridsize         i4[2]          1 1                        | -          | rows and columns of the grid, in one file, that
                                                                            contains the sides of a cube
  gridlayout       chr[12]                                   | -          | side that each square of the grid shows: R, L, U, D,
                                                                            F, B or . for unused
  cubefiles        str*                                      | -          | names of the files of a cube's sides: right, left,
                                                                            up, down, front, back
  data             u1*                                       | -          | pixels by rows, bytes 0 to 255
  hflip            u1                                        | -          | whether the picture is flipped horizontally
  vflip            u1                                        | -          | whether the picture is flipped vertically
  info             str                                       | -          | text for error messages

MjsMaterial: a material
  textures         str*                                      | -          | name of the texture of each role (mjtTextureRole)
  texuniform       u1                                        | = mat_texuniform
  texrepeat        f4[2]          1 1                        | = mat_texrepeat
  emission         f4                                        | = mat_emission
  specular         f4             0.5                        | = mat_specular
  shininess        f4             0.5                        | = mat_shininess
  reflectance      f4                                        | = mat_reflectance
  metallic         f4             -1                         | = mat_metallic
  roughness        f4             -1                         | = mat_roughness
  rgba             f4[4]          1 1 1 1                    | = mat_rgba
  info             str                                       | -          | text for error messages

MjsPair: a geom pair with its own contact parameters
  geomname1        str                                       | -          | name of the first geom
  geomname2        str                                       | -          | name of the second geom
  condim           i4             3                          | = pair_dim
  solref           f8[2]          0.02 1                     | = pair_solref
  solreffriction   f8[2]                                     | = pair_solreffriction
  solimp           f8[5]          0.9 0.95 0.001 0.5 2       | = pair_solimp
  margin           f8                                        | = pair_margin
  gap              f8                                        | = pair_gap
  friction         f8[5]          1 1 0.005 0.0001 0.0001    | = pair_friction
  info             str                                       | -          | text for error messages

MjsExclude: a body pair without contacts
  bodyname1        str                                       | -          | name of the first body
  bodyname2        str                                       | -          | name of the second body
  info             str                                       | -          | text for error messages

MjsEquality: an equality constraint
  type             mjtEq                                     | = eq_type
  data             f8[11]         0 1 0 0 0 0 0 0 0 0 1      | = eq_data
  active           u1             1                          | -          | whether it is active at the start
  name1            str                                       | -          | name of the first object
  name2            str                                       | -          | name of the second object; empty: the world, or a
                                                                            constant
  objtype          mjtObj                                    | = eq_objtype
  solref           f8[2]          0.02 1                     | = eq_solref
  solimp           f8[5]          0.9 0.95 0.001 0.5 2       | = eq_solimp
  info             str                                       | -          | text for error messages

MjsTendon: a tendon
  stiffness        f8                                        | = tendon_stiffness
  springlength     f8[2]          -1 -1                      | = tendon_lengthspring
  damping          f8                                        | = tendon_damping
  frictionloss     f8                                        | = tendon_frictionloss
  solref_friction  f8[2]          0.02 1                     | = tendon_solref_fri
  solimp_friction  f8[5]          0.9 0.95 0.001 0.5 2       | = tendon_solimp_fri
  armature         f8                                        | = tendon_armature
  limited          i4             2                          | -          | whether range limits the length (mjtLimited)
  actfrclimited    i4                                        | -          | whether actfrcrange limits actuator forces
                                                                            (mjtLimited)
  range            f8[2]                                     | = tendon_range
  actfrcrange      f8[2]                                     | = tendon_actfrcrange
  margin           f8                                        | = tendon_margin
  solref_limit     f8[2]          0.02 1                     | = tendon_solref_lim
  solimp_limit     f8[5]          0.9 0.95 0.001 0.5 2       | = tendon_solimp_lim
  material         str                                       | -          | name of the material
  width            f8             0.003                      | = tendon_width
  rgba             f4[4]          0.5 0.5 0.5 1              | = tendon_rgba
  group            i4                                        | = tendon_group
  userdata         f8*                                       | = tendon_user
  info             str                                       | -          | text for error messages

MjsWrap: an object on a tendon's path
  type             mjtWrap                                   | = wrap_type
  info             str                                       | -          | text for error messages

MjsActuator: an actuator
  gaintype         mjtGain                                   | = actuator_gaintype
  gainprm          f8[10]         1                          | = actuator_gainprm
  biastype         mjtBias                                   | = actuator_biastype
  biasprm          f8[10]                                    | = actuator_biasprm
  dyntype          mjtDyn                                    | = actuator_dyntype
  dynprm           f8[10]         1                          | = actuator_dynprm
  actdim           i4             -1                         | -          | number of activations, -1: as many as the dynamics
                                                                            need
  actearly         u1                                        | = actuator_actearly
  trntype          mjtTrn         1000                       | = actuator_trntype
  gear             f8[6]          1                          | = actuator_gear
  target           str                                       | -          | name of the object on which it acts
  refsite          str                                       | -          | name of the reference site, relative to which a site
                                                                            is moved
  slidersite       str                                       | -          | name of the site along whose z axis a slider-crank
                                                                            slides
  cranklength      f8                                        | = actuator_cranklength
  lengthrange      f8[2]                                     | = actuator_lengthrange
  inheritrange     f8                                        | -          | position servo: ctrlrange is the target's range
                                                                            times this, 0: off
  ctrllimited      i4             2                          | -          | whether ctrlrange limits the control (mjtLimited)
  ctrlrange        f8[2]                                     | = actuator_ctrlrange
  forcelimited     i4             2                          | -          | whether forcerange limits the force (mjtLimited)
  forcerange       f8[2]                                     | = actuator_forcerange
  actlimited       i4             2                          | -          | whether actrange limits the activation (mjtLimited)
  actrange         f8[2]                                     | = actuator_actrange
  +ctrlspec        i4                                        | = actuator_ctrlspec
  +velrange        f8[2]                                     | -          | pid servo: smallest and largest velocity setpoint
  +ffrange         f8[2]                                     | -          | pid servo: smallest and largest feedforward force
  +nsample         i4                                        | -          | number of stored control samples, 0: none
  +interp          i4                                        | -          | interpolation between stored samples: 0 hold, 1
                                                                            linear, 2 cubic
  group            i4                                        | = actuator_group
  userdata         f8*                                       | = actuator_user
  plugin           plugin                                    | -          | plugin instance
  info             str                                       | -          | text for error messages

MjsSensor: a sensor
  type             mjtSensor                                 | = sensor_type
  objtype          mjtObj                                    | = sensor_objtype
  objname          str                                       | -          | name of the object that it measures
  reftype          mjtObj                                    | = sensor_reftype
  refname          str                                       | -          | name of the reference object; empty: the world
  intprm           i4[3]                                     | = sensor_intprm
  datatype         mjtDataType                               | = sensor_datatype
  needstage        mjtStage       3                          | = sensor_needstage
  dim              i4                                        | = sensor_dim
  cutoff           f8                                        | = sensor_cutoff
  noise            f8                                        | = sensor_noise
  +nsample         i4                                        | -          | number of stored samples, 0: none
  +interp          i4                                        | -          | interpolation between stored samples: 0 hold, 1
                                                                            linear, 2 cubic
  userdata         f8*                                       | = sensor_user
  plugin           plugin                                    | -          | plugin instance
  info             str                                       | -          | text for error messages

MjsNumeric: custom numbers
  data             f8*                                       | = numeric_data
  size             i4                                        | = numeric_size
  info             str                                       | -          | text for error messages

MjsText: a custom text
  data             str                                       | -          | the text
  info             str                                       | -          | text for error messages

MjsTuple: custom objects
  objtype          i4*                                       | = tuple_objtype
  objname          str*                                      | -          | names of the objects
  objprm           f8*                                       | = tuple_objprm
  info             str                                       | -          | text for error messages

MjsKey: a keyframe
  time             f8                                        | = key_time
  qpos             f8*                                       | = key_qpos
  qvel             f8*                                       | = key_qvel
  act              f8*                                       | = key_act
  mpos             f8*                                       | = key_mpos
  mquat            f8*                                       | = key_mquat
  ctrl             f8*                                       | = key_ctrl
  +plastic         f8*                                       | = key_plastic
  info             str                                       | -          | text for error messages

MjsPlugin: a plugin instance
  name             str                                       | -          | name of the instance
  plugin_name      str                                       | -          | name of the plugin
  active           u1                                        | -          | whether the element has a plugin
  info             str                                       | -          | text for error messages

MjsCompiler: settings of the compiler
  autolimits       u1             1                          | -          | whether giving a range enables its limit
  boundmass        f8                                        | kg         | lower bound of the mass of a moving body
  boundinertia     f8                                        | kg m^2     | lower bound of a moving body's moments of inertia
  settotalmass     f8             -1                         | kg         | total mass to which all masses and inertias are
                                                                            scaled, if positive
  balanceinertia   u1                                        | -          | whether moments of inertia that violate A + B >= C
                                                                            are replaced by their mean
  fitaabb          u1                                        | -          | whether shapes are fitted to a mesh's bounding box
                                                                            instead of its inertia box
  degree           u1             1                          | -          | whether angles are in degrees instead of radians
  eulerseq         chr[3]                                    | -          | axes of Euler angles: x, y, z turn with the body; X,
                                                                            Y, Z are fixed
  discardvisual    u1                                        | -          | whether to leave out geoms that do not collide, and
                                                                            assets that are then unused
  usethread        u1             1                          | -          | whether the compiler may use several threads
  fusestatic       u1                                        | -          | whether bodies without joints are merged into their
                                                                            parents
  inertiafromgeom  i4             2                          | -          | whether inertias are inferred from geoms
                                                                            (mjtInertiaFromGeom)
  inertiagrouprange i4[2]          0 5                       | -          | first and last group of geoms that contribute to
                                                                            inertia
  saveinertial     u1                                        | -          | whether inertias of all bodies are written to XML
  alignfree        i4                                        | -          | whether frames of free bodies are moved to the
                                                                            centre of mass and principal axes
  meshdir          str                                       | -          | folder of meshes and height fields
  texturedir       str                                       | -          | folder of textures
  +conflict        i4                                        | -          | handling of conflicting options of attached models:
                                                                            0 warning, 1 merge, 2 error
  +savecompiled    u1             1                          | -          | whether the compiled model is saved, instead of the
                                                                            model as written
  +savecanonical   u1             1                          | -          | without savecompiled: whether orientations, angles
                                                                            and end points are saved in canonical notation
  +compat          str                                       | -          | release whose silent changes apply; empty: 3.4
                                                                            (tables.compat_rows); a Tumble attribute

MjSpec: an editable model
  modelname        str                                       | -          | name of the model
  strippath        u1                                        | -          | whether folders are removed from file names
  memory           i8             -1                         | byte       | size of MuJoCo's arena, -1: automatic
  nemax            i4                                        | -          | maximum number of equality constraints; obsolete
  nuserdata        i4                                        | = nuserdata
  nuser_body       i4             -1                         | = nuser_body
  nuser_jnt        i4             -1                         | = nuser_jnt
  nuser_geom       i4             -1                         | = nuser_geom
  nuser_site       i4             -1                         | = nuser_site
  nuser_cam        i4             -1                         | = nuser_cam
  nuser_tendon     i4             -1                         | = nuser_tendon
  nuser_actuator   i4             -1                         | = nuser_actuator
  nuser_sensor     i4             -1                         | = nuser_sensor
  nkey             i4                                        | = nkey
  njmax            i4             -1                         | = njmax
  nconmax          i4             -1                         | = nconmax
  nstack           i8             -1                         | -          | size of MuJoCo's stack in numbers, -1: automatic;
                                                                            obsolete
  comment          str                                       | -          | comment at the beginning of the XML
  modelfiledir     str                                       | -          | folder of the model's file
  hasImplicitPluginElem u1                                   | -          | whether elements configure plugins without a named
                                                                            instance

MjLROpt: how ranges of actuator lengths are computed
  mode             i4             1                          | -          | which actuators: none, muscles, muscles and user-
                                                                            defined, all (mjtLRMode)
  useexisting      i4             1                          | -          | whether given ranges are kept
  uselimit         i4                                        | -          | whether limits of joints and tendons are used where
                                                                            given
  accel            f8             20                         | m/s^2 or rad/s^2 | acceleration for which the applied force aims
  maxforce         f8                                        | N or N m   | maximum force, 0: no limit
  timeconst        f8             1                          | s          | time constant of the damping
  timestep         f8             0.01                       | s          | time step
  inttotal         f8             10                         | s          | length of the simulation
  interval         f8             2                          | s          | interval at the end of the simulation in which the
                                                                            range is measured
  tolrange         f8             0.05                       | -          | maximum change of the range in that interval,
                                                                            relative to the range
"""
