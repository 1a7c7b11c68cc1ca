"""Reads Wavefront OBJ with its MTL files: one part for each object and material."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...geom.mesh_read import MeshError, decoded
from ...geom.mesh_text import Wave
from .parts import Beside, Part, cut, nothing

# {keyword of an MTL file: name used below}
COLORS = {b"kd": "color", b"d": "opacity", b"tr": "transparency", b"map_kd": "image"}


def read_obj(data: bytes, beside: Beside = nothing) -> list[Part]:
    """Return the parts of an OBJ file; `beside(name)` returns the contents of a file next to it, or None."""
    text = decoded(data)
    if b"\\\n" in text or b"\\\r\n" in text:
        text = re.sub(rb"\\\r?\n", b" ", text)
    wave = Wave(text)
    if wave.fault >= 0:
        line = text[wave.fault :].splitlines()[0]
        number = 1 + text.count(b"\n", 0, wave.fault)
        raise MeshError(f"line {number} of the OBJ file cannot be read: {line[:60]!r}")
    if not len(wave.edge):
        raise MeshError("the OBJ file has no faces")
    # v points up in OBJ files, but down in models.
    wave.texcoord[:, 1] = 1 - wave.texcoord[:, 1]

    spans, libraries = _runs(wave)
    materials = _materials(libraries, beside)
    edges = np.concatenate(([0], np.cumsum(wave.edge)))
    parts = []
    for (thing, name), runs in spans.items():
        counts = np.concatenate([wave.edge[a:b] for a, b in runs])
        triangles = cut(wave.vert, counts, np.concatenate([wave.corner[edges[a] : edges[b]] for a, b in runs]))
        if not len(triangles):
            continue
        part = Part(wave.vert, np.ascontiguousarray(triangles[:, :, 0]), name=thing, material=name)
        if len(wave.texcoord) and (triangles[:, :, 1] >= 0).all():
            part.texcoord, part.facetexcoord = wave.texcoord, np.ascontiguousarray(triangles[:, :, 1])
        look = materials.get(name, {})
        part.rgba, part.image = look.get("rgba"), look.get("image", "") if part.texcoord is not None else ""
        parts.append(part)
    return parts


def _runs(wave: Wave) -> tuple[dict[tuple[str, str], list[tuple[int, int]]], list[str]]:
    """Return ({object and material: runs of faces}, names of MTL files). If a material is used again for an object,
    its new faces become another run of the same entry."""
    spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
    libraries: list[str] = []
    begin, thing, material = 0, "", ""
    for end, line in [*wave.marks, (len(wave.edge), b"o")]:
        if end > begin:
            spans.setdefault((thing, material), []).append((begin, end))
            begin = end
        keyword, _, rest = line.replace(b"\t", b" ").partition(b" ")
        keyword, name = keyword.lower(), rest.strip().decode("utf-8", "replace")
        if keyword == b"usemtl":
            material = name
        elif keyword in (b"o", b"g"):
            thing = name
        elif keyword == b"mtllib":
            libraries.append(name)
    return spans, libraries


def _materials(libraries: Iterable[str], beside: Beside) -> dict[str, dict[str, Any]]:
    """Return {name: rgba and image} of the MTL files that an OBJ file names."""
    found: dict[str, dict[str, Any]] = {}
    for line in libraries:
        # A name may contain spaces, or the line may have several names.
        for name in (line, *line.split()):
            data = beside(name)
            if data is not None:
                found.update(read_mtl(data))
                break
    return found


def read_mtl(data: bytes) -> dict[str, dict[str, Any]]:
    """Return {material: {rgba, image}} of an MTL file."""
    found: dict[str, dict[str, Any]] = {}
    look: dict[str, Any] = {}
    for line in decoded(data).splitlines():
        word, _, rest = line.strip().replace(b"\t", b" ").partition(b" ")
        word, rest = word.lower(), rest.strip()
        if word == b"newmtl":
            look = found[rest.decode("utf-8", "replace")] = {}
        elif word in COLORS and rest:
            _look_at(look, COLORS[word], rest)
    for look in found.values():
        color = look.pop("color", (1.0, 1.0, 1.0) if "image" in look else None)
        if color is not None:
            opacity = look.pop("opacity", 1 - look.pop("transparency", 0.0))
            # Many files have 0 where they mean opaque.
            look["rgba"] = (*color, opacity if 0 < opacity <= 1 else 1.0)
    return found


def _look_at(look: dict[str, Any], what: str, rest: bytes) -> None:
    if what == "image":
        # Options come before the name.
        look["image"] = re.sub(r"^(?:-\w+(?:\s+[-+.\deE]+|\s+on|\s+off)+\s+)+", "", rest.decode("utf-8", "replace")).strip()
        return
    words = rest.split()
    try:
        values = [float(w) for w in words[:3]]
    except ValueError:
        return
    if what == "color":
        look["color"] = tuple(min(max(x, 0.0), 1.0) for x in (values * 3 if len(values) == 1 else values)[:3])
    else:
        look[what] = values[0]
