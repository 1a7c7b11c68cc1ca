"""Interpreted stages and replacement functions, through the public interface."""

import os
import re
import subprocess
import sys
import threading

import numba
import numpy as np
import pytest

import tumble
from tests.app.driver import ROOT
from tumble import debug
from tumble.engine.core import hooks, stages
from tumble.engine.geom.mesh_kernels import mesh_normals
from tumble.engine.machine import interpret, jit
from tumble.engine.machine.jit import kernel, stage
from tumble.engine.machine.lang import load, store
from tumble.engine.tables import stage_rows

MANUAL = ROOT / "assets" / "manual" / "debugging.md"
HUMANOID = str(ROOT / "assets" / "models" / "humanoid.xml")
STEPS = 25
# tolerance of positions after a second of falling: both solvers stop when their gradient is small
SOLVED = 1e-6
BALL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .099"><freejoint/><geom size=".1"/></body>\
</worldbody></mujoco>"""


@stage
def upwards(m, d):
    """reads nothing; writes qfrc_bias: a stage of the user that replaces rne."""
    for i in range(m.nv):
        d.qfrc_bias[i] = -1.0 * i


@kernel
def upwards_kernel(m, d):
    for i in range(m.nv):
        d.qfrc_bias[i] = -1.0 * i


@numba.njit
def upwards_njit(m, d):
    for i in range(m.nv):
        d.qfrc_bias[i] = -1.0 * i


@stage("vMDi")
def of_three(m, d, i):
    """reads and writes nothing: a stage of another signature."""


@kernel
def turned(x, y):
    """A kernel defined in this test."""
    store(x, 0, load(y, 1, 3))
    return x[0] / y[0]


@pytest.fixture(autouse=True)
def nothing_stays():
    table = stages.TABLE.copy()
    yield
    debug.restore()
    assert jit.Stage.newcomer is None
    # stages compiled since then are new
    assert (stages.TABLE[table != 0] == table[table != 0]).all()


@pytest.fixture
def ball():
    m = tumble.MjModel.from_xml_string(BALL)
    d = tumble.MjData(m)
    # a step that finds a stage for the first time restarts
    tumble.mj_step(m, d)
    tumble.mj_forward(m, d)
    tumble.mj_resetData(m, d)
    return m, d


def fallen(steps=STEPS):
    m = tumble.MjModel.from_xml_path(HUMANOID)
    d = tumble.MjData(m)
    d.qpos[2] = 1.0
    tumble.mj_step(m, d, steps)
    return d


@pytest.mark.parametrize(
    "names",
    [["collision"], ["kinematics", "com_pos", "rne", "make_inertia", "factor_inertia"], ["step_many", "euler"]],
    ids=str,
)
def test_interpreted_stages_step_the_humanoid_with_the_same_bits(names):
    expected = fallen()
    seen = []
    with debug.interpreted(*names):
        calls = sys.getprofile()
        sys.setprofile(lambda frame, event, arg: seen.append(frame.f_code.co_name) if event == "call" else None)
        d = fallen()
        sys.setprofile(calls)
    assert set(names) <= set(seen)
    np.testing.assert_array_equal(d.qpos, expected.qpos)
    assert d.ncon == expected.ncon > 0


def test_threads_that_read_a_kernel_at_once_get_it_whole():
    """Several threads compile meshes: none may call a function whose names still refer to compiled code."""
    started, halves = threading.Barrier(4), []
    compiled = mesh_normals.function.__globals__

    def read(reading):
        started.wait()
        space = reading.read(mesh_normals).__globals__
        halves.extend(name for name in ("matrix_at", "face_normal", "np") if space[name] is compiled[name])

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            reading = interpret.Reading()
            threads = [threading.Thread(target=read, args=(reading,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not halves


def test_everything_interpreted(ball):
    m, d = ball
    other = tumble.MjData(m)
    tumble.mj_step(m, other, 2)
    with debug.interpreted() as change:
        tumble.mj_step(m, d, 2)
    assert {"step_many", "collision", "rne"} <= set(stage_rows.names())
    assert not change.names
    np.testing.assert_array_equal(d.qpos, other.qpos)


def test_functions_take_the_place_of_a_stage(ball):
    m, d = ball
    called = []

    def mine(model, data):
        assert model is m and data is d
        called.append(data.time)
        data.qfrc_bias[:] = -np.arange(m.nv)

    for function in (mine, upwards, upwards_kernel, upwards_njit, upwards.address):
        d.qfrc_bias[:] = 7
        with debug.replace("rne", function):
            tumble.mj_forward(m, d)
        np.testing.assert_array_equal(d.qfrc_bias, -np.arange(m.nv))
    assert len(called) == 1
    tumble.mj_forward(m, d)
    assert d.qfrc_bias[2] > 0


def test_what_is_replaced_can_be_called(ball):
    m, d = ball
    tumble.mj_forward(m, d)
    expected = d.qfrc_bias.copy()

    def twice(model, data):
        debug.compiled("rne")(model, data)
        data.qfrc_bias[:] *= 2

    with debug.replace("rne", twice):
        tumble.mj_forward(m, d)
    np.testing.assert_array_equal(d.qfrc_bias, 2 * expected)


def test_arguments_and_results_of_stages(ball):
    m, d = ball
    given = []

    def check(model, data, g1, g2, margin):
        given.append((g1, g2, margin))
        return 0

    with debug.replace("collide_primitive", check):
        tumble.mj_forward(m, d)
    assert given == [(0, 1, 0.0)] and d.ncon == 0


def test_errors_reach_the_caller(ball):
    m, d = ball

    def fail(model, data):
        raise KeyError("mine")

    with debug.replace("rne", fail):
        for call in (tumble.mj_forward, tumble.mj_step):
            with pytest.raises(KeyError, match="mine"):
                call(m, d)
    assert d.time == 0
    with debug.replace("forward_skip", lambda m, d, skip, skip_sensors: 1 / 0), pytest.raises(ZeroDivisionError):
        tumble.mj_forward(m, d)
    tumble.mj_step(m, d)
    assert d.time > 0 and hooks.take_error(d.storage.address) is None


def test_the_last_change_counts_and_each_can_go(ball):
    m, d = ball
    seen = []
    first = debug.replace("rne", lambda m, d: seen.append(1))
    second = debug.replace("rne", lambda m, d: seen.append(2))
    tumble.mj_forward(m, d)
    first.restore()
    tumble.mj_forward(m, d)
    second.restore()
    tumble.mj_forward(m, d)
    assert seen == [2, 2]
    debug.replace("rne", lambda m, d: seen.append(3))
    debug.restore()
    tumble.mj_forward(m, d)
    assert seen == [2, 2]


def test_stages_that_are_functions_of_plugins_are_followed():
    """Replacing a stage also affects calls through its address in the table of plugins."""
    xml = """<mujoco><extension><plugin plugin="mujoco.pid"/></extension><worldbody><body><joint name="j" type="slide"/>\
<geom size=".1"/></body></worldbody>
      <actuator><plugin plugin="mujoco.pid" joint="j"><config key="kp" value="2"/></plugin></actuator></mujoco>"""
    m = tumble.MjModel.from_xml_string(xml)
    d = tumble.MjData(m)
    d.ctrl[0] = 1
    tumble.mj_step(m, d)
    assert d.actuator_force[0] == 2
    with debug.replace("plugin_pid_forces", lambda m, d, instance, bit: None):
        d.actuator_force[0] = 5
        tumble.mj_fwdActuation(m, d)
        replaced = d.actuator_force[0]
    tumble.mj_fwdActuation(m, d)
    assert replaced != d.actuator_force[0] != 0


def test_mistakes():
    with pytest.raises(ValueError, match="no stage 'colision'; the stages are reset_data, step_many"):
        debug.interpreted("colision")
    with pytest.raises(ValueError, match="set a callback instead"):
        debug.replace("hook_control", lambda m, d: None)
    with pytest.raises(TypeError, match="has the signature 'vMD', of_three has 'vMDi'"):
        debug.replace("rne", of_three)
    with pytest.raises(TypeError, match="neither a function nor compiled code: 'text'"):
        debug.replace("rne", "text")


def test_a_changed_source_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "late.py"
    path.write_text("def late(m, d):\n    return 1\n")
    space = {"__name__": "late"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    path.write_text("# a new line\ndef late(m, d):\n    return 1\n")
    with pytest.raises(RuntimeError, match="the source of late has changed"):
        interpret.interpreted(space["late"])


def test_from_the_environment():
    program = (
        f"import tumble, sys, numpy\nm = tumble.MjModel.from_xml_string('''{BALL}''')\nd = tumble.MjData(m)\n"
        "tumble.mj_step(m, d, 2)\n"
        "print('numba' in sys.modules, 'llvmlite' in sys.modules, d.qpos.tolist())"
    )
    outputs = []
    for value in ("all", "collision,rne", ""):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"TUMBLE_INTERPRET": value},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout.split(maxsplit=2))
    assert outputs[0][:2] == ["False", "False"]
    assert outputs[0][2] == outputs[1][2] == outputs[2][2]
    wrong = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"TUMBLE_INTERPRET": "rn"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 1 and "there is no stage 'rn'" in wrong.stderr


# ---- the manual's page ---------------------------------------------------------------------------------------------------
def blocks():
    return re.findall(r"^```(\w*)\n(.*?)^```$", MANUAL.read_text(), re.M | re.S)


def test_the_breakpoint_of_the_manual_is_reached():
    script = next(text for kind, text in blocks() if kind == "python")
    typed = "".join(
        line.removeprefix("(Pdb) ") + "\n"
        for kind, text in blocks()
        if not kind
        for line in text.splitlines()
        if line.startswith("(Pdb)")
    )
    assert len(script.splitlines()) == 6
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"> \S*driver.py\(\d+\)narrow_phase\(\)", done.stdout)
    assert "-> signature = d.broad_pair[k]" in done.stdout
    # visible: the kernel's numbers, and below them the compiled step's caller
    assert re.search(r"\(array\(\[.*\), 14, 0\)", done.stdout) and "mj_forward" in done.stdout


def test_the_solver_of_the_manual_steps_the_humanoid():
    """For a second of falling and landing, the manual's solver moves the humanoid as the compiled one does."""
    space = {"tumble": tumble}
    exec(next(text for kind, text in blocks() if kind == "python" and "def newton" in text).partition("\nmodel =")[0], space)
    m = tumble.MjModel.from_xml_path(HUMANOID)
    m.opt.disableflags |= tumble.mjtDisableBit.mjDSBL_ISLAND
    d, own = tumble.MjData(m), tumble.MjData(m)
    touched = 0
    with debug.replace("solve_newton", space["newton"]):
        for _ in range(200):
            tumble.mj_step(m, d)
            touched = max(touched, d.ncon)
    tumble.mj_step(m, own, 200)
    assert touched > 3
    assert np.abs(d.qpos - own.qpos).max() < SOLVED
