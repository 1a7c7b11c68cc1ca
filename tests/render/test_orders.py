"""A process may have a Renderer, windows, a passive viewer and script contexts, made in any order, on every platform."""

import os
import subprocess
import sys

import pytest

from tests.app.driver import FIRST_START, ROOT, XServer
from tests.optional import lacks_pictures, lacks_windows
from tumble.render.gl.libraries import ContextError, need_library

# each pair in both orders; `python -m tests.render.orders` takes any of the 24
ORDERS = ("rwpc", "wpcr", "pcrw", "crwp", "cpwr", "wrcp")
# without a choice, the platform is one of the others
FEW = 2
NEEDS = {"": "EGL", "glfw": "GL", "egl": "EGL", "osmesa": "OSMesa"}
EACH = 20.0


def lacks(platform):
    try:
        need_library(NEEDS[platform])
    except ContextError as error:
        return str(error)
    return lacks_windows() or lacks_pictures()


@pytest.fixture(scope="module")
def display():
    if lacks_windows():
        pytest.skip(lacks_windows())
    server = XServer((640, 480))
    yield server.name
    server.close()


def python(*command, **env):
    clean = {
        k: v
        for k, v in os.environ.items()
        if k not in ("WAYLAND_DISPLAY", "PYOPENGL_PLATFORM", "MUJOCO_GL") and not k.startswith("PYTEST")
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=clean | env,
        capture_output=True,
        text=True,
        timeout=FIRST_START + EACH * len(ORDERS),
    )


@pytest.mark.parametrize("platform", NEEDS)
def test_every_order(platform, display, tmp_path):
    if reason := lacks(platform):
        pytest.skip(reason)
    done = python(
        "-m",
        "tests.render.orders",
        *(ORDERS if platform else ORDERS[:FEW]),
        MUJOCO_GL=platform,
        DISPLAY=display,
        TUMBLE_CONFIG=str(tmp_path / "settings.json"),
    )
    assert done.returncode == 0 and not done.stdout and not done.stderr, done.stdout + done.stderr[-3000:]


THREADS = """
import threading, numpy as np, tumble as mujoco
m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size="1" rgba="1 0 0 1"/><camera name="c" pos="0 0 3"/>\
</worldbody></mujoco>')
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
seen = []

def draw(n):
    with mujoco.Renderer(m, 32, 32) as r:
        for _ in range(5):
            r.update_scene(d, "c")
            seen.append(r.render())

threads = [threading.Thread(target=draw, args=(n,)) for n in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
several = [mujoco.Renderer(m, 32, 32) for _ in range(4)]
contexts = [mujoco.GLContext(32, 32) for _ in range(3)]
for r in several:
    r.update_scene(d, "c")
    seen.append(r.render())
several[2].close()
del contexts[1], several[0]
for r in (several[0], several[2]):
    seen.append(r.render())
print(len(seen), all(np.array_equal(p, seen[0]) for p in seen), seen[0][16, 16, 0] > 100)
"""


@pytest.mark.parametrize("platform", ["egl", "osmesa"])
def test_contexts_of_threads_and_freed_in_any_order(platform):
    if reason := lacks(platform):
        pytest.skip(reason)
    done = python("-c", THREADS, MUJOCO_GL=platform)
    assert done.stdout.split() == ["26", "True", "True"] and not done.stderr, done.stderr


NAMES = """
import os, sys
import mujoco.egl
from mujoco.egl import egl_ext, EGL
before = mujoco.egl.EGL_DISPLAY
context = mujoco.egl.GLContext(8, 8)
context.make_current()
display = mujoco.egl.EGL_DISPLAY
same = EGL.eglGetCurrentContext().address == context._context.address
print(before, os.environ["PYOPENGL_PLATFORM"], EGL is egl_ext, bool(display), same, EGL.eglQueryString(display,\
 EGL.EGL_VENDOR) is not None,
      len(EGL.eglQueryDevicesEXT()) > 0, mujoco.egl.EGL_ATTRIBUTES[-1] == EGL.EGL_NONE)
"""


def test_names_of_the_egl_module(tmp_path):
    """Scripts that call EGL while the renderer is used find PyOpenGL's names, the display and the context in their
    usual place.
    """
    if reason := lacks("egl"):
        pytest.skip(reason)
    (tmp_path / "script.py").write_text(NAMES)
    done = python("-m", "tumble", "run", str(tmp_path / "script.py"))
    assert done.stdout.split() == ["None", "egl", "True", "True", "True", "True", "True", "True"], done.stderr


@pytest.mark.parametrize("name", ["egl", "osmesa"])
def test_a_platform_that_contradicts_the_environment_is_refused(name):
    done = python("-c", f"import tumble.{name}", PYOPENGL_PLATFORM="glx")
    assert done.returncode and done.stderr.strip().splitlines()[-1].startswith(
        f"ImportError: Cannot use {name} rendering platform"
    ), done.stderr
