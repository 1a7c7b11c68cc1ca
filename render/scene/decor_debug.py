"""Decor for inspection: frames, labels, bounding volumes, selection and perturbation, cameras, lights."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.tables.compat_rows import holds
from ...engine.tables.enums import mjtFrame, mjtPertBit
from .camera import intrinsic_frustum
from .decor_contact import triangle_block
from .decor_model import G, L, O, V
from .emit import DECOR, Build, block, connector, world_points
from .label_texts import labels_of
from .rotate import quat_mat, z_to

F = {k[8:]: int(v) for k, v in mjtFrame.__members__.items() if k.startswith("mjFRAME_")}
TRANSLATE, ROTATE = int(mjtPertBit.mjPERT_TRANSLATE), int(mjtPertBit.mjPERT_ROTATE)
LATTICE_WIDTH = FRUSTUM_WIDTH = 3
FRUSTUM_CAMERA_ALPHA = 0.3
LIGHT_GAP = 1e-4


def shown_frames(c: Build, kind: str, bodyid: np.ndarray, group: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the elements whose frames are shown: those with visible category and group that are not fully transparent."""
    m = c.m
    rgba, mat = np.asarray(getattr(m, kind + "_rgba"))[:, 3], np.asarray(getattr(m, kind + "_matid"))
    alpha = np.where(mat >= 0, np.asarray(m.mat_rgba)[np.maximum(mat, 0), 3], rgba) if m.nmat else rgba
    return np.flatnonzero(((c.bodycat()[np.asarray(bodyid)] & c.catmask) != 0) & c.group_on(mask, group) & (alpha != 0))


def geom_frames(c: Build) -> None:
    """Add the frame of every visible geom."""
    if c.frame == F["GEOM"] and c.m.ngeom:
        ids = shown_frames(c, "geom", c.m.geom_bodyid, c.m.geom_group, c.opt.geomgroup)
        c.frames(ids, np.asarray(c.d.geom_xpos)[ids], np.asarray(c.d.geom_xmat)[ids])


def site_frames(c: Build) -> None:
    """Add the frame of every visible site."""
    if c.frame == F["SITE"] and c.m.nsite:
        ids = shown_frames(c, "site", c.m.site_bodyid, c.m.site_group, c.opt.sitegroup)
        c.frames(ids, np.asarray(c.d.site_xpos)[ids], np.asarray(c.d.site_xmat)[ids])


def tree_level(c: Build, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the tree nodes at the chosen depth and the leaves above this depth; also return which of these nodes are
    leaves."""
    m, depth = c.m, int(c.opt.bvh_depth)
    at, leaf = np.asarray(m.bvh_depth)[nodes], (np.asarray(m.bvh_child).reshape(-1, 2)[nodes] == -1).all(1)
    keep = (at == depth) | (leaf & (at <= depth))
    return nodes[keep], leaf[keep]


def box_colors(c: Build, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the colors of bounding volumes, and which volumes collision has visited, because the colors depend on the
    latter."""
    m = c.m
    hot = np.asarray(c.d.bvh_active)[nodes].astype(bool) & bool(m.vis.global_.bvactive)
    return np.where(hot[:, None], np.asarray(m.vis.rgba.bvactive), np.asarray(m.vis.rgba.bv)), hot


def body_bvh(c: Build) -> None:
    """Add the bounding boxes of bodies; leaves are boxes of geoms."""
    m, d = c.m, c.d
    if not c.flags[V["BODYBVH"]]:
        return

    # Trees of bodies come first. A node belongs to the first body whose range ends after it.
    end = np.maximum.accumulate(np.asarray(m.body_bvhadr) + np.asarray(m.body_bvhnum))
    nodes, leaf = tree_level(c, np.arange(min(int(end[-1]), int(m.nbvhstatic))))
    if not len(nodes):
        return

    # Boxes of leaves are in the geom's frame, other boxes in the body's inertial frame.
    body = np.searchsorted(end, nodes, side="right")
    geom = np.where(leaf, np.asarray(m.bvh_nodeid)[nodes], 0)
    box = np.where(leaf[:, None], np.asarray(m.geom_aabb)[geom], np.asarray(m.bvh_aabb)[nodes])
    mat = np.where(leaf[:, None], np.asarray(d.geom_xmat)[geom], np.asarray(d.ximat)[body])
    pos = np.where(leaf[:, None], np.asarray(d.geom_xpos)[geom], np.asarray(d.xipos)[body])
    c.decor(
        len(nodes),
        nodes,
        G["LINEBOX"],
        size=box[:, 3:],
        pos=world_points(mat, box[:, :3], pos),
        mat=mat,
        rgba=box_colors(c, nodes)[0],
    )


def flex_bvh(c: Build) -> None:
    """Add the bounding boxes of flexes, and the control-point lattice of interpolated flexes."""
    m, d = c.m, c.d
    if not c.flags[V["MESHBVH"]]:
        return
    on = c.group_on(c.opt.flexgroup, m.flex_group) if m.nflex else []
    for f in range(m.nflex):
        a, n = int(m.flex_bvhadr[f]), int(m.flex_bvhnum[f])
        if n and on[f]:
            nodes, _ = tree_level(c, np.arange(a, a + n))
            box = np.asarray(d.bvh_aabb_dyn).reshape(-1, 6)[nodes - int(m.nbvhstatic)]
            c.decor(len(nodes), nodes, G["LINEBOX"], size=box[:, 3:], pos=box[:, :3], rgba=box_colors(c, nodes)[0])
        if m.flex_interp[f]:
            flex_lattice(c, f)


def flex_lattice(c: Build, f: int) -> None:
    """Add lines between neighboring control points of flex f."""
    m, d = c.m, c.d
    a, n, k = int(m.flex_nodeadr[f]), int(m.flex_nodenum[f]), int(m.flex_interp[f]) + 1
    body = np.asarray(m.flex_nodebodyid)[a : a + n]
    pos = np.asarray(d.xpos)[body]
    if not m.flex_centered[f]:
        pos = world_points(np.asarray(d.xmat)[body], np.asarray(m.flex_node)[a : a + n], pos)
    cell = np.arange(k**3).reshape(k, k, k)
    start, stop, owner, rank = [], [], [], []
    for axis in range(3):
        lo, hi = (np.take(cell, np.arange(k - 1) + s, axis).ravel() for s in (0, 1))
        start.append(lo)
        stop.append(hi)
        owner.append(lo // (k * k))
        rank.append(3 * lo + axis)
    order = np.argsort(np.concatenate(rank), kind="stable")
    lo, hi, own = (np.concatenate(x)[order] for x in (start, stop, owner))
    c.decor(len(lo), own, G["LINE"], **connector(G["LINE"], LATTICE_WIDTH, pos[lo], pos[hi]))


def mesh_boxes(c: Build, geom: np.ndarray, nodes: np.ndarray, aabb: np.ndarray, rgba: np.ndarray) -> None:
    """Add boxes that are given in the frames of geoms."""
    d = c.d
    mat = np.asarray(d.geom_xmat)[geom]
    c.decor(
        len(nodes),
        nodes,
        G["LINEBOX"],
        size=aabb[:, 3:],
        pos=world_points(mat, aabb[:, :3], np.asarray(d.geom_xpos)[geom]),
        mat=mat,
        rgba=rgba,
    )


def mesh_bvh(c: Build) -> None:
    """Add the bounding boxes inside meshes. If the flag bvactive is set, add only boxes that collision visited."""
    m = c.m
    if not c.flags[V["MESHBVH"]] or not m.nmesh:
        return
    data = np.asarray(m.geom_dataid)
    for g in np.flatnonzero((data >= 0) & (np.asarray(m.geom_type) != G["SDF"])).tolist():
        i = int(data[g])
        if i >= m.nmesh or m.mesh_octadr[i] >= 0:
            continue
        nodes, _ = tree_level(c, np.arange(int(m.mesh_bvhadr[i]), int(m.mesh_bvhadr[i] + m.mesh_bvhnum[i])))
        rgba, hot = box_colors(c, nodes)
        if m.vis.global_.bvactive:
            nodes, rgba = nodes[hot], rgba[hot]
        mesh_boxes(c, np.full(len(nodes), g), nodes, np.asarray(m.bvh_aabb)[nodes], rgba)


def mesh_octree(c: Build) -> None:
    """Add octree cells of meshes at the chosen depth."""
    m = c.m
    if not c.flags[V["MESHBVH"]] or not m.nmesh:
        return
    data = np.asarray(m.geom_dataid)
    for g in np.flatnonzero((data >= 0) & (np.asarray(m.geom_type) != G["HFIELD"])).tolist():
        i = int(data[g])
        if m.mesh_octadr[i] == -1:
            continue
        nodes = np.arange(int(m.mesh_octadr[i]), int(m.mesh_octadr[i] + m.mesh_octnum[i]))
        nodes = nodes[np.asarray(m.oct_depth)[nodes] == int(c.opt.bvh_depth)]
        mesh_boxes(c, np.full(len(nodes), g), nodes, np.asarray(m.oct_aabb)[nodes], np.asarray(m.vis.rgba.bv))


def selected_point(c: Build) -> np.ndarray:
    """Return the selection point in world coordinates."""
    d, i = c.d, int(c.pert.select)
    return np.asarray(d.xmat[i]).reshape(3, 3) @ c.pert.localpos + d.xpos[i]


def mixed(color: npt.NDArray[np.float32], one: bool, two: bool) -> np.ndarray:
    """Return the color of a drag by the first pointer, by the second, or by both. For the second pointer, red and green are
    swapped."""
    r, g, b, a = (float(v) for v in color)
    return np.array([max(r * one, g * two), max(g * one, r * two), b, a])


def perturbation(c: Build) -> None:
    """Add the decor of a drag: a string and a ball for a translation, a box for a rotation."""
    m, d, p = c.m, c.d, c.pert
    i = int(p.select)
    if not c.flags[V["PERTOBJ"]] or i <= 0:
        return
    act, act2 = int(p.active), int(p.active2)
    ref = quat_mat(p.refquat).ravel()

    # For a translation, draw a string from the selected point to its target.
    if (act | act2) & TRANSLATE:
        width = c.scl * m.vis.scale.constraint
        rgba = mixed(m.vis.rgba.constraint, bool(act & TRANSLATE), bool(act2 & TRANSLATE))
        c.decor(
            1,
            i,
            G["CAPSULE"],
            rgba=rgba,
            **connector(G["CAPSULE"], width, selected_point(c)[None], np.array(p.refselpos)[None]),
        )
        c.decor(1, i, G["SPHERE"], size=2 * width, pos=np.array(p.refselpos), mat=ref, rgba=rgba)

    # For a rotation, draw the body's bounding box in the target orientation.
    if (act | act2) & ROTATE:
        size, center = np.full(3, c.scl), np.zeros(3)
        if m.body_bvhnum[i]:
            box = np.asarray(m.bvh_aabb)[int(m.body_bvhadr[i])]
            size, center = box[3:], np.asarray(d.ximat[i]).reshape(3, 3) @ box[:3]
        c.decor(
            1,
            i,
            G["BOX"],
            size=size,
            pos=center + d.xipos[i],
            mat=ref,
            rgba=mixed(m.vis.rgba.inertia, bool(act & ROTATE), bool(act2 & ROTATE)),
        )


def world_body_frames(c: Build) -> None:
    """Add the frame of the world, or the frame of every body (the inertial frames if inertias are shown)."""
    d, m = c.d, c.m
    at_com = bool(c.flags[V["INERTIA"]])
    pos, mat = np.asarray(d.xipos if at_com else d.xpos), np.asarray(d.ximat if at_com else d.xmat)
    if c.frame == F["WORLD"]:
        c.frames(np.array([0]), pos[:1], mat[:1], 2.0)
    elif c.frame == F["BODY"]:
        ids = np.arange(1, m.nbody)
        ids = ids[(c.bodycat()[1:] & ~c.catmask) == 0]
        c.frames(ids, pos[ids], mat[ids])


def selection_point(c: Build) -> None:
    """Add a ball at the selected point, with its world and local coordinates as the label."""
    p, m = c.pert, c.m
    if p.select <= 0 or not c.flags[V["SELECT"]]:
        return
    pos = selected_point(c)
    label = (
        {0: "{:.3f} {:.3f} {:.3f} (local {:.3f} {:.3f} {:.3f})".format(*pos, *p.localpos)} if c.label == L["SELPNT"] else None
    )
    c.decor(
        1,
        int(p.select),
        G["SPHERE"],
        label,
        size=c.scl * m.vis.scale.selectpoint,
        pos=pos,
        rgba=np.asarray(m.vis.rgba.selectpoint),
    )


def body_labels(c: Build) -> None:
    """Add the names of all bodies, or of the selected one, as labels. If inertias are shown, their boxes carry the names, and
    nothing is added."""
    m, d = c.m, c.d
    if c.flags[V["INERTIA"]] or c.label not in (L["SELECTION"], L["BODY"]):
        return
    ids = np.arange(1, m.nbody)
    ids = ids[(c.bodycat()[1:] & ~c.catmask) == 0]
    if c.label == L["SELECTION"]:
        ids = ids[ids == c.pert.select]
    c.decor(len(ids), ids, G["LABEL"], labels_of(m, O["BODY"], ids), pos=np.asarray(d.xpos)[ids], mat=np.asarray(d.xmat)[ids])


def island_labels(c: Build) -> None:
    """Add the island number as a label to each moving body."""
    m, d = c.m, c.d
    if c.label != L["ISLAND"] or not d.nisland:
        return
    weld = np.asarray(m.body_weldid)
    ids = np.flatnonzero(np.asarray(m.body_dofnum)[weld] > 0)
    ids = ids[ids > 0]
    isl = np.asarray(d.dof_island)[np.asarray(m.body_dofadr)[weld[ids]]]
    ids, isl = ids[isl > -1], isl[isl > -1]
    c.decor(
        len(ids),
        ids,
        G["LABEL"],
        {k: str(int(v)) for k, v in enumerate(isl)},
        pos=np.asarray(d.xipos)[ids],
        mat=np.asarray(d.ximat)[ids],
    )


def cameras(c: Build) -> None:
    """Add the body, lens and view volume of every camera."""
    m, d = c.m, c.d
    if not c.flags[V["CAMERA"]] or not m.ncam:
        return
    ids, s = np.arange(m.ncam), c.scl * m.vis.scale.camera
    pos, mat = np.asarray(d.cam_xpos), np.asarray(d.cam_xmat)

    # Cameras with a sensor, or since 3.5 with more than one pixel, have a view volume and a translucent body.
    sensor = np.asarray(m.cam_sensorsize)[:, 1] > 0
    if holds("frustum_shown", int(getattr(m, "compat_bits", 0))):
        sensor = (np.asarray(m.cam_resolution) > 1).any(1)
    rgba = np.repeat(np.asarray(m.vis.rgba.camera, np.float32)[None], m.ncam, 0)
    rgba[sensor, 3] = FRUSTUM_CAMERA_ALPHA
    common = dict(objid=ids, objtype=O["CAMERA"], category=DECOR, mat=mat)

    blocks: list[tuple] = [view_volume(c, i) for i in np.flatnonzero(sensor).tolist()]
    blocks.append(
        (
            ids,
            block(m.ncam, type=G["BOX"], size=s * np.array([1, 0.8, 0.4]), pos=pos, rgba=rgba, **common),
            labels_of(m, O["CAMERA"], ids) if c.label == L["CAMERA"] else None,
        )
    )
    blocks.append(
        (
            ids,
            block(
                m.ncam,
                type=G["CYLINDER"],
                size=s * np.array([0.4, 0.4, 0.3]),
                rgba=rgba * [0.5, 0.5, 0.5, 1],
                pos=pos - 0.6 * s * mat.reshape(-1, 3, 3)[:, :, 2],
                **common,
            ),
            None,
        )
    )

    if c.frame == F["CAMERA"]:
        blocks.append((np.repeat(ids, 3), c.frame_block(ids, pos, mat), None))
    c.weave(blocks)


def view_volume(c: Build, i: int) -> tuple[np.ndarray, dict[str, Any], None]:
    """Return the sides and edges of camera i's frustum. Its depth is fixed; in an orthographic view, it is half the mean of the
    sides."""
    m, d = c.m, c.d
    near, far = m.vis.map.znear * m.stat.extent, m.vis.scale.frustum * c.scl
    straight = bool(m.cam_orthographic[i])
    if m.cam_sensorsize[i, 1] and not straight:
        (down, up), (left, right) = intrinsic_frustum(near, m.cam_intrinsic[i], m.cam_sensorsize[i])
    else:
        down = up = m.cam_fovy[i] / 2 if straight else near * np.tan(np.radians(m.cam_fovy[i]) / 2)
        left = right = up * m.cam_resolution[i, 0] / m.cam_resolution[i, 1]
    if straight:
        far = (up + right) / 2
    rot = np.asarray(d.cam_xmat[i]).reshape(3, 3)

    # Compute the corners at the near plane and at the far end, each paired with its next neighbor.
    corner = np.array([[-left, -down], [right, -down], [right, up], [-left, up]])
    a, b = (
        d.cam_xpos[i] + np.column_stack([corner * (1 if straight else z / near), np.full(4, -z)]) @ rot.T for z in (near, far)
    )
    a2, b2 = np.roll(a, -1, 0), np.roll(b, -1, 0)

    # Make two triangles and three lines for each side.
    tri = triangle_block(np.stack([np.stack([a, b, a2], 1), np.stack([b, b2, a2], 1)], 1).reshape(-1, 3, 3))
    line = connector(G["LINE"], FRUSTUM_WIDTH, np.stack([a, b, a], 1).reshape(-1, 3), np.stack([a2, b2, b], 1).reshape(-1, 3))
    types = np.repeat([G["TRIANGLE"], G["LINE"]], [8, 12])
    order = np.argsort(np.concatenate([np.repeat(np.arange(4), 2), np.repeat(np.arange(4), 3)]), kind="stable")
    fields = {k: np.concatenate([tri[k], line[k]])[order] for k in ("size", "pos", "mat")}
    return (
        np.full(20, i),
        block(
            20, type=types[order], objid=i, objtype=O["CAMERA"], category=DECOR, rgba=np.asarray(m.vis.rgba.frustum), **fields
        ),
        None,
    )


def lights(c: Build) -> None:
    """Add a cylinder behind each light."""
    m, d = c.m, c.d
    if not c.flags[V["LIGHT"]] or not m.nlight:
        return
    ids, s = np.arange(m.nlight), c.scl * m.vis.scale.light
    axis = np.asarray(d.light_xdir)
    mat = z_to(axis).reshape(-1, 9)
    cans = block(
        m.nlight,
        objid=ids,
        objtype=O["LIGHT"],
        category=DECOR,
        type=G["CYLINDER"],
        size=s * np.array([0.8, 0.8, 1]),
        mat=mat,
        pos=np.asarray(d.light_xpos) - axis * (s + LIGHT_GAP),
        rgba=np.asarray(m.vis.rgba.light),
    )

    blocks = [(ids, cans, labels_of(m, O["LIGHT"], ids) if c.label == L["LIGHT"] else None)]
    if c.frame == F["LIGHT"]:
        blocks.append((np.repeat(ids, 3), c.frame_block(ids, np.asarray(d.light_xpos), mat), None))
    c.weave(blocks)
