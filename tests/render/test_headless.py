"""Contexts without a window: each backend in a separate process."""

import os
import subprocess
import sys

import pytest

from tests.app.driver import ROOT
from tumble.render.gl import libraries

DRAW = """
import numpy as np, tumble as mujoco
m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size="1" rgba="1 0 0 1"/><camera name="c" pos="0 0 3"/>\
</worldbody></mujoco>')
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
with mujoco.Renderer(m, 64, 64) as r:
    r.update_scene(d, "c")
    rgb = r.render()
    print(r._gl_context.name, rgb[32, 32, 0] > 100 > rgb[32, 32, 1], rgb[0, 0].max())
"""


def run(code, **env):
    env = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "PYOPENGL_PLATFORM", "MUJOCO_GL")
    } | env
    return subprocess.run(
        [sys.executable, "-c", code], env=env | {"PYTHONPATH": str(ROOT)}, cwd=ROOT, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize("name", ["egl", "osmesa"])
def test_backend_by_name(name):
    """The backend that MUJOCO_GL names draws; a machine without its library reports that, and then the test is skipped."""
    done = run(DRAW, MUJOCO_GL=name)
    if done.returncode and f"{name}: " in done.stderr and "no OpenGL context could be made" in done.stderr:
        pytest.skip(f"no {name} here")
    assert done.stdout.split() == [name, "True", "0"], done.stderr


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"MUJOCO_GL": "glfw"}, "glfw cannot start: is there a display?"),
        ({"MUJOCO_GL": "disable"}, "drawing is switched off: MUJOCO_GL=disable"),
        ({"MUJOCO_GL": "vulkan"}, "invalid value for environment variable MUJOCO_GL: vulkan"),
        ({"MUJOCO_GL": "egl", "MUJOCO_EGL_DEVICE_ID": "77"}, "MUJOCO_EGL_DEVICE_ID must be an integer from 0 to"),
    ],
)
def test_no_context_is_one_clear_error(env, words):
    done = run(DRAW, **env)
    assert done.returncode and words in done.stderr.strip().splitlines()[-1], done.stderr


def test_contexts_under_the_names_of_their_modules():
    """Scripts may import one type of context alone; EGL also gives its display."""
    code = (
        "import tumble\nprint(bool(tumble.egl.create_initialized_egl_device_display()), tumble.egl.GLContext.name, "
        "tumble.osmesa.GLContext.name)"
    )
    done = run(code)
    if "EGL finds no display" in done.stderr or "ImportError" in done.stderr:
        pytest.skip("no EGL here")
    assert done.stdout.split() == ["True", "egl", "osmesa"], done.stderr


@pytest.mark.parametrize(
    ("processors", "chosen", "expected"), [(1, None, "0"), (2, None, "0"), (2, "4", "4"), (8, None, None), (8, "0", "0")]
)
def test_software_drawing_has_no_threads_on_small_machines(monkeypatch, processors, chosen, expected):
    """Small machines draw in software without extra threads, unless the environment sets their number."""
    monkeypatch.delenv(libraries.LP_NUM_THREADS, raising=False)
    if chosen is not None:
        monkeypatch.setenv(libraries.LP_NUM_THREADS, chosen)
    monkeypatch.setattr(libraries, "processors", lambda: processors)
    libraries.choose_software_threads()
    assert os.environ.get(libraries.LP_NUM_THREADS) == expected
