"""Flexes made by scripts: the macro `flexcomp`, as a method of bodies (since MuJoCo 3.10)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .elements.elements import MjsBody, MjsFlex
from .language.errors import SpecError
from .language.xmltree import Node
from .read.flexcomp import make_flexcomp
from .read.include import Places
from .read.reader import Reader

# keywords of the method: attributes of the macro itself, and attributes of the elements inside the macro
DIRECT = ("type", "dim", "dof", "count", "spacing", "scale", "radius", "mass", "inertiabox", "pos", "quat", "origin", "file")
INSIDE = {"equality": ("edge", "equality"), "elastic2d": ("elasticity", "elastic2d")}
ELASTIC = ("none", "bend", "stretch", "both")


def _text(value: Any) -> str:
    """Return a value as an attribute's text."""
    if isinstance(value, str):
        return value
    return " ".join(repr(x) for x in np.atleast_1d(np.asarray(value)).tolist())


def make_flex(
    body: MjsBody,
    name: str,
    type: str | None = None,
    dim: int = 3,
    dof: str | None = None,
    count: Sequence[int] | None = None,
    cellcount: Sequence[int] | None = None,
    spacing: Sequence[float] | None = None,
    scale: Sequence[float] | None = None,
    radius: float = 0.0,
    mass: float = 1.0,
    inertiabox: float = 0.005,
    equality: int = 0,
    rigid: int = 0,
    flatskin: int = 0,
    elastic2d: int = 0,
    pos: Sequence[float] | None = None,
    quat: Sequence[float] | None = None,
    origin: Sequence[float] | None = None,
    file: str | None = None,
    mesh: str | None = None,
    vfs: Any = None,
) -> MjsFlex:
    """Add a flex and the bodies of its vertices, as the element `flexcomp` does; arguments are that element's attributes.
    ValueError if the arguments do not fit. Cells (`cellcount` over 1) and meshes of the spec (`mesh`) are not supported.

    count: int (3): points in x, y and z
    spacing: float (3): distances of points in meters
    scale, origin: float (3): scaling of points, and their center in meters
    radius: radius around the elements in meters
    mass: mass of all bodies together in kilograms
    inertiabox: side of a cube in meters, which determines the inertia of each body
    pos: float (3): position in meters
    quat: float (4)
    """
    if mesh is not None or cellcount is not None and any(k != 1 for k in cellcount):
        what = (
            "mesh: needs MuJoCo 3.10 (a flex from a mesh asset)" if mesh is not None else "cellcount: needs MuJoCo 3.8 (cells)"
        )
        raise ValueError(f"make_flex(): {what}; Tumble does not support this")
    if vfs is not None:
        raise ValueError("make_flex(): vfs: add the file to `spec.assets` instead")

    # build the macro as a file would contain it
    given = {"type": type, "dim": dim, "dof": dof, "count": count, "spacing": spacing, "scale": scale, "radius": radius}
    given |= {"mass": mass, "inertiabox": inertiabox, "pos": pos, "quat": quat, "origin": origin, "file": file}
    attrs = {"name": name} | {key: _text(given[key]) for key in DIRECT if given[key] is not None}
    attrs |= {key: "true" for key, on in (("rigid", rigid), ("flatskin", flatskin)) if on}
    node = Node("flexcomp", attrs)
    if equality:
        node.add(Node("edge", {"equality": "true"}))
    if elastic2d:
        node.add(Node("elasticity", {"elastic2d": ELASTIC[int(elastic2d)]}))

    spec, before = body.spec, len(body.spec.parts["flex"])
    files = spec.files
    spec.files = files or spec.open_files()
    reader = Reader(spec, Places(spec.files))
    try:
        make_flexcomp(reader, node, body, None)
    except SpecError as error:
        raise ValueError(f"make_flex(): {error}") from None
    finally:
        spec.files = files
    spec.changed()
    return spec.parts["flex"][before]
