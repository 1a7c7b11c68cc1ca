"""Adds the model's own shapes to a scene: geoms, sites, flexes, skins. Works on whole arrays, without Python loops over
geoms."""

from typing import Any

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtEnableBit, mjtGeom, mjtLabel, mjtObj, mjtTextureRole, mjtVisFlag
from .emit import DYNAMIC, RGBA0, Build, spread_size
from .label_texts import labels_of
from .rotate import halton

PLANE, MESH, SDF, FLEX, SKIN = (int(mjtGeom["mjGEOM_" + k]) for k in ("PLANE", "MESH", "SDF", "FLEX", "SKIN"))
V_HULL, V_TEXTURE, V_ISLAND, V_TRANSPARENT, V_SKIN = (
    int(mjtVisFlag["mjVIS_" + k]) for k in ("CONVEXHULL", "TEXTURE", "ISLAND", "TRANSPARENT", "SKIN")
)
V_FLEX = [int(mjtVisFlag["mjVIS_" + k]) for k in ("FLEXVERT", "FLEXEDGE", "FLEXFACE", "FLEXSKIN")]
O_GEOM, O_SITE, O_FLEX, O_SKIN = (int(mjtObj["mjOBJ_" + k]) for k in ("GEOM", "SITE", "FLEX", "SKIN"))
L_GEOM, L_SITE, L_FLEX, L_SKIN = (int(mjtLabel["mjLABEL_" + k]) for k in ("GEOM", "SITE", "FLEX", "SKIN"))
MAXPLANEGRID = 200
COLOUR = int(mjtTextureRole.mjTEXROLE_RGB)


def material(c: Build, matid: np.ndarray, rgba: np.ndarray, dynamic: np.ndarray | slice) -> dict[str, Any]:
    """Return the surface fields (color, material properties) of n elements, from material ids (-1: none) and the elements'
    colors.

    An element's color overrides its material's color, unless it is the default gray. `dynamic` marks elements that the
    Transparent flag fades.
    """
    m, n = c.m, len(matid)
    matid, rgba = np.asarray(matid), np.array(rgba, np.float32).reshape(n, 4)
    out = dict(rgba=rgba, matid=np.full(n, -1, np.int32))
    has = matid >= 0
    if has.any():
        safe = np.where(has, matid, 0)
        use = has & (rgba == RGBA0).all(1)
        rgba[use] = np.asarray(m.mat_rgba)[safe[use]]
        for name, none in (("emission", 0), ("specular", 0.5), ("shininess", 0.5), ("reflectance", 0)):
            out[name] = np.where(has, np.asarray(getattr(m, "mat_" + name))[safe], none)
        if c.flags[V_TEXTURE]:
            out["matid"] = matid
            out["texid"] = np.where(has, np.asarray(m.mat_texid)[safe, COLOUR], -1)
            out["texuniform"] = np.where(has, np.asarray(m.mat_texuniform)[safe], 0)
            out["texrepeat"] = np.where(has[:, None], np.asarray(m.mat_texrepeat)[safe], 0)
    if c.flags[V_TRANSPARENT]:
        rgba[dynamic, 3] *= m.vis.map.alpha
    return out


def pick_rows(fields: dict[Any, Any], keep: np.ndarray) -> dict[Any, Any]:
    """Return a dict of per-element arrays, reduced to the rows `keep`."""
    return {k: v[keep] for k, v in fields.items()}


def glow(c: Build, out: dict[str, Any], bodyid: np.ndarray) -> None:
    """Brighten the geoms of the selected body."""
    if c.pert.select > 0:
        hit = bodyid == c.pert.select
        if hit.any():
            out["emission"] = out.get("emission", np.zeros(len(hit))) + hit * c.m.vis.global_.glow


def hsv_rgb(h: float, s: float, v: float) -> tuple[float, float, float]:
    """Convert hue, saturation, value in 0..1 to (r, g, b)."""
    if s <= 0:
        return v, v, v
    i = int(h * 6)
    f = h * 6 - i
    p, q, t = v * (1 - s), v * (1 - s * f), v * (1 - s * (1 - f))
    return ((v, t, p), (q, v, p), (p, v, t), (p, q, v), (t, p, v))[i] if i < 5 else (v, p, q)


def island_color(h: int, awake: bool = True) -> np.ndarray:
    """Return the color of an island, given its first degree of freedom (-1: none, gray). Sleeping islands are darker."""
    hue, sat, val = 1.0, 0.0, 0.7
    if h >= 0:
        hue, sat, val = halton(h + 1, 7), 0.5 + 0.5 * halton(h + 1, 3), 0.6 + 0.4 * halton(h + 1, 5)
    if not awake:
        val, sat = val * 0.6, sat * 0.7
    return np.array([*hsv_rgb(hue, sat, val), 1], np.float32)


def island_colors(h: np.ndarray, awake: np.ndarray) -> np.ndarray:
    """Return the colors of many islands. The color of equal keys is computed only once."""
    key = np.stack([h, awake], 1)
    uniq, back = np.unique(key, axis=0, return_inverse=True)
    return np.array([island_color(int(a), bool(b)) for a, b in uniq], np.float32)[back.ravel()]


def sleep_cycle(asleep: np.ndarray, i: int) -> int:
    """Return the smallest tree index in the cycle of sleeping trees (tree_asleep) that contains tree i, or -1 if the cycle is
    broken."""
    low = cur = i
    for _ in range(len(asleep) + 1):
        cur = int(asleep[cur])
        if not 0 <= cur < len(asleep):
            return -1
        low = min(low, cur)
        if cur == i:
            return low
    return -1


def paint_islands(c: Build, geoms: np.ndarray, out: dict[str, Any]) -> None:
    """Color moving geoms by constraint island. With sleep enabled, unconstrained geoms are colored by their tree."""
    m, d = c.m, c.d
    body = np.asarray(m.geom_bodyid)[geoms]
    weld = np.asarray(m.body_weldid)[body]
    moving = np.flatnonzero(np.asarray(m.body_dofnum)[weld] > 0)
    if not len(moving):
        return

    # The island's first degree of freedom determines its color.
    dof = np.asarray(m.body_dofadr)[weld[moving]]
    h = np.full(len(moving), -1)
    if d.nisland:
        isl = np.asarray(d.dof_island)[dof]
        h = np.where(isl >= 0, np.asarray(d.island_dofadr)[np.maximum(isl, 0)], -1)
    awake = np.asarray(d.body_awake)[body[moving]]
    if m.opt.enableflags & int(mjtEnableBit.mjENBL_SLEEP):
        tree = np.asarray(m.dof_treeid)[dof]
        tree = np.array([t if w else sleep_cycle(d.tree_asleep, int(t)) for t, w in zip(tree, awake)])
        h = np.where(h == -1, np.asarray(m.tree_dofadr)[tree], h)

    out["rgba"][moving] = island_colors(h, awake)
    out["matid"] = out["matid"].copy()
    out["matid"][moving] = -1


def visible_geoms(c: Build) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of geoms with a visible category and group, and the category of every geom."""
    m = c.m
    cat = c.bodycat()[np.asarray(m.geom_bodyid)]
    return np.flatnonzero(((cat & c.catmask) != 0) & c.group_on(c.opt.geomgroup, m.geom_group)), cat


def geoms(c: Build) -> None:
    """Add the model's geoms, in model order."""
    m, d = c.m, c.d
    if not m.ngeom:
        return
    idx, cat = visible_geoms(c)
    out = material(c, np.asarray(m.geom_matid)[idx], np.asarray(m.geom_rgba)[idx], cat[idx] == DYNAMIC)
    if c.flags[V_ISLAND]:
        paint_islands(c, idx, out)

    # Skip fully transparent geoms.
    keep = out["rgba"][:, 3] != 0
    if not keep.all():
        idx, out = idx[keep], pick_rows(out, keep)
    body = np.asarray(m.geom_bodyid)[idx]
    glow(c, out, body)
    types, data = np.asarray(m.geom_type)[idx], np.asarray(m.geom_dataid)[idx].copy()
    pos = np.asarray(d.geom_xpos)[idx]

    # For a mesh, the data id selects the mesh itself or its hull.
    mesh = (types == MESH) | (types == SDF)
    texcoord = np.zeros(len(idx), np.int32)
    if mesh.any():
        have = mesh & (data >= 0)
        id0 = np.where(have, data, 0)
        texcoord = have & (np.asarray(m.mesh_texcoordadr)[id0] >= 0)
        hull = have & (np.asarray(m.mesh_graphadr)[id0] >= 0) & bool(c.flags[V_HULL])
        hull &= (np.asarray(m.geom_contype)[idx] != 0) | (np.asarray(m.geom_conaffinity)[idx] != 0)
        data = np.where(mesh, 2 * data + hull, data)

    # Planes are numbered; infinite planes move with the camera.
    flat = types == PLANE
    if flat.any():
        number = np.cumsum(np.asarray(m.geom_type) == PLANE) - 1
        data = np.where(flat, number[idx], data)
        for row in np.flatnonzero(flat):
            pos[row] = plane_center(c, int(idx[row]))

    labels = labels_of(m, O_GEOM, idx) if c.label == L_GEOM else None
    c.emit(
        len(idx),
        labels,
        type=types,
        dataid=data,
        objtype=O_GEOM,
        objid=idx,
        category=cat[idx],
        pos=pos,
        size=spread_size(types, np.asarray(m.geom_size)[idx]),
        mat=np.asarray(d.geom_xmat)[idx],
        texcoord=texcoord,
        modelrbound=np.asarray(m.geom_rbound)[idx],
        castshadow=casts(m)[idx],
        **out,
    )


def casts(m: MjModel) -> np.ndarray:
    """Return which geoms cast shadows (ngeom,). Models of the original `mujoco` package lack this field; all their geoms cast
    shadows."""
    told = getattr(m, "geom_castshadow", None)
    return np.ones(m.ngeom, np.uint8) if told is None else np.asarray(told)


def plane_center(c: Build, i: int) -> np.ndarray:
    """Return the position at which to draw plane i. In infinite directions, the plane follows the camera of the previous
    update, in steps of the texture period."""
    m, d = c.m, c.d
    pos, axes = np.array(d.geom_xpos[i]), np.asarray(d.geom_xmat[i]).reshape(3, 3)
    head = c.scn.glcam.pos.astype(float).mean(0) - pos
    for k in (0, 1):
        if m.geom_size[i, k] <= 0:
            step = infinite_step(m, i, k)
            shift = 2 * step * np.floor(0.5 * (head @ axes[:, k]) / step + 0.5)
            pos += axes[:, k] * shift
    return pos


def infinite_step(m: MjModel, i: int, k: int) -> float:
    """Return half the texture period of infinite plane i along direction k; without texture repeats, about 1/200 of the
    visible range."""
    mat = int(m.geom_matid[i])
    if mat >= 0 and m.mat_texrepeat[mat, k] > 0:
        return 2 / float(m.mat_texrepeat[mat, k])
    return 2.1 * m.vis.map.zfar * m.stat.extent / (MAXPLANEGRID - 2)


def sites(c: Build) -> None:
    """Add the model's sites, in model order."""
    m, d = c.m, c.d
    if not m.nsite:
        return
    cat = c.bodycat()[np.asarray(m.site_bodyid)]
    idx = np.flatnonzero(((cat & c.catmask) != 0) & c.group_on(c.opt.sitegroup, m.site_group))
    out = material(c, np.asarray(m.site_matid)[idx], np.asarray(m.site_rgba)[idx], cat[idx] == DYNAMIC)
    keep = out["rgba"][:, 3] != 0
    if not keep.all():
        idx, out = idx[keep], pick_rows(out, keep)
    if not len(idx):
        return

    glow(c, out, np.asarray(m.site_bodyid)[idx])
    types = np.asarray(m.site_type)[idx]
    c.emit(
        len(idx),
        labels_of(m, O_SITE, idx) if c.label == L_SITE else None,
        type=types,
        objtype=O_SITE,
        objid=idx,
        category=cat[idx],
        pos=np.asarray(d.site_xpos)[idx],
        mat=np.asarray(d.site_xmat)[idx],
        size=spread_size(types, np.asarray(m.site_size)[idx]),
        **out,
    )


def flexes(c: Build) -> None:
    """Add one geom for each visible flex; its triangles are in the scene's surface buffers."""
    m, d = c.m, c.d
    if not m.nflex or not c.catmask & DYNAMIC or not any(c.flags[k] for k in V_FLEX):
        return
    idx = np.flatnonzero(c.group_on(c.opt.flexgroup, m.flex_group))
    out = material(c, np.asarray(m.flex_matid)[idx], np.asarray(m.flex_rgba)[idx], slice(None))
    textured = np.asarray(m.flex_texcoordadr)[idx] >= 0
    out["matid"] = np.where(textured, out["matid"], -1)
    out["emission"] = out.get("emission", np.zeros(len(idx))) + (idx == c.pert.flexselect) * c.m.vis.global_.glow
    keep = out["rgba"][:, 3] != 0
    idx, out = idx[keep], pick_rows(out, keep)

    # A texture is drawn only if there are texture coordinates.
    size = np.full((len(idx), 3), 0.1)
    size[:, 0] = np.asarray(m.flex_radius)[idx]
    c.emit(
        len(idx),
        labels_of(m, O_FLEX, idx) if c.label == L_FLEX else None,
        type=FLEX,
        objtype=O_FLEX,
        objid=idx,
        category=DYNAMIC,
        pos=np.asarray(d.flexvert_xpos)[np.asarray(m.flex_vertadr)[idx]],
        size=size,
        texcoord=textured[keep],
        **out,
    )


def skins(c: Build) -> None:
    """Add one geom for each visible skin."""
    m, d = c.m, c.d
    if not m.nskin or not c.catmask & DYNAMIC or not c.flags[V_SKIN]:
        return
    idx = np.flatnonzero(c.group_on(c.opt.skingroup, m.skin_group))
    out = material(c, np.asarray(m.skin_matid)[idx], np.asarray(m.skin_rgba)[idx], slice(None))
    out["emission"] = out.get("emission", np.zeros(len(idx))) + (idx == c.pert.skinselect) * c.m.vis.global_.glow
    keep = out["rgba"][:, 3] != 0
    idx, out = idx[keep], pick_rows(out, keep)

    # The position of a skin is that of its first bone.
    bone = np.asarray(m.skin_bonebodyid)[np.asarray(m.skin_boneadr)[idx]]
    c.emit(
        len(idx),
        labels_of(m, O_SKIN, idx) if c.label == L_SKIN else None,
        type=SKIN,
        objtype=O_SKIN,
        objid=idx,
        category=DYNAMIC,
        pos=np.asarray(d.xpos)[bone],
        texcoord=np.asarray(m.skin_texcoordadr)[idx] >= 0,
        **out,
    )
