"""Unit shapes and model shapes as triangles: vertex arrays for any renderer, without graphics calls.

A shape is (vertices (n, 8) float32, indices (k,) uint32). Columns: position 3, normal 3, and 2 more. For unit
shapes, these 2 are the object's z, which cube textures use, and the cap sign of capsules; for model meshes, they are texture
coordinates. Triangles are counter-clockwise when seen from outside. A capsule is a sphere cut at the equator: the renderer
shifts its vertices by (cap sign) * (half length) after scaling.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...engine.core.model import MjModel
from .bodies import MAXPLANEGRID

COLUMNS = 8
ARROW_HEAD = 1.75
# maximum number of cells along a side of a box or plane
MOST_CELLS = 256
# Numbers of segments of a unit shape: around the axis, and from pole to pole.
LEVELS = ((8, 6), (12, 8), (16, 12), (28, 16), (48, 32))


def pack(pos: npt.ArrayLike, nrm: npt.ArrayLike, aux: np.ndarray | None = None) -> np.ndarray:
    """Join the columns of vertices. `aux` defaults to (z, 0)."""
    pos, nrm = np.asarray(pos, float).reshape(-1, 3), np.asarray(nrm, float).reshape(-1, 3)
    if aux is None:
        aux = np.stack([pos[:, 2], np.zeros(len(pos))], 1)
    return np.hstack([pos, nrm, aux]).astype(np.float32)


def join(*shapes: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Join several shapes into one."""
    base = np.cumsum([0] + [len(v) for v, _ in shapes[:-1]])
    return np.vstack([v for v, _ in shapes]), np.concatenate([i + b for (_, i), b in zip(shapes, base)]).astype(np.uint32)


def grid_indices(rows: int, cols: int, base: int = 0) -> np.ndarray:
    """Return two triangles for each cell of a grid with rows x cols vertices.

    Cells are split as GL drivers split quads whose corners are listed counter-clockwise from the lower left. The diagonal is
    visible where colors are interpolated, and the order of corners affects the last bit of depth.
    """
    a = (np.arange(rows - 1)[:, None] * cols + np.arange(cols - 1)).ravel() + base
    b = a + cols
    return np.stack([b, b + 1, a, b + 1, a + 1, a], 1).ravel().astype(np.uint32)


def circle(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return cos and sin of n + 1 angles around a circle; the last angle equals the first."""
    t = np.linspace(0, 2 * np.pi, n + 1)
    c, s = np.cos(t), np.sin(t)
    c[-1], s[-1] = c[0], s[0]
    return c, s


def sphere_rows(n: int, polar: np.ndarray) -> np.ndarray:
    """Return the vertices of a unit sphere at the given polar angles, one row for each angle."""
    c, s = circle(n)
    st, ct = np.sin(polar)[:, None], np.cos(polar)[:, None]
    return np.stack([st * c, st * s, np.broadcast_to(ct, (len(polar), n + 1))], -1).reshape(-1, 3)


def sphere(slices: int, stacks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a unit sphere. An odd number of stacks is rounded down, because the equator needs a row of vertices."""
    half = max(stacks // 2, 2)
    p = sphere_rows(slices, np.linspace(0, np.pi, 2 * half + 1))
    return pack(p, p), grid_indices(2 * half + 1, slices + 1)


def capsule(slices: int, stacks: int, rows: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return two hemispheres, joined by a tube with several rows of vertices. The tube has length zero until the caps are
    shifted."""
    half = max(stacks // 2, 2)
    t = np.linspace(0, np.pi / 2, half + 1)
    polar = np.concatenate([t, np.full(rows - 1, np.pi / 2), t + np.pi / 2])
    cap = np.concatenate([np.ones(half), np.linspace(1, -1, rows + 1), -np.ones(half)])
    p, cap = sphere_rows(slices, polar), np.repeat(cap, slices + 1)
    return pack(p, p, np.stack([p[:, 2] + cap, cap], 1)), grid_indices(len(polar), slices + 1)


def tube(
    slices: int, z0: float = -1.0, z1: float = 1.0, r0: float = 1.0, r1: float = 1.0, rows: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return the side surface of a cone frustum between two heights."""
    c, s = circle(slices)
    slope = (r0 - r1) / (z1 - z0)
    t = np.linspace(1, 0, rows + 1)
    p = np.vstack(
        [np.stack([r * c, r * s, np.full_like(c, z)], 1) for r, z in zip(r0 + t * (r1 - r0), z0 + t * (z1 - z0), strict=True)]
    )
    nrm = np.tile(np.stack([c, s, np.full_like(c, slope)], 1) / np.hypot(1, slope), (rows + 1, 1))
    return pack(p, nrm), grid_indices(rows + 1, slices + 1)


def disk(slices: int, z: float, up: bool, radius: float = 1.0, rings: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a flat cap at a height, facing up or down."""
    c, s = circle(slices)
    p = np.vstack([np.stack([r * c, r * s, np.full_like(c, z)], 1) for r in radius * np.linspace(0, 1, rings + 1)])
    tri = grid_indices(rings + 1, slices + 1).reshape(-1, 3)
    return pack(p, np.tile([0, 0, 1.0 if up else -1.0], (len(p), 1))), (tri if up else tri[:, ::-1]).ravel()


def cylinder(slices: int, rows: int = 1, rings: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a closed unit cylinder, z from -1 to 1."""
    return join(tube(slices, rows=rows), disk(slices, 1, True, rings=rings), disk(slices, -1, False, rings=rings))


def arrow(slices: int, head: float = ARROW_HEAD, rows: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return an arrow of length 1/2. The shaft ends at 1/3; the rest is the tip, whose radius is `head`."""
    return join(
        disk(slices, 0, False, rings=rows),
        tube(slices, 0, 1 / 3, rows=rows),
        disk(slices, 1 / 3, False, head, rows),
        tube(slices, 1 / 3, 0.5, head, 0, rows),
    )


def double_arrow(slices: int, rows: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return an arrow with two tips, at plus and minus 1/2."""
    tip = join(disk(slices, 1 / 3, False, ARROW_HEAD, rows), tube(slices, 1 / 3, 0.5, ARROW_HEAD, 0, rows))
    v, i = tip
    turned = v.copy()
    turned[:, [1, 2, 4, 5]] *= -1
    return join(tube(slices, -1 / 3, 1 / 3, rows=rows), tip, (turned, i))


def box(cells: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a box with half sizes of 1; its faces are cut into cells."""
    shapes = []
    x, y, z = np.eye(3)
    for u, w in ((x, y), (x, -y), (y, z), (y, -z), (x, z), (x, -z)):
        v, i = plane(cells)
        n, s, t = np.cross(u, w), v[:, :1], v[:, 1:2]
        shapes.append((pack(n + s * u + t * w, np.tile(n, (len(v), 1))), i))
    return join(*shapes)


def plane(cells: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a square from -1 to 1 that faces +z. It is cut into cells, so that values interpolate well on large planes."""
    t = np.linspace(-1, 1, cells + 1)
    return lattice(t, t)


def cells_of(m: MjModel) -> int:
    """Return the number of cells along each side of a box or plane, which the model requests."""
    return min(max(int(m.vis.quality.numquads), 1), MOST_CELLS)


def lattice(xs: np.ndarray, ys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a rectangle that faces +z, with vertices at the given ascending coordinates."""
    x, y = np.meshgrid(xs, ys[::-1])
    p = np.stack([x, y, np.zeros_like(x)], -1).reshape(-1, 3)
    return pack(p, np.tile([0, 0, 1.0], (len(p), 1))), grid_indices(len(ys), len(xs))


def plane_lines(m: MjModel, i: int, k: int) -> np.ndarray:
    """Return the coordinates, in -1..1 along axis k, of the lines along which plane i is subdivided for per-vertex lighting.

    The cells of a finite plane are twice as long as the plane's grid spacing. An even number of cells is centered on the plane;
    a narrower cell at each edge fills the remainder.
    """
    half, spacing = float(m.geom_size[i, k]), float(m.geom_size[i, 2])
    if half <= 0:
        return np.linspace(-1, 1, MAXPLANEGRID + 1)
    spacing = max(spacing / half, 1 / (MAXPLANEGRID - 2))
    count = int(1 / spacing) // 2 * 2
    inner = count * spacing
    return np.unique(np.concatenate([[-1], np.linspace(-inner, inner, count + 1), [1]]))


def triangle() -> tuple[np.ndarray, np.ndarray]:
    """Return a right triangle with legs along x and y."""
    p = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    return pack(p, np.tile([0, 0, 1.0], (3, 1))), np.arange(3, dtype=np.uint32)


def haze(slices: int, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a truncated cone around the horizon. The last vertex column is opacity, which is 1 at the inner edge and decreases
    outwards."""
    alpha = np.arctan2(1, width)
    h = np.sqrt(0.5) * width * np.sin(alpha) / np.sin(0.75 * np.pi - alpha)
    c, s = circle(slices)
    rows = [np.stack([c * (1 - width * (1 - z)), s * (1 - width * (1 - z)), np.full_like(c, z)], 1) for z in (1.0, h, 0.0)]
    p = np.vstack(rows)
    opacity = np.repeat([0.0, 1.0, 0.0], slices + 1)
    return pack(p, p, np.stack([p[:, 2], opacity], 1)), grid_indices(3, slices + 1)


def unit_shapes(slices: int, stacks: int, haze_width: float = 0.3, cells: int = 0) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return all unit shapes by name.

    If `cells` (per side of boxes and planes) is given, all shapes are subdivided for lighting per vertex, and straight sides
    also have stacks.
    """
    rows = stacks if cells else 1
    return dict(
        sphere=sphere(slices, stacks),
        capsule=capsule(slices, stacks, rows),
        cylinder=cylinder(slices, rows, max(rows // 2, 1)),
        tube=tube(slices, rows=rows),
        arrow=arrow(slices, rows=rows),
        arrow1=arrow(slices, 1.0, rows),
        arrow2=double_arrow(slices, rows),
        box=box(cells or 1),
        plane=plane(cells or 1),
        floor=plane(16),
        triangle=triangle(),
        haze=haze(slices, haze_width),
    )


def unit_rows(v: np.ndarray) -> np.ndarray:
    """Normalize rows; zero rows stay zero."""
    n = np.linalg.norm(v, axis=-1, keepdims=True)
    return v / np.where(n > 0, n, 1)


def merge_corners(pos: np.ndarray, nrm: np.ndarray, tex: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Merge triangle corners with equal keys (k, 3). The arrays of corners (k, 3, .) become a shape."""
    _, first, back = np.unique(key.ravel(), return_index=True, return_inverse=True)
    vert = np.hstack([pos.reshape(-1, 3)[first], nrm.reshape(-1, 3)[first], tex.reshape(-1, 2)[first]])
    return vert.astype(np.float32), back.ravel().astype(np.uint32)


def mesh(m: MjModel, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Return model mesh i with smooth normals. Corners without a normal (-1) use that of their face. In a mesh without texture,
    so do corners whose normal differs from that of the face by more than about 37 degrees."""
    f = slice(int(m.mesh_faceadr[i]), int(m.mesh_faceadr[i] + m.mesh_facenum[i]))
    va, na, ta = int(m.mesh_vertadr[i]), int(m.mesh_normaladr[i]), int(m.mesh_texcoordadr[i])
    tri, ntri = np.asarray(m.mesh_face)[f].astype(np.int64), np.asarray(m.mesh_facenormal)[f].astype(np.int64)
    pos = np.asarray(m.mesh_vert)[va + tri]
    sharp, nrm, tex = ntri < 0, np.zeros(tri.shape + (3,), np.float32), np.zeros(tri.shape + (2,), np.float32)
    nrm[~sharp] = np.asarray(m.mesh_normal)[na + ntri[~sharp]]
    key = tri * (int(ntri.max(initial=0)) + 1) + ntri
    face = unit_rows(np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0]))
    if ta >= 0:
        ttri = np.asarray(m.mesh_facetexcoord)[f].astype(np.int64)
        tex[ttri >= 0] = np.asarray(m.mesh_texcoord)[ta + ttri[ttri >= 0]]
        key = key * (int(ttri.max(initial=0)) + 2) + ttri
    else:
        sharp |= np.einsum("ijk,ik->ij", nrm, face) < 0.8
    nrm[sharp] = np.broadcast_to(face[:, None], nrm.shape)[sharp]
    key[sharp] = int(key.max(initial=0)) + 1 + np.arange(int(sharp.sum()))
    return merge_corners(pos, nrm, tex, key)


def hull(m: MjModel, i: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the convex hull of mesh i with flat faces, or None if it has no hull."""
    g = int(m.mesh_graphadr[i])
    if g < 0:
        return None
    graph = np.asarray(m.mesh_graph)
    nvert, nface = int(graph[g]), int(graph[g + 1])
    start = g + 2 + 3 * nvert + 3 * nface
    tri = graph[start : start + 3 * nface].reshape(-1, 3)
    pos = np.asarray(m.mesh_vert)[int(m.mesh_vertadr[i]) + tri]
    return flat(pos)


def flat(pos: np.ndarray, tex: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles (k, 3, 3) with one normal for each triangle."""
    nrm = unit_rows(np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0]))
    tex = np.zeros((3 * len(pos), 2)) if tex is None else tex.reshape(-1, 2)
    return pack(pos, np.repeat(nrm[:, None], 3, 1), tex), np.arange(3 * len(pos), dtype=np.uint32)


def quads(p: np.ndarray) -> np.ndarray:
    """Split quads (k, 4, 3) into triangles (2k, 3, 3), along the line from the second to the fourth corner."""
    return p[:, [0, 1, 3, 1, 2, 3]].reshape(-1, 3, 3)


def hfield(m: MjModel, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Return height field i: top surface with flat triangles, four skirts and a bottom."""
    cells = cells_of(m)
    nr, nc, adr = int(m.hfield_nrow[i]), int(m.hfield_ncol[i]), int(m.hfield_adr[i])
    sx, sy, sz, base = (float(v) for v in m.hfield_size[i])
    z = np.asarray(m.hfield_data, float)[adr : adr + nr * nc].reshape(nr, nc) * sz
    x, y = np.meshgrid(np.linspace(-sx, sx, nc), np.linspace(-sy, sy, nr))
    p = np.stack([x, y, z], -1)
    a, b, c, e = p[:-1, :-1], p[:-1, 1:], p[1:, :-1], p[1:, 1:]
    top = np.concatenate([np.stack([c, a, e], 2).reshape(-1, 3, 3), np.stack([e, a, b], 2).reshape(-1, 3, 3)])
    low = p.copy()
    low[..., 2] = -base
    sides = []
    for edge, foot in ((p[0], low[0]), (p[-1, ::-1], low[-1, ::-1]), (p[::-1, 0], low[::-1, 0]), (p[:, -1], low[:, -1])):
        sides.append(np.stack([foot[:-1], foot[1:], edge[1:], edge[:-1]], 1))
    x, y = np.meshgrid(np.linspace(-sx, sx, cells + 1), np.linspace(-sy, sy, cells + 1))
    p = np.stack([x, y, np.full_like(x, -base)], -1)
    bottom = np.stack([p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]], 2).reshape(-1, 4, 3)
    return flat(np.concatenate([top] + [quads(s) for s in sides] + [quads(bottom)]))
