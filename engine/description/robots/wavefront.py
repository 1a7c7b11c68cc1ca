"""Wavefront OBJ with its MTL files: one part for each object and material."""

import re
from collections.abc import Callable

import numpy as np

from ...geom.mesh_read import MeshError, decoded
from .parts import Part, fan
from .plain_meshes import numbers_of

NEWLINE, RETURN, SPACE, TAB = 10, 13, 32, 9
# first bytes of lines: blanks are one kind
KIND_OF = np.arange(256)
KIND_OF[[SPACE, TAB]] = SPACE
KIND_OF[[NEWLINE, RETURN]] = NEWLINE
# first two bytes of a line → list that it belongs to
BLOCKS = {ord("v") * 256 + SPACE: "v", ord("v") * 256 + ord("t"): "vt", ord("f") * 256 + SPACE: "f"}
PASSED = {ord("v") * 256 + ord("n"), *(ord("#") * 256 + k for k in range(256)), ord("s") * 256 + SPACE}
EMPTY = NEWLINE * 256 + NEWLINE
# keyword of an MTL file → what it is here
COLORS = {b"kd": "color", b"d": "opacity", b"tr": "transparency", b"map_kd": "image"}


def read_obj(data: bytes, beside: Callable[[str], bytes | None] = lambda name: None) -> list[Part]:
    """The parts of an OBJ file; `beside(name)` gives the contents of a file next to it, or None."""
    text = decoded(data)
    if b"\\\n" in text or b"\\\r\n" in text:
        text = re.sub(rb"\\\r?\n", b" ", text)
    lists = _sorted_lines(text)
    vert = _rows(lists["v"], 3)
    if not lists["f"]:
        raise MeshError("the OBJ file has no faces")
    counts, corners, width = _corners(lists["f"], lists["at"])
    texcoord = _rows(lists["vt"], 2, b"vt") if lists["vt"] and width > 1 else None
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
    """Blocks of lines by keyword: texts of `v`, `vt` and `f` without it, with the numbers of vertices and coordinates before
    each block of faces.
    """
    raw = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero((raw == NEWLINE) | (raw == RETURN))
    starts = np.concatenate(([0], ends + 1))
    starts = starts[starts < len(raw)]
    kinds = KIND_OF[raw[starts]] * 256 + KIND_OF[np.append(raw, NEWLINE)[starts + 1]]
    # a run of lines of one kind is one block of text
    first = np.concatenate(([0], np.flatnonzero(np.diff(kinds)) + 1))
    last = np.append(starts[first[1:]], len(raw))
    lists: dict[str, list] = {"v": [], "vt": [], "f": [], "at": [], "marks": [], "mtllib": []}
    count = {"v": 0, "vt": 0, "f": 0}
    lines = np.diff(np.append(first, len(starts)))
    for k, begin, end, n in zip(kinds[first].tolist(), starts[first].tolist(), last.tolist(), lines.tolist()):
        block = text[begin:end]
        keyword = BLOCKS.get(k)
        if keyword is None:
            if k != EMPTY and k not in PASSED:
                for line in block.splitlines():
                    _other_line(line.strip(), lists, count)
            continue
        if keyword == "f":
            lists["at"].append((n, count["v"], count["vt"]))
        count[keyword] += n
        lists[keyword].append(block)
    return lists | {"count": count}


def _other_line(line, lists, count):
    """A line that is not in a block: one that is indented, in capitals, or about materials and groups."""
    keyword, _, rest = line.replace(b"\t", b" ").partition(b" ")
    keyword = keyword.lower()
    if keyword in (b"usemtl", b"o", b"g"):
        lists["marks"].append((count["f"], keyword.decode(), rest.strip().decode("utf-8", "replace")))
    elif keyword == b"mtllib":
        lists["mtllib"].append(rest.strip().decode("utf-8", "replace"))
    elif keyword in (b"v", b"vt", b"f"):
        name = keyword.decode()
        if name == "f":
            lists["at"].append((1, count["v"], count["vt"]))
        count[name] += 1
        lists[name].append(keyword + b" " + rest + b"\n")


def _words_of_lines(block):
    """(words of each line, whether there is a comment) of a block of lines."""
    raw = np.frombuffer(block, np.uint8)
    blank = raw <= SPACE
    begins = ~blank & np.concatenate(([True], blank[:-1]))
    newline = np.flatnonzero(raw == NEWLINE)
    edges = np.concatenate(([0], newline + 1, [len(raw)]))
    total = np.concatenate(([0], np.cumsum(begins)))
    counts = np.diff(total[edges])
    return counts[counts > 0], b"#" in block


def _rows(blocks, width, keyword=b"v"):
    """Numbers of lines, the first `width` of each."""
    if not blocks:
        return np.zeros((0, width))
    text = b"".join(blocks).replace(b"\r", b"\n")
    counts, comment = _words_of_lines(text)
    first = int(counts[0]) - 1
    if first >= width and not comment and (counts == first + 1).all():
        try:
            return numbers_of(text.replace(keyword, b" "), first * len(counts)).reshape(-1, first)[:, :width].copy()
        except MeshError:
            first = 0  # commas: line by line
    rows = []
    for line in filter(None, map(bytes.strip, text.splitlines())):
        found = line.partition(b"#")[0].replace(b",", b".").split()[1 : width + 1]
        try:
            rows.append([*map(float, found), *[0.0] * (width - len(found))])
        except ValueError:
            raise MeshError(f"a line of the OBJ file cannot be read: {line[:60]!r}") from None
    return np.array(rows)


def _corners(blocks, at):
    """(corners of each face, rows of vertex and coordinate index of all corners, numbers in a corner)."""
    text = b"".join(blocks).replace(b"\r", b"\n")
    if b"#" in text:
        text = re.sub(rb"#[^\n]*", b"", text)
    counts, _ = _words_of_lines(text)
    counts = counts - 1
    text = text.replace(b"f", b" ").replace(b"F", b" ")
    total = int(counts.sum())
    head = text.split(None, 1)[0] if total else b""
    slashes = head.count(b"/")
    flat = text.replace(b"//", b"/0/").replace(b"/", b" ") if slashes else text
    try:
        if flat.count(b" ") and text.count(b"/") != slashes * total:
            raise MeshError("corners differ")
        rows = numbers_of(flat, (slashes + 1) * total).astype(np.int64).reshape(-1, slashes + 1)
    except MeshError:
        rows = np.array([_corner(word) for word in text.split()], np.int64).reshape(-1, 2)
    width = rows.shape[1]
    rows = rows[:, :2] if width > 1 else np.hstack((rows, np.zeros_like(rows)))
    if (rows < 0).any():
        # from the end of what was listed before the block of faces
        before = np.repeat(np.array([(v, t) for n, v, t in at for _ in range(n)]), counts, axis=0)
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
