"""Converts a scene to what the GPU draws: instance records, sorted into batches. This uses numpy; record_kernels writes the
records.

A draw list has four sections: opaque geoms that cast shadows, opaque decor, transparent geoms from near to far, and again from
far to near. Opaque sections are sorted by (texture, shape), so each batch is one draw call; transparent runs stay in order.
With lighting per vertex, opaque geoms also keep the scene's order, because the last of several coincident surfaces is visible.

A record (one instance) is its pose m, scale (the fourth number is a capsule's half-length), color, surface (emission, specular,
shininess, segment id) and texture (mode, two repeats, depth of a cube). Shapes are numbered:

    ... -3 -2    -1      0 .. mesh0    mesh0 ..        hfield0 ..      cut0 ..                        grid0 ..
    flexes,      never   unit shapes   meshes and      height fields   unit shapes cut up for         grids of the model's
    skins        drawn                 their hulls,                    lighting per vertex            planes, likewise
    (batches                           in turn
    of one)
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.compat_rows import holds
from ...engine.tables.enums import mjtCatBit, mjtGeom, mjtObj, mjtTexture, mjtTextureRole
from ...engine.tables.geom_rows import ROWS
from ..scene import tessellate
from ..scene.abstract import MjvScene
from ..scene.bodies import MAXPLANEGRID, infinite_step
from ..scene.record_arrays import Records
from ..scene.rotate import z_to
from .record_kernels import SMALLEST_SCALE, fill_records

RECORD = np.dtype([("m", "f4", (3, 4)), ("scale", "f4", 4), ("rgba", "f4", 4), ("surface", "f4", 4), ("tex", "f4", 4)])
UNIT = tuple(tessellate.unit_shapes(*tessellate.LEVELS[0]))
SHAPE_OF = {row.enum[7:]: row.drawn for row in ROWS if row.drawn} | dict(
    ARROW="arrow", ARROW1="arrow1", ARROW2="arrow2", TRIANGLE="triangle"
)
G = {k[7:]: int(v) for k, v in mjtGeom.__members__.items() if k.startswith("mjGEOM_")}
DECOR, OBJ_GEOM = int(mjtCatBit.mjCAT_DECOR), int(mjtObj.mjOBJ_GEOM)
ROLE, TEX_2D = int(mjtTextureRole.mjTEXROLE_RGB), int(mjtTexture.mjTEXTURE_2D)
LUT = np.full(256, -1)
for _k, _v in SHAPE_OF.items():
    LUT[G[_k]] = UNIT.index(_v)
# Geom columns that determine shapes, textures and batches.
DECIDING = ("type", "dataid", "matid", "texcoord", "category", "castshadow", "reflectance", "size")
# Sections of the draw list, in drawing order.
CASTER, PLAIN, TRANSPARENT, FAR_FIRST = range(4)
NOTHING, SURFACE = -1, -2
OPAQUE_ALPHA = 0.995
# A plane extends in each direction to this multiple of its visible range, so that its edge is never visible.
REACH = 2.1
LINEBOX_WIDTH = 1.5
# Transparent planes are sorted as if they were farther away than everything else.
FARTHEST = 1e10
# Types of texture mapping: planar repeats, given coordinates, cube, wrapped around a primitive (see wrap.glsl)
NO_TEXTURE, REPEATED, GIVEN, CUBE, WRAPPED = range(5)
# {geom type: value added to WRAPPED}
WRAPS = {
    G[name]: k for k, names in enumerate(("PLANE", "SPHERE ELLIPSOID", "CAPSULE", "CYLINDER", "BOX")) for name in names.split()
}
WRAP_OF = np.array([WRAPS.get(kind, -1) for kind in range(max(WRAPS) + 1)])
# Corners of a square in order, and the twelve edges of a box: bottom, top, then upright edges.
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
BOX_EDGES = np.array(
    [((*SQUARE[k], z), (*SQUARE[(k + 1) % 4], z)) for k in range(4) for z in (-1, 1)]
    + [((x, y, -1), (x, y, 1)) for x in (-1, 1) for y in (-1, 1)],
    float,
)


class DrawBatch(NamedTuple):
    """Instance records that are drawn by one draw call."""

    texture: int
    shape: int
    first: int
    count: int
    decor: bool


class ModelTables:
    """Properties of a model that the draw list needs: the texture of each material, extents of infinite planes, numbers of
    shapes."""

    def __init__(self, m: MjModel) -> None:
        self.m = m
        self.mesh0 = len(UNIT)
        self.hfield0 = self.mesh0 + 2 * int(m.nmesh)

        # The model's shapes are followed by unit shapes subdivided for per-vertex lighting, then by the grids of planes.
        self.cut0 = self.hfield0 + int(m.nhfield)
        self.grid0 = self.cut0 + len(UNIT)
        self.planes = np.flatnonzero(np.asarray(m.geom_type) == G["PLANE"]) if m.ngeom else np.zeros(0, int)

        # Planes with equal grid lines share a grid.
        lines = [[tessellate.plane_lines(m, i, k) for k in (0, 1)] for i in self.planes.tolist()]
        self.grids = {(x.tobytes(), y.tobytes()): (x, y) for x, y in lines}
        where = {key: k for k, key in enumerate(self.grids)}
        self.plane_shape = np.array([self.grid0 + where[x.tobytes(), y.tobytes()] for x, y in lines], int)

        # The last table row is for geoms without a material.
        self.mat_tex = np.append(np.asarray(m.mat_texid).reshape(m.nmat, -1)[:, ROLE] if m.nmat else np.zeros(0, int), -1)
        self.wraps = holds("uv_shapes", int(getattr(m, "compat_bits", 0)))
        self.tex_flat = np.append(np.asarray(m.tex_type) == TEX_2D, False)

    def whole(self, shape: int) -> int:
        """Return the unit shape that corresponds to a subdivided one, for render passes without lighting."""
        if shape < self.cut0:
            return shape
        return shape - self.cut0 if shape < self.grid0 else UNIT.index("floor")

    def plane_extent(self, number: int, size: np.ndarray) -> np.ndarray:
        """Return the half sizes of a plane. Infinite directions extend slightly beyond the visible range."""
        out = np.array(size[:2], float)
        for k in (0, 1):
            if out[k] <= 0:
                far = self.m.vis.map.zfar * self.m.stat.extent
                known = 0 <= number < len(self.planes)
                step = infinite_step(self.m, int(self.planes[number]), k) if known else REACH * far / (MAXPLANEGRID - 2)
                out[k] = 0.5 * (REACH * far + 2 * step)
        return out


class DrawList:
    """Records, batches and lines of one frame; see the top of this file."""

    def __init__(self, tables: ModelTables) -> None:
        self.tables = tables
        self.records = np.zeros(64, RECORD)
        self.count = 0
        self.batches = ([], [], [], [])
        self.lines = np.zeros((0, 12), np.float32)
        # {shape number: flex or skin}
        self.surfaces = {}
        self.mirror = None
        self.coincident = False
        self.order = np.zeros(0, int)

        # Results of the last frame, for reuse. `looks`: arrays of shapes, textures, planes, and flexes or skins.
        # `kind`, `decided`: the inputs that determine `looks`. `clear`: which geoms were transparent.
        # `dull`: reflecting geoms that are not drawn as mirrors. `opaque`: the order of opaque geoms, and their batches.
        self.looks: tuple[np.ndarray, ...] = ()
        self._kind: tuple = ()
        self._decided: list[np.ndarray] = []
        self._dull = np.zeros(0, int)
        self._clear = np.zeros(0, bool)
        self._opaque: tuple[np.ndarray, list[DrawBatch], list[DrawBatch]] = np.zeros(0, int), [], []

    def build(self, scn: MjvScene, head: np.ndarray, ordered: bool = False, lit: bool = False) -> Self:
        """Build the list for a scene that is seen from a head position (in model space).

        ordered: for lighting per vertex; opaque geoms keep the scene's order and shapes are cut up. lit: planes and capsules
        are also cut up, because they are lit.
        """
        n, g = scn.ngeom, scn.geom
        as_before = self._as_before(g, n, ordered, lit)
        if not as_before:
            self._look_up(g, n, ordered, lit)
        shape, tex, is_plane, soft = self.looks

        # Planes are transparent when seen from behind.
        behind, planes = np.zeros(n, bool), np.flatnonzero(is_plane)
        behind[planes] = np.einsum("ij,ij->i", head - g.pos[planes], g.mat[planes].reshape(-1, 3, 3)[:, :, 2]) < 0
        transparent = (g.rgba[:n, 3] < OPAQUE_ALPHA) | behind
        g.transparent[:n] = transparent

        # If the same geoms are transparent as before, the opaque ones keep their order. Transparent geoms are sorted by
        # distance in every frame.
        if as_before and np.array_equal(transparent, self._clear):
            g.reflectance[self._dull] = 0
        else:
            self._sort_opaque(scn, shape, tex, transparent, ordered)
        self._clear = transparent
        self._sort_clear(scn, shape, tex, transparent, head)

        # Write records, then lines, then surfaces of flexes and skins.
        self._fill(scn, shape, tex, is_plane, behind)
        self.coincident = ordered and self._has_coincident(shape, transparent)
        self._repeat_transparent()
        self._lines(scn, g.type[:n])
        self._surfaces(scn, soft, shape, self.tables.cut0 if ordered else 0)
        return self

    def _as_before(self, g: Records, n: int, ordered: bool, lit: bool) -> bool:
        """Return whether everything that determines shapes and textures is the same as in the last frame."""
        now, kind = [getattr(g, name)[:n] for name in DECIDING], (n, ordered, lit)
        if kind == self._kind and all((a == b).all() for a, b in zip(now, self._decided)):
            return True
        self._kind, self._decided = kind, [a.copy() for a in now]
        return False

    def _look_up(self, g: Records, n: int, ordered: bool, lit: bool) -> None:
        """Find the shape and texture of each geom, and which geoms are planes, flexes or skins."""
        types = g.type[:n]
        is_plane, soft = types == G["PLANE"], np.flatnonzero((types == G["FLEX"]) | (types == G["SKIN"]))
        shape, tex = self._shapes(g, n, is_plane, ordered, lit), self._textures(g, n)
        shape[soft] = SURFACE - np.arange(len(soft))
        tex[soft] = np.where(g.texcoord[soft] != 0, tex[soft], -1)
        self.looks = shape, tex, is_plane, soft

    def _shapes(self, g: Records, n: int, is_plane: np.ndarray, ordered: bool, lit: bool) -> np.ndarray:
        """Return the shape number of each geom, except for flexes and skins; see the top of this file."""
        types, data, tables = g.type[:n], g.dataid[:n], self.tables
        shape = np.where((types >= 0) & (types < len(LUT)), LUT[np.clip(types, 0, len(LUT) - 1)], NOTHING)
        mesh = (types == G["MESH"]) | (types == G["SDF"])
        shape = np.where(mesh & (data >= 0), tables.mesh0 + data, shape)
        shape = np.where((types == G["HFIELD"]) & (data >= 0), tables.hfield0 + data, shape)
        shape = np.where(shape >= tables.cut0, NOTHING, shape)
        shape[is_plane & (g.size[:n, :2] <= 0).any(1)] = UNIT.index("floor")
        if ordered:
            shape[(shape >= 0) & (shape < len(UNIT)) & (lit | (shape != UNIT.index("capsule")))] += tables.cut0
        if lit:
            own = is_plane & (data >= 0) & (data < len(tables.planes))
            shape[own] = tables.plane_shape[data[own]]
        return shape

    def _textures(self, g: Records, n: int) -> np.ndarray:
        """Return the texture of each geom; -1 for none. A geom with explicit texture coordinates needs a 2D texture."""
        matid = g.matid[:n]
        if n and matid.max() < 0:
            return np.full(n, -1, self.tables.mat_tex.dtype)
        tex = self.tables.mat_tex[np.where(matid < len(self.tables.mat_tex) - 1, matid, -1)]
        return np.where((g.texcoord[:n] != 0) & ~self.tables.tex_flat[tex], -1, tex)

    def _sort_opaque(self, scn: MjvScene, shape: np.ndarray, tex: np.ndarray, transparent: np.ndarray, ordered: bool) -> None:
        """Sort records of opaque geoms into batches. Remember the geom that is the mirror; it is in no batch."""
        n, g = scn.ngeom, scn.geom

        # The first opaque reflecting plane or box becomes the mirror.
        opaque = np.flatnonzero((shape != NOTHING) & ~transparent)
        reflects = (g.type[:n] == G["PLANE"]) | (g.type[:n] == G["BOX"])
        shiny = np.flatnonzero(reflects & ~transparent & (g.reflectance[:n] > 0))
        self.mirror = int(shiny[0]) if len(shiny) else None
        # Only one mirror is drawn; other reflecting geoms are dull (drawn without reflection).
        self._dull = shiny[1:]
        g.reflectance[self._dull] = 0
        decor = g.category[:n] == DECOR

        # Sort by decor, texture and shape; the mirror comes first.
        key = ((decor[opaque].astype(np.int64) * 4096 + tex[opaque] + 1) << 32) + shape[opaque] - SURFACE
        if ordered:
            key = np.arange(len(opaque))
        if self.mirror is not None:
            key[opaque == self.mirror] = -1
        opaque = opaque[np.argsort(key, kind="stable")]

        # Find where the sections of the draw list begin.
        decor = decor | (g.castshadow[:n] == 0)
        section = np.where(decor[opaque] & (not ordered), PLAIN, CASTER)
        start = 0
        if self.mirror is not None and len(opaque):
            self.mirror_batch = DrawBatch(int(tex[opaque[0]]), int(shape[opaque[0]]), 0, 1, bool(decor[opaque[0]]))
            start = 1
        batches: tuple[list[DrawBatch], ...] = ([], [], [], [])
        runs(batches, (section[start:], tex[opaque[start:]], shape[opaque[start:]], decor[opaque[start:]]), start)
        self._opaque = opaque, batches[0], batches[1]

    def _sort_clear(self, scn: MjvScene, shape: np.ndarray, tex: np.ndarray, transparent: np.ndarray, head: np.ndarray) -> None:
        """Sort transparent geoms from near to far, and draw them after the opaque ones."""
        g, (opaque, first, second) = scn.geom, self._opaque
        self.order, self.batches = opaque, (first, second, [], [])
        clear = np.flatnonzero((shape != NOTHING) & transparent)
        if not len(clear):
            return
        dist = np.linalg.norm(g.pos[clear] - head, axis=1) - self._rbound(g, clear)
        dist[g.type[clear] == G["PLANE"]] = FARTHEST
        g.camdist[clear] = dist
        clear = clear[np.argsort(dist, kind="stable")]
        scn.geomorder[: len(clear)] = clear
        self.order = np.concatenate([opaque, clear])
        decor = (g.category[clear] == DECOR) | (g.castshadow[clear] == 0)
        runs(self.batches, (np.full(len(clear), TRANSPARENT), tex[clear], shape[clear], decor), len(opaque))

    def _has_coincident(self, shape: np.ndarray, transparent: np.ndarray) -> bool:
        """Return whether any two opaque geoms have the same shape, size and position."""
        opaque = np.flatnonzero(~transparent[self.order])
        place = np.column_stack(
            [shape[self.order[opaque]], self.records["m"][opaque].reshape(-1, 12), self.records["scale"][opaque]]
        )
        return len(np.unique(place, axis=0)) < len(place)

    def _repeat_transparent(self) -> None:
        """Repeat the transparent section in reverse order, from far to near."""
        clear = self.batches[TRANSPARENT]
        if clear:
            first, end = clear[0].first, self.count
            again = self._append(self.records[first:end][::-1].copy())
            self.batches[FAR_FIRST].extend(DrawBatch(t, s, again + end - f - k, k, dec) for t, s, f, k, dec in clear[::-1])

    @staticmethod
    def _rbound(g: Records, idx: np.ndarray) -> np.ndarray:
        """Return the bounding radii of scene geoms; for geoms of the model, the radii come from the model."""
        s, t = g.size[idx], g.type[idx]
        out = s.max(1, initial=0)
        out = np.where(t == G["SPHERE"], s[:, 0], out)
        out = np.where(t == G["CAPSULE"], s[:, 0] + s[:, 2], out)
        out = np.where(t == G["CYLINDER"], np.hypot(s[:, 0], s[:, 2]), out)
        out = np.where(t == G["BOX"], np.linalg.norm(s, axis=1), out)
        return np.where(g.objtype[idx] == OBJ_GEOM, g.modelrbound[idx], out)

    def _reserve(self, n: int) -> np.ndarray:
        """Return the records array, enlarged to at least n records."""
        if len(self.records) < n:
            self.records = np.zeros(max(n, 2 * len(self.records)), RECORD)
        return self.records

    def _fill(self, scn: MjvScene, shape: np.ndarray, tex: np.ndarray, is_plane: np.ndarray, behind: np.ndarray) -> None:
        """Write the records in drawing order."""
        g, o = scn.geom, self.order
        k = self.count = len(o)
        if not k:
            return
        r, tables = self._reserve(k + 1)[:k], self.tables
        fill_records(g.located(), o, shape, behind, len(shape), k, tables.mesh0, tables.cut0, r)
        for row in np.flatnonzero(is_plane[o]) if is_plane.any() else ():
            r["scale"][row] = np.maximum(
                (*tables.plane_extent(int(g.dataid[o[row]]), g.size[o[row]]), 1, 0), (SMALLEST_SCALE,) * 3 + (0,)
            )
        self._fill_tex(g, o, shape, tex, r)
        if shape.min(initial=0) > SURFACE:
            return

        # Flexes and skins have vertices in world coordinates.
        soft = np.flatnonzero(shape[o] <= SURFACE)
        r["m"][soft], r["scale"][soft], r["tex"][soft, 1:] = np.eye(3, 4), (1, 1, 1, 0), 0
        r["tex"][soft, 0] = np.where(tex[o[soft]] >= 0, GIVEN, NO_TEXTURE)

    def _fill_tex(self, g: Records, o: np.ndarray, shape: np.ndarray, tex: np.ndarray, r: np.ndarray) -> None:
        """Set texture mode and scales of textured records: planar repeats per object or per meter, explicit coordinates, or
        cube."""
        if tex.max(initial=-1) < 0:
            return
        rows = np.flatnonzero(tex[o] >= 0)
        if not len(rows):
            return

        # Compute the repeats per object or per meter.
        i, m = o[rows], self.tables.m
        tex, own = tex[o], (shape[o] >= self.tables.mesh0) & (shape[o] < self.tables.cut0)
        mat, size = g.matid[i], g.size[i]
        uniform = np.asarray(m.mat_texuniform)[mat].astype(bool)
        flat, given = self.tables.tex_flat[tex[rows]], g.texcoord[i] != 0
        rep = np.asarray(m.mat_texrepeat)[mat].astype(float)
        pre = (g.dataid[i] >= 0)[:, None] & (size[:, :2] > 0)
        rep = np.where(pre, rep / np.maximum(size[:, :2], 1e-15), rep)
        rep = np.where(uniform[:, None] & (size[:, :2] > 0), rep * size[:, :2], rep)
        # Planes are drawn as scaled unit squares, but are textured like shapes of their full size.
        plane = g.type[i] == G["PLANE"]
        rep = np.where((plane & (g.dataid[i] >= 0))[:, None], rep * r["scale"][rows, :2], rep)

        # Wrap the texture around primitives if the model requests this.
        cube = np.where(uniform[:, None], size, 1) * np.where(own[rows, None], [1, 1, -1], [1, 1, 1])
        mode = np.where(flat, np.where(given, GIVEN, REPEATED), CUBE)
        if self.tables.wraps:
            wrap = np.where(g.type[i] < len(WRAP_OF), WRAP_OF[np.minimum(g.type[i], len(WRAP_OF) - 1)], -1)
            endless = plane & (size[:, :2] <= 0).any(1)
            mode = np.where((mode == REPEATED) & (wrap >= 0) & ~endless, WRAPPED + wrap, mode)

        # Write the records.
        r["tex"][rows, 0] = mode
        r["tex"][rows, 1:3] = np.where(flat[:, None], rep, cube[:, :2])
        r["tex"][rows, 3] = np.where(flat, 0, cube[:, 2])

    def _lines(self, scn: MjvScene, types: np.ndarray) -> None:
        """Collect lines and the edges of line boxes, as rows of start, end, color, width in pixels, id."""
        g = scn.geom
        one, boxes = np.flatnonzero(types == G["LINE"]), np.flatnonzero(types == G["LINEBOX"])
        if not len(one) and not len(boxes):
            self.lines = np.zeros((0, 12), np.float32)
            return
        width = float(self.tables.m.vis.global_.linewidth)
        out = np.zeros((len(one) + 12 * len(boxes), 12), np.float32)

        # Collect lines, then boxes with twelve edges each.
        a, b = out[: len(one)], out[len(one) :]
        a[:, 0:3] = g.pos[one]
        a[:, 3:6] = g.pos[one] + g.mat[one].reshape(-1, 3, 3)[:, :, 2] * g.size[one, 2:]
        a[:, 10] = g.size[one, 0] * width
        owner = one
        if len(boxes):
            ends = np.einsum("nij,ekj->neki", g.mat[boxes].reshape(-1, 3, 3) * g.size[boxes][:, None, :], BOX_EDGES)
            b[:, 0:6] = (ends + g.pos[boxes][:, None, None, :]).reshape(-1, 6)
            b[:, 10] = LINEBOX_WIDTH * width
            owner = np.concatenate([one, np.repeat(boxes, 12)])
        out[:, 6:10], out[:, 11] = g.rgba[owner], g.segid[owner]

        # Transparent geoms are blended twice but lines only once: adjust alpha to get the same result.
        out[:, 9] = 1 - (1 - out[:, 9]) ** 2
        self.lines = out

    def _surfaces(self, scn: MjvScene, soft: np.ndarray, shape: np.ndarray, base: int) -> None:
        """Collect the surfaces of flexes and skins. The vertices and edges of flexes become spheres and tubes."""
        g = scn.geom
        record = {int(i): k for k, i in enumerate(self.order)} if len(soft) else {}
        self.surfaces = {}
        for i in soft.tolist():
            flex = int(g.type[i]) == G["FLEX"]
            rec = self.records[record[i] : record[i] + 1].copy()
            parts = self._flex_parts(scn, int(g.objid[i]), float(g.size[i, 0]), rec) if flex else []
            self.surfaces[int(shape[i])] = dict(
                flex=flex,
                id=int(g.objid[i]),
                parts=[(base + UNIT.index(name), self._append(recs), len(recs)) for name, recs in parts],
            )

    def _append(self, recs: np.ndarray) -> int:
        """Append records; return the index of the first one."""
        k = self.count
        if len(self.records) < k + len(recs):
            self.records = np.concatenate([self.records[:k], np.zeros(2 * (k + len(recs)) - k, RECORD)])
        self.records[k : k + len(recs)] = recs
        self.count = k + len(recs)
        return k

    @staticmethod
    def _flex_parts(scn: MjvScene, f: int, radius: float, rec: np.ndarray) -> list:
        """Return records of spheres at flex f's vertices and tubes along its edges, unless its skin hides them."""
        s = scn.surface
        if radius <= 0 or (scn.flexskinopt and s.flexfaceused[f]):
            return []
        out, va = [], int(s.flexvertadr[f])
        vert = s.flexvert.reshape(-1, 3)[va : va + int(s.flexvertnum[f])]
        if scn.flexvertopt:
            r = np.repeat(rec, len(vert))
            r["m"][:, :, 3], r["scale"][:, :3], r["tex"] = vert, radius, 0
            out.append(("sphere", r))
        if scn.flexedgeopt:
            e = s.flexedge.reshape(-1, 2)[int(s.flexedgeadr[f]) : int(s.flexedgeadr[f] + s.flexedgenum[f])]
            a, b = vert[e[:, 0]], vert[e[:, 1]]
            r = np.repeat(rec, len(e))
            r["m"][:, :, :3], r["m"][:, :, 3] = z_to(b - a), 0.5 * (a + b)
            r["scale"][:, :2], r["scale"][:, 2], r["tex"] = radius, 0.5 * np.linalg.norm(b - a, axis=1), 0
            out.append(("tube", r))
        return out


def runs(batches: tuple[list[DrawBatch], ...], code: tuple[np.ndarray, ...], start: int) -> None:
    """Split records into batches in which section, texture, shape and decor are the same.

    code: these four numbers of each record; start: the first record's place in the draw order
    """
    count = len(code[0])
    if not count:
        return
    cut = np.flatnonzero(np.logical_or.reduce([part[1:] != part[:-1] for part in code])) + 1
    first = np.concatenate([[0], cut])
    size = np.diff(np.append(first, count))
    for f, k in zip(first.tolist(), size.tolist()):
        section, tex, shape, decor = (part.item(f) for part in code)
        batches[section].append(DrawBatch(tex, shape, start + f, k, bool(decor)))
