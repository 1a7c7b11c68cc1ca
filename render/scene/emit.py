"""Adds geoms to a scene: a single geom, or a block of many geoms given as arrays.

Every generator of the decor table receives a `Build`. It has the model, data, options and selection of one update, masks that
several generators share, and `emit`, which writes a block of n geoms with one slice assignment per field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from ...engine.api.entries import Argument, enter, integer, vector
from ...engine.calls import compiled as calls
from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtCatBit, mjtGeom, mjtObj
from .abstract import MjvGeom, MjvScene
from .options import NGROUP, MjvOption, MjvPerturb
from .record_arrays import located, place_of, record
from .rotate import rotate, z_to

SPHERE, CAPSULE, CYLINDER = (int(mjtGeom["mjGEOM_" + k]) for k in ("SPHERE", "CAPSULE", "CYLINDER"))
CONNECTORS = frozenset(int(mjtGeom["mjGEOM_" + k]) for k in ("CAPSULE", "CYLINDER", "ARROW", "ARROW1", "ARROW2", "LINE"))
UNKNOWN = int(mjtObj.mjOBJ_UNKNOWN)
STATIC, DYNAMIC, DECOR = (int(mjtCatBit["mjCAT_" + k]) for k in ("STATIC", "DYNAMIC", "DECOR"))
IDENTITY = np.eye(3).ravel()
RGBA0 = np.array([0.5, 0.5, 0.5, 1], np.float32)

# Default of each field, used if a generator omits it.
DEFAULTS = dict(
    dataid=-1,
    matid=-1,
    texcoord=0,
    size=np.float32(0.1),
    mat=IDENTITY,
    rgba=RGBA0,
    emission=0,
    specular=0.5,
    shininess=0.5,
    reflectance=0,
    camdist=0,
    modelrbound=0,
    transparent=0,
    texid=-1,
    texuniform=0,
    texrepeat=np.float32(0),
    castshadow=1,
)
NAMES = {"type", "pos", "objid", "objtype", "category"} | set(DEFAULTS)


def mjv_initGeom(
    geom: MjvGeom,
    type: SupportsIndex,
    size: npt.ArrayLike | None,
    pos: npt.ArrayLike | None,
    mat: npt.ArrayLike | None,
    rgba: npt.ArrayLike | None,
) -> None:
    """Set a geom's type and the given fields. All other fields, including those given as None, get defaults.

    type: mjtGeom
    size: float64 (3): in meters; sizes of spheres, capsules and cylinders are converted to x, y, z scales
    pos: float64 (3): in meters
    mat: float64 (9): rotation matrix
    rgba: float32 (4): from 0 to 1
    """
    located(geom)
    rows, i = place_of(geom)
    for k, v in DEFAULTS.items():
        if k not in ("camdist", "transparent"):
            getattr(rows, k)[i] = v
    rows.type[i], rows.pos[i] = int(type), 0
    geom.label = ""
    if size is not None:
        s = np.ravel(size)
        rows.size[i] = spread_size(np.array([int(type)]), np.array([[s[0], s[min(1, len(s) - 1)], s[min(2, len(s) - 1)]]]))[0]
    if pos is not None:
        rows.pos[i] = np.ravel(pos)
    if mat is not None:
        rows.mat[i] = np.ravel(mat)
    if rgba is not None:
        rows.rgba[i] = np.ravel(rgba)


def mjv_connector(geom: MjvGeom, type: SupportsIndex, width: SupportsFloat, from_: npt.ArrayLike, to: npt.ArrayLike) -> None:
    """Set type, size, pos and mat of a geom so that it connects two points. ValueError for types that cannot connect points.

    type: mjtGeom
    width: radius or half width in meters; of a line, its width in pixels
    from_, to: float64 (3): the points, in meters
    """
    f, t = np.reshape(from_, (1, 3)), np.reshape(to, (1, 3))
    span = connector(int(type), width, f, t)
    located(geom)
    rows, i = place_of(geom)
    rows.type[i] = int(type)
    for k in ("size", "pos", "mat"):
        getattr(rows, k)[i] = span[k][0]


_KERNELS = ".render.scene.kernels:"
mjv_initGeom = enter(
    mjv_initGeom,
    (
        record("geom", MjvGeom),
        integer("type"),
        vector("size", 3, True),
        vector("pos", 3, True),
        vector("mat", 9, True),
        vector("rgba", 4, True, np.float32),
    ),
    _KERNELS + "?init_geom(geom, geom_index, type, size, pos, mat, rgba)",
)
mjv_connector = enter(
    mjv_connector,
    (record("geom", MjvGeom), integer("type"), Argument("width", calls.NUMBER), vector("from_", 3), vector("to", 3)),
    _KERNELS + "?connect(geom, geom_index, type, width, from_, to)",
)


def spread_size(types: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Convert model sizes (n, 3) of geoms with types (n,) to x, y, z scales (n, 3)."""
    out = np.array(size, np.float64)
    ball = types == SPHERE
    out[ball] = out[ball, :1]
    long = (types == CAPSULE) | (types == CYLINDER)
    out[long, 2] = out[long, 1]
    out[long, 1] = out[long, 0]
    return out


def connector(type: npt.ArrayLike, width: Any, start: np.ndarray, end: np.ndarray) -> dict[str, Any]:
    """Return size, pos and mat of n geoms that extend from start to end, both (n, 3). `type`, `width`: scalars or (n,)."""
    types = np.broadcast_to(np.asarray(type), len(start))
    if not CONNECTORS.issuperset(np.unique(types).tolist()):
        raise ValueError(f"geom type {np.unique(types)} cannot connect two points")
    dif = end - start
    length = np.sqrt(np.einsum("ij,ij->i", dif, dif))
    centred = (types == CAPSULE) | (types == CYLINDER)
    size = np.empty((len(start), 3))
    size[:, 0] = size[:, 1] = width
    size[:, 2] = np.where(centred, 0.5 * length, length)
    pos = np.where(centred[:, None], 0.5 * (start + end), start)
    return dict(size=size, pos=pos, mat=z_to(dif).reshape(-1, 9))


def block(n: int, **fields: Any) -> dict[str, Any]:
    """Return n geoms as a dict of arrays, for generators that interleave several types (see `Build.weave`)."""
    return dict(fields, n=n)


class Build:
    """Inputs of one scene update, and methods that add geoms."""

    def __init__(self, m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb, catmask: int, scn: MjvScene) -> None:
        self.m, self.d, self.opt, self.pert, self.scn = m, d, opt, pert, scn
        self.flags = np.asarray(opt.flags).tolist()
        self.label, self.frame = int(opt.label), int(opt.frame)
        self.catmask = int(catmask)
        self.scl = float(m.stat.meansize)
        self._bodycat = None

    def bodycat(self) -> np.ndarray:
        """Return the category of every body. Bodies are static if they are welded to the world and not mocap."""
        if self._bodycat is None:
            fixed = (np.asarray(self.m.body_weldid) == 0) & (np.asarray(self.m.body_mocapid) == -1)
            self._bodycat = np.where(fixed, STATIC, DYNAMIC)
        return self._bodycat

    def group_on(self, mask: np.ndarray, group: np.ndarray) -> np.ndarray:
        """Return a mask that tells which entries of an array of group ids are shown."""
        return np.asarray(mask).astype(bool)[np.clip(group, 0, NGROUP - 1)]

    def emit(self, n: int, labels: dict[int, str] | None = None, **fields: Any) -> None:
        """Write n geoms. Each field is a scalar, a row or an array (n, ...). labels: {row: text}. If maxgeom is reached,
        status becomes 1."""
        scn, a = self.scn, self.scn.ngeom
        k = min(int(n), scn.maxgeom - a)
        if k < n:
            scn.status = 1
        if k <= 0:
            return
        g, at = scn.geom, slice(a, a + k)
        for name in NAMES:
            v = fields.get(name, DEFAULTS.get(name))
            if k < n and isinstance(v, np.ndarray) and v.ndim == getattr(g, name).ndim and len(v) == n:
                v = v[:k]
            getattr(g, name)[at] = v
        g.segid[at] = np.arange(a, a + k)
        if labels:
            g.label.update({a + i: t[:99] for i, t in labels.items() if i < k})
        scn.ngeom = a + k

    def decor(
        self,
        n: int,
        objid: int | np.ndarray,
        type: int | np.ndarray,
        labels: dict[int, str] | None = None,
        objtype: int = UNKNOWN,
        category: int = DECOR,
        **fields: Any,
    ) -> None:
        """Write n decor geoms."""
        self.emit(n, labels, objid=objid, type=type, objtype=objtype, category=category, **fields)

    def frames(self, objid: np.ndarray, pos: np.ndarray, mat: np.ndarray, scale: float = 1.0) -> None:
        """Add three colored cylinders for each frame: pos (n, 3), mat (n, 9). `scale` multiplies the default length and
        width."""
        b = self.frame_block(objid, pos, mat, scale)
        self.emit(b.pop("n"), **b)

    def frame_block(
        self, objid: np.ndarray, pos: np.ndarray, mat: np.ndarray, scale: float | np.ndarray = 1.0
    ) -> dict[str, Any]:
        """Return the axis cylinders of n frames as a block. Each frame has three geoms, in the order x, y, z."""
        n = len(pos)
        s = self.m.vis.scale
        axes = np.moveaxis(np.asarray(mat).reshape(-1, 3, 3), 2, 1).reshape(-1, 3)
        start = np.repeat(pos, 3, 0)
        scale = np.repeat(np.broadcast_to(scale, n), 3)
        span = connector(
            CYLINDER, s.framewidth * self.scl * scale, start, start + axes * (s.framelength * self.scl * scale)[:, None]
        )
        rgba = np.tile(np.array([[0.9, 0, 0, 1], [0, 0.9, 0, 1], [0, 0, 0.9, 1]], np.float32), (n, 1))
        return block(3 * n, objid=np.repeat(objid, 3), type=CYLINDER, objtype=UNKNOWN, category=DECOR, rgba=rgba, **span)

    def weave(self, blocks: Sequence[tuple]) -> None:
        """Write several blocks so that geoms with the same owner are adjacent. `blocks`: [(owner of each geom, block, labels)],
        in the order wanted for each owner."""
        blocks = [b for b in blocks if b[1]["n"]]
        a = self.scn.ngeom
        for _, b, labels in blocks:
            self.emit(b["n"], labels, **{k: v for k, v in b.items() if k != "n"})
        if len(blocks) > 1:
            owner = np.concatenate([k for k, _, _ in blocks])[: self.scn.ngeom - a]
            self.scn.geom.permute(a, self.scn.ngeom, np.argsort(owner, kind="stable"))
            self.scn.geom.segid[a : self.scn.ngeom] = np.arange(a, self.scn.ngeom)


def world_points(mats: np.ndarray, local: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Return origin + mat @ local for each row."""
    return origin + rotate(mats, local)
