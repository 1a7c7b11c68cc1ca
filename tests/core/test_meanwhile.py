"""Models are loaded and placed before their kernels, which other processes compile, are ready."""

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import tumble
from tumble.engine.calls import meanwhile, warm
from tumble.engine.core import debug, stages
from tumble.engine.machine import jit, store
from tumble.engine.tables import stage_rows

SECONDS = 240
# in a separate process: kernels mapped here once would never be missing again
BEGIN = """
import os, sys
import numpy as np
import tumble
from tumble.engine.calls import meanwhile, warm
from tumble.engine.core import debug, stages
from tumble.engine.machine import jit
XML = '''<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .3"><joint type="hinge" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>'''
work = meanwhile.Meanwhile(workers=1).start()
def origin(name):
    return stages.find(name).origin
"""
END = """
assert "numba" not in sys.modules, "something was compiled here"
work.stop()
print("fine")
"""


def run(code, cache):
    env = dict(os.environ, TUMBLE_CACHE_DIR=str(cache))
    done = subprocess.run([sys.executable, "-c", BEGIN + code + END], capture_output=True, text=True, timeout=SECONDS, env=env)
    assert done.stdout.strip() == "fine", done.stderr
    return done


def test_a_model_is_there_before_its_kernels(tmp_path):
    """Nothing is compiled in this process. A worker's result replaces the interpreted stage and gives the same bits."""
    run(
        """
m = tumble.MjModel.from_xml_string(XML)
d = tumble.MjData(m)
d.qpos[0] = .3
tumble.mj_kinematics(m, d)
assert origin("kinematics") == "" and "kinematics" in work._layer.names
before = d.xpos.copy()
work.workers.join("kinematics")
assert origin("kinematics") == "cache" and "kinematics" not in work._layer.names
d.xpos[:] = np.nan
tumble.mj_kinematics(m, d)
assert np.array_equal(d.xpos, before)
assert not work.faults, work.faults
""",
        tmp_path,
    )


def test_a_step_is_refused_until_it_is_compiled(tmp_path):
    """A step that would have to be interpreted changes nothing, and can be requested again."""
    run(
        """
m = tumble.MjModel.from_xml_string(XML)
d = tumble.MjData(m)
try:
    with work.compiled_only():
        tumble.mj_step(m, d)
except meanwhile.NotReady as error:
    refused = error.name
    assert refused == "step_many" and d.time == 0.0
else:
    raise AssertionError("stepped")
assert min(work.workers.line, key=work.workers.line.get) == refused or refused in work.workers.busy
tumble.mj_step(m, d)
assert d.time == m.opt.timestep
""",
        tmp_path,
    )


def test_large_files_wait_for_the_compiler(tmp_path):
    """A text of some thousand characters is read by machine code; a short one is not worth the wait."""
    run(
        """
from tumble.engine.geom.mesh_obj import obj_count, parse_obj
few = "v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n"
out = np.zeros(8, np.int64)
def count(text):
    data = np.frombuffer(text.encode(), np.uint8)
    obj_count(data.ctypes.data, len(data), out.ctypes.data)
    return out[:5].tolist()
small = count(few)
assert obj_count.origin == "" and obj_count.call_entry is None
large = count(few + "# a comment\\n" * 4000)
assert obj_count.origin == "cache" and large == small == [3, 0, 0, 3, 1]
""",
        tmp_path,
    )


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the administrator may write anywhere")
def test_kernels_that_cannot_be_kept_come_by_pipe(tmp_path):
    cache = tmp_path / "kernels"
    cache.mkdir(mode=0o500)
    run(KEPT_NOWHERE, cache)


KEPT_NOWHERE = """
m = tumble.MjModel.from_xml_string(XML)
work.want(["sdf_no_paths"], meanwhile.FIRST)
work.workers.join("sdf_no_paths")
assert origin("sdf_no_paths") == "compiled", (origin("sdf_no_paths"), work.faults)
"""


def test_a_folder_that_is_a_file(tmp_path):
    """A result that no store can keep is sent to the process that requested it."""
    cache = tmp_path / "kernels"
    cache.write_text("not a folder")
    run(KEPT_NOWHERE, cache)


@pytest.fixture
def unknown(monkeypatch):
    """A stage that looks as if it had never been called, and that is not in the store."""
    stage = stages.find("com_vel")
    row = stage_rows.PLACES["com_vel"]
    saved = stage.entry, stage.call_entry, stage.swift, stage.origin, stages.TABLE[row].copy()
    stage.entry, stage.call_entry, stage.swift, stage.origin, stages.TABLE[row] = 0, None, None, "", 0
    load = store.load
    monkeypatch.setattr(store, "load", lambda name: None if name == stage.key else load(name))
    yield stage
    stage.entry, stage.call_entry, stage.swift, stage.origin, stages.TABLE[row] = saved


def test_what_does_not_compile_stays_interpreted(unknown, monkeypatch):
    """A failing worker is reported, with its traceback; the model continues, slowly."""
    monkeypatch.setattr(warm, "_ask", lambda worker, name, half: ("failed", f"Traceback: {name}".encode()))
    model = tumble.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    data = tumble.MjData(model)
    work = meanwhile.Meanwhile(workers=1).start()
    try:
        work.want(["com_vel"])
        work.workers.join()
        assert work.faults == {"com_vel": "Traceback: com_vel"}
        assert not work.waiting(["com_vel"])
        data.qvel[0] = 1.0
        data.cvel[:] = np.nan
        tumble.mj_forward(model, data)
        assert np.isfinite(data.cvel).all()
        assert unknown.origin == "" and unknown.entry == debug.interpreted_entry(unknown)[0]
    finally:
        work.stop()
    assert jit.Stage.stand_in is None


def test_the_line_is_in_order():
    """Stages of the first request come first, long ones before short ones; an urgent request moves a stage forward."""
    work = warm.Workers(1)
    work.closed = True
    assert not work.line
    work.closed = False
    work.count = 0
    work.want(["copy_data", "ccd"], warm.LATER)
    work.want(["kinematics", "com_pos"])
    work.want(["copy_data"], warm.FIRST)
    assert sorted(work.line, key=lambda name: work.line[name]) == ["copy_data", "kinematics", "com_pos", "ccd"]


def test_front_ends_and_machine_code_have_workers_of_their_own():
    """One worker knows the helpers; the other makes machine code of stages that it has begun, and begins new ones only
    if a caller waits for them.
    """
    work = warm.Workers(2)
    front, back = threading.Thread(), threading.Thread()
    work.line = {"com_pos": (warm.SOON, -1), "ccd": (warm.SOON, -9), "rne": (warm.LATER, -5)}
    assert work._choose(front) == ("ccd", None)
    assert work._choose(back) is None
    work.halves["ccd"] = b"half"
    assert work._choose(front) == ("com_pos", None)
    assert work._choose(back) == ("ccd", b"half")
    work.line["kinematics"] = (warm.FIRST, -1)
    assert work._choose(back) == ("kinematics", None)
    # more urgent than the rest of the queue; then no other worker has work
    work.halves["com_pos"] = b"half"
    assert work._choose(front) == ("com_pos", b"half")
    assert work._choose(front) == ("rne", None)
    assert set(work.busy) == {"ccd", "com_pos", "kinematics", "rne"} and not work.line and not work.halves


def test_halves_make_the_same_machine_code_elsewhere(monkeypatch):
    """Machine code that one process begins and another one finishes equals that of a single process."""
    stage = stages.find("diagonal_inertia")
    half = jit.compile_half(stage)
    command = (
        "import sys, pickle; from tumble.engine.core import stages; from tumble.engine.machine import jit; half = "
        "pickle.loads(sys.stdin.buffer.read()); "
        "sys.stdout.buffer.write(jit.emit(stages.find('diagonal_inertia'), half)); assert 'numba' not in sys.modules"
    )
    other = subprocess.run([sys.executable, "-c", command], input=pickle.dumps(half), stdout=subprocess.PIPE, check=True)
    assert other.stdout == jit.emit(stage, half) != b""
