"""Edits of a spec that compiling would make: inertias of geoms made explicit, visual elements discarded, static bodies merged
(since MuJoCo 3.16).
"""

from typing import Any

import numpy as np

from ..tables.enums import mjtInertiaFromGeom
from .compile.driver import front
from .compile.fuse import kept_bodies
from .compile.resolve import Compilation
from .elements.edit import add_inertia, body_to_frame, delete
from .elements.elements import MjsBody, need
from .elements.spec import MjSpec
from .files.resources import Files
from .files.vfs import MjVfs, contents_of

# {compiler setting that changes bodies: value that switches it off}
PLAIN = {"fusestatic": 0, "discardvisual": 0, "settotalmass": -1.0, "boundmass": 0.0, "boundinertia": 0.0}
NEVER = int(mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE)
# kinds whose elements name materials or textures -> the fields with those names
LOOKS = {
    "geom": ("material",),
    "site": ("material",),
    "mesh": ("material",),
    "tendon": ("material",),
    "skin": ("material",),
    "flex": ("material",),
    "light": ("texture",),
}
NO_INERTIA = (np.nan,) * 6


def _worked_out(spec: MjSpec, vfs: MjVfs | None) -> Compilation:
    """Return the tables of a copy of a spec, compiled without the settings that change bodies."""
    copy = spec.copy()
    copy.compiler.raw.update(PLAIN)
    files = copy.files or copy.open_files()
    if vfs is not None:
        contents, mounts = contents_of(vfs, spec.assets)
        files = Files(contents, spec.inside, mounts=mounts)
    return front(copy, files, model=False)


def _adopt(body: MjsBody, c: Compilation, i: int) -> None:
    """Set a body's inertia to that of row i of the tables."""
    table = c.body
    body.raw.update(
        mass=float(table.mass[i]),
        ipos=tuple(np.asarray(table.ipos[i]).tolist()),
        iquat=tuple(np.asarray(table.iquat[i]).tolist()),
        ialt=(0, ()),
        inertia=tuple(np.asarray(table.inertia[i]).tolist()),
        fullinertia=NO_INERTIA,
        explicitinertial=1,
    )


def adopt_inertial(spec: MjSpec, body: MjsBody, vfs: MjVfs | None = None) -> None:
    """Compute a body's inertia as compiling would, and store it in the spec. The body's geoms then no longer determine it.

    SpecError if the spec does not compile. `vfs`: an MjVfs in which files are searched first.
    """
    need("adopt_inertial", body, MjsBody)
    bodies = spec.all_bodies()
    if not any(b is body for b in bodies):
        raise ValueError("Error: body is not in this model")
    i = next(k for k, b in enumerate(bodies) if b is body)
    if i == 0:
        raise ValueError("Error: the world body has no inertia")
    _adopt(body, _worked_out(spec, vfs), i)


def discard_visual(spec: MjSpec, vfs: MjVfs | None = None) -> int:
    """Remove materials, textures, geoms that neither collide nor are referred to, and meshes that only these use; return the
    number of removed elements. Bodies keep the inertia that they get from such geoms.
    """
    c = _worked_out(spec, vfs)
    geoms, bodies = spec.items("geom"), spec.all_bodies()
    gone = [g for g, visual in zip(geoms, c.geom.visual.tolist(), strict=True) if visual]

    # make inertias explicit first
    number = {id(b): i for i, b in enumerate(bodies)}
    for g in gone:
        i = number[id(g.parent)]
        inferred = not g.parent.raw["explicitinertial"] and spec.compiler.raw["inertiafromgeom"] != NEVER
        if i and inferred:
            _adopt(g.parent, c, i)
    for g in gone:
        delete(spec, g)

    # remove meshes that are no longer used, and all materials and textures
    used = {g.raw["meshname"] for g in spec.items("geom")}
    meshes = [e for e in spec.parts["mesh"] if _mesh_name(e) not in used]
    count = len(gone) + len(meshes)
    spec.parts["mesh"] = [e for e in spec.parts["mesh"] if _mesh_name(e) in used]
    for kind in ("material", "texture"):
        count += len(spec.parts[kind])
        spec.parts[kind] = []
    _forget_looks(spec)
    spec.changed()
    return count


def _mesh_name(mesh: Any) -> str:
    """Return the name of a mesh, by default the name of its file."""
    return mesh.label or mesh.raw["file"].rpartition("/")[2].rpartition(".")[0]


def _forget_looks(spec: MjSpec) -> None:
    """Remove references to materials and textures, also in default classes."""
    for kind, fields in LOOKS.items():
        for e in spec.items(kind) if kind not in spec.parts else spec.parts[kind]:
            for field in fields:
                if field in e.raw:
                    e.raw[field] = ""
    for default in spec.all_defaults():
        for kind, fields in LOOKS.items():
            e = default.nearest(kind) if kind in ("geom", "site", "mesh", "tendon") else None
            if e is not None:
                e.raw.update(dict.fromkeys(fields, ""))


def fuse_static(spec: MjSpec, vfs: MjVfs | None = None) -> int:
    """Turn static bodies to which nothing refers into frames, and add their inertia to their parents. Return how many bodies
    became frames."""
    c = _worked_out(spec, vfs)
    bodies, kept = spec.all_bodies(), kept_bodies(c)
    fused = [(i, b) for i, b in enumerate(bodies) if i and i not in kept]
    if not fused:
        return 0

    # make the inertias of receiving and of merged bodies explicit
    for i, body in fused:
        parent: Any = body.parent
        for k, b in ((i, body), (next(k for k, b in enumerate(bodies) if b is parent), parent)):
            if k and not b.raw["explicitinertial"]:
                _adopt(b, c, k)
    for i, body in reversed(fused):
        # poses may be given in other notations or in frames; the tables have them in the parent's frame
        pose = {"pos": tuple(c.body.pos[i].tolist()), "quat": tuple(c.body.quat[i].tolist())}
        if body.parent is not spec.worldbody and body.raw["mass"] > 0:
            add_inertia(body.parent.raw, body.raw | pose)
        body.raw["mass"] = 0.0
        body_to_frame(body)
    return len(fused)
