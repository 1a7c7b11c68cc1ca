"""Recorded motions, read from files, arrays, keyframes or past states. A motion is interpolated to give the pose at any
time.

    .npz   qpos (frames, nq), or one column for each of `joint_names`; time (frames,) or one of dt, timestep, fps, frequency;
           mocap_pos (frames, nmocap, 3) and mocap_quat (frames, nmocap, 4) where mocap bodies move; qvel, act and ctrl if they
           are known; or state (frames, size): rows of mjSTATE_FULLPHYSICS or mjSTATE_INTEGRATION, as rollouts return them for
           one world
    .csv     one row for each frame; the first row names the columns: time, joints, qpos[3], shoulder[0] ...; without names, the
                    columns are time and qpos, or qpos alone

A mapping of arrays is read like an .npz; a single array is qpos or state.
"""

from __future__ import annotations

import csv
import io
import math
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import engine as mj
from ..engine.machine.regular import open_regular
from ..ui.intents import MOTIONS
from ..ui.letters import plain

TIMES, PERIODS, RATES = ("time", "times", "t"), ("dt", "timestep"), ("fps", "frequency")
NAMES = ("joint_names", "names")
# {array: number of values of one mocap body}
MOCAP = {"mocap_pos": 3, "mocap_quat": 4}
# seconds between keyframes if all have the same time
APART = 1.0
# maximum size of a file in bytes, before and after decompression
MOST = 400 * 2**20
# maximum duration in seconds, 300 years; the largest float would overflow when times are subtracted
LONGEST = 1e10
# fields that a motion may contain in addition to the pose
REST = ("qvel", "act", "ctrl")
STATES = (mj.mjtState.mjSTATE_FULLPHYSICS, mj.mjtState.mjSTATE_INTEGRATION)
# arrays that are read from an archive; others are ignored
KNOWN = ("state", "qpos", *MOCAP, *REST, *TIMES, *PERIODS, *RATES, *NAMES)
# {component of a state: its name in Data, if that differs}
CALLED = {"warmstart": "qacc_warmstart", "plugin": "plugin_state"}
WIDTHS = {
    int(mj.mjtJoint.mjJNT_FREE): 7,
    int(mj.mjtJoint.mjJNT_BALL): 4,
    int(mj.mjtJoint.mjJNT_SLIDE): 1,
    int(mj.mjtJoint.mjJNT_HINGE): 1,
}


class TrajectoryError(ValueError):
    """A file or an array that contains no motion of this model."""


@dataclass
class Trajectory:
    """Poses of a model at increasing times: `time` (frames,) in s, `qpos` (frames, nq), and mocap poses if the model has mocap
    bodies. `rest` contains other fields of Data by name, (frames, size).
    """

    name: str
    time: np.ndarray
    qpos: np.ndarray
    mocap_pos: np.ndarray | None = None
    mocap_quat: np.ndarray | None = None
    # indices in qpos where quaternions start
    turns: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    rest: dict[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def duration(self) -> float:
        return float(self.time[-1] - self.time[0])

    def at(self, seconds: float) -> int:
        """Return the index of the frame that is shown `seconds` after the start."""
        return max(0, int(np.searchsorted(self.time - self.time[0], seconds, "right")) - 1)

    def show(self, m: mj.MjModel, d: mj.MjData, k: int) -> None:
        """Set a Data to frame k, and call `mj_forward`."""
        d.time = self.time[k]
        for name, rows in {"qpos": self.qpos, "mocap_pos": self.mocap_pos, "mocap_quat": self.mocap_quat, **self.rest}.items():
            if rows is not None:
                getattr(d, name).reshape(-1)[:] = rows[k].ravel()
        mj.mj_forward(m, d)

    def put(self, d: mj.MjData, seconds: float, loop: bool) -> None:
        """Write the pose `seconds` after the start into a Data. Before the start and after the end, write the first or last
        pose.
        """
        if loop and self.duration > 0:
            seconds %= self.duration
        now = self.time[0] + seconds
        k = int(np.clip(np.searchsorted(self.time, now) - 1, 0, max(0, len(self.time) - 2)))
        after = min(k + 1, len(self.time) - 1)
        span = self.time[after] - self.time[k]
        share = float(np.clip((now - self.time[k]) / span, 0, 1)) if span > 0 else 0.0
        d.qpos[:] = between(self.qpos[k], self.qpos[after], share, self.turns)
        for name, quats in (("mocap_pos", 0), ("mocap_quat", 4)):
            rows = getattr(self, name)
            if rows is not None:
                starts = np.arange(0, rows[k].size, 4) if quats else np.zeros(0, int)
                getattr(d, name)[:] = between(rows[k].ravel(), rows[after].ravel(), share, starts).reshape(rows[k].shape)


def between(first: np.ndarray, second: np.ndarray, share: float, turns: np.ndarray) -> np.ndarray:
    """Interpolate between two rows. `turns` are the indices where quaternions start; these take the shorter way and are
    normalized.
    """
    out = first + share * (second - first)
    for start in turns:
        part = slice(start, start + 4)
        other = second[part] if first[part] @ second[part] >= 0 else -second[part]
        quat = first[part] + share * (other - first[part])
        length = np.linalg.norm(quat)
        out[part] = quat / length if length > 0 else first[part]
    return out


def turns_of(m: mj.MjModel) -> np.ndarray:
    """Return the indices in qpos where quaternions start."""
    kinds, starts = np.asarray(m.jnt_type), np.asarray(m.jnt_qposadr)
    ball, free = kinds == int(mj.mjtJoint.mjJNT_BALL), kinds == int(mj.mjtJoint.mjJNT_FREE)
    return np.sort(np.concatenate([starts[ball], starts[free] + 3])).astype(int)


def read(path: str, m: mj.MjModel, dt: float | None = None) -> Trajectory:
    """Read a motion of a model from a file. Without stored times, frames are `dt` apart; the default is the model's time step.
    Raise TrajectoryError if the motion is invalid, OSError if the file cannot be read.
    """
    reader = READERS.get(os.path.splitext(path)[1].lower())
    if reader is None:
        raise TrajectoryError(f"a motion must be a {' or '.join(READERS)} file")
    if os.path.getsize(path) > MOST:
        raise TrajectoryError(f"it is larger than {MOST >> 20} MiB")
    return made(plain(os.path.basename(path)), m, **reader(path, m, dt))


def given(m: mj.MjModel, source: Any, dt: float | None = None) -> Trajectory:
    """Return a motion, given a file name, a mapping of arrays, or an array. Without times, frames are `dt` apart; the default
    is the model's time step.

    TrajectoryError says what does not fit, OSError that a file cannot be read.
    """
    if dt is not None and not 0 < dt < np.inf:
        raise TrajectoryError(f"dt is {dt}; it must be positive")
    if isinstance(source, str | os.PathLike):
        return read(os.fspath(source), m, dt)
    if not isinstance(source, Mapping):
        array = np.asarray(source)
        source = {"qpos" if array.ndim == 2 and array.shape[1] == m.nq else "state": array}
    return made("trajectory", m, **_arrays({name: np.asarray(source[name]) for name in KNOWN if name in source}, m, dt))


def made(
    name: str,
    m: mj.MjModel,
    time: np.ndarray,
    qpos: np.ndarray,
    mocap_pos: np.ndarray | None = None,
    mocap_quat: np.ndarray | None = None,
    **rest: np.ndarray,
) -> Trajectory:
    """Return a Trajectory made of arrays, if they fit the model. Otherwise raise TrajectoryError, which names the wrong
    array.
    """
    count, blank = len(time), mj.MjData(m) if rest else None
    wanted: dict[str, tuple[Any, tuple[int, ...]]] = {
        "time": (time, (count,)),
        "qpos": (qpos, (count, m.nq)),
        "mocap_pos": (mocap_pos, (count, m.nmocap, 3)),
        "mocap_quat": (mocap_quat, (count, m.nmocap, 4)),
        **{title: (rows, (count, getattr(blank, title).size)) for title, rows in rest.items()},
    }

    for title, (array, shape) in wanted.items():
        if array is not None and array.shape != shape:
            raise TrajectoryError(f"{title} has the shape {array.shape}, but this model needs {shape}")
        if array is not None and not np.isfinite(array).all():
            bad = np.argwhere(~np.isfinite(array))[0]
            raise TrajectoryError(f"{title}{[int(k) for k in bad]} is not a finite number")

    if not count:
        raise TrajectoryError("it has no frames")
    if time.max() / 2 - time.min() / 2 > LONGEST / 2:
        raise TrajectoryError(f"it is longer than {LONGEST:g} s")
    if (np.diff(time) < 0).any():
        raise TrajectoryError(f"time decreases at frame {int(np.argmax(np.diff(time) < 0)) + 1}")
    return Trajectory(name, time, qpos, mocap_pos, mocap_quat, turns_of(m), rest)


def from_keys(m: mj.MjModel) -> Trajectory:
    """Return the keyframes as a motion, in the order of their times. If all times are equal, they are one second apart."""
    if not m.nkey:
        raise TrajectoryError("this model has no keyframes")
    times = np.array(m.key_time)
    order = np.argsort(times, kind="stable")
    if (times == times[0]).all():
        times = APART * np.arange(m.nkey)
    mocap = mocap_poses(m, {"mocap_pos": np.array(m.key_mpos)[order], "mocap_quat": np.array(m.key_mquat)[order]})
    return made("Keyframes", m, times[order], np.array(m.key_qpos)[order].reshape(m.nkey, m.nq), **mocap)


def mocap_poses(m: mj.MjModel, parts: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return {name: array} with mocap_pos (frames, nmocap, 3) and mocap_quat (frames, nmocap, 4); empty for a model without
    mocap bodies.
    """
    return {name: parts[name].reshape(-1, m.nmocap, width) for name, width in MOCAP.items()} if m.nmocap else {}


def _numbers(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "fiub":
        raise TrajectoryError(f"'{name}' has the type {array.dtype}, but numbers are needed")
    return array.astype(float)


def _rows(name: str, array: np.ndarray) -> np.ndarray:
    """Return an array of numbers with a row for each frame."""
    if not array.ndim:
        raise TrajectoryError(f"'{name}' is a single number, but a row for each frame is needed")
    return _numbers(name, array)


def _npz(path: str, m: mj.MjModel, dt: float | None) -> dict[str, np.ndarray]:
    try:
        with open_regular(path) as opened:
            with zipfile.ZipFile(opened) as archive:
                if sum(info.file_size for info in archive.infolist()) > MOST:
                    raise TrajectoryError(f"unpacked it is larger than {MOST >> 20} MiB")
            opened.seek(0)
            with np.load(opened, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files if name in KNOWN}
    except (
        ValueError,
        EOFError,
        KeyError,
        NotImplementedError,
        RuntimeError,
        MemoryError,
        SyntaxError,
        tokenize.TokenError,
        OverflowError,
        struct.error,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        # RuntimeError is raised for encrypted members, SyntaxError and TokenError for invalid array headers.
        raise error if isinstance(error, TrajectoryError) else TrajectoryError(f"not an archive of arrays: {error}") from error

    return _arrays(found, m, dt)


def _arrays(found: dict[str, np.ndarray], m: mj.MjModel, dt: float | None) -> dict[str, np.ndarray]:
    """Convert the arrays of an archive or a script to the form that `made` takes."""
    if "state" in found:
        return _states(_numbers("state", found["state"]), found, m, dt)
    if "qpos" not in found:
        raise TrajectoryError("it has neither 'qpos' nor 'state'")
    qpos = _numbers("qpos", found["qpos"])
    if qpos.ndim != 2:
        raise TrajectoryError(f"qpos has the shape {qpos.shape}, but (frames, {m.nq}) is needed")
    named = next((found[name] for name in NAMES if name in found), None)
    if named is not None and qpos.shape[1] != m.nq:
        qpos = by_names(m, [str(name) for name in named.ravel()], qpos)
    out = {"time": _times(found, len(qpos), m, dt), "qpos": qpos}
    # Values of a frame may have any shape; flatten them.
    rest = {name: _rows(name, found[name]) for name in REST if name in found}
    mocap = {name: _rows(name, found[name]) for name in MOCAP if name in found}
    return out | mocap | {name: rows.reshape(len(rows), math.prod(rows.shape[1:])) for name, rows in rest.items()}


def _states(rows: np.ndarray, found: dict[str, np.ndarray], m: mj.MjModel, dt: float | None) -> dict[str, np.ndarray]:
    """Return the components of whole states as arrays. The states of a rollout of one world may have the shape (1, frames,
    size).
    """
    rows = rows[0] if rows.ndim == 3 and len(rows) == 1 else rows
    for kind in STATES:
        if rows.ndim == 2 and rows.shape[1] == mj.mj_stateSize(m, int(kind)):
            parts = {CALLED.get(name, name): part for name, part in columns(m, rows, kind).items()}
            # The time is the first element of a state.
            time = (
                parts.pop("time")[:, 0]
                if dt is None and not any(name in found for name in TIMES)
                else _times(found, len(rows), m, dt)
            )
            mocap = mocap_poses(m, {name: parts.pop(name) for name in MOCAP if name in parts})
            return {"time": time, **{name: part for name, part in parts.items() if name != "time"}, **mocap}
    sizes = ", ".join(f"(frames, {mj.mj_stateSize(m, int(kind))}) of {kind.name}" for kind in STATES)
    raise TrajectoryError(f"the shape {rows.shape} is neither (frames, {m.nq}) of qpos nor {sizes}")


def _times(found: dict[str, np.ndarray], count: int, m: mj.MjModel, dt: float | None) -> np.ndarray:
    """Return the times of the frames from an archive's arrays. If it contains no times, frames are `dt` apart; the default is
    the model's time step.
    """
    for name in TIMES:
        if name in found:
            return _rows(name, found[name])
    for name in (*PERIODS, *RATES):
        if name in found:
            value = _numbers(name, found[name]).ravel()
            if value.size != 1 or not 0 < value[0] < np.inf:
                raise TrajectoryError(f"'{name}' must be one number above 0")
            with np.errstate(over="ignore", invalid="ignore"):
                # Times that are not finite are refused with the others.
                return np.arange(count) * (value[0] if name in PERIODS else 1 / value[0])
    return np.arange(count) * (float(m.opt.timestep) if dt is None else dt)


def _csv(path: str, m: mj.MjModel, dt: float | None) -> dict[str, np.ndarray]:
    with io.TextIOWrapper(open_regular(path, MOST), newline="", encoding="utf-8-sig", errors="replace") as file:
        try:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
        except csv.Error as error:
            raise TrajectoryError(f"not a table: {error}") from error

    names = None if not rows or all(map(_is_number, rows[0])) else [cell.strip() for cell in rows.pop(0)]
    if not rows:
        raise TrajectoryError("it has no frames")

    width = len(names or rows[0])
    for k, row in enumerate(rows):
        if len(row) != width or not all(map(_is_number, row)):
            raise TrajectoryError(f"row {k + 1 + (names is not None)} does not contain {width} numbers")
    table = np.array(rows, float).reshape(len(rows), width)

    if names is None:
        if width not in (m.nq, m.nq + 1):
            raise TrajectoryError(f"{width} columns without names, but {m.nq} (qpos) or {m.nq + 1} (time and qpos) are needed")
        timed = width == m.nq + 1
        return {"time": table[:, 0] if timed else _times({}, len(table), m, dt), "qpos": table[:, int(timed) :]}

    # The time column can be anywhere; all other columns are joints.
    clock = next((k for k, name in enumerate(names) if name.lower() in TIMES), None)
    rest = [k for k in range(width) if k != clock]
    time = _times({}, len(table), m, dt) if clock is None else table[:, clock]
    return {"time": time, "qpos": by_names(m, [names[k] for k in rest], table[:, rest])}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def by_names(m: mj.MjModel, names: list[str], columns: np.ndarray) -> np.ndarray:
    """Return qpos (frames, nq) from named columns: a joint, `joint[k]`, or `qpos[k]`. Elements without a column keep the
    model's initial values.
    """
    places = {f"qpos[{k}]": k for k in range(m.nq)}
    for j in range(m.njnt):
        name, start = mj.mj_id2name(m, mj.mjtObj.mjOBJ_JOINT, j), int(m.jnt_qposadr[j])
        width = WIDTHS[int(m.jnt_type[j])]
        if name:
            places |= {f"{name}[{k}]": start + k for k in range(width)} | ({name: start} if width == 1 else {})
    if len(names) != columns.shape[1]:
        raise TrajectoryError(f"{len(names)} names for {columns.shape[1]} columns")
    out = np.tile(np.asarray(m.qpos0, float), (len(columns), 1))
    used = [places[name] for name in names if name in places]
    if not used:
        raise TrajectoryError(f"no column is a joint of this model: {', '.join(names[:4])} ...")
    for k, name in enumerate(names):
        if name in places:
            out[:, places[name]] = columns[:, k]
    return out


READERS: dict[str, Callable[[str, mj.MjModel, float | None], dict[str, np.ndarray]]] = dict(
    zip(MOTIONS, (_npz, _csv), strict=True)
)


def from_states(m: mj.MjModel, states: np.ndarray, name: str) -> Trajectory:
    """Convert past states to a motion. The rows of `states` are in the format of mjSTATE_INTEGRATION."""
    parts = columns(m, states)
    time = parts["time"][:, 0]
    # If the time decreases, as at a reset, use only the states after the last decrease.
    begin = int(np.flatnonzero(np.diff(time) < 0)[-1]) + 1 if (np.diff(time) < 0).any() else 0
    mocap = {title: rows[begin:] for title, rows in mocap_poses(m, parts).items()}
    return made(name, m, time[begin:], parts["qpos"][begin:], **mocap)


def columns(m: mj.MjModel, states: np.ndarray, kind: mj.mjtState = mj.mjtState.mjSTATE_INTEGRATION) -> dict[str, np.ndarray]:
    """Return {name: (frames, size)} with the components of states: time, qpos, qvel, act, ctrl, ... They are in the order of
    the bits of mjtState.
    """
    out, start = {}, 0
    for bit in mj.mjtState:
        if bit.bit_count() == 1 and bit & kind:
            size = mj.mj_stateSize(m, int(bit))
            out[bit.name.removeprefix("mjSTATE_").lower()] = states[:, start : start + size]
            start += size
    return out


def save(path: str, m: mj.MjModel, states: np.ndarray) -> None:
    """Write past states to a file as a motion, which can be read again: time, qpos, qvel, ctrl and mocap poses."""
    if not len(states):
        raise ValueError("nothing has been recorded yet")
    parts = columns(m, states)
    arrays: dict[str, Any] = (
        {name: parts[name] for name in ("qpos", "qvel", "ctrl")} | {"time": parts["time"][:, 0]} | mocap_poses(m, parts)
    )
    with open(path, "wb") as file:
        np.savez_compressed(file, **arrays)
