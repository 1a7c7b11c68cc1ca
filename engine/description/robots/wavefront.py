"""Wavefront OBJ with its MTL files: one part for each object and material."""

import re
from collections.abc import Callable

import numpy as np

from ...geom.mesh_read import MeshError, decoded
from .parts import Part, fan
from .plain_meshes import numbers_of

# keyword of an MTL file → what it is here
COLORS = {b"kd": "color", b"d": "opacity", b"tr": "transparency", b"map_kd": "image"}


def read_obj(data: bytes, beside: Callable[[str], bytes | None] = lambda name: None) -> list[Part]:
    """The parts of an OBJ file; `beside(name)` gives the contents of a file next to it, or None."""
    text = decoded(data)
    if b"\\\n" in text or b"\\\r\n" in text:
        text = re.sub(rb"\\\r?\n", b" ", text)
    lists = _sorted_lines(text)
    vert = _rows(lists["v"], 3)
    if not len(lists["f"]):
        raise MeshError("the OBJ file has no faces")
    counts, corners, width = _corners(lists["f"], lists["at"], len(vert), len(lists["vt"]))
    texcoord = _rows(lists["vt"], 2) if len(lists["vt"]) and width > 1 else None
    if texcoord is not None:
        texcoord[:, 1] = 1 - texcoord[:, 1]
    materials = _materials(lists["mtllib"], beside)
    # runs of faces of one object and material; one that is used again joins its first run
    of: dict[tuple[str, str], list] = {}
    marks = [*lists["marks"], (len(counts), "", "")]
    begin, thing, material = 0, "", ""
    for end, keyword, name in marks:
        if end > begin:
            of.setdefault((thing, material), []).append((begin, end))
        begin = end
        if keyword == "usemtl":
            material = name
        else:
            thing = name
    edges = np.concatenate(([0], np.cumsum(counts)))
    parts = []
    for (thing, name), spans in of.items():
        row_counts = np.concatenate([counts[a:b] for a, b in spans])
        triangles = fan(row_counts, np.concatenate([corners[edges[a] : edges[b]] for a, b in spans]))
        if not len(triangles):
            continue
        part = Part(vert, triangles[:, :, 0].astype(np.int32), name=thing, material=name)
        if texcoord is not None and (triangles[:, :, 1] >= 0).all():
            part.texcoord, part.facetexcoord = texcoord, triangles[:, :, 1].astype(np.int32)
        look = materials.get(name, {})
        part.rgba, part.image = look.get("rgba"), look.get("image", "") if part.texcoord is not None else ""
        parts.append(part)
    return parts


def _sorted_lines(text):
    """Lines by keyword: `v`, `vt` and `f` without it; before each `f` the numbers of vertices and coordinates so far."""
    v, vt, f, at, marks, mtllib = [], [], [], [], [], []
    for line in text.splitlines():
        word = line[:2]
        if word == b"v " or word == b"v\t":
            v.append(line[2:])
        elif word == b"f " or word == b"f\t":
            f.append(line[2:])
            at.append((len(v), len(vt)))
        elif word == b"vt":
            vt.append(line[2:])
        elif word == b"vn" or word == b"# " or not word:
            continue
        else:
            keyword, _, rest = (
                line.strip().partition(b" ") if b"\t" not in line else line.strip().replace(b"\t", b" ").partition(b" ")
            )
            keyword = keyword.lower()
            if keyword in (b"usemtl", b"o", b"g"):
                marks.append((len(f), keyword.decode(), rest.strip().decode("utf-8", "replace")))
            elif keyword == b"mtllib":
                mtllib.append(rest.strip().decode("utf-8", "replace"))
            elif keyword == b"v":
                v.append(rest)
            elif keyword == b"vt":
                vt.append(rest)
            elif keyword == b"f":
                f.append(rest)
                at.append((len(v), len(vt)))
    return {"v": v, "vt": vt, "f": f, "at": at, "marks": marks, "mtllib": mtllib}


def _rows(lines, width):
    """Numbers of lines, the first `width` of each."""
    if not lines:
        return np.zeros((0, width))
    first = len(lines[0].split())
    words = b" ".join(lines).split()
    if first >= width and len(words) == first * len(lines):
        try:
            return np.array(words, np.float64).reshape(-1, first)[:, :width].copy()
        except ValueError:
            first = 0  # comments behind the numbers, or commas: line by line
    rows = []
    for line in lines:
        found = line.partition(b"#")[0].replace(b",", b".").split()[:width]
        rows.append([*map(float, found), *[0.0] * (width - len(found))])
    return np.array(rows)


def _corners(lines, at, nv, nt):
    """(corners of each face, rows of vertex and coordinate index of all corners, numbers in a corner)."""
    if any(b"#" in line for line in lines):
        lines = [line.partition(b"#")[0] for line in lines]
    text = b" ".join(lines)
    words = text.split()
    counts = np.fromiter((len(line.split()) for line in lines), np.int64, len(lines))
    slashes = words[0].count(b"/") if words else 0
    flat = text.replace(b"//", b"/0/").replace(b"/", b" ").split() if slashes else words
    if len(flat) == (slashes + 1) * len(words) and text.count(b"/") == slashes * len(words):
        rows = numbers_of(b" ".join(flat)).astype(np.int64).reshape(-1, slashes + 1)
    else:
        rows = np.array([_corner(word) for word in words], np.int64).reshape(-1, 2)
    width = rows.shape[1]
    rows = rows[:, :2] if width > 1 else np.hstack((rows, np.zeros_like(rows)))
    if (rows < 0).any():
        # from the end of what was listed before the face
        before = np.repeat(np.array(at), counts, axis=0)
        rows = np.where(rows < 0, rows + before, rows - 1)
    else:
        rows = rows - 1
    return counts, rows, width


def _corner(word):
    pieces = word.split(b"/")
    return [int(pieces[0] or 0), int(pieces[1] or 0) if len(pieces) > 1 else 0]


def _materials(libraries, beside):
    """{name: rgba and image} of the MTL files that an OBJ file names."""
    found: dict[str, dict] = {}
    for line in libraries:
        # a name may have blanks, or the line several names
        for name in (line, *line.split()):
            data = beside(name)
            if data is not None:
                found.update(read_mtl(data))
                break
    return found


def read_mtl(data: bytes) -> dict[str, dict]:
    """{material: {rgba, image}} of an MTL file."""
    found: dict[str, dict] = {}
    look: dict = {}
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
            # files in the wild write 0 for what they mean to be opaque
            look["rgba"] = (*color, opacity if 0 < opacity <= 1 else 1.0)
    return found


def _look_at(look, what, rest):
    if what == "image":
        # options stand before the name
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
