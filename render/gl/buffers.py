"""GPU storage: static shapes in one vertex array, a frame's instance records in a buffer texture, streamed surfaces and
lines."""

import ctypes
import math
from time import perf_counter
from typing import Any

import numpy as np

from ..scene.tessellate import COLUMNS
from .state import GL

STRIDE = 4 * COLUMNS
# Vertices and indices.
Shape = tuple[np.ndarray, np.ndarray]
NO_SHAPE: Shape = (np.zeros((0, COLUMNS), np.float32), np.zeros(0, np.uint32))


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


class ShapePool:
    """Shapes in one vertex and one index buffer. `reserve` sets the sizes, `write` copies one shape."""

    def __init__(self) -> None:
        self.vao, self.vbo, self.ibo = GL.glGenVertexArrays(1), GL.glGenBuffers(1), GL.glGenBuffers(1)

    def reserve(self, vertices: int, indices: int) -> None:
        """Make room for all shapes; their contents are undefined until they are written."""
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vbo)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, max(vertices * STRIDE, 4), None, GL.GL_STATIC_DRAW)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.ibo)
        GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, max(4 * indices, 4), None, GL.GL_STATIC_DRAW)
        shape_attribs()
        GL.glBindVertexArray(0)

    def write(self, shape: Shape, at: int, base: int) -> None:
        """Copy a shape to a byte offset of the indices and a position in the vertices."""
        vert, ind = shape
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vbo)
        if len(ind):
            GL.glBufferSubData(GL.GL_ARRAY_BUFFER, base * STRIDE, np.ascontiguousarray(vert, np.float32))
            GL.glBufferSubData(GL.GL_ELEMENT_ARRAY_BUFFER, at, np.ascontiguousarray(ind, np.uint32))
        GL.glBindVertexArray(0)

    def free(self) -> None:
        """Delete the GPU objects."""
        GL.glDeleteVertexArrays(1, [self.vao])
        GL.glDeleteBuffers(2, [self.vbo, self.ibo])


class ShapeStore:
    """All shapes of a renderer; `draw(shape, count)` draws instances of one of them.

    Unit shapes change with the quality, and are in one pool. A model's shapes never change their sizes, and are in another
    pool. The model's shapes may be written a few at a time; a shape is drawn only after it has been written.
    """

    def __init__(self) -> None:
        self.units, self.assets = ShapePool(), ShapePool()
        # Count of indices, byte offset of the first one, first vertex, and pool of each shape.
        self.rows: list[tuple[int, int, int, ShapePool]] = []
        self._before: list[Shape] = []
        self._after: list[Shape] = []
        # Shapes of the model, then simplified versions of some; {number of a shape: number of its simplified version}.
        self._assets: list[Shape] = []
        self._simple: dict[int, int] = {}
        self._count = self._written = 0
        # Shapes with more triangles than this are drawn simplified. A new value takes effect at the next `set_units`.
        self.triangles = math.inf
        self._bound: ShapePool | None = None

    @property
    def waiting(self) -> int:
        """How many of the model's shapes are not written yet."""
        return len(self._assets) - self._written

    def set_units(self, before: list[Shape], after: list[Shape]) -> None:
        """Replace the shapes that are not assets of the model: `before` get numbers below the model's shapes, `after` above."""
        self._before, self._after = before, after
        both = before + after
        self.units.reserve(sum(len(v) for v, _ in both), sum(len(i) for _, i in both))
        for shape, row in zip(both, placed(both, self.units), strict=True):
            self.units.write(shape, *row[1:3])
        self._number()

    def set_assets(self, shapes: list[Any], simple: dict[int, Shape] | None = None) -> None:
        """Replace the model's shapes by a list of (vertices, indices); None entries draw nothing. `simple`: simplified
        versions, by their number in the list. Then call `write`.
        """
        more = simple or {}
        self._assets = [s if s is not None else NO_SHAPE for s in [*shapes, *more.values()]]
        self._simple = {k: len(shapes) + i for i, k in enumerate(more)}
        self._count, self._written = len(shapes), 0
        self.assets.reserve(sum(len(v) for v, _ in self._assets), sum(len(i) for _, i in self._assets))
        self._number()

    def write(self, until: float = float("inf")) -> None:
        """Write at least one shape of the model, and more until `perf_counter()` exceeds `until`."""
        rows = placed(self._assets, self.assets)
        while self.waiting:
            self.assets.write(self._assets[self._written], *rows[self._written][1:3])
            self._written += 1
            if perf_counter() > until:
                break
        self._number()

    def _number(self) -> None:
        """Assign a number to each shape; shapes that are not written yet have no indices."""
        units = placed(self._before + self._after, self.units)
        assets = placed(self._assets, self.assets)
        absent = [(0, at, base, pool) for _n, at, base, pool in assets[self._written :]]
        assets[self._written :] = absent
        fewer = {k: simple for k, simple in self._simple.items() if len(self._assets[k][1]) > 3 * self.triangles}
        first = len(self._before)
        self.rows = units[:first] + [assets[fewer.get(k, k)] for k in range(self._count)] + units[first:]

    def replace(self, k: int, shape: Shape) -> None:
        """Overwrite shape k of the model: in place, or together with all others if its sizes changed."""
        same = all(len(a) == len(b) for a, b in zip(shape, self._assets[k], strict=True))
        self._assets[k] = shape
        # Drop the simplified version, which was made from the old shape.
        self._simple.pop(k, None)
        self._number()
        if not same:
            simple = {one: self._assets[at] for one, at in self._simple.items()}
            self.set_assets(self._assets[: self._count], simple)
            self.write()
        elif k < self._written:
            self.assets.write(shape, *placed(self._assets, self.assets)[k][1:3])

    def bind(self) -> None:
        """Call this before `draw` if another vertex array may be bound."""
        self._bound = None

    def draw(self, shape: int, count: int) -> None:
        """Draw `count` instances of a shape."""
        n, at, base, pool = self.rows[shape]
        if not n:
            return
        if pool is not self._bound:
            GL.glBindVertexArray(pool.vao)
            self._bound = pool
        GL.glDrawElementsInstancedBaseVertex(GL.GL_TRIANGLES, n, GL.GL_UNSIGNED_INT, offset(at), count, base)

    def free(self) -> None:
        """Delete the GPU objects."""
        self.units.free()
        self.assets.free()


def placed(shapes: list[Shape], pool: ShapePool) -> list[tuple[int, int, int, ShapePool]]:
    """Return the rows of shapes that follow each other in a pool."""
    rows, at, base = [], 0, 0
    for vert, ind in shapes:
        rows.append((len(ind), at, base, pool))
        at, base = at + 4 * len(ind), base + len(vert)
    return rows


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
