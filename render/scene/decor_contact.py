"""Decor for interaction: contacts and their forces, tactile maps, rangefinders, applied forces, equality anchors."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtCone, mjtEq, mjtFrame, mjtGeom, mjtObj, mjtSensor
from .bodies import V_ISLAND, island_color
from .decor_model import MINVAL, G, L, O, V
from .emit import Build, block, connector, world_points
from .label_texts import labels_of, name_of

FRAME_CONTACT = int(mjtFrame.mjFRAME_CONTACT)
TACTILE, RANGEFINDER, FROMTO = (int(mjtSensor["mjSENS_" + k]) for k in ("TACTILE", "RANGEFINDER", "GEOMFROMTO"))
CONNECT, WELD = int(mjtEq["mjEQ_CONNECT"]), int(mjtEq["mjEQ_WELD"])
ELLIPTIC = int(mjtCone.mjCONE_ELLIPTIC)
CONDIMS = (1, 3, 4, 6)
OBJ_SITE = int(mjtObj.mjOBJ_SITE)
RAY_WIDTH = 3
UNTOUCHED_ALPHA = 0.1
assert mjtGeom.mjGEOM_TRIANGLE is not None


def contact_rows(d: MjData) -> dict[str, np.ndarray]:
    """Return the fields of the active contacts as arrays."""
    n, con = int(d.ncon), d.contact
    return {
        k: np.asarray(getattr(con, k))[:n]
        for k in ("pos", "dist", "frame", "geom", "flex", "elem", "vert", "dim", "efc_address", "friction")
    }


def contact_forces(c: Build, con: dict[str, np.ndarray], rows: np.ndarray) -> np.ndarray:
    """Return contact forces (k, 3) in the contacts' frames: the normal and two tangential components. Forces on pyramid edges
    are added up."""
    m, d = c.m, c.d
    force = np.asarray(d.efc_force)
    out = np.zeros((len(rows), 3))
    dim, adr, mu = con["dim"][rows], con["efc_address"][rows], con["friction"][rows]
    for k in CONDIMS:
        # Skip addresses out of range: users can write any numbers into Data.
        count = k if int(m.opt.cone) == ELLIPTIC or k == 1 else 2 * (k - 1)
        at = np.flatnonzero((dim == k) & (adr >= 0) & (adr <= len(force) - count))
        if not len(at):
            continue
        if int(m.opt.cone) == ELLIPTIC or k == 1:
            use = min(k, 3)
            out[at, :use] = force[adr[at][:, None] + np.arange(use)]
        else:
            edges = force[adr[at][:, None] + np.arange(count)].reshape(len(at), k - 1, 2)
            out[at, 0] = edges.sum((1, 2))
            use = min(k - 1, 2)
            out[at, 1 : 1 + use] = (edges[:, :use, 0] - edges[:, :use, 1]) * mu[at, :use]
    return out


def contacts(c: Build) -> None:
    """Add a disk, frame and force arrows for each contact."""
    show_point, show_force, show_frame = c.flags[V["CONTACTPOINT"]], c.flags[V["CONTACTFORCE"]], c.frame == FRAME_CONTACT
    if not (show_point or show_force or show_frame) or not c.d.ncon:
        return
    con = contact_rows(c.d)
    ids, blocks = np.arange(len(con["dist"])), []
    if show_point:
        blocks.append((ids, *contact_points(c, con, ids)))
    if show_frame:
        mat = con["frame"].reshape(-1, 3, 3).transpose(0, 2, 1).reshape(-1, 9)
        blocks.append((np.repeat(ids, 3), c.frame_block(ids, con["pos"], mat, 0.5), None))
    if show_force:
        blocks += force_arrows(c, con)
    c.weave(blocks)


def contact_points(c: Build, con: dict[str, np.ndarray], ids: np.ndarray) -> tuple[dict[str, Any], dict[int, str] | None]:
    """Return flat cylinders in the contact planes, and their labels."""
    m, d, s, col = c.m, c.d, c.m.vis.scale, c.m.vis.rgba
    frame = con["frame"].reshape(-1, 3, 3)
    mat = np.stack([frame[:, 1], frame[:, 2], frame[:, 0]], 2).reshape(-1, 9)
    size = np.empty((len(ids), 3))
    size[:, :2] = s.contactwidth * c.scl
    size[:, 2] = np.maximum(s.contactheight * c.scl, -con["dist"] / 2)
    adr = con["efc_address"]
    rgba = np.where((adr >= 0)[:, None], np.asarray(col.contactpoint), np.asarray(col.contactgap)).astype(np.float32)
    if c.flags[V_ISLAND]:
        for k in np.flatnonzero(adr >= 0):
            isl = int(d.efc_island[int(adr[k])]) if d.nisland else -1
            rgba[k] = island_color(int(d.island_dofadr[isl]) if isl >= 0 else -1)
    labels = {int(k): contact_label(m, con, k) for k in ids} if c.label == L["CONTACTPOINT"] else None
    return block(
        len(ids), objid=ids, type=G["CYLINDER"], objtype=0, category=4, size=size, pos=con["pos"], mat=mat, rgba=rgba
    ), labels


def contact_label(m: MjModel, con: dict[str, np.ndarray], k: int) -> str:
    """Return the names of the two geoms or flexes of a contact."""
    side = []
    for j in (0, 1):
        geom, flex, elem = int(con["geom"][k, j]), int(con["flex"][k, j]), int(con["elem"][k, j])
        if geom >= 0:
            side.append(name_of(m, O["GEOM"], geom) or f"g{geom}")
        else:
            part = f".e{elem}" if elem >= 0 else f".v{int(con['vert'][k, j])}"
            side.append((name_of(m, O["FLEX"], flex) or f"f{flex}") + part)
    return " | ".join(s[:47] for s in side)


def force_arrows(c: Build, con: dict[str, np.ndarray]) -> list[Any]:
    """Return arrows for contact forces, whole or split into normal and friction. They point to the body with the larger
    id."""
    m, s, col = c.m, c.m.vis.scale, c.m.vis.rgba
    rows = np.flatnonzero(con["efc_address"] >= 0)
    if not len(rows):
        return []

    # Skip zero forces.
    frc = contact_forces(c, con, rows)
    norm = np.linalg.norm(frc, axis=1)
    rows, frc, norm = rows[norm >= MINVAL], frc[norm >= MINVAL], norm[norm >= MINVAL]

    # Point from the body with the smaller id to the other one. Flexes are numbered after all bodies.
    mat = con["frame"][rows].reshape(-1, 3, 3).transpose(0, 2, 1)
    geom = con["geom"][rows]
    bf = np.where(geom >= 0, np.asarray(m.geom_bodyid)[np.maximum(geom, 0)], m.nbody + con["flex"][rows])
    sign = np.where(bf[:, 0] > bf[:, 1], -1.0, 1.0)[:, None] * (m.vis.map.force / m.stat.meanmass)
    split = bool(c.flags[V["CONTACTSPLIT"]]) & (con["dim"][rows] > 1)
    double = ((bf > 0).all(1)) & ~split
    text = {k: f"{v:.3g}" for k, v in enumerate(norm)} if c.label == L["CONTACTFORCE"] else {}

    def arrows(
        sel: np.ndarray, part: np.ndarray, color: npt.ArrayLike, labels: dict[int, str] | None
    ) -> tuple[np.ndarray, dict[str, Any], dict[int, str] | None]:
        vec = np.einsum("nij,nj->ni", mat[sel], part[sel]) * sign[sel]
        start, types = con["pos"][rows[sel]], np.where(double[sel], G["ARROW2"], G["ARROW"])
        return (
            rows[sel],
            block(
                len(sel),
                objid=rows[sel],
                type=types,
                objtype=0,
                category=4,
                rgba=np.asarray(color),
                **connector(types, s.forcewidth * c.scl, start, start + vec),
            ),
            labels,
        )

    def texts(sel: np.ndarray) -> dict[int, str]:
        return {i: text[int(k)] for i, k in enumerate(sel) if int(k) in text}

    whole, parts = np.flatnonzero(~split), np.flatnonzero(split)
    return [
        arrows(whole, frc, col.contactforce, texts(whole)),
        arrows(parts, frc * [1, 0, 0], col.contactforce, texts(parts)),
        arrows(parts, frc * [0, 1, 1], col.contactfriction, None),
    ]


def triangle_block(v: np.ndarray) -> dict[str, Any]:
    """Return size, pos, mat for triangles (k, 3, 3). Two edges of a triangle are the first two columns of its mat."""
    a, b = v[:, 1] - v[:, 0], v[:, 2] - v[:, 0]
    axes = np.stack([a, b, np.cross(a, b)], 2)
    size = np.linalg.norm(axes, axis=1)
    flat = size < MINVAL
    axes = np.where(flat[:, None, :], np.array([1.0, 0, 0])[:, None], axes / np.maximum(size, MINVAL)[:, None, :])
    return dict(size=size, pos=v[:, 0], mat=axes.reshape(-1, 9))


def tactile(c: Build) -> None:
    """Add the faces of tactile sensor meshes, colored by their readings: red for normal force, green and blue for slip."""
    m, d = c.m, c.d
    if not c.flags[V["CONTACTPOINT"]] or not m.nsensor:
        return
    for i in np.flatnonzero(np.asarray(m.sensor_type) == TACTILE).tolist():
        mesh, geom, adr = int(m.sensor_objid[i]), int(m.sensor_refid[i]), int(m.sensor_adr[i])
        nv = int(m.mesh_vertnum[mesh])
        data = np.abs(np.asarray(d.sensordata)[adr : adr + int(m.sensor_dim[i])]).reshape(-1, nv)[:3]
        top = data[0].max(initial=0)
        if not top or m.geom_rbound[geom] < MINVAL:
            continue

        # Compute faces with vertices in world coordinates.
        va, f = int(m.mesh_vertadr[mesh]), slice(int(m.mesh_faceadr[mesh]), int(m.mesh_faceadr[mesh] + m.mesh_facenum[mesh]))
        face = np.asarray(m.mesh_face)[f]
        vert = (
            np.asarray(m.mesh_vert)[va : va + nv].astype(float) @ np.asarray(d.geom_xmat[geom]).reshape(3, 3).T
            + d.geom_xpos[geom]
        )

        # Compute each face's mean reading, relative to the largest normal force. Faces without contact are almost invisible.
        value = data[:, face]
        rgba = np.zeros((len(face), 4))
        rgba[:, : len(data)] = (value.sum(2) / top / np.maximum((value != 0).sum(2), 1)).T
        rgba[:, 3] = np.where((rgba[:, :3] == 0).all(1), UNTOUCHED_ALPHA, 1)
        c.decor(len(face), i, G["TRIANGLE"], objtype=O["SENSOR"], rgba=rgba, **triangle_block(vert[face]))


def rangefinders(c: Build) -> None:
    """Add the rays of rangefinders that hit something, and the segments of distance sensors."""
    m, d = c.m, c.d
    if not c.flags[V["RANGEFINDER"]] or not m.nsensor:
        return
    kind, adr = np.asarray(m.sensor_type), np.asarray(m.sensor_adr)
    ids = np.flatnonzero((kind == RANGEFINDER) | (kind == FROMTO))
    start, stop, keep, data = (
        np.zeros((len(ids), 3)),
        np.zeros((len(ids), 3)),
        np.zeros(len(ids), bool),
        np.asarray(d.sensordata),
    )

    # Compute end points; skip rays without a hit, and distance sensors that found no pair.
    for k, i in enumerate(ids.tolist()):
        if kind[i] == RANGEFINDER and (m.sensor_objtype[i] != O["SITE"] or m.sensor_intprm[i, 0] > 1):
            # Rangefinders with many rays are not drawn.
            continue
        if kind[i] == RANGEFINDER:
            site, dist = int(m.sensor_objid[i]), float(data[adr[i]])
            keep[k], start[k] = dist >= 0, d.site_xpos[site]
            stop[k] = start[k] + np.asarray(d.site_xmat[site]).reshape(3, 3)[:, 2] * dist
        else:
            pair = data[adr[i] : adr[i] + 6]
            keep[k], start[k], stop[k] = pair.any(), pair[:3], pair[3:]

    ids = ids[keep]
    if len(ids):
        c.decor(
            len(ids),
            ids,
            G["LINE"],
            objtype=O["SENSOR"],
            rgba=np.asarray(m.vis.rgba.rangefinder),
            **connector(G["LINE"], RAY_WIDTH, start[keep], stop[keep]),
        )


def external_forces(c: Build) -> None:
    """Add an arrow for the force applied to each body."""
    m, d = c.m, c.d
    if not c.flags[V["PERTFORCE"]]:
        return
    force = np.asarray(d.xfrc_applied)[:, :3]
    ids = np.flatnonzero(np.linalg.norm(force, axis=1) > MINVAL)
    ids = ids[ids > 0]
    start = np.asarray(d.xipos)[ids]
    c.decor(
        len(ids),
        ids,
        G["ARROW"],
        rgba=np.asarray(m.vis.rgba.force),
        **connector(
            G["ARROW"], m.vis.scale.forcewidth * c.scl, start, start + force[ids] * (m.vis.map.force / m.stat.meanmass)
        ),
    )


def constraints(c: Build) -> None:
    """Add two spheres for each active connect or weld constraint, one at each anchor."""
    m, d = c.m, c.d
    if not c.flags[V["CONSTRAINT"]] or not m.neq:
        return
    kind = np.asarray(m.eq_type)
    ids = np.flatnonzero((np.asarray(d.eq_active) != 0) & ((kind == CONNECT) | (kind == WELD)))
    if not len(ids):
        return

    # Compute anchors in the frames of both bodies or sites; welds store them in the opposite order.
    a, b, data, weld = np.asarray(m.eq_obj1id)[ids], np.asarray(m.eq_obj2id)[ids], np.asarray(m.eq_data)[ids], kind[ids] == WELD
    at_site = np.asarray(m.eq_objtype)[ids] == OBJ_SITE
    pos, mat = np.empty((len(ids), 2, 3)), np.empty((len(ids), 2, 9))
    first, second = np.where(weld[:, None], data[:, 3:6], data[:, 0:3]), np.where(weld[:, None], data[:, 0:3], data[:, 3:6])

    # Compute anchors in world coordinates.
    for k, (obj, local) in enumerate(((a, first), (b, second))):
        body, site = np.where(at_site, 0, obj), np.where(at_site, obj, 0)
        mat[:, k], pos[:, k] = np.asarray(d.xmat)[body], world_points(np.asarray(d.xmat)[body], local, np.asarray(d.xpos)[body])
        if at_site.any():
            mat[at_site, k], pos[at_site, k] = np.asarray(d.site_xmat)[site[at_site]], np.asarray(d.site_xpos)[site[at_site]]

    own = np.repeat(ids, 2)
    rgba = np.tile(np.stack([m.vis.rgba.connect, m.vis.rgba.constraint]), (len(ids), 1))
    c.decor(
        len(own),
        own,
        G["SPHERE"],
        labels_of(m, O["EQUALITY"], own) if c.label == L["CONSTRAINT"] else None,
        O["EQUALITY"],
        size=c.scl * m.vis.scale.constraint,
        pos=pos.reshape(-1, 3),
        mat=mat.reshape(-1, 9),
        rgba=rgba,
    )
