"""Calls OpenGL functions at addresses that the current context's platform provides; defines the constants.

A process may have contexts of several platforms at once, one per thread, and each platform (libraries.py) has its own
functions. `GL` calls those of the calling thread's current context. Functions without a wrapper below take the arguments of
the C functions; for pointers, pass an array, bytes, a ctypes object or None. Constants come from the OpenGL registry.
"""

import ctypes
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import libraries

# If this is not 0, every call is followed by an error check, which is slow; tests use this.
CHECK = os.environ.get("TUMBLE_GL_CHECK", "") not in ("", "0")

# Each entry is the return type (empty for none), the name and the argument types.
# Types: u unsigned or enumeration, i int, s size, f float, d double, b boolean, p pointer, o offset into a buffer.
FUNCTIONS = """
ActiveTexture:u AttachShader:uu BindBuffer:uu BindBufferBase:uuu BindFramebuffer:uu BindRenderbuffer:uu BindTexture:uu
BindVertexArray:u BlendFunc:uu BlitFramebuffer:iiiiiiiiuu BufferData:uspu BufferSubData:uosp u.CheckFramebufferStatus:u Clear:u
ClearColor:ffff ClearDepth:d
ClipControl:uu CompileShader:u u.CreateProgram: u.CreateShader:u CullFace:u DeleteBuffers:ip DeleteFramebuffers:ip
DeleteProgram:u DeleteRenderbuffers:ip DeleteShader:u DeleteTextures:ip DeleteVertexArrays:ip DepthFunc:u DepthMask:b Disable:u
DrawArraysInstanced:uiii DrawBuffer:u DrawBuffers:ip DrawElementsInstanced:uiuoi DrawElementsInstancedBaseVertex:uiuoii Enable:u
EnableVertexAttribArray:u Finish:
FramebufferRenderbuffer:uuuu FramebufferTexture2D:uuuui FramebufferTextureLayer:uuuii FrontFace:u GenBuffers:ip
GenFramebuffers:ip GenRenderbuffers:ip GenTextures:ip GenVertexArrays:ip GenerateMipmap:u GetBooleanv:up u.GetError:
GetIntegerv:up GetProgramInfoLog:uipp GetProgramiv:uup GetShaderInfoLog:uipp GetShaderiv:uup t.GetString:u t.GetStringi:uu
u.GetUniformBlockIndex:up i.GetUniformLocation:up
b.IsEnabled:u LinkProgram:u PixelStorei:ui PolygonMode:uu PolygonOffset:ff ReadBuffer:u ReadPixels:iiiiuup
RenderbufferStorageMultisample:uiuii Scissor:iiii ShaderSource:uipp TexBuffer:uuu TexImage2D:uiiiiiuup TexImage3D:uiiiiiiuup
TexParameteri:uui TexSubImage2D:uiiiiiuup Uniform1f:if Uniform1i:ii Uniform4f:iffff UniformBlockBinding:uuu
UniformMatrix4fv:iibp UseProgram:u VertexAttribDivisor:uu VertexAttribPointer:uiubio Viewport:iiii BlendFuncSeparate:uuuu
"""

CONSTANTS = """
ARRAY_BUFFER=8892 BACK=405 BLEND=be2 CCW=901 CLAMP_TO_EDGE=812f CLIP_DISTANCE0=3000 COLOR_ATTACHMENT0=8ce0
COLOR_ATTACHMENT1=8ce1 COLOR_BUFFER_BIT=4000 COMPARE_REF_TO_TEXTURE=884e COMPILE_STATUS=8b81 CULL_FACE=b44 CW=900
DEPTH_ATTACHMENT=8d00 DEPTH_BUFFER_BIT=100
DEPTH_CLAMP=864f DEPTH_COMPONENT=1902 DEPTH_COMPONENT24=81a6 DEPTH_COMPONENT32F=8cac DEPTH_TEST=b71 DOUBLEBUFFER=c32
DRAW_FRAMEBUFFER=8ca9 ELEMENT_ARRAY_BUFFER=8893 EXTENSIONS=1f03 FILL=1b02 FLOAT=1406 FRAGMENT_SHADER=8b30 FRAMEBUFFER=8d40
FRAMEBUFFER_COMPLETE=8cd5 FRONT_AND_BACK=408 GEQUAL=206 INVALID_INDEX=ffffffff LESS=201 LINE=1b01 LINEAR=2601
LINEAR_MIPMAP_LINEAR=2703 LINK_STATUS=8b82 LOWER_LEFT=8ca1 MAJOR_VERSION=821b MAX_RENDERBUFFER_SIZE=84e8 MAX_SAMPLES=8d57
MAX_TEXTURE_BUFFER_SIZE=8c2b MINOR_VERSION=821c MULTISAMPLE=809d NEAREST=2600 NEGATIVE_ONE_TO_ONE=935e NONE=0 NO_ERROR=0
NUM_EXTENSIONS=821d ONE=1 ONE_MINUS_SRC_ALPHA=303 PACK_ALIGNMENT=d05 POLYGON_OFFSET_FILL=8037 R32F=822e R8=8229
READ_FRAMEBUFFER=8ca8 RED=1903 RENDERBUFFER=8d41
RENDERER=1f01 REPEAT=2901 RGB=1907 RGB8=8051 RGBA=1908 RGBA32F=8814 RGBA8=8058 SAMPLES=80a9 SCISSOR_TEST=c11 SRC_ALPHA=302
SRGB8=8c41 SRGB8_ALPHA8=8c43 STATIC_DRAW=88e4 STEREO=c33 STREAM_DRAW=88e0 TEXTURE0=84c0 TEXTURE_2D=de1 TEXTURE_2D_ARRAY=8c1a
TEXTURE_BUFFER=8c2a TEXTURE_COMPARE_FUNC=884d TEXTURE_COMPARE_MODE=884c TEXTURE_CUBE_MAP=8513 TEXTURE_CUBE_MAP_POSITIVE_X=8515
TEXTURE_MAG_FILTER=2800 TEXTURE_MIN_FILTER=2801 TEXTURE_WRAP_R=8072 TEXTURE_WRAP_S=2802 TEXTURE_WRAP_T=2803 TRIANGLES=4
TRIANGLE_STRIP=5 UNIFORM_BUFFER=8a11 UNPACK_ALIGNMENT=cf5 UNSIGNED_BYTE=1401 UNSIGNED_INT=1405 VERSION=1f02 VERTEX_SHADER=8b31
VIEWPORT=ba2 ZERO_TO_ONE=935f
"""
VALUES = {name: int(value, 16) for name, value in (row.split("=") for row in CONSTANTS.split())}
# {state: number of values that glGetIntegerv returns}, for states with several values.
LENGTHS = {VALUES["VIEWPORT"]: 4}
# {pixel format: number of channels}
CHANNELS = {VALUES["RGB"]: 3, VALUES["RGBA"]: 4, VALUES["RED"]: 1, VALUES["DEPTH_COMPONENT"]: 1}
PIXELS = {VALUES["UNSIGNED_BYTE"]: np.uint8, VALUES["FLOAT"]: np.float32}


class Pointer:
    """ctypes type of a pointer argument: accepts a contiguous array, bytes, a ctypes object, or None."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise TypeError("OpenGL reads contiguous arrays only")
            return ctypes.c_void_p(value.ctypes.data)
        return ctypes.c_char_p(value) if isinstance(value, bytes) else value


TYPES: dict[str, Any] = dict(
    u=ctypes.c_uint,
    i=ctypes.c_int,
    s=ctypes.c_ssize_t,
    f=ctypes.c_float,
    d=ctypes.c_double,
    b=ctypes.c_ubyte,
    p=Pointer,
    o=ctypes.c_void_p,
    t=ctypes.c_char_p,
)
MAKER = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)


class GLError(RuntimeError):
    """Raised if an OpenGL call reports an error."""


def checked(name: str, function: Callable, error: Callable[[], int]) -> Callable:
    """Wrap a function so that it checks for OpenGL errors after the call."""

    def call(*args: Any) -> Any:
        result = function(*args)
        code = error()
        if code:
            raise GLError(f"{name}{args}: OpenGL error 0x{code:x}")
        return result

    return call


def raw(find: Callable) -> dict[str, Any]:
    """Return {name: function}, with addresses returned by `find`. Functions that the platform lacks are None."""
    out = {}
    for row in FUNCTIONS.split():
        name, _, arguments = row.partition(":")
        result, _, name = name.rpartition(".")
        address = find("gl" + name)
        kind = MAKER(TYPES[result] if result else None, *(TYPES[a] for a in arguments))
        out["gl" + name] = kind(address) if address else None
    if CHECK:
        error = out["glGetError"]
        out.update(
            {name: checked(name, function, error) for name, function in out.items() if function and name != "glGetError"}
        )
    return out


class Table:
    """OpenGL functions of one platform with a Python interface: object names are returned as integers, text as bytes, pixels
    as arrays."""

    def __init__(self, find: Callable) -> None:
        f = self.raw = raw(find)
        self.functions = dict(f)
        for what in ("Buffers", "Framebuffers", "Renderbuffers", "Textures", "VertexArrays"):
            self.functions["glGen" + what] = self._generate(f["glGen" + what])
            self.functions["glDelete" + what] = self._delete(f["glDelete" + what])
        for name in (
            "glGetIntegerv",
            "glGetBooleanv",
            "glGetShaderiv",
            "glGetProgramiv",
            "glGetShaderInfoLog",
            "glGetProgramInfoLog",
            "glShaderSource",
            "glGetUniformLocation",
            "glGetUniformBlockIndex",
            "glBufferSubData",
            "glReadPixels",
            "glDrawBuffers",
        ):
            self.functions[name] = getattr(self, "_" + name[2:])

    @staticmethod
    def _generate(function: Callable) -> Callable[[int], int | list[int]]:
        def generate(n: int) -> int | list[int]:
            out = (ctypes.c_uint * n)()
            function(n, out)
            return out[0] if n == 1 else list(out)

        return generate

    @staticmethod
    def _delete(function: Callable) -> Callable:
        return lambda n, names: function(n, (ctypes.c_uint * n)(*names))

    def _GetIntegerv(self, what: int) -> int | list[int]:
        out = (ctypes.c_int * max(LENGTHS.get(what, 1), 16))()
        self.raw["glGetIntegerv"](what, out)
        return out[0] if what not in LENGTHS else list(out[: LENGTHS[what]])

    def _GetBooleanv(self, what: int) -> bool:
        out = (ctypes.c_ubyte * 16)()
        self.raw["glGetBooleanv"](what, out)
        return bool(out[0])

    def _GetShaderiv(self, shader: int, what: int) -> int:
        out = ctypes.c_int()
        self.raw["glGetShaderiv"](shader, what, ctypes.byref(out))
        return out.value

    def _GetProgramiv(self, program: int, what: int) -> int:
        out = ctypes.c_int()
        self.raw["glGetProgramiv"](program, what, ctypes.byref(out))
        return out.value

    def _log(self, name: str, number: int) -> bytes:
        text, length = ctypes.create_string_buffer(1 << 16), ctypes.c_int()
        self.raw[name](number, len(text), ctypes.byref(length), text)
        return text.value

    def _GetShaderInfoLog(self, shader: int) -> bytes:
        return self._log("glGetShaderInfoLog", shader)

    def _GetProgramInfoLog(self, program: int) -> bytes:
        return self._log("glGetProgramInfoLog", program)

    def _ShaderSource(self, shader: int, text: str) -> None:
        self.raw["glShaderSource"](shader, 1, (ctypes.c_char_p * 1)(text.encode()), None)

    def _GetUniformLocation(self, program: int, name: str) -> int:
        return self.raw["glGetUniformLocation"](program, name.encode())

    def _GetUniformBlockIndex(self, program: int, name: str) -> int:
        return self.raw["glGetUniformBlockIndex"](program, name.encode())

    def _BufferSubData(self, target: int, offset: int, data: np.ndarray) -> None:
        self.raw["glBufferSubData"](target, offset, data.nbytes, data)

    def _ReadPixels(self, x: int, y: int, w: int, h: int, pixel: int, kind: int) -> np.ndarray:
        out = np.empty((h, w, CHANNELS[pixel]), PIXELS[kind])
        self.raw["glReadPixels"](x, y, w, h, pixel, kind, out)
        return out

    def _DrawBuffers(self, n: int, buffers: Sequence[int]) -> None:
        self.raw["glDrawBuffers"](n, (ctypes.c_uint * n)(*buffers))


class OpenGL(threading.local):
    """OpenGL functions of this thread's current context, looked up when first used, or set by `use`."""

    _table: Table | None = None

    def use(self, table: Table) -> None:
        """From now on, use the functions in a table for OpenGL calls of this thread."""
        if table is not self._table:
            self.__dict__.update(table.functions, _table=table)

    def follow(self) -> Table | None:
        """Switch to the functions of this thread's current context and return their table; return None if there is no
        context."""
        found = libraries.current()
        if found is None:
            return None
        self.use(table_of(found))
        return self._table

    def __getattr__(self, name: str) -> Any:
        if name not in NAMES:
            raise AttributeError(name)
        if self.follow() is None:
            raise RuntimeError("no OpenGL context is current in this thread; make one current first")
        return self.__dict__[name]


NAMES = frozenset("gl" + row.partition(":")[0].rpartition(".")[2] for row in FUNCTIONS.split())
for _name, _value in VALUES.items():
    setattr(OpenGL, "GL_" + _name, _value)
# The type is Any, because functions and constants are added at run time, where type checkers do not see them.
GL: Any = OpenGL()
_tables: dict[str, Table] = {}
_lock = threading.Lock()


def table_of(platform: str) -> Table:
    """Return the function table of a platform (see libraries.py), made when first used."""
    table = _tables.get(platform)
    if table is None:
        with _lock:
            table = _tables.setdefault(platform, _tables.get(platform) or Table(libraries.PLATFORMS[platform].address))
    return table
