"""Plugins: which instance each element uses, attributes as text, sizes of their states and sensor data."""

import numpy as np

from .elements import compile_error

ACTUATOR, SENSOR, PASSIVE, SDF = 1, 2, 4, 8


class PluginRow:
    """What a plugin can do, the attributes it takes, when it is needed and how many numbers it senses."""

    def __init__(self, capability, attributes, stage=0, nsensor=None):
        self.capability, self.attributes, self.stage, self.nsensor = capability, attributes.split(), stage, nsensor


def _touch_size(config):
    size = [int(x) for x in config.get('size', '').split()] or [0, 0]
    return size[0] * size[1] * int(config.get('nchannel') or 1)


# in the order in which the reference numbers them
PLUGINS = {
    'mujoco.pid': PluginRow(ACTUATOR, 'kp ki kd imax slewmax'),
    'mujoco.elasticity.cable': PluginRow(PASSIVE, 'twist bend flat vmax'),
    'mujoco.sensor.touch_grid': PluginRow(SENSOR, 'nchannel size fov gamma', 3, _touch_size),
    'mujoco.sdf.bolt': PluginRow(SDF, 'radius'),
    'mujoco.sdf.bowl': PluginRow(SDF, 'height radius thickness'),
    'mujoco.sdf.gear': PluginRow(SDF, 'alpha diameter teeth thickness innerdiameter'),
    'mujoco.sdf.nut': PluginRow(SDF, 'radius'),
    'mujoco.sdf.torus': PluginRow(SDF, 'radius1 radius2'),
    'mujoco.sdf.sdflib': PluginRow(SDF, 'aabb'),
}
USERS = {'body': PASSIVE, 'geom': SDF, 'mesh': SDF, 'actuator': ACTUATOR, 'sensor': SENSOR}
WHAT = {ACTUATOR: 'actuators', SENSOR: 'sensors', PASSIVE: 'passive forces', SDF: 'signed distance fields'}


def instance_of(c, e):
    """Id of the plugin instance that an element uses, or -1; checks that it can be used so."""
    ref = e.raw['plugin']
    if ref is None or not ref.raw['active']:
        return -1
    name = ref.raw['name']
    if not name and not ref.raw['plugin_name']:
        raise compile_error(e, "neither 'plugin' nor 'instance' is given")
    if name:
        i = c.need('plugin', name, e, 'plugin instance')
        given = ref.raw['plugin_name']
        if given and given != c.plugin.elems[i].raw['plugin_name']:
            raise compile_error(e, f"the instance '{name}' is not of plugin '{given}'")
    else:
        i = next((k for k, p in enumerate(c.plugin.elems) if p is ref.source), -1)
        if i < 0:
            raise compile_error(e, 'the plugin instance is missing')
    kind = c.plugin.elems[i].raw['plugin_name']
    if kind not in c.spec.active_plugins or kind not in PLUGINS:
        raise compile_error(e, f"plugin '{kind}' is not activated in an extension", kind, tuple(c.spec.active_plugins))
    if not PLUGINS[kind].capability & USERS[e.kind]:
        raise compile_error(e, f"plugin '{kind}' does not support {WHAT[USERS[e.kind]]}")
    return i


def resolve_plugins(c):
    """Instances of all users; attribute texts and state sizes of all instances."""
    for kind in USERS:
        table = getattr(c, kind)
        if kind == 'sensor':
            table.instance = np.array([instance_of(c, e) if table.type[i] == PLUGIN_SENSOR else -1
                                       for i, e in enumerate(table.elems)], dtype=np.int64)
        else:
            table.instance = np.array([instance_of(c, e) for e in table.elems], dtype=np.int64)
    c.plugin_attr, c.plugin_state = [], []
    for e in c.plugin.elems:
        row = PLUGINS.get(e.raw['plugin_name'])
        if row is None:
            raise compile_error(e, f"unknown plugin '{e.raw['plugin_name']}'", e.raw['plugin_name'], tuple(PLUGINS))
        for key in e.config:
            if key not in row.attributes:
                raise compile_error(e, f"unrecognized attribute 'plugin:{key}' for plugin '{e.raw['plugin_name']}'", key, tuple(row.attributes))
        text = b''.join(e.config.get(a, '').encode() + b'\0' for a in row.attributes) or b'\0'
        c.plugin_attr.append(text)
        # none of the shipped plugins keeps a state of its own
        c.plugin_state.append(0)


PLUGIN_SENSOR = 47


def sensor_plugin(c, s, i, e):
    """Dimension and stage of a plugin sensor."""
    if s.instance[i] < 0:
        raise compile_error(e, "neither 'plugin' nor 'instance' is given")
    instance = c.plugin.elems[s.instance[i]]
    row = PLUGINS[instance.raw['plugin_name']]
    s.needstage[i] = row.stage
    try:
        s.dim[i] = row.nsensor(instance.config)
    except ValueError:
        raise compile_error(e, 'the configuration of the plugin holds no numbers') from None


def pack_plugins(c, m):
    """Plugin ids of bodies, geoms, actuators and sensors; slots, attributes, states of instances."""
    for name in ('body', 'geom', 'actuator', 'sensor'):
        getattr(m, name + '_plugin')[:] = getattr(c, name).instance
    if not c.plugin.n:
        return
    slots = {name: i for i, name in enumerate(PLUGINS)}
    m.plugin[:] = [slots[e.raw['plugin_name']] for e in c.plugin.elems]
    lengths = np.array([len(a) for a in c.plugin_attr])
    m.plugin_attradr[:] = np.cumsum(lengths) - lengths
    m.array('plugin_attr')[:] = np.frombuffer(b''.join(c.plugin_attr), np.uint8)
    states = np.array(c.plugin_state)
    m.plugin_statenum[:], m.plugin_stateadr[:] = states, np.cumsum(states) - states
