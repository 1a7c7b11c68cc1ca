"""The log of a session: a model, what was asked for, and every step between, in order; enough to repeat it bit for bit in
another process.

    log.json      the format, and the state at the end
    events.bin    whole numbers: n > 0 is n steps, 0 a state for the history, the rest is in Code; ITEM - k is the item k
    items.jsonl   a line each: the model that was adopted (always the first item), intents, states that were put in place
    model_0.mjb   the model as it was when it was adopted

A log may come from somebody else, so reading it executes nothing and trusts nothing. Intents are those that are marked
`logged`, which change the simulation and nothing else; their values have the types of their fields; every member of the archive
is bounded; anything else is refused by name. Format 1 has items and end in one member, session.json.
"""

from __future__ import annotations

import base64
import copy
import dataclasses
import json
import os
import re
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
# bytes of members: JSON becomes objects of many times its size, so its lines are short; the model is mapped from a file
MOST_LINE, MOST_ITEMS, MOST_EVENTS, MOST_MODEL, MOST_OLD = 16 << 20, 256 << 20, 64 << 20, 1 << 30, 16 << 20
# items of a log
MANY_ITEMS = 1 << 20
PIECE = 1 << 20
NUMBERS = re.compile(r"[<>|=]?[biuf][1248]")
# kinds of items
ADOPT, INTENT, STATE = "adopt", "intent", "state"
MODEL = "model_0.mjb"


class Code(IntEnum):
    """What an event stands for, besides steps and items."""

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
    """Written by the simulation's thread."""

    def __init__(self) -> None:
        self.events = array("q")
        self.items: list[tuple[str, Any]] = []
        # what an intent does by itself is not written again
        self.inside = False

    def steps(self, count: int) -> None:
        """Steps of the engine, one after the other."""
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
        """An adopted model with its state, an intent, or a state that was put in place."""
        self.events.append(int(Code.ITEM) - len(self.items))
        self.items.append((kind, value))

    def adopt(self, m: mj.MjModel, state: np.ndarray, seed: int, *settings: I.Intent) -> None:
        """A new model with its state, the seed of its noise, and settings that it begins with; what was before it cannot be
        reached any more.
        """
        self.events = array("q")
        self.items = []
        self.item(ADOPT, (copy.copy(m), state, seed))
        for setting in settings:
            self.intent(setting)

    def intent(self, intent: I.Intent) -> None:
        if not self.inside and intent.logged:
            self.item(INTENT, intent)

    def save(self, path: str, end: np.ndarray) -> None:
        """Write it, with the state at the end. OSError if that is not possible, ValueError if it is too long to be read
        again.
        """
        if len(self.items) > MANY_ITEMS or 8 * len(self.events) > MOST_EVENTS:
            raise ValueError("the session is too long for a log; a reload begins a new one")
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
    """A model as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mjb")
        mj.mj_saveModel(m, path, None)
        with open(path, "rb") as file:
            return file.read()


# ---- reading


def load(path: str) -> tuple[array[int], list[tuple[str, Any]], np.ndarray]:
    """(events, items, state at the end) of a file. ValueError if it is no log, OSError if it cannot be read.

    The first event adopts the model, and every event is a code or an item that there is: `replay` need not look again.
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
    # zipfile and json raise many kinds of errors for damaged files; RuntimeError is for encrypted members
    except (
        zipfile.BadZipFile,
        KeyError,
        TypeError,
        AttributeError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OverflowError,
        zlib.error,
    ) as error:
        raise ValueError(f"no log of a session: {error or type(error).__name__}") from None


def member(file: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Bytes of a member of at most `most` bytes, whatever its header says."""
    with file.open(name) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{name} is larger than {most >> 20} MiB")
    return data


def rows(file: zipfile.ZipFile) -> Iterator[Any]:
    """The lines of items.jsonl, as JSON."""
    left = MOST_ITEMS
    with file.open("items.jsonl") as lines:
        while line := lines.readline(MOST_LINE + 1):
            left -= len(line)
            if len(line) > MOST_LINE or left < 0:
                raise ValueError(
                    f"items.jsonl is larger than {MOST_ITEMS >> 20} MiB, or one of its lines than {MOST_LINE >> 20}"
                )
            yield json.loads(line)


def read_item(file: zipfile.ZipFile, row: dict[str, Any], k: int) -> tuple[str, Any]:
    """Item k of a log from its row. ValueError if it is of another kind than an item of that number has, or has other
    values.
    """
    if k >= MANY_ITEMS:
        raise ValueError(f"there are more than {MANY_ITEMS} items")
    kind = row["kind"]
    if (kind == ADOPT) != (k == 0):
        raise ValueError(f"item {k} is {kind!r}: the first item, and only that, adopts a model")
    if kind == ADOPT:
        return kind, (read_model(file, row["model"]), numbers(decoded(row["state"]), f"item {k}"), int(row["seed"]))
    value = decoded(row["value"])
    if kind == STATE:
        return kind, numbers(value, f"item {k}")
    if kind != INTENT or not isinstance(value, I.Intent):
        raise ValueError(f"item {k} is {kind!r} and no intent")
    return kind, value


def read_model(file: zipfile.ZipFile, name: str) -> mj.MjModel:
    """The model in a member: it is copied to a file piece by piece, and mapped from there."""
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
    """A state: a row of real numbers. ValueError if it is something else."""
    if not isinstance(value, np.ndarray) or value.dtype != float or value.ndim != 1:
        raise ValueError(f"{title} holds no state: real numbers are needed")
    return value


def check_events(events: array[int], items: list[tuple[str, Any]]) -> None:
    """ValueError unless the first event adopts the model and each other one is a code or an item."""
    if not items or not events or events[0] != Code.ITEM:
        raise ValueError("the first event adopts no model")
    codes = {int(code) for code in Code if code != Code.ITEM}
    for k, event in enumerate(events):
        if (
            event <= 0
            and event not in codes
            and not (event <= Code.ITEM and Code.ITEM - event < len(items))
            or k
            and event == Code.ITEM
        ):
            raise ValueError(f"event {k} is {event}, which means nothing in a log of {len(items)} items")


# ---- values as JSON


def encoded(value: Any) -> Any:
    """A value as JSON: numbers and texts as they are, the rest as a table with one key that says what it is."""
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
        return {"float": value.hex()}
    if isinstance(value, tuple | list):
        return {"tuple" if isinstance(value, tuple) else "list": [encoded(part) for part in value]}
    if isinstance(value, slice):
        return {"slice": [encoded(part) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, dict):
        return {"dict": [[encoded(key), encoded(part)] for key, part in value.items()]}
    if isinstance(value, int | str | bool | None):
        return int(value) if isinstance(value, IntEnum) else value

    raise TypeError(f"{type(value).__name__} does not go into a log")


def decoded(value: Any) -> Any:
    """The inverse of `encoded`. KeyError, TypeError or ValueError for anything that `encoded` does not write."""
    if not isinstance(value, dict):
        return value
    if "intent" in value:
        return decoded_intent(value["intent"], value["fields"])
    if "array" in value:
        if not NUMBERS.fullmatch(value["dtype"]):
            raise ValueError(f"an array of {value['dtype']!r}: numbers are needed")
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
    """An intent by its name. ValueError if a log may not hold it, TypeError if a value has another type than its field."""
    kind = BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"a log may not ask for {name!r}")
    values = {field: decoded(part) for field, part in fields.items()}
    for field, hint in field_types(kind).items():
        if field in values and not fits(values[field], hint):
            raise TypeError(f"{name}: {field} cannot be {values[field]!r:.60}")
    if any(not isinstance(one, I.Intent) for one in values.get("intents", ())):
        raise TypeError(f"{name}: intents are needed")
    return kind(**values)


@cache
def field_types(kind: type) -> dict[str, Any]:
    """The types of an intent's fields."""
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a field's type; whole numbers are real numbers, too, and arrays stand for themselves."""
    if hint is Any:
        return True
    if isinstance(hint, UnionType):
        return any(fits(value, one) for one in get_args(hint))
    kind = get_origin(hint) or hint
    if kind is float:
        return isinstance(value, int | float)
    return isinstance(value, int if kind is bool else kind)
