"""A machine may lack any optional part: everything else works, code that needs the part reports this in one line, and its tests
are skipped.

`tests/hidden/sitecustomize.py` hides parts from a process and its children.
"""

import ctypes.util
import os
import pkgutil
import shutil
import subprocess
import sys

import pytest

from tests.app.driver import ROOT
from tests.optional import lacks_pictures

BALL = '<mujoco><worldbody><geom size="1" rgba="1 0 0 1"/><camera name="c" pos="0 0 3"/></worldbody></mujoco>'
# part -> test files, some of whose tests need it
PARTS = {
    "OSMesa": ("render/test_headless.py",),
    "EGL": ("render/test_headless.py", "render/test_pane.py", "render/test_pictures.py", "app/test_render.py"),
    "EGL,OSMesa": ("render/test_headless.py", "render/test_parts.py"),
    "ffmpeg": ("app/test_render.py", "app/test_record.py"),
    "imageio_ffmpeg,ffmpeg": ("app/test_render.py",),
    "Xvfb": ("app/test_awake.py", "app/test_viewer.py"),
    "xdotool": ("app/test_render.py",),
    "fontconfig,freetype": ("ui/test_look.py", "render/test_pictures.py"),
}
PASSED, NOTHING_RUN = 0, 5
SLOW = 550


def without(parts, *command, **env):
    """Run Python on a machine that lacks some parts; there is no display either."""
    clean = {
        k: v
        for k, v in os.environ.items()
        if k not in ("DISPLAY", "WAYLAND_DISPLAY", "PYOPENGL_PLATFORM", "MUJOCO_GL") and not k.startswith("PYTEST")
    }
    path = os.pathsep.join([str(ROOT / "tests" / "hidden"), str(ROOT)])
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=clean | {"PYTHONPATH": path, "TUMBLE_TEST_HIDE": parts} | env,
        capture_output=True,
        text=True,
        timeout=SLOW,
    )


def is_here(part):
    """Whether this machine has a library, a command or a module that is hidden by this name."""
    modules = (m.name for m in pkgutil.iter_modules() if part.lower() in m.name.lower())
    return bool(shutil.which(part) or ctypes.util.find_library(part) or next(modules, None))


def test_what_is_here_is_known():
    assert is_here("python3" if os.name != "nt" else "python") and is_here("numpy") and not is_here("no_such_part")


@pytest.mark.parametrize("parts", PARTS)
def test_the_suite_passes_without(parts):
    if not any(map(is_here, parts.split(","))):
        pytest.skip(f"this machine lacks {parts}: all tests run without")
    files = [f"tests/{name}" for name in PARTS[parts] if (ROOT / "tests" / name).exists()]
    done = without(parts, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files)
    assert done.returncode in (PASSED, NOTHING_RUN), done.stdout[-3000:]


@pytest.mark.parametrize(
    ("parts", "backend", "reason"),
    [
        ("OSMesa", "osmesa", "osmesa: libOSMesa is not installed"),
        ("EGL", "egl", "egl: libEGL is not installed"),
        (
            "EGL,OSMesa",
            "",
            "egl: libEGL is not installed; osmesa: libOSMesa is not installed; glfw: glfw cannot start: is there a display?",
        ),
        ("libGL.so,libOpenGL.so", "egl", "egl: libGL is not installed"),
    ],
)
def test_what_is_missing_is_named(parts, backend, reason):
    code = f"import tumble\nm = tumble.MjModel.from_xml_string('{BALL}')\ntumble.Renderer(m, 32, 32)"
    done = without(parts, "-c", code, MUJOCO_GL=backend)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and f"no OpenGL context could be made ({reason})" in last, done.stderr


def test_a_film_without_ffmpeg_says_what_to_install(tmp_path):
    (tmp_path / "ball.xml").write_text(BALL)
    done = without(
        "ffmpeg", "-m", "tumble", "render", str(tmp_path / "ball.xml"), str(tmp_path / "film.mp4"), "--duration", "0.1"
    )
    assert done.returncode and "needs ffmpeg, which is not installed" in done.stderr and len(done.stderr.splitlines()) == 1, (
        done.stderr
    )


@pytest.mark.skipif(bool(lacks_pictures()), reason=lacks_pictures() or "-")
def test_a_film_without_ffmpeg_may_be_a_gif(tmp_path):
    (tmp_path / "ball.xml").write_text(BALL)
    done = without(
        "ffmpeg,OSMesa", "-m", "tumble", "render", str(tmp_path / "ball.xml"), str(tmp_path / "film.gif"), "--duration", "0.1"
    )
    assert done.returncode == 0 and (tmp_path / "film.gif").stat().st_size > 100, done.stderr


def test_the_viewer_without_a_display_says_so():
    done = without("Xvfb", "-m", "tumble", "view")
    assert done.returncode == 1 and "display" in done.stderr and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("parts", PARTS)
def test_steps_need_none_of_them(parts):
    code = (
        f"import tumble\nm = tumble.MjModel.from_xml_string('{BALL}')\nd = tumble.MjData(m)\ntumble.mj_step(m, d)\n"
        "print(d.time > 0)"
    )
    assert without(parts, "-c", code).stdout.strip() == "True"
