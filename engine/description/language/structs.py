"""The structs of the editable model, one row a field: name, type, default.

Types: f8 f4 i4 u1 i8 numbers, [n] a fixed count, * a list of any length, ** a list of lists, str text, chr fixed text,
orient an alternative orientation (kind and its numbers), plugin a reference to a plugin instance, mjt... an enum.
A default shorter than its field is filled with zeros; an absent one is all zeros or empty.
"""

STRUCTS = """
MjsBody
  childclass       str
  pos              f8[3]
  quat             f8[4]          1
  alt              orient
  mass             f8
  ipos             f8[3]          nan
  iquat            f8[4]          1
  inertia          f8[3]
  ialt             orient
  fullinertia      f8[6]          nan
  mocap            u1
  gravcomp         f8
  sleep            mjtSleepPolicy
  userdata         f8*
  explicitinertial u1
  plugin           plugin
  info             str

MjsFrame
  childclass       str
  pos              f8[3]
  quat             f8[4]          1
  alt              orient
  info             str

MjsJoint
  type             mjtJoint       3
  pos              f8[3]
  axis             f8[3]          0 0 1
  ref              f8
  align            i4             2
  stiffness        f8
  springref        f8
  springdamper     f8[2]
  limited          i4             2
  range            f8[2]
  margin           f8
  solref_limit     f8[2]          0.02 1
  solimp_limit     f8[5]          0.9 0.95 0.001 0.5 2
  actfrclimited    i4             2
  actfrcrange      f8[2]
  armature         f8
  damping          f8
  frictionloss     f8
  solref_friction  f8[2]          0.02 1
  solimp_friction  f8[5]          0.9 0.95 0.001 0.5 2
  group            i4
  actgravcomp      u1
  userdata         f8*
  info             str

MjsGeom
  type             mjtGeom        2
  pos              f8[3]
  quat             f8[4]          1
  alt              orient
  fromto           f8[6]          nan
  size             f8[3]
  contype          i4             1
  conaffinity      i4             1
  condim           i4             3
  priority         i4
  friction         f8[3]          1 0.005 0.0001
  solmix           f8             1
  solref           f8[2]          0.02 1
  solimp           f8[5]          0.9 0.95 0.001 0.5 2
  margin           f8
  gap              f8
  mass             f8             nan
  density          f8             1000
  typeinertia      mjtGeomInertia
  fluid_ellipsoid  f8
  fluid_coefs      f8[5]          0.5 0.25 1.5 1 1
  material         str
  rgba             f4[4]          0.5 0.5 0.5 1
  group            i4
  hfieldname       str
  meshname         str
  fitscale         f8             1
  userdata         f8*
  plugin           plugin
  info             str

MjsSite
  pos              f8[3]
  quat             f8[4]          1
  alt              orient
  fromto           f8[6]          nan
  size             f8[3]          0.005 0.005 0.005
  type             mjtGeom        2
  material         str
  group            i4
  rgba             f4[4]          0.5 0.5 0.5 1
  userdata         f8*
  info             str

MjsCamera
  pos              f8[3]
  quat             f8[4]          1
  alt              orient
  mode             mjtCamLight
  targetbody       str
  orthographic     i4
  fovy             f8             45
  ipd              f8             0.068
  intrinsic        f4[4]
  sensor_size      f4[2]
  resolution       f4[2]          1 1
  focal_length     f4[2]
  focal_pixel      f4[2]
  principal_length f4[2]
  principal_pixel  f4[2]
  userdata         f8*
  info             str

MjsLight
  pos              f8[3]
  dir              f8[3]          0 0 -1
  mode             mjtCamLight
  targetbody       str
  active           u1             1
  type             mjtLightType
  texture          str
  castshadow       u1             1
  bulbradius       f4             0.02
  intensity        f4
  range            f4             10
  attenuation      f4[3]          1
  cutoff           f4             45
  exponent         f4             10
  ambient          f4[3]
  diffuse          f4[3]          0.7 0.7 0.7
  specular         f4[3]          0.3 0.3 0.3
  info             str

MjsFlex
  contype          i4             1
  conaffinity      i4             1
  condim           i4             3
  priority         i4
  friction         f8[3]          1 0.005 0.0001
  solmix           f8             1
  solref           f8[2]          0.02 1
  solimp           f8[5]          0.9 0.95 0.001 0.5 2
  margin           f8
  gap              f8
  dim              i4             2
  radius           f8             0.005
  internal         u1
  flatskin         u1
  selfcollide      i4             4
  vertcollide      i4
  passive          i4
  activelayers     i4             1
  group            i4
  edgestiffness    f8
  edgedamping      f8
  rgba             f4[4]          0.5 0.5 0.5 1
  material         str
  young            f8
  poisson          f8
  damping          f8
  thickness        f8             -1
  elastic2d        i4
  nodebody         str*
  vertbody         str*
  node             f8*
  vert             f8*
  elem             i4*
  texcoord         f4*
  elemtexcoord     i4*
  info             str

MjsMesh
  content_type     str
  file             str
  refpos           f8[3]
  refquat          f8[4]          1
  scale            f8[3]          1 1 1
  inertia          mjtMeshInertia 2
  smoothnormal     u1
  needsdf          u1
  maxhullvert      i4             -1
  uservert         f4*
  usernormal       f4*
  usertexcoord     f4*
  userface         i4*
  userfacenormal   i4*
  userfacetexcoord i4*
  plugin           plugin
  material         str
  info             str

MjsHField
  content_type     str
  file             str
  size             f8[4]
  nrow             i4
  ncol             i4
  userdata         f4*
  info             str

MjsSkin
  file             str
  material         str
  rgba             f4[4]          0.5 0.5 0.5 1
  inflate          f4
  group            i4
  vert             f4*
  texcoord         f4*
  face             i4*
  bodyname         str*
  bindpos          f4*
  bindquat         f4*
  vertid           i4**
  vertweight       f4**
  info             str

MjsTexture
  type             mjtTexture     1
  colorspace       mjtColorSpace
  builtin          i4
  mark             i4
  rgb1             f8[3]          0.8 0.8 0.8
  rgb2             f8[3]          0.5 0.5 0.5
  markrgb          f8[3]
  random           f8             0.01
  height           i4
  width            i4
  nchannel         i4             3
  content_type     str
  file             str
  gridsize         i4[2]          1 1
  gridlayout       chr[12]
  cubefiles        str*
  data             u1*
  hflip            u1
  vflip            u1
  info             str

MjsMaterial
  textures         str*
  texuniform       u1
  texrepeat        f4[2]          1 1
  emission         f4
  specular         f4             0.5
  shininess        f4             0.5
  reflectance      f4
  metallic         f4             -1
  roughness        f4             -1
  rgba             f4[4]          1 1 1 1
  info             str

MjsPair
  geomname1        str
  geomname2        str
  condim           i4             3
  solref           f8[2]          0.02 1
  solreffriction   f8[2]
  solimp           f8[5]          0.9 0.95 0.001 0.5 2
  margin           f8
  gap              f8
  friction         f8[5]          1 1 0.005 0.0001 0.0001
  info             str

MjsExclude
  bodyname1        str
  bodyname2        str
  info             str

MjsEquality
  type             mjtEq
  data             f8[11]         0 1 0 0 0 0 0 0 0 0 1
  active           u1             1
  name1            str
  name2            str
  objtype          mjtObj
  solref           f8[2]          0.02 1
  solimp           f8[5]          0.9 0.95 0.001 0.5 2
  info             str

MjsTendon
  stiffness        f8
  springlength     f8[2]          -1 -1
  damping          f8
  frictionloss     f8
  solref_friction  f8[2]          0.02 1
  solimp_friction  f8[5]          0.9 0.95 0.001 0.5 2
  armature         f8
  limited          i4             2
  actfrclimited    i4
  range            f8[2]
  actfrcrange      f8[2]
  margin           f8
  solref_limit     f8[2]          0.02 1
  solimp_limit     f8[5]          0.9 0.95 0.001 0.5 2
  material         str
  width            f8             0.003
  rgba             f4[4]          0.5 0.5 0.5 1
  group            i4
  userdata         f8*
  info             str

MjsWrap
  type             mjtWrap
  info             str

MjsActuator
  gaintype         mjtGain
  gainprm          f8[10]         1
  biastype         mjtBias
  biasprm          f8[10]
  dyntype          mjtDyn
  dynprm           f8[10]         1
  actdim           i4             -1
  actearly         u1
  trntype          mjtTrn         1000
  gear             f8[6]          1
  target           str
  refsite          str
  slidersite       str
  cranklength      f8
  lengthrange      f8[2]
  inheritrange     f8
  ctrllimited      i4             2
  ctrlrange        f8[2]
  forcelimited     i4             2
  forcerange       f8[2]
  actlimited       i4             2
  actrange         f8[2]
  group            i4
  userdata         f8*
  plugin           plugin
  info             str

MjsSensor
  type             mjtSensor
  objtype          mjtObj
  objname          str
  reftype          mjtObj
  refname          str
  intprm           i4[3]
  datatype         mjtDataType
  needstage        mjtStage       3
  dim              i4
  cutoff           f8
  noise            f8
  userdata         f8*
  plugin           plugin
  info             str

MjsNumeric
  data             f8*
  size             i4
  info             str

MjsText
  data             str
  info             str

MjsTuple
  objtype          i4*
  objname          str*
  objprm           f8*
  info             str

MjsKey
  time             f8
  qpos             f8*
  qvel             f8*
  act              f8*
  mpos             f8*
  mquat            f8*
  ctrl             f8*
  info             str

MjsPlugin
  name             str
  plugin_name      str
  active           u1
  info             str

MjsCompiler
  autolimits       u1             1
  boundmass        f8
  boundinertia     f8
  settotalmass     f8             -1
  balanceinertia   u1
  fitaabb          u1
  degree           u1             1
  eulerseq         chr[3]
  discardvisual    u1
  usethread        u1             1
  fusestatic       u1
  inertiafromgeom  i4             2
  inertiagrouprange i4[2]          0 5
  saveinertial     u1
  alignfree        i4
  meshdir          str
  texturedir       str

MjSpec
  modelname        str
  strippath        u1
  memory           i8             -1
  nemax            i4
  nuserdata        i4
  nuser_body       i4             -1
  nuser_jnt        i4             -1
  nuser_geom       i4             -1
  nuser_site       i4             -1
  nuser_cam        i4             -1
  nuser_tendon     i4             -1
  nuser_actuator   i4             -1
  nuser_sensor     i4             -1
  nkey             i4
  njmax            i4             -1
  nconmax          i4             -1
  nstack           i8             -1
  comment          str
  modelfiledir     str
  hasImplicitPluginElem u1

MjLROpt
  mode             i4             1
  useexisting      i4             1
  uselimit         i4
  accel            f8             20
  maxforce         f8
  timeconst        f8             1
  timestep         f8             0.01
  inttotal         f8             10
  interval         f8             2
  tolrange         f8             0.05
"""
