"""Functions and constants of CGL, Apple's OpenGL interface. Raises OSError without Apple's framework, which only a Mac
has."""

import ctypes
import enum

from ..libraries import CGLError, cgl_library

__all__ = [
    "CGLChoosePixelFormat",
    "CGLContextObj",
    "CGLCreateContext",
    "CGLError",
    "CGLLockContext",
    "CGLOpenGLProfile",
    "CGLPixelFormatAttribute",
    "CGLPixelFormatObj",
    "CGLReleaseContext",
    "CGLReleasePixelFormat",
    "CGLSetCurrentContext",
    "CGLUnlockContext",
    "GLint",
]

CGLContextObj = CGLPixelFormatObj = ctypes.c_void_p
GLint = ctypes.c_int
_functions = cgl_library()


class CGLOpenGLProfile(enum.IntEnum):
    """OpenGL versions that a pixel format may request (CGLTypes.h)."""

    CGLOGLPVersion_Legacy = 0x1000
    CGLOGLPVersion_3_2_Core = 0x3200
    CGLOGLPVersion_GL3_Core = 0x3200
    CGLOGLPVersion_GL4_Core = 0x4100


# From CGLTypes.h; core profiles do not have the last two rows.
CGLPixelFormatAttribute = enum.IntEnum(
    "CGLPixelFormatAttribute",
    [
        ("CGLPFA" + row.split("=")[0], int(row.split("=")[1]))
        for row in """
AllRenderers=1 TripleBuffer=3 DoubleBuffer=5 ColorSize=8 AlphaSize=11 DepthSize=12 StencilSize=13 MinimumPolicy=51
MaximumPolicy=52 SampleBuffers=55 Sample=56 ColorFloat=58 Multisample=59 Supersample=60 SampleAlpha=61 RendererID=70
NoRecovery=72 Accelerated=73 ClosestPolicy=74 BackingStore=76 BackingVolatile=77 DisplayMask=84 AllowOfflineRenderers=96
AcceleratedCompute=97 OpenGLProfile=99 SupportsAutomaticGraphicsSwitching=101 VirtualScreenCount=128
AuxBuffers=7 AccumSize=14 AuxDepthStencil=57 Stereo=6 OffScreen=53 Window=80 Compliant=83 PBuffer=90 RemotePBuffer=91
SingleRenderer=71 Robust=75 MPSafe=78 MultiScreen=81 FullScreen=54
""".split()
    ],
)


CGLChoosePixelFormat = _functions["CGLChoosePixelFormat"]
CGLCreateContext = _functions["CGLCreateContext"]
CGLLockContext = _functions["CGLLockContext"]
CGLSetCurrentContext = _functions["CGLSetCurrentContext"]
CGLUnlockContext = _functions["CGLUnlockContext"]
CGLReleaseContext = _functions["CGLReleaseContext"]
CGLReleasePixelFormat = _functions["CGLReleasePixelFormat"]
