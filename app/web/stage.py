"""The scene in browsers: the draw list, converted to viser nodes. All instances of a shape form one node, and their poses,
sizes and colours are sent as arrays.

A node has room for a number of instances; unused ones have size zero. Unchanged arrays are not sent again.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

from typing import Any

import numpy as np
import viser

from ...engine.tables.enums import mjtGeom
from ...render.gl.instances import CASTER, OPAQUE_ALPHA, PLAIN, TRANSPARENT, DrawList, ModelTables
from ...render.scene.surfaces import flex_mesh, skin_mesh, skin_static
from .shapes import Part, Shapes, Textures, coordinates, is_cube, linear, textured

# A camera position above everything. Planes are transparent from below, and clients' cameras differ, so assume that all are
# above.
ABOVE = np.array((0.0, 0.0, 1e6))
# width of lines in pixels
THICKNESS = 1.5
KIND_TYPES = {"flex": int(mjtGeom.mjGEOM_FLEX), "skin": int(mjtGeom.mjGEOM_SKIN)}
# orientation of unused instances
NOWHERE = np.array((1.0, 0.0, 0.0, 0.0), np.float32)


class Instances:
    """All instances of one part of a shape. `kind`, `index`: the element to which each instance belongs, as objtype and objid
    of the scene.
    """

    def __init__(self, scene: Any, name: str, part: Part, glb: bytes | None, clear: bool, casts: bool) -> None:
        self.scene, self.name, self.part, self.glb, self.clear, self.casts = scene, name, part, glb, clear, casts
        self.node: Any = None
        self.room = 0
        self.used = -1
        self.kind = self.index = np.zeros(0, int)

    def put(self, m: np.ndarray, scale: np.ndarray, rgba: np.ndarray) -> bool:
        """Show records of the draw list: poses (n, 3, 4), scales (n, 4), colours (n, 4). Return True if this created a new
        node.
        """
        count = len(m)
        quat, pos, size = quaternions(m[:, :, :3]), m[:, :, 3], scale[:, :3]
        if self.part.shift:
            pos = pos + self.part.shift * scale[:, 3:] * m[:, :, 2]
        if self.part.stretch:
            size = scale[:, [0, 1, 3]]
        fresh = count > self.room
        if fresh:
            # The first node has exactly the needed room. If it must grow, it will probably grow again, so reserve more.
            self.room = count if self.used < 0 else 1 << (count - 1).bit_length()
        quat, pos, size, rgba = (self._padded(rows) for rows in (quat, pos, size, rgba))
        quat[count:] = NOWHERE
        self.used = count
        if fresh:
            self._make(quat, pos, size, rgba)
            return True

        node = self.node
        node.batched_wxyzs, node.batched_positions, node.batched_scales = quat, pos, size
        if self.glb is None:
            node.batched_colors = raw_colours(rgba)
            if self.clear:
                node.batched_opacities = np.ascontiguousarray(rgba[:, 3])
        return False

    def _padded(self, rows: np.ndarray) -> np.ndarray:
        out = np.zeros((self.room, rows.shape[1]), np.float32)
        out[: len(rows)] = rows
        return out

    def _make(self, quat: np.ndarray, pos: np.ndarray, size: np.ndarray, rgba: np.ndarray) -> None:
        common = dict(batched_wxyzs=quat, batched_positions=pos, batched_scales=size, lod="off", cast_shadow=self.casts)
        if self.glb is not None:
            self.node = self.scene.add_batched_glb(self.name, self.glb, **common)
            return
        self.node = self.scene.add_batched_meshes_simple(
            self.name,
            self.part.vertices[:, :3],
            self.part.faces,
            batched_colors=raw_colours(rgba),
            batched_opacities=np.ascontiguousarray(rgba[:, 3]) if self.clear else None,
            side="front",
            **common,
        )

    def empty(self) -> None:
        """Hide all instances."""
        if self.used > 0:
            self.used = 0
            self.node.batched_scales = np.zeros((self.room, 3), np.float32)
            self.kind = self.index = np.zeros(0, int)


class Stage:
    """The scene of one model in browsers. `added(instances)` is called for each new node."""

    def __init__(self, server: viser.ViserServer, m: Any, added: Any = None) -> None:
        self.server, self.m, self.added = server, m, added or (lambda node: None)
        self.tables = ModelTables(m)
        self.list = DrawList(self.tables)
        self.shapes, self.textures = Shapes(m, self.tables), Textures(m)
        self.nodes: dict[tuple, tuple[Instances, ...]] = {}
        self.surfaces: dict[tuple, Surface] = {}
        self.lines: Any = None
        self.skins = [skin_static(m, i) for i in range(m.nskin)]
        self._seen: set[tuple] = set()
        # For each node, the batches of instances in the current picture: (look, columns of values).
        self._parts: dict[tuple, list[tuple[np.ndarray, tuple[np.ndarray, ...]]]] = {}

    def show(self, scn: Any) -> None:
        """Update the scene in browsers. This modifies the reflectances and opacities in `scn`."""
        n, rows = scn.ngeom, scn.geom
        alpha = rows.rgba[:n, 3].copy()

        # Disable mirrors and the sorting of transparent shapes: they depend on the camera, and browsers have their own cameras.
        rows.rgba[:n, 3], rows.reflectance[:n] = 1.0, 0.0
        drawn = self.list.build(scn, ABOVE)
        order = drawn.order
        self._seen = set()

        with self.server.atomic():
            for section in (CASTER, PLAIN, TRANSPARENT):
                for batch in drawn.batches[section]:
                    at = np.arange(batch.first, batch.first + batch.count)
                    self._batch(scn, batch.shape, batch.texture, at, order[at], alpha[order[at]], not batch.decor)
            for surface in drawn.surfaces.values():
                self._surface(scn, surface, alpha)
            self._lines(drawn.lines)
            self._put()
            for key, instances in self.nodes.items():
                if key not in self._seen:
                    for one in instances:
                        one.empty()
            for key, soft in self.surfaces.items():
                soft.show(key in self._seen)

    def _batch(
        self, scn: Any, shape: int, texture: int, at: np.ndarray, geoms: np.ndarray, alpha: np.ndarray, casts: bool
    ) -> None:
        """Add the records of one shape and texture to nodes. Records with different transparency or texture mapping go to
        different nodes.
        """
        # A flex or skin, which `_surface` shows.
        if shape < 0:
            return

        records, rows = self.list.records[at], scn.geom
        rgba = records["rgba"].copy()
        rgba[:, 3] = alpha
        flat = texture >= 0 and not is_cube(records["tex"][0])
        if texture >= 0 and not flat:
            # Browsers cannot wrap a cube texture around a shape, so use its mean color.
            rgba[:, :3] *= self.textures.mean(texture)
        clear = rgba[:, 3] < OPAQUE_ALPHA
        # A textured node has a single color and texture mapping. Nodes without a texture differ only in whether they are
        # transparent.
        looks = np.column_stack([records["tex"], rgba]).round(4) if flat else clear[:, None].astype(np.float32)

        for look in np.unique(looks, axis=0):
            mine = np.flatnonzero((looks == look).all(1))
            key = (shape, texture if flat else -1, casts, look.tobytes())
            part = (
                records["m"][mine],
                records["scale"][mine],
                rgba[mine],
                rows.objtype[geoms[mine]],
                rows.objid[geoms[mine]],
                np.full(len(mine), flat),
            )
            self._parts.setdefault(key, []).append((look, part))

    def _put(self) -> None:
        """Give each node its instances. Several batches may share a node: for example, boxes without a texture and boxes with a
        cube texture.
        """
        for key, found in self._parts.items():
            matrices, scales, rgba, kinds, indices, flat = (
                np.concatenate(columns) for columns in zip(*(part for _look, part in found), strict=True)
            )
            look = found[0][0] if flat[0] else None
            for one in self._instances(key, look, bool(rgba[0, 3] < OPAQUE_ALPHA)):
                fresh = one.put(matrices, scales, rgba)
                one.kind, one.index = kinds, indices
                if fresh:
                    self.added(one)
            self._seen.add(key)
        self._parts.clear()

    def _instances(self, key: tuple, look: np.ndarray | None, clear: bool) -> tuple[Instances, ...]:
        """Return the nodes of a shape with a certain look: mode and repeats of its texture, and its colour. Create them if
        necessary.
        """
        if key not in self.nodes:
            made = []
            for part in self.shapes.parts(key[0]):
                glb = (
                    None if look is None else textured(part, coordinates(part, look), self.textures.picture(key[1]), look[4:8])
                )
                made.append(Instances(self.server.scene, f"/shapes/{len(self.nodes)}.{len(made)}", part, glb, clear, key[2]))
            self.nodes[key] = tuple(made)
        return self.nodes[key]

    def _surface(self, scn: Any, row: dict, alpha: np.ndarray) -> None:
        """Show a flex or skin. The vertices and edges of a flex are shown as separate shapes."""
        kind = "flex" if row["flex"] else "skin"
        vertices, faces = flex_mesh(scn, row["id"]) if row["flex"] else skin_mesh(scn, row["id"], self.skins)
        rows, n = scn.geom, scn.ngeom
        types = scn.geom.type[:n]
        geom = int(np.flatnonzero((types == KIND_TYPES[kind]) & (rows.objid[:n] == row["id"]))[0])
        rgba = np.append(rows.rgba[geom, :3], alpha[geom])
        texture = int(self.tables.mat_tex[rows.matid[geom]]) if 0 <= rows.matid[geom] < self.m.nmat else -1
        if texture >= 0:
            rgba[:3] *= self.textures.mean(texture)
        key = (kind, row["id"])
        if len(faces):
            if key not in self.surfaces:
                self.surfaces[key] = Surface(self.server.scene, f"/{kind}/{row['id']}", kind, row["id"])
            soft = self.surfaces[key]
            if soft.put(vertices, faces, rgba):
                self.added(soft)
            self._seen.add(key)
        for shape, first, count in row["parts"]:
            at = np.arange(first, first + count)
            self._batch(scn, shape, -1, at, np.full(count, geom), np.full(count, rgba[3]), True)

    def _lines(self, lines: np.ndarray) -> None:
        """Show lines of the draw list. A line has two end points, a colour, a width and a number."""
        node: Any = self.lines
        if node is None and not len(lines):
            return
        room = 0 if node is None else len(node.points)
        count = max(room, len(lines))
        # Lines that are not used get zero length, so that they are invisible.
        points, colour = np.zeros((count, 2, 3), np.float32), np.zeros((count, 2, 3), np.uint8)
        points[: len(lines)] = lines[:, :6].reshape(-1, 2, 3)
        colour[: len(lines)] = colours(lines[:, 6:9])[:, None]
        if node is None or count > room:
            self.lines = self.server.scene.add_line_segments(
                "/lines", points, colour, thickness=THICKNESS, thickness_units="screen"
            )
        else:
            node.points, node.colors = points, colour


class Surface:
    """A flex or skin: one mesh with moving vertices. Equal vertices of a flex are merged with their normals, for smooth
    shading.
    """

    def __init__(self, scene: Any, name: str, kind: str, number: int) -> None:
        self.scene, self.name = scene, name
        self.kind, self.index = kind, number
        self.node: Any = None
        self._first = np.zeros(0, int)
        self._corners = -1
        self._rgba = np.zeros(4)

    def put(self, vertices: np.ndarray, faces: np.ndarray, rgba: np.ndarray) -> bool:
        """Show a mesh: vertices (n, 8), vertex indices of triangle corners (k,), and a colour. Return True if this created a
        new node.
        """
        if self.node is not None and len(faces) == self._corners and np.array_equal(rgba, self._rgba):
            self.node.vertices = vertices[self._first, :3].astype(np.float32)
            return False
        _, self._first, back = np.unique(vertices[:, :6], axis=0, return_index=True, return_inverse=True)
        self._corners, self._rgba = len(faces), rgba.copy()
        self.node = self.scene.add_mesh_simple(
            self.name,
            vertices[self._first, :3].astype(np.float32),
            back.ravel()[faces].reshape(-1, 3).astype(np.uint32),
            color=tuple(colours(rgba[None])[0].tolist()),
            opacity=float(rgba[3]) if rgba[3] < OPAQUE_ALPHA else None,
            side="double",
        )
        return True

    def show(self, visible: bool) -> None:
        """Show or hide the surface."""
        if self.node.visible != visible:
            self.node.visible = visible


def colours(rgba: np.ndarray) -> np.ndarray:
    """Convert colours in 0..1 to (n, 3) uint8."""
    return np.round(255 * np.clip(rgba[:, :3], 0, 1)).astype(np.uint8)


def raw_colours(rgba: np.ndarray) -> np.ndarray:
    """Convert colours in 0..1 to (n, 3) uint8 of linear light, the form in which the page expects the colours of instances."""
    return np.round(255 * linear(rgba[:, :3])).astype(np.uint8)


def quaternions(mats: np.ndarray) -> np.ndarray:
    """Convert rotation matrices (n, 3, 3) to unit quaternions (n, 4). The largest component is computed first, for accuracy
    (Shepperd 1978).
    """
    m = mats.astype(float)
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    # each row is 4 q_k q
    rows = np.stack(
        [
            np.stack([1 + xx + yy + zz, m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], 1),
            np.stack([m[:, 2, 1] - m[:, 1, 2], 1 + xx - yy - zz, m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0]], 1),
            np.stack([m[:, 0, 2] - m[:, 2, 0], m[:, 0, 1] + m[:, 1, 0], 1 - xx + yy - zz, m[:, 1, 2] + m[:, 2, 1]], 1),
            np.stack([m[:, 1, 0] - m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1], 1 - xx - yy + zz], 1),
        ],
        1,
    )
    best = np.argmax(np.stack([rows[:, k, k] for k in range(4)], 1), 1)
    q = rows[np.arange(len(m)), best]
    return q / np.linalg.norm(q, axis=1, keepdims=True)
