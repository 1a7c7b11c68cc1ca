"""The Data table: state, results and growable rows, one row for each field.

    name  dtype  dimensions [= count] | unit | sentence

`= count` marks arrays of which only the first `count` rows are valid: Python sees only those. Sizes ending in `_cap` are
capacities of the growable storage (see `core.data`). Scalars have no dimensions. A heading `# stage: what it is about`
names the stage, or other code, that writes the fields below it; if a sentence names another stage, the
named stage writes the field.

MAIN, STATISTICS and WORK share one buffer. COLLISION_WORK, CONTACT, CONSTRAINT and CONSTRAINT_WORK share another, which is
replaced when a step needs more room. Contacts, solver statistics, warnings and timers are stored as one array for each
member, and Python sees them as lists of records.
"""

MAIN = """
# memory: sizes that depend on the model, and marks of MuJoCo's stack and arena
narena                  i8                  | byte               | size of MuJoCo's arena, as in the model
nbuffer                 i8                  | byte               | size of MuJoCo's buffer of state and results
nplugin                 i4                  | -                  | plugin instances
pstack                  i8                  | byte       | used part of MuJoCo's stack, in stages that count it
pbase                   i8                  | byte               | base of MuJoCo's stack frame; 0 here
parena                  i8                  | byte    | used part of MuJoCo's arena if limit_arena is set, else 0
maxuse_stack            i8                  | byte               | largest use of the stack so far
maxuse_threadstack      i8  128             | byte               | largest use of each thread's stack so far
maxuse_arena            i8                  | byte               | largest use of the arena so far
maxuse_con              i4                  | -                  | largest number of contacts so far
maxuse_efc              i4                  | -                  | largest number of constraint rows so far

# solve_constraint: statistics of the solver
solver_niter            i4  20              | -                  | iterations in each island
solver_nnz              i4  20              | -                  | elements of the Hessian or of AR in each island

# compare_inverse: forward against inverse dynamics, where enabled
solver_fwdinv           f8  2            | N or N m | norms of forward minus inverse dynamics: constraint forces, applied forces

# counts: counts of elements in the current configuration
ncon                    i4                  | -                  | contacts
ne                      i4                  | -                  | rows of equality constraints
nf                      i4                  | -                  | rows of dry friction
nl                      i4                  | -                  | rows of limits
nefc                    i4                  | -                  | constraint rows
nJ                      i4                  | -                  | elements of the constraint Jacobian
nA                      i4                  | -                  | elements of AR, the inverse inertia in constraint space
nisland                 i4                  | -                  | islands: groups of trees that constraints connect
nidof                   i4                  | -                  | dofs in islands
ntree_awake             i4                  | -                  | trees that are awake
nbody_awake             i4                  | -                  | bodies that are awake
nparent_awake           i4                  | -                  | bodies whose parent is awake
nv_awake                i4                  | -                  | dofs that are awake

# state: what the next step starts from; inputs are set by the user
time                    f8                  | s                  | simulation time
energy                  f8  2               | J                  | potential and kinetic energy (energy_pos, energy_vel)
qpos                    f8  nq              | m or rad           | configuration; quaternions are w x y z
qvel                    f8  nv              | m/s or rad/s       | velocity
act                     f8  na              | any                | activations of actuators
qacc_warmstart          f8  nv              | m/s^2 or rad/s^2 | initial guess of the solver: acceleration of the last step
plugin_state            f8  npluginstate    | any                | state of plugins
ctrl                    f8  nu              | any                | controls: the inputs of actuators
qfrc_applied            f8  nv              | N or N m           | input: generalized force
xfrc_applied            f8  nbody 6         | N or N m           | input: force and torque at the centre of mass, in world axes
eq_active               u1  neq             | -                  | input: whether the equality constraint is active
mocap_pos               f8  nmocap 3        | m                  | input: positions of mocap bodies
mocap_quat              f8  nmocap 4        | quat               | input: orientations of mocap bodies
qacc                    f8  nv          | m/s^2 or rad/s^2 | acceleration: output of forward dynamics, input of inverse dynamics
act_dot                 f8  na              | any                | rates of activations (actuation)
userdata                f8  nuserdata       | any                | user data, which no stage changes

# sensor_pos: sensors; sensor_vel and sensor_acc write those of their stage
sensordata              f8  nsensordata     | any                | readings of all sensors, one after another

# sleep_trees: which trees sleep
tree_asleep             i4  ntree           | -       | awake: -1 minus steps until it may sleep; asleep: next tree in its cycle

# plugins: instances
plugin                  i4  nplugin         | -                  | number of the plugin in the registry, as in the model
plugin_data             u8  nplugin         | -                  | number that each instance may use for its own purposes

# kinematics: poses in the world
xpos                    f8  nbody 3         | m                  | positions of body frames
xquat                   f8  nbody 4         | quat               | orientations of body frames
xmat                    f8  nbody 9         | -                  | orientations of body frames, rotation matrices by rows
xipos                   f8  nbody 3         | m                  | centres of mass of bodies
ximat                   f8  nbody 9         | -                  | orientations of inertial frames, rotation matrices by rows
xanchor                 f8  njnt 3          | m                  | anchors of joints
xaxis                   f8  njnt 3          | -                  | axes of joints
geom_xpos               f8  ngeom 3         | m                  | positions of geoms
geom_xmat               f8  ngeom 9         | -                  | orientations of geoms, rotation matrices by rows
site_xpos               f8  nsite 3         | m                  | positions of sites
site_xmat               f8  nsite 9         | -                  | orientations of sites, rotation matrices by rows

# camlight: poses of cameras and lights
cam_xpos                f8  ncam 3          | m                  | positions of cameras
cam_xmat                f8  ncam 9          | -                  | orientations of cameras, rotation matrices by rows
light_xpos              f8  nlight 3        | m                  | positions of lights
light_xdir              f8  nlight 3        | -                  | directions of lights

# com_pos: spatial quantities about the centre of mass of each tree, in world axes
subtree_com             f8  nbody 3         | m                  | centre of mass of each body including its descendants
cdof                    f8  nv 6     | rad/rad or m/rad or m/m | motion of each dof at unit velocity: rotation, then translation
cinert                 f8 nbody 10 | kg m^2 or kg m or kg | inertia of bodies: six moments and products, mass times offset, mass

# flex_pos: deformable bodies
flexvert_xpos           f8  nflexvert 3     | m                  | positions of vertices
flexelem_aabb           f8  nflexelem 6     | m                  | bounding boxes of elements: centre and half sizes
flexedge_J_rownnz       i4  nflexedge       | -                  | edge Jacobian: elements of each row
flexedge_J_rowadr       i4  nflexedge       | -                  | edge Jacobian: where each row begins
flexedge_J_colind       i4  nflexedge nv    | -                  | edge Jacobian: dof of each element
flexedge_J              f8  nflexedge nv    | m/m or m/rad       | edge Jacobian: change of each edge's length with each dof
flexedge_length         f8  nflexedge       | m                  | lengths of edges
bvh_aabb_dyn            f8  nbvhdynamic 6   | m    | boxes of hierarchies that are refitted at every step: centre and half sizes

# tendon: paths and lengths of tendons
ten_wrapadr             i4  ntendon         | -                  | first point on the path
ten_wrapnum             i4  ntendon         | -                  | points on the path
ten_J_rownnz            i4  ntendon         | -                  | tendon Jacobian: elements of each row
ten_J_rowadr            i4  ntendon         | -                  | tendon Jacobian: where each row begins
ten_J_colind            i4  ntendon nv      | -                  | tendon Jacobian: dof of each element
ten_J                   f8  ntendon nv      | m/m or m/rad       | tendon Jacobian: change of each tendon's length with each dof
ten_length              f8  ntendon         | m or rad           | lengths
wrap_obj                i4  nwrap 2         | -                  | object of a path point: a geom, -1: site, -2: pulley
wrap_xpos               f8  nwrap 6         | m                  | points of paths, two per row

# transmission: lengths and moment arms of actuators
actuator_length         f8  nout            | m or rad           | lengths of actuators, including gear
moment_rownnz           i4  nout            | -                  | moment: elements of each row
moment_rowadr           i4  nout            | -                  | moment: where each row begins
moment_colind           i4  nJmom           | -                  | moment: dof of each element
actuator_moment         f8  nJmom           | m/m or m/rad       | change of each actuator's length with each dof

# make_inertia: joint-space inertia
crb                 f8 nbody 10 | kg m^2 or kg m or kg | inertia of each body including its descendants, in the layout of cinert
qM                      f8  nM              | kg or kg m or kg m^2 | inertia, a row for each dof along its chain of ancestors
M                       f8  nC              | kg or kg m or kg m^2 | inertia, lower triangle as compressed rows

# factor_inertia: factor of the joint-space inertia
qLD                     f8  nC              | -                  | factor of the inertia, L' D L in the layout of M
qLDiagInv               f8  nv              | -                  | inverse of D

# collision: broad phase
bvh_active              u1  nbvh            | -                  | whether collision detection tested the node

# wake_moved: which trees are awake
tree_awake              i4  ntree           | -                  | whether the tree is awake
body_awake              i4  nbody           | -                | sleep state of each body (mjtSleepState): static, asleep, awake
body_awake_ind          i4  nbody           | -                  | bodies that are awake or fixed, in ascending order
parent_awake_ind        i4  nbody           | -                  | bodies whose parent is awake or fixed, in ascending order
dof_awake_ind           i4  nv              | -                  | dofs that are awake, in ascending order

# fwd_velocity: rates of lengths (flex_vel, tendon_vel)
flexedge_velocity       f8  nflexedge       | m/s                | rates of change of edge lengths
ten_velocity            f8  ntendon         | m/s or rad/s       | rates of change of tendon lengths
actuator_velocity       f8  nout            | m/s or rad/s       | rates of change of actuator lengths

# com_vel: spatial velocities about the centre of mass of each tree, in world axes
cvel                    f8  nbody 6         | rad/s or m/s       | velocity of bodies: rotation, then translation
cdof_dot                f8  nv 6            | 1/s or m/s         | rate of change of cdof

# rne: forces due to motion
qfrc_bias               f8  nv              | N or N m           | Coriolis, centrifugal and gravitational forces

# passive: forces without actuators
qfrc_spring             f8  nv              | N or N m           | forces of springs
qfrc_damper             f8  nv              | N or N m           | forces of dampers
qfrc_gravcomp           f8  nv              | N or N m           | forces of gravity compensation
qfrc_fluid              f8  nv              | N or N m           | forces of the fluid: drag and lift
+qfrc_adhesion          f8  nv              | N or N m           | forces of attracting contacts
qfrc_passive            f8  nv              | N or N m           | sum of all passive forces

# subtree_vel: momentum, only if requested
subtree_linvel          f8  nbody 3         | m/s                | velocity of each subtree's centre of mass
subtree_angmom          f8  nbody 3         | kg m^2/s           | angular momentum of each subtree about its centre of mass

# euler: factor for implicit damping
qH                      f8  nC              | -                  | factor of M with damping times the step, in the layout of M
qHDiagInv               f8  nv              | -                  | inverse of the factor's diagonal

# implicit: derivatives of forces by velocity
qDeriv                  f8  nD              | -    | derivative of passive, actuator and bias forces by qvel, as compressed rows
qLU                     f8  nD              | -                | M - h qDeriv as lower and upper factor, in the layout of qDeriv

# actuation: actuators
actuator_force          f8  nout            | N or N m           | force of each actuator along its length
qfrc_actuator           f8  nv              | N or N m           | generalized force of all actuators

# smooth_acceleration: motion without constraints
qfrc_smooth             f8  nv              | N or N m           | all generalized forces except those of constraints
qacc_smooth             f8  nv              | m/s^2 or rad/s^2   | acceleration without constraint forces

# solve_constraint: forces of constraints, and statistics of the solver
qfrc_constraint         f8  nv              | N or N m           | generalized force of all constraints

# inverse_skip: inverse dynamics
qfrc_inverse            f8  nv              | N or N m   | force that qacc requires in addition to passive and constraint forces

# rne_post: accelerations and forces of bodies, only if requested
cacc                    f8  nbody 6       | rad/s^2 or m/s^2 | acceleration of bodies, with -gravity: rotation, then translation
cfrc_int                f8  nbody 6         | N m or N     | load that the parent exerts, about the tree's centre: torque, force
cfrc_ext                f8  nbody 6   | N m or N | load from applied forces and contacts, about the tree's centre: torque, force

# make_constraint: first constraint rows of tendons
tendon_efcadr           i4  ntendon         | -             | first row of a limit, friction or equality of the tendon, -1: none

# island: trees and dofs of islands, and their part of the dynamics
tree_island             i4  ntree           | -                  | island of each tree, -1: none
island_ntree            i4  ntree = nisland | -                  | number of trees
island_itreeadr         i4  ntree = nisland | -                  | first tree, in map_itree2tree
map_itree2tree          i4  ntree           | -                  | tree at each index in island order
dof_island              i4  nv              | -                  | island of each dof, -1: none
island_nv               i4  ntree = nisland | -                  | number of dofs
island_idofadr          i4  ntree = nisland | -                  | first dof, in the order of islands
island_dofadr           i4  ntree = nisland | -                  | first dof, in the order of the model
map_dof2idof            i4  nv              | -                  | index of each dof in island order
map_idof2dof            i4  nv              | -                  | dof at each index in island order
ifrc_smooth             f8  nv = nidof      | N or N m           | qfrc_smooth in the order of islands
iacc_smooth             f8  nv = nidof      | m/s^2 or rad/s^2   | qacc_smooth in the order of islands
iM_rownnz               i4  nv = nidof      | -                  | inertia in the order of islands: elements of each row
iM_rowadr               i4  nv = nidof      | -                  | inertia in the order of islands: where each row begins
iM_colind               i4  nC              | -                  | inertia in the order of islands: dof of each element
iM                      f8  nC              | kg or kg m or kg m^2 | inertia in the order of islands
iLD                     f8  nC              | -                  | factor of iM
iLDiagInv               f8  nv = nidof      | -                  | inverse of the factor's diagonal
iacc                    f8  nv = nidof      | m/s^2 or rad/s^2   | qacc in the order of islands
island_ne               i4  ntree = nisland | -                  | rows of equality constraints
island_nf               i4  ntree = nisland | -                  | rows of dry friction
island_nefc             i4  ntree = nisland | -                  | constraint rows
island_iefcadr          i4  ntree = nisland | -                  | first row, in the order of islands
ifrc_constraint         f8  nv = nidof      | N or N m           | qfrc_constraint in the order of islands
"""

STATISTICS = """
# solve_constraint: one row for each iteration, 200 for each island
solver_improvement      f8  4000 | -  | decrease of the cost, scaled by the mean inertia
solver_gradient         f8  4000 | -  | norm of the gradient, scaled by the mean inertia
solver_lineslope        f8  4000 | -  | slope of the cost at the end of the line search, scaled
solver_nactive          i4  4000 | -  | active rows
solver_nchange          i4  4000 | -  | rows whose state changed
solver_neval            i4  4000 | -  | evaluations of the cost in the line search
solver_nupdate          i4  4000 | -  | rank-one updates of the Cholesky factor

# driver: warnings and timers
warning_lastinfo        i4  8    | -  | number reported with the last warning of each type (mjtWarning)
warning_number          i4  8    | -  | number of warnings of each type
timer_duration          f8  15   | s  | time spent in each part of a step (mjtTimer)
timer_number            i4  15   | -  | number of times that each part ran
"""

CONTACT = """
# collision: contacts
contact_dist            f8  ncon_cap = ncon    | m | distance of the surfaces, negative if they overlap
contact_pos             f8  ncon_cap 3 = ncon  | m | point midway between the surfaces
contact_frame           f8  ncon_cap 9 = ncon  | - | axes by rows: normal from the first to the second geom, then two tangents
contact_includemargin   f8  ncon_cap = ncon    | m | distance below which the contact exerts force: margin minus gap
contact_friction        f8  ncon_cap 5 = ncon  | - | friction: two sliding (no unit), one torsional and two rolling (m)
contact_solref       f8 ncon_cap 2 = ncon | - | solver reference of the normal: timeconst (s), dampratio or -stiffness, -damping
contact_solreffriction  f8  ncon_cap 2 = ncon  | - | solver reference of friction, zeros: same as solref
contact_solimp          f8  ncon_cap 5 = ncon  | - | solver impedance: d0, dwidth, width, midpoint, power
contact_mu              f8  ncon_cap = ncon    | - | friction of the regularised cone (make_constraint)
contact_H               f8  ncon_cap 36 = ncon | - | Hessian of the elliptic cone, dim by dim (constraint_update)
contact_dim             i4  ncon_cap = ncon    | - | dimensions: 1, 3, 4 or 6
contact_geom            i4  ncon_cap 2 = ncon  | - | the two geoms, -1: flex
contact_flex            i4  ncon_cap 2 = ncon  | - | the two flexes, -1: geom
contact_elem            i4  ncon_cap 2 = ncon  | - | elements of the flexes, -1: geom or vertex
contact_vert            i4  ncon_cap 2 = ncon  | - | vertices of the flexes, -1: geom or element
contact_exclude i4 ncon_cap = ncon | - | 0: has rows; without rows: 1 in the gap, 2 fused or fixed, 3 no dofs, 4 a spring
contact_efc_address     i4  ncon_cap = ncon    | - | first row in efc_*, -1: none
"""

CONSTRAINT = """
# make_constraint: rows
efc_type                i4  nefc_cap = nefc   | -                  | type of the row (mjtConstraint)
efc_id                  i4  nefc_cap = nefc   | -                  | equality, dof, joint, tendon or contact to which it belongs
efc_J_rownnz            i4  nefc_cap = nefc   | -                  | Jacobian: elements of each row
efc_J_rowadr            i4  nefc_cap = nefc   | -                  | Jacobian: where each row begins
efc_J_rowsuper          i4  nefc_cap = nefc   | -                  | Jacobian: following rows with the same columns
efc_J_colind            i4  nJ_cap = nJ       | -                  | Jacobian: dof of each element
efc_J                   f8  nJ_cap = nJ       | m/m or m/rad       | Jacobian: change of each row's position with each dof
efc_pos                 f8  nefc_cap = nefc | m or rad | constraint is violated if this is below margin; residual of an equality
efc_margin              f8  nefc_cap = nefc   | m or rad           | position below which the row is active
efc_frictionloss        f8  nefc_cap = nefc   | N or N m           | dry friction: maximum force of the row
efc_diagApprox  f8 nefc_cap = nefc | 1/kg or 1/(kg m^2) | estimate of the diagonal of A, the inverse inertia in constraint space
efc_KBIP                f8  nefc_cap 4 = nefc | -                 | stiffness, damping, impedance and its derivative by position
efc_D                   f8  nefc_cap = nefc   | kg or kg m^2       | inverse of R: the row's mass
efc_R                   f8  nefc_cap = nefc   | 1/kg or 1/(kg m^2) | regularisation of the diagonal of A

# island: rows in the order of islands
efc_island              i4  nefc_cap = nefc   | -                  | island of each row
map_efc2iefc            i4  nefc_cap = nefc   | -                  | index of each row in island order
map_iefc2efc            i4  nefc_cap = nefc   | -                  | row at each index in island order
iefc_type               i4  nefc_cap = nefc   | -                  | efc_type in the order of islands
iefc_id                 i4  nefc_cap = nefc   | -                  | efc_id in the order of islands
iefc_J_rownnz           i4  nefc_cap = nefc   | -                  | Jacobian in the order of islands: elements of each row
iefc_J_rowadr           i4  nefc_cap = nefc   | -                  | Jacobian in the order of islands: where each row begins
iefc_J_rowsuper         i4  nefc_cap = nefc   | -       | Jacobian in the order of islands: following rows with the same columns
iefc_J_colind           i4  nJ_cap = nJ      | - | Jacobian in the order of islands: index of each element's dof in island order
iefc_J                  f8  nJ_cap = nJ       | m/m or m/rad       | Jacobian in the order of islands
iefc_frictionloss       f8  nefc_cap = nefc   | N or N m           | efc_frictionloss in the order of islands
iefc_D                  f8  nefc_cap = nefc   | kg or kg m^2       | efc_D in the order of islands
iefc_R                  f8  nefc_cap = nefc   | 1/kg or 1/(kg m^2) | efc_R in the order of islands

# project_constraint: inverse inertia in constraint space, for dual solvers
efc_AR_rownnz           i4  nefc_cap = nefc   | -                  | AR: elements of each row
efc_AR_rowadr           i4  nefc_cap = nefc   | -                  | AR: where each row begins
efc_AR_colind           i4  nA_cap = nA       | -                  | AR: row of each element
efc_AR                  f8  nA_cap = nA       | 1/kg or 1/(kg m^2) | J inv(M) J' + R

# reference_constraint: effects of velocity
efc_vel                 f8  nefc_cap = nefc   | m/s or rad/s       | velocity of each row: J qvel
efc_aref                f8  nefc_cap = nefc   | m/s^2 or rad/s^2   | acceleration that each row requests

# solve_constraint: the solution
efc_b                   f8  nefc_cap = nefc   | m/s^2 or rad/s^2   | J qacc_smooth - aref
iefc_aref               f8  nefc_cap = nefc   | m/s^2 or rad/s^2   | efc_aref in the order of islands
iefc_state              i4  nefc_cap = nefc   | -                  | efc_state in the order of islands
iefc_force              f8  nefc_cap = nefc   | N or N m           | efc_force in the order of islands
efc_state               i4  nefc_cap = nefc   | -                  | zone of the row's cost function (mjtConstraintState)
efc_force               f8  nefc_cap = nefc   | N or N m           | force of each row
"""

# Capacities of the growable storage: X, the capacity in a new Data, the objects counted. The capacity is the field `nX_cap`; a
# stage requests more with `need_X`.
CAPACITIES = """
con      32     contacts
efc      128    constraint rows
J        2048   elements of the constraint Jacobian
A        0      elements of the inverse inertia in constraint space
H        0      elements of a sparse Hessian
broad    64     candidates in collision detection
B        0      pairs of body and dof, for derivatives
D        0      pairs of dofs, for derivatives
epa      0      memory cells for polytopes that do not fit on the stack
"""

# messages from a stage to the driver: see core.data
CONTROL = """
# driver: communication with stages
stage_table             i8   | -    | address of the table of stages
status                  i8   | -    | why the last compiled call returned (core.stages: OK, MISSING, GROW ...)
status_arg              i8   | -    | number that goes with the status: a stage, a slot, a warning
nbroad                  i8   | -    | pairs that the broad phase found
bvh_end                 i8   | -    | end of the nodes that bvh_active may mark; later entries are 0
flexedge_end            i8   | -    | end of the rows of flexedge_J that may be nonzero; later ones are 0 if J is dense
ccd_contacts            i8   | -    | contacts requested from the convex collision
hull_starts             i8   | -    | address of the table of starts of the meshes' hulls (geom.support), 0: none
ccd_newer               i8   | -   | whether to use the convex collision of later releases, whatever the release (collide.ahead)
full                    i8   | -    | what must not grow (core.stages: FULL_CONTACTS, FULL_ROWS, LIMITED)
fresh                   i8   | -    | whether all memory is still zero, as in a new Data
said                i8 | - | warnings, as bits, that an interrupted pass has reported; its repetition does not report them again
ccd_dist                f8   | m    | signed distance that the convex collision found
impact_time             f8   | -    | fraction of the step after which two geoms will meet (collide.ahead)
impact_speed            f8   | m    | decrease of their distance in one step, at that time
timing                  i8   | -    | whether timers are read
clock                   f8   | s    | when the clock was last read
cycle                   f8   | s    | duration of a cycle of the processor's counter; 0: not measured yet, -1: there is none
first_cycle             i8   | -    | what the counter said when its measurement began
first_clock             i8   | ns   | what the clock said then
arrays_address          i8   | -    | address of the first array
arrays_bytes            i8   | byte | size of all arrays in the fixed buffer
result_bytes            i8   | byte | bytes of the arrays that copies include; scratch follows them
plugin_table            i8   | -    | address of the table of plugins
plugin_cells            i8   | -    | address of the cells of compiled plugins' instances
"""

# scratch of stages whose size is known from the model
WORK = """
# scratch: scratch of stages, sized by the model; any stage may use it during its own call
work_v1                 f8  nv          | -                | a number for each dof
work_v2                 f8  nv          | -                | a number for each dof
work_v3                 f8  nv          | -                | a number for each dof
work_v4                 f8  nv          | -                | a number for each dof
work_front              f8  112         | -                | rows or axes of the dofs of one branch (dynamics.branches)
work_front_rest         f8  nD          | -                | continues work_front
work_6v                 f8  6 nv        | -                | Jacobian of a body: rotation and translation by dof
work_int                i4  nv          | -                | an integer for each dof
work_turn               f8  2 njnt      | -                | cosines, then sines, of half the angle of each hinge
work_cacc              f8 nbody 6 | m/s^2 or rad/s^2 | accelerations of bodies in recursive Newton-Euler, momenta in subtree_vel
work_cfrc               f8  nbody 6     | N or N m         | loads of bodies in recursive Newton-Euler
work_ctrl               f8  nu          | any              | controls within their limits
work_tendon             f8  ntendon     | N or N m         | sums of actuator forces on tendons
work_chain              i8  nv          | -                | dofs that a Jacobian row can have
work_tree               i4  ntree       | -                | labels of trees while islands are found
work_columns            f8  nv 6        | -                | motions of a contact's dofs; elements of a flex contact's Jacobian
work_asleep             i4  ntree       | -                | tree_asleep as it was before a wake
work_woken              i8  1           | -                | number of trees that were woken
work_problem            i8  16          | -      | the current problem of the solver: addresses, counts, sparsity (solve.primal)
solve_Lnnz              i4  nv          | -                | sparse factor: elements of each row
solve_Ladr              i4  nv          | -                | sparse factor: where each row begins
solve_node              i4  nv          | -                | sparse factor: first row of each row's supernode
solve_place             i4  nv          | -                | position of each dof in the pattern of a supernode
solve_head              i4  nv          | -                | first element of a list for each dof: what waits for its row
solve_follow            i4  nv          | -                | next element of the same list
solve_at                i4  nv          | -                | sparse factor: position of the column that a supernode waits for
work_pair               f8  nv 2        | -           | two elements of a row for each dof, while an equality's Jacobian is made
work_pair_col           i4  nv 2        | -                | their dofs
solve_JT_end            i4  nv 2        | -                | columns of solve_JT: end, number of next columns with the same rows
solve_Ma                f8  nv          | N or N m         | M qacc
solve_Mv                f8  nv          | N or N m         | M times the search direction
solve_grad              f8  nv          | N or N m         | gradient of the cost
solve_Mgrad             f8  nv          | m/s^2 or rad/s^2 | preconditioned gradient
solve_search            f8  nv          | m/s^2 or rad/s^2 | search direction
solve_old               f8  nv 2        | -                | gradient and preconditioned gradient of the last iteration
efm_M            f8 nC | kg or kg m^2 | inertia of the integrator `discrete`, without coupling by tendons and actuators (metric)
efm_diag                f8  nv          | kg or kg m^2     | h D + h^2 K of joints: efm_M minus M
efm_sdiag               f8  nv          | kg or kg m^2    | efm_diag plus the diagonals of the coupling by tendons and actuators
efm_c                   f8  nv       | N or N m | -h K qvel: forces of springs at the end of the step minus their current forces
efm_ts                  f8  ntendon     | -                | h^2 k + h b of each tendon
efm_as                  f8  nout        | -                | h^2 k + h b of each output of the actuators
efm_force               f8  nv          | N or N m         | qfrc_smooth, while the solver has efm_c in it
work_rk_q               f8  nq          | m or rad         | configuration at the start of a Runge-Kutta step
work_rk_v               f8  4 nv        | m/s or rad/s     | velocities of the stages of a Runge-Kutta step
work_rk_acc             f8  4 nv        | m/s^2 or rad/s^2 | accelerations of the stages of a Runge-Kutta step
work_rk_act             f8  na          | any              | activations at the start of a Runge-Kutta step
work_rk_actdot          f8  4 na        | any              | rates of activations of the stages of a Runge-Kutta step
work_rk_dact            f8  na          | any              | their weighted sum
+work_rk_drive          f8  nout        | any              | actuator_velocity at the start of a Runge-Kutta step
+work_rk_length         f8  nplastic    | m or rad | ten_length of plastic springs at the start of a Runge-Kutta step
+work_rk_row            f8  nplastic nv | any              | their Jacobian
manifold                f8  500       | m | contacts of one pair: distance, point, normal and tangent in rows (collide.manifold)
shapes                  f8  48          | m                | blocks of two convex shapes: type, pose, sizes (geom.support)
witness                 f8  300         | m                | pairs of nearest points
ccd_corners             f8  33          | m                | nearest simplex of both shapes, for more contacts
prism                   f8  18          | m                | corners of a prism of a height field or flex element
flex_points             f8  24          | m                | corners of two flex elements
work_flex               f8  nflexvert 3 | m/s              | velocities of vertices
flex_examined           f8  nflexvert 3 | m           | vertices when the distances in their flex were last found
flex_still              f8  nflex 5     | -           | how far apart its elements were; effort saved (collide.flex_still)
+apart_geoms            i4  128 2       | -                | pairs of convex geoms that were apart when last compared
+apart_normal           f8  128 3       | -                | normal of a plane between them, in the first geom's frame
"""

# scratch of collision detection: sorting keys, pairs of bodies, bounding boxes, tree searches
COLLISION_WORK = """
# scratch: growable scratch of collision detection
broad_key               i8  nbroad_cap   | - | sort keys of the sweep
broad_merge             i8  nbroad_cap   | - | room to merge sorted runs
broad_pair              i8  nbroad_cap   | - | pairs that were found: (first << 16) + second
broad_body              i4  nbroad_cap   | - | bodies in the order of the sweep
broad_filter            i4  nbroad_cap 5 | - | what decides which of them may collide: weld group and its parent, masks, marks
broad_active            i4  nbroad_cap   | - | bodies whose interval is open
broad_place             i4  nbroad_cap 2 | - | where each of them is in broad_active, and when its interval was opened
broad_open              f8  nbroad_cap 4 | m | their bounds, in groups (collide.sweep)
broad_box               f8  nbroad_cap 6 | m | bounding boxes: lower and upper corner
tree_stack              i4  nbroad_cap 2 | - | pairs of nodes still to be tested
tree_pair               i8  nbroad_cap   | - | pairs of leaves that were found
epa_room                f8  nepa_cap     | - | polytopes whose iterations do not fit on the stack
"""

# scratch of constraint stages and solvers
CONSTRAINT_WORK = """
# scratch: growable scratch of constraints and solvers
efc_bare                f8  nefc_cap   | 1/kg or 1/(kg m^2) | efc_diagApprox before impedances (integrator `discrete`)
work_efc_save           f8  nefc_cap   | N or N m           | efc_force while inverse dynamics is compared
work_dvel               f8  nB_cap 6   | -                  | derivatives of body velocities by dof
work_dacc               f8  nB_cap 6   | -                  | derivatives of body accelerations by dof
work_dfrc               f8  nB_cap 6   | -                  | derivatives of body forces by dof
work_drate              f8  nD_cap 6   | -                  | derivatives of cdof_dot by dof
solve_JT                f8  nJ_cap     | m/m or m/rad       | Jacobian of the current problem, stored by columns
solve_JT_row            i4  nJ_cap     | -                  | rows of the elements of solve_JT
solve_jar               f8  nefc_cap   | m/s^2 or rad/s^2   | J qacc - aref
solve_first             f8  nefc_cap   | m/s^2 or rad/s^2   | J qacc - aref at the first guess, in the order of islands
solve_Jv                f8  nefc_cap   | m/s^2 or rad/s^2   | J times the search direction
solve_quad              f8  nefc_cap 3 | J                  | coefficients of each row's cost along the search direction
solve_oldstate          i4  nefc_cap   | -                  | states of rows in the last iteration
solve_H                 f8  nH_cap     | kg or kg m^2       | Hessian of the cost
solve_L                 f8  nH_cap     | -                  | its factor, with inverse pivots on the diagonal; residuals of rows
solve_Lcol              i4  nH_cap     | -                  | sparse factor: dof of each element
work_B                  f8  nA_cap     | -                  | inv(sqrt(D) L') J', as compressed rows or in packs
work_B_colind           i4  nA_cap     | -                  | its columns
work_B_next             i4  nA_cap     | -                  | next element whose column is the same root dof
work_B_row              i4  nA_cap     | -                  | row of each element
work_B_rownnz           i4  nefc_cap   | -                  | elements of each row
work_B_rowadr           i4  nefc_cap   | -                  | where each row begins
work_B_mark             i4  nefc_cap   | -                  | the last row whose list has each row
solve_force             f8  nefc_cap   | N or N m         | forces of an island's rows (PGS since 3.11)
solve_b                 f8  nefc_cap   | m/s^2 or rad/s^2 | efc_b of an island's rows (PGS since 3.11)
solve_inverse           f8  nefc_cap   | kg or kg m^2       | inverse of each row's diagonal
solve_diagonal          f8  nefc_cap   | 1/kg or 1/(kg m^2) | diagonal of AR
"""
