"""Collision shapes for mesh geoms of MJCF: fitted or decomposed in a thread, and written into the model file.

The mesh stays as a visual geom with its mass; the new geoms have no mass and are in the group of collision geoms. If the mesh
was hidden in such a group already, and its body's inertia is written, the new geoms replace it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.description.language import orient
from ..engine.description.language.free_names import free_name
from ..engine.description.rewrite.numbers import number_text
from ..engine.description.rewrite.patch import element_text
from ..engine.description.robots.decomposing import STOPPED
from ..engine.description.robots.fitting import DECOMPOSE, decompose, fitted
from ..engine.description.robots.parts import Part
from ..engine.geom.mesh_read import MeshError
from ..ui import intents as I
from ..ui.element_names import name

# the first group that viewers hide by default; the group of new collision geoms
HIDDEN, COLLISION_GROUP = 3, 3
# Contact attributes that new geoms take from the mesh geom: {attribute: (field of the Model, default)}.
CONTACT = {
    "contype": ("geom_contype", (1,)),
    "conaffinity": ("geom_conaffinity", (1,)),
    "condim": ("geom_condim", (3,)),
    "priority": ("geom_priority", (0,)),
    "friction": ("geom_friction", (1, 0.005, 0.0001)),
    "solmix": ("geom_solmix", (1,)),
    "solref": ("geom_solref", (0.02, 1)),
    "solimp": ("geom_solimp", (0.9, 0.95, 0.001, 0.5, 2)),
    "margin": ("geom_margin", (0,)),
    "gap": ("geom_gap", (0,)),
}
# number of digits of the vertices of convex pieces
VERTEX_DIGITS = 6


@dataclass
class Shaped:
    """New elements for a mesh geom: assets and geoms as text, and a sentence about the result."""

    geom: int
    body: int
    assets: list[str] = field(default_factory=list)
    geoms: list[str] = field(default_factory=list)
    told: str = ""


class Shaping:
    """Computes the shapes of some geoms in a thread."""

    def __init__(self, m: Any, intent: I.ShapeGeoms) -> None:
        self.m, self.intent = m, intent
        self.found: list[Shaped] = []
        self.error = ""
        # set to end the work
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run, name="collision shapes", daemon=True)

    @property
    def told(self) -> str:
        """The progress of the computation, as text for the window."""
        return f"Computing collision shapes: {len(self.found)} of {len(self.intent.targets)}"

    def _run(self) -> None:
        taken = {name(self.m, "mesh", k) for k in range(self.m.nmesh)}
        for _, geom in self.intent.targets:
            if self.stop.is_set():
                self.error = STOPPED
                return
            try:
                self.found.append(shaped(self.m, geom, self.intent.how, taken, self.stop))
            except (MeshError, MemoryError) as error:
                self.error = STOPPED if self.stop.is_set() else f"{name(self.m, 'geom', geom)}: {error or type(error).__name__}"
                return


def part_of(m: Any, geom: int) -> Part:
    """Return the mesh of a geom in the geom's coordinates."""
    mesh = int(m.geom_dataid[geom])
    vert = np.asarray(m.mesh_vert[int(m.mesh_vertadr[mesh]) :][: int(m.mesh_vertnum[mesh])], float)
    face = np.asarray(m.mesh_face[int(m.mesh_faceadr[mesh]) :][: int(m.mesh_facenum[mesh])], np.int32)
    return Part(vert, face, name=name(m, "mesh", mesh))


def numbers(values: Any) -> str:
    """Return numbers as the text of an attribute."""
    return " ".join(number_text(float(x)) for x in np.atleast_1d(values))


def text_of(tag: str, values: dict[str, str]) -> str:
    """Return an element as text."""
    return element_text(tag, values).decode()


def shaped(m: Any, geom: int, how: str, taken: set[str], stop: threading.Event | None = None) -> Shaped:
    """Return the new elements for a geom. `taken`: names of all meshes; the names of new meshes are added to it. `stop` ends a
    decomposition with a MeshError."""
    part, out = part_of(m, geom), Shaped(geom, int(m.geom_bodyid[geom]))
    label = name(m, "geom", geom)
    place = tuple(map(float, m.geom_pos[geom])), tuple(map(float, m.geom_quat[geom]))
    common = {"mass": "0", "group": str(COLLISION_GROUP), **contact_of(m, geom)}
    if how != DECOMPOSE:
        best, share = fitted(part.vert, how)
        pos, quat = orient.compose(*place, best.pos, best.quat)
        own = {"type": best.kind, "size": numbers(best.size), "pos": numbers(pos), "quat": numbers(quat)}
        out.geoms.append(text_of("geom", own | common))
        out.told = f"{label}: a {best.kind} of {share:.2f} times the hull's volume"
        return out

    found = decompose(part, stop)
    for piece in found.pieces:
        mesh = free_name(f"{part.name}_piece", taken, 1, "{}{}", always=True)
        taken.add(mesh)
        corners = " ".join(f"{x:.{VERTEX_DIGITS}g}" for x in piece.vert.ravel())
        out.assets.append(text_of("mesh", {"name": mesh, "vertex": corners}))
        own = {"type": "mesh", "mesh": mesh, "pos": numbers(place[0]), "quat": numbers(place[1])}
        out.geoms.append(text_of("geom", own | common))
    out.told = f"{label}: {found.told}"
    return out


def contact_of(m: Any, geom: int) -> dict[str, str]:
    """Return a geom's contact attributes that differ from their defaults. contype and conaffinity are always included, because
    classes of visual geoms set them.
    """
    out = {}
    for attribute, (source, default) in CONTACT.items():
        values = np.atleast_1d(np.asarray(getattr(m, source)[geom], float))
        if attribute in ("contype", "conaffinity") or not np.allclose(values, default, rtol=1e-12, atol=0):
            out[attribute] = numbers(values)
    return out
