"""The log of a session: models, what was asked for, and every step between, in order; enough to repeat it bit for bit in another process.

    events.bin    whole numbers: n > 0 is n steps, 0 a state for the history, the rest is in Code; ITEM - k is the item k
    session.json  the items: models that were adopted, intents, states that were put in place; and the state at the end
    model_K.mjb   each model as it was when it was adopted

Nothing of it is executed when it is read: items are names of intents from one table, numbers, texts and arrays.
"""

from __future__ import annotations

import base64
import copy
import dataclasses
import json
import os
import tempfile
import zipfile
from array import array
from enum import IntEnum
from typing import Any

import numpy as np

from .. import engine as mj
from ..ui import intents as I

FORMAT = 1
# intents that change nothing of the simulation, or that only this process can carry out
LEFT_OUT = (I.CopyState, I.SaveFile, I.Examine, I.Follow)
BY_NAME = {kind.__name__: kind for kind in vars(I).values() if isinstance(kind, type) and issubclass(kind, I.SimIntent)}


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
        """A new model with its state, the seed of its noise, and settings that it begins with; what was before it cannot be reached any more."""
        self.events = array("q")
        self.items = []
        self.item("adopt", (copy.copy(m), state, seed))
        for setting in settings:
            self.intent(setting)

    def intent(self, intent: I.Intent) -> None:
        if not self.inside and not isinstance(intent, LEFT_OUT):
            self.item("intent", intent)

    def save(self, path: str, end: np.ndarray) -> None:
        """Write it, with the state at the end. OSError if that is not possible."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            rows, models = [], 0
            for kind, value in self.items:
                if kind == "adopt":
                    model, state, seed = value
                    file.writestr(f"model_{models}.mjb", binary(model))
                    rows.append({"kind": kind, "model": f"model_{models}.mjb", "state": encoded(state), "seed": seed})
                    models += 1
                else:
                    rows.append({"kind": kind, "value": encoded(value)})
            file.writestr("events.bin", np.array(self.events, "<i8").tobytes())
            file.writestr("session.json", json.dumps({"format": FORMAT, "items": rows, "end": encoded(end)}))


def binary(m: mj.MjModel) -> bytes:
    """A model as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mjb")
        mj.mj_saveModel(m, path, None)
        with open(path, "rb") as file:
            return file.read()


def load(path: str) -> tuple[list[int], list[tuple[str, Any]], np.ndarray]:
    """(events, items, state at the end) of a file. ValueError if it is no log."""
    try:
        with zipfile.ZipFile(path) as file:
            described = json.loads(file.read("session.json"))
            if described.get("format") != FORMAT:
                raise ValueError(f"a log of format {described.get('format')}; this program reads {FORMAT}")
            items: list[tuple[str, Any]] = []
            for row in described["items"]:
                if row["kind"] == "adopt":
                    items.append(("adopt", (model(file.read(row["model"])), decoded(row["state"]), int(row["seed"]))))
                else:
                    items.append((row["kind"], decoded(row["value"])))
            return np.frombuffer(file.read("events.bin"), "<i8").tolist(), items, decoded(described["end"])
    except (zipfile.BadZipFile, KeyError, TypeError) as error:
        raise ValueError(f"no log of a session: {error}") from None


def model(data: bytes) -> mj.MjModel:
    """The inverse of `binary`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mjb")
        with open(path, "wb") as file:
            file.write(data)
        return mj.MjModel.from_binary_path(path)


def encoded(value: Any) -> Any:
    """A value as JSON: numbers and texts as they are, the rest as a table with one key that says what it is."""
    if isinstance(value, I.Intent):
        return {"intent": type(value).__name__, "fields": {f.name: encoded(getattr(value, f.name)) for f in dataclasses.fields(value)}}
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
    """The inverse of `encoded`."""
    if not isinstance(value, dict):
        return value
    if "intent" in value:
        return BY_NAME[value["intent"]](**{name: decoded(part) for name, part in value["fields"].items()})
    if "array" in value:
        raw = np.frombuffer(base64.b64decode(value["array"]), np.dtype(value["dtype"]))
        return raw.reshape(value["shape"]).copy()
    if "float" in value:
        return float.fromhex(value["float"])
    for word, make in (("tuple", tuple), ("list", list)):
        if word in value:
            return make(decoded(part) for part in value[word])
    if "slice" in value:
        return slice(*(decoded(part) for part in value["slice"]))
    return {decoded(key): decoded(part) for key, part in value["dict"]}
