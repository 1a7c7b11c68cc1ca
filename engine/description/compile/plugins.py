"""Plugins: the instance that each element uses, attributes as text, sizes of states and of sensor data.

adds   actuator: instance; body: instance; geom: instance; mesh: instance; sensor: instance
"""

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core import plugin
from ...tables.enums import mjtPluginCapabilityBit, mjtSensor
from ..elements.element import Element
from ..elements.elements import compile_error
from ..language.arrays import minus_ones
from .resolve import Compilation
from .table import Table

ACTUATOR, SENSOR, PASSIVE, SDF = (
    int(mjtPluginCapabilityBit[f"mjPLUGIN_{n}"]) for n in ("ACTUATOR", "SENSOR", "PASSIVE", "SDF")
)
USERS = {"body": PASSIVE, "geom": SDF, "mesh": SDF, "actuator": ACTUATOR, "sensor": SENSOR}
WHAT = {ACTUATOR: "actuators", SENSOR: "sensors", PASSIVE: "passive forces", SDF: "signed distance fields"}
PLUGIN_SENSOR = int(mjtSensor.mjSENS_PLUGIN)


class _Registered(Mapping):
    """The currently registered plugins, by name."""

    def __getitem__(self, name: str) -> Any:
        found, _ = plugin.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(plugin.names())

    def __len__(self) -> int:
        return plugin.count()


PLUGINS = _Registered()


def instance_of(c: Compilation, e: Element) -> int:
    """Return the id of the plugin instance that an element uses, or -1. Raise an error if it cannot be used there."""
    ref = e.raw["plugin"]
    if ref is None or not ref.raw["active"]:
        return -1

    # the instance is given by name, or belongs to the element
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

    # the plugin must be active and suit the element
    kind = c.plugin.elems[i].raw["plugin_name"]
    found = PLUGINS.get(kind)
    if kind not in c.spec.active_plugins or found is None:
        raise compile_error(e, f"plugin '{kind}' is not activated in an extension", kind, tuple(c.spec.active_plugins))
    if not found.capabilityflags & USERS[e.kind]:
        raise compile_error(e, f"plugin '{kind}' does not support {WHAT[USERS[e.kind]]}")
    return i


def attribute_text(e: Element) -> Any:
    """Return (plugin, slot, attribute strings of an instance, in the plugin's order, each followed by a zero byte)."""
    kind = e.raw["plugin_name"]
    found, slot = plugin.find(kind)
    if found is None:
        raise compile_error(e, f"unknown plugin '{kind}'", kind, tuple(plugin.names()))
    for key in e.config:
        if key not in found.attributes:
            raise compile_error(e, f"unrecognized attribute 'plugin:{key}' for plugin '{kind}'", key, found.attributes)
    return found, slot, b"".join(e.config.get(a, "").encode() + b"\0" for a in found.attributes) or b"\0"


class Draft(SimpleNamespace):
    """The part of the unfinished model that a plugin's nstate and nsensordata can read.

    Fields: nplugin, plugin, plugin_attradr, plugin_attr (for `plugin.config`), nbody, ngeom, nu, nsensor, and body_plugin,
    geom_plugin, actuator_plugin, sensor_plugin, actuator_actnum, actuator_dyntype.
    """

    def array(self, name: str) -> np.ndarray:
        """Return an array by its name."""
        return getattr(self, name)


def _draft(c: Compilation, slots: list[int]) -> Draft:
    attr = b"".join(c.plugin_attr)
    lengths = np.array([len(a) for a in c.plugin_attr], np.int64)
    m = Draft(
        nplugin=c.plugin.n,
        plugin=np.array(slots),
        plugin_attradr=np.cumsum(lengths) - lengths,
        plugin_attr=np.frombuffer(attr, np.uint8),
        nu=c.actuator.n,
        nbody=c.body.n,
        ngeom=c.geom.n,
        nsensor=c.sensor.n,
    )
    for kind in ("body", "geom", "actuator", "sensor"):
        setattr(m, kind + "_plugin", getattr(c, kind).instance)
    if c.actuator.n:
        m.actuator_actnum, m.actuator_dyntype = c.actuator.actdim, c.actuator.dyntype
    return m


def _count(function: Callable[..., Any] | int | None, e: Element, what: str, *args: Any) -> int | None:
    """Return a count that a plugin gives as a number or as a function. SpecError if the count is invalid."""
    try:
        n = function if isinstance(function, int) else 0 if function is None else function(*args)
        n = int(n)
    except Exception as error:
        raise compile_error(e, f"{what} of plugin '{e.raw['plugin_name']}' failed: {error}") from error
    if n < 0:
        raise compile_error(e, f"{what} of plugin '{e.raw['plugin_name']}' is negative: {n}")
    return n


def resolve_plugins(c: Compilation) -> None:
    """Find the instances of all elements that use one; set attribute strings and state sizes of all instances."""
    for kind in USERS:
        table = getattr(c, kind)
        if not table.n:
            continue
        table.instance = minus_ones(table.n)
        for i, ref in enumerate(table.plugin):
            if ref is not None and (kind != "sensor" or table.type[i] == PLUGIN_SENSOR):
                table.instance[i] = instance_of(c, table.elems[i])
    rows = [attribute_text(e) for e in c.plugin.elems]
    c.plugin_slots, c.plugin_attr, c.plugin_state = [r[1] for r in rows], [r[2] for r in rows], []
    if rows:
        c.plugin_draft = _draft(c, c.plugin_slots)
        c.plugin_state = [
            _count(r[0].nstate, e, "nstate", c.plugin_draft, i)
            for i, (e, r) in enumerate(zip(c.plugin.elems, rows, strict=True))
        ]


def sensor_plugin(c: Compilation, s: Table, i: int, e: Element) -> None:
    """Set dimension and stage of a plugin sensor."""
    instance = int(s.instance[i])
    if instance < 0:
        raise compile_error(e, "neither 'plugin' nor 'instance' is given")
    owner = c.plugin.elems[instance]
    found = PLUGINS[owner.raw["plugin_name"]]
    s.needstage[i] = found.needstage
    s.dim[i] = _count(found.nsensordata, owner, "nsensordata", c.plugin_draft, instance, i)


def pack_plugins(c: Compilation, out: dict[str, np.ndarray]) -> None:
    """Add plugin ids of bodies, geoms, actuators and sensors; add slots, attributes and states of instances."""
    for name in ("body", "geom", "actuator", "sensor"):
        out[name + "_plugin"] = getattr(c, name).instance
    if c.plugin.n:
        states = np.array(c.plugin_state)
        out.update(
            plugin=c.plugin_slots,
            plugin_attradr=c.plugin_draft.plugin_attradr,
            plugin_attr=c.plugin_draft.plugin_attr,
            plugin_statenum=states,
            plugin_stateadr=np.cumsum(states) - states,
        )
