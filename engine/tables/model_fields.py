"""The Model table: sizes and arrays of a compiled model, one row for each field.

    name  dtype  dimensions | unit | sentence            dimensions are sizes by name, or numbers

Order and spelling are those of MuJoCo's mjModel. A heading `# owner: what it is` begins the fields of one type of element.
A sentence describes each element, or each row of the array. Units are those of `tables.units`; they are nominal, since
nothing converts them. In integer fields, `unit > values` also says which values are allowed, in the notation of
`tables.validate`.
"""

SIZES = """
nq              | length of qpos: coordinates of all joints; a quaternion counts as four
nv              | degrees of freedom: length of qvel and qacc
nu              | controls: inputs of all actuators
na              | activations: internal states of all actuators
nbody           | bodies, including the world
nbvh            | nodes of all bounding volume hierarchies
nbvhstatic      | nodes of hierarchies that move rigidly with a body (bodies and meshes)
nbvhdynamic     | nodes of hierarchies that are refitted at every step (flexes)
noct            | cells of all octrees of meshes
njnt            | joints
ntree           | kinematic trees below the world
nM              | elements of qM, which stores the inertia of each dof with itself and with its ancestors
nB              | elements of the sparse body-dof incidence matrix
nC              | elements of M and of its factor: one triangle, in which rows of simple dofs have only the diagonal
nD              | elements of the sparse dof-dof matrix with both triangles
ngeom           | geoms
nsite           | sites
ncam            | cameras
nlight          | lights
nflex           | flexes, that is deformable bodies
nflexnode       | nodes of all interpolated flexes
nflexvert       | vertices of all flexes
nflexedge       | edges of all flexes
nflexelem       | elements of all flexes
nflexelemdata   | vertex indices listed by the elements of all flexes
nflexelemedge   | edge indices listed by the elements of all flexes
nflexshelldata  | vertex indices listed by the shell fragments of all flexes
nflexevpair     | element-vertex pairs that can collide within flexes
nflextexcoord   | vertices of all flexes that have texture coordinates
nmesh           | meshes
nmeshvert       | vertices of all meshes
nmeshnormal     | normals of all meshes
nmeshtexcoord   | texture coordinates of all meshes
nmeshface       | triangles of all meshes
nmeshgraph      | numbers in the convex hull graphs of all meshes
nmeshpoly       | polygons of all convex hulls
nmeshpolyvert   | vertex indices listed by the polygons of all hulls
nmeshpolymap    | polygon indices listed by the vertices of all hulls
nskin           | skins
nskinvert       | vertices of all skins
nskintexvert    | vertices of skins that have texture coordinates
nskinface       | triangles of all skins
nskinbone       | bones of all skins
nskinbonevert   | vertices that the bones of all skins move
nhfield         | height fields
nhfielddata     | samples of all height fields
ntex            | textures
ntexdata        | bytes of all textures
nmat            | materials
npair           | geom pairs listed for collision
nexclude        | body pairs excluded from collision
neq             | equality constraints
ntendon         | tendons
nwrap           | objects on the paths of all tendons
nsensor         | sensors
nnumeric        | custom numeric fields
nnumericdata    | numbers in all custom numeric fields
ntext           | custom text fields
ntextdata       | bytes in all custom texts, including final zeros
ntuple          | custom tuples
ntupledata      | objects in all custom tuples
nkey            | keyframes
nmocap          | bodies whose pose is an input
nplugin         | plugin instances
npluginattr     | bytes in all plugin attributes, including final zeros
nuser_body      | length of the user data of each body
nuser_jnt       | length of the user data of each joint
nuser_geom      | length of the user data of each geom
nuser_site      | length of the user data of each site
nuser_cam       | length of the user data of each camera
nuser_tendon    | length of the user data of each tendon
nuser_actuator  | length of the user data of each actuator
nuser_sensor    | length of the user data of each sensor
nnames          | bytes in all names, including final zeros
npaths          | bytes in all file paths, including final zeros
nnames_map      | slots of the hash table of names
nJmom           | elements of the sparse actuator moment
ngravcomp       | bodies with gravity compensation
nemax           | maximum number of equality rows for which the model was built
njmax           | number of constraint rows to allocate memory for; -1: as many as memory allows
nconmax         | number of contacts to allocate memory for; -1: as many as memory allows
nuserdata       | length of userdata
nsensordata     | length of sensordata
npluginstate    | length of plugin_state
narena          | bytes of MuJoCo's arena, stored for files and scripts
nbuffer         | bytes of all arrays of the model, including alignment
+nactuator      | actuators; each has one control and one force, except for types that later releases added
+nout           | forces of all actuators
+nplastic       | length of the plastic state: rest positions of plastic springs
"""

ROWS = """
# qpos: reference configurations
qpos0                   f8  nq    | m or rad | reference configuration, in which the model is described; quaternions are w x y z
qpos_spring             f8  nq                   | m or rad           | configuration in which joint springs are at rest

# body: rigid bodies; 0 is the world
body_parentid           i4  nbody                | - > *              | parent body; the world is its own parent
body_rootid             i4  nbody                | - > nbody          | ancestor whose parent is the world
body_weldid             i4  nbody       | - > nbody | nearest ancestor (or the body itself) that can move relative to its parent
body_mocapid            i4  nbody                | - > nmocap?        | row of mocap_pos and mocap_quat, -1: none
body_jntnum             i4  nbody                | - > count          | number of joints
body_jntadr             i4  nbody                | - > njnt[body_jntnum] | first joint, -1: none
body_dofnum             i4  nbody                | - > count          | number of dofs
body_dofadr             i4  nbody                | - > nv[body_dofnum] | first dof, -1: none
body_treeid             i4  nbody                | - > ntree?         | kinematic tree, -1: fixed to the world
body_geomnum            i4  nbody                | - > count          | number of geoms
body_geomadr            i4  nbody                | - > ngeom[body_geomnum] | first geom, -1: none
body_simple           u1 nbody | - > 0..2 | diagonal block of the inertia: 0 full, 1 diagonal, 2 diagonal with slide joints only
body_sameframe          u1  nbody       | - > mjtSameFrame | how the inertial frame coincides with the body frame (mjtSameFrame)
body_pos                f8  nbody 3              | m                  | position of the frame in the parent's frame
body_quat               f8  nbody 4              | quat               | orientation of the frame in the parent's frame
body_ipos               f8  nbody 3              | m                  | centre of mass in the body frame
body_iquat              f8  nbody 4              | quat         | orientation of the principal axes of inertia in the body frame
body_mass               f8  nbody                | kg                 | mass
body_subtreemass        f8  nbody                | kg                 | mass of the body and all its descendants
body_inertia            f8  nbody 3              | kg m^2             | principal moments of inertia, in the inertial frame
body_invweight0     f8 nbody 2 | 1/kg or 1/(kg m^2) | mean inverse inertia at the centre of mass at qpos0: translation, rotation
body_gravcomp           f8  nbody                | -  | fraction of the weight compensated by a force at the centre of mass
body_margin             f8  nbody                | m                  | largest contact margin among the geoms
body_user               f8  nbody nuser_body     | any                | user data, not used by the engine
body_plugin             i4  nbody                | - > nplugin?       | instance of a passive force plugin, -1: none
body_contype            i4  nbody                | - > any            | union of the contact types of the geoms, as bits
body_conaffinity        i4  nbody                | - > any            | union of the contact affinities of the geoms, as bits
body_bvhadr             i4  nbody   | - > nbvhstatic[body_bvhnum] | root of the bounding volume hierarchy of the geoms, -1: none
body_bvhnum             i4  nbody                | - > count          | number of nodes of the bounding volume hierarchy

# bvh: bounding volume hierarchies of bodies, meshes and flexes
bvh_depth               i4  nbvh                 | - > count          | depth of the node in its tree
bvh_child               i4  nbvh 2               | - > *              | left and right child within the tree, -1: leaf
bvh_nodeid              i4  nbvh                 | - > *             | geom, mesh face or flex element of a leaf, -1: inner node
bvh_aabb                f8  nbvhstatic 6         | m     | bounding box: centre and half sizes, in the frame of its body or mesh

# oct: octrees of meshes that have a signed distance field
oct_depth               i4  noct                 | - > count          | depth of the cell in its tree
oct_child               i4  noct 8               | - > *              | eight children within the tree, -1: leaf
oct_aabb                f8  noct 6               | m                  | box of the cell: centre and half sizes
oct_coeff               f8  noct 8               | m         | signed distance at the eight corners, for trilinear interpolation

# jnt: joints
jnt_type                i4  njnt                 | - > mjtJoint       | type (mjtJoint): free, ball, slide, hinge
jnt_qposadr             i4  njnt                 | - > *              | first coordinate in qpos
jnt_dofadr              i4  njnt                 | - > *              | first dof in qvel
jnt_bodyid              i4  njnt                 | - > nbody          | body that the joint moves
jnt_group               i4  njnt                 | - > any            | visibility group
jnt_limited             u1  njnt                 | - > flag           | whether range limits the joint
jnt_actfrclimited       u1  njnt                 | - > flag           | whether actfrcrange limits the sum of actuator forces
jnt_actgravcomp         u1  njnt                 | - > flag           | whether gravity compensation counts as an actuator force
jnt_solref              f8  njnt 2         | - | solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping
jnt_solimp              f8  njnt 5               | -         | solver impedance of the limit: d0, dwidth, width, midpoint, power
jnt_pos                 f8  njnt 3               | m                  | anchor in the body frame
jnt_axis                f8  njnt 3               | -                  | unit axis in the body frame (hinge, slide)
jnt_stiffness           f8  njnt                 | N/m or N m/rad     | spring stiffness
jnt_range               f8  njnt 2               | m or rad          | limits; for a ball joint, the second is the largest angle
jnt_actfrcrange         f8  njnt 2               | N or N m           | smallest and largest sum of actuator forces
jnt_margin              f8  njnt                 | m or rad     | distance before a limit at which its constraint becomes active
jnt_user                f8  njnt nuser_jnt       | any                | user data, not used by the engine

# dof: degrees of freedom
dof_bodyid              i4  nv                   | - > nbody          | body that the dof moves
dof_jntid               i4  nv                   | - > njnt           | joint of the dof
dof_parentid            i4  nv                   | - > *              | previous dof on the way to the root, -1: none
dof_treeid              i4  nv                   | - > ntree          | kinematic tree
dof_Madr                i4  nv                   | - > *              | address of the diagonal element in qM
dof_simplenum           i4  nv       | - > * | number of consecutive simple dofs from here on, including this one; 0: not simple
dof_solref              f8  nv 2        | - | solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping
dof_solimp              f8  nv 5                 | -      | solver impedance of dry friction: d0, dwidth, width, midpoint, power
dof_frictionloss        f8  nv                   | N or N m           | dry friction: maximum friction force
dof_armature            f8  nv                   | kg or kg m^2       | inertia added to the diagonal, such as that of a rotor
dof_damping             f8  nv                   | N s/m or N m s/rad | viscous damping
dof_invweight0          f8  nv  | 1/kg or 1/(kg m^2) | diagonal of the inverse inertia at qpos0, averaged over the joint's block
dof_M0                  f8  nv                   | kg or kg m^2       | diagonal of the inertia at qpos0
dof_length              f8  nv                   | m  | length that converts an angle to a distance at qpos0; 1 for translations

# tree: kinematic trees
tree_bodyadr            i4  ntree                | - > nbody[tree_bodynum] | first body
tree_bodynum            i4  ntree                | - > count          | number of bodies
tree_dofadr             i4  ntree                | - > nv[tree_dofnum] | first dof
tree_dofnum             i4  ntree                | - > *              | number of dofs
tree_sleep_policy       i4  ntree                | - > mjtSleepPolicy | whether the tree may fall asleep (mjtSleepPolicy)

# geom: shapes that collide and are drawn
geom_type               i4  ngeom                | - > 0..8           | type of shape (mjtGeom)
geom_contype        i4 ngeom | - > any | contact type, as bits: geoms can touch if one's contype matches the other's conaffinity
geom_conaffinity        i4  ngeom                | - > any            | contact affinity, as bits; see contype
geom_condim             i4  ngeom                | - > 1,3,4,6        | dimensions of its contacts: 1, 3, 4 or 6
geom_bodyid             i4  ngeom                | - > nbody          | body to which it belongs
geom_dataid             i4  ngeom                | - > *              | mesh or height field, -1: none
geom_matid              i4  ngeom                | - > nmat?          | material, -1: none
geom_group              i4  ngeom                | - > any            | visibility group
geom_priority           i4  ngeom     | - > any | priority: the geom with the higher one alone determines the contact parameters
geom_plugin             i4  ngeom                | - > nplugin?       | instance of a signed distance plugin, -1: none
geom_sameframe          u1  ngeom             | - > mjtSameFrame | how the frame coincides with the body's frames (mjtSameFrame)
geom_solmix             f8  ngeom                | -         | weight of its solver parameters when those of two geoms are mixed
geom_solref             f8  ngeom 2         | - | solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping
geom_solimp             f8  ngeom 5              | -          | solver impedance of contacts: d0, dwidth, width, midpoint, power
geom_size               f8  ngeom 3              | m            | sizes, whose meaning depends on the type: radius, half lengths
geom_aabb               f8  ngeom 6              | m                  | bounding box in the geom frame: centre and half sizes
geom_rbound             f8  ngeom                | m     | radius of the bounding sphere around the geom's centre; 0 for a plane
geom_pos                f8  ngeom 3              | m                  | position in the body frame
geom_quat               f8  ngeom 4              | quat               | orientation in the body frame
geom_friction           f8  ngeom 3              | -                  | friction: sliding (no unit), torsional and rolling (m)
geom_margin             f8  ngeom                | m                  | distance at which a contact is made
geom_gap                f8  ngeom                | m      | part of the margin within which a contact exists but exerts no force
geom_fluid          f8 ngeom 12 | - | ellipsoid model of fluid forces: whether used, five coefficients, virtual mass and inertia
geom_user               f8  ngeom nuser_geom     | any                | user data, not used by the engine
geom_rgba               f4  ngeom 4              | 0..1           | colour if it has no material: red, green, blue, opacity

# site: points of interest on bodies
site_type               i4  nsite                | - > 0..8           | type of the drawn shape (mjtGeom)
site_bodyid             i4  nsite                | - > nbody          | body to which it belongs
site_matid              i4  nsite                | - > nmat?          | material, -1: none
site_group              i4  nsite                | - > any            | visibility group
site_sameframe          u1  nsite             | - > mjtSameFrame | how the frame coincides with the body's frames (mjtSameFrame)
site_size               f8  nsite 3              | m                  | sizes, as for a geom of its type
site_pos                f8  nsite 3              | m                  | position in the body frame
site_quat               f8  nsite 4              | quat               | orientation in the body frame
site_user               f8  nsite nuser_site     | any                | user data, not used by the engine
site_rgba               f4  nsite 4              | 0..1           | colour if it has no material: red, green, blue, opacity

# cam: cameras
cam_mode                i4  ncam                 | - > mjtCamLight    | how it follows its body (mjtCamLight)
cam_bodyid              i4  ncam                 | - > nbody          | body to which it belongs
cam_targetbodyid        i4  ncam                 | - > nbody?         | body at which it looks in the target modes, -1: none
cam_pos                 f8  ncam 3               | m                  | position in the body frame
cam_quat                f8  ncam 4               | quat  | orientation in the body frame; the camera looks along -z, and y is up
cam_poscom0             f8  ncam 3               | m | position relative to the subtree's centre of mass at qpos0, in world axes
cam_pos0                f8  ncam 3               | m                  | position relative to the body at qpos0, in world axes
cam_mat0                f8  ncam 9               | -                  | orientation at qpos0, a rotation matrix by rows
cam_orthographic        i4  ncam                 | - > flag           | whether the projection is parallel
cam_fovy                f8  ncam                 | deg or m      | vertical field of view: an angle, or a length if orthographic
cam_ipd                 f8  ncam                 | m                  | distance between the eyes in stereo
cam_resolution          i4  ncam 2               | pixel > count      | width and height of its picture
cam_sensorsize          f4  ncam 2               | m                  | width and height of the image sensor; 0: fovy is used
cam_intrinsic           f4  ncam 4               | m          | focal lengths and offset of the principal point, each in x and y
cam_user                f8  ncam nuser_cam       | any                | user data, not used by the engine

# light: lights
light_mode              i4  nlight               | - > mjtCamLight    | how it follows its body (mjtCamLight)
light_bodyid            i4  nlight               | - > nbody          | body to which it belongs
light_targetbodyid      i4  nlight               | - > nbody?         | body at which it points in the target modes, -1: none
light_type              i4  nlight               | - > mjtLightType   | type (mjtLightType): spot, directional, point, image
light_texid             i4  nlight               | - > ntex?          | texture of an image light, -1: none
light_castshadow        u1  nlight               | - > flag           | whether it casts shadows
light_bulbradius        f4  nlight               | m                  | radius of the bulb, for soft shadows
light_intensity         f4  nlight               | cd                 | intensity, for physically based renderers
light_range             f4  nlight               | m                  | maximum reach, for physically based renderers
light_active            u1  nlight               | - > flag           | whether it is switched on
light_pos               f8  nlight 3             | m                  | position in the body frame
light_dir               f8  nlight 3             | -                  | direction of the light, in the body frame
light_poscom0           f8  nlight 3             | m | position relative to the subtree's centre of mass at qpos0, in world axes
light_pos0              f8  nlight 3             | m                  | position relative to the body at qpos0, in world axes
light_dir0              f8  nlight 3             | -                  | direction at qpos0, in world axes
light_attenuation       f4  nlight 3             | -                  | constant, linear and quadratic loss with distance
light_cutoff            f4  nlight               | deg                | half angle of a spot's cone
light_exponent          f4  nlight               | -                  | how sharply a spot fades towards the edge of its cone
light_ambient           f4  nlight 3             | 0..1               | colour of its ambient light
light_diffuse           f4  nlight 3             | 0..1               | colour of its diffuse light
light_specular          f4  nlight 3             | 0..1               | colour of its highlights

# flex: deformable bodies: contact parameters, then their vertices, edges and elements
flex_contype      i4 nflex | - > any | contact type, as bits: objects can touch if one's contype matches the other's conaffinity
flex_conaffinity        i4  nflex                | - > any            | contact affinity, as bits; see contype
flex_condim             i4  nflex                | - > 1,3,4,6        | dimensions of its contacts: 1, 3, 4 or 6
flex_priority           i4  nflex   | - > any | priority: the object with the higher one alone determines the contact parameters
flex_solmix             f8  nflex                | -       | weight of its solver parameters when those of two objects are mixed
flex_solref             f8  nflex 2         | - | solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping
flex_solimp             f8  nflex 5              | -          | solver impedance of contacts: d0, dwidth, width, midpoint, power
flex_friction           f8  nflex 3              | -                  | friction: sliding (no unit), torsional and rolling (m)
flex_margin             f8  nflex                | m                  | distance at which a contact is made
flex_gap                f8  nflex                | m      | part of the margin within which a contact exists but exerts no force
flex_internal           u1  nflex                | - > flag      | whether elements collide with vertices in their neighbourhood
flex_selfcollide        i4  nflex                | - > mjtFlexSelf    | how it collides with itself (mjtFlexSelf)
flex_activelayers       i4  nflex                | - > any            | number of outer element layers that collide (3D)
flex_passive            i4  nflex                | - > flag     | whether its contacts are penalty forces instead of constraints
flex_dim                i4  nflex                | - > 1..3           | dimension: 1 lines, 2 triangles, 3 tetrahedra
flex_matid              i4  nflex                | - > nmat?          | material, -1: none
flex_group              i4  nflex                | - > any            | visibility group
flex_interp             i4  nflex                | - > 0..2          | order of interpolation of vertices between nodes, 0: none
flex_nodeadr            i4  nflex                | - > nflexnode[flex_nodenum] | first node
flex_nodenum            i4  nflex                | - > count          | number of nodes
flex_vertadr            i4  nflex                | - > nflexvert[flex_vertnum] | first vertex
flex_vertnum            i4  nflex                | - > count          | number of vertices
flex_edgeadr            i4  nflex                | - > nflexedge[flex_edgenum] | first edge
flex_edgenum            i4  nflex                | - > count          | number of edges
flex_elemadr            i4  nflex                | - > nflexelem[flex_elemnum] | first element
flex_elemnum            i4  nflex                | - > count          | number of elements
flex_elemdataadr        i4  nflex                | - > *              | start in flex_elem
flex_elemedgeadr        i4  nflex                | - > *              | start in flex_elemedge
flex_shellnum           i4  nflex                | - > count          | number of shell fragments
flex_shelldataadr       i4  nflex                | - > *              | start in flex_shell
flex_evpairadr          i4  nflex                | - > nflexevpair[flex_evpairnum] | start in flex_evpair
flex_evpairnum          i4  nflex                | - > count          | number of element-vertex pairs
flex_texcoordadr        i4  nflex                | - > nflextexcoord? | start in flex_texcoord, -1: none
flex_nodebodyid         i4  nflexnode            | - > nbody          | body of each node
flex_vertbodyid         i4  nflexvert            | - > *              | body of each vertex, -1: interpolated
flex_edge               i4  nflexedge 2          | - > *              | the two vertices of each edge, within the flex
flex_edgeflap           i4  nflexedge 2          | - > *        | vertices opposite an edge in its two triangles, -1: boundary
flex_elem               i4  nflexelemdata        | - > *              | dim+1 vertices of each element, within the flex
flex_elemtexcoord       i4  nflexelemdata        | - > *       | texture coordinates of each element's vertices, within the flex
flex_elemedge           i4  nflexelemedge        | - > *              | edges of each element, within the flex
flex_elemlayer          i4  nflexelem            | - > any           | distance of each element from the surface, in layers (3D)
flex_shell              i4  nflexshelldata       | - > *         | dim vertices of each fragment of the surface, within the flex
flex_evpair             i4  nflexevpair 2        | - > *      | element and vertex of each pair that can collide within the flex
flex_vert               f8  nflexvert 3          | m                  | vertices in the frames of their bodies
flex_vert0              f8  nflexvert 3          | -                  | vertices at qpos0 as fractions of the bounding box
flex_node               f8  nflexnode 3          | m                  | nodes in the frames of their bodies
flex_node0              f8  nflexnode 3          | m                  | nodes at qpos0 in world axes
flexedge_length0        f8  nflexedge            | m                  | length of each edge at qpos0
flexedge_invweight0     f8  nflexedge            | 1/kg               | inverse inertia along each edge at qpos0
flex_radius             f8  nflex                | m                  | radius around the elements for contact and drawing
flex_stiffness          f8  nflexelem 21     | N/m | stiffness matrix of each element with respect to edge lengths, one triangle
flex_bending    f8 nflexedge 17 | N/m | bending of the two triangles at each edge: 4x4 matrix, coefficient of the rest curvature
flex_damping            f8  nflex                | s                  | Rayleigh damping: rate times stiffness
flex_edgestiffness      f8  nflex                | N/m                | spring stiffness of the edges
flex_edgedamping        f8  nflex                | N s/m              | damping of the edges
flex_edgeequality       u1  nflex                | - > flag         | whether an equality constraint keeps the lengths of edges
flex_rigid              u1  nflex                | - > flag           | whether all vertices belong to one body
flexedge_rigid          u1  nflexedge            | - > flag           | whether both vertices of the edge belong to one body
flex_centered           u1  nflex                | - > flag           | whether all vertices are at the origins of their bodies
flex_flatskin           u1  nflex                | - > flag           | whether the surface is drawn flat instead of smooth
flex_bvhadr             i4  nflex      | - > nbvh[flex_bvhnum] | root of the bounding volume hierarchy of the elements, -1: none
flex_bvhnum             i4  nflex                | - > count          | number of nodes of the bounding volume hierarchy
flex_rgba               f4  nflex 4              | 0..1           | colour if it has no material: red, green, blue, opacity
flex_texcoord           f4  nflextexcoord 2      | -                  | texture coordinates of vertices

# mesh: meshes; geoms refer to them
mesh_vertadr            i4  nmesh                | - > nmeshvert[mesh_vertnum] | first vertex
mesh_vertnum            i4  nmesh                | - > count          | number of vertices
mesh_faceadr            i4  nmesh                | - > nmeshface[mesh_facenum] | first triangle
mesh_facenum            i4  nmesh                | - > count          | number of triangles
mesh_bvhadr             i4  nmesh         | - > nbvhstatic[mesh_bvhnum] | root of the bounding volume hierarchy of the triangles
mesh_bvhnum             i4  nmesh                | - > count          | number of nodes of the bounding volume hierarchy
mesh_octadr             i4  nmesh                | - > noct[mesh_octnum] | root of the octree, -1: none
mesh_octnum             i4  nmesh                | - > count          | cells of the octree
mesh_normaladr          i4  nmesh                | - > nmeshnormal[mesh_normalnum] | first normal
mesh_normalnum          i4  nmesh                | - > count          | number of normals
mesh_texcoordadr        i4  nmesh                | - > nmeshtexcoord[mesh_texcoordnum] | first texture coordinate, -1: none
mesh_texcoordnum        i4  nmesh                | - > count          | number of texture coordinates
mesh_graphadr           i4  nmesh                | - > *              | start of the convex hull in mesh_graph, -1: none
mesh_vert               f4  nmeshvert 3          | m            | vertices in the frame of the centre of mass and principal axes
mesh_normal             f4  nmeshnormal 3        | -                  | unit normals
mesh_texcoord           f4  nmeshtexcoord 2      | -                  | texture coordinates u, v
mesh_face               i4  nmeshface 3          | - > *              | vertices of each triangle, within the mesh
mesh_facenormal         i4  nmeshface 3          | - > *       | normals of each triangle's corners, within the mesh, or -1
mesh_facetexcoord       i4  nmeshface 3          | - > *       | texture coordinates of each triangle's corners, within the mesh
mesh_graph              i4  nmeshgraph           | - > * | convex hulls: counts, then vertices, their edges and the hull's faces
mesh_scale              f8  nmesh 3              | -                  | scaling that was applied to the vertices
mesh_pos                f8  nmesh 3              | m                  | translation that was removed from the file's vertices
mesh_quat               f8  nmesh 4              | quat               | rotation that was removed from the file's vertices
mesh_pathadr            i4  nmesh                | - > npaths?        | start of the file's name in paths, -1: none
mesh_polynum            i4  nmesh                | - > count          | number of polygons of the convex hull
mesh_polyadr            i4  nmesh                | - > nmeshpoly[mesh_polynum] | first polygon
mesh_polynormal         f8  nmeshpoly 3          | -                  | unit normal of each polygon
mesh_polyvertadr        i4  nmeshpoly  | - > nmeshpolyvert[mesh_polyvertnum] | start of each polygon's vertices in mesh_polyvert
mesh_polyvertnum        i4  nmeshpoly            | - > count          | number of vertices of a polygon
mesh_polyvert           i4  nmeshpolyvert        | - > *              | vertices of the polygons, within the mesh
mesh_polymapadr         i4  nmeshvert      | - > nmeshpolymap[mesh_polymapnum] | start of each vertex's polygons in mesh_polymap
mesh_polymapnum         i4  nmeshvert            | - > count          | number of polygons that meet at a vertex
mesh_polymap            i4  nmeshpolymap         | - > *              | polygons that meet at each vertex, within the mesh

# skin: surfaces deformed by bodies
skin_matid              i4  nskin                | - > nmat?          | material, -1: none
skin_group              i4  nskin                | - > any            | visibility group
skin_rgba               f4  nskin 4              | 0..1           | colour if it has no material: red, green, blue, opacity
skin_inflate            f4  nskin                | m              | distance by which vertices are moved out along their normals
skin_vertadr            i4  nskin                | - > nskinvert[skin_vertnum] | first vertex
skin_vertnum            i4  nskin                | - > count          | number of vertices
skin_texcoordadr        i4  nskin                | - > *              | first texture coordinate, -1: none
skin_faceadr            i4  nskin                | - > nskinface[skin_facenum] | first triangle
skin_facenum            i4  nskin                | - > count          | number of triangles
skin_boneadr            i4  nskin                | - > nskinbone[skin_bonenum] | first bone
skin_bonenum            i4  nskin                | - > count          | number of bones
skin_vert               f4  nskinvert 3          | m                  | vertices at qpos0 in world axes
skin_texcoord           f4  nskintexvert 2       | -                  | texture coordinates u, v
skin_face               i4  nskinface 3          | - > *              | vertices of each triangle, within the skin
skin_bonevertadr        i4  nskinbone            | - > nskinbonevert[skin_bonevertnum] | first of the vertices that a bone moves
skin_bonevertnum        i4  nskinbone            | - > count          | number of vertices that a bone moves
skin_bonebindpos        f4  nskinbone 3          | m         | position of each bone in the pose in which the vertices are given
skin_bonebindquat       f4  nskinbone 4          | quat   | orientation of each bone in the pose in which the vertices are given
skin_bonebodyid         i4  nskinbone            | - > nbody          | body of each bone
skin_bonevertid         i4  nskinbonevert        | - > *              | vertices that a bone moves, within the skin
skin_bonevertweight     f4  nskinbonevert        | -                  | weight of each of these vertices
skin_pathadr            i4  nskin                | - > npaths?        | start of the file's name in paths, -1: none

# hfield: height fields
hfield_size             f8  nhfield 4            | m              | half extents in x and y, height of data 1, depth of the base
hfield_nrow             i4  nhfield              | - > count          | rows of the grid, along y
hfield_ncol             i4  nhfield              | - > count          | columns of the grid, along x
hfield_adr              i4  nhfield              | - > *              | start in hfield_data
hfield_data             f4  nhfielddata          | 0..1               | heights by rows, as fractions of the maximum
hfield_pathadr          i4  nhfield              | - > npaths?        | start of the file's name in paths, -1: none

# tex: textures
tex_type                i4  ntex                 | - > mjtTexture     | type (mjtTexture): 2d, cube, skybox
tex_colorspace          i4  ntex                 | - > mjtColorSpace  | encoding of the colours (mjtColorSpace)
tex_height              i4  ntex                 | pixel > count      | rows; the six squares of a cube are stacked
tex_width               i4  ntex                 | pixel > count      | columns
tex_nchannel            i4  ntex                 | - > count          | bytes per pixel
tex_adr                 i4  ntex                 | - > *              | start in tex_data
tex_data                u1  ntexdata             | -                  | pixels by rows, bytes 0 to 255
tex_pathadr             i4  ntex                 | - > npaths?        | start of the file's name in paths, -1: none

# mat: materials
mat_texid               i4  nmat 10              | - > ntex?          | texture for each mjtTextureRole, -1: none
mat_texuniform          u1  nmat                 | - > flag     | whether the texture is repeated by length instead of by object
mat_texrepeat           f4  nmat 2               | -                  | repeats of the texture in u and v
mat_emission            f4  nmat                 | -                 | light that the surface emits, as a fraction of its colour
mat_specular            f4  nmat                 | 0..1               | strength of highlights
mat_shininess           f4  nmat                 | 0..1               | sharpness of highlights
mat_reflectance         f4  nmat                 | 0..1               | weight of the mirror image (planes and boxes)
mat_metallic            f4  nmat                 | 0..1       | metallic fraction, -1: not given; for physically based renderers
mat_roughness           f4  nmat                 | 0..1               | roughness, -1: not given; for physically based renderers
mat_rgba                f4  nmat 4               | 0..1               | colour: red, green, blue, opacity

# pair: geom pairs listed for collision
pair_dim                i4  npair                | - > 1,3,4,6        | dimensions of its contacts: 1, 3, 4 or 6
pair_geom1              i4  npair                | - > ngeom          | first geom
pair_geom2              i4  npair                | - > ngeom          | second geom
pair_signature          i4  npair                | - > *          | the bodies of the geoms as one number: (body1 << 16) + body2
pair_solref             f8  npair 2      | - | solver reference of the contact: timeconst (s), dampratio or -stiffness, -damping
pair_solreffriction     f8  npair 2              | -                  | solver reference of friction, zeros: same as solref
pair_solimp             f8  npair 5              | -       | solver impedance of the contact: d0, dwidth, width, midpoint, power
pair_margin             f8  npair                | m                  | distance at which a contact is made
pair_gap                f8  npair                | m      | part of the margin within which a contact exists but exerts no force
pair_friction           f8  npair 5              | -        | friction: two sliding (no unit), one torsional and two rolling (m)

# exclude: body pairs that never collide
exclude_signature       i4  nexclude             | - > *              | the two bodies as one number: (body1 << 16) + body2

# eq: equality constraints
eq_type                 i4  neq                  | - > mjtEq          | type (mjtEq)
eq_obj1id               i4  neq                  | - > *              | first object
eq_obj2id               i4  neq                  | - > *              | second object, -1: none
eq_objtype              i4  neq                  | - > mjtObj         | type of the objects (mjtObj)
eq_active0              u1  neq                  | - > flag           | whether it is active after a reset
eq_solref               f8  neq 2                | -        | solver reference: timeconst (s), dampratio or -stiffness, -damping
eq_solimp               f8  neq 5                | -                  | solver impedance: d0, dwidth, width, midpoint, power
eq_data                 f8  neq 11               | -       | numbers that depend on the type: anchors, relative pose, polynomial

# tendon: tendons
tendon_adr              i4  ntendon              | - > nwrap[tendon_num] | first object on its path, in wrap_*
tendon_num              i4  ntendon              | - > count          | number of objects on its path
tendon_matid            i4  ntendon              | - > nmat?          | material, -1: none
tendon_group            i4  ntendon              | - > any            | visibility group
tendon_treenum          i4  ntendon              | - > count          | number of kinematic trees that it touches
tendon_treeid           i4  ntendon 2            | - > ntree?         | first two of these trees, -1: none
tendon_limited          u1  ntendon              | - > flag           | whether range limits the length
tendon_actfrclimited    u1  ntendon              | - > flag           | whether actfrcrange limits the sum of actuator forces
tendon_width            f8  ntendon              | m                  | radius with which it is drawn
tendon_solref_lim       f8  ntendon 2      | - | solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping
tendon_solimp_lim       f8  ntendon 5            | -         | solver impedance of the limit: d0, dwidth, width, midpoint, power
tendon_solref_fri       f8  ntendon 2   | - | solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping
tendon_solimp_fri       f8  ntendon 5            | -      | solver impedance of dry friction: d0, dwidth, width, midpoint, power
tendon_range            f8  ntendon 2            | m or rad           | smallest and largest length
tendon_actfrcrange      f8  ntendon 2            | N or N m           | smallest and largest sum of actuator forces
tendon_margin           f8  ntendon              | m or rad     | distance before a limit at which its constraint becomes active
tendon_stiffness        f8  ntendon              | N/m or N m/rad     | spring stiffness
tendon_damping          f8  ntendon              | N s/m or N m s/rad | viscous damping
tendon_armature         f8  ntendon              | kg or kg m^2       | inertia that resists changes of length
tendon_frictionloss     f8  ntendon              | N or N m           | dry friction: maximum friction force
tendon_lengthspring     f8  ntendon 2            | m or rad           | lengths between which the spring is at rest
tendon_length0          f8  ntendon              | m or rad           | length at qpos0
tendon_invweight0       f8  ntendon              | 1/kg or 1/(kg m^2) | inverse inertia along it at qpos0
tendon_user             f8  ntendon nuser_tendon | any                | user data, not used by the engine
tendon_rgba             f4  ntendon 4            | 0..1           | colour if it has no material: red, green, blue, opacity

# wrap: objects on the paths of tendons
wrap_type               i4  nwrap                | - > mjtWrap        | type (mjtWrap)
wrap_objid              i4  nwrap                | - > *              | joint, site or geom, -1: none
wrap_prm                f8  nwrap                | -       | divisor of a pulley, coefficient of a joint, or side site of a geom

# actuator: actuators
actuator_trntype        i4  nactuator            | - > mjtTrn         | type of transmission: what it acts on (mjtTrn)
actuator_dyntype        i4  nactuator            | - > mjtDyn         | dynamics of the activation (mjtDyn)
actuator_gaintype       i4  nactuator            | - > mjtGain        | type of gain: force per input (mjtGain)
actuator_biastype       i4  nactuator            | - > mjtBias        | type of bias: force without input (mjtBias)
actuator_trnid         i4 nactuator 2 | - > * | joint, tendon, site or body on which it acts; reference or slider site, -1: none
actuator_actadr         i4  nactuator            | - > na[actuator_actnum] | first activation in act, -1: none
actuator_actnum         i4  nactuator            | - > count          | number of activations
actuator_group          i4  nactuator            | - > any           | visibility group; actuators can also be disabled by group
actuator_ctrllimited    u1  nu                   | - > flag           | whether ctrlrange limits the control
actuator_forcelimited   u1  nactuator            | - > flag           | whether forcerange limits the force
actuator_actlimited     u1  nactuator            | - > flag           | whether actrange limits the activation
actuator_dynprm         f8  nactuator 10         | -      | parameters of the activation's dynamics, such as time constants in s
actuator_gainprm        f8  nactuator 10         | -                  | parameters of the gain
actuator_biasprm        f8  nactuator 10         | -                  | parameters of the bias
actuator_actearly       u1  nactuator            | - > flag       | whether the force uses the activation at the end of the step
actuator_ctrlrange      f8  nu 2                 | any                | smallest and largest control
actuator_forcerange     f8  nactuator 2          | N or N m           | smallest and largest force
actuator_actrange       f8  nactuator 2          | any                | smallest and largest activation
actuator_gear           f8  nout 6               | -            | scaling of length and moment, by component of joints and sites
actuator_cranklength    f8  nactuator            | m                  | length of a slider-crank's rod
actuator_acc0           f8  nout                 | m/s^2 or rad/s^2   | norm of the acceleration caused by a unit force at qpos0
actuator_length0        f8  nout                 | m or rad           | length at qpos0
actuator_lengthrange    f8  nout 2               | m or rad           | smallest and largest reachable length
actuator_user           f8  nactuator nuser_actuator | any                | user data, not used by the engine
actuator_plugin         i4  nactuator            | - > nplugin?       | plugin instance, -1: none

# sensor: sensors
sensor_type             i4  nsensor              | - > *              | type (mjtSensor)
sensor_datatype         i4  nsensor       | - > mjtDataType | type of its values: real, positive, axis, quaternion (mjtDataType)
sensor_needstage        i4  nsensor              | - > mjtStage       | stage after which it can be computed (mjtStage)
sensor_objtype          i4  nsensor              | - > mjtObj         | type of the object that it measures (mjtObj)
sensor_objid            i4  nsensor              | - > *              | object that it measures
sensor_reftype          i4  nsensor              | - > mjtObj         | type of the reference object (mjtObj)
sensor_refid            i4  nsensor              | - > *              | reference object, -1: the world
sensor_intprm           i4  nsensor 3            | - > any            | integers whose meaning depends on the type
sensor_dim              i4  nsensor              | - > count          | number of values
sensor_adr              i4  nsensor              | - > nsensordata[sensor_dim] | first of its values in sensordata
sensor_cutoff           f8  nsensor              | any                | limit on the absolute value of its readings, 0: none
sensor_noise            f8  nsensor              | any          | standard deviation of its noise, which the engine does not add
sensor_user             f8  nsensor nuser_sensor | any                | user data, not used by the engine
sensor_plugin           i4  nsensor              | - > nplugin?       | plugin instance, -1: none

# plugin: plugin instances
plugin                  i4  nplugin              | - > *              | number of the plugin in the registry
plugin_stateadr         i4  nplugin              | - > npluginstate[plugin_statenum] | start in plugin_state
plugin_statenum         i4  nplugin              | - > count          | numbers of state
plugin_attr             S1  npluginattr          | -                  | attributes as texts, each followed by a zero
plugin_attradr          i4  nplugin              | - > npluginattr    | start of an instance's attributes in plugin_attr

# custom: numbers, texts and tuples that the user defines
numeric_adr             i4  nnumeric             | - > nnumericdata[numeric_size] | start in numeric_data
numeric_size            i4  nnumeric             | - > count          | number of values
numeric_data            f8  nnumericdata         | any                | values of all elements
text_adr                i4  ntext                | - > ntextdata[text_size] | start in text_data
text_size               i4  ntext                | - > count          | bytes, including the final zero
text_data               S1  ntextdata            | -                  | all texts, each followed by a zero
tuple_adr               i4  ntuple               | - > ntupledata[tuple_size] | first object
tuple_size              i4  ntuple               | - > count          | number of objects
tuple_objtype           i4  ntupledata           | - > mjtObj         | type of each object (mjtObj)
tuple_objid             i4  ntupledata           | - > *              | id of each object
tuple_objprm            f8  ntupledata           | any                | number stored with each object

# key: keyframes
key_time                f8  nkey                 | s                  | time
key_qpos                f8  nkey nq              | m or rad           | configuration
key_qvel                f8  nkey nv              | m/s or rad/s       | velocity
key_act                 f8  nkey na              | any                | activations
key_mpos                f8  nkey nmocap*3        | m                  | positions of mocap bodies
key_mquat               f8  nkey nmocap*4        | quat               | orientations of mocap bodies
key_ctrl                f8  nkey nu              | any                | controls

# name: where elements' names begin in `names`
name_bodyadr            i4  nbody                | - > nnames         | names of bodies
name_jntadr             i4  njnt                 | - > nnames         | names of joints
name_geomadr            i4  ngeom                | - > nnames         | names of geoms
name_siteadr            i4  nsite                | - > nnames         | names of sites
name_camadr             i4  ncam                 | - > nnames         | names of cameras
name_lightadr           i4  nlight               | - > nnames         | names of lights
name_flexadr            i4  nflex                | - > nnames         | names of flexes
name_meshadr            i4  nmesh                | - > nnames         | names of meshes
name_skinadr            i4  nskin                | - > nnames         | names of skins
name_hfieldadr          i4  nhfield              | - > nnames         | names of height fields
name_texadr             i4  ntex                 | - > nnames         | names of textures
name_matadr             i4  nmat                 | - > nnames         | names of materials
name_pairadr            i4  npair                | - > nnames         | names of geom pairs
name_excludeadr         i4  nexclude             | - > nnames         | names of excluded pairs
name_eqadr              i4  neq                  | - > nnames         | names of equality constraints
name_tendonadr          i4  ntendon              | - > nnames         | names of tendons
name_actuatoradr        i4  nactuator            | - > nnames         | names of actuators
name_sensoradr          i4  nsensor              | - > nnames         | names of sensors
name_numericadr         i4  nnumeric             | - > nnames         | names of custom numbers
name_textadr            i4  ntext                | - > nnames         | names of custom texts
name_tupleadr           i4  ntuple               | - > nnames         | names of custom tuples
name_keyadr             i4  nkey                 | - > nnames         | names of keyframes
name_pluginadr          i4  nplugin              | - > nnames         | names of plugin instances
names                   S1  nnames               | -    | name of the model, then those of all elements, each followed by a zero
names_map               i4  nnames_map           | - > any  | hash table from names to ids, with a part for each type of element
paths                   S1  npaths               | -                  | names of files, each followed by a zero

# sparsity: positions of the elements of sparse matrices; constant
B_rownnz                i4  nbody                | - > count          | body-dof matrix: elements of each row
B_rowadr                i4  nbody                | - > nB[B_rownnz]   | body-dof matrix: where each row begins
B_colind                i4  nB                   | - > nv             | body-dof matrix: dof of each element
M_rownnz                i4  nv                   | - > count          | inertia, lower triangle: elements of each row
M_rowadr                i4  nv                   | - > nC[M_rownnz]   | inertia, lower triangle: where each row begins
M_colind                i4  nC                   | - > nv             | inertia, lower triangle: dof of each element
mapM2M                  i4  nC                   | - > nM             | element of qM for each element of M
D_rownnz                i4  nv                   | - > count          | dof-dof matrix: elements of each row
D_rowadr                i4  nv                   | - > nD[D_rownnz]   | dof-dof matrix: where each row begins
D_diag                  i4  nv                   | - > *              | dof-dof matrix: position of the diagonal in each row
D_colind                i4  nD                   | - > nv             | dof-dof matrix: dof of each element
mapM2D                  i4  nD                   | - > nC?            | element of M for each element of the dof-dof matrix
mapD2M                  i4  nC                   | - > nD             | element of the dof-dof matrix for each element of M

# later: fields of releases after 3.4
+jnt_stiffnesspoly      f8  njnt 2               | any                | spring: coefficients of the second and third power
+dof_dampingpoly        f8  nv 2                 | any                | damper: coefficients of the second and third power
+geom_surfacevel        f8  ngeom 6              | m/s or rad/s     | velocity of the surface in the geom frame: linear, angular
+geom_adhesion          f8  ngeom                | N                  | maximum attractive force of its contacts
+pair_adhesion          f8  npair                | N                  | maximum attractive force of its contacts
+tendon_stiffnesspoly   f8  ntendon 2            | any                | spring: coefficients of the second and third power
+tendon_dampingpoly     f8  ntendon 2            | any                | damper: coefficients of the second and third power
+actuator_armature      f8  nactuator          | kg or kg m^2 | inertia added to its joint or tendon, multiplied by gear squared
+actuator_damping       f8  nactuator    | N s/m or N m s/rad | damping added to its joint or tendon, multiplied by gear squared
+actuator_dampingpoly   f8  nactuator 2          | any              | damping: coefficients of the second and third power
+cam_output           i4 ncam | - > any | types of picture that it provides, as bits: rgb, depth, distance, normal, segmentation
+actuator_history      i4 nactuator 2 | - > any | number of stored control samples; interpolation: 0 hold, 1 linear, 2 cubic
+actuator_delay         f8  nactuator            | s                  | delay of its control, 0: none
+sensor_history         i4  nsensor 2   | - > any | number of stored samples; interpolation: 0 hold, 1 linear, 2 cubic
+sensor_delay           f8  nsensor              | s                  | delay of its values, 0: none
+sensor_interval        f8  nsensor 2        | s | sampling period (0: every step), and time of the last sample before the start
+geom_shadowless        u1  ngeom                | - > flag | whether it casts no shadow; the opposite of geom_castshadow in 4.0
+actuator_ctrlspec      i4  nactuator            | - > any       | meaning of its control, as bits of mjtCtrlInput, 0: a command
+eq_relative            u1  neq     | - > flag | whether mj_setConst computes the relative pose of this weld; eq_data[11] in 4.0
+actuator_ctrladr       i4  nactuator            | - > nu[actuator_ctrlnum] | first control in ctrl
+actuator_ctrlnum       i4  nactuator            | - > count          | number of controls
+actuator_outadr    i4 nactuator | - > nout[actuator_outnum] | first force in actuator_force; also first length, gear and moment
+actuator_outnum        i4  nactuator            | - > 1,3            | number of forces
+jnt_springyield        f8  njnt                 | m or rad           | elongation beyond which the spring yields
+jnt_plasticnum         i4  njnt        | - > * | length of the plastic state, the spring's rest position; 0: not plastic
+tendon_springyield     f8  ntendon              | m or rad           | elongation beyond which the spring yields
+tendon_plasticnum      i4  ntendon   | - > 0,2 | length of the plastic state, the spring's rest lengths; 0: not plastic
+key_plastic            f8  nkey nplastic        | any                | plastic state
+light_softness f4 nlight | 0..1 | fraction of a spotlight's cone over which it fades, for physically based renderers
"""
