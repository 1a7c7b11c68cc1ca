"""Finds the system libraries that provide OpenGL: which are loaded, which one has the current context, and where their
functions are.

EGL, GLX and OSMesa each keep a current context per thread. Under GLVND, EGL and GLX cannot make a context current while the
other library has one; GLX even ends the process. Call `release` first to release the contexts of the other libraries.
"""

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable
from typing import Any

# {name for the system's library search: file names on Linux, newest version first}
FILES = {"GL": ("libOpenGL.so.0", "libGL.so.1"), "EGL": ("libEGL.so.1",), "OSMesa": ("libOSMesa.so.8", "libOSMesa.so.6")}
# PyOpenGL takes its platform from this environment variable when first imported. Scripts that also use PyOpenGL rely on it.
PYOPENGL_PLATFORM = "PYOPENGL_PLATFORM"
_claimed: list[str] = []
# LP_NUM_THREADS: environment variable with the number of threads of Mesa's software renderer; 0: the calling thread draws.
# FEW_PROCESSORS: up to this number of processors, Mesa gets no threads (see `choose_software_threads`).
LP_NUM_THREADS, FEW_PROCESSORS = "LP_NUM_THREADS", 2
GLX_FILES = ("libGLX.so.0", "libGL.so.1")
CGL_FILE = "/System/Library/Frameworks/OpenGL.framework/OpenGL"


class ContextError(RuntimeError):
    """Raised if no usable OpenGL is found; the message lists what was tried."""


def need_library(name: str) -> Any:
    """Load a library of FILES. Raise ContextError if it is not installed."""
    for file in FILES[name]:
        try:
            return ctypes.CDLL(file)
        except OSError:
            continue
    found = ctypes.util.find_library(name)
    if found is None:
        raise ContextError(f"lib{name} is not installed")
    return ctypes.CDLL(found)


def processors() -> int:
    """Return how many processors this process may use. This repeats a function of the engine, because a window may open before
    the engine is imported.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def choose_software_threads() -> None:
    """On a machine with one or two processors, let Mesa's software renderer draw in the calling thread, unless the environment
    says otherwise. Call this before the first context is made.

    On such machines, Mesa's own threads make no picture faster, and they can crash the process: Mesa's llvmpipe frees a fence
    as soon as its counter is complete, while the thread that completed it may still be unlocking the fence's mutex.
    """
    if processors() <= FEW_PROCESSORS:
        os.environ.setdefault(LP_NUM_THREADS, "0")


def claim_platform(name: str) -> None:
    """Make PyOpenGL use a platform, unless one is already set. Raise ImportError if the environment names another one."""
    asked = os.environ.get(PYOPENGL_PLATFORM)
    if not asked:
        os.environ[PYOPENGL_PLATFORM] = name
        _claimed.append(name)
    elif asked.lower() not in (name, *_claimed):
        raise ImportError(
            f"Cannot use {name} rendering platform: the environment variable {PYOPENGL_PLATFORM} is set to {asked!r} "
            f"(should be either unset or {name!r})."
        )


def loaded(files: tuple[str, ...]) -> Any:
    """Return the first library in a list that this process has already loaded, or None."""
    if sys.platform == "win32":
        # Windows has none of these libraries; its contexts come from glfw (see Glfw).
        return None
    for file in files:
        try:
            return ctypes.CDLL(file, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        except OSError:
            continue
    return None


def prototype(library: Any, name: str, result: Any, *arguments: Any) -> Callable:
    """Return a library's function with its argument and result types set."""
    function = library[name]
    function.restype, function.argtypes = result, arguments
    return function


class CGLError(ContextError):
    """Raised if a CGL call fails; the message is CGL's own."""


# {CGL function: number of arguments}: functions that return an error code, then functions that return nothing.
CGL_CHECKED = {
    "CGLChoosePixelFormat": 3,
    "CGLCreateContext": 3,
    "CGLLockContext": 1,
    "CGLSetCurrentContext": 1,
    "CGLUnlockContext": 1,
}
CGL_PLAIN = {"CGLReleaseContext": 1, "CGLReleasePixelFormat": 1}


def cgl_library() -> dict[str, Callable]:
    """Return CGL's functions by name; they take pointers and raise CGLError. Raise OSError without Apple's library, as on any
    other system."""
    library: Any = ctypes.CDLL(CGL_FILE)
    text = prototype(library, "CGLErrorString", ctypes.c_char_p, ctypes.c_int)

    def checked(name: str, count: int) -> Callable:
        function = prototype(library, name, ctypes.c_int, *[ctypes.c_void_p] * count)

        def call(*args: Any) -> None:
            code = function(*args)
            if code:
                raise CGLError(text(code).decode())

        call.__name__ = name
        return call

    out = {name: checked(name, count) for name, count in CGL_CHECKED.items()}
    return out | {name: prototype(library, name, None, *[ctypes.c_void_p] * count) for name, count in CGL_PLAIN.items()}


class Platform:
    """A library that makes contexts: the names of its C functions that return the current context and function addresses."""

    def __init__(self, name: str, files: tuple[str, ...], current: str, address: str) -> None:
        self.name, self.files = name, files
        self._names = current, address
        self._current: Callable | None = None

    def handle(self) -> int:
        """Return the address of the context that is current in this thread, or 0."""
        if self._current is None:
            # A context can be current only if its library is loaded.
            library = loaded(self.files)
            if library is None:
                return 0
            self._current = prototype(library, self._names[0], ctypes.c_void_p)
        return self._current() or 0

    def address(self, name: str) -> int:
        """Return the address of an OpenGL function, or 0 if there is none."""
        library = loaded(self.files)
        return (prototype(library, self._names[1], ctypes.c_void_p, ctypes.c_char_p)(name.encode()) if library else 0) or 0


class Glfw(Platform):
    """Contexts of glfw's windows, on systems whose own OpenGL libraries Tumble does not use."""

    def __init__(self) -> None:
        super().__init__("glfw", (), "", "")

    def handle(self) -> int:
        glfw = sys.modules.get("glfw")
        window = glfw.get_current_context() if glfw else None
        return ctypes.cast(window, ctypes.c_void_p).value or 0 if window else 0

    def address(self, name: str) -> int:
        glfw: Any = sys.modules["glfw"]
        return ctypes.cast(glfw.get_proc_address(name), ctypes.c_void_p).value or 0


class Cgl(Platform):
    """Contexts on a Mac, including those of windows. All belong to CGL, so the same functions serve all of them."""

    def __init__(self) -> None:
        super().__init__("cgl", (CGL_FILE,), "CGLGetCurrentContext", "")

    def address(self, name: str) -> int:
        function = getattr(loaded(self.files), name, None)
        return ctypes.cast(function, ctypes.c_void_p).value or 0 if function else 0


# Window contexts come before OSMesa's: if both are current, the window's context was made current later (see OsmesaContext).
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
    """Return the name of the platform whose context is current in this thread, or None."""
    return next((name for name, platform in PLATFORMS.items() if platform.handle()), None)


def current_handle() -> tuple[str, int] | None:
    """Return a key that identifies this thread's current context, or None."""
    name = current()
    return None if name is None else (name, PLATFORMS[name].handle())


def release(but: str = "") -> None:
    """Release this thread's current contexts, except the context of the platform `but`."""
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
