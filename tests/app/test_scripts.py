"""Scripts that bring their own loop: the passive viewer, and programs written for the `mujoco` package."""

import os
import subprocess
import sys
import textwrap

import pytest

from app.passive import as_list, key_adapter
from tests.app.driver import FIRST_START, ROOT
from tests.app.models import PENDULUM

SCRIPT = """
import sys, time
import mujoco
import mujoco.viewer

m = mujoco.MjModel.from_xml_string(open(sys.argv[1]).read())
d = mujoco.MjData(m)
with mujoco.viewer.launch_passive(m, d) as viewer:
    assert viewer.is_running() and viewer.m is m and viewer.d is d
    with viewer.lock():
        viewer.cam.distance = 7.5
        viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
    mujoco.mjv_initGeom(viewer.user_scn.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE, [0.1, 0, 0], [0, 0, 1],
                        [1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 1])
    viewer.user_scn.ngeom = 1
    viewer.set_texts((None, mujoco.mjtGridPos.mjGRID_TOPRIGHT, "left", "right"))
    for i in range(60):
        mujoco.mj_step(m, d)
        viewer.sync(state_only=i % 2 == 0)
        time.sleep(0.01)
    assert viewer.cam.distance == 7.5
assert not viewer.is_running()
viewer.sync()
print("time", round(d.time, 6), "module", mujoco.MjModel.__module__.split(".")[0])
"""


def test_a_passive_script_runs_on_this_engine(server, tmp_path):
    (tmp_path / "model.xml").write_text(PENDULUM)
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT))
    env = dict(os.environ, DISPLAY=server.name, TUMBLE_CONFIG=str(tmp_path / "s.json"), PYTHONPATH=str(ROOT))
    done = subprocess.run([sys.executable, "-m", "app", "run", "script.py", "model.xml"], cwd=tmp_path, env=env, capture_output=True,
                          text=True, timeout=FIRST_START)
    assert done.returncode == 0, done.stderr
    assert "time 0.12 module engine" in done.stdout
    assert "Traceback" not in done.stderr, done.stderr


def test_a_missing_script_is_one_clear_line(capsys):
    from app.dropin import run_script

    assert run_script("no_such_script.py", []) == 2
    assert "no_such_script.py" in capsys.readouterr().err


@pytest.mark.parametrize("count", [1, 3])
def test_key_callbacks_with_and_without_modifiers(count):
    heard = []
    callback = key_adapter((lambda key: heard.append((key,))) if count == 1 else (lambda key, action, mods: heard.append((key, action, mods))))
    callback(65, 1, 2)
    callback(65, 0, 2)
    assert heard == ([(65,)] if count == 1 else [(65, 1, 2), (65, 0, 2)])
    assert key_adapter(None) is None


def test_one_tuple_or_a_list():
    assert as_list((1, 2)) == [(1, 2)] and as_list([(1, 2), (3, 4)]) == [(1, 2), (3, 4)]
