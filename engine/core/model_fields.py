"""The Model table: sizes and arrays of a compiled model, one row a field.

Columns: name, dtype, dimensions (sizes by name or numbers), nominal unit. Order and spelling are those of the reference's mjModel.
"""

SIZES = """
nq nv nu na nbody nbvh nbvhstatic nbvhdynamic noct njnt ntree nM nB nC nD ngeom nsite ncam nlight nflex nflexnode
nflexvert nflexedge nflexelem nflexelemdata nflexelemedge nflexshelldata nflexevpair nflextexcoord nmesh nmeshvert
nmeshnormal nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nskin nskinvert nskintexvert
nskinface nskinbone nskinbonevert nhfield nhfielddata ntex ntexdata nmat npair nexclude neq ntendon nwrap nsensor
nnumeric nnumericdata ntext ntextdata ntuple ntupledata nkey nmocap nplugin npluginattr nuser_body nuser_jnt nuser_geom
nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nnames npaths nnames_map nJmom ngravcomp nemax njmax
nconmax nuserdata nsensordata npluginstate narena nbuffer
"""

ROWS = """
qpos0                    f8  nq                       m | rad | quat
qpos_spring              f8  nq                       m | rad | quat
body_parentid            i4  nbody
body_rootid              i4  nbody
body_weldid              i4  nbody
body_mocapid             i4  nbody
body_jntnum              i4  nbody
body_jntadr              i4  nbody
body_dofnum              i4  nbody
body_dofadr              i4  nbody
body_treeid              i4  nbody
body_geomnum             i4  nbody
body_geomadr             i4  nbody
body_simple              u1  nbody
body_sameframe           u1  nbody
body_pos                 f8  nbody 3                  m
body_quat                f8  nbody 4                  unit quat wxyz
body_ipos                f8  nbody 3                  m
body_iquat               f8  nbody 4                  unit quat wxyz
body_mass                f8  nbody                    kg
body_subtreemass         f8  nbody                    kg
body_inertia             f8  nbody 3                  kg m^2
body_invweight0          f8  nbody 2
body_gravcomp            f8  nbody
body_margin              f8  nbody                    m (rad/len for joints/tendons)
body_user                f8  nbody nuser_body
body_plugin              i4  nbody
body_contype             i4  nbody
body_conaffinity         i4  nbody
body_bvhadr              i4  nbody
body_bvhnum              i4  nbody
bvh_depth                i4  nbvh
bvh_child                i4  nbvh 2
bvh_nodeid               i4  nbvh
bvh_aabb                 f8  nbvhstatic 6
oct_depth                i4  noct
oct_child                i4  noct 8
oct_aabb                 f8  noct 6
oct_coeff                f8  noct 8
jnt_type                 i4  njnt
jnt_qposadr              i4  njnt
jnt_dofadr               i4  njnt
jnt_bodyid               i4  njnt
jnt_group                i4  njnt
jnt_limited              u1  njnt
jnt_actfrclimited        u1  njnt
jnt_actgravcomp          u1  njnt
jnt_solref               f8  njnt 2
jnt_solimp               f8  njnt 5
jnt_pos                  f8  njnt 3                   m
jnt_axis                 f8  njnt 3
jnt_stiffness            f8  njnt                     N m/rad | N/m
jnt_range                f8  njnt 2                   rad | m
jnt_actfrcrange          f8  njnt 2                   N | N m
jnt_margin               f8  njnt                     m (rad/len for joints/tendons)
jnt_user                 f8  njnt nuser_jnt
dof_bodyid               i4  nv
dof_jntid                i4  nv
dof_parentid             i4  nv
dof_treeid               i4  nv
dof_Madr                 i4  nv
dof_simplenum            i4  nv
dof_solref               f8  nv 2
dof_solimp               f8  nv 5
dof_frictionloss         f8  nv                       N m | N
dof_armature             f8  nv                       kg m^2 | kg
dof_damping              f8  nv                       N m s/rad | N s/m
dof_invweight0           f8  nv
dof_M0                   f8  nv
dof_length               f8  nv
tree_bodyadr             i4  ntree
tree_bodynum             i4  ntree
tree_dofadr              i4  ntree
tree_dofnum              i4  ntree
tree_sleep_policy        i4  ntree
geom_type                i4  ngeom
geom_contype             i4  ngeom
geom_conaffinity         i4  ngeom
geom_condim              i4  ngeom
geom_bodyid              i4  ngeom
geom_dataid              i4  ngeom
geom_matid               i4  ngeom
geom_group               i4  ngeom
geom_priority            i4  ngeom
geom_plugin              i4  ngeom
geom_sameframe           u1  ngeom
geom_solmix              f8  ngeom
geom_solref              f8  ngeom 2
geom_solimp              f8  ngeom 5
geom_size                f8  ngeom 3                  m
geom_aabb                f8  ngeom 6                  m
geom_rbound              f8  ngeom                    m
geom_pos                 f8  ngeom 3                  m
geom_quat                f8  ngeom 4                  unit quat wxyz
geom_friction            f8  ngeom 3
geom_margin              f8  ngeom                    m (rad/len for joints/tendons)
geom_gap                 f8  ngeom                    m (rad/len for joints/tendons)
geom_fluid               f8  ngeom 12
geom_user                f8  ngeom nuser_geom
geom_rgba                f4  ngeom 4                  0..1
site_type                i4  nsite
site_bodyid              i4  nsite
site_matid               i4  nsite
site_group               i4  nsite
site_sameframe           u1  nsite
site_size                f8  nsite 3                  m
site_pos                 f8  nsite 3                  m
site_quat                f8  nsite 4                  unit quat wxyz
site_user                f8  nsite nuser_site
site_rgba                f4  nsite 4                  0..1
cam_mode                 i4  ncam
cam_bodyid               i4  ncam
cam_targetbodyid         i4  ncam
cam_pos                  f8  ncam 3                   m
cam_quat                 f8  ncam 4                   unit quat wxyz
cam_poscom0              f8  ncam 3                   m
cam_pos0                 f8  ncam 3                   m
cam_mat0                 f8  ncam 9
cam_orthographic         i4  ncam
cam_fovy                 f8  ncam                     deg (m if orthographic)
cam_ipd                  f8  ncam                     m
cam_resolution           i4  ncam 2                   pixel
cam_sensorsize           f4  ncam 2                   m
cam_intrinsic            f4  ncam 4
cam_user                 f8  ncam nuser_cam
light_mode               i4  nlight
light_bodyid             i4  nlight
light_targetbodyid       i4  nlight
light_type               i4  nlight
light_texid              i4  nlight
light_castshadow         u1  nlight
light_bulbradius         f4  nlight                   m
light_intensity          f4  nlight
light_range              f4  nlight                   m
light_active             u1  nlight
light_pos                f8  nlight 3                 m
light_dir                f8  nlight 3
light_poscom0            f8  nlight 3                 m
light_pos0               f8  nlight 3                 m
light_dir0               f8  nlight 3
light_attenuation        f4  nlight 3
light_cutoff             f4  nlight                   deg
light_exponent           f4  nlight
light_ambient            f4  nlight 3                 0..1
light_diffuse            f4  nlight 3                 0..1
light_specular           f4  nlight 3                 0..1
flex_contype             i4  nflex
flex_conaffinity         i4  nflex
flex_condim              i4  nflex
flex_priority            i4  nflex
flex_solmix              f8  nflex
flex_solref              f8  nflex 2
flex_solimp              f8  nflex 5
flex_friction            f8  nflex 3
flex_margin              f8  nflex                    m (rad/len for joints/tendons)
flex_gap                 f8  nflex                    m (rad/len for joints/tendons)
flex_internal            u1  nflex
flex_selfcollide         i4  nflex
flex_activelayers        i4  nflex
flex_passive             i4  nflex
flex_dim                 i4  nflex
flex_matid               i4  nflex
flex_group               i4  nflex
flex_interp              i4  nflex
flex_nodeadr             i4  nflex
flex_nodenum             i4  nflex
flex_vertadr             i4  nflex
flex_vertnum             i4  nflex
flex_edgeadr             i4  nflex
flex_edgenum             i4  nflex
flex_elemadr             i4  nflex
flex_elemnum             i4  nflex
flex_elemdataadr         i4  nflex
flex_elemedgeadr         i4  nflex
flex_shellnum            i4  nflex
flex_shelldataadr        i4  nflex
flex_evpairadr           i4  nflex
flex_evpairnum           i4  nflex
flex_texcoordadr         i4  nflex
flex_nodebodyid          i4  nflexnode
flex_vertbodyid          i4  nflexvert
flex_edge                i4  nflexedge 2
flex_edgeflap            i4  nflexedge 2
flex_elem                i4  nflexelemdata
flex_elemtexcoord        i4  nflexelemdata
flex_elemedge            i4  nflexelemedge
flex_elemlayer           i4  nflexelem
flex_shell               i4  nflexshelldata
flex_evpair              i4  nflexevpair 2
flex_vert                f8  nflexvert 3
flex_vert0               f8  nflexvert 3
flex_node                f8  nflexnode 3
flex_node0               f8  nflexnode 3
flexedge_length0         f8  nflexedge                m
flexedge_invweight0      f8  nflexedge
flex_radius              f8  nflex                    m
flex_stiffness           f8  nflexelem 21
flex_bending             f8  nflexedge 17
flex_damping             f8  nflex
flex_edgestiffness       f8  nflex
flex_edgedamping         f8  nflex
flex_edgeequality        u1  nflex
flex_rigid               u1  nflex
flexedge_rigid           u1  nflexedge
flex_centered            u1  nflex
flex_flatskin            u1  nflex
flex_bvhadr              i4  nflex
flex_bvhnum              i4  nflex
flex_rgba                f4  nflex 4                  0..1
flex_texcoord            f4  nflextexcoord 2
mesh_vertadr             i4  nmesh
mesh_vertnum             i4  nmesh
mesh_faceadr             i4  nmesh
mesh_facenum             i4  nmesh
mesh_bvhadr              i4  nmesh
mesh_bvhnum              i4  nmesh
mesh_octadr              i4  nmesh
mesh_octnum              i4  nmesh
mesh_normaladr           i4  nmesh
mesh_normalnum           i4  nmesh
mesh_texcoordadr         i4  nmesh
mesh_texcoordnum         i4  nmesh
mesh_graphadr            i4  nmesh
mesh_vert                f4  nmeshvert 3              m
mesh_normal              f4  nmeshnormal 3
mesh_texcoord            f4  nmeshtexcoord 2
mesh_face                i4  nmeshface 3
mesh_facenormal          i4  nmeshface 3
mesh_facetexcoord        i4  nmeshface 3
mesh_graph               i4  nmeshgraph
mesh_scale               f8  nmesh 3
mesh_pos                 f8  nmesh 3                  m
mesh_quat                f8  nmesh 4                  unit quat wxyz
mesh_pathadr             i4  nmesh
mesh_polynum             i4  nmesh
mesh_polyadr             i4  nmesh
mesh_polynormal          f8  nmeshpoly 3
mesh_polyvertadr         i4  nmeshpoly
mesh_polyvertnum         i4  nmeshpoly
mesh_polyvert            i4  nmeshpolyvert
mesh_polymapadr          i4  nmeshvert
mesh_polymapnum          i4  nmeshvert
mesh_polymap             i4  nmeshpolymap
skin_matid               i4  nskin
skin_group               i4  nskin
skin_rgba                f4  nskin 4                  0..1
skin_inflate             f4  nskin
skin_vertadr             i4  nskin                    m
skin_vertnum             i4  nskin                    m
skin_texcoordadr         i4  nskin
skin_faceadr             i4  nskin
skin_facenum             i4  nskin
skin_boneadr             i4  nskin
skin_bonenum             i4  nskin
skin_vert                f4  nskinvert 3              m
skin_texcoord            f4  nskintexvert 2
skin_face                i4  nskinface 3
skin_bonevertadr         i4  nskinbone
skin_bonevertnum         i4  nskinbone
skin_bonebindpos         f4  nskinbone 3
skin_bonebindquat        f4  nskinbone 4
skin_bonebodyid          i4  nskinbone
skin_bonevertid          i4  nskinbonevert
skin_bonevertweight      f4  nskinbonevert
skin_pathadr             i4  nskin
hfield_size              f8  nhfield 4                m
hfield_nrow              i4  nhfield
hfield_ncol              i4  nhfield
hfield_adr               i4  nhfield
hfield_data              f4  nhfielddata
hfield_pathadr           i4  nhfield
tex_type                 i4  ntex
tex_colorspace           i4  ntex
tex_height               i4  ntex
tex_width                i4  ntex
tex_nchannel             i4  ntex
tex_adr                  i4  ntex
tex_data                 u1  ntexdata
tex_pathadr              i4  ntex
mat_texid                i4  nmat 10
mat_texuniform           u1  nmat
mat_texrepeat            f4  nmat 2
mat_emission             f4  nmat
mat_specular             f4  nmat                     0..1
mat_shininess            f4  nmat
mat_reflectance          f4  nmat
mat_metallic             f4  nmat
mat_roughness            f4  nmat
mat_rgba                 f4  nmat 4                   0..1
pair_dim                 i4  npair
pair_geom1               i4  npair
pair_geom2               i4  npair
pair_signature           i4  npair
pair_solref              f8  npair 2
pair_solreffriction      f8  npair 2
pair_solimp              f8  npair 5
pair_margin              f8  npair                    m (rad/len for joints/tendons)
pair_gap                 f8  npair                    m (rad/len for joints/tendons)
pair_friction            f8  npair 5
exclude_signature        i4  nexclude
eq_type                  i4  neq
eq_obj1id                i4  neq
eq_obj2id                i4  neq
eq_objtype               i4  neq
eq_active0               u1  neq
eq_solref                f8  neq 2
eq_solimp                f8  neq 5
eq_data                  f8  neq 11
tendon_adr               i4  ntendon
tendon_num               i4  ntendon
tendon_matid             i4  ntendon
tendon_group             i4  ntendon
tendon_treenum           i4  ntendon
tendon_treeid            i4  ntendon 2
tendon_limited           u1  ntendon
tendon_actfrclimited     u1  ntendon
tendon_width             f8  ntendon                  m
tendon_solref_lim        f8  ntendon 2
tendon_solimp_lim        f8  ntendon 5
tendon_solref_fri        f8  ntendon 2
tendon_solimp_fri        f8  ntendon 5
tendon_range             f8  ntendon 2                m
tendon_actfrcrange       f8  ntendon 2                N | N m
tendon_margin            f8  ntendon                  m (rad/len for joints/tendons)
tendon_stiffness         f8  ntendon                  N/m
tendon_damping           f8  ntendon                  N s/m
tendon_armature          f8  ntendon                  kg
tendon_frictionloss      f8  ntendon                  N
tendon_lengthspring      f8  ntendon 2                m
tendon_length0           f8  ntendon                  m
tendon_invweight0        f8  ntendon
tendon_user              f8  ntendon nuser_tendon
tendon_rgba              f4  ntendon 4                0..1
wrap_type                i4  nwrap
wrap_objid               i4  nwrap
wrap_prm                 f8  nwrap
actuator_trntype         i4  nu
actuator_dyntype         i4  nu
actuator_gaintype        i4  nu
actuator_biastype        i4  nu
actuator_trnid           i4  nu 2
actuator_actadr          i4  nu
actuator_actnum          i4  nu
actuator_group           i4  nu
actuator_ctrllimited     u1  nu
actuator_forcelimited    u1  nu
actuator_actlimited      u1  nu
actuator_dynprm          f8  nu 10
actuator_gainprm         f8  nu 10
actuator_biasprm         f8  nu 10
actuator_actearly        u1  nu
actuator_ctrlrange       f8  nu 2
actuator_forcerange      f8  nu 2                     N | N m
actuator_actrange        f8  nu 2
actuator_gear            f8  nu 6
actuator_cranklength     f8  nu
actuator_acc0            f8  nu
actuator_length0         f8  nu
actuator_lengthrange     f8  nu 2
actuator_user            f8  nu nuser_actuator
actuator_plugin          i4  nu
sensor_type              i4  nsensor
sensor_datatype          i4  nsensor
sensor_needstage         i4  nsensor
sensor_objtype           i4  nsensor
sensor_objid             i4  nsensor
sensor_reftype           i4  nsensor
sensor_refid             i4  nsensor
sensor_intprm            i4  nsensor 3
sensor_dim               i4  nsensor
sensor_adr               i4  nsensor
sensor_cutoff            f8  nsensor
sensor_noise             f8  nsensor
sensor_user              f8  nsensor nuser_sensor
sensor_plugin            i4  nsensor
plugin                   i4  nplugin
plugin_stateadr          i4  nplugin
plugin_statenum          i4  nplugin
plugin_attr              S1  npluginattr
plugin_attradr           i4  nplugin
numeric_adr              i4  nnumeric
numeric_size             i4  nnumeric
numeric_data             f8  nnumericdata
text_adr                 i4  ntext
text_size                i4  ntext
text_data                S1  ntextdata
tuple_adr                i4  ntuple
tuple_size               i4  ntuple
tuple_objtype            i4  ntupledata
tuple_objid              i4  ntupledata
tuple_objprm             f8  ntupledata
key_time                 f8  nkey                     s
key_qpos                 f8  nkey nq
key_qvel                 f8  nkey nv
key_act                  f8  nkey na
key_mpos                 f8  nkey nmocap*3
key_mquat                f8  nkey nmocap*4
key_ctrl                 f8  nkey nu
name_bodyadr             i4  nbody
name_jntadr              i4  njnt
name_geomadr             i4  ngeom
name_siteadr             i4  nsite
name_camadr              i4  ncam
name_lightadr            i4  nlight
name_flexadr             i4  nflex
name_meshadr             i4  nmesh
name_skinadr             i4  nskin
name_hfieldadr           i4  nhfield
name_texadr              i4  ntex
name_matadr              i4  nmat
name_pairadr             i4  npair
name_excludeadr          i4  nexclude
name_eqadr               i4  neq
name_tendonadr           i4  ntendon
name_actuatoradr         i4  nu
name_sensoradr           i4  nsensor
name_numericadr          i4  nnumeric
name_textadr             i4  ntext
name_tupleadr            i4  ntuple
name_keyadr              i4  nkey
name_pluginadr           i4  nplugin
names                    S1  nnames
names_map                i4  nnames_map
paths                    S1  npaths
B_rownnz                 i4  nbody
B_rowadr                 i4  nbody
B_colind                 i4  nB
M_rownnz                 i4  nv
M_rowadr                 i4  nv
M_colind                 i4  nC
mapM2M                   i4  nC
D_rownnz                 i4  nv
D_rowadr                 i4  nv
D_diag                   i4  nv
D_colind                 i4  nD
mapM2D                   i4  nD
mapD2M                   i4  nC
"""
