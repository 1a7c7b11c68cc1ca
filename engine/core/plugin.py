"""Plugins: the registry, the table of addresses that compiled stages call, and the objects that each Data keeps for its
instances.

A plugin is an `mjpPlugin`: names, numbers and functions. A function is a Python callable or compiled code. A Python callable
gets objects and may raise. Compiled code (a stage, a numba cfunc, a ctypes pointer, an address) gets the addresses of the
headers of Model and Data, and runs without the interpreter lock. Built-in plugins are registered first, so they have the
same slots as in MuJoCo.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..tables.enums import mjtPluginCapabilityBit, mjtStage
from ..tables.stage_rows import ABSENT
from . import hooks, stages
from .hooks import address_of_code
from .report import FatalError, warn
from .stages import NO_PLUGIN, PLUGIN_COLUMNS, PLUGIN_SLOTS, PLUGIN_WIDTH

# functions that load the built-in plugins, called before the registry is first used
SHIPPED: list[Callable[[], object]] = []
MAX_NAME, MAX_ATTRIBUTES = 1024, 255
SDF = int(mjtPluginCapabilityBit.mjPLUGIN_SDF)

_I, _F = ctypes.c_int64, ctypes.c_double
_CALL = ctypes.CFUNCTYPE(None, _I, _I, _I, _I)
# {function: C signature of its entry in the table}
SIGNATURES = {
    "compute": _CALL,
    "advance": _CALL,
    "actuator_act_dot": _CALL,
    "reset": _CALL,
    "sdf_distance": ctypes.CFUNCTYPE(_F, _I, _I, _I, _F, _F, _F),
    "sdf_gradient": ctypes.CFUNCTYPE(None, _I, _I, _I, _F, _F, _F, _I),
}
COLUMN = {name: PLUGIN_COLUMNS.index(name) for name in SIGNATURES}

# per slot: capabilities, stage, addresses of the functions (0: not prepared yet; ABSENT: the plugin has no such function)
TABLE = np.zeros((PLUGIN_SLOTS, PLUGIN_WIDTH), np.int64)
_LOCK = threading.RLock()
_slots: list[mjpPlugin] = []
_by_name: dict[str, int] = {}
# C entry points of Python functions, kept alive. Replaced ones are kept too, because a step may still be executing them.
_entries: dict[tuple, object] = {}
_retired: list[object] = []
# for the current `renewing` block: names that may be registered again with different members, names registered so far
_renewed: tuple[set[str], list[str]] = (set(), [])
_shipped = False


class PluginError(FatalError):
    """An error for a plugin instance that cannot be set up; `instance` is its index."""

    def __init__(self, text: str, instance: int) -> None:
        super().__init__(text)
        self.instance = instance


class mjpPlugin:  # noqa: N801
    """Description of a plugin. Only `name` and the arguments that its capabilities need are required.

        name                      unique name
        attributes                names of its configuration attributes
        capabilityflags           sum of mjtPluginCapabilityBit
        needstage                 mjtStage after which a sensor is computed
        nstate(m, instance)       how many numbers of state an instance has: an int or a function; 0 if missing
        nsensordata(m, instance, sensor_id)  size of a sensor's output: an int or a function; needed by sensors
        init(m, d, instance)      set up an instance; what it returns is kept as the instance's data, see `MjData.plugin_object`
                                  (compiled functions find the address of a returned array in `plugin_data`)
        destroy(d, instance)      called when a Data is deleted
        copy(dest, m, src, instance)  called when a Data is copied; viewers draw copies
        reset(m, plugin_state, plugin_data, instance)  plugin_state is None before collisions and rays of a distance field
        compute(m, d, instance, capability_bit)  forces, sensor data; calls in the same state must give the same results
        advance(m, d, instance)   called when time advances
        visualize(m, d, opt, scn, instance)  called by mjv_updateScene before the model is drawn
        actuator_act_dot(m, d, instance)  writes act_dot of the instance's actuators
        sdf_distance(point, d, instance), sdf_gradient(gradient, point, d, instance)  in the geom's frame
        sdf_staticdistance(point, attributes)  used to make the mesh
        sdf_attribute(attribute, names, values)  texts to numbers, with defaults
        sdf_aabb(aabb, attributes)  centre and half sizes of a box around the surface

    m and d are the MjModel and the MjData; nstate and nsensordata get a draft of the model (see
    engine.description.compile.plugins). Compiled functions: `v(M, D, instance, i)` for compute (i: capability), reset (i:
    1 with state), advance and actuator_act_dot; `f(M, D, instance, x, y, z)` and `v(M, D, instance, x, y, z, address of 3
    numbers)` for distance and gradient; `f(x, y, z, address of attributes)` for sdf_staticdistance.
    """

    __slots__ = (
        "name",
        "attributes",
        "capabilityflags",
        "needstage",
        "nstate",
        "nsensordata",
        "init",
        "destroy",
        "copy",
        "reset",
        "compute",
        "advance",
        "visualize",
        "actuator_act_dot",
        "sdf_distance",
        "sdf_gradient",
        "sdf_staticdistance",
        "sdf_attribute",
        "sdf_aabb",
    )

    def __init__(
        self,
        name: str = "",
        attributes: Sequence[str] = (),
        capabilityflags: Any = 0,
        needstage: Any = mjtStage.mjSTAGE_NONE,
        **functions: Any,
    ) -> None:
        for key in self.__slots__:
            setattr(self, key, functions.pop(key, None))
        if functions:
            raise TypeError(f"mjpPlugin has no member {next(iter(functions))!r}; it has {', '.join(self.__slots__)}")
        self.name, self.attributes, self.capabilityflags, self.needstage = name, attributes, capabilityflags, needstage

    @property
    def nattribute(self) -> int:
        """Number of configuration attributes."""
        return len(self.attributes)

    def same(self, other: Any) -> bool:
        """Return whether all members of two descriptions are equal."""
        return all(getattr(self, k) == getattr(other, k) for k in self.__slots__)

    def __repr__(self) -> str:
        return f"<mjpPlugin {self.name!r}>"


# ---- registry ----------------------------------------------------------------------------------------------------------
def _load_shipped() -> None:
    global _shipped
    if not _shipped:
        with _LOCK:
            if not _shipped:
                _shipped = True
                for load in SHIPPED:
                    load()


def _check(p: mjpPlugin) -> None:
    """Check and normalize a description; FatalError if it is invalid."""
    # check name and attributes
    if not isinstance(p.name, str) or not p.name:
        raise FatalError("the name of a plugin must be a non-empty text")
    if len(p.name.encode()) >= MAX_NAME:
        raise FatalError(f"the name of a plugin is longer than {MAX_NAME - 1} bytes")
    if isinstance(p.attributes, str):
        raise FatalError(f"plugin '{p.name}': attributes must be a sequence of names, not one text")
    p.attributes = tuple(p.attributes)
    if len(p.attributes) > MAX_ATTRIBUTES:
        raise FatalError(f"plugin '{p.name}': more than {MAX_ATTRIBUTES} attributes")
    if not all(isinstance(a, str) and a and len(a.encode()) < MAX_NAME for a in p.attributes):
        raise FatalError(f"plugin '{p.name}': an attribute is not a name of 1 to {MAX_NAME - 1} bytes")

    # check capabilities
    p.capabilityflags, p.needstage = int(p.capabilityflags), int(p.needstage)
    if p.capabilityflags & ~sum(map(int, mjtPluginCapabilityBit)):
        raise FatalError(f"plugin '{p.name}': unknown capability in {p.capabilityflags}")

    # check that functions are callable
    for key in p.__slots__[4:]:
        function = getattr(p, key)
        number = key in ("nstate", "nsensordata") and isinstance(function, int)
        compiled = key in SIGNATURES or key == "sdf_staticdistance"
        if function is not None and not callable(function) and not number and not (compiled and address_of_code(function)):
            raise FatalError(f"plugin '{p.name}': {key} is not a function")

    # check that each capability has the functions that it needs
    if p.capabilityflags & ~SDF and p.compute is None:
        raise FatalError(f"plugin '{p.name}': compute is missing")
    if p.capabilityflags & mjtPluginCapabilityBit.mjPLUGIN_SENSOR and p.nsensordata is None:
        raise FatalError(f"plugin '{p.name}': nsensordata is missing")
    if p.capabilityflags & SDF and (p.sdf_distance is None or p.sdf_gradient is None):
        raise FatalError(f"plugin '{p.name}': sdf_distance or sdf_gradient is missing")


@contextmanager
def renewing(replaceable: Iterable[str] = ()) -> Iterator[list[str]]:
    """Inside a block, allow plugins of these names to be registered again with different members. A running Data then calls the
    new functions.

    Yields a list that collects the name of every plugin registered in the block.
    """
    global _renewed
    _load_shipped()
    with _LOCK:
        before, _renewed = _renewed, (set(replaceable), [])
        try:
            yield _renewed[1]
        finally:
            _renewed = before


def _renew(slot: int, p: mjpPlugin) -> None:
    """Replace the description in a slot. The machine code of the old description stays alive, because a step may be executing
    it."""
    for key in [key for key in _entries if key[0] == slot]:
        _retired.append(_entries.pop(key))
    _retired.append(_slots[slot])
    _slots[slot] = mjpPlugin(**{k: getattr(p, k) for k in p.__slots__})
    TABLE[slot] = 0
    TABLE[slot, 0], TABLE[slot, 1] = p.capabilityflags, p.needstage


def register(p: Any) -> int:
    """Register a plugin and return its slot. An equal description returns the same slot; FatalError if a different plugin has
    the name.
    """
    _load_shipped()
    if not isinstance(p, mjpPlugin):
        raise TypeError(f"mjp_registerPlugin needs an mjpPlugin, got {type(p).__name__}")
    _check(p)
    with _LOCK:
        replaceable, registered = _renewed
        registered.append(p.name)

        # a plugin with this name exists already
        slot = _by_name.get(p.name)
        if slot is not None:
            if not _slots[slot].same(p) and p.name in replaceable:
                _renew(slot, p)
            elif not _slots[slot].same(p):
                raise FatalError(f"plugin '{p.name}' is already registered, with other members")
            return slot

        # a plugin with a new name
        if len(_slots) == PLUGIN_SLOTS:
            raise FatalError(f"no room for more than {PLUGIN_SLOTS} plugins")
        slot = len(_slots)
        # keep a copy: later changes of the caller's description have no effect
        kept = mjpPlugin(**{k: getattr(p, k) for k in p.__slots__})
        TABLE[slot] = 0
        TABLE[slot, 0], TABLE[slot, 1] = kept.capabilityflags, kept.needstage
        _slots.append(kept)
        _by_name[kept.name] = slot
        return slot


def count() -> int:
    """Return the number of registered plugins."""
    _load_shipped()
    return len(_slots)


def at(slot: int) -> mjpPlugin | None:
    """Return the plugin in a slot, or None."""
    _load_shipped()
    return _slots[slot] if 0 <= slot < len(_slots) else None


def find(name: str) -> tuple[mjpPlugin, int] | tuple[None, int]:
    """Return (plugin, slot) of a name; (None, -1) if there is none."""
    _load_shipped()
    slot = _by_name.get(name, -1)
    return (_slots[slot], slot) if slot >= 0 else (None, -1)


def names() -> list[str]:
    """Return the names of all plugins, by slot."""
    _load_shipped()
    return [p.name for p in _slots]


# ---- functions for compiled code ----------------------------------------------------------------------------------------
def _python_entry(p: mjpPlugin, name: str) -> Callable[..., Any]:
    """Return a function that takes addresses and calls a plugin's Python function with the objects at these addresses."""
    function, live, guard = getattr(p, name), hooks.live, hooks.guard
    if name == "compute":
        return lambda m, d, i, bit: guard(lambda: function(live(m), live(d), i, bit), d, None, model=m)
    if name == "reset":
        return lambda m, d, i, whole: guard(
            lambda: function(live(m), state_of(live(m), live(d), i) if whole else None, live(d).plugin_object(i), i), d, None
        )
    if name == "sdf_distance":
        return lambda m, d, i, x, y, z: guard(lambda: float(function(np.array((x, y, z)), live(d), i)), d, 0.0)
    if name == "sdf_gradient":
        return lambda m, d, i, x, y, z, out: guard(lambda: _gradient(function, live(d), i, (x, y, z), out), d, None)
    return lambda m, d, i, _: guard(lambda: function(live(m), live(d), i), d, None, model=m)


def _gradient(function: Callable[..., Any], d: Any, instance: int, point: Sequence[float], out: int) -> None:
    """Call a Python gradient function and write its result to the address `out`."""
    g = np.zeros(3)
    function(g, np.array(point), d, instance)
    (ctypes.c_double * 3).from_address(out)[:] = g.tolist()


def state_of(m: Any, d: Any, instance: int) -> np.ndarray:
    """Return a view of the state of an instance."""
    start = int(m.plugin_stateadr[instance])
    return d.plugin_state[start : start + int(m.plugin_statenum[instance])]


def prepare(slot: int, name: str) -> None:
    """Store the address of one function of a plugin in the table."""
    p = at(slot)
    if p is None:
        raise FatalError(f"invalid plugin slot: {slot} (registered plugins: {len(_slots)})")
    with _LOCK:
        function, cell = getattr(p, name), COLUMN[name]
        if TABLE[slot, cell]:
            return
        if function is None:
            TABLE[slot, cell] = ABSENT
            return
        address = address_of_code(function)
        if not address:
            entry = _entries[slot, name] = SIGNATURES[name](_python_entry(p, name))
            address = address_of_code(entry)
        TABLE[slot, cell] = address


@stages.recovery(NO_PLUGIN)
def prepare_cell(_: Any, k: int) -> None:
    """Prepare cell k of the table when a compiled stage finds it empty."""
    slot, cell = divmod(k, PLUGIN_WIDTH)
    prepare(slot, PLUGIN_COLUMNS[cell])


# ---- instances -----------------------------------------------------------------------------------------------------------
def config(m: Any, instance: int, attribute: str) -> str | None:
    """Return the text of an instance's configuration attribute; None for unknown instances or attributes."""
    if not 0 <= instance < m.nplugin:
        return None
    p = at(int(m.plugin[instance]))
    if p is None or attribute not in p.attributes:
        return None
    raw = m.array("plugin_attr")
    start = int(m.plugin_attradr[instance])
    stop = int(m.plugin_attradr[instance + 1]) if instance + 1 < m.nplugin else len(raw)
    texts = raw[start:stop].tobytes().split(b"\0")
    return texts[p.attributes.index(attribute)].decode()


def number(m: Any, instance: int, attribute: str, default: float | None = 0.0) -> Any:
    """Return a configuration attribute as a number, `default` if it is empty. ValueError for other text."""
    text = (config(m, instance, attribute) or "").strip()
    if not text:
        return default
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"attribute '{attribute}' is not a number: '{text}'") from None


def numbers(m: Any, instance: int, attribute: str) -> list[float]:
    """Return a configuration attribute as numbers. ValueError for other text."""
    text = config(m, instance, attribute) or ""
    try:
        return [float(x) for x in text.split()]
    except ValueError:
        raise ValueError(f"attribute '{attribute}' does not hold numbers: '{text}'") from None


class Instances:
    """The objects that a Data keeps for its model's plugin instances: the results of their init functions."""

    def __init__(self, m: Any, d: Any) -> None:
        self.objects = [None] * m.nplugin
        # Addresses of the arrays among the objects, for compiled code.
        # They are outside the Data's buffer, so copies do not change them.
        self.cells = np.zeros(m.nplugin, np.int64)
        self.plugins: list[mjpPlugin] = []
        self.started = 0
        d.plugin_table, d.plugin_cells = TABLE.ctypes.data, self.cells.ctypes.data
        d.plugin[:] = m.plugin
        for i, slot in enumerate(m.plugin.tolist()):
            p = at(slot)
            if p is None:
                raise PluginError(f"invalid plugin slot: {slot} (is the plugin registered?)", i)
            self.plugins.append(p)

    def start(self, m: Any, d: Any) -> None:
        """Set up all instances. PluginError if an init function fails."""
        stages.ensure("call_plugins")
        for i, p in enumerate(self.plugins):
            # after integration, a step can no longer stop to prepare a function, so prepare all of them here
            prepare(int(m.plugin[i]), "advance")
            if p.init is not None:
                try:
                    made = p.init(m, d, i)
                except Exception as error:
                    self.destroy(d)
                    raise PluginError(f"plugin->init failed for plugin id {i} ('{p.name}'): {error}", i) from error
                self.set(d, i, made)
            self.started = i + 1

    def set(self, d: Any, i: int, made: Any) -> None:
        """Store an object for instance i."""
        if isinstance(made, np.ndarray) and not made.flags.c_contiguous:
            raise PluginError(f"the array that plugin->init returned for plugin id {i} is not contiguous", i)
        self.objects[i] = made
        self.cells[i] = made.ctypes.data if isinstance(made, np.ndarray) else 0
        d.plugin_data[i] = self.cells[i]

    def copied(self, d: Any, source: Any) -> None:
        """Let plugins copy their own storage after a Data was overwritten with a copy of another one."""
        for i, p in enumerate(self.plugins):
            if p.copy is not None:
                p.copy(d, d.model, source, i)

    def destroy(self, d: Any) -> None:
        """Let plugins release their own storage."""
        for i in range(self.started):
            if self.plugins[i].destroy is not None:
                try:
                    self.plugins[i].destroy(d, i)
                except Exception as error:
                    # this may run during garbage collection, where no caller could catch an error
                    warn(f"plugin '{self.plugins[i].name}': destroy failed: {error}")
        self.started = 0


def visualize(m: Any, d: Any, opt: Any, scn: Any) -> None:
    """Let plugins draw, in the order of the instances."""
    kept = d.plugin_instances
    if kept is not None:
        for i, p in enumerate(kept.plugins):
            if p.visualize is not None:
                p.visualize(m, d, opt, scn, i)


__all__ = [
    "Instances",
    "NO_PLUGIN",
    "PluginError",
    "at",
    "config",
    "count",
    "find",
    "mjpPlugin",
    "names",
    "number",
    "numbers",
    "prepare",
    "register",
    "renewing",
    "state_of",
    "visualize",
]
