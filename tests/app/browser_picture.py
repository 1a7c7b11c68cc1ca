"""The picture that a browser draws, computed from the server's messages, and the same picture from the window's renderer.

    python -m tests.app.browser_picture MODEL...     compares the two for models, and saves them beside each other

Both pictures have plain colors: no light, textures as their mean or as unknown. So a shape that is missing, misplaced or has
the color of another one shows, and differences of shading do not.
"""

import math
import sys
from pathlib import Path

import numba
import numpy as np
import trimesh
from PIL import Image

import tumble
from tests.app.browser import Probe
from tumble import viewer
from tumble.app.web.shapes import Textures, linear
from tumble.app.web.tone import encoded
from tumble.render.gl.context import GLContext
from tumble.render.gl.renderer import Renderer

WIDTH, HEIGHT = 240, 180
# Colors of the empty background, and of a texture with an unknown color.
NOTHING, UNKNOWN = -1, -2
# Near plane: parts closer to the camera are clipped.
CLOSE = 0.02
# Tolerance of a color channel, 0..255, and the smallest number of pixels for which a geom counts as visible.
NEAR, SEEN = 3, 25
# Share of a visible geom's pixels and of all pixels that must agree; edges differ.
OF_GEOM, OF_ALL = 0.7, 0.985


@numba.njit(cache=False)
def fill(points, colors, depth, image):
    """Draw triangles (n, 3, 3: x, y in pixels and depth) into a picture; nearer ones win."""
    height, width = depth.shape
    for k in range(len(points)):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[k]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not (az > 0 and bz > 0 and cz > 0) or area == 0:
            continue
        x0, x1 = max(0, math.floor(min(ax, bx, cx))), min(width - 1, math.ceil(max(ax, bx, cx)))
        y0, y1 = max(0, math.floor(min(ay, by, cy))), min(height - 1, math.ceil(max(ay, by, cy)))
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                w = 1 - u - v
                if u < 0 or v < 0 or w < 0:
                    continue
                # in perspective, the inverse of the depth is linear on the screen
                z = 1 / (u / az + v / bz + w / cz)
                if z < depth[y, x]:
                    depth[y, x] = z
                    image[y, x] = colors[k]


class Picture:
    """A picture into which meshes are drawn as the view's camera sees them."""

    def __init__(self, lens):
        self.lens = lens
        self.depth = np.full((HEIGHT, WIDTH), np.inf)
        self.image = np.full((HEIGHT, WIDTH, 3), NOTHING, np.int16)

    def draw(self, vertices, faces, color):
        """Draw a mesh in the world, in one color."""
        lens = self.lens
        away = np.asarray(vertices, float) - lens.head
        depth = away @ lens.forward
        across = np.ones(len(away)) if lens.orthographic else np.where(depth > CLOSE, depth, np.nan)
        x = (away @ lens.right / across - lens.left) / lens.wide * WIDTH
        y = (1 - (away @ lens.up / across - lens.low) / (lens.high - lens.low)) * HEIGHT
        corners = np.stack([x, y, depth], 1)[np.asarray(faces).reshape(-1, 3)]
        near = clipped(np.asarray(vertices, float), np.asarray(faces).reshape(-1, 3), lens, depth)
        whole = corners[np.isfinite(corners).all((1, 2))]
        whole[..., :2] -= 0.5
        fill(whole, np.broadcast_to(np.asarray(color, np.int16), (len(whole), 3)).copy(), self.depth, self.image)
        if near is not None:
            self.draw(*near, color)


def clipped(vertices, faces, lens, depth):
    """Clip the triangles that cross the near plane; return the parts in front of it, or None if no triangle crosses it."""
    if lens.orthographic or not len(faces):
        return None
    front = depth > CLOSE
    cross = faces[front[faces].any(1) & ~front[faces].all(1)]
    if not len(cross):
        return None
    out = []
    for face in cross.tolist():
        ring = []
        for a, b in zip(face, face[1:] + face[:1]):
            if front[a]:
                ring.append(vertices[a])
            if front[a] != front[b]:
                share = (1.01 * CLOSE - depth[a]) / (depth[b] - depth[a])
                ring.append(vertices[a] + share * (vertices[b] - vertices[a]))
        out += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    points = np.array(out).reshape(-1, 3)
    return points, np.arange(len(points))


def turned(quat):
    """The matrix of a unit quaternion."""
    mat = np.zeros(9)
    tumble.mju_quat2Mat(mat, np.asarray(quat, float))
    return mat.reshape(3, 3)


def browser(probe, lens):
    """Draw the nodes that a browser has received, as the browser would: (height, width, 3) colors."""
    picture = Picture(lens)
    for node in probe.nodes.values():
        kind = node["type"]
        if kind not in ("BatchedMeshesMessage", "BatchedGlbMessage", "MeshMessage") or not node.get("visible", True):
            continue
        if kind == "MeshMessage":
            picture.draw(node["vertices"].reshape(-1, 3), node["faces"], node["color"])
            continue
        colors = None
        if kind == "BatchedGlbMessage":
            mesh = trimesh.load(
                trimesh.util.wrap_as_stream(bytes(node["glb_data"])), file_type="glb", force="mesh", process=False
            )
            vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.faces)
        else:
            vertices, faces = node["vertices"].reshape(-1, 3), node["faces"].reshape(-1, 3)
            light = node["batched_colors"].reshape(-1, 3) / 255
            colors = np.broadcast_to(np.round(255 * encoded(light)), (len(node["batched_positions"]) // 3, 3))
        places, turns = node["batched_positions"].reshape(-1, 3), node["batched_wxyzs"].reshape(-1, 4)
        for k, (at, quat, size) in enumerate(zip(places, turns, node["batched_scales"].reshape(-1, 3), strict=True)):
            if size.any():
                color = [UNKNOWN] * 3 if colors is None else colors[k]
                picture.draw(vertices * size @ turned(quat).T + at, faces, color)
    return picture.image


def window(m, scn):
    """Draw a scene with the window's renderer; return colors, and the index of the geom at each pixel."""
    context = GLContext(WIDTH, HEIGHT)
    renderer = Renderer(m)
    try:
        ids, _depth = renderer.draw_ids(scn, WIDTH, HEIGHT)
    finally:
        renderer.close()
        context.free()
    rows, textures = scn.geom, Textures(m)
    of_id = {int(segid): i for i, segid in enumerate(rows.segid[: scn.ngeom]) if segid >= 0}
    geoms = np.vectorize(lambda segid: of_id.get(int(segid), NOTHING))(ids)
    colors = np.full((scn.ngeom + 1, 3), NOTHING, np.int16)
    for i in range(scn.ngeom):
        rgb = np.array(rows.rgba[i, :3], float)
        material = int(rows.matid[i])
        texture = int(np.asarray(m.mat_texid).reshape(m.nmat, -1)[material, 1]) if 0 <= material < m.nmat else -1
        soft = scn.geoms[i].type in (int(tumble.mjtGeom.mjGEOM_FLEX), int(tumble.mjtGeom.mjGEOM_SKIN))
        flat = texture >= 0 and int(m.tex_type[texture]) == int(tumble.mjtTexture.mjTEXTURE_2D) and not soft
        if texture >= 0 and not flat:
            rgb = rgb * textures.mean(texture)
        colors[i] = UNKNOWN if flat else np.round(255 * encoded(np.round(255 * linear(rgb)) / 255))
    return colors[geoms], geoms


def compared(m, d):
    """The window's picture, the browser's, the share of equal pixels, and [(geom, share)] of visible geoms that differ."""
    with viewer.serve(m, d, port=0) as handle:
        probe = Probe(handle.url).hello()
        probe.wait(lambda: probe.nodes and probe.text())
        probe.take(0.5)
        view = handle._server.view
        probe.close()

    # The server's thread has ended here, so nothing changes the scene while it is drawn.
    view.aspect = WIDTH / HEIGHT
    scn = view.update()
    theirs = browser(probe, view.lens())
    ours, geoms = window(m, scn)

    # Lines have no width in the world, so browsers draw them in their own way.
    lines = np.isin(scn.geom.type[: scn.ngeom], [int(tumble.mjtGeom.mjGEOM_LINE), int(tumble.mjtGeom.mjGEOM_LINEBOX)])
    same = (np.abs(ours.astype(int) - theirs) <= NEAR).all(-1) | np.append(lines, False)[geoms]
    shares = [(int(i), float(same[geoms == i].mean())) for i in np.unique(geoms) if i >= 0 and (geoms == i).sum() >= SEEN]
    return ours, theirs, float(same.mean()), [(i, share) for i, share in shares if share < OF_GEOM]


def painted(image):
    """Return a picture for inspection by eye, with visible colors for the background and for unknown textures."""
    out = np.clip(image, 0, 255).astype(np.uint8)
    out[(image == NOTHING).all(-1)] = (30, 30, 40)
    out[(image == UNKNOWN).all(-1)] = (255, 0, 255)
    return out


def main() -> int:
    failed = 0
    for path in sys.argv[1:]:
        m = tumble.MjModel.from_xml_path(path)
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        ours, theirs, share, wrong = compared(m, d)
        bad = bool(wrong) or share < OF_ALL
        failed += bad
        print(f"{'DIFFERS' if bad else 'same':8s}{share:7.2%} of the pixels, geoms {wrong}  {path}", flush=True)
        if bad:
            both = np.concatenate([painted(ours), painted(theirs)], 1)
            Image.fromarray(both).resize((4 * WIDTH, 2 * HEIGHT)).save(Path(path).stem + "_browser.png")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
