"""Prints a scene as text: a block for each geom, light, camera, flex or skin, and a line for each field."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...engine.core.printing import check_format
from ...engine.tables.values import read_text
from .abstract import MjvScene
from .options import mjRNDSTRING

NUMBER = "% -9.2g"
# Fields of each type of element, in print order.
GEOM = (
    "type",
    "category",
    "label",
    "objtype",
    "objid",
    "pos",
    "mat",
    "size",
    "segid",
    "dataid",
    "matid",
    "texcoord",
    "rgba",
    "emission",
    "specular",
    "shininess",
    "reflectance",
)
LIGHT = (
    "id",
    "pos",
    "dir",
    "type",
    "castshadow",
    "headlight",
    "intensity",
    "range",
    "ambient",
    "diffuse",
    "specular",
    "texid",
    "exponent",
    "attenuation",
    "cutoff",
    "bulbradius",
)
CAMERA = (
    "pos",
    "forward",
    "up",
    "orthographic",
    "frustum_center",
    "frustum_width",
    "frustum_bottom",
    "frustum_top",
    "frustum_near",
    "frustum_far",
)
FLEX = ("faceused", "edgeadr", "edgenum", "vertadr", "vertnum", "faceadr", "facenum")
SKIN = ("facenum", "vertadr", "vertnum")
SETTINGS = ("flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt", "stereo")
TRANSFORM = ("translate", "rotate", "scale")


def line(name: str, value: Any, style: str, indent: int) -> str:
    """Format one field: its name, then its numbers or text."""
    if not isinstance(value, str):
        value = " ".join(style % v if isinstance(v, float) else str(v) for v in np.ravel(value).tolist())
    return f"{' ' * indent}{name:<18s}{value}".rstrip()


def block(title: str, count: int, fields: Sequence[str], read: Callable[[int, str], Any], style: str) -> list[str]:
    """Format all elements of one type. `read(i, field)` returns a field's value."""
    out = [f"{title}S {count}"]
    for i in range(count):
        out += [f"  {title} {i}", *(line(f, read(i, f), style, 4) for f in fields), ""]
    return [*out, ""]


def scene_text(s: MjvScene, style: str = NUMBER) -> str:
    """Return a whole scene as text. Surface buffers show only their sizes."""
    check_format(style)
    out = []
    for title, things, count, fields in (
        ("GEOM", s.geoms, s.ngeom, GEOM),
        ("LIGHT", s.lights, s.nlight, LIGHT),
        ("CAMERA", s.camera, 2, CAMERA),
    ):
        out += block(title, count, fields, lambda i, f, things=things: getattr(things[i], f), style)
    for title, count, fields in (("FLEX", s.nflex, FLEX), ("SKIN", s.nskin, SKIN)):
        out += block(title, count, fields, lambda i, f, kind=title.lower(): getattr(s, kind + f)[i], style)
    out += ["FLAGS", *(line(row[0], int(s.flags[i]), style, 2) for i, row in enumerate(mjRNDSTRING))]
    out += [*(line(f, getattr(s, f), style, 2) for f in SETTINGS), "", f"TRANSFORM {s.enabletransform}"]
    if s.enabletransform:
        out += [line(f, getattr(s, f), style, 2) for f in TRANSFORM]
    return "\n".join(out) + "\n"


def mj_printFormattedScene(s: MjvScene, filename: str, float_format: str) -> None:
    """Write a scene as text to a file ('': standard output). float_format is a C printf format; an invalid one raises
    ValueError."""
    text = scene_text(s, float_format)
    filename = read_text(filename)
    if not filename:
        sys.stdout.write(text)
        return
    with open(filename, "w", encoding="utf-8") as file:
        file.write(text)


def mj_printScene(s: MjvScene, filename: str) -> None:
    """Write a scene as text to a file ('': standard output)."""
    mj_printFormattedScene(s, filename, NUMBER)
