"""The system's libraries that OpenGL comes with: which are there, whose context is current, where their functions are.

EGL, GLX and OSMesa each keep a current context for each thread; where GLVND is between, EGL and GLX refuse to make a context current while
the other has one (GLX does so by ending the process). `release` lets go of what the others have.
"""

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable
from typing import Any

# name for the system's search -> names of the files on Linux, newest first
FILES = {"GL": ("libOpenGL.so.0", "libGL.so.1"), "EGL": ("libEGL.so.1",), "OSMesa": ("libOSMesa.so.8", "libOSMesa.so.6")}
# PyOpenGL takes functions from the platform that this names when it is first imported; scripts that use it beside this package rely on it
PYOPENGL_PLATFORM = "PYOPENGL_PLATFORM"
_claimed: list[str] = []
GLX_FILES = ("libGLX.so.0", "libGL.so.1")
CGL_FILE = "/System/Library/Frameworks/OpenGL.framework/OpenGL"


class ContextError(RuntimeError):
    """No usable OpenGL; the message says what was tried."""


def need_library(name) -> Any:
    """A library of FILES; ContextError unless it is installed."""
    for file in FILES[name]:
        try:
            return ctypes.CDLL(file)
        except OSError:
            continue
    found = ctypes.util.find_library(name)
    if found is None:
        raise ContextError(f"lib{name} is not installed")
    return ctypes.CDLL(found)


def claim_platform(name) -> None:
    """Tell PyOpenGL to use a platform, unless it was told already; ImportError if the environment names another."""
    asked = os.environ.get(PYOPENGL_PLATFORM)
    if not asked:
        os.environ[PYOPENGL_PLATFORM] = name
        _claimed.append(name)
    elif asked.lower() not in (name, *_claimed):
        raise ImportError(
            f"Cannot use {name} rendering platform: the environment variable {PYOPENGL_PLATFORM} is set to {asked!r} "
            f"(should be either unset or {name!r})."
        )


def loaded(files) -> Any:
    """The first of some libraries that this process already has; None if it has none."""
    if sys.platform == "win32":
        # none is asked for there: see Glfw
        return None
    for file in files:
        try:
            return ctypes.CDLL(file, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        except OSError:
            continue
    return None


def prototype(library, name, result, *arguments) -> Callable:
    """A function of a library with its types."""
    function = library[name]
    function.restype, function.argtypes = result, arguments
    return function


class CGLError(ContextError):
    """CGL refused a call; the text is its own."""


# CGL's functions that return the number of an error, and those that return nothing
CGL_CHECKED = {
    "CGLChoosePixelFormat": 3,
    "CGLCreateContext": 3,
    "CGLLockContext": 1,
    "CGLSetCurrentContext": 1,
    "CGLUnlockContext": 1,
}
CGL_PLAIN = {"CGLReleaseContext": 1, "CGLReleasePixelFormat": 1}


def cgl_library() -> dict[str, Callable]:
    """CGL's functions by name, of pointers: they raise CGLError. OSError where Apple's library is not installed, which is everywhere but on a Mac."""
    library: Any = ctypes.CDLL(CGL_FILE)
    text = prototype(library, "CGLErrorString", ctypes.c_char_p, ctypes.c_int)

    def checked(name, count):
        function = prototype(library, name, ctypes.c_int, *[ctypes.c_void_p] * count)

        def call(*args):
            code = function(*args)
            if code:
                raise CGLError(text(code).decode())

        call.__name__ = name
        return call

    out = {name: checked(name, count) for name, count in CGL_CHECKED.items()}
    return out | {name: prototype(library, name, None, *[ctypes.c_void_p] * count) for name, count in CGL_PLAIN.items()}


class Platform:
    """One way to contexts: its name, and C's names of what it is asked."""

    def __init__(self, name, files, current, address):
        self.name, self.files = name, files
        self._names = current, address
        self._current: Callable | None = None

    def handle(self) -> int:
        """Address of the context that is current in this thread; 0 for none."""
        if self._current is None:
            # a context can be current only if its library is there
            library = loaded(self.files)
            if library is None:
                return 0
            self._current = prototype(library, self._names[0], ctypes.c_void_p)
        return self._current() or 0

    def address(self, name) -> int:
        """Address of one of OpenGL's functions; 0 if there is none."""
        library = loaded(self.files)
        return (prototype(library, self._names[1], ctypes.c_void_p, ctypes.c_char_p)(name.encode()) if library else 0) or 0


class Glfw(Platform):
    """Contexts of glfw's windows, on systems whose own libraries are not asked."""

    def __init__(self):
        super().__init__("glfw", (), "", "")

    def handle(self) -> int:
        glfw = sys.modules.get("glfw")
        window = glfw.get_current_context() if glfw else None
        return ctypes.cast(window, ctypes.c_void_p).value or 0 if window else 0

    def address(self, name) -> int:
        glfw: Any = sys.modules["glfw"]
        return ctypes.cast(glfw.get_proc_address(name), ctypes.c_void_p).value or 0


class Cgl(Platform):
    """Contexts of a Mac, those of windows too: all are CGL's, and the library has one set of functions for them."""

    def __init__(self):
        super().__init__("cgl", (CGL_FILE,), "CGLGetCurrentContext", "")

    def address(self, name) -> int:
        function = getattr(loaded(self.files), name, None)
        return ctypes.cast(function, ctypes.c_void_p).value or 0 if function else 0


# a window's context goes before one in main memory: where both are current, the window's was asked for last (see OsmesaContext)
PLATFORMS: dict[str, Platform] = (
    {
        p.name: p
        for p in (
            Platform("egl", FILES["EGL"], "eglGetCurrentContext", "eglGetProcAddress"),
            Platform("glx", GLX_FILES, "glXGetCurrentContext", "glXGetProcAddressARB"),
            Platform("osmesa", FILES["OSMesa"], "OSMesaGetCurrentContext", "OSMesaGetProcAddress"),
        )
    }
    if sys.platform == "linux"
    else {"cgl": Cgl()}
    if sys.platform == "darwin"
    else {"glfw": Glfw()}
)


def current() -> str | None:
    """Name of the platform whose context is current in this thread; None if there is none."""
    return next((name for name, platform in PLATFORMS.items() if platform.handle()), None)


def current_handle() -> tuple[str, int] | None:
    """What tells the current context of this thread from all others."""
    name = current()
    return None if name is None else (name, PLATFORMS[name].handle())


def release(but="") -> None:
    """Make no context current in this thread, except those of one platform."""
    if but != "egl" and "egl" in PLATFORMS and PLATFORMS["egl"].handle():
        egl = need_library("EGL")
        display = prototype(egl, "eglGetCurrentDisplay", ctypes.c_void_p)()
        prototype(egl, "eglMakeCurrent", ctypes.c_uint, *[ctypes.c_void_p] * 4)(display, None, None, None)
    if but != "glx" and "glx" in PLATFORMS and PLATFORMS["glx"].handle():
        glx = loaded(GLX_FILES)
        display = prototype(glx, "glXGetCurrentDisplay", ctypes.c_void_p)()
        prototype(glx, "glXMakeCurrent", ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p)(display, 0, None)
    if but != "osmesa" and "osmesa" in PLATFORMS and PLATFORMS["osmesa"].handle():
        prototype(
            need_library("OSMesa"),
            "OSMesaMakeCurrent",
            ctypes.c_ubyte,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_uint,
            ctypes.c_int,
            ctypes.c_int,
        )(None, None, 0, 0, 0)
