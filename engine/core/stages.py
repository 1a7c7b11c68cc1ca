"""The table of stages: name, module, which models need it. A stage's position is its number in compiled code: new rows go to the end.

Compiled code calls stages through `TABLE`, an array of addresses, so each stage is compiled, cached, timed and replaced on
its own, and only what a model needs is compiled at all. A zero entry makes the caller stop with status MISSING; `recover`
then imports the module, compiles or maps the stage, and the caller's step is run again from its start.

The last column says which models use a stage when they are loaded, stepped and viewed, in the words of `step.needs`: all of them
must hold, `a|b` is either, `!a` is not. `-` is a stage that only functions of the library call. Marks before it:

    ?   such a model uses it only in some states or on some requests: when something touches, when lengths are asked for
    *   nearly every model needs it: compiled before one is read
    +   compiling a model calls it, stepping and viewing do not
"""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import edits, equality_rows, force_rows, geom_rows, jit, owner, sensor_rows, solver_rows
from .lang import invoke, invoke_index, longs_at
from .schema import SCHEMAS

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
solve_inertia           dynamics.products        ?  ranged
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
"""

# compiled functions that are called from Python alone, most of them while a model is read: they have no place in the table of addresses.
# Those of public functions follow from their rows (see api.entries).
LOADERS = """
hash_texts              description.language.hashes
place_names             description.language.hashes
principal_axes          geom.principal
leaf_trees              geom.mesh_kernels
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
marks_random            geom.random64
signed_distances        geom.mesh_distance
pick_triangles          geom.octree
sample_field            geom.marching
march                   geom.marching
enter_call              core.calls
enter_stage             core.calls
public_mjv_updateScene    .render.scene.calls
public_mjv_initGeom       .render.scene.calls
public_mjv_connector      .render.scene.calls
public_mjv_defaultFreeCamera .render.scene.calls
"""


class Row(NamedTuple):
    """One row. `needed`: words that hold for models that use the stage, empty if none does by itself."""

    name: str
    module: str
    needed: tuple
    depends: bool
    common: bool
    compiling: bool = False


def _parse(line):
    name, module, *words = line.split()
    marks = words.pop(0) if words[0].strip("?*+") == "" else ""
    return Row(name, module, tuple(w for w in words if w != "-"), "?" in marks, "*" in marks, "+" in marks)


ROWS = [_parse(line) for line in STAGES.strip().splitlines()]
PLACES = {row.name: [k] for k, row in enumerate(ROWS)}

# ---- places in the table: constants in machine code, so stages can be added without moving what lies behind them -----------------------
ROOM = 512
# the stage that computes a type of sensor alone, by type; a row of `sensor_rows` is its row here
SENSORS = ROOM
# number of the stage that must run before a type of sensor is computed (0: none), by the sensor's stage and type
SENSOR_NEEDS = SENSORS + sensor_rows.TYPES
SENSOR_STAGES = ("pos", "vel", "acc")
# the stage of each solver, by number
SOLVERS = SENSOR_NEEDS + len(SENSOR_STAGES) * sensor_rows.TYPES
# the stages of passive forces of ours, and of their derivatives, in the order of their rows
FORCES = SOLVERS + solver_rows.KINDS
FORCE_DERIVATIVES = FORCES + force_rows.ROOM
# the stages of equality constraints of ours, by number
EQUALITIES = FORCE_DERIVATIVES + force_rows.ROOM
# the user's collision function for each pair of geom types, lower type first
GEOM_TYPES = geom_rows.KINDS
USER_PAIRS = EQUALITIES + equality_rows.KINDS
TABLE = np.zeros(USER_PAIRS + GEOM_TYPES * GEOM_TYPES, np.int64)
TABLE_ADDRESS: int = TABLE.ctypes.data
ABSENT = -1


def _enter_sensors():
    TABLE[SENSORS:SENSOR_NEEDS] = ABSENT
    for row in sensor_rows.ROWS:
        name = sensor_rows.stage_of(row)
        if name:
            TABLE[SENSORS + row.number] = 0
            if name not in PLACES:
                ROWS.append(Row(name, row.kernel, ("sensed",), False, False))
            PLACES.setdefault(name, []).append(SENSORS + row.number)
        for phase, need in row.needs.items():
            TABLE[SENSOR_NEEDS + SENSOR_STAGES.index(phase) * sensor_rows.TYPES + row.number] = PLACES[need][0]


def _enter_solvers():
    TABLE[SOLVERS : SOLVERS + solver_rows.KINDS] = ABSENT
    for row in solver_rows.ROWS:
        TABLE[SOLVERS + row.number] = 0
        if row.stage not in PLACES:
            ROWS.append(Row(row.stage, row.module, ("solver", "constrained"), True, False))
        PLACES.setdefault(row.stage, []).append(SOLVERS + row.number)


def _enter_forces():
    TABLE[FORCE_DERIVATIVES:EQUALITIES] = ABSENT
    for k, row in enumerate(force_rows.OURS):
        ROWS.append(Row(row.force_stage, row.force, row.needs, False, False))
        PLACES.setdefault(row.force_stage, []).append(FORCES + k)
        if row.derivative:
            TABLE[FORCE_DERIVATIVES + k] = 0
            ROWS.append(Row(row.derivative_stage, row.derivative, ("implicit", *row.needs), False, False))
            PLACES.setdefault(row.derivative_stage, []).append(FORCE_DERIVATIVES + k)


def _enter_equalities():
    TABLE[EQUALITIES:USER_PAIRS] = ABSENT
    for row in equality_rows.OURS:
        TABLE[EQUALITIES + row.number] = 0
        ROWS.append(Row(row.stage, row.kernel, ("equality", "related"), True, False))
        PLACES.setdefault(row.stage, []).append(EQUALITIES + row.number)


_enter_sensors()
_enter_solvers()
_enter_forces()
_enter_equalities()
LOADER_MODULE = {name: module for name, module in map(str.split, LOADERS.strip().splitlines())}
MODULE = {row.name: row.module for row in ROWS} | LOADER_MODULE
# what only loading a model calls
COMPILING = {row.name for row in ROWS if row.compiling}
NUMBER = {name: places[0] for name, places in PLACES.items()}
NAME = {k: name for name, places in PLACES.items() for k in places}
owner.STAGE_NAMES.update(NAME)
# the same numbers, for looks at single ones
_ENTRIES = TABLE.data

# status of a Data after a compiled call
OK, MISSING, GROW, BROKEN, RAISED, NO_PLUGIN, WATCH, EDITED = 0, 1, 2, 3, 4, 5, 6, 7
# stages that look for edits of the Model when they are called with the status WATCH and the address of a table (see core.edits)
LOOKING = frozenset(("step_many", "forward_skip", "inverse_skip", "step1", "step2", "indices_differ"))
# those of them that something else stands in the place of (see core.debug): it need not know of this
REPLACED: set[str] = set()
# how many stages have something else in their place, or may have: then compiled calls (see core.calls) leave everything to Python
LAYERED = np.zeros(1, np.int64)
# bits of Data.full: of these no more are made than there is room for; the room is the reference's (core.arena)
FULL_CONTACTS, FULL_ROWS, LIMITED = 1, 2, 4

# the table of plugins (see core.plugin): a row for each slot
PLUGIN_COLUMNS = (
    "capabilities",
    "needstage",
    "compute",
    "advance",
    "actuator_act_dot",
    "reset",
    "sdf_distance",
    "sdf_gradient",
)
PLUGIN_WIDTH, PLUGIN_SLOTS = len(PLUGIN_COLUMNS), 1024
# when plugins are called
AT_RATES, AT_FORCES, AT_PASSIVE, AT_POS, AT_VEL, AT_ACC, AT_ADVANCE, AT_RESET = range(8)
CALL_PLUGINS = NUMBER["call_plugins"]


def stage_id(name) -> int:
    """Number of a stage, for use as a constant in kernels."""
    return NUMBER[name]


def stage_ids(names) -> tuple[int, ...]:
    """Numbers of several stages, named in one text."""
    return tuple(stage_id(name) for name in names.split())


@jit.inline
def table_entry(d, k):
    """Address of row k of the stage table, or 0."""
    return longs_at(d.stage_table, k + 1)[k]


@jit.inline
def run(m, d, k):
    """Call stage k; False if the caller must stop (see Data.status)."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address == 0:
        d.status = MISSING
        d.status_arg = k
        return False
    invoke(address, m, d)
    return d.status == OK


@jit.inline
def stage_address(d, k):
    """Address of stage k, or 0 with the status set."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address == 0:
        d.status = MISSING
        d.status_arg = k
    return address


@jit.inline
def run_for(m, d, k, i):
    """Call stage k for element i; a place that no row fills (ABSENT) does nothing. False if the caller must stop."""
    address = stage_address(d, k)
    if address == ABSENT:
        return True
    if address != 0:
        invoke_index(address, m, d, i)
    return d.status == OK


@jit.inline
def call_hook(m, d, k):
    """Call a user's function of (Model, Data) if one is set."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address != 0:
        invoke(address, m, d)


@jit.inline
def run_plugins(m, d, when):
    """Call the plugins that have a part in a phase (AT_...); False if the caller must stop."""
    if m.nplugin == 0:
        return True
    address = longs_at(d.stage_table, CALL_PLUGINS + 1)[CALL_PLUGINS]
    if address == 0:
        d.status = MISSING
        d.status_arg = CALL_PLUGINS
        return False
    invoke_index(address, m, d, when)
    return d.status == OK


@jit.inline
def plugin_function(m, d, instance, column):
    """Address of a function of an instance's plugin, ABSENT if it has none, 0 with the status set if it must be prepared first."""
    k = PLUGIN_WIDTH * m.plugin[instance] + column
    address = longs_at(d.plugin_table, k + 1)[k]
    if address == 0:
        d.status = NO_PLUGIN
        d.status_arg = k
    return address


@jit.inline
def instance_data(m, d, instance):
    """Address of what a compiled plugin keeps for an instance: as `plugin_data`, which scripts can write over."""
    return longs_at(d.plugin_cells, m.nplugin)[instance]


def names() -> list[str]:
    """All stages that have code (hooks have none of their own)."""
    return [row.name for row in ROWS if row.module != "-"]


def everything() -> list[str]:
    """All that is ever compiled for models: stages, and what their loading calls by itself."""
    return [*names(), *LOADER_MODULE]


def find(name) -> Any:
    """The Stage object of a row; imports its module."""
    # all modules of stages take 0.4 s to import, and a model needs some of them
    module = importlib.import_module(f"..{MODULE[name]}", __package__)
    return getattr(module, name)


def ensure(name) -> Any:
    """Compile or map a stage and enter its address in the table."""
    k = NUMBER[name]
    if not TABLE[k]:
        TABLE[PLACES[name]] = find(name).address
    return TABLE[k]


class EngineError(RuntimeError):
    """A compiled stage stopped for a reason that running it again cannot mend."""


# status: function of (Data, status_arg) that mends the cause or raises the error; modules above enter theirs
RECOVERIES = {MISSING: lambda _, k: ensure(NAME[k]), GROW: lambda d, _: d.grow()}


def recovery(status) -> Callable[..., Any]:
    """Decorator for the function that mends a status, or tells why it cannot."""

    def enter(function):
        RECOVERIES[status] = function
        return function

    return enter


def recover(d, m) -> None:
    """Mend what stopped a compiled call: a missing stage or plugin function, too little room for contacts and constraints."""
    status, argument = d.status, d.status_arg
    d.status = OK
    if status == EDITED:
        edits.accept(m, d)
        return
    if status not in RECOVERIES:
        raise EngineError(f"stage failed with status {status}, argument {argument}")
    RECOVERIES[status](d, argument)


# the cell of a Data's header that says how a call ended
STATUS, STATUS_ARG = (SCHEMAS["MjData"].slot[n] for n in ("status", "status_arg"))


def check_model(m, d) -> None:
    """ValueError unless a Data has the sizes of a Model: a copy of its own one will do. InvalidModel if its indices are wrong."""
    n = len(m.schema.sizes)
    if (d.storage.header[:n] != m.storage.header[:n]).any():
        raise ValueError("this MjData was made for another MjModel")
    edits.trust(m)


def check_edits(m, d) -> None:
    """InvalidModel if an index was changed to one that is out of range."""
    edits.trust(m)
    if m.storage.table:
        call("indices_differ", m, d)


def look(m, table, cells) -> tuple | None:
    """Have the next compiled call look for edits of what a table lists. The result must be held until the call is over: it is read there."""
    table = table if table[0] else edits.make_table(m)
    if table is not None:
        cells[STATUS_ARG], cells[STATUS] = table[0], WATCH
    return table


def call(name, m, d, *args) -> Any:
    """Run a stage from Python until it completes. DataInUse if another thread works on the Data."""
    if d.model is not m:
        check_model(m, d)
    number = NUMBER[name]
    if not _ENTRIES[number]:
        ensure(name)
    entry, model, data = jit.Stage.registry[name], m.storage.address, d.storage
    cells = data.integers
    table = m.storage.table if name in LOOKING and name not in REPLACED else None
    depth = owner.enter(data, number)
    try:
        while True:
            cells[STATUS] = OK
            if table:
                table = look(m, table, cells)
            result = entry(model, data.address, *args)
            if cells[STATUS] == OK:
                return result
            recover(d, m)
            # what was accepted for this Data may go on to differ for others: it is looked at once
            table = None
    finally:
        owner.leave(data, depth)
