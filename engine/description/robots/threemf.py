"""Reads 3MF, a zip archive with an XML model: the items to be built, components and base colors."""

import io
import posixpath
import xml.etree.ElementTree as ET

import numpy as np

from ...geom.mesh_read import MeshError
from ..files.providers import MAX_MEMBER, open_archive, unpack
from .parts import Part, Room
from .xml_data import child, children, data_tree

UNITS = {"micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1.0}
MOST_DEPTH = 50


def read_3mf(data: bytes) -> list[Part]:
    """Return the parts of a 3MF file, in metres."""
    try:
        with open_archive(io.BytesIO(data), "the 3MF file") as archive:
            names = [n for n in archive.NameToInfo if posixpath.splitext(n)[1].lower() == ".model"]
            if not names:
                raise MeshError("the 3MF file has no model")
            main = next((n for n in names if n.lower() == "3d/3dmodel.model"), names[0])
            roots, left = {}, MAX_MEMBER
            for name in names:
                text = unpack(archive, archive.NameToInfo[name], left)
                left -= len(text)
                roots["/" + name.lstrip("/")] = data_tree(text, "3MF")
    except OSError as error:
        raise MeshError(str(error)) from None
    return _Package(roots, "/" + main.lstrip("/"), len(data)).parts()


class _Package:
    def __init__(self, roots: dict[str, ET.Element], main: str, size: int) -> None:
        self.main, self.roots, self.room = main, roots, Room(size)
        self.objects = {
            (file, o.attrib.get("id", "")): o for file, r in roots.items() for o in children(child(r, "resources"), "object")
        }
        self.colors: dict[tuple[str, str], list[tuple[float, ...]]] = {}
        for file, root in roots.items():
            for group in children(child(root, "resources"), "basematerials", "colorgroup"):
                found = [b.attrib.get("displaycolor", "") or b.attrib.get("color", "") for b in group]
                self.colors[file, group.attrib.get("id", "")] = [_color(c) for c in found]

    def parts(self) -> list[Part]:
        root = self.roots[self.main]
        unit = UNITS.get(root.attrib.get("unit", "millimeter"), 1e-3)
        scale = np.diag([unit, unit, unit, 1.0])
        found: list[Part] = []
        for item in children(child(root, "build"), "item"):
            self._object(_path(item, self.main), item.attrib.get("objectid", ""), scale @ _matrix(item), found, 0)
        if not found:
            for file, key in list(self.objects):
                self._object(file, key, scale, found, 0)
        if not found:
            raise MeshError("the 3MF file has no triangles")
        return found

    def _object(self, file: str, key: str, matrix: np.ndarray, found: list[Part], depth: int) -> None:
        self.room.enter()
        item = self.objects.get((file, key))
        if item is None or depth > MOST_DEPTH:
            raise MeshError(f"the 3MF file has no object '{key}'" if item is None else "components of the 3MF file form a loop")
        mesh = child(item, "mesh")
        if mesh is not None:
            found.append(self.room.placed(self._mesh(file, item, mesh), matrix))
        for component in children(child(item, "components"), "component"):
            self._object(
                _path(component, file), component.attrib.get("objectid", ""), matrix @ _matrix(component), found, depth + 1
            )

    def _mesh(self, file: str, item: ET.Element, mesh: ET.Element) -> Part:
        try:
            vert = [[float(v.attrib[k]) for k in "xyz"] for v in children(child(mesh, "vertices"), "vertex")]
            face = [[int(t.attrib[k]) for k in ("v1", "v2", "v3")] for t in children(child(mesh, "triangles"), "triangle")]
        except (KeyError, ValueError) as error:
            raise MeshError(f"a vertex or triangle of the 3MF file is incomplete: {error}") from None
        colors = self.colors.get((file, item.attrib.get("pid", "")), [])
        index = int(item.attrib.get("pindex", 0) or 0)
        return Part(
            np.array(vert, np.float64).reshape(-1, 3),
            np.array(face, np.int32).reshape(-1, 3),
            rgba=colors[index] if index < len(colors) else None,
            name=item.attrib.get("name", ""),
        )


def _path(element: ET.Element, file: str) -> str:
    """Return the file of the object to which a component or item refers: its `path`, or else the file that contains the
    reference."""
    return next((v for k, v in element.attrib.items() if k.rpartition("}")[2] == "path"), file)


def _matrix(element: ET.Element) -> np.ndarray:
    m = np.eye(4)
    words = element.attrib.get("transform", "").split()
    if len(words) == 12:
        m[:3] = np.array(words, np.float64).reshape(4, 3).T
    return m


def _color(text: str) -> tuple[float, ...]:
    text = text.lstrip("#")
    try:
        values = [int(text[k : k + 2], 16) / 255 for k in range(0, len(text), 2)]
    except ValueError:
        values = []
    return (*values[:3], values[3] if len(values) > 3 else 1.0) if len(values) >= 3 else (0.8, 0.8, 0.8, 1.0)
