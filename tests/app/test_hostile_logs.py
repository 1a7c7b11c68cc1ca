"""A malicious session log can change only the simulation that replays it: not files, settings, programs or memory. It cannot
cause a hang."""

import dataclasses
import os
import subprocess
import sys
import zipfile
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.app.hostile_logs import asked, forbidden, write
from tests.app.models import PENDULUM
from tumble.app import logbook, settable
from tumble.app.__main__ import main
from tumble.app.logbook import BY_NAME, load
from tumble.app.recordings import Repeating, open_log
from tumble.app.replay import replay
from tumble.app.simulation import Simulation
from tumble.engine.tables.schema import SCHEMAS
from tumble.ui import intents as I
from tumble.ui.context import Scratch

# megabytes by which reading a log may exceed reading a sound one, whatever the unpacked size of its members
MOST_MEMORY = 400
MEASURED = """
import sys
from tumble.app import replay
from tumble.app.__main__ import main
try:
    import resource
    peak = lambda: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (10 if sys.platform == "linux" else 20),\
 flush=True)
except ImportError:
    peak = lambda: print(0, flush=True)
peak()
code = main(["replay", {!r}])
peak()
sys.exit(code)
"""
SIM_INTENTS = (
    "SetRunning Step Scrub ScrubTime Reset SetSpeed SetNoise SetLoop LoadKey SaveKey SetField SetBit Recompute "
    "ClearControls ResetJoint "
    "Perturb Restore Together Change"
).split()


def refusal(path) -> str:
    """Return the error for a refused log."""
    with pytest.raises(ValueError) as error:
        load(str(path))
    return str(error.value)


def test_the_intents_of_logs_are_these_and_change_the_simulation_alone():
    """A new intent is excluded from logs unless its row and this list say otherwise."""
    assert sorted(BY_NAME) == sorted(SIM_INTENTS) and all(kind.target == "sim" for kind in BY_NAME.values())


@pytest.mark.parametrize("kind", forbidden(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("wrap", ["alone", "Together", "Change", "deep"])
@pytest.mark.parametrize("old", [False, True])
def test_intents_that_are_not_marked_are_refused_by_name(kind, wrap, old, tmp_path):
    one = asked(kind.__name__)["value"]
    if wrap != "alone":
        inner = {"tuple": [one]}
        if wrap == "deep":
            inner = {"tuple": [{"intent": "Together", "fields": {"intents": {"list": [one]}}}]}
        one = {
            "intent": "Change" if wrap == "Change" else "Together",
            "fields": {"intents": inner, **({"title": "x"} if wrap == "Change" else {})},
        }
    write(tmp_path / "log.zip", {"kind": "intent", "value": one}, old=old)
    assert f"must not contain '{kind.__name__}'" in refusal(tmp_path / "log.zip")


def test_replay_writes_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write("log.zip", asked("SaveFile", kind="model", path=str(tmp_path / "evil.pth")))
    assert main(["replay", "log.zip"]) == 1
    assert "must not contain 'SaveFile'" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["log.zip"]


PATHS = (
    "d.storage.address",
    "m.__class__",
    "d.__dict__",
    "m.storage",
    "opt.__class__",
    "vis.map.__class__",
    "vis.__class__.x",
    "stat.extent.real",
    "d.contact",
    "d.nefc",
    "d.efc_J",
    "m.nq",
    "m.nhistory",
    "m.features",
    "m.signature",
    "m.names",
    "m.jnt_dofadr",
    "m.body_parentid",
    "m.geom_bodyid",
    "m.opt.timestep",
    "d.qpos[0]",
    "d",
    "",
    "x.y",
    "opt",
    "vis.map",
    "d.qpos.base",
    "__import__",
    "m.body_jntnum",
)


@pytest.mark.parametrize("path", PATHS)
def test_paths_reach_rows_of_the_tables_alone(path, tmp_path, capsys):
    m = mj.MjModel.from_xml_string(PENDULUM)
    d = mj.MjData(m)
    with pytest.raises(ValueError, match="not a field that can be set"):
        settable.set_field(m, d, path, 1)
    write(tmp_path / "log.zip", asked("SetField", path=path, value=12345, index=None))
    replay(*load(str(tmp_path / "log.zip"))[:2])
    assert "not a field that can be set" in capsys.readouterr().err


def test_every_row_that_may_be_set_is_set_and_holds_no_index():
    m = mj.MjModel.from_xml_string(PENDULUM)
    d, done = mj.MjData(m), 0
    for head, struct in (("m", "MjModel"), ("d", "MjData"), ("opt", "MjOption"), ("vis", "MjVisual"), ("stat", "MjStatistic")):
        for name, field in SCHEMAS[struct].fields.items():
            path = f"{head}." + ("global_." + name[8:] if name.startswith("global__") else name.replace("__", "."))
            if not settable.is_settable(head, field):
                continue
            # indices name the size that limits them
            assert head != "m" or field.values[:1] not in ("n", "*", "c")
            owner, attribute = settable.owner_of(m, d, path)
            value = np.array(getattr(owner, attribute))
            settable.set_field(m, d, path, value if value.shape else value.item())
            done += 1
    assert done > 300


@pytest.mark.parametrize(
    ("name", "fields", "word"),
    [
        ("Step", {"count": "many"}, "count"),
        ("Step", {"count": 1.5}, "count"),
        ("Step", {"other": 1}, "other"),
        ("SetNoise", {"std": "x"}, "std"),
        ("LoadKey", {"key": None}, "key"),
        ("Together", {"intents": (5,)}, "intents"),
        ("Change", {"title": 5}, "title"),
        ("Perturb", {"values": 5}, "values"),
        ("SetField", {"path": 5, "value": 1}, "path"),
        ("SetSpeed", {"index": "x"}, "index"),
    ],
)
def test_values_have_the_types_of_their_fields(name, fields, word, tmp_path):
    write(tmp_path / "log.zip", asked(name, **fields))
    assert word in refusal(tmp_path / "log.zip")


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (asked("SetLoop", name="lock", value=1), "lock"),
        (asked("SetLoop", name="__class__", value=1), "__class__"),
        (asked("SetLoop", name="key", value="x"), "x"),
        (asked("SetBit", name="gravity", bit=1, value=True), "gravity"),
        (asked("Perturb", values={"__class__": 1}), "__class__"),
        (asked("Perturb", values={"refpos": np.zeros(7)}), ""),
        (asked("SetField", path="d.qpos", value="text"), "numbers"),
        (asked("SetField", path="d.qpos", value=1, index=10**9), ""),
        (asked("SetField", path="opt.timestep", value=1, index=3), "single number"),
    ],
)
def test_what_cannot_be_done_is_said_and_the_replay_goes_on(row, word, tmp_path, capsys):
    write(tmp_path / "log.zip", row)
    sim = replay(*load(str(tmp_path / "log.zip"))[:2])
    assert word in capsys.readouterr().err and sim.d.time > 0
    assert set(vars(sim)) == set(vars(Simulation())) and type(sim) is Simulation


def test_a_state_of_another_size_is_left_out(tmp_path):
    write(tmp_path / "log.zip", asked("Restore", state=np.ones(3)), asked("Restore", state="x"), asked("Restore", state=None))
    assert replay(*load(str(tmp_path / "log.zip"))[:2]).d.time > 0


@pytest.mark.parametrize(
    "events", [[], [5], [-100, -100], [-100, -7, -8], [-100, -101], [-100, -(2**63)], [0, -100], [-100, -99]]
)
def test_events_mean_something(events, tmp_path):
    write(tmp_path / "log.zip", events=events)
    assert "event" in refusal(tmp_path / "log.zip")


@pytest.mark.parametrize(
    "members",
    [
        {"log.json": "5"},
        {"log.json": "["},
        {"log.json": '{"format": 3, "end": 1}'},
        {"log.json": "[" * 100_000},
        {"items.jsonl": ""},
        {"items.jsonl": "5\n"},
        {"items.jsonl": "{}\n"},
        {"items.jsonl": '{"kind": "adopt", "model": "none.mjb"}\n'},
        {"model_0.mjb": b""},
        {"model_0.mjb": b"x" * 500},
        {"events.bin": b"12345"},
        {"log.json": '{"format": 2, "end": {"array": "AAAA", "dtype": "O", "shape": [1]}}'},
        {"log.json": '{"format": 2, "end": {"float": "x"}}'},
    ],
)
def test_damaged_members_are_no_log(members, tmp_path):
    write(tmp_path / "log.zip", members=members)
    assert refusal(tmp_path / "log.zip")


def test_another_format_is_said(tmp_path):
    write(tmp_path / "log.zip", members={"log.json": '{"format": 7}'})
    assert "format 7" in refusal(tmp_path / "log.zip")


def test_rows_of_states_and_models_stand_where_they_may(tmp_path):
    for row, word in (
        ({"kind": "adopt", "model": "model_0.mjb", "state": 1, "seed": 0}, "item 1"),
        ({"kind": "state", "value": 5}, "item 1"),
        ({"kind": "other", "value": 5}, "other"),
        ({"kind": "intent", "value": 5}, "not an intent"),
    ):
        write(tmp_path / "log.zip", row)
        assert word in refusal(tmp_path / "log.zip")


@pytest.mark.parametrize("name", ["session.json", "log.json", "items.jsonl", "events.bin", "model_0.mjb"])
def test_members_are_bounded(name, tmp_path):
    """A log is refused with little memory if one of its members unpacks to 1.2 GB of blanks or of one long line."""
    write(tmp_path / "sound.zip", old=name == "session.json")
    with (
        zipfile.ZipFile(tmp_path / "sound.zip") as sound,
        zipfile.ZipFile(tmp_path / "log.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
    ):
        for other in sound.namelist():
            if other != name:
                file.writestr(other, sound.read(other))
        with file.open(name, "w", force_zip64=True) as out:
            for _ in range(1200):
                out.write(b" " * (1 << 20))
    run = subprocess.run(
        [sys.executable, "-c", MEASURED.format(str(tmp_path / "log.zip"))], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 1 and "larger than" in run.stderr, run.stderr
    before, after = (int(word) for word in run.stdout.split())
    assert after - before < MOST_MEMORY


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path, capsys):
    os.mkfifo(tmp_path / "log.zip")
    assert main(["replay", str(tmp_path / "log.zip")]) == 1
    assert "regular file" in capsys.readouterr().err


def test_many_steps_of_one_intent_are_bounded(tmp_path):
    """One Step intent is carried out as a whole, so its number of steps must be limited."""
    write(tmp_path / "log.zip", asked("SetRunning", value=False), asked("Step", count=10**15))
    sim = replay(*load(str(tmp_path / "log.zip"))[:2])
    assert sim.d.time < 1e3


def test_a_log_without_end_gives_way_to_another_one(tmp_path):
    """The window replays one log at a time, in a thread."""
    write(tmp_path / "endless.zip", events=[-100, 10**18])
    write(tmp_path / "log.zip")
    host, messages = SimpleNamespace(passive=False), SimpleNamespace(note=lambda *_, **__: None)
    parts: Any = SimpleNamespace(host=host, messages=messages, scratch=Scratch())
    state = parts.scratch.of(Repeating)
    open_log(parts, str(tmp_path / "endless.zip"))
    first = state.thread
    assert first is not None
    first.join(0.2)
    assert first.is_alive()
    open_log(parts, str(tmp_path / "log.zip"))
    for thread in (first, state.thread):
        assert thread is not None
        thread.join(20)
        assert not thread.is_alive()
    assert state.found is not None and state.found[2].time > 0 and not state.error


def test_fields_of_intents_are_known_types():
    for kind in BY_NAME.values():
        assert set(logbook.field_types(kind)) == {f.name for f in dataclasses.fields(kind)}


def test_sound_logs_of_the_old_format_are_read(tmp_path):
    write(
        tmp_path / "log.zip",
        asked("SetField", path="d.ctrl", value=np.array([0.5]), index=slice(0, 1)),
        {"kind": "intent", "value": logbook.encoded(I.Reset())},
        old=True,
    )
    sim = replay(*load(str(tmp_path / "log.zip"))[:2])
    assert sim.d.time == pytest.approx(5 * sim.m.opt.timestep)
