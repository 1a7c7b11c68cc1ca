"""Random cases of untrusted files: session logs, and models and archives that name files by any path."""

import json
import os
import pathlib
import sys
import tempfile

import numpy as np

from tests.app.hostile_logs import asked, forbidden, write
from tests.fuzz import more
from tests.robust.confined import CONTAINERS, WAYS, build, file_attributes
from tumble.app import logbook, trust
from tumble.app.loading import read_model
from tumble.app.replay import replay

LOGGED = sorted(logbook.BY_NAME)
# parts of paths to fields, valid and invalid
WORDS = (
    "d",
    "m",
    "opt",
    "vis",
    "stat",
    "map",
    "global_",
    "qpos",
    "ctrl",
    "storage",
    "address",
    "__class__",
    "__dict__",
    "timestep",
    "nq",
    "base",
    "jnt_dofadr",
    "geom_size",
    "gravity",
    "contact",
    "efc_J",
    "names",
    "signature",
    "",
)
# every path that this process opened, while a case of `paths` runs
_OPENED: list[str] = []
_WATCHING: list[bool] = []


def row(rng, target) -> dict:
    """A row of a log: an intent with strange values, one that a log must not contain, or a state."""
    kind = rng.randrange(12)
    if kind == 0:
        return asked(rng.choice(forbidden()).__name__, kind="model", path=target)
    if kind == 1:
        path = ".".join(rng.choice(WORDS) for _ in range(rng.randint(1, 4)))
        return asked("SetField", path=path, value=more.value(rng), index=rng.choice((None, 0, -1, 10**9)))
    if kind == 2:
        return {"kind": rng.choice(("state", "intent", "adopt", "x")), "value": more.thing(rng)}
    if kind == 3:
        return asked(
            rng.choice(LOGGED),
            **{rng.choice(("count", "name", "value", "key", "std", "intents", "values", "state", "time")): more.thing(rng)},
        )
    one = next(one for one in iter(lambda: more.intent(rng), None) if one.logged)
    return asked(type(one).__name__, **{name: value for name, value in vars(one).items()})


def logs(rng):
    """A log of random rows, events and members: it is refused, or replayed without an effect outside of its simulation."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, "log.zip"), os.path.join(folder, "evil.pth")
        rows = [row(rng, target) for _ in range(rng.randint(1, 4))]
        events = None
        if rng.random() < 0.3:
            events = [
                -100,
                *(
                    rng.choice((0, 1, 3, -1, -2, -3, -4, -5, -6, -7, -8, -101, -102, -(10**18), 10))
                    for _ in range(rng.randrange(6))
                ),
            ]
        members = ()
        if rng.random() < 0.2:
            members = {rng.choice(("log.json", "items.jsonl", "events.bin", "model_0.mjb")): json.dumps(more.thing(rng))}
        write(path, *rows, events=events, members=members, old=rng.random() < 0.3)
        if rng.random() < 0.1:
            raw = bytearray(pathlib.Path(path).read_bytes())
            raw[rng.randrange(len(raw))] = rng.randrange(256)
            pathlib.Path(path).write_bytes(raw)
        try:
            sim = replay(*logbook.load(path)[:2])
            assert np.shape(sim.d.qpos) == (sim.m.nq,)
        finally:
            assert os.listdir(folder) == ["log.zip"], os.listdir(folder)


def _watch(event, arguments):
    if event == "open" and _WATCHING and isinstance(arguments[0], (str, bytes)):
        _OPENED.append(os.fsdecode(arguments[0]))


def paths(rng):
    """A model in any container whose attributes name an outside file by any path: no outside file is opened."""
    if not _WATCHING:
        sys.addaudithook(_watch)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TUMBLE_CONFIG"] = os.path.join(folder, "settings.json")
        trust._TRUSTED.clear()
        house = pathlib.Path(folder)
        tag, attribute = rng.choice(file_attributes())
        container = rng.choice(CONTAINERS if tag == "mesh" else [c for c in CONTAINERS if c != "urdf"])
        path = build(
            house, tag, attribute, container, rng.choice((*WAYS, "own")), rng.choice(("", "./", "sub/../", ".//", "../models/"))
        )
        _OPENED.clear()
        _WATCHING.append(True)
        try:
            read_model(str(path))
        finally:
            _WATCHING.clear()
            secret = os.path.realpath(house / "secret")
            bad = [name for name in _OPENED if os.path.realpath(name).startswith((secret, "/dev/zero"))]
            assert not bad, bad
