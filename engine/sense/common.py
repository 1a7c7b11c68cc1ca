"""Functions shared by the sensor stages: sleeping sensors, cutoffs, rows of limits."""

from ..core.stages import AT_ACC, AT_POS, AT_VEL, call_hook, run, run_for, run_plugins, table_entry
from ..dynamics.awake import ASLEEP, AWAKE, FLEX_REST, SLEEP_WHOLE, flex_state, tendon_state
from ..dynamics.objects import CAMERA, GEOM, SITE, XBODY
from ..dynamics.transmission import actuator_state
from ..machine.jit import inline, kernel
from ..tables.compat_rows import HISTORY
from ..tables.enums import mjtDataType, mjtDisableBit, mjtEnableBit, mjtObj, mjtStage
from ..tables.sensor_rows import TYPES
from ..tables.stage_rows import SENSOR_NEEDS, SENSORS, stage_id
from .catalog import types

SLEEP, NO_SENSOR = int(mjtEnableBit.mjENBL_SLEEP), int(mjtDisableBit.mjDSBL_SENSOR)
POS, VEL, ACC = (int(mjtStage[f"mjSTAGE_{n}"]) for n in ("POS", "VEL", "ACC"))
UNKNOWN, BODY, JOINT, TENDON, ACTUATOR, FLEX = (
    int(mjtObj[f"mjOBJ_{n}"]) for n in ("UNKNOWN", "BODY", "JOINT", "TENDON", "ACTUATOR", "FLEX")
)
REAL, POSITIVE = int(mjtDataType.mjDATATYPE_REAL), int(mjtDataType.mjDATATYPE_POSITIVE)
USER, PLUGIN, CONTACT, RANGEFINDER, FROMTO = types("user plugin contact rangefinder fromto")
HOOK, SENSOR_HISTORY = stage_id("hook_sensor"), stage_id("sensor_history")


@kernel
def object_state(m, d, kind, i):
    """Return the sleep state of an object; objects that cannot sleep are awake."""
    if kind == BODY or kind == XBODY:
        return d.body_awake[i]
    if kind == JOINT:
        return d.body_awake[m.jnt_bodyid[i]]
    if kind == GEOM:
        return d.body_awake[m.geom_bodyid[i]]
    if kind == SITE:
        return d.body_awake[m.site_bodyid[i]]
    if kind == CAMERA:
        return d.body_awake[m.cam_bodyid[i]]
    if kind == TENDON:
        return tendon_state(m, d, i)
    if kind == FLEX and m.compat_bits & FLEX_REST:
        return flex_state(m, d, i)
    if kind == ACTUATOR:
        return actuator_state(m, d, i)
    return AWAKE


@kernel
def asleep(m, d, i):
    """Return whether sensor i keeps its last value because the objects that it observes sleep.

    Some of these objects may be static, but at least one must sleep.
    """
    if m.features & HISTORY and m.compat_bits & SLEEP_WHOLE and m.sensor_history[i, 0] > 0:
        return False
    kind, obj, ref = m.sensor_type[i], m.sensor_objtype[i], m.sensor_reftype[i]
    if kind == USER or kind == PLUGIN or kind == RANGEFINDER or kind == CONTACT and (obj == SITE or ref == SITE):
        return False
    if obj == UNKNOWN and ref == UNKNOWN:
        return False
    a, b = object_state(m, d, obj, m.sensor_objid[i]), object_state(m, d, ref, m.sensor_refid[i])
    if obj == UNKNOWN:
        return b == ASLEEP
    if ref == UNKNOWN:
        return a == ASLEEP
    return a != AWAKE and b != AWAKE


@inline
def switched_off(m):
    """Return whether an option disables all sensors, so that they keep their values."""
    return m.opt.disableflags & NO_SENSOR != 0


@inline
def skipped(m, d, i, stage):
    """Return whether sensor i is not computed at this stage: it belongs to another stage or to a plugin, or it sleeps."""
    if m.sensor_needstage[i] != stage or m.sensor_type[i] == PLUGIN:
        return True
    return m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody and asleep(m, d, i)


@inline
def ready(m, d, kind, stage, last):
    """Run the stage whose results a sensor type reads, if its table row names one. Skip it if it is `last`, the stage that has
    just run.

    Returns the stage that has run last, or -1 if the step must stop.
    """
    if kind < 0 or kind >= TYPES:
        return last
    need = table_entry(d, SENSOR_NEEDS + (stage - POS) * TYPES + kind)
    if need == 0 or need == last:
        return last
    return need if run(m, d, need) else -1


@inline
def measure(m, d, i):
    """Compute sensor i by calling the stage that its table row names. Do nothing if the type is unknown or has no such stage.

    Return False if the step must stop.
    """
    kind = m.sensor_type[i]
    if kind < 0 or kind >= TYPES:
        return True
    return run_for(m, d, SENSORS + kind, i)


@inline
def clear_sensor(m, d, i):
    """Set all values of a sensor to zero."""
    for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
        d.sensordata[k] = 0.0


@inline
def drive_numbers(m, d, i, x):
    """Write the values of the actuator that sensor i observes: one number for each force of the actuator."""
    start = m.actuator_outadr[m.sensor_objid[i]]
    for k in range(m.sensor_dim[i]):
        d.sensordata[m.sensor_adr[i] + k] = x[start + k]


@inline
def limit_row(d, kind, i):
    """Return the first constraint row of a joint's or tendon's limit, or -1 if the limit is not active."""
    for r in range(d.ne + d.nf, d.nefc):
        if d.efc_type[r] == kind and d.efc_id[r] == i:
            return r
    return -1


@kernel
def finish(m, d, stage, users):
    """Compute the user's sensors and those of plugins, then apply the cutoffs of all sensors of a stage.

    The user's function reads the stage from Data's status_arg.
    """
    if users:
        d.status_arg = stage
        call_hook(m, d, HOOK)
    run_plugins(m, d, AT_POS if stage == POS else AT_VEL if stage == VEL else AT_ACC)

    # Apply cutoffs, except for sensor types where the cutoff has another meaning.
    for i in range(m.nsensor):
        cutoff = m.sensor_cutoff[i]
        if m.sensor_needstage[i] != stage or cutoff <= 0 or m.sensor_type[i] == FROMTO:
            continue
        kind = m.sensor_datatype[i]
        if kind != REAL and kind != POSITIVE:
            continue
        for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
            x = d.sensordata[k]
            if x > cutoff:
                d.sensordata[k] = cutoff
            elif kind == REAL and x < -cutoff:
                d.sensordata[k] = -cutoff
    if m.features & HISTORY:
        run_for(m, d, SENSOR_HISTORY, stage)
