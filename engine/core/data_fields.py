"""The Data table: state, results and growable rows, one row a field.

Columns: name, dtype, dimensions, nominal unit. `dims = count` marks rows of which only the first `count` are valid: Python sees just
those. Sizes ending in `_cap` are capacities of the growable storage (see `core.data`). Scalars have no dimensions.
STATE to RESULT lie in one buffer, GROWING in another that is replaced when a step needs more room.
Contacts, solver statistics, warnings and timers are kept as one array a member and shown to Python as lists of records.
"""

MAIN = """
narena                   i8
nbuffer                  i8
nplugin                  i4
pstack                   i8
pbase                    i8
parena                   i8
maxuse_stack             i8
maxuse_threadstack       i8  128
maxuse_arena             i8
maxuse_con               i4
maxuse_efc               i4
solver_niter             i4  20
solver_nnz               i4  20
solver_fwdinv            f8  2
ncon                     i4
ne                       i4
nf                       i4
nl                       i4
nefc                     i4
nJ                       i4
nA                       i4
nisland                  i4
nidof                    i4
ntree_awake              i4
nbody_awake              i4
nparent_awake            i4
nv_awake                 i4
time                     f8                               s
energy                   f8  2                            J [potential, kinetic]
qpos                     f8  nq                           m | rad | quat
qvel                     f8  nv                           m/s | rad/s
act                      f8  na
qacc_warmstart           f8  nv                           m/s^2 | rad/s^2
plugin_state             f8  npluginstate
ctrl                     f8  nu
qfrc_applied             f8  nv                           N | N m
xfrc_applied             f8  nbody 6                      [torque N m, force N]
eq_active                u1  neq
mocap_pos                f8  nmocap 3                     m
mocap_quat               f8  nmocap 4                     unit quat wxyz
qacc                     f8  nv                           m/s^2 | rad/s^2
act_dot                  f8  na
userdata                 f8  nuserdata
sensordata               f8  nsensordata
tree_asleep              i4  ntree
plugin                   i4  nplugin
plugin_data              u8  nplugin
xpos                     f8  nbody 3                      m
xquat                    f8  nbody 4
xmat                     f8  nbody 9
xipos                    f8  nbody 3                      m
ximat                    f8  nbody 9
xanchor                  f8  njnt 3                       m
xaxis                    f8  njnt 3
geom_xpos                f8  ngeom 3                      m
geom_xmat                f8  ngeom 9
site_xpos                f8  nsite 3                      m
site_xmat                f8  nsite 9
cam_xpos                 f8  ncam 3                       m
cam_xmat                 f8  ncam 9
light_xpos               f8  nlight 3                     m
light_xdir               f8  nlight 3
subtree_com              f8  nbody 3                      m
cdof                     f8  nv 6
cinert                   f8  nbody 10
flexvert_xpos            f8  nflexvert 3                  m
flexelem_aabb            f8  nflexelem 6
flexedge_J_rownnz        i4  nflexedge
flexedge_J_rowadr        i4  nflexedge
flexedge_J_colind        i4  nflexedge nv
flexedge_J               f8  nflexedge nv
flexedge_length          f8  nflexedge                    m
bvh_aabb_dyn             f8  nbvhdynamic 6
ten_wrapadr              i4  ntendon
ten_wrapnum              i4  ntendon
ten_J_rownnz             i4  ntendon
ten_J_rowadr             i4  ntendon
ten_J_colind             i4  ntendon nv
ten_J                    f8  ntendon nv
ten_length               f8  ntendon                      m
wrap_obj                 i4  nwrap 2
wrap_xpos                f8  nwrap 6                      m
actuator_length          f8  nu                           m
moment_rownnz            i4  nu
moment_rowadr            i4  nu
moment_colind            i4  nJmom
actuator_moment          f8  nJmom
crb                      f8  nbody 10
qM                       f8  nM
M                        f8  nC
qLD                      f8  nC
qLDiagInv                f8  nv
bvh_active               u1  nbvh
tree_awake               i4  ntree
body_awake               i4  nbody
body_awake_ind           i4  nbody
parent_awake_ind         i4  nbody
dof_awake_ind            i4  nv
flexedge_velocity        f8  nflexedge
ten_velocity             f8  ntendon
actuator_velocity        f8  nu
cvel                     f8  nbody 6                      [ang rad/s, lin m/s]
cdof_dot                 f8  nv 6
qfrc_bias                f8  nv                           N | N m
qfrc_spring              f8  nv                           N | N m
qfrc_damper              f8  nv                           N | N m
qfrc_gravcomp            f8  nv                           N | N m
qfrc_fluid               f8  nv                           N | N m
qfrc_passive             f8  nv                           N | N m
subtree_linvel           f8  nbody 3                      m/s
subtree_angmom           f8  nbody 3                      kg m^2/s
qH                       f8  nC
qHDiagInv                f8  nv
qDeriv                   f8  nD
qLU                      f8  nD
actuator_force           f8  nu                           N | N m
qfrc_actuator            f8  nv                           N | N m
qfrc_smooth              f8  nv                           N | N m
qacc_smooth              f8  nv                           m/s^2 | rad/s^2
qfrc_constraint          f8  nv                           N | N m
qfrc_inverse             f8  nv                           N | N m
cacc                     f8  nbody 6                      [ang, lin]
cfrc_int                 f8  nbody 6                      [torque N m, force N]
cfrc_ext                 f8  nbody 6                      [torque N m, force N]
tendon_efcadr            i4  ntendon
tree_island              i4  ntree
island_ntree             i4  ntree = nisland
island_itreeadr          i4  ntree = nisland
map_itree2tree           i4  ntree
dof_island               i4  nv
island_nv                i4  ntree = nisland
island_idofadr           i4  ntree = nisland
island_dofadr            i4  ntree = nisland
map_dof2idof             i4  nv
map_idof2dof             i4  nv
ifrc_smooth              f8  nv = nidof
iacc_smooth              f8  nv = nidof
iM_rownnz                i4  nv = nidof
iM_rowadr                i4  nv = nidof
iM_colind                i4  nC
iM                       f8  nC
iLD                      f8  nC
iLDiagInv                f8  nv = nidof
iacc                     f8  nv = nidof
island_ne                i4  ntree = nisland
island_nf                i4  ntree = nisland
island_nefc              i4  ntree = nisland
island_iefcadr           i4  ntree = nisland
ifrc_constraint          f8  nv = nidof
"""

STATISTICS = """
solver_improvement       f8  4000
solver_gradient          f8  4000
solver_lineslope         f8  4000
solver_nactive           i4  4000
solver_nchange           i4  4000
solver_neval             i4  4000
solver_nupdate           i4  4000
warning_lastinfo         i4  8
warning_number           i4  8
timer_duration           f8  15                           ns
timer_number             i4  15
"""

CONTACT = """
contact_dist             f8  ncon_cap = ncon              m
contact_pos              f8  ncon_cap 3 = ncon            m
contact_frame            f8  ncon_cap 9 = ncon
contact_includemargin    f8  ncon_cap = ncon              m (rad/len for joints/tendons)
contact_friction         f8  ncon_cap 5 = ncon
contact_solref           f8  ncon_cap 2 = ncon
contact_solreffriction   f8  ncon_cap 2 = ncon
contact_solimp           f8  ncon_cap 5 = ncon
contact_mu               f8  ncon_cap = ncon
contact_H                f8  ncon_cap 36 = ncon
contact_dim              i4  ncon_cap = ncon
contact_geom             i4  ncon_cap 2 = ncon
contact_flex             i4  ncon_cap 2 = ncon
contact_elem             i4  ncon_cap 2 = ncon
contact_vert             i4  ncon_cap 2 = ncon
contact_exclude          i4  ncon_cap = ncon
contact_efc_address      i4  ncon_cap = ncon
"""

CONSTRAINT = """
efc_type                 i4  nefc_cap = nefc
efc_id                   i4  nefc_cap = nefc
efc_J_rownnz             i4  nefc_cap = nefc
efc_J_rowadr             i4  nefc_cap = nefc
efc_J_rowsuper           i4  nefc_cap = nefc
efc_J_colind             i4  nJ_cap = nJ
efc_J                    f8  nJ_cap = nJ
efc_pos                  f8  nefc_cap = nefc
efc_margin               f8  nefc_cap = nefc              m (rad/len for joints/tendons)
efc_frictionloss         f8  nefc_cap = nefc
efc_diagApprox           f8  nefc_cap = nefc
efc_KBIP                 f8  nefc_cap 4 = nefc
efc_D                    f8  nefc_cap = nefc
efc_R                    f8  nefc_cap = nefc
efc_island               i4  nefc_cap = nefc
map_efc2iefc             i4  nefc_cap = nefc
map_iefc2efc             i4  nefc_cap = nefc
iefc_type                i4  nefc_cap = nefc
iefc_id                  i4  nefc_cap = nefc
iefc_J_rownnz            i4  nefc_cap = nefc
iefc_J_rowadr            i4  nefc_cap = nefc
iefc_J_rowsuper          i4  nefc_cap = nefc
iefc_J_colind            i4  nJ_cap = nJ
iefc_J                   f8  nJ_cap = nJ
iefc_frictionloss        f8  nefc_cap = nefc
iefc_D                   f8  nefc_cap = nefc
iefc_R                   f8  nefc_cap = nefc
efc_AR_rownnz            i4  nefc_cap = nefc
efc_AR_rowadr            i4  nefc_cap = nefc
efc_AR_colind            i4  nA_cap = nA
efc_AR                   f8  nA_cap = nA
efc_vel                  f8  nefc_cap = nefc
efc_aref                 f8  nefc_cap = nefc
efc_b                    f8  nefc_cap = nefc
iefc_aref                f8  nefc_cap = nefc
iefc_state               i4  nefc_cap = nefc
iefc_force               f8  nefc_cap = nefc
efc_state                i4  nefc_cap = nefc
efc_force                f8  nefc_cap = nefc              N | N m
"""

# room in the growable storage, `nX_cap`: X, what a new Data has, what it counts. A stage asks for more through `need_X`.
CAPACITIES = """
con      32     contacts
efc      128    constraint rows
J        2048   elements of the constraint Jacobian
A        0      elements of the inverse inertia in constraint space
H        0      elements of a sparse Hessian
broad    64     candidates in collision detection
B        0      pairs of body and dof, for derivatives
D        0      pairs of dofs, for derivatives
epa      0      cells of memory for polytopes of more iterations than the stack has room for
"""

# how a stage talks to the driver: see core.data
CONTROL = """
stage_table              i8
status                   i8
status_arg               i8
nbroad                   i8
ccd_contacts             i8
ccd_count                i8
ccd_dist                 f8
timing                   i8
arrays_address           i8
arrays_bytes             i8
result_bytes             i8
plugin_table             i8
plugin_cells             i8
"""

# scratch of stages whose size is known from the model
WORK = """
work_v1                  f8  nv
work_v2                  f8  nv
work_v3                  f8  nv
work_v4                  f8  nv
work_6v                  f8  6 nv
work_int                 i4  nv
work_cacc                f8  nbody 6
work_cfrc                f8  nbody 6
work_ctrl                f8  nu
work_tendon              f8  ntendon
work_chain               i8  nv
work_tree                i4  ntree
work_columns             f8  nv 6
work_asleep              i4  ntree
work_woken               i8  1
work_problem             i8  16
solve_Lnnz               i4  nv
solve_Ladr               i4  nv
solve_head               i4  nv
solve_follow             i4  nv
solve_at                 i4  nv
work_pair                f8  nv 2
work_pair_col            i4  nv 2
solve_Ma                 f8  nv
solve_Mv                 f8  nv
solve_grad               f8  nv
solve_Mgrad              f8  nv
solve_search             f8  nv
solve_old                f8  nv 2
work_rk_q                f8  nq
work_rk_v                f8  4 nv
work_rk_acc              f8  4 nv
work_rk_act              f8  na
work_rk_actdot           f8  4 na
work_rk_dact             f8  na
manifold                 f8  500
shapes                   f8  48
witness                  f8  300
ccd_corners              f8  33
prism                    f8  18
flex_points              f8  24
work_flex                f8  nflexvert 3
"""

# scratch of collision detection: sorting keys, pairs of bodies, bounding boxes, tree searches
COLLISION_WORK = """
broad_key                i8  nbroad_cap
broad_merge              i8  nbroad_cap
broad_pair               i8  nbroad_cap
broad_body               i4  nbroad_cap
broad_active             i4  nbroad_cap
broad_box                f8  nbroad_cap 6
tree_stack               i4  nbroad_cap 2
tree_pair                i8  nbroad_cap
epa_room                 f8  nepa_cap
"""

# scratch of constraint stages and solvers
CONSTRAINT_WORK = """
work_efc_save            f8  nefc_cap
work_dvel                f8  nB_cap 6
work_dacc                f8  nB_cap 6
work_dfrc                f8  nB_cap 6
work_drate               f8  nD_cap 6
solve_jar                f8  nefc_cap
solve_Jv                 f8  nefc_cap
solve_quad               f8  nefc_cap 3
solve_oldstate           i4  nefc_cap
solve_H                  f8  nH_cap
solve_L                  f8  nH_cap
solve_Lcol               i4  nH_cap
work_B                   f8  nA_cap
work_B_colind            i4  nA_cap
work_B_next              i4  nA_cap
work_B_row               i4  nA_cap
work_B_rownnz            i4  nefc_cap
work_B_rowadr            i4  nefc_cap
work_B_mark              i4  nefc_cap
solve_inverse            f8  nefc_cap
solve_diagonal           f8  nefc_cap
"""
