"""The table of stages: name, module, which models need it. A stage's position is its number in compiled code: append new
rows at the end.

The last column says which models use a stage when they are loaded, stepped and viewed, in the words of `step.needs`. All
words must hold. `a|b` holds if a or b holds, `!a` if a does not. `-` marks a stage that only functions of the library
call. Marks before the words:

    ?   such a model uses it only in some states (geoms touch) or on request (length ranges)
    *   nearly every model needs it: compiled before a model is read
    +   used by compiling a model, not by stepping or viewing
"""

from collections.abc import Iterable
from typing import NamedTuple

from . import actuator_rows, equality_rows, force_rows, geom_rows, sensor_rows, solver_rows

STAGES = """
reset_data              step.reset               *  always
step_many               step.forward             *  always
forward_skip            step.forward             *  always
forward_substep         step.again                  rk4
forward_after_sleep     step.again                  sleep ntree
fwd_kinematics          step.forward                -
step1                   step.forward             ?  ranged
step2                   step.forward             ?  ranged
inverse_skip            step.inverse             ?  fwdinv constrained
inv_position            step.inverse                -
inv_constraint          solve.inverse            ?  fwdinv constrained
rne_inverse             step.inverse             ?  fwdinv constrained
reset_sleep             step.sleeping               sleep
fwd_position            step.forward                -
fwd_velocity            step.forward                -
solve_constraint        solve.driver             *  always
euler                   step.integrate           *  euler
runge_kutta             step.integrate              rk4
implicit                step.implicit               implicit
copy_data               step.state               *  always
pack_state              step.state               *? always
unpack_state            step.state               ?  always
kinematics              dynamics.kinematics      *  always
com_pos                 dynamics.com             *  always
camlight                dynamics.camlight        *  always
flex_pos                dynamics.flex               nflex
tendon                  dynamics.tendon             ntendon
tendon_spatial          dynamics.tendon             spatial
tendon_vel              dynamics.tendon             ntendon
tendon_passive          dynamics.tendon_force       ntendon passive
tendon_armature         dynamics.tendon_force       armature
tendon_bias             dynamics.tendon_force       armature
tendon_bias_inverse     dynamics.tendon_force       -
transmission            dynamics.transmission    *  nout
transmission_general    dynamics.transmission       general
make_inertia            dynamics.inertia         *  always
composite_bodies        dynamics.inertia            -
factor_inertia          dynamics.inertia         *  always
com_vel                 dynamics.velocity        *  always
subtree_vel             dynamics.subtree            sensed
flex_vel                dynamics.flex               nflexedge
passive                 dynamics.passive         *  always
fluid                   dynamics.fluid              fluid passive
flex_passive            dynamics.elastic            nflex passive
rne                     dynamics.rne             *  always
rne_full                dynamics.rne                -
rne_post                dynamics.rne_post           sensed
object_velocity         dynamics.objects            -
object_acceleration     dynamics.objects            -
contact_force           dynamics.objects         ?  contacts
actuation               dynamics.actuation       *  always
muscle_forces           dynamics.actuation          muscles actuated
energy_pos              dynamics.energy             energy|sensed
energy_vel              dynamics.energy             energy|sensed
smooth_acceleration     dynamics.acceleration    *  always
collision               collide.driver           *  always
collide_pairs           collide.driver              -
broad_phase             collide.broad            *  contacts
collide_primitive       collide.primitive        *? pair
collide_box             collide.box              ?  pair
collide_box_box         collide.box_box          ?  pair
collide_plane_mesh      collide.plane_mesh       ?  pair
collide_convex          collide.convex           ?  pair
ccd                     collide.ccd              ?  convex|speculative native
ccd_multi               collide.ccd_multi        ?  convex native multiccd
mpr                     collide.mpr              ?  convex !native
collide_hfield          collide.hfield           ?  pair
collide_sdf             collide.sdf              ?  pair
geom_distance           collide.distance            -
collide_flex            collide.flex             ?  nflex contacts
ray                     collide.ray                 -
ray_one                 collide.ray                 -
multi_ray               collide.ray                 -
make_constraint         constraint.make          *  always
equality_rows           constraint.equality         equality
tendon_friction_rows    constraint.tendon           ntendon friction
tendon_limit_rows       constraint.tendon           ntendon limits
contact_rows            constraint.contact       *? contacts
flex_contact_rows       constraint.flex          ?  nflex contacts
contact_passive         constraint.flex             nflex passive
project_constraint      constraint.project       ?  dual|noslip constrained
reference_constraint    constraint.reference     *? constrained
constraint_update       constraint.update           -
island                  constraint.island        *  always
wake_moved              constraint.sleep            ntree sleep|plugin:mujoco.elasticity.cable
wake_tendon             constraint.sleep            sleep ntendon
wake_collision          constraint.sleep            sleep
wake_equality           constraint.sleep            sleep
sleep_trees             constraint.sleep            sleep ntree
solve_newton            solve.newton             *? solver constrained
hessian_dense           solve.hessian_dense      *? solver:newton constrained !sparse
hessian_sparse          solve.hessian_sparse     ?  solver:newton constrained sparse
solve_cg                solve.cg                 ?  solver constrained
solve_pgs               solve.pgs                ?  solver constrained
force_cost              solve.pgs                ?  dual constrained
solve_noslip            solve.noslip             ?  noslip constrained
sensor_pos              sense.position              nsensor
sensor_vel              sense.velocity              nsensor
sensor_acc              sense.acceleration          nsensor
derivative_velocity     step.derivative             implicit
derivative_bias         step.derivative_bias        full_implicit
derivative_fluid        step.derivative_fluid       implicit|discrete fluid passive
derivative_flex         step.derivative_flex        implicit nflex damping
inverse_weights         step.weights             *+ always
diagonal_inertia        step.weights             *+ always
flex_weights            step.flex_weights        +  nflexedge
compare_inverse         step.inverse                fwdinv
point_jacobian          dynamics.jacobian           -
subtree_jacobian        dynamics.jacobian           -
jacobian_rate           dynamics.jacobian           -
mul_inertia             dynamics.products           -
mul_inertia_root        dynamics.products           -
solve_inertia           dynamics.products           -
solve_inertia_root      dynamics.products           -
full_inertia            dynamics.products           -
joint_force             dynamics.products           -
motion_force            dynamics.products           -
mul_jacobian            constraint.products         -
mul_jacobian_transposed constraint.products         -
difference_pos          step.coordinates            -
advance_pos             step.coordinates            -
unit_quaternions        step.coordinates            -
step_skip               step.forward                -
check_positions         step.checks                 -
check_velocities        step.checks                 -
check_accelerations     step.checks                 -
finite_transition       step.derivative_fd          -
finite_inverse          step.derivative_fd          -
roll_out                step.rollout                -
call_plugins            plugins.calls               nplugin
plugin_pid_rates        plugins.pid              ?  plugin:mujoco.pid
plugin_pid_forces       plugins.pid              ?  plugin:mujoco.pid
plugin_cable            plugins.cable            ?  plugin:mujoco.elasticity.cable
plugin_touch_grid       plugins.touch_grid       ?  plugin:mujoco.sensor.touch_grid
sdf_bolt                plugins.sdf_shapes          plugin:mujoco.sdf.bolt
sdf_bowl                plugins.sdf_shapes          plugin:mujoco.sdf.bowl
sdf_gear                plugins.sdf_shapes          plugin:mujoco.sdf.gear
sdf_nut                 plugins.sdf_shapes          plugin:mujoco.sdf.nut
sdf_torus               plugins.sdf_shapes          plugin:mujoco.sdf.torus
sdf_torus_gradient      plugins.sdf_shapes       ?  plugin:mujoco.sdf.torus contacts
sdf_distance            plugins.sdf_field        ?  fields
sdf_gradient            plugins.sdf_field        ?  fields contacts
sdf_new_path            plugins.sdf_field        ?  fields contacts
sdf_no_paths            plugins.sdf_field        ?  fields
hook_control            -                           -
hook_passive            -                           -
hook_sensor             -                           -
hook_act_dyn            -                           -
hook_act_gain           -                           -
hook_act_bias           -                           -
hook_contactfilter      -                           -
hook_time               -                           -
indices_differ          step.checks              *? always
collide_plane_solid     collide.plane_solid      ?  pair
tree_constants          step.reference           *+ always
reference_constants     step.reference           *+ always
spring_constants        step.reference           *+ always
model_structure         step.structure           *+ always
constraint_rate         constraint.rate          ?  equality changed:jdot_bias|discrete
surface_velocity        constraint.surface       ?  uses:SURFACE contacts
extra_forces            dynamics.extra              uses:POLYNOMIAL|uses:DRIVE passive
extra_slopes            dynamics.extra              uses:POLYNOMIAL|uses:DRIVE euler|implicit|discrete
extra_derivative        dynamics.extra              uses:POLYNOMIAL|uses:DRIVE implicit
extra_energy            dynamics.extra              uses:POLYNOMIAL energy|sensed:energy_pos
drive_inertia           dynamics.extra              uses:DRIVE
drive_diagonal          dynamics.extra           +  uses:DRIVE
run_worlds              step.worlds                 -
world_jacobian          step.world_queries          -
world_rays              step.world_queries          -
hook_warning            -                           -
ccd_clip                collide.ccd_clip         ?  convex|speculative native multiccd changed:multi_clip|speculative
free_bodies             step.free_body              ntree !full_implicit implicit|discrete changed:free_turn|discrete
solve_pgs_momentum      solve.pgs_momentum       ?  solver:solve_pgs constrained changed:pgs_momentum
collide_box_face        collide.box_face         ?  pair:collide_box_box changed:box_clip
reset_history           sense.history               uses:HISTORY
delayed_controls        sense.history            ? uses:HISTORY nu actuated
sensor_history          sense.history            ? uses:HISTORY nsensor
push_history            sense.history               uses:HISTORY
sensor_rays             sense.rays                  rays
run_lanes               lanes.run                   -
shape_constants         step.shapes                 -
tendon_wrench           dynamics.tendon_wrench   ?  spatial changed:tendon_pull sensed:rne_post
exact_diagonal          constraint.exact         ?  diagexact constrained
servo_forces            dynamics.servos             uses:SERVO actuated
servo_limits            dynamics.servos             uses:SERVO actuated
metric                  dynamics.metric             discrete
metric_acceleration     dynamics.metric             discrete
implicit_rows           constraint.implicit_rows ?  discrete constrained
reset_plastic           dynamics.plastic            uses:PLASTIC
plastic_forces          dynamics.plastic            uses:PLASTIC passive
plastic_energy          dynamics.plastic            uses:PLASTIC energy|sensed:energy_pos
plastic_flow            dynamics.plastic            uses:PLASTIC
collide_ahead           collide.ahead            ?  speculative contacts
adhesive_forces         dynamics.adhesion        ?  uses:ADHESION contacts passive
adhesive_rows           constraint.adhesive      ?  uses:ADHESION contacts
begin_solution          solve.driver                -
end_solution            solve.driver                -
newton_of_lanes         lanes.newton                -
drive_velocity          step.forward                -
count_substeps          step.integrate              -
forget_substeps         step.integrate              -
length_pulls            step.length_range        ?+ ranged
"""

# Compiled functions called only from Python, most of them while a model is read. They have no cell in the table of
# addresses. The compiled functions of the public interface are not listed: they follow from its rows (see api.entries).
LOADERS = """
hash_texts              description.language.hashes
place_names             description.language.hashes
principal_axes          geom.principal
leaf_trees              geom.mesh_kernels
face_boxes              geom.mesh_kernels
mesh_winding            geom.mesh_winding
turned_boxes            geom.turned_boxes
fill_records            .render.gl.record_kernels
caster_bounds           .render.gl.record_kernels
spans                   geom.spans
solid_volumes           geom.solids
solid_moments           geom.solids
solid_bounds            geom.solids
geom_faults             description.compile.placing
size_faults             description.compile.placing
joint_faults            description.compile.placing
geom_totals             description.compile.placing
body_frames             description.compile.placing
collect_geoms           description.compile.placing
unit_quats              description.compile.placing
world_poses             description.compile.placing
copy_columns            description.compile.columns
tree_topology           description.compile.structure
diagonal_bodies         description.compile.structure
mesh_weld               geom.mesh_kernels
mesh_normals            geom.mesh_kernels
mesh_measure            geom.mesh_kernels
mesh_polygons           geom.polygons
hull_edges              geom.hull_lists
obj_count               geom.mesh_obj
obj_read                geom.mesh_obj
text_words              geom.mesh_text
text_numbers            geom.mesh_text
stl_corners             geom.mesh_text
wave_count              geom.mesh_text
wave_read               geom.mesh_text
cut_polygons            geom.mesh_text
marks_random            geom.random64
signed_distances        geom.mesh_distance
pick_triangles          geom.octree
sample_field            geom.marching
march                   geom.marching
enter_call              calls.compiled
enter_stage             calls.compiled
public_mjv_updateScene    .render.scene.calls
public_mjv_initGeom       .render.scene.calls
public_mjv_connector      .render.scene.calls
public_mjv_defaultFreeCamera .render.scene.calls
"""


class StageRow(NamedTuple):
    """One row. `needed`: words for the kinds of models that use the stage; empty if no model needs it."""

    name: str
    module: str
    needed: tuple
    depends: bool
    common: bool
    compiling: bool = False


def _parse(line: str) -> StageRow:
    name, module, *words = line.split()
    marks = words.pop(0) if words[0].strip("?*+") == "" else ""
    return StageRow(name, module, tuple(w for w in words if w != "-"), "?" in marks, "*" in marks, "+" in marks)


ROWS = [_parse(line) for line in STAGES.strip().splitlines()]
PLACES = {row.name: [k] for k, row in enumerate(ROWS)}

# ---- cells of the table: constants in machine code, so new stages do not move the cells after them -----------------
ROOM = 512
# the stage that computes only one type of sensor, by type
SENSORS = ROOM
# number of the stage that must run before a type of sensor (0: none), by sensor stage and type
SENSOR_NEEDS = SENSORS + sensor_rows.TYPES
SENSOR_STAGES = ("pos", "vel", "acc")
# the stage of each solver, by number
SOLVERS = SENSOR_NEEDS + len(SENSOR_STAGES) * sensor_rows.TYPES
# the stages of passive forces that only Tumble has, and of their derivatives, in the order of their rows
FORCES = SOLVERS + solver_rows.KINDS
FORCE_DERIVATIVES = FORCES + force_rows.ROOM
# the stages of equality constraints that only Tumble has, by number
EQUALITIES = FORCE_DERIVATIVES + force_rows.ROOM
# the user's collision function for each pair of geom types, lower type first
GEOM_TYPES = geom_rows.KINDS
USER_PAIRS = EQUALITIES + equality_rows.KINDS
# the stages of actuator models that only Tumble has, by number: values of gains, biases and dynamics, and their derivatives
ACTUATORS = USER_PAIRS + GEOM_TYPES * GEOM_TYPES
GAINS, GAINS_BY_LENGTH, GAINS_BY_VELOCITY, BIASES, BIASES_BY_LENGTH, BIASES_BY_VELOCITY, DYNAMICS = (
    ACTUATORS + k * actuator_rows.KINDS for k in range(7)
)
SIZE = DYNAMICS + actuator_rows.KINDS
# value of a cell without a row
ABSENT = -1
# {cell: initial value}; the value is ABSENT, or the number of the stage that a sensor needs. All other cells are 0 until a
# stage is compiled.
FILLED: dict[int, int] = {}


def _fill(places: Iterable[int]) -> None:
    FILLED.update(dict.fromkeys(places, ABSENT))


def _enter_sensors() -> None:
    _fill(range(SENSORS, SENSOR_NEEDS))
    for row in sensor_rows.ROWS:
        name = sensor_rows.stage_of(row)
        if name:
            FILLED[SENSORS + row.number] = 0
            if name not in PLACES:
                ROWS.append(StageRow(name, row.kernel, ("sensed",), False, False))
            PLACES.setdefault(name, []).append(SENSORS + row.number)
        for phase, need in row.needs.items():
            FILLED[SENSOR_NEEDS + SENSOR_STAGES.index(phase) * sensor_rows.TYPES + row.number] = PLACES[need][0]


def _enter_solvers() -> None:
    _fill(range(SOLVERS, SOLVERS + solver_rows.KINDS))
    for row in solver_rows.ROWS:
        FILLED[SOLVERS + row.number] = 0
        if row.stage not in PLACES:
            ROWS.append(StageRow(row.stage, row.module, ("solver", "constrained"), True, False))
        PLACES.setdefault(row.stage, []).append(SOLVERS + row.number)


def _enter_forces() -> None:
    _fill(range(FORCE_DERIVATIVES, EQUALITIES))
    for k, row in enumerate(force_rows.OURS):
        ROWS.append(StageRow(row.force_stage, row.force, row.needs, False, False))
        PLACES.setdefault(row.force_stage, []).append(FORCES + k)
        if row.derivative:
            FILLED[FORCE_DERIVATIVES + k] = 0
            ROWS.append(StageRow(row.derivative_stage, row.derivative, ("implicit", *row.needs), False, False))
            PLACES.setdefault(row.derivative_stage, []).append(FORCE_DERIVATIVES + k)


def _enter_equalities() -> None:
    _fill(range(EQUALITIES, USER_PAIRS))
    for row in equality_rows.OURS:
        FILLED[EQUALITIES + row.number] = 0
        ROWS.append(StageRow(row.stage, row.kernel, ("equality", "related"), True, False))
        PLACES.setdefault(row.stage, []).append(EQUALITIES + row.number)


# first cells of the stages that return values (""), and of the stages that return derivatives
_ACTUATORS = {
    "gain": {"": GAINS, "by_length": GAINS_BY_LENGTH, "by_velocity": GAINS_BY_VELOCITY},
    "bias": {"": BIASES, "by_length": BIASES_BY_LENGTH, "by_velocity": BIASES_BY_VELOCITY},
    "dyn": {"": DYNAMICS},
}


def _enter_actuators():
    _fill(range(ACTUATORS, SIZE))
    for row in actuator_rows.OURS:
        for which, name in row.stages.items():
            place = _ACTUATORS[row.what][which] + row.number
            FILLED[place] = 0
            needs = ("implicit|discrete",) if which else ()
            ROWS.append(StageRow(name, row.kernel, ("actuated", "driven", *needs), False, False))
            PLACES.setdefault(name, []).append(place)


_enter_sensors()
_enter_solvers()
_enter_forces()
_enter_equalities()
_enter_actuators()
LOADER_MODULE = {name: module for name, module in map(str.split, LOADERS.strip().splitlines())}
MODULE = {row.name: row.module for row in ROWS} | LOADER_MODULE
# stages called only while a model is loaded
COMPILING = {row.name for row in ROWS if row.compiling}
NUMBER = {name: places[0] for name, places in PLACES.items()}
NAME = {k: name for name, places in PLACES.items() for k in places}


def stage_id(name: str) -> int:
    """Return the number of a stage, a constant for kernels."""
    return NUMBER[name]


def stage_ids(names: str) -> tuple[int, ...]:
    """Return the numbers of several stages, whose names are separated by spaces in `names`."""
    return tuple(stage_id(name) for name in names.split())


def names() -> list[str]:
    """Return all stages that have code (hooks have none)."""
    return [row.name for row in ROWS if row.module != "-"]


def everything() -> list[str]:
    """Return everything that can be compiled for a model: stages, and functions called while models are loaded."""
    return [*names(), *LOADER_MODULE]
