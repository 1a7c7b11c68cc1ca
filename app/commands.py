"""Actions on the simulation: a small function for each intent. All run on the physics thread, under the simulation's lock."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .. import engine as mj
from ..engine.description.load import origin_of
from ..engine.description.robots.folder import write_folder
from ..engine.description.save import export_xml
from ..ui import intents as I
from . import trajectory
from .doctor.examine import patient
from .files import free_name
from .pacing import SPEEDS
from .recorder import reader
from .reverse import entry_of
from .robots import report_of
from .settable import read_flags, set_field
from .simulation import Simulation
from .state_history import read_state

Reply = Callable[[str, Any], None]
TABLE: dict[type, Callable[[Simulation, Any, Reply], None]] = {}
# One Step intent makes at most this many steps, because the simulation loop waits until they are done.
MOST_STEPS = 10_000
# characters that are replaced in a robot's name to make the name of its folder
FOREIGN = re.compile(r"[^\w.-]+")
SAVE_NAMES = {
    "log": "session.zip",
    "motion": "motion.npz",
    "xml": "mjmodel.xml",
    "mjb": "mjmodel.mjb",
    "model": "MJMODEL.TXT",
    "data": "MJDATA.TXT",
}


handles = I.entering(TABLE)


def apply(sim: Simulation, intent: I.Intent, reply: Reply) -> None:
    """Run one intent. Without a model, only settings of the loop have an effect.

    `reply(kind, value)` answers the main thread: ("clipboard", text), ("log", text), ("saved", text), ("done", Entry).
    """
    if sim.m is None and not isinstance(intent, I.SetRunning | I.SetSpeed | I.SetLoop):
        return
    entry = entry_of(sim, intent)
    with logged(sim, intent):
        TABLE[type(intent)](sim, intent, reply)
    if entry is not None:
        reply("done", entry)


@contextmanager
def logged(sim: Simulation, intent: I.Intent) -> Iterator[None]:
    """Log an intent, but not the intents and changes that it causes."""
    log = sim.log
    if log is None:
        yield
        return
    log.intent(intent)
    log.inside = True
    try:
        yield
    finally:
        log.inside = False
        # While kernels are compiled, the derived quantities are updated as far as possible.
        if sim.rough:
            sim.note_state()


@handles(I.Together)
def _together(sim: Simulation, intent: I.Together, reply: Reply) -> None:
    for one in intent.intents:
        TABLE[type(one)](sim, one, reply)


@handles(I.Change)
def _change(sim: Simulation, intent: I.Change, reply: Reply) -> None:
    for one in intent.intents:
        TABLE[type(one)](sim, one, reply)


@handles(I.Examine)
def _examine(sim: Simulation, intent: I.Examine, reply: Reply) -> None:
    reply("examine", patient(sim, intent.mark))


@handles(I.Restore)
def _restore(sim: Simulation, intent: I.Restore, _reply: Reply) -> None:
    sim.restore(intent.state)


@handles(I.SetRunning)
def _running(sim: Simulation, intent: I.SetRunning, _reply: Reply) -> None:
    sim.set_running(intent.value)


@handles(I.Step)
def _step(sim: Simulation, intent: I.Step, _reply: Reply) -> None:
    assert sim.history is not None
    if intent.count < 0:
        sim.running = False
        sim.history.restore(*sim.loaded, sim.history.position + intent.count)
    elif not sim.running and sim.history.position < 0:
        sim.history.restore(*sim.loaded, sim.history.position + intent.count)
    elif not sim.running:
        for _ in range(min(intent.count, MOST_STEPS)):
            sim.single_step()
    sim.stale = True


@handles(I.Scrub)
def _scrub(sim: Simulation, intent: I.Scrub, _reply: Reply) -> None:
    assert sim.history is not None
    sim.running = False
    sim.history.restore(*sim.loaded, intent.position)
    sim.stale = True


@handles(I.ScrubTime)
def _scrub_time(sim: Simulation, intent: I.ScrubTime, reply: Reply) -> None:
    assert sim.history is not None
    _scrub(sim, I.Scrub(sim.history.nearest(intent.time)), reply)


@handles(I.Follow)
def _follow(sim: Simulation, intent: I.Follow, reply: Reply) -> None:
    assert sim.recorder is not None
    good = []
    for channel in intent.channels:
        try:
            reader(*sim.loaded, channel)
            good.append(channel)
        except ValueError as error:
            reply("error", f"Not plotted: {error}")
    sim.recorder.follow(tuple(good))


@handles(I.Reset)
def _reset(sim: Simulation, _intent: I.Reset, _reply: Reply) -> None:
    sim.reset()


@handles(I.LoadKey)
def _load_key(sim: Simulation, intent: I.LoadKey, _reply: Reply) -> None:
    if 0 <= intent.key < sim.loaded[0].nkey:
        sim.reset(intent.key)


@handles(I.SaveKey)
def _save_key(sim: Simulation, intent: I.SaveKey, reply: Reply) -> None:
    if 0 <= intent.key < sim.loaded[0].nkey:
        mj.mj_setKeyframe(*sim.loaded, intent.key)
        reply("log", f"State saved in keyframe {intent.key} of the model in memory")


@handles(I.SetSpeed)
def _speed(sim: Simulation, intent: I.SetSpeed, _reply: Reply) -> None:
    index = sim.speed if intent.index is None else intent.index
    sim.speed = min(max(index + intent.notches, 0), len(SPEEDS) - 1)
    sim.clock.forget()
    sim.rate.clear()


@handles(I.SetNoise)
def _noise(sim: Simulation, intent: I.SetNoise, _reply: Reply) -> None:
    assert sim.noise is not None
    sim.noise.std = sim.noise.std if intent.std is None else intent.std
    sim.noise.rate = sim.noise.rate if intent.rate is None else intent.rate


def _key(sim: Simulation, value: Any) -> None:
    sim.key = int(value)


def _switch(name: str) -> Callable[[Simulation, Any], None]:
    return lambda sim, value: setattr(sim, name, not getattr(sim, name) if value is None else bool(value))


# {name in SetLoop: function that applies this setting of the simulation loop}
LOOPS: dict[str, Callable[[Simulation, Any], None]] = {
    "ring_seconds": lambda sim, value: sim.keep(float(value)),
    "key": _key,
    "posing": lambda sim, value: sim.pose(not sim.posing if value is None else bool(value)),
    **{name: _switch(name) for name in ("busy_wait", "pause_update", "stop_unstable", "puppet", "mark_contacts")},
}


@handles(I.SetLoop)
def _loop(sim: Simulation, intent: I.SetLoop, _reply: Reply) -> None:
    LOOPS[intent.name](sim, intent.value)


@handles(I.SetField)
def _field(sim: Simulation, intent: I.SetField, _reply: Reply) -> None:
    set_field(*sim.loaded, intent.path, intent.value, intent.index)
    sim.stale = True


@handles(I.SetBit)
def _bit(sim: Simulation, intent: I.SetBit, _reply: Reply) -> None:
    m, _d = sim.loaded
    flags = read_flags(m, intent.name)
    flags = flags | intent.bit if intent.value else flags & ~intent.bit
    setattr(m.opt, intent.name, flags)
    sim.stale = True


@handles(I.Recompute)
def _recompute(sim: Simulation, _intent: I.Recompute, reply: Reply) -> None:
    m, _d = sim.loaded
    mj.mj_setConst(m, mj.MjData(m))
    sim.stale = True
    reply("log", "Derived constants of the model recomputed")


@handles(I.ClearControls)
def _clear_controls(sim: Simulation, _intent: I.ClearControls, _reply: Reply) -> None:
    mj.mj_resetCtrl(*sim.loaded)
    sim.stale = True


@handles(I.ResetJoint)
def _reset_joint(sim: Simulation, intent: I.ResetJoint, _reply: Reply) -> None:
    (m, d), j = sim.loaded, intent.joint
    begin = int(m.jnt_qposadr[j])
    end = int(m.jnt_qposadr[j + 1]) if j + 1 < m.njnt else m.nq
    d.qpos[begin:end] = m.qpos0[begin:end]
    sim.stale = True


@handles(I.Perturb)
def _perturb(sim: Simulation, intent: I.Perturb, _reply: Reply) -> None:
    if not intent.values.get("active", 1) and not sim.running and sim.d is not None and sim.fresh_pull == sim.d.time:
        # A pull may begin and end between two updates; move the body for it as well.
        sim.follow_pull()
    sim.set_perturb(intent.values)


@handles(I.CopyState)
def _copy_state(sim: Simulation, intent: I.CopyState, reply: Reply) -> None:
    reply("clipboard", key_element(sim.loaded[1], intent.full))


def key_element(d: mj.MjData, full: bool) -> str:
    """Return a <key> element with the state of `d`, with short numbers or with all digits."""
    lines = [f'  {name}="{text}"' for name, text in key_values(d, "{:.17g}" if full else "{:g}").items()]
    return "<key\n" + "\n".join(lines) + "\n/>"


def key_values(d: mj.MjData, form: str) -> dict[str, str]:
    """Return the attributes of a <key> element with the state of `d`; `form` formats each number."""
    rows = [
        ("time", [d.time]),
        ("qpos", d.qpos),
        ("qvel", d.qvel),
        ("act", d.act),
        ("ctrl", d.ctrl),
        ("mpos", d.mocap_pos),
        ("mquat", d.mocap_quat),
    ]
    out = {}
    for name, values in rows:
        flat = values if isinstance(values, list) else values.ravel()
        if len(flat):
            out[name] = " ".join(form.format(float(x)) for x in flat)
    return out


@handles(I.SaveFile)
def _save(sim: Simulation, intent: I.SaveFile, reply: Reply) -> None:
    # Overwrite a file only if the user chose its name.
    path = intent.path or free_name(SAVE_NAMES.get(intent.kind, "") or folder_name(sim))
    write = {
        "xml": lambda: export_xml(path, sim.loaded[0]),
        "folder": lambda: save_folder(sim, path),
        "mjb": lambda: mj.mj_saveModel(sim.m, path, None),
        "log": lambda: save_log(sim, path),
        "motion": lambda: trajectory.save(path, sim.loaded[0], within(sim, intent.span)),
        "model": lambda: mj.mj_printModel(sim.m, path),
        "data": lambda: mj.mj_printData(sim.m, sim.d, path),
    }
    try:
        write[intent.kind]()
    except (mj.FatalError, OSError, ValueError) as error:
        reply("error", f"{path} was not saved: {error}")
    else:
        reply("saved", f"Saved {os.path.abspath(path)}")


def folder_name(sim: Simulation) -> str:
    """Return a robot's name in a form suitable for a folder."""
    return FOREIGN.sub("_", getattr(origin_of(sim.loaded[0]), "modelname", "")) or "robot"


def save_folder(sim: Simulation, path: str) -> None:
    """Write a robot as it was imported to a folder of MJCF. ValueError if the model was not imported."""
    if report_of(sim.loaded[0]) is None:
        raise ValueError("only an imported robot can be saved as a folder; use Save XML for this model")
    write_folder(origin_of(sim.loaded[0]), path)


def past(sim: Simulation) -> np.ndarray:
    """Return the recorded states, oldest first: rows of mjSTATE_INTEGRATION."""
    return sim.history.states() if sim.history is not None else np.zeros((0, 0))


def within(sim: Simulation, span: tuple[float, float] | None) -> np.ndarray:
    """Return the recorded states between two times since the last reset; without times, the states up to the displayed one.
    ValueError if there are fewer than two states between the times.
    """
    if span is None or sim.history is None:
        return past(sim)
    states = sim.history.states(whole=True)
    falls = np.flatnonzero(np.diff(states[:, 0]) < 0)
    run = states[int(falls[-1]) + 1 if len(falls) else 0 :]
    found = run[(run[:, 0] >= span[0] - 1e-9) & (run[:, 0] <= span[1] + 1e-9)]
    if len(found) < 2:
        raise ValueError("the marked range has no recorded states")
    return found


@handles(I.FillHistory)
def _fill_history(sim: Simulation, intent: I.FillHistory, _reply: Reply) -> None:
    sim.fill_history(intent.states)


@handles(I.KeepPast)
def _keep_past(sim: Simulation, _intent: I.KeepPast, reply: Reply) -> None:
    reply("past", past(sim))


def save_log(sim: Simulation, path: str) -> None:
    """Write the session log. ValueError if there is none."""
    if sim.log is None or sim.history is None:
        raise ValueError("there is no session log, because a script steps this simulation")
    sim.log.save(path, read_state(*sim.loaded, sim.history.size))
