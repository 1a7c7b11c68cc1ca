"""The line that tells a script's user about compiling: it appears once, after some seconds, and never in workers."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tumble.engine.calls import waiting

ROOT = Path(__file__).resolve().parents[2]
# compiles two kernels into an empty store; the line is due after 0.05 s, while the first one is compiled
SCRIPT = """
import multiprocessing, sys
from tumble.engine.calls import waiting
from tumble.engine.core import stages
from tumble.engine.machine import jit
def compiling():
    assert jit.Stage.watching.__self__.say is waiting.to_stderr, "a script is watched without asking"
    jit.Stage.watching = waiting.Notice(waiting.to_stderr, 0.05).watching
    for name in ("subtree_vel", "muscle_forces"):
        assert stages.find(name).address and stages.find(name).origin == "compiled"
if __name__ == "__main__":
    import tumble.engine
    if "worker" in sys.argv:
        worker = multiprocessing.get_context("fork").Process(target=compiling)
        worker.start()
        worker.join()
        sys.exit(worker.exitcode)
    compiling()
"""


def test_what_lasts_is_told_once():
    said = []
    notice = waiting.Notice(said.append, 0.2)
    with notice.watching(None):
        time.sleep(0.01)
    assert not said
    # the notice counts the time of earlier kernels, and appears while the compiler is still at work
    notice.left = 0.05
    with notice.watching(None):
        end = time.monotonic() + 20
        while not said and time.monotonic() < end:
            time.sleep(0.01)
        assert said
    with notice.watching(None):
        time.sleep(0.1)
    assert len(said) == 1 and "1 done" in said[0] and "tumble warmup" in said[0]


def test_time_adds_up():
    said = []
    notice = waiting.Notice(said.append, 0.3)
    end = time.monotonic() + 20
    while not said and time.monotonic() < end:
        with notice.watching(None):
            time.sleep(0.02)
    assert len(said) == 1 and notice.count > 0


def test_silence(monkeypatch):
    monkeypatch.setenv("TUMBLE_QUIET", "1")
    said = []
    notice = waiting.Notice(said.append, 0.0)
    with notice.watching(None):
        time.sleep(0.05)
    assert not said


@pytest.mark.parametrize("how", ["script", "quiet", "worker"])
def test_a_script_is_told(tmp_path, how):
    if how == "worker" and sys.platform == "win32":
        pytest.skip("forks")
    (tmp_path / "script.py").write_text(SCRIPT)
    env = dict(os.environ, PYTHONPATH=str(ROOT), TUMBLE_CACHE_DIR=str(tmp_path / "kernels"))
    env.pop("TUMBLE_QUIET", None)
    if how == "quiet":
        env["TUMBLE_QUIET"] = "1"
    done = subprocess.run(
        [sys.executable, "script.py", how], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == (1 if how == "script" else 0), done.stderr
    assert all(line.startswith("tumble: compiling kernels") and "tumble warmup" in line for line in lines)
