"""Computes the triangles of flexes and skins in world coordinates, a complete surface at a time.

Flex faces: elements with flat normals (one layer in 3D), or a smooth surface at distance radius, closed at the rim in 2D.
Skins: linear blend of bone poses, inflated along area-weighted vertex normals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtVisFlag
from .abstract import MjvScene
from .options import NGROUP, MjvOption
from .rotate import quat_mat, rotate

V_VERT, V_EDGE, V_FACE, V_SKIN = (int(mjtVisFlag["mjVIS_" + k]) for k in ("FLEXVERT", "FLEXEDGE", "FLEXFACE", "FLEXSKIN"))
TINY = 1e-15


def unit_rows(v: np.ndarray) -> np.ndarray:
    """Normalize rows; zero rows become (1, 0, 0)."""
    n = np.sqrt(np.einsum("ij,ij->i", v, v))
    return np.where((n < TINY)[:, None], [1.0, 0, 0], v / np.maximum(n, TINY)[:, None])


def face_normals(pos: np.ndarray, tri: np.ndarray) -> np.ndarray:
    """Return unnormalized normals of triangles, given as (k, 3) vertex ids."""
    a, b, c = pos[tri[:, 0]], pos[tri[:, 1]], pos[tri[:, 2]]
    return np.cross(b - a, c - a)


def sum_at(index: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """Sum the rows of `values` (k, 3) into n bins, given by `index`."""
    return np.stack([np.bincount(index, values[:, k], n) for k in range(values.shape[1])], 1)


def flex_elements(m: MjModel, f: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertex ids (n, dim+1) and texture coordinate ids of the elements of flex f."""
    dim, num, adr = int(m.flex_dim[f]), int(m.flex_elemnum[f]), int(m.flex_elemdataadr[f])
    at = slice(adr, adr + num * (dim + 1))
    return np.asarray(m.flex_elem)[at].reshape(num, -1), np.asarray(m.flex_elemtexcoord)[at].reshape(num, -1)


def flex_shell(m: MjModel, f: int) -> np.ndarray:
    """Return the boundary fragments (n, dim) of flex f."""
    dim, num, adr = int(m.flex_dim[f]), int(m.flex_shellnum[f]), int(m.flex_shelldataadr[f])
    return np.asarray(m.flex_shell)[adr : adr + num * dim].reshape(num, dim)


def flat_faces(m: MjModel, opt: MjvOption, f: int, pos: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return the faces of elements with flat normals: vertices and normals (k, 3, 3), texture coordinate ids (k, 3)."""
    elem, tex = flex_elements(m, f)
    if int(m.flex_dim[f]) == 2:
        sides = ((0, 1, 2), (0, 2, 1))
    else:
        sides = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
        adr = int(m.flex_elemadr[f])
        layer = np.asarray(m.flex_elemlayer)[adr : adr + len(elem)] == opt.flex_layer
        elem, tex = elem[layer], tex[layer]
    tri, tid = elem[:, sides].reshape(-1, 3), tex[:, sides].reshape(-1, 3)
    nrm = np.repeat(unit_rows(face_normals(pos, tri))[:, None], 3, 1)
    return pos[tri] + float(m.flex_radius[f]) * nrm, nrm, tid


def smooth_faces(
    m: MjModel, f: int, pos: np.ndarray
) -> tuple[Any, np.ndarray, np.ndarray] | tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the outer surface of a flex with smooth (or flat, by option) normals: vertices and normals (k, 3, 3), texture
    coordinate ids (k, 3)."""
    elem, tex = flex_elements(m, f)
    shell, radius, two = flex_shell(m, f), float(m.flex_radius[f]), int(m.flex_dim[f]) == 2
    base = elem[:, :3] if two else shell
    unit = unit_rows(face_normals(pos, base))
    vn = unit_rows(sum_at(base.ravel(), np.repeat(unit, 3, 0), len(pos)))
    flat = bool(m.flex_flatskin[f])
    if not two:
        # If the radius is 0, normals point inward: MuJoCo takes their sign from the offset.
        return (
            pos[base] + radius * vn[base],
            (np.repeat(unit[:, None], 3, 1) if flat else vn[base]) * (1 if radius > 0 else -1),
            base,
        )

    # Add both sides of the sheet, and its rim.
    tri, tid = elem[:, ((0, 1, 2), (0, 2, 1))].reshape(-1, 3), tex[:, ((0, 1, 2), (0, 2, 1))].reshape(-1, 3)
    sign = np.where(np.arange(len(tri)) % 2, -1.0, 1.0)[:, None, None]
    side = np.repeat(unit_rows(face_normals(pos, tri))[:, None], 3, 1) if flat else vn[tri]
    rim_v, rim_n, rim_t = rim_faces(shell, radius, pos, vn)
    return (
        np.concatenate([pos[tri] + sign * radius * vn[tri], rim_v]),
        np.concatenate([np.where(sign * radius > 0, 1, -1) * side, rim_n]),
        np.concatenate([tid, rim_t]),
    )


def rim_faces(shell: np.ndarray, radius: float, pos: np.ndarray, vn: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return two triangles for each boundary edge of a 2D flex, which close the gap between its two sides."""
    a, b = shell[:, 0], shell[:, 1]
    ends = np.stack([np.stack([a, b], 1), np.stack([b, a], 1)], 1).reshape(-1, 2)
    r = np.where(np.arange(len(ends)) % 2, -radius, radius)[:, None]
    i0, i1 = ends.T
    nrm = np.cross(pos[i1] - pos[i0], vn[i1]) * np.where(r < 0, -1, 1)
    ids = np.stack([i0, i1, i1], 1)
    lift = np.array([1.0, -1, 1])[:, None] * r[:, None]
    return pos[ids] + lift * vn[ids], np.repeat(unit_rows(nrm)[:, None], 3, 1), ids


def update_flexes(m: MjModel, d: MjData, opt: MjvOption, scn: MjvScene) -> None:
    """Fill the scene's flex buffers: vertices of all flexes, and the faces that the options show."""
    s = scn.surface
    scn.flexvertopt, scn.flexedgeopt, scn.flexfaceopt, scn.flexskinopt = (
        int(opt.flags[k]) for k in (V_VERT, V_EDGE, V_FACE, V_SKIN)
    )
    xpos = np.asarray(d.flexvert_xpos)
    s.flexvert[:] = xpos.ravel()
    for f in range(s.nflex):
        if int(m.flex_dim[f]) == 1 or not (scn.flexfaceopt or scn.flexskinopt):
            s.flexfaceused[f] = 0
            continue

        adr = int(m.flex_vertadr[f])
        pos = xpos[adr : adr + int(m.flex_vertnum[f])]
        vert, nrm, tex = smooth_faces(m, f, pos) if scn.flexskinopt else flat_faces(m, opt, f, pos)
        k, a = len(vert), int(s.flexfaceadr[f])
        if k > s.flexfacenum[f]:
            raise ValueError(
                f"flex {f} needs {k} faces, the scene has room for {s.flexfacenum[f]}: was it made for this model?"
            )

        s.flexface[9 * a : 9 * (a + k)], s.flexnormal[9 * a : 9 * (a + k)] = vert.ravel(), nrm.ravel()
        t = int(m.flex_texcoordadr[f])
        if t >= 0:
            s.flextexcoord[6 * a : 6 * (a + k)] = np.asarray(m.flex_texcoord)[t + tex].ravel()
        s.flexfaceused[f] = k


def rounds(index: np.ndarray) -> list[np.ndarray]:
    """Split the positions in an index array into rounds. No index occurs twice in a round, and equal indices keep their
    order."""
    order = np.argsort(index, kind="stable")
    new = np.append(True, np.diff(index[order]) != 0) if len(order) else np.zeros(0, bool)
    start = np.flatnonzero(new)
    rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
    return [order[rank == r] for r in range(int(rank.max(initial=-1)) + 1)]


class SkinPlan:
    """The constant data of skin i: bones, weights, faces, and the order of summation.

    As in MuJoCo, sums are in single precision, bone by bone and face by face: normals of degenerate faces depend on the order.
    """

    def __init__(self, m: MjModel, i: int) -> None:
        self.adr, self.num, self.inflate = int(m.skin_vertadr[i]), int(m.skin_vertnum[i]), float(m.skin_inflate[i])
        self.bones = slice(int(m.skin_boneadr[i]), int(m.skin_boneadr[i] + m.skin_bonenum[i]))
        num = np.asarray(m.skin_bonevertnum)[self.bones]
        a = int(m.skin_bonevertadr[self.bones.start]) if len(num) else 0
        at = slice(a, a + int(num.sum()))
        self.vid, bone = np.array(np.asarray(m.skin_bonevertid)[at]), np.repeat(np.arange(len(num)), num)
        self.weight = np.array(np.asarray(m.skin_bonevertweight)[at], np.float32)[:, None]
        self.local = np.array(np.asarray(m.skin_vert).reshape(-1, 3)[self.adr + self.vid], float)
        self.bone, self.sums = bone, [(k, self.vid[k]) for k in rounds(self.vid)]
        f = int(m.skin_faceadr[i])
        self.face = np.array(np.asarray(m.skin_face).reshape(-1, 3)[f : f + int(m.skin_facenum[i])])
        corner = self.face.ravel()
        self.corners = [(k // 3, corner[k]) for k in rounds(corner)]

    def blend(self, rot: np.ndarray, trans: np.ndarray) -> tuple[Any, Any]:
        """Return world vertices and normals (n, 3), float32, from the motions of the bones."""
        part = self.weight * (np.einsum("nij,nj->ni", rot[self.bone], self.local) + trans[self.bone]).astype(np.float32)
        vert, nrm = np.zeros((self.num, 3), np.float32), np.zeros((self.num, 3), np.float32)
        for k, v in self.sums:
            vert[v] += part[k]
        area = face_normals(vert.astype(float), self.face)
        for k, v in self.corners:
            nrm[v] = nrm[v] + area[k]
        nrm /= np.maximum(np.sqrt((nrm * nrm).sum(1, dtype=np.float32)), np.float32(TINY))[:, None]
        return vert + np.float32(self.inflate) * nrm, nrm


def bone_poses(m: MjModel, d: MjData, bones: slice) -> tuple[np.ndarray, Any]:
    """Return the rotation (n, 3, 3) and translation (n, 3) from the bind pose to the current pose, for a slice of bones."""
    body = np.asarray(m.skin_bonebodyid)[bones]
    bind = np.asarray(m.skin_bonebindquat, float).reshape(-1, 4)[bones]
    rot = quat_mat(np.asarray(d.xquat)[body]) @ np.swapaxes(quat_mat(bind), 1, 2)
    return rot, np.asarray(d.xpos)[body] - rotate(rot, np.asarray(m.skin_bonebindpos, float).reshape(-1, 3)[bones])


def update_skins(m: MjModel, d: MjData, opt: MjvOption, scn: MjvScene) -> None:
    """Fill the scene's skin buffers for skins in visible groups; all other skins become zero."""
    s = scn.surface
    for i in range(s.nskin):
        if i not in s.plans:
            s.plans[i] = SkinPlan(m, i)
        plan = s.plans[i]
        at = slice(3 * plan.adr, 3 * (plan.adr + plan.num))
        if not opt.skingroup[min(max(int(m.skin_group[i]), 0), NGROUP - 1)]:
            s.skinvert[at] = s.skinnormal[at] = 0
            continue
        vert, nrm = plan.blend(*bone_poses(m, d, plan.bones))
        s.skinvert[at], s.skinnormal[at] = vert.ravel(), nrm.ravel()


def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Update the skin surfaces of a scene, for groups 0..2."""
    update_skins(m, d, MjvOption(), scn)


def flex_mesh(scene: MjvScene, f: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the faces of flex f as the vertex columns of a shape (see tessellate.py)."""
    s = scene.surface
    a, n = int(s.flexfaceadr[f]), 3 * int(s.flexfaceused[f])
    vert = np.hstack(
        [b[k * 3 * a : k * (3 * a + n)].reshape(n, k) for b, k in ((s.flexface, 3), (s.flexnormal, 3), (s.flextexcoord, 2))]
    )
    return vert, np.arange(n, dtype=np.uint32)


def skin_static(m: MjModel, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Return texture coordinates (n, 2) and indices of skin i."""
    n, f, t = int(m.skin_vertnum[i]), int(m.skin_faceadr[i]), int(m.skin_texcoordadr[i])
    tex = np.asarray(m.skin_texcoord).reshape(-1, 2)[t : t + n] if t >= 0 else np.zeros((n, 2), np.float32)
    return tex, np.asarray(m.skin_face).reshape(-1, 3)[f : f + int(m.skin_facenum[i])].ravel().astype(np.uint32)


def skin_mesh(scene: MjvScene, i: int, static: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, Any]:
    """Return the vertices of skin i as the vertex columns of a shape (see tessellate.py), and the indices."""
    s = scene.surface
    a, n = 3 * int(s.skinvertadr[i]), 3 * int(s.skinvertnum[i])
    tex, ind = static[i]
    return np.hstack([s.skinvert[a : a + n].reshape(-1, 3), s.skinnormal[a : a + n].reshape(-1, 3), tex]), ind
