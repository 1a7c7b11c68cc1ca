"""A single mesh file: a free body on a floor, with its mass computed from its volume at the density of water."""

import os
from collections.abc import Callable

import numpy as np

from ..elements.spec import MjSpec
from ..language.errors import SpecError
from ..language.types import PLANE
from .build import Builder
from .inertias import DENSITY
from .locate import Finder
from .parts import corners_of
from .pieces import Link, Robot, Shape, filled
from .report import ERROR, ImportReport
from .shapes import COLLISION_GROUP, Shaper

# initial distance of the body from the floor (m)
GAP = 0.001
# color of the floor, from which meshes without a material stand out
DARK = (0.2, 0.22, 0.26, 1.0)


def mesh_model(
    path: str,
    finder: Finder,
    report: ImportReport,
    scale: float,
    density: float,
    choose: Callable[[Shaper], None],
) -> MjSpec:
    """Return a spec with the mesh of a file as a free body on a floor; the report contains its extent and mass. `choose` sets
    the shape that replaces the colliding mesh.
    """
    name = os.path.splitext(os.path.basename(path))[0]
    size = (scale, scale, scale)
    shapes = [Shape("mesh", collides, file=os.path.abspath(path), scale=size) for collides in (False, True)]
    robot = Robot(name, {name: Link(name, shapes=shapes)}, free_roots=True)
    builder = Builder(robot, finder, report)
    choose(builder.shaper)
    parts = builder.shaper.parts(shapes[0])
    if not parts:
        # A robot with a missing mesh is still worth opening; here, only an empty floor would be left.
        raise SpecError(next((entry.found for entry in report if entry.severity == ERROR), f"{path}: it has no triangles"))
    points = np.concatenate([corners_of(part).reshape(-1, 3) for part in parts])
    if not len(points):
        raise SpecError(f"{path}: it has no triangles with valid vertices")
    robot.links[name].pos = (0.0, 0.0, GAP - float(points[:, 2].min()))
    spec = builder.build()
    filled(spec.worldbody.add_geom(), "floor", None, type=PLANE, size=(0.0, 0.0, 1.0), group=COLLISION_GROUP - 3, rgba=DARK)
    body = spec.items("body")[1]
    if density != DENSITY:
        ratio = density / DENSITY
        body.raw["mass"] *= ratio
        body.raw["fullinertia"] = tuple(ratio * x for x in body.raw["fullinertia"])
    span = " x ".join(f"{size:.4g}" for size in np.ptp(points, axis=0))
    mass = body.raw["mass"]
    report.add("measured", None, f"the mesh measures {span} m", f"it weighs {mass:.4g} kg at {density:g} kg/m^3")
    return spec
