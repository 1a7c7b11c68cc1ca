"""Malicious session logs: a sound log of a small model, in which any row, event or member can be replaced."""

import functools
import json
import zipfile

import numpy as np

import tumble as mj
from tumble.app import logbook
from tumble.app.state_history import INTEGRATION
from tumble.ui import intents as I

MODEL = (
    '<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody><actuator><motor '
    'joint="j"/></actuator></mujoco>'
)


def asked(name, /, **fields) -> dict:
    """A row with any intent."""
    return {
        "kind": "intent",
        "value": {"intent": name, "fields": {key: logbook.encoded(value) for key, value in fields.items()}},
    }


@functools.cache
def sound() -> tuple[bytes, np.ndarray]:
    """A model as bytes, and its initial state."""
    m = mj.MjModel.from_xml_string(MODEL)
    state = np.zeros(mj.mj_stateSize(m, INTEGRATION))
    mj.mj_getState(m, mj.MjData(m), state, INTEGRATION)
    return logbook.binary(m), state


def write(path, *rows, events=None, members=(), old=False):
    """Write a log that adopts a model and then has these rows, each as an event; `members` are added or replace others."""
    raw, state = sound()
    adopt = {"kind": "adopt", "model": "model_0.mjb", "state": logbook.encoded(state), "seed": 0}
    items = [adopt, *rows]
    if events is None:
        events = [*range(-100, -100 - len(items), -1), 5]
    parts = {"model_0.mjb": raw, "events.bin": np.array(events, "<i8").tobytes()}
    if old:
        parts["session.json"] = json.dumps({"format": 1, "items": items, "end": logbook.encoded(state)})
    else:
        parts["log.json"] = json.dumps({"format": 2, "end": logbook.encoded(state)})
        parts["items.jsonl"] = "".join(json.dumps(row) + "\n" for row in items)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, contents in (parts | dict(members)).items():
            file.writestr(name, contents)


def forbidden() -> list[type]:
    """Intents that a log must not contain."""
    return [kind for kind in vars(I).values() if isinstance(kind, type) and issubclass(kind, I.Intent) and not kind.logged]
