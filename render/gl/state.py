"""The one door to OpenGL for this package, and small helpers around its global state.

Set TUMBLE_GL_CHECK=1 to check for GL errors after every call (slow; the tests do).
"""
import os
import sys
from typing import Any

# without a display only EGL can give a context; PyOpenGL chooses its platform when it is imported
if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("PYOPENGL_PLATFORM", "osmesa" if os.environ.get("MUJOCO_GL", "").lower().strip() == "osmesa" else "egl")

import OpenGL  # noqa: E402

if os.environ.get("PYOPENGL_PLATFORM") == "egl":
    # PyOpenGL's EGL cannot be imported once error checking is off
    import OpenGL.EGL  # noqa: F401
OpenGL.ERROR_CHECKING = os.environ.get("TUMBLE_GL_CHECK", "") not in ("", "0")
OpenGL.ERROR_LOGGING = False
from OpenGL import GL as _GL  # noqa: E402  (the switches above must come first)

# its functions and constants are made at run time, and those that this machine lacks are None
GL: Any = _GL

MIN_VERSION = (3, 3)


def require_context() -> tuple[str, str]:
    """Raise a clear error unless an OpenGL context of at least 3.3 is current; returns (renderer, version) texts."""
    version = GL.glGetString(GL.GL_VERSION)
    if not version:
        raise RuntimeError("no OpenGL context is current in this thread; make one current before creating a renderer")
    major, minor = int(GL.glGetIntegerv(GL.GL_MAJOR_VERSION)), int(GL.glGetIntegerv(GL.GL_MINOR_VERSION))
    if (major, minor) < MIN_VERSION:
        raise RuntimeError(f"OpenGL 3.3 is needed, this context is {version.decode()}")
    return GL.glGetString(GL.GL_RENDERER).decode(), version.decode()


def whole_depth() -> bool:
    """Whether depth can have the range 0 to 1 in clip space, which reversed depth needs for its full precision."""
    return bool(GL.glClipControl)


def reverse_depth(on) -> None:
    """Depth that falls from near to far, or what OpenGL starts with."""
    if whole_depth():
        GL.glClipControl(GL.GL_LOWER_LEFT, GL.GL_ZERO_TO_ONE if on else GL.GL_NEGATIVE_ONE_TO_ONE)
    GL.glDepthFunc(GL.GL_GEQUAL if on else GL.GL_LESS)
    GL.glClearDepth(0.0 if on else 1.0)


def toggle(cap, on) -> None:
    """Enable or disable a capability."""
    (GL.glEnable if on else GL.glDisable)(cap)
