"""Plugins: which instance each element uses, attributes as text, sizes of their states and sensor data, meshes of distance fields."""

from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np

from ...core import plugin
from ...core.enums import mjtPluginCapabilityBit, mjtSensor
from ...geom.mesh_read import MeshError, Raw
from ..elements.elements import compile_error

ACTUATOR, SENSOR, PASSIVE, SDF = (int(mjtPluginCapabilityBit[f"mjPLUGIN_{n}"]) for n in ("ACTUATOR", "SENSOR", "PASSIVE", "SDF"))
USERS = {"body": PASSIVE, "geom": SDF, "mesh": SDF, "actuator": ACTUATOR, "sensor": SENSOR}
WHAT = {ACTUATOR: "actuators", SENSOR: "sensors", PASSIVE: "passive forces", SDF: "signed distance fields"}
PLUGIN_SENSOR = int(mjtSensor.mjSENS_PLUGIN)


class _Registered(Mapping):
    """The plugins by name, as they are registered at the moment."""

    def __getitem__(self, name):
        found, _ = plugin.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self):
        return iter(plugin.names())

    def __len__(self):
        return plugin.count()


PLUGINS = _Registered()
# sum of the grid cells of a distance field along the three axes
GRID = 300.0


def instance_of(c, e):
    """Id of the plugin instance that an element uses, or -1; checks that it can be used so."""
    ref = e.raw["plugin"]
    if ref is None or not ref.raw["active"]:
        return -1
    name = ref.raw["name"]
    if not name and not ref.raw["plugin_name"]:
        raise compile_error(e, "neither 'plugin' nor 'instance' is given")
    if name:
        i = c.need("plugin", name, e, "plugin instance")
        given = ref.raw["plugin_name"]
        if given and given != c.plugin.elems[i].raw["plugin_name"]:
            raise compile_error(e, f"the instance '{name}' is not of plugin '{given}'")
    else:
        i = next((k for k, p in enumerate(c.plugin.elems) if p is ref.source), -1)
        if i < 0:
            raise compile_error(e, "the plugin instance is missing")
    kind = c.plugin.elems[i].raw["plugin_name"]
    found = PLUGINS.get(kind)
    if kind not in c.spec.active_plugins or found is None:
        raise compile_error(e, f"plugin '{kind}' is not activated in an extension", kind, tuple(c.spec.active_plugins))
    if not found.capabilityflags & USERS[e.kind]:
        raise compile_error(e, f"plugin '{kind}' does not support {WHAT[USERS[e.kind]]}")
    return i


def attribute_text(e):
    """(plugin, its slot, the attributes' texts in the plugin's order, each ended by a zero) of an instance."""
    kind = e.raw["plugin_name"]
    found, slot = plugin.find(kind)
    if found is None:
        raise compile_error(e, f"unknown plugin '{kind}'", kind, tuple(plugin.names()))
    for key in e.config:
        if key not in found.attributes:
            raise compile_error(e, f"unrecognized attribute 'plugin:{key}' for plugin '{kind}'", key, found.attributes)
    return found, slot, b"".join(e.config.get(a, "").encode() + b"\0" for a in found.attributes) or b"\0"


class Draft(SimpleNamespace):
    """What nstate and nsensordata of plugins can read of a model that is not made yet.

    nplugin, plugin, plugin_attradr, plugin_attr (by `plugin.config`), nbody, ngeom, nu, nsensor and the body_plugin, geom_plugin,
    actuator_plugin, sensor_plugin that go with them, actuator_actnum, actuator_dyntype.
    """

    def array(self, name):
        """An array by its name."""
        return getattr(self, name)


def _draft(c, slots):
    attr = b"".join(c.plugin_attr)
    lengths = np.array([len(a) for a in c.plugin_attr], np.int64)
    m = Draft(nplugin=c.plugin.n, plugin=np.array(slots), plugin_attradr=np.cumsum(lengths) - lengths,
              plugin_attr=np.frombuffer(attr, np.uint8), nu=c.actuator.n, nbody=c.body.n, ngeom=c.geom.n, nsensor=c.sensor.n)
    for kind in ("body", "geom", "actuator", "sensor"):
        setattr(m, kind + "_plugin", getattr(c, kind).instance)
    if c.actuator.n:
        m.actuator_actnum, m.actuator_dyntype = c.actuator.actdim, c.actuator.dyntype
    return m


def _count(function, e, what, *args):
    """A number that a plugin gives itself, or by a function."""
    try:
        n = function if isinstance(function, int) else 0 if function is None else function(*args)
        n = int(n)
    except Exception as error:
        raise compile_error(e, f"{what} of plugin '{e.raw['plugin_name']}' failed: {error}") from error
    if n < 0:
        raise compile_error(e, f"{what} of plugin '{e.raw['plugin_name']}' is negative: {n}")
    return n


def resolve_plugins(c):
    """Instances of all users; attribute texts and state sizes of all instances."""
    for kind in USERS:
        table = getattr(c, kind)
        uses = [kind != "sensor" or table.type[i] == PLUGIN_SENSOR for i in range(table.n)]
        table.instance = np.array([instance_of(c, e) if uses[i] else -1 for i, e in enumerate(table.elems)], dtype=np.int64)
    rows = [attribute_text(e) for e in c.plugin.elems]
    c.plugin_slots, c.plugin_attr = [r[1] for r in rows], [r[2] for r in rows]
    c.plugin_draft = _draft(c, c.plugin_slots)
    c.plugin_state = [_count(r[0].nstate, e, "nstate", c.plugin_draft, i) for i, (e, r) in enumerate(zip(c.plugin.elems, rows, strict=True))]


def sensor_plugin(c, s, i, e):
    """Dimension and stage of a plugin sensor."""
    instance = int(s.instance[i])
    if instance < 0:
        raise compile_error(e, "neither 'plugin' nor 'instance' is given")
    owner = c.plugin.elems[instance]
    found = PLUGINS[owner.raw["plugin_name"]]
    s.needstage[i] = found.needstage
    s.dim[i] = _count(found.nsensordata, owner, "nsensordata", c.plugin_draft, instance, i)


def pack_plugins(c, m):
    """Plugin ids of bodies, geoms, actuators and sensors; slots, attributes, states of instances."""
    for name in ("body", "geom", "actuator", "sensor"):
        getattr(m, name + "_plugin")[:] = getattr(c, name).instance
    if not c.plugin.n:
        return
    m.plugin[:] = c.plugin_slots
    m.plugin_attradr[:] = c.plugin_draft.plugin_attradr
    m.array("plugin_attr")[:] = c.plugin_draft.plugin_attr
    states = np.array(c.plugin_state)
    m.plugin_statenum[:], m.plugin_stateadr[:] = states, np.cumsum(states) - states


# ---- meshes of distance fields ---------------------------------------------------------------------------------------------
def field_config(c, e):
    """(plugin, attribute texts) of a mesh whose surface is that of a distance field."""
    owner = c.plugin.elems[instance_of(c, e)]
    found, _, text = attribute_text(owner)
    if found.sdf_staticdistance is None or found.sdf_aabb is None:
        raise compile_error(e, f"plugin '{found.name}' has no sdf_staticdistance or no sdf_aabb: it can make no mesh")
    return found, [t.decode() for t in text.split(b"\0")[:-1]]


def field_mesh(c, e):
    """The surface of a distance field as a raw mesh, by marching cubes over the field's box."""
    if any(x != 1 for x in e.raw["scale"]):
        raise MeshError("scale cannot be combined with a signed distance field")
    found, texts = field_config(c, e)
    attributes, box = np.zeros(max(1, len(found.attributes))), np.zeros(6)
    try:
        if found.sdf_attribute is not None:
            found.sdf_attribute(attributes[:len(found.attributes)], found.attributes, texts)
        found.sdf_aabb(box, attributes[:len(found.attributes)])
        source = _surface(found, attributes, box)
    except ValueError as error:
        raise MeshError(f"plugin '{found.name}': {error}") from error
    # the frame of the field stays that of the mesh
    source.fixed_frame = True
    return source


def _surface(found, attributes, box):
    # 1.4 ms that models without meshes of distance fields need not pay
    from ...geom.marching import march_cubes, sample_field
    half = box[3:]
    if not (np.isfinite(box).all() and (half > 0).all()):
        raise ValueError(f"sdf_aabb gives a box without a size: {box.tolist()}")
    shape = np.floor(GRID / half.sum() * half).astype(int) + 1
    if (shape < 2).any():
        raise ValueError(f"the box of sdf_aabb is too thin: {box.tolist()}")
    grid = np.zeros(tuple(shape[::-1]), np.float32)
    address = plugin.address_of_code(found.sdf_staticdistance)
    if address:
        sample_field(address, attributes.ctypes.data, box.ctypes.data, *map(int, shape), grid.ctypes.data)
    else:
        axes = [box[k] - half[k] + 2 * half[k] * np.arange(shape[k]) / (shape[k] - 1) for k in range(3)]
        for k, z in enumerate(axes[2]):
            for j, y in enumerate(axes[1]):
                grid[k, j] = [found.sdf_staticdistance(np.array((x, y, z)), attributes[:len(found.attributes)]) for x in axes[0]]
    vert, normal, face = march_cubes(grid)
    scaled = 2 * half * vert.astype(np.float64) / (shape - 1) + box[:3] - half
    source = Raw(scaled.astype(np.float32).astype(np.float64), face)
    source.normal = normal
    return source
