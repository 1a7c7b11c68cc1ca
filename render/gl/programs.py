"""Shader programs: read from assets/shaders, with `#include "x.glsl"` resolved and uniform locations cached."""

import builtins
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .state import GL

SHADERS = Path(__file__).resolve().parents[2] / "assets" / "shaders"
INSTANCE_UNIT, TEXTURE_UNIT, CUBE_UNIT, MIRROR_UNIT, SHADOW_UNIT, CLIP_UNIT, SKY_UNIT = range(7)
UNITS = dict(
    uInstances=INSTANCE_UNIT,
    uClip=CLIP_UNIT,
    uTexture=TEXTURE_UNIT,
    uCube=CUBE_UNIT,
    uMirror=MIRROR_UNIT,
    uShadow=SHADOW_UNIT,
    uSky=SKY_UNIT,
)
FRAME_BINDING = 0


def source(name: str, defines: Sequence[tuple[str, int]] = ()) -> str:
    """Return the text of a shader file with includes resolved. `defines` (name, value) are inserted after the first line."""
    out = []
    for line in (SHADERS / name).read_text().splitlines():
        out.append(source(line.split('"')[1]) if line.startswith("#include") else line)
    out[1:1] = [f"#define {key} {value}" for key, value in defines]
    return "\n".join(out)


def compile_stage(kind: int, name: str, defines: Sequence[tuple[str, int]]) -> int:
    """Return a compiled shader object. Raise RuntimeError with the compiler's log if it does not compile."""
    sh = GL.glCreateShader(kind)
    GL.glShaderSource(sh, source(name, defines))
    GL.glCompileShader(sh)
    if not GL.glGetShaderiv(sh, GL.GL_COMPILE_STATUS):
        raise RuntimeError(f"shader {name} does not compile:\n{GL.glGetShaderInfoLog(sh).decode()}")
    return sh


class Program:
    """A linked program of `<vert>.vert` and `<frag>.frag`. `defines`: (name, value) pairs for both shaders."""

    def __init__(self, vert: str, frag: str, defines: Sequence[tuple[str, int]] = ()) -> None:
        self.id = GL.glCreateProgram()
        stages = [
            compile_stage(GL.GL_VERTEX_SHADER, vert + ".vert", defines),
            compile_stage(GL.GL_FRAGMENT_SHADER, frag + ".frag", defines),
        ]
        for s in stages:
            GL.glAttachShader(self.id, s)
        GL.glLinkProgram(self.id)
        if not GL.glGetProgramiv(self.id, GL.GL_LINK_STATUS):
            raise RuntimeError(f"program {vert}/{frag} does not link:\n{GL.glGetProgramInfoLog(self.id).decode()}")
        for s in stages:
            GL.glDeleteShader(s)

        # Set the uniform block and the samplers' texture units, which never change.
        self._at = {}
        block = GL.glGetUniformBlockIndex(self.id, "Frame")
        if block != GL.GL_INVALID_INDEX:
            GL.glUniformBlockBinding(self.id, block, FRAME_BINDING)
        self.use()
        for name, unit in UNITS.items():
            if self.at(name) >= 0:
                GL.glUniform1i(self.at(name), unit)

    def use(self) -> None:
        """Make the program current."""
        GL.glUseProgram(self.id)

    def at(self, name: str) -> int:
        """Return a uniform's location, or -1 if the program does not have it."""
        if name not in self._at:
            self._at[name] = GL.glGetUniformLocation(self.id, name)
        return self._at[name]

    def int(self, name: str, value: builtins.int) -> None:
        """Set an integer uniform of the current program."""
        GL.glUniform1i(self.at(name), value)

    def vec4(self, name: str, *value: float) -> None:
        """Set a vec4 uniform of the current program."""
        GL.glUniform4f(self.at(name), *(float(v) for v in value))

    def mat4(self, name: str, value: np.ndarray) -> None:
        """Set a mat4 uniform of the current program from a row-major (4, 4) array."""
        GL.glUniformMatrix4fv(self.at(name), 1, True, np.ascontiguousarray(value, "f4"))

    def free(self) -> None:
        """Delete the program."""
        GL.glDeleteProgram(self.id)
