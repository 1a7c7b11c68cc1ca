"""`tumble run`: the name `mujoco` as a package, its files, modules that others add to it, and child processes."""

import os
import subprocess
import sys
import textwrap

import pytest

from tests.app.driver import FIRST_START, ROOT


def run(folder, text, *arguments, **env):
    (folder / "script.py").write_text(textwrap.dedent(text))
    clean = {k: v for k, v in os.environ.items() if k not in ("PYOPENGL_PLATFORM", "MUJOCO_GL")}
    done = subprocess.run(
        [sys.executable, "-m", "tumble", "run", "script.py", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=FIRST_START,
        env=clean | {"PYTHONPATH": str(ROOT)} | env,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


def test_the_package_has_files_and_takes_others_packages(tmp_path):
    """A distribution may add modules to the package; importlib.resources and __path__ lead to existing folders."""
    guest = tmp_path / "site" / "mujoco" / "guest"
    guest.mkdir(parents=True)
    (guest / "__init__.py").write_text("import mujoco\nfrom mujoco import _structs\nengine = mujoco.MjModel.__module__\n")
    (guest / "words.txt").write_text("words")
    out = run(
        tmp_path,
        """
        import importlib.resources, os, sys
        sys.path.append("site")
        import mujoco, mujoco.guest
        print(mujoco.guest.engine.partition(".")[0],\
 importlib.resources.files("mujoco.guest").joinpath("words.txt").read_text())
        print(all(os.path.isdir(p) for p in mujoco.__path__), os.path.isdir(importlib.resources.files("mujoco")),\
 os.path.isfile(mujoco.__file__))
        print(mujoco._structs._MjContactList.__name__, "_structs" in dir(mujoco), "MjrContext" in dir(mujoco))
        try:
            import mujoco._rollout
        except ModuleNotFoundError as error:
            print("refused")
        """,
        PYTHONPATH=os.pathsep.join([str(ROOT), str(tmp_path / "site")]),
    )
    assert out[:3] == ["tumble words", "True True True", "_MjContactList True True"] and out[3:] in ([], ["refused"])


def test_children_use_this_engine(tmp_path):
    out = run(
        tmp_path,
        """
        import multiprocessing, subprocess, sys

        def engine(queue):
            import mujoco
            queue.put(mujoco.MjModel.__module__.partition(".")[0])

        if __name__ == "__main__":
            import mujoco
            for how in ("spawn", "forkserver", "fork"):
                context = multiprocessing.get_context(how)
                queue = context.Queue()
                process = context.Process(target=engine, args=(queue,))
                process.start()
                print(how, queue.get())
                process.join()
            code = "import mujoco.viewer, mujoco; print('subprocess', mujoco.MjModel.__module__.partition('.')[0])"
            print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,\
 cwd="/").stdout.strip())
        """,
    )
    assert out == ["spawn tumble", "forkserver tumble", "fork tumble", "subprocess tumble"]


def test_a_module_runs_with_its_arguments(tmp_path):
    (tmp_path / "tool.py").write_text(
        "import sys, mujoco\nprint(sys.argv[1:], mujoco.MjModel.__module__.partition('.')[0], __name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "tumble", "run", "-m", "tool", "-x", "--trust", "y"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=FIRST_START,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip() == "['-x', '--trust', 'y'] tumble __main__", done.stderr


@pytest.mark.parametrize("platform", ["", "egl", "osmesa"])
def test_who_takes_every_name_does_not_settle_how_to_draw(platform, tmp_path):
    """`from mujoco import *` and reading every name in `dir` select no OpenGL platform, so each can still be chosen later."""
    out = run(
        tmp_path,
        """
        import os
        import mujoco
        from mujoco import *
        found = [name for name in dir(mujoco) if hasattr(mujoco, name)]
        print(len(found) == len(dir(mujoco)), os.environ.get("PYOPENGL_PLATFORM"), "MjModel" in found and mj_step is\
 mujoco.mj_step)
        import mujoco.egl, mujoco.osmesa
        """,
        MUJOCO_GL=platform,
    )
    assert out == [f"True {platform or None} True"]


def test_cgl_says_what_the_reference_says_without_a_mac(tmp_path):
    """`import mujoco.cgl` and `mujoco.cgl.cgl` search for Apple's library; reading the name does not."""
    code = """
        import importlib
        import mujoco
        for name in ("mujoco.cgl", "mujoco.cgl.cgl"):
            try:
                print(importlib.import_module(name))
            except OSError as error:
                print(type(error).__name__, error)
        print(hasattr(mujoco, "cgl"), "cgl" in dir(mujoco))
        """
    there = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run(tmp_path, code) == there.stdout.splitlines() and "OpenGL.framework" in there.stdout


def test_a_context_of_cgl_calls_the_library_as_it_is_documented(tmp_path):
    """A stand-in for Apple's library gets the documented calls: attributes, freed contexts, error texts. The module has the
    reference's names.
    """
    out = run(
        tmp_path,
        """
        import ctypes, sys
        asked, fails = [], []

        class Function:
            def __init__(self, name):
                self.name = name

            def __call__(self, *args):
                asked.append(self.name)
                if self.name == "CGLChoosePixelFormat":
                    print(list(args[0]))
                    args[1]._obj.value = 7
                if self.name == "CGLCreateContext":
                    args[2]._obj.value = 8
                if self.name == "CGLErrorString":
                    return b"bad context %d" % args
                return 8 if self.name == "CGLGetCurrentContext" else 10 if self.name in fails else 0

        class Library(dict):
            def __missing__(self, name):
                return Function(name)

        real = ctypes.CDLL
        ctypes.CDLL = lambda name, *args, **kwargs: Library() if name and "OpenGL.framework" in str(name) else real(name,\
 *args, **kwargs)
        import mujoco
        from mujoco.cgl import cgl, GLContext
        from tumble.render.gl import libraries
        libraries.PLATFORMS = {"cgl": libraries.Cgl()}
        context = GLContext(64, 64)
        fails.append("CGLSetCurrentContext")
        try:
            context.make_current()
        except cgl.CGLError as error:
            print(isinstance(error, RuntimeError), error)
        fails.clear()
        context.free()
        context.free()
        print(asked)
        print(cgl.CGLPixelFormatAttribute.CGLPFAMultisample.value, cgl.CGLOpenGLProfile(0x3200).name,\
 len(cgl.CGLPixelFormatAttribute))
        """,
    )
    names = [
        "CGLChoosePixelFormat",
        "CGLCreateContext",
        "CGLSetCurrentContext",
        "CGLErrorString",
        "CGLGetCurrentContext",
        "CGLSetCurrentContext",
        "CGLReleaseContext",
        "CGLReleasePixelFormat",
    ]
    assert out == [
        str([99, 0x3200, 8, 24, 11, 8, 12, 24, 13, 8, 73, 0]),
        "True bad context 10",
        str(names),
        "59 CGLOGLPVersion_3_2_Core 41",
    ]
