"""Looks up ids of materials, textures, meshes and height fields, which later stages use.

adds   flex: matid; geom: hfield matid mesh; material: texid; site: matid; skin: matid; tendon: matid
"""

import numpy as np

from ..elements.elements import compile_error
from ..language.arrays import minus_ones
from .resolve import Compilation
from .table import Table


def materials(c: Compilation) -> None:
    """Look up the materials of geoms, sites, tendons, skins and flexes; the textures of materials; and the meshes and height
    fields of geoms."""
    g = c.geom
    g.mesh = _ids(c, g, "mesh", g.meshname)
    g.hfield = _ids(c, g, "hfield", g.hfieldname)
    names = g.material
    if c.mesh.n and not c.discard:
        # a geom without a material takes its mesh's material
        names = [c.mesh.elems[k].raw["material"] if k >= 0 and not name else name for name, k in zip(names, g.mesh.tolist())]
    g.matid = _ids(c, g, "material", names)
    for e in c.flex.elems:
        name = e.raw["material"]
        if len(name.split()) > 1 and name not in c.ids.get("material", ()):
            raise compile_error(
                e, "attribute 'material': materials of single elements (MuJoCo 4.0) are not supported, give one"
            )
    for table in (c.site, c.tendon, c.skin, c.flex):
        if table.n:
            table.matid = _ids(c, table, "material", table.material)
    mat = c.material
    if not mat.n:
        return
    mat.texid = np.full((mat.n, 10), -1)
    for i, roles in enumerate(mat.textures):
        for r, name in enumerate(roles):
            if name:
                mat.texid[i, r] = c.need("texture", name, mat.elems[i], "texture")


def _ids(c: Compilation, table: Table, kind: str, names: list[str]) -> np.ndarray:
    if not any(names):
        return minus_ones(table.n)
    return np.array([c.need(kind, name, e, kind) if name else -1 for name, e in zip(names, table.elems)], np.int64)
