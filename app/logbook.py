"""The log of a session: a model, the intents, and the steps between them, in order. It suffices to repeat the session bit for
bit in another process.

    log.json      the format, and the state at the end
    events.bin    integers: n > 0 is n steps, 0 a state for the history, ITEM - k the item k; others are in Code
    items.jsonl   one line for each item: the adopted model (always first), intents, states that were set
    model_0.mjb   the model as it was when it was adopted

A log may be untrusted, so reading it executes no code and checks everything. It may contain only intents marked `logged`, which
change only the simulation. The values of an intent must have the types of its fields, and the size of each archive member is
limited. Anything else is rejected, with an error that names it. In format 1, the items and the final state are in a single
member, session.json.
"""

from __future__ import annotations

import base64
import copy
import dataclasses
import json
import os
import re
import struct
import sys
import tempfile
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from .. import engine as mj
from ..engine.machine.regular import open_regular
from ..ui import intents as I

FORMAT, OLD_FORMAT = 2, 1
BY_NAME = {
    kind.__name__: kind
    for kind in vars(I).values()
    if isinstance(kind, type) and issubclass(kind, I.LoggedIntent) and kind is not I.LoggedIntent
}
# Size limits of archive members in bytes. Lines of JSON are limited most, because parsed JSON takes many times as much memory.
# The model may be larger, because it is memory-mapped from a file.
MOST_LINE, MOST_ITEMS, MOST_EVENTS, MOST_MODEL, MOST_OLD = 16 << 20, 256 << 20, 64 << 20, 1 << 30, 16 << 20
# maximum number of items
MANY_ITEMS = 1 << 20
PIECE = 1 << 20
NUMBERS = re.compile(r"[<>|=]?[biuf][1248]")
# types of items
ADOPT, INTENT, STATE = "adopt", "intent", "state"
MODEL = "model_0.mjb"


class Code(IntEnum):
    """Codes of events that are neither steps nor items."""

    RECORD = 0
    PULL = -1
    PLACE = -2
    FORWARD = -3
    SETTLE = -4
    STOP = -5
    NOISE = -6
    BRANCH = -7
    ITEM = -100


class Logbook:
    """The log of a running session, written by the physics thread."""

    def __init__(self) -> None:
        self.events = array("q")
        self.items: list[tuple[str, Any]] = []
        # True while an intent is applied: its consequences are not logged, because a replay repeats them.
        self.inside = False

    def steps(self, count: int) -> None:
        """Log `count` consecutive steps of the engine."""
        if self.inside:
            return
        if self.events and self.events[-1] > 0:
            self.events[-1] += count
        elif count > 0:
            self.events.append(count)

    def note(self, code: Code) -> None:
        if not self.inside:
            self.events.append(int(code))

    def item(self, kind: str, value: Any) -> None:
        """Log an item: an adopted model with its state, an intent, or a state that was set."""
        self.events.append(int(Code.ITEM) - len(self.items))
        self.items.append((kind, value))

    def adopt(self, m: mj.MjModel, state: np.ndarray, seed: int, *settings: I.Intent) -> None:
        """Restart the log with a new model, its state, the seed of its noise, and initial settings. Drop earlier events."""
        self.events = array("q")
        self.items = []
        self.item(ADOPT, (copy.copy(m), state, seed))
        for setting in settings:
            self.intent(setting)

    def intent(self, intent: I.Intent) -> None:
        if not self.inside and intent.logged:
            self.item(INTENT, intent)

    def save(self, path: str, end: np.ndarray) -> None:
        """Write the log with the final state. Raise OSError if writing fails, ValueError if the log is too long to be read
        again.
        """
        if len(self.items) > MANY_ITEMS or 8 * len(self.events) > MOST_EVENTS:
            raise ValueError("the session is too long for a log; a reload starts a new one")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            with file.open("items.jsonl", "w") as lines:
                for kind, value in self.items:
                    if kind == ADOPT:
                        _model, state, seed = value
                        row = {"kind": kind, "model": MODEL, "state": encoded(state), "seed": seed}
                    else:
                        row = {"kind": kind, "value": encoded(value)}
                    lines.write(json.dumps(row).encode() + b"\n")
            file.writestr(MODEL, binary(self.items[0][1][0]))
            file.writestr("events.bin", np.array(self.events, "<i8").tobytes())
            file.writestr("log.json", json.dumps({"format": FORMAT, "end": encoded(end)}))


def binary(m: mj.MjModel) -> bytes:
    """Return a model as the bytes of an MJB file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mjb")
        mj.mj_saveModel(m, path, None)
        with open(path, "rb") as file:
            return file.read()


# ---- reading


def load(path: str) -> tuple[array[int], list[tuple[str, Any]], np.ndarray]:
    """Return (events, items, final state) from a log file. Raise ValueError if it is not a log, OSError if it cannot be
    read.

    Everything is checked here: the first event adopts the model, and every event is a known code or an existing item.
    """
    try:
        with open_regular(path) as opened, zipfile.ZipFile(opened) as file:
            old = "session.json" in file.NameToInfo
            described = json.loads(member(file, "session.json" if old else "log.json", MOST_OLD if old else MOST_LINE))
            found, known = described.get("format"), OLD_FORMAT if old else FORMAT
            if found != known:
                raise ValueError(f"a log of format {found}; this program reads {OLD_FORMAT} and {FORMAT}")
            items = [read_item(file, row, k) for k, row in enumerate(described["items"] if old else rows(file))]
            events, end = array("q"), numbers(decoded(described["end"]), "end")
            events.frombytes(member(file, "events.bin", MOST_EVENTS))
            if sys.byteorder == "big":
                events.byteswap()
            check_events(events, items)
            return events, items, end
    # zipfile and json raise many types of errors for damaged files; RuntimeError is for encrypted members.
    except (
        zipfile.BadZipFile,
        KeyError,
        TypeError,
        AttributeError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OverflowError,
        struct.error,
        zlib.error,
    ) as error:
        raise ValueError(f"not a session log: {error or type(error).__name__}") from None


def member(file: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return the bytes of an archive member. The limit `most` is enforced even if the member's header gives a wrong size."""
    with file.open(name) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{name} is larger than {most >> 20} MiB")
    return data


def rows(file: zipfile.ZipFile) -> Iterator[Any]:
    """Yield the lines of items.jsonl, parsed as JSON."""
    left = MOST_ITEMS
    with file.open("items.jsonl") as lines:
        while line := lines.readline(MOST_LINE + 1):
            left -= len(line)
            if len(line) > MOST_LINE or left < 0:
                raise ValueError(
                    f"items.jsonl is larger than {MOST_ITEMS >> 20} MiB, or has a line of more than {MOST_LINE >> 20} MiB"
                )
            yield json.loads(line)


def read_item(file: zipfile.ZipFile, row: dict[str, Any], k: int) -> tuple[str, Any]:
    """Return item k of a log, given its line of items.jsonl. Raise ValueError if its type or its values are not allowed."""
    if k >= MANY_ITEMS:
        raise ValueError(f"there are more than {MANY_ITEMS} items")
    kind = row["kind"]
    if (kind == ADOPT) != (k == 0):
        raise ValueError(f"item {k} is {kind!r}: the first item, and no other, must adopt a model")
    if kind == ADOPT:
        return kind, (read_model(file, row["model"]), numbers(decoded(row["state"]), f"item {k}"), int(row["seed"]))
    value = decoded(row["value"])
    if kind == STATE:
        return kind, numbers(value, f"item {k}")
    if kind != INTENT or not isinstance(value, I.Intent):
        raise ValueError(f"item {k} is {kind!r} and not an intent")
    return kind, value


def read_model(file: zipfile.ZipFile, name: str) -> mj.MjModel:
    """Return the model in an archive member. It is copied to a file piece by piece and memory-mapped from there, to save
    memory.
    """
    with tempfile.TemporaryDirectory() as folder:
        path, left = os.path.join(folder, "model.mjb"), MOST_MODEL
        with file.open(name) as stream, open(path, "wb") as out:
            while piece := stream.read(PIECE):
                left -= len(piece)
                if left < 0:
                    raise ValueError(f"{name} is larger than {MOST_MODEL >> 20} MiB")
                out.write(piece)
        return mj.MjModel.from_binary_path(path)


def numbers(value: Any, title: str) -> np.ndarray:
    """Return a value that must be a state: a 1D array of floats. Raise ValueError for anything else."""
    if not isinstance(value, np.ndarray) or value.dtype != float or value.ndim != 1:
        raise ValueError(f"{title} is not a state: floats are expected")
    return value


def check_events(events: array[int], items: list[tuple[str, Any]]) -> None:
    """Raise ValueError unless the first event, and no other, adopts the model, and each other event is a number of steps, a
    known code or an existing item.
    """
    if not items or not events or events[0] != Code.ITEM:
        raise ValueError("the first event does not adopt a model")
    codes = {int(code) for code in Code if code != Code.ITEM}
    for k, event in enumerate(events):
        if (
            event <= 0
            and event not in codes
            and not (event <= Code.ITEM and Code.ITEM - event < len(items))
            or k
            and event == Code.ITEM
        ):
            raise ValueError(f"event {k} is {event}, which is invalid in a log of {len(items)} items")


# ---- values as JSON


def encoded(value: Any) -> Any:
    """Return a value in a form that JSON can store. Numbers and strings stay as they are; other values become an object whose
    key names the type.
    """
    if isinstance(value, I.Intent):
        return {
            "intent": type(value).__name__,
            "fields": {f.name: encoded(getattr(value, f.name)) for f in dataclasses.fields(value)},
        }

    if isinstance(value, np.ndarray):
        plain = np.ascontiguousarray(value)
        return {"array": base64.b64encode(plain.tobytes()).decode(), "dtype": plain.dtype.str, "shape": list(plain.shape)}
    if isinstance(value, np.generic):
        return encoded(value.item())
    if isinstance(value, float):
        # Hexadecimal notation keeps all bits of a float, and also NaN and infinity.
        return {"float": value.hex()}
    if isinstance(value, tuple | list):
        return {"tuple" if isinstance(value, tuple) else "list": [encoded(part) for part in value]}
    if isinstance(value, slice):
        return {"slice": [encoded(part) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, dict):
        return {"dict": [[encoded(key), encoded(part)] for key, part in value.items()]}
    if isinstance(value, int | str | bool | None):
        return int(value) if isinstance(value, IntEnum) else value

    raise TypeError(f"{type(value).__name__} cannot be stored in a log")


def decoded(value: Any) -> Any:
    """Return the value from which `encoded` made this form. Raise KeyError, TypeError or ValueError for any other form."""
    if not isinstance(value, dict):
        return value
    if "intent" in value:
        return decoded_intent(value["intent"], value["fields"])
    if "array" in value:
        if not NUMBERS.fullmatch(value["dtype"]):
            raise ValueError(f"an array of {value['dtype']!r}: numbers are expected")
        raw = np.frombuffer(base64.b64decode(value["array"]), np.dtype(value["dtype"]))
        return raw.reshape([int(n) for n in value["shape"]]).copy()
    if "float" in value:
        return float.fromhex(value["float"])
    for word, make in (("tuple", tuple), ("list", list)):
        if word in value:
            return make(decoded(part) for part in value[word])
    if "slice" in value:
        return slice(*(decoded(part) for part in value["slice"]))
    return {decoded(key): decoded(part) for key, part in value["dict"]}


def decoded_intent(name: str, fields: dict[str, Any]) -> I.Intent:
    """Return an intent, given its name and fields. Raise ValueError if a log must not contain it, TypeError if a value does not
    fit its field.
    """
    kind = BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"a log must not contain {name!r}")
    values = {field: decoded(part) for field, part in fields.items()}
    for field, hint in field_types(kind).items():
        if field in values and not fits(values[field], hint):
            raise TypeError(f"{name}: {field} cannot be {values[field]!r:.60}")
    if any(not isinstance(one, I.Intent) for one in values.get("intents", ())):
        raise TypeError(f"{name}: intents are expected")
    return kind(**values)


@cache
def field_types(kind: type) -> dict[str, Any]:
    """Return the types of an intent's fields."""
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def fits(value: Any, hint: Any) -> bool:
    """Return whether a value fits the type of a field. Integers also fit fields of floats and booleans; nothing is
    converted.
    """
    if hint is Any:
        return True
    if isinstance(hint, UnionType):
        return any(fits(value, one) for one in get_args(hint))
    kind = get_origin(hint) or hint
    if kind is float:
        return isinstance(value, int | float)
    return isinstance(value, int if kind is bool else kind)
