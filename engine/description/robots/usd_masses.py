"""Masses of USD: given by MassAPI of a link, its colliders and materials, or computed from volumes as USD defines it.

A mass given for a link has the highest priority, then masses of its colliders, then densities of the link, the collider, and
the collider's material.
"""

import math
from dataclasses import dataclass
from typing import Any

from . import inertias
from .parts import scaled
from .pieces import ORIGIN, UNIT, Inertial, Shape, Vec
from .solid import Solid, solid_of_shape, together
from .usd_layers import pxr


@dataclass
class Given:
    """Values of MassAPI, in kg and m; 0 or None: not given. `center` and `axes` are in the frame of the prim."""

    mass: float = 0.0
    density: float = 0.0
    center: tuple[float, ...] | None = None
    moments: tuple[float, ...] | None = None
    axes: Any = UNIT


def given(prim: Any, meter: float, kilogram: float, time: Any) -> Given:
    """Return the values of a prim's MassAPI; the center remains in units of the stage."""
    physics = pxr("UsdPhysics")
    if not prim.HasAPI(physics.MassAPI):
        return Given()
    api = physics.MassAPI(prim)
    center = api.GetCenterOfMassAttr().Get(time)
    moments = tuple(float(x) * kilogram * meter**2 for x in api.GetDiagonalInertiaAttr().Get(time) or ORIGIN)
    axes = api.GetPrincipalAxesAttr().Get(time)
    turn = (axes.GetReal(), *axes.GetImaginary()) if axes is not None else UNIT
    return Given(
        positive(api.GetMassAttr().Get(time)) * kilogram,
        positive(api.GetDensityAttr().Get(time)) * kilogram / meter**3,
        tuple(map(float, center)) if center is not None and all(map(math.isfinite, center)) else None,
        moments if any(moments) else None,
        tuple(map(float, turn)) if any(turn) else UNIT,
    )


def positive(value: Any) -> float:
    """Return a number; 0 if it is missing or not positive, which in USD means that the simulator computes it."""
    return float(value) if value and math.isfinite(value) and value > 0 else 0.0


def of_shapes(rows: list[tuple[Shape, Given, float]], density: float) -> tuple[float, Solid | None]:
    """Return (total mass, a Solid with the moments) of some shapes. A row contains a shape, the values given for it, and the
    density of its material. The link's `density` overrides other densities."""
    found: list[Solid] = []
    for shape, own, material in rows:
        if shape.kind == "plane":
            continue
        solid = solid_of_shape(shape, scaled(shape.parts, shape.scale))
        if solid is not None:
            mass = own.mass or solid.volume * (density or own.density or material or inertias.DENSITY)
            found.append(Solid(mass, solid.center, solid.moments * (mass / solid.volume)))
    whole = together(found)
    return (whole.volume, whole) if whole is not None else (0.0, None)


def inertial(own: Given, rows: list[tuple[Shape, Given, float]], center: Vec | None) -> Inertial | None:
    """Return the inertia of a link. Values that are not given follow from its shapes. `center` is the given center in the
    link's frame."""
    total, solid = of_shapes(rows, own.density)
    mass = own.mass or total
    if not mass > 0:
        return None
    pos = center if center is not None else tuple(solid.center.tolist()) if solid is not None else ORIGIN
    if own.moments is not None:
        return Inertial(mass, pos, own.axes, (*own.moments, 0.0, 0.0, 0.0))
    return Inertial(mass, pos, UNIT, solid.tensor(mass) if solid is not None else None)
