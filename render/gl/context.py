"""OpenGL contexts without a visible window.

Backends, in the order tried: CGL (on a Mac only), EGL without a surface, OSMesa, a hidden glfw window. MUJOCO_GL can name one
(egl, osmesa, glfw). EGL takes the first graphics device that works, or the device whose index is in MUJOCO_EGL_DEVICE_ID.

A process may have contexts of several backends, and windows. A context is current in one thread at a time; making it current
releases the thread's previous context.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, SupportsIndex

from . import libraries
from .calls import GL, table_of
from .libraries import ContextError, cgl_library, need_library, prototype

MUJOCO_GL = "MUJOCO_GL"
# Null pointer for arguments of glfw's functions.
NOTHING: Any = None
# More values of the environment variable MUJOCO_GL. ANY: this module chooses the backend; NONE: drawing is disabled.
OWN = {"linux": "glx", "win32": "wgl", "darwin": "cgl"}.get(sys.platform, "")
ANY, NONE = ("", "enable", "enabled", "on", "true", "1", OWN), ("disable", "disabled", "off", "false", "0")
DEVICE_ID = "MUJOCO_EGL_DEVICE_ID"
# With a display, the process may open windows. EGL's context must then be released before a window's context is made current.
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
EGL_SURFACELESS, EGL_DEVICE, MAX_DEVICES = 0x31DD, 0x313F, 16
EGL_OPENGL_API, EGL_NONE, EGL_DRAW = 0x30A2, 0x3038, 0x3059
# EGL attributes, names and values alternating. EGL_CONFIG: renderable by OpenGL, pbuffer surfaces. CORE_33: version 3.3, core.
EGL_CONFIG = (0x3040, 0x8, 0x3033, 0x1, EGL_NONE)
CORE_33 = (0x3098, 3, 0x30FB, 3, 0x30FD, 1)
OSMESA_CORE_33 = (0x22, 0x1908, 0x30, 24, 0x31, 0, 0x33, 0x34, 0x36, 3, 0x37, 3, 0)
# CGL attributes: profile of OpenGL 3.2 and later; bits: 24 color, 8 alpha, 24 depth, 8 stencil; hardware accelerated.
CGL_FORMAT = (99, 0x3200, 8, 24, 11, 8, 12, 24, 13, 8, 73, 0)
UNSIGNED_BYTE = 0x1401
P, INT, UINT = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint
EGL_FUNCTIONS = {
    "eglBindAPI": (UINT, UINT),
    "eglChooseConfig": (UINT, P, P, P, INT, P),
    "eglCreateContext": (P, P, P, P, P),
    "eglDestroyContext": (UINT, P, P),
    "eglGetCurrentContext": (P,),
    "eglGetDisplay": (P, P),
    "eglGetProcAddress": (P, ctypes.c_char_p),
    "eglInitialize": (UINT, P, P, P),
    "eglMakeCurrent": (UINT, P, P, P, P),
}
_opening = threading.Lock()


class Context:
    """Base class of contexts. A context is destroyed when its object is freed."""

    ctx: int | None = None
    # Module and class name of this type of context in PyOpenGL.
    _type = "", ""

    @property
    def _context(self) -> Any:
        """The context as the object that PyOpenGL's functions take; None after `free`."""
        module, name = self._type
        # Importing PyOpenGL takes 0.2 s; import it here, so that only scripts that read this property pay for it.
        return ctypes.cast(self.ctx, getattr(importlib.import_module(module), name)) if self.ctx else None

    def free(self) -> None:
        """Destroy the context."""

    def __del__(self) -> None:
        # When the process ends, the libraries may already be unloaded.
        if not sys.is_finalizing():
            self.free()


class EglContext(Context):
    """An OpenGL 3.3 core context through EGL, which draws only into framebuffer objects."""

    name = "egl"
    _type = "OpenGL.EGL", "EGLContext"
    shown: int | None = None

    def __init__(self, width: int, height: int) -> None:
        need_library("GL")
        self.egl = egl_library()
        display = self.display()
        config, count, wanted = P(), INT(), (INT * len(EGL_CONFIG))(*EGL_CONFIG)
        self.egl["eglChooseConfig"](display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
        if not count.value:
            raise ContextError("EGL has no configuration for OpenGL")
        self.egl["eglBindAPI"](EGL_OPENGL_API)
        self.ctx = self.egl["eglCreateContext"](display, config, None, (INT * 7)(*CORE_33, EGL_NONE))
        if not self.ctx:
            raise ContextError("EGL cannot create an OpenGL 3.3 core context")
        if any(os.environ.get(name) for name in DISPLAYS):
            make_windows_polite()

    @classmethod
    def display(cls) -> int:
        """Return the EGL display of the process: a graphics device, else Mesa's surfaceless platform, else the default
        display."""
        with _opening:
            if cls.shown is None:
                cls.shown = open_display(egl_library())
            return cls.shown

    def make_current(self) -> None:
        """Make the context current in this thread."""
        make = self.egl["eglMakeCurrent"]
        if not make(self.shown, None, None, self.ctx):
            # A window's context may be current in this thread.
            libraries.release("egl")
            if not make(self.shown, None, None, self.ctx):
                raise ContextError("eglMakeCurrent failed: is the context current in another thread?")
        GL.use(table_of("egl"))

    def free(self) -> None:
        """Destroy the context."""
        if self.ctx:
            if self.egl["eglGetCurrentContext"]() == self.ctx:
                self.egl["eglMakeCurrent"](self.shown, None, None, None)
            self.egl["eglDestroyContext"](self.shown, self.ctx)
        self.ctx = None


def egl_library() -> dict[str, Any]:
    """Return EGL's functions; raise ContextError if EGL is not installed."""
    library = need_library("EGL")
    return {name: prototype(library, name, *types) for name, types in EGL_FUNCTIONS.items()}


def open_display(egl: dict[str, Any]) -> int:
    """Return the first EGL display that can be initialized."""
    chosen = os.environ.get(DEVICE_ID)
    on_platform = extension(egl, "eglGetPlatformDisplayEXT", P, UINT, P, P)
    displays = [lambda d=d: on_platform(EGL_DEVICE, d, None) for d in egl_devices(egl, chosen)] if on_platform else []
    if chosen is None:
        displays += [lambda: on_platform and on_platform(EGL_SURFACELESS, None, None), lambda: egl["eglGetDisplay"](None)]
    for find in displays:
        display = find()
        if display and egl["eglInitialize"](display, None, None):
            return display
    raise ContextError("EGL finds no display" if chosen is None else f"EGL cannot use device {chosen} ({DEVICE_ID})")


def extension(egl: dict[str, Any], name: str, result: Any, *arguments: Any) -> Any:
    """Return an optional EGL function, or None if EGL lacks it."""
    address = egl["eglGetProcAddress"](name.encode())
    return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None


def egl_devices(egl: dict[str, Any], chosen: str | None) -> list[int]:
    """List the graphics devices in EGL's order, or only the chosen device. The list is empty if EGL cannot list them."""
    query = extension(egl, "eglQueryDevicesEXT", UINT, INT, P, P)
    devices, count = (P * MAX_DEVICES)(), INT()
    if not query:
        return []
    found = list(devices[: count.value]) if query(MAX_DEVICES, devices, ctypes.byref(count)) else []
    if chosen is None:
        return found
    if not (chosen.isdigit() and int(chosen) < len(found)):
        raise ContextError(f"{DEVICE_ID} must be an integer from 0 to {len(found) - 1}, got {chosen}")
    return [found[int(chosen)]]


def make_windows_polite() -> None:
    """Make glfw release this thread's EGL context before it makes a window's context current. Otherwise GLX would end the
    process."""
    try:
        # Importing glfw takes 10 ms, so import it only if there is a display.
        import glfw
    except ImportError:
        return
    for name in ("create_window", "make_context_current"):
        function = getattr(glfw, name)
        if not hasattr(function, "polite"):
            setattr(glfw, name, polite(function))


def polite(function: Callable) -> Any:
    """Wrap a glfw function so that it first releases a surfaceless EGL context."""

    def call(*args: Any, **kwargs: Any) -> Any:
        egl = libraries.PLATFORMS.get("egl")
        if egl and egl.handle() and not prototype(need_library("EGL"), "eglGetCurrentSurface", P, INT)(EGL_DRAW):
            libraries.release("glx")
        return function(*args, **kwargs)

    call.__name__, call.__doc__ = function.__name__, function.__doc__
    call.polite = True  # pyright: ignore[reportFunctionMemberAccess]
    return call


class OsmesaContext(Context):
    """An OpenGL 3.3 core context in main memory (OSMesa)."""

    name = "osmesa"
    _type = "OpenGL.osmesa", "OSMesaContext"

    def __init__(self, width: int, height: int) -> None:
        library = need_library("OSMesa")
        if not hasattr(library, "OSMesaCreateContextAttribs"):
            raise ContextError("libOSMesa is too old for OpenGL 3.3")
        self._make_current = prototype(library, "OSMesaMakeCurrent", ctypes.c_ubyte, P, P, UINT, INT, INT)
        self._destroy = prototype(library, "OSMesaDestroyContext", None, P)
        self.ctx = prototype(library, "OSMesaCreateContextAttribs", P, P, P)((INT * len(OSMESA_CORE_33))(*OSMESA_CORE_33), None)
        if not self.ctx:
            raise ContextError("OSMesa cannot create an OpenGL 3.3 core context")
        self.buffer = (ctypes.c_ubyte * (4 * width * height))()
        self.size = width, height

    def make_current(self) -> None:
        """Make the context current in this thread."""
        # OSMesa and the other libraries do not know about each other's current contexts.
        libraries.release("osmesa")
        if not self._make_current(self.ctx, self.buffer, UNSIGNED_BYTE, *self.size):
            raise ContextError("OSMesaMakeCurrent failed")
        GL.use(table_of("osmesa"))

    def free(self) -> None:
        """Destroy the context."""
        if self.ctx:
            if libraries.PLATFORMS["osmesa"].handle() == self.ctx:
                self._make_current(None, None, 0, 0, 0)
            self._destroy(self.ctx)
        self.ctx = None


class GlfwContext(Context):
    """An OpenGL 3.3 core context that belongs to a hidden glfw window."""

    name = "glfw"
    window = None

    @property
    def _context(self) -> Any:
        """The window; None after `free`."""
        return self.window

    def __init__(self, width: int, height: int) -> None:
        import glfw

        self.glfw = glfw
        if not glfw.init():
            raise ContextError("glfw cannot start: is there a display?")
        # Creating a window makes its context current for a moment.
        libraries.release("glx")
        hints = (
            (glfw.VISIBLE, False),
            (glfw.CONTEXT_VERSION_MAJOR, 3),
            (glfw.CONTEXT_VERSION_MINOR, 3),
            (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE),
            (glfw.OPENGL_FORWARD_COMPAT, True),
        )
        for key, value in hints:
            glfw.window_hint(key, value)
        self.window: Any = glfw.create_window(width, height, "offscreen", None, None)
        glfw.default_window_hints()
        if not self.window:
            raise ContextError("glfw cannot open an OpenGL 3.3 core window")

    def make_current(self) -> None:
        """Make the context current in this thread."""
        libraries.release("glx")
        self.glfw.make_context_current(self.window)
        GL.follow()

    def free(self) -> None:
        """Destroy the window."""
        if self.window:
            if self.glfw.get_current_context() == self.window:
                self.glfw.make_context_current(NOTHING)
            self.glfw.destroy_window(self.window)
        self.window = None


class CglContext(Context):
    """An OpenGL context without a window on a Mac: the core profile, version 3.3 or later."""

    name = "cgl"
    pix: Any = None

    @property
    def _context(self) -> Any:
        """The context; None after `free`."""
        return self.ctx

    def __init__(self, width: int, height: int) -> None:
        self.cgl = cgl_library()
        pix, count, context = P(), INT(), P()
        self.cgl["CGLChoosePixelFormat"]((INT * len(CGL_FORMAT))(*CGL_FORMAT), ctypes.byref(pix), ctypes.byref(count))
        if not pix:
            raise ContextError("CGL has no pixel format for OpenGL 3.3")
        self.pix = pix
        self.cgl["CGLCreateContext"](pix, None, ctypes.byref(context))
        self.ctx = context.value

    def make_current(self) -> None:
        """Make the context current in this thread."""
        self.cgl["CGLSetCurrentContext"](self.ctx)
        GL.follow()

    def free(self) -> None:
        """Destroy the context."""
        if self.ctx:
            if libraries.PLATFORMS["cgl"].handle() == self.ctx:
                self.cgl["CGLSetCurrentContext"](None)
            self.cgl["CGLReleaseContext"](self.ctx)
        if self.pix:
            self.cgl["CGLReleasePixelFormat"](self.pix)
        self.ctx = self.pix = None


BACKENDS = dict(cgl=CglContext) if sys.platform == "darwin" else {}
BACKENDS |= dict(egl=EglContext, osmesa=OsmesaContext, glfw=GlfwContext)


class GLContext:
    """A context from the first backend that works, or from the backend that MUJOCO_GL names. ContextError, a RuntimeError, if
    there is none.

    max_width, max_height: size of its buffer in pixels
    """

    def __init__(self, max_width: SupportsIndex, max_height: SupportsIndex) -> None:
        asked = os.environ.get(MUJOCO_GL, "").lower().strip()
        if asked in NONE:
            raise ContextError(f"drawing is switched off: {MUJOCO_GL}={asked}")
        if asked not in ANY and asked not in BACKENDS:
            raise ContextError(f"invalid value for environment variable {MUJOCO_GL}: {asked}; one of {', '.join(BACKENDS)}")
        names = [asked] if asked in BACKENDS else list(BACKENDS)
        failures = []
        libraries.choose_software_threads()
        for name in names:
            try:
                self.impl = BACKENDS[name](int(max_width), int(max_height))
                self.impl.make_current()
                return
            except (ContextError, ImportError, AttributeError, OSError) as e:
                failures.append(f"{name}: {e}")
        raise ContextError(
            "no OpenGL context could be made ({}). Install libegl1 and libgl1-mesa-dri, or libosmesa6, or run under a "
            "display; MUJOCO_GL chooses one of {}.".format("; ".join(failures), ", ".join(BACKENDS))
        )

    @property
    def name(self) -> str:
        """Name of the backend in use."""
        return self.impl.name

    @property
    def _context(self) -> Any:
        """The context as the object that PyOpenGL or glfw takes; None after `free`."""
        return self.impl._context

    def make_current(self) -> None:
        """Make the context current in this thread."""
        self.impl.make_current()

    def free(self) -> None:
        """Destroy the context."""
        self.impl.free()
