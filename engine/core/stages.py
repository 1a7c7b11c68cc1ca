"""The table of stages: name, module. A stage's position is its number in compiled code.

Compiled code calls stages through `TABLE`, an array of addresses, so each stage is compiled, cached, timed and replaced on
its own, and only what a model needs is compiled at all. A zero entry makes the caller stop with status MISSING; `recover`
then imports the module, compiles or maps the stage, and the caller's step is run again from its start.
"""
import importlib

import numpy as np

from . import jit
from .lang import invoke, invoke_index, longs_at

STAGES = """
reset_data            step.reset
step_many             step.forward
forward_skip          step.forward
forward_substep       step.again
forward_after_sleep   step.again
fwd_kinematics        step.forward
step1                 step.forward
step2                 step.forward
inverse_skip          step.inverse
inv_position          step.inverse
inv_constraint        solve.inverse
rne_inverse           step.inverse
reset_sleep           step.sleeping
fwd_position          step.forward
fwd_velocity          step.forward
solve_constraint      solve.driver
euler                 step.integrate
runge_kutta           step.integrate
implicit              step.implicit
copy_data             step.state
pack_state            step.state
unpack_state          step.state
kinematics            dynamics.kinematics
com_pos               dynamics.com
camlight              dynamics.camlight
flex_pos              dynamics.flex
tendon                dynamics.tendon
tendon_spatial        dynamics.tendon
tendon_vel            dynamics.tendon
tendon_passive        dynamics.tendon_force
tendon_armature       dynamics.tendon_force
tendon_bias           dynamics.tendon_force
tendon_bias_inverse   dynamics.tendon_force
transmission          dynamics.transmission
transmission_general  dynamics.transmission
make_inertia          dynamics.inertia
composite_bodies      dynamics.inertia
factor_inertia        dynamics.inertia
com_vel               dynamics.velocity
subtree_vel           dynamics.subtree
flex_vel              dynamics.flex
passive               dynamics.passive
fluid                 dynamics.fluid
flex_passive          dynamics.elastic
rne                   dynamics.rne
rne_full              dynamics.rne
rne_post              dynamics.rne_post
object_velocity       dynamics.objects
object_acceleration   dynamics.objects
contact_force         dynamics.objects
actuation             dynamics.actuation
muscle_forces         dynamics.actuation
energy_pos            dynamics.energy
energy_vel            dynamics.energy
smooth_acceleration   dynamics.acceleration
collision             collide.driver
broad_phase           collide.broad
collide_primitive     collide.primitive
collide_box           collide.box
collide_box_box       collide.box_box
collide_plane_mesh    collide.plane_mesh
collide_convex        collide.convex
ccd                   collide.ccd
ccd_multi             collide.ccd_multi
mpr                   collide.mpr
collide_hfield        collide.hfield
collide_sdf           collide.sdf
geom_distance         collide.distance
collide_flex          collide.flex
ray                   collide.ray
ray_one               collide.ray
multi_ray             collide.ray
make_constraint       constraint.make
equality_rows         constraint.equality
tendon_friction_rows  constraint.tendon
tendon_limit_rows     constraint.tendon
contact_rows          constraint.contact
flex_contact_rows     constraint.flex
contact_passive       constraint.flex
project_constraint    constraint.project
reference_constraint  constraint.reference
constraint_update     constraint.update
island                constraint.island
wake_moved            constraint.sleep
wake_tendon           constraint.sleep
wake_collision        constraint.sleep
wake_equality         constraint.sleep
sleep_trees           constraint.sleep
solve_newton          solve.newton
hessian_dense         solve.hessian_dense
hessian_sparse        solve.hessian_sparse
solve_cg              solve.cg
solve_pgs             solve.pgs
force_cost            solve.pgs
solve_noslip          solve.noslip
sensor_pos            sense.position
sensor_vel            sense.velocity
sensor_acc            sense.acceleration
sensor_rare           sense.position
sensor_range          sense.range
sensor_distance       sense.distance
sensor_contact        sense.contact
sensor_touch          sense.touch
sensor_tactile        sense.tactile
derivative_velocity   step.derivative
derivative_bias       step.derivative_bias
derivative_fluid      step.derivative_fluid
derivative_flex       step.derivative_flex
inverse_weights       step.weights
diagonal_inertia      step.weights
flex_weights          step.flex_weights
compare_inverse       step.inverse
point_jacobian        dynamics.jacobian
subtree_jacobian      dynamics.jacobian
jacobian_rate         dynamics.jacobian
mul_inertia           dynamics.products
mul_inertia_root      dynamics.products
solve_inertia         dynamics.products
solve_inertia_root    dynamics.products
full_inertia          dynamics.products
joint_force           dynamics.products
motion_force          dynamics.products
mul_jacobian          constraint.products
mul_jacobian_transposed constraint.products
difference_pos        step.coordinates
advance_pos           step.coordinates
unit_quaternions      step.coordinates
step_skip             step.forward
check_positions       step.checks
check_velocities      step.checks
check_accelerations   step.checks
finite_transition     step.derivative_fd
finite_inverse        step.derivative_fd
roll_out              step.rollout
call_plugins          plugins.calls
plugin_pid_rates      plugins.pid
plugin_pid_forces     plugins.pid
plugin_cable          plugins.cable
plugin_touch_grid     plugins.touch_grid
sdf_bolt              plugins.sdf_shapes
sdf_bowl              plugins.sdf_shapes
sdf_gear              plugins.sdf_shapes
sdf_nut               plugins.sdf_shapes
sdf_torus             plugins.sdf_shapes
sdf_torus_gradient    plugins.sdf_shapes
sdf_distance          plugins.sdf_field
sdf_gradient          plugins.sdf_field
sdf_new_path          plugins.sdf_field
sdf_no_paths          plugins.sdf_field
hook_control          -
hook_passive          -
hook_sensor           -
hook_act_dyn          -
hook_act_gain         -
hook_act_bias         -
hook_contactfilter    -
hook_time             -
"""

ROWS = [tuple(line.split()) for line in STAGES.strip().splitlines()]
NUMBER = {name: k for k, (name, _) in enumerate(ROWS)}
# behind the stages: the user's collision function for each pair of geom types, lower type first
GEOM_TYPES = 9
USER_PAIRS = len(ROWS)
TABLE = np.zeros(len(ROWS) + GEOM_TYPES * GEOM_TYPES, np.int64)

# status of a Data after a compiled call
OK, MISSING, GROW, BROKEN, RAISED, NO_PLUGIN = 0, 1, 2, 3, 4, 5

# the table of plugins (see core.plugin): a row for each slot
PLUGIN_COLUMNS = ("capabilities", "needstage", "compute", "advance", "actuator_act_dot", "reset", "sdf_distance", "sdf_gradient")
PLUGIN_WIDTH, PLUGIN_SLOTS = len(PLUGIN_COLUMNS), 1024
ABSENT = -1
# when plugins are called
AT_RATES, AT_FORCES, AT_PASSIVE, AT_POS, AT_VEL, AT_ACC, AT_ADVANCE, AT_RESET = range(8)
CALL_PLUGINS = NUMBER["call_plugins"]


def stage_id(name):
    """Number of a stage, for use as a constant in kernels."""
    return NUMBER[name]


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


def names():
    """All stages that have code (hooks have none of their own)."""
    return [name for name, module in ROWS if module != "-"]


def find(name):
    """The Stage object of a row; imports its module."""
    module = importlib.import_module(f"..{ROWS[NUMBER[name]][1]}", __package__)
    return getattr(module, name)


def ensure(name):
    """Compile or map a stage and enter its address in the table."""
    k = NUMBER[name]
    if not TABLE[k]:
        TABLE[k] = find(name).address
    return TABLE[k]


class EngineError(RuntimeError):
    """A compiled stage stopped for a reason that running it again cannot mend."""


def recover(d):
    """Mend what stopped a compiled call: a missing stage, or too little room for contacts and constraints."""
    status, argument = d.status, d.status_arg
    d.status = OK
    if status == MISSING:
        ensure(ROWS[argument][0])
    elif status == GROW:
        d.grow()
    elif status == NO_PLUGIN:
        importlib.import_module(".plugin", __package__).prepare_cell(argument)
    elif status == RAISED:
        # by name: what kernels are made of does not depend on it
        hooks = importlib.import_module(".hooks", __package__)
        raise hooks.take_error(d._addr) or EngineError("a callback failed")
    elif status == BROKEN:
        report = importlib.import_module(".report", __package__)
        raise report.FatalError(report.broken_text(d, argument))
    else:
        raise EngineError(f"stage failed with status {status}, argument {argument}")


def check_model(m, d):
    """ValueError unless a Data has the sizes of a Model: a copy of its own one will do."""
    n = len(m.schema.sizes)
    if (d._header[:n] != m._header[:n]).any():
        raise ValueError("this MjData was made for another MjModel")


def call(name, m, d, *args):
    """Run a stage from Python until it completes."""
    if d.model is not m:
        check_model(m, d)
    entry = find(name) if not TABLE[NUMBER[name]] else jit.Stage.registry[name]
    if not TABLE[NUMBER[name]]:
        ensure(name)
    while True:
        d.status = OK
        result = entry(m._addr, d._addr, *args)
        if d.status == OK:
            return result
        recover(d)
