"""Warnings are reported where and when the reference reports them: on the terminal and in MUJOCO_LOG.TXT, once for each
type, or to the user's handler.
"""

import ctypes
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tumble as T
from tests.app.driver import FIRST_START, ROOT

MODEL = """<mujoco>{}<worldbody><body><freejoint/><geom size='.1'/></body><body pos='1 0 0'><joint name='j'/><geom size='.1'/>\
</body></worldbody>
<actuator><motor joint='j'/></actuator></mujoco>"""
HEAP = (
    "<mujoco>{}<worldbody>"
    + "".join(f"<body pos='0 0 {k * 0.01}'><freejoint/><geom size='.1'/></body>" for k in range(20))
    + "</worldbody></mujoco>"
)
# each function of a Model and its Data; the counts and what is printed are compared
CASES = """
def bad_qacc(m, d):
    for k in range(2):
        d.qfrc_applied[0] = 1e30
        mujoco.mj_step(m, d)

def bad_qpos(m, d):
    for k in range(3):
        d.qpos[1] = np.nan
        mujoco.mj_step(m, d)
    mujoco.mj_resetData(m, d)
    d.qpos[1] = np.inf
    mujoco.mj_step1(m, d)

def bad_qvel(m, d):
    d.time = 2.5
    d.qvel[2] = 1e20
    mujoco.mj_step(m, d, nstep=3)

def bad_ctrl(m, d):
    d.ctrl[0] = np.nan
    mujoco.mj_step(m, d, nstep=3)
    mujoco.mj_forward(m, d)

def full_scene(m, d):
    mujoco.mj_forward(m, d)
    scene = mujoco.MjvScene(m, 1)
    for k in range(2):
        mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, mujoco.MjvCamera(), 3, scene)

def no_reset(m, d):
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    d.qpos[1] = np.nan
    mujoco.mj_step(m, d, nstep=2)

def rolled(m, d):
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros((3, mujoco.mj_stateSize(m, full)))
    state[1, 5] = np.nan
    rollout.rollout(m, [d], state, np.zeros((3, 2, m.nu)))
"""
SCRIPT = f"""
import numpy as np
import mujoco
from mujoco import rollout
{CASES}
for case in (bad_qacc, bad_qpos, bad_qvel, bad_ctrl, full_scene, no_reset, rolled):
    m = mujoco.MjModel.from_xml_string(MODEL)
    d = mujoco.MjData(m)
    case(m, d)
    print(case.__name__, d.warning.number, flush=True)
m = mujoco.MjModel.from_xml_string(HEAP)
d = mujoco.MjData(m)
mujoco.mj_step(m, d)
print(d.warning.number)
"""


def said(folder, command):
    folder.mkdir()
    small = HEAP.format('<size memory="30K"/>')
    (folder / "script.py").write_text(f"MODEL, HEAP = {MODEL.format('')!r}, {small!r}\n{SCRIPT}")
    done = subprocess.run(
        [sys.executable, *command, "script.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=FIRST_START,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    log = (folder / "MUJOCO_LOG.TXT").read_text().splitlines()
    # the reference's terminal lines appear when C's buffer is flushed, so only the order in each stream is compared
    lines = [line for line in done.stdout.splitlines() if line]
    times = sum(line[:3] in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") for line in log)
    return (
        [x for x in lines if "WARNING" in x],
        [x for x in lines if "WARNING" not in x],
        [x for x in log if "WARNING" in x],
        times,
        len(log),
    )


def test_terminal_and_log_are_those_of_the_reference(tmp_path):
    there, here = said(tmp_path / "there", []), said(tmp_path / "here", ["-m", "tumble", "run"])
    assert here == there and len(there[0]) >= 10 and there[3] == len(there[2])


@pytest.fixture
def texts():
    told = []
    T.set_mju_user_warning(told.append)
    yield told
    T.set_mju_user_warning(None)


def test_a_step_that_is_run_again_says_a_warning_once(texts):
    """A step that warns of a control is repeated, because room for contacts grows, but reports its warning once."""
    m = T.MjModel.from_xml_string(
        HEAP.format("")
        .replace("</mujoco>", "<actuator><motor joint='j'/></actuator></mujoco>")
        .replace("<worldbody>", "<worldbody><body pos='9 9 9'><joint name='j'/><geom size='.1'/></body>", 1)
    )
    d = T.MjData(m)
    here: Any = d
    room = here.capacities["ncon_cap"]
    d.ctrl[0] = np.nan
    T.mj_step(m, d)
    assert (
        texts == ["Nan, Inf or huge value in CTRL at ACTUATOR 0. The simulation is unstable. Time = 0.0000."] and d.ncon > room
    )
    T.mj_step(m, d)
    assert len(texts) == 1 and d.warning[int(T.mjtWarning.mjWARN_BADCTRL)].number == 2
    T.mj_resetData(m, d)
    d.ctrl[0] = np.nan
    T.mj_forward(m, d)
    assert len(texts) == 2


# a hinge with a huge angle is reported before contacts request room; the state is not reset
LONELY = HEAP.format("<option><flag autoreset='disable'/></option>").replace(
    "<worldbody>", "<worldbody><body pos='9 9 9'><joint/><geom size='.1'/></body>", 1
)
BADQPOS = int(T.mjtWarning.mjWARN_BADQPOS)


def test_a_pass_that_stops_after_its_warning_says_it_once(texts):
    m = T.MjModel.from_xml_string(LONELY)
    d = T.MjData(m)
    here: Any = d
    room = here.capacities["ncon_cap"]
    d.qpos[0] = 1e11
    T.mj_step(m, d)
    assert (
        sum("QPOS at DOF 0" in text for text in texts) == 1
        and here.capacities["ncon_cap"] > room
        and d.warning[BADQPOS].number > 0
    )


def test_what_was_said_before_an_error_is_said_again_after_a_reset(texts):
    """The step stops after its warning and cannot continue. After a reset, which clears the count, or in a Data at the
    same address, it is reported again.
    """
    m = T.MjModel.from_xml_string(LONELY)
    for times in range(1, 4):
        d = T.MjData(m)
        here: Any = d
        here.memory_limit = 1
        for _ in range(2):
            d.qpos[0] = 1e11
            with pytest.raises(MemoryError):
                T.mj_step(m, d)
            T.mj_resetData(m, d)
        assert len(texts) == 2 * times
        del d, here


def test_a_handler_may_be_a_c_function(monkeypatch):
    """A C function as a handler gets the text of a warning as bytes."""
    told = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(told.append)
    monkeypatch.setattr("tumble.engine.core.report.user_warning", None)
    T.set_mju_user_warning(handler)
    m = T.MjModel.from_xml_string(MODEL.format(""))
    d = T.MjData(m)
    d.qpos[0] = np.nan
    T.mj_step(m, d)
    assert (
        told == [b"Nan, Inf or huge value in QPOS at DOF 0. The simulation is unstable. Time = 0.0000."]
        and T.get_mju_user_warning() is handler
    )


def test_an_error_of_the_handler_reaches_the_caller():
    m = T.MjModel.from_xml_string(MODEL.format(""))
    d = T.MjData(m)

    def refuse(text):
        raise LookupError(text)

    T.set_mju_user_warning(refuse)
    try:
        d.qpos[0] = np.nan
        with pytest.raises(LookupError, match="QPOS at DOF 0"):
            T.mj_step(m, d)
    finally:
        T.set_mju_user_warning(None)
    d = T.MjData(m)
    T.mj_step(m, d)
