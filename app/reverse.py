"""Makes undo entries for intents on the simulation. The physics thread makes an entry before it applies the intent, and holds
the simulation's lock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ui import intents as I
from ..ui.element_names import joint_title, name
from ..ui.intents import Entry
from .pacing import SPEEDS
from .settable import read_field, read_flags
from .simulation import Simulation
from .state_history import read_state

TABLE: dict[type, Callable[[Simulation, Any], Entry | None]] = {}
KEY_FIELDS = ("key_time", "key_qpos", "key_qvel", "key_act", "key_mpos", "key_mquat", "key_ctrl")


# Decorator that registers in TABLE a function that makes the undo entry for one type of intent.
reverses = I.entering(TABLE)


def entry_of(sim: Simulation, intent: I.Intent) -> Entry | None:
    """Return the undo entry of an intent; None if the intent changes nothing permanently."""
    make = TABLE.get(type(intent))
    return make(sim, intent) if make and sim.m is not None else None


def state(sim: Simulation) -> I.Restore:
    """Return an intent that restores the current state."""
    assert sim.history is not None
    return I.Restore(read_state(*sim.loaded, sim.history.size))


@reverses(I.SetField)
def _field(sim: Simulation, intent: I.SetField) -> Entry:
    old = read_field(*sim.loaded, intent.path, intent.index)
    key = intent.path, str(intent.index)
    return Entry(f"{what(sim, intent)} = {shown(intent.value)}", (I.SetField(intent.path, old, intent.index),), (intent,), key)


# {field of Data or Model: type of the elements to which its rows belong}
ROW_OF = {"ctrl": "actuator", "eq_active": "equality"}
PREFIXES = {
    "body": "body",
    "jnt": "joint",
    "geom": "geom",
    "site": "site",
    "cam": "camera",
    "light": "light",
    "tendon": "tendon",
    "actuator": "actuator",
    "sensor": "sensor",
    "eq": "equality",
    "mat": "material",
}


def what(sim: Simulation, intent: I.SetField) -> str:
    """Return the name of the field that an intent sets, with the name of its element."""
    (m, _d), (head, _, attribute) = sim.loaded, intent.path.partition(".")
    index = intent.index[0] if isinstance(intent.index, tuple) else intent.index
    first = index.start if isinstance(index, slice) else index
    if head not in ("m", "d") or not isinstance(first, int | np.integer):
        return attribute
    if attribute == "qpos":
        joint = int(np.searchsorted(np.asarray(m.jnt_qposadr), first, "right")) - 1
        return joint_title(m, joint)
    prefix = attribute.partition("_")[0]
    kind = ROW_OF.get(attribute) or (PREFIXES.get(prefix) if head == "m" else None)
    return f"{attribute} of {name(m, kind, int(first)) or first}" if kind else f"{attribute}[{first}]"


def shown(value: Any) -> str:
    """Return a value as text with few digits."""
    flat = np.asarray(value).ravel()
    text = " ".join(f"{x:.4g}" for x in flat[:4].tolist()) if flat.dtype.kind in "fiub" else str(value)
    return text + (" ..." if flat.size > 4 else "")


@reverses(I.Change)
def _change(sim: Simulation, intent: I.Change) -> Entry:
    backs = [entry.back for one in intent.intents if (entry := entry_of(sim, one)) is not None]
    return Entry(intent.title, tuple(one for back in reversed(backs) for one in back), intent.intents)


@reverses(I.SetBit)
def _bit(sim: Simulation, intent: I.SetBit) -> Entry:
    m, _d = sim.loaded
    old = bool(read_flags(m, intent.name) & intent.bit)
    return Entry(
        f"{intent.name}: bit {intent.bit.bit_length() - 1} {'set' if intent.value else 'cleared'}",
        (I.SetBit(intent.name, intent.bit, old),),
        (intent,),
    )


@reverses(I.Reset)
def _reset(sim: Simulation, intent: I.Reset) -> Entry:
    return Entry("Reset", (state(sim),), (intent,))


@reverses(I.LoadKey)
def _load_key(sim: Simulation, intent: I.LoadKey) -> Entry:
    return Entry(f"Keyframe {name(sim.loaded[0], 'key', intent.key)} loaded", (state(sim),), (intent,))


@reverses(I.SaveKey)
def _save_key(sim: Simulation, intent: I.SaveKey) -> Entry | None:
    m, _d = sim.loaded
    if not 0 <= intent.key < m.nkey:
        return None
    back = tuple(I.SetField(f"m.{f}", np.array(getattr(m, f)[intent.key]), intent.key) for f in KEY_FIELDS)
    return Entry(f"Keyframe {name(m, 'key', intent.key)} saved", back, (intent,))


@reverses(I.SetSpeed)
def _speed(sim: Simulation, intent: I.SetSpeed) -> Entry:
    index = min(max((sim.speed if intent.index is None else intent.index) + intent.notches, 0), len(SPEEDS) - 1)
    return Entry(f"Speed {SPEEDS[index]:g} %", (I.SetSpeed(sim.speed),), (I.SetSpeed(index),), "speed")


@reverses(I.SetNoise)
def _noise(sim: Simulation, intent: I.SetNoise) -> Entry:
    assert sim.noise is not None
    return Entry("Noise", (I.SetNoise(sim.noise.std, sim.noise.rate),), (intent,), "noise")


@reverses(I.SetLoop)
def _loop(sim: Simulation, intent: I.SetLoop) -> Entry:
    return Entry(
        f"{intent.name.replace('_', ' ').capitalize()}: {shown(intent.value)}",
        (I.SetLoop(intent.name, getattr(sim, intent.name)),),
        (intent,),
    )


@reverses(I.ClearControls)
def _clear_controls(sim: Simulation, intent: I.ClearControls) -> Entry:
    return Entry("Controls cleared", (I.SetField("d.ctrl", np.array(sim.loaded[1].ctrl)),), (intent,))


@reverses(I.ResetJoint)
def _reset_joint(sim: Simulation, intent: I.ResetJoint) -> Entry:
    (m, d), j = sim.loaded, intent.joint
    begin = int(m.jnt_qposadr[j])
    spot = slice(begin, int(m.jnt_qposadr[j + 1]) if j + 1 < m.njnt else m.nq)
    return Entry(
        f"{joint_title(m, j)} back to its initial position", (I.SetField("d.qpos", np.array(d.qpos[spot]), spot),), (intent,)
    )


@reverses(I.Perturb)
def _pull(sim: Simulation, intent: I.Perturb) -> Entry | None:
    """Return one undo entry for a whole pull with the mouse, from its start to its release."""
    active = bool(intent.values.get("active", 0))
    if active and sim.pulled is None:
        sim.pulled = state(sim)
    if active or sim.pulled is None:
        return None
    before, sim.pulled = sim.pulled, None
    if intent.still:
        return None
    body, (m, d) = int(sim.pert.select), sim.loaded
    # Releasing the mouse clears the force of the pull.
    d.xfrc_applied[body] = 0.0
    return Entry(f"{name(m, 'body', body) or 'body'} pulled", (before,), (state(sim),))
