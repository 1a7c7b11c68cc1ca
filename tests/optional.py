"""What a machine may lack. Tests that need it are skipped there, with the reason; a test hides each part in turn."""

import shutil

from tumble.render.gl.context import ContextError, need_library

# how a test fails that wanted to draw where there is no EGL: our error, and PyOpenGL's own in the reference
NO_PICTURES = ("no OpenGL context could be made", "'eglQueryString'")
LIBRARIES = ("GL", "EGL")


def lacks_pictures():
    """Why nothing can be drawn without a window here; empty if it can."""
    try:
        for name in LIBRARIES:
            need_library(name)
    except ContextError as error:
        return str(error)
    return ""


def lacks_windows():
    """Why no window can be opened here; empty if it can."""
    return "" if shutil.which("Xvfb") else "Xvfb is not installed"
