"""Parts that a machine may lack. Tests that need them are skipped there, with the reason; a test hides each part in turn."""

import shutil

from tumble.render.gl.context import ContextError, need_library

# errors of tests that draw where there is no EGL: ours, and PyOpenGL's in the reference
NO_PICTURES = ("no OpenGL context could be made", "'eglQueryString'")
LIBRARIES = ("GL", "EGL")


def lacks_pictures():
    """The reason why nothing can be drawn without a window here; empty if it can."""
    try:
        for name in LIBRARIES:
            need_library(name)
    except ContextError as error:
        return str(error)
    return ""


def lacks_windows():
    """The reason why no window can be opened here; empty if it can."""
    return "" if shutil.which("Xvfb") else "Xvfb is not installed"
