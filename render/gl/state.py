"""The package's only access to OpenGL, and small helpers for the global OpenGL state."""

from .calls import GL

MIN_VERSION = (3, 3)
CLIP_CONTROL_VERSION, CLIP_CONTROL = (4, 5), b"GL_ARB_clip_control"


def require_context() -> tuple[str, str]:
    """Return the renderer and version strings of the current context. Raise RuntimeError unless it has OpenGL 3.3 or
    later."""
    version = GL.glGetString(GL.GL_VERSION) if GL.follow() else None
    if not version:
        raise RuntimeError("no OpenGL context is current in this thread; make one current before creating a renderer")
    major, minor = int(GL.glGetIntegerv(GL.GL_MAJOR_VERSION)), int(GL.glGetIntegerv(GL.GL_MINOR_VERSION))
    if (major, minor) < MIN_VERSION:
        raise RuntimeError(f"OpenGL 3.3 is needed, but this context has {version.decode()}")
    return GL.glGetString(GL.GL_RENDERER).decode(), version.decode()


def whole_depth() -> bool:
    """Return whether the current context supports clip-space depths from 0 to 1, which reversed depth needs for full
    precision."""
    if not GL.glClipControl:
        return False
    if (GL.glGetIntegerv(GL.GL_MAJOR_VERSION), GL.glGetIntegerv(GL.GL_MINOR_VERSION)) >= CLIP_CONTROL_VERSION:
        return True
    return CLIP_CONTROL in (GL.glGetStringi(GL.GL_EXTENSIONS, i) for i in range(GL.glGetIntegerv(GL.GL_NUM_EXTENSIONS)))


def reverse_depth(on: bool, whole: bool) -> None:
    """Select depths that decrease from near to far (if `on`), or OpenGL's default. `whole`: see whole_depth."""
    if whole:
        GL.glClipControl(GL.GL_LOWER_LEFT, GL.GL_ZERO_TO_ONE if on else GL.GL_NEGATIVE_ONE_TO_ONE)
    GL.glDepthFunc(GL.GL_GEQUAL if on else GL.GL_LESS)
    GL.glClearDepth(0.0 if on else 1.0)


def toggle(cap: int, on: int) -> None:
    """Enable or disable a capability."""
    (GL.glEnable if on else GL.glDisable)(cap)
