"""OpenGL contexts without a visible window.

Backends, tried in order unless MUJOCO_GL names one (egl, osmesa, glfw): EGL without a surface, OSMesa, a hidden glfw window.
PyOpenGL binds to one platform per process when it is first imported: a backend that does not fit what is already bound is skipped.
"""
import ctypes
import os
import sys

MUJOCO_GL = 'MUJOCO_GL'
PLATFORM = 'PYOPENGL_PLATFORM'
EGL_SURFACELESS = 0x31DD
CORE_33 = (0x3098, 3, 0x30FB, 3, 0x30FD, 1)
OSMESA_CORE_33 = (0x22, 0x1908, 0x30, 24, 0x31, 0, 0x33, 0x34, 0x36, 3, 0x37, 3, 0)


class ContextError(RuntimeError):
    """No usable OpenGL; the message says what was tried."""


def claim_platform(name):
    """Bind PyOpenGL to a platform, or raise if it is bound to another."""
    if 'OpenGL.platform' in sys.modules:
        from OpenGL import platform
        bound = type(platform.PLATFORM).__name__.lower()
        if not bound.startswith(name):
            raise ContextError('PyOpenGL is already bound to {} in this process'.format(bound.replace('platform', '')))
        return
    if os.environ.get(PLATFORM, name) != name:
        raise ContextError(f'{PLATFORM}={os.environ[PLATFORM]}')
    os.environ[PLATFORM] = name


class EglContext:
    """OpenGL 3.3 core through EGL, drawing into framebuffer objects only."""
    name = 'egl'
    _display = None

    def __init__(self, width, height):
        claim_platform('egl')
        from OpenGL import EGL
        self.EGL = EGL
        display = self._open(EGL)
        config, count = (EGL.EGLConfig * 1)(), EGL.EGLint()
        want = (EGL.EGLint * 5)(EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_BIT, EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_NONE)
        EGL.eglChooseConfig(display, want, config, 1, count)
        if not count.value:
            raise ContextError('EGL has no configuration for OpenGL')
        EGL.eglBindAPI(EGL.EGL_OPENGL_API)
        attr = (EGL.EGLint * 7)(*CORE_33, EGL.EGL_NONE)
        self.ctx = EGL.eglCreateContext(display, config[0], EGL.EGL_NO_CONTEXT, attr)
        if not self.ctx:
            raise ContextError('EGL cannot create an OpenGL 3.3 core context')

    @classmethod
    def _open(cls, EGL):
        """The process-wide display: a device or the surfaceless platform of Mesa, else the default one."""
        if cls._display is not None:
            return cls._display
        from OpenGL.EGL.EXT import platform_base
        major, minor = EGL.EGLint(), EGL.EGLint()
        for make in (lambda: platform_base.eglGetPlatformDisplayEXT(EGL_SURFACELESS, EGL.EGL_DEFAULT_DISPLAY, None),
                     lambda: EGL.eglGetDisplay(EGL.EGL_DEFAULT_DISPLAY)):
            try:
                display = make()
                if display and EGL.eglInitialize(display, major, minor):
                    cls._display = display
                    return display
            except Exception:  # PyOpenGL raises several kinds; the next display is tried
                continue
        raise ContextError('EGL finds no display')

    def make_current(self):
        """Make current in this thread."""
        E = self.EGL
        if not E.eglMakeCurrent(self._display, E.EGL_NO_SURFACE, E.EGL_NO_SURFACE, self.ctx):
            raise ContextError('eglMakeCurrent failed')

    def free(self):
        """Destroy."""
        if self.ctx:
            E = self.EGL
            if E.eglGetCurrentContext() and E.eglGetCurrentContext().address == self.ctx.address:
                E.eglMakeCurrent(self._display, E.EGL_NO_SURFACE, E.EGL_NO_SURFACE, E.EGL_NO_CONTEXT)
            E.eglDestroyContext(self._display, self.ctx)
        self.ctx = None


class OsmesaContext:
    """OpenGL 3.3 core in main memory."""
    name = 'osmesa'

    def __init__(self, width, height):
        claim_platform('osmesa')
        from OpenGL import osmesa
        self.osmesa = osmesa
        attr = (ctypes.c_int * len(OSMESA_CORE_33))(*OSMESA_CORE_33)
        self.ctx = osmesa.OSMesaCreateContextAttribs(attr, None)
        if not self.ctx:
            raise ContextError('OSMesa cannot create an OpenGL 3.3 core context')
        self.buffer = (ctypes.c_ubyte * (4 * width * height))()
        self.size = width, height

    def make_current(self):
        """Make current in this thread."""
        from OpenGL import GL
        if not self.osmesa.OSMesaMakeCurrent(self.ctx, self.buffer, GL.GL_UNSIGNED_BYTE, *self.size):
            raise ContextError('OSMesaMakeCurrent failed')

    def free(self):
        """Destroy."""
        if self.ctx:
            self.osmesa.OSMesaDestroyContext(self.ctx)
        self.ctx = None


class GlfwContext:
    """OpenGL 3.3 core of a hidden glfw window."""
    name = 'glfw'

    def __init__(self, width, height):
        import glfw
        self.glfw = glfw
        if not glfw.init():
            raise ContextError('glfw cannot start: is there a display?')
        hints = ((glfw.VISIBLE, False), (glfw.CONTEXT_VERSION_MAJOR, 3), (glfw.CONTEXT_VERSION_MINOR, 3),
                 (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE), (glfw.OPENGL_FORWARD_COMPAT, True))
        for key, value in hints:
            glfw.window_hint(key, value)
        self.window = glfw.create_window(width, height, 'offscreen', None, None)
        glfw.default_window_hints()
        if not self.window:
            raise ContextError('glfw cannot open an OpenGL 3.3 core window')

    def make_current(self):
        """Make current in this thread."""
        self.glfw.make_context_current(self.window)

    def free(self):
        """Destroy."""
        if self.window:
            if self.glfw.get_current_context() == self.window:
                self.glfw.make_context_current(None)
            self.glfw.destroy_window(self.window)
        self.window = None


BACKENDS = dict(egl=EglContext, osmesa=OsmesaContext, glfw=GlfwContext)


class GLContext:
    """A context from the first backend that works, or from the one that MUJOCO_GL names."""

    def __init__(self, max_width, max_height):
        asked = os.environ.get(MUJOCO_GL, '').lower().strip()
        names = [asked] if asked in BACKENDS else list(BACKENDS)
        failures = []
        for name in names:
            try:
                self.impl = BACKENDS[name](max_width, max_height)
                self.impl.make_current()
                return
            except (ContextError, ImportError, AttributeError, OSError) as e:
                failures.append(f'{name}: {e}')
        raise ContextError('no OpenGL context could be made ({}). Install libegl1 and libgl1-mesa-dri, or libosmesa6, or run under a '
                           'display; MUJOCO_GL chooses one of {}.'.format('; '.join(failures), ', '.join(BACKENDS)))

    @property
    def name(self):
        """Backend in use."""
        return self.impl.name

    def make_current(self):
        """Make current in this thread."""
        self.impl.make_current()

    def free(self):
        """Destroy."""
        self.impl.free()
