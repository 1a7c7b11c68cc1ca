"""Removes visual elements: those that cannot collide and that nothing refers to (compiler option `discardvisual`).

adds   geom: fitted mesh; mesh: visual; pair: geom1 geom2; tendon: wrap; tuple: objid
reads  body: tree; geom: visual; sensor: objid refid
"""

import numpy as np

from ...tables.compat_rows import holds
from ...tables.enums import mjtInertiaFromGeom
from ..elements.elements import compile_error
from ..language.arrays import true_rows
from ..language.types import OBJ_GEOM, OBJ_MESH, WRAP_CYLINDER, WRAP_SPHERE
from .mesh import pack_meshes
from .resolve import Compilation

FROM_GEOM_YES = int(mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE)


def discard_visual(c: Compilation) -> None:
    """Remove geoms that neither collide nor are referred to, and meshes that are used only by these geoms."""

    # keep meshes that other geoms use
    g = c.geom
    used = g.mesh[(g.mesh >= 0) & ~g.visual]
    c.mesh.visual = np.ones(c.mesh.n, bool) if not hasattr(c.mesh, "visual") else c.mesh.visual
    c.mesh.visual[used] = False
    if not g.visual.any() and not c.mesh.visual.any():
        return

    if holds("visual_mass", c.compat_bits):
        _check_masses(c)
    rows = true_rows(~g.visual).tolist()
    number = np.full(g.n, -1)
    number[rows] = np.arange(len(rows))

    # remove the geoms, and renumber references to the remaining ones
    g.take(rows)
    c.ids["geom"] = g.ids()
    c.pair.geom1, c.pair.geom2 = number[c.pair.geom1], number[c.pair.geom2]
    for kind, ids in ((c.sensor.objtype, c.sensor.objid), (c.sensor.reftype, c.sensor.refid)):
        at = true_rows(kind == OBJ_GEOM)
        ids[at] = number[ids[at]]
    c.tendon.wrap = [
        [(k, int(number[o]) if k in (WRAP_SPHERE, WRAP_CYLINDER) else o, p) for k, o, p in w] for w in c.tendon.wrap
    ]
    c.tuple.objid = [
        [int(number[o]) if k == OBJ_GEOM else o for k, o in zip(types, ids)]
        for types, ids in zip(c.tuple.objtype, c.tuple.objid)
    ]
    for tree in c.body.tree:
        if tree is not None:
            tree.nodeid = [int(number[i]) if i >= 0 else -1 for i in tree.nodeid]
    _discard_meshes(c)


def _check_masses(c: Compilation) -> None:
    """Raise an error if a discarded geom has mass and all inertias come from geoms (since MuJoCo 3.16)."""
    for i in true_rows(c.geom.visual & (c.geom.total > 0)):
        if c.compiler_of(c.geom.elems[i])["inertiafromgeom"] == FROM_GEOM_YES:
            raise compile_error(
                c.geom.elems[i],
                "this geom has mass and would be discarded; with inertiafromgeom 'auto' the inertia of its body is kept",
            )


def _discard_meshes(c: Compilation) -> None:
    rows = true_rows(~c.mesh.visual).tolist()
    number = np.full(c.mesh.n + 1, -1)
    number[rows] = np.arange(len(rows))
    c.geom.mesh, c.geom.fitted = number[c.geom.mesh], number[c.geom.fitted]
    at = true_rows(c.sensor.objtype == OBJ_MESH)
    c.sensor.objid[at] = number[c.sensor.objid[at]]
    c.mesh.take(rows)
    c.ids["mesh"] = c.mesh.ids()
    c.meshes = [c.meshes[i] for i in rows]
    if c.meshes:
        c.mesh_pack = pack_meshes(c)
    else:
        c.mesh_pack = {"sizes": {}, "fields": {}}
