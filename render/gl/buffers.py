"""GPU storage: static shapes in one vertex array, a frame's instance records in a buffer texture, streamed surfaces and
lines."""

import ctypes
from typing import Any

import numpy as np

from ..scene.tessellate import COLUMNS
from .state import GL

STRIDE = 4 * COLUMNS


def offset(n: int) -> ctypes.c_void_p:
    """Convert a byte offset to the pointer type that GL expects."""
    return ctypes.c_void_p(int(n))


def attrib(loc: int, size: int, stride: int, at: int, divisor: int = 0) -> None:
    """Define a float attribute of the bound vertex array and buffer."""
    GL.glEnableVertexAttribArray(loc)
    GL.glVertexAttribPointer(loc, size, GL.GL_FLOAT, False, stride, offset(at))
    if divisor:
        GL.glVertexAttribDivisor(loc, divisor)


def shape_attribs() -> None:
    """Define the vertex attributes of shapes: position, normal and auxiliary columns."""
    attrib(0, 3, STRIDE, 0)
    attrib(1, 3, STRIDE, 12)
    attrib(2, 2, STRIDE, 24)


class ShapeStore:
    """Many shapes in one vertex buffer and one index buffer; `draw(shape, count)` draws instances of one shape."""

    def __init__(self) -> None:
        self.vao, self.vbo, self.ibo = GL.glGenVertexArrays(1), GL.glGenBuffers(1), GL.glGenBuffers(1)
        self.rows = []
        self.triangles = np.zeros(0, np.int64)

    def upload(self, shapes: list[Any]) -> None:
        """Replace all shapes by a list of (vertices, indices). A shape's id is its index in the list; a None entry draws
        nothing."""
        empty = (np.zeros((0, COLUMNS), np.float32), np.zeros(0, np.uint32))
        shapes = [s if s is not None else empty for s in shapes]
        first = np.cumsum([0] + [len(i) for _, i in shapes])
        base = np.cumsum([0] + [len(v) for v, _ in shapes])
        self.rows = [(int(len(i)), int(4 * first[k]), int(base[k])) for k, (_, i) in enumerate(shapes)]
        self.triangles = np.array([r[0] // 3 for r in self.rows])
        vert = np.ascontiguousarray(np.vstack([v for v, _ in shapes]), np.float32)
        ind = np.ascontiguousarray(np.concatenate([i for _, i in shapes]), np.uint32)
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vbo)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, max(vert.nbytes, 4), vert if vert.size else None, GL.GL_STATIC_DRAW)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.ibo)
        GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, max(ind.nbytes, 4), ind if ind.size else None, GL.GL_STATIC_DRAW)
        shape_attribs()
        GL.glBindVertexArray(0)

    def replace(self, k: int, shape: tuple[np.ndarray, np.ndarray]) -> bool:
        """Overwrite shape k in place. Return False if the shape's size has changed; then all shapes must be uploaded again."""
        vert, ind = shape
        count, at, base = self.rows[k]
        last = min([r[2] for r in self.rows if r[2] > base], default=None)
        if len(ind) != count or (last is not None and len(vert) != last - base):
            return False
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vbo)
        GL.glBufferSubData(GL.GL_ARRAY_BUFFER, base * STRIDE, np.ascontiguousarray(vert, np.float32))
        GL.glBufferSubData(GL.GL_ELEMENT_ARRAY_BUFFER, at, np.ascontiguousarray(ind, np.uint32))
        GL.glBindVertexArray(0)
        return True

    def bind(self) -> None:
        """Bind the vertex array for draw()."""
        GL.glBindVertexArray(self.vao)

    def draw(self, shape: int, count: int) -> None:
        """Draw `count` instances of a shape."""
        n, at, base = self.rows[shape]
        if n:
            GL.glDrawElementsInstancedBaseVertex(GL.GL_TRIANGLES, n, GL.GL_UNSIGNED_INT, offset(at), count, base)

    def free(self) -> None:
        """Delete the GPU objects."""
        GL.glDeleteVertexArrays(1, [self.vao])
        GL.glDeleteBuffers(2, [self.vbo, self.ibo])


class InstanceStore:
    """A frame's instance records in a buffer texture. A texel has four floats; a record occupies `texels` texels."""

    def __init__(self, texels: int) -> None:
        self.buf, self.tex = GL.glGenBuffers(1), GL.glGenTextures(1)
        self.limit = int(GL.glGetIntegerv(GL.GL_MAX_TEXTURE_BUFFER_SIZE)) // texels
        GL.glBindBuffer(GL.GL_TEXTURE_BUFFER, self.buf)
        GL.glBufferData(GL.GL_TEXTURE_BUFFER, 112, None, GL.GL_STREAM_DRAW)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self.tex)
        GL.glTexBuffer(GL.GL_TEXTURE_BUFFER, GL.GL_RGBA32F, self.buf)

    def upload(self, records: np.ndarray) -> None:
        """Replace the records."""
        GL.glBindBuffer(GL.GL_TEXTURE_BUFFER, self.buf)
        data = records if len(records) else None
        GL.glBufferData(GL.GL_TEXTURE_BUFFER, max(records.nbytes, 16), data, GL.GL_STREAM_DRAW)

    def bind(self, unit: int) -> None:
        """Bind the buffer texture to a texture unit."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self.tex)

    def free(self) -> None:
        """Delete the GPU objects."""
        GL.glDeleteTextures(1, [self.tex])
        GL.glDeleteBuffers(1, [self.buf])


class SurfaceStore:
    """Vertices that change in every frame (flexes, skins), with the same vertex layout as shapes."""

    def __init__(self) -> None:
        self.vao, self.vbo, self.ibo = GL.glGenVertexArrays(1), GL.glGenBuffers(1), GL.glGenBuffers(1)
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vbo)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.ibo)
        shape_attribs()
        GL.glBindVertexArray(0)

    def upload(self, vert: np.ndarray, ind: np.ndarray) -> None:
        """Replace the vertices (n, 8) and the indices."""
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vbo)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, vert.nbytes, vert, GL.GL_STREAM_DRAW)
        GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, ind.nbytes, ind, GL.GL_STREAM_DRAW)

    def draw(self, first: int, count: int) -> None:
        """Draw the triangles of a range of indices, once."""
        GL.glBindVertexArray(self.vao)
        GL.glDrawElementsInstanced(GL.GL_TRIANGLES, count, GL.GL_UNSIGNED_INT, offset(4 * first), 1)

    def free(self) -> None:
        """Delete the GPU objects."""
        GL.glDeleteVertexArrays(1, [self.vao])
        GL.glDeleteBuffers(2, [self.vbo, self.ibo])


class LineStore:
    """Lines, drawn as instanced strips. Each line has a start, an end, a color, and (width in pixels, id)."""

    def __init__(self) -> None:
        self.vao, self.corner, self.buf = GL.glGenVertexArrays(1), GL.glGenBuffers(1), GL.glGenBuffers(1)
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.corner)
        strip = np.array([[0, -1], [1, -1], [0, 1], [1, 1]], np.float32)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, strip.nbytes, strip, GL.GL_STATIC_DRAW)
        attrib(0, 2, 8, 0)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buf)
        for loc, size, at in ((3, 3, 0), (4, 3, 12), (5, 4, 24), (6, 2, 40)):
            attrib(loc, size, 48, at, 1)
        GL.glBindVertexArray(0)
        self.count = 0

    def upload(self, lines: np.ndarray) -> None:
        """Replace the lines with (n, 12) float32 rows."""
        self.count = len(lines)
        if self.count:
            GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buf)
            GL.glBufferData(GL.GL_ARRAY_BUFFER, lines.nbytes, lines, GL.GL_STREAM_DRAW)

    def draw(self) -> None:
        """Draw all lines."""
        if self.count:
            GL.glBindVertexArray(self.vao)
            GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, self.count)

    def free(self) -> None:
        """Delete the GPU objects."""
        GL.glDeleteVertexArrays(1, [self.vao])
        GL.glDeleteBuffers(2, [self.corner, self.buf])


class FrameBlock:
    """The uniform buffer that all shader programs read."""

    def __init__(self, binding: int) -> None:
        self.buf, self.binding = GL.glGenBuffers(1), binding

    def upload(self, record: np.ndarray) -> None:
        """Replace the contents by a structured numpy record."""
        GL.glBindBuffer(GL.GL_UNIFORM_BUFFER, self.buf)
        GL.glBufferData(GL.GL_UNIFORM_BUFFER, record.nbytes, record.tobytes(), GL.GL_STREAM_DRAW)
        GL.glBindBufferBase(GL.GL_UNIFORM_BUFFER, self.binding, self.buf)

    def free(self) -> None:
        """Delete the GPU objects."""
        GL.glDeleteBuffers(1, [self.buf])
