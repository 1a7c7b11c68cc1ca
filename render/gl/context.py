"""OpenGL contexts without a visible window.

Backends, tried in order unless MUJOCO_GL names one (egl, osmesa, glfw): EGL without a surface, OSMesa, a hidden glfw window.
EGL takes the first graphics device that works, or the one whose number is in MUJOCO_EGL_DEVICE_ID.
PyOpenGL binds to one platform per process when it is first imported: a backend that does not fit what is already bound is skipped.
"""
import ctypes
import ctypes.util
import os
import sys
from typing import Any

MUJOCO_GL = "MUJOCO_GL"
# where glfw takes a null pointer
NOTHING: Any = None
# other values that the variable may have: any backend, and none
ANY, NONE = ("", "enable", "enabled", "on", "true", "1", "glx", "wgl", "cgl"), ("disable", "disabled", "off", "false", "0")
DEVICE_ID = "MUJOCO_EGL_DEVICE_ID"
PLATFORM = "PYOPENGL_PLATFORM"
# name for the system's search -> names of the files on Linux, newest first
LIBRARIES = {"GL": ("libOpenGL.so.0", "libGL.so.1"), "EGL": ("libEGL.so.1",), "OSMesa": ("libOSMesa.so.8", "libOSMesa.so.6")}
EGL_SURFACELESS, EGL_DEVICE, MAX_DEVICES = 0x31DD, 0x313F, 16
CORE_33 = (0x3098, 3, 0x30FB, 3, 0x30FD, 1)
OSMESA_CORE_33 = (0x22, 0x1908, 0x30, 24, 0x31, 0, 0x33, 0x34, 0x36, 3, 0x37, 3, 0)


class ContextError(RuntimeError):
    """No usable OpenGL; the message says what was tried."""


def need_library(name) -> None:
    """ContextError unless a library of LIBRARIES is installed. Asked before PyOpenGL is bound, which is once and for all."""
    for file in LIBRARIES[name]:
        try:
            ctypes.CDLL(file)
            return
        except OSError:
            continue
    if ctypes.util.find_library(name) is None:
        raise ContextError(f"lib{name} is not installed")


def claim_platform(name) -> None:
    """Bind PyOpenGL to a platform, or raise if it is bound to another."""
    if "OpenGL.platform" in sys.modules:
        from OpenGL import platform
        bound = type(platform.PLATFORM).__name__.lower()
        if not bound.startswith(name):
            raise ContextError("PyOpenGL is already bound to {} in this process".format(bound.replace("platform", "")))
        return
    if os.environ.get(PLATFORM, name) != name:
        raise ContextError(f"{PLATFORM}={os.environ[PLATFORM]}")
    os.environ[PLATFORM] = name


class Context:
    """A context that frees itself."""

    def free(self) -> None:
        """Destroy."""

    def __del__(self):
        # at the end of the process the libraries may be gone before this
        if not sys.is_finalizing():
            self.free()


class EglContext(Context):
    """OpenGL 3.3 core through EGL, drawing into framebuffer objects only."""
    name = "egl"
    ctx = None
    _display = None

    def __init__(self, width, height):
        need_library("GL")
        need_library("EGL")
        claim_platform("egl")
        from OpenGL import EGL
        self.EGL = EGL
        display = self._open(EGL)
        config, count = (EGL.EGLConfig * 1)(), EGL.EGLint()
        attributes = (EGL.EGLint * 5)(EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_BIT, EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_NONE)
        EGL.eglChooseConfig(display, attributes, config, 1, count)
        if not count.value:
            raise ContextError("EGL has no configuration for OpenGL")
        EGL.eglBindAPI(EGL.EGL_OPENGL_API)
        attr = (EGL.EGLint * 7)(*CORE_33, EGL.EGL_NONE)
        self.ctx: Any = EGL.eglCreateContext(display, config[0], EGL.EGL_NO_CONTEXT, attr)
        if not self.ctx:
            raise ContextError("EGL cannot create an OpenGL 3.3 core context")

    @classmethod
    def _open(cls, EGL):
        """The process-wide display: a graphics device, else the surfaceless platform of Mesa, else the default one."""
        if cls._display is not None:
            return cls._display
        from OpenGL.EGL.EXT import platform_base
        major, minor = EGL.EGLint(), EGL.EGLint()
        chosen = os.environ.get(DEVICE_ID)
        makers = [lambda d=d: platform_base.eglGetPlatformDisplayEXT(EGL_DEVICE, d, None) for d in cls._devices(EGL, chosen)]
        if chosen is None:
            makers += [lambda: platform_base.eglGetPlatformDisplayEXT(EGL_SURFACELESS, EGL.EGL_DEFAULT_DISPLAY, None),
                       lambda: EGL.eglGetDisplay(EGL.EGL_DEFAULT_DISPLAY)]
        for make in makers:
            try:
                display = make()
                if display and EGL.eglInitialize(display, major, minor):
                    cls._display = display
                    return display
            except Exception:  # PyOpenGL raises several kinds; the next display is tried
                continue
        raise ContextError("EGL finds no display" if chosen is None else f"EGL cannot use device {chosen} ({DEVICE_ID})")

    @staticmethod
    def _devices(EGL, chosen):
        """Graphics devices in EGL's order, or the chosen one; none where EGL cannot list them."""
        try:
            address = EGL.eglGetProcAddress("eglQueryDevicesEXT")
            query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int))(address)
        except TypeError:
            return []
        devices, count = (ctypes.c_void_p * MAX_DEVICES)(), ctypes.c_int()
        found = list(devices[:count.value]) if query(MAX_DEVICES, devices, count) else []
        if chosen is None:
            return found
        if not (chosen.isdigit() and int(chosen) < len(found)):
            raise ContextError(f"{DEVICE_ID} must be an integer from 0 to {len(found) - 1}, got {chosen}")
        return [found[int(chosen)]]

    def make_current(self) -> None:
        """Make current in this thread."""
        E = self.EGL
        if not E.eglMakeCurrent(self._display, E.EGL_NO_SURFACE, E.EGL_NO_SURFACE, self.ctx):
            raise ContextError("eglMakeCurrent failed")

    def free(self) -> None:
        """Destroy."""
        if self.ctx:
            E = self.EGL
            current: Any = E.eglGetCurrentContext()
            if current and current.address == self.ctx.address:
                E.eglMakeCurrent(self._display, E.EGL_NO_SURFACE, E.EGL_NO_SURFACE, E.EGL_NO_CONTEXT)
            E.eglDestroyContext(self._display, self.ctx)
        self.ctx = None


def egl_display() -> Any:
    """The process-wide display of EGL, initialised; ContextError if there is none."""
    need_library("EGL")
    claim_platform("egl")
    from OpenGL import EGL
    return EglContext._open(EGL)


class OsmesaContext(Context):
    """OpenGL 3.3 core in main memory."""
    name = "osmesa"
    ctx = None

    def __init__(self, width, height):
        need_library("OSMesa")
        claim_platform("osmesa")
        from OpenGL import osmesa
        self.osmesa = osmesa
        # false for a function that the library lacks
        if not osmesa.OSMesaCreateContextAttribs:
            raise ContextError("libOSMesa is too old for OpenGL 3.3")
        attr = (ctypes.c_int * len(OSMESA_CORE_33))(*OSMESA_CORE_33)
        self.ctx: Any = osmesa.OSMesaCreateContextAttribs(attr, None)
        if not self.ctx:
            raise ContextError("OSMesa cannot create an OpenGL 3.3 core context")
        self.buffer = (ctypes.c_ubyte * (4 * width * height))()
        self.size = width, height

    def make_current(self) -> None:
        """Make current in this thread."""
        from OpenGL import GL
        if not self.osmesa.OSMesaMakeCurrent(self.ctx, self.buffer, GL.GL_UNSIGNED_BYTE, *self.size):
            raise ContextError("OSMesaMakeCurrent failed")

    def free(self) -> None:
        """Destroy."""
        if self.ctx:
            self.osmesa.OSMesaDestroyContext(self.ctx)
        self.ctx = None


class GlfwContext(Context):
    """OpenGL 3.3 core of a hidden glfw window."""
    name = "glfw"
    window = None

    def __init__(self, width, height):
        import glfw
        self.glfw = glfw
        if not glfw.init():
            raise ContextError("glfw cannot start: is there a display?")
        hints = ((glfw.VISIBLE, False), (glfw.CONTEXT_VERSION_MAJOR, 3), (glfw.CONTEXT_VERSION_MINOR, 3),
                 (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE), (glfw.OPENGL_FORWARD_COMPAT, True))
        for key, value in hints:
            glfw.window_hint(key, value)
        self.window: Any = glfw.create_window(width, height, "offscreen", None, None)
        glfw.default_window_hints()
        if not self.window:
            raise ContextError("glfw cannot open an OpenGL 3.3 core window")

    def make_current(self) -> None:
        """Make current in this thread."""
        self.glfw.make_context_current(self.window)

    def free(self) -> None:
        """Destroy."""
        if self.window:
            if self.glfw.get_current_context() == self.window:
                self.glfw.make_context_current(NOTHING)
            self.glfw.destroy_window(self.window)
        self.window = None


BACKENDS = dict(egl=EglContext, osmesa=OsmesaContext, glfw=GlfwContext)


class GLContext:
    """A context from the first backend that works, or from the one that MUJOCO_GL names."""

    def __init__(self, max_width, max_height):
        asked = os.environ.get(MUJOCO_GL, "").lower().strip()
        if asked in NONE:
            raise ContextError(f"drawing is switched off: {MUJOCO_GL}={asked}")
        if asked not in ANY and asked not in BACKENDS:
            raise ContextError(f'invalid value for environment variable {MUJOCO_GL}: {asked}; one of {", ".join(BACKENDS)}')
        names = [asked] if asked in BACKENDS else list(BACKENDS)
        failures = []
        for name in names:
            try:
                self.impl = BACKENDS[name](max_width, max_height)
                self.impl.make_current()
                return
            except (ContextError, ImportError, AttributeError, OSError) as e:
                failures.append(f"{name}: {e}")
        raise ContextError("no OpenGL context could be made ({}). Install libegl1 and libgl1-mesa-dri, or libosmesa6, or run under a "
                           "display; MUJOCO_GL chooses one of {}.".format("; ".join(failures), ", ".join(BACKENDS)))

    @property
    def name(self) -> str:
        """Backend in use."""
        return self.impl.name

    def make_current(self) -> None:
        """Make current in this thread."""
        self.impl.make_current()

    def free(self) -> None:
        """Destroy."""
        self.impl.free()
