"""COLLADA (.dae): the meshes of the scene, with units, transforms of nodes, materials and textures.

The up axis is ignored: robot descriptions use the file's axes as they are, like ROS viewers.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import numpy as np

from ...geom.mesh_read import MeshError
from .parts import Beside, Part, Room, cut, nothing
from .plain_meshes import numbers_of
from .xml_data import by_id, child, children, data_tree, local

# {tag of a primitive: corners of each polygon, or 0 if the counts are listed}
POLYGONS = {"triangles": 3, "polylist": 0, "polygons": 0, "tristrips": 0, "trifans": 0}
MOST_DEPTH = 100
SHADERS = ("phong", "lambert", "blinn", "constant")


class Collada:
    """A parsed file."""

    def __init__(self, data: bytes, beside: Beside) -> None:
        self.root = data_tree(data, "COLLADA")
        self.ids = by_id(self.root)
        self.beside, self.room = beside, Room(len(data))
        self.pieces: dict[str, list[tuple[str, Part]]] = {}
        self.looks: dict[str, dict[str, Any]] = {}

    def target(self, reference: str | None) -> ET.Element | None:
        """Return the element that `#id` refers to."""
        return self.ids.get(unquote((reference or "").lstrip("#")))

    # ---- scene

    def parts(self) -> list[Part]:
        """Return all meshes of the scene in metres. If a file has no scene, return its meshes without the transforms of
        nodes."""
        unit = child(self.root, "asset", "unit")
        meter = float(unit.attrib.get("meter", 1) or 1) if unit is not None else 1.0
        scale = np.diag([meter, meter, meter, 1.0]) if meter > 0 else np.eye(4)
        shown = child(self.root, "scene", "instance_visual_scene")
        scene = self.target(shown.attrib.get("url")) if shown is not None else None
        if scene is None:
            scene = child(self.root, "library_visual_scenes", "visual_scene")
        found = []
        if scene is not None:
            for node in children(scene, "node"):
                found += self._node(node, scale, 0)
        else:
            for geometry in children(child(self.root, "library_geometries"), "geometry"):
                found += [part.moved(scale) for _, part in self._geometry(geometry)]
        if not found:
            raise MeshError("the COLLADA file has no triangles")
        return found

    def _node(self, node: ET.Element, above: np.ndarray, depth: int) -> Iterator[Part]:
        if depth > MOST_DEPTH:
            raise MeshError(f"nodes of the COLLADA file are nested deeper than {MOST_DEPTH}")
        self.room.enter()
        matrix = above
        for element in node:
            tag = local(element)
            if tag in TRANSFORMS:
                matrix = matrix @ TRANSFORMS[tag](numbers_of((element.text or "").encode()))
        for element in children(node, "instance_geometry", "instance_controller"):
            geometry = self.target(element.attrib.get("url"))
            if geometry is not None and local(geometry) == "controller":
                skin = child(geometry, "skin")
                geometry = self.target(skin.attrib.get("source")) if skin is not None else None
            bound = {
                m.attrib.get("symbol", ""): m.attrib.get("target", "")
                for m in element.iter()
                if local(m) == "instance_material"
            }
            for symbol, part in self._geometry(geometry) if geometry is not None else ():
                yield self.room.placed(self._dressed(part, bound.get(symbol, symbol)), matrix)
        for element in children(node, "node"):
            yield from self._node(element, matrix, depth + 1)
        for element in children(node, "instance_node"):
            target = self.target(element.attrib.get("url"))
            if target is not None:
                yield from self._node(target, matrix, depth + 1)

    # ---- geometry

    def _geometry(self, geometry: ET.Element) -> list[tuple[str, Part]]:
        """Return (symbol of the material, part) of each primitive of a geometry, parsed once."""
        key = geometry.attrib.get("id", "") or str(id(geometry))
        if key not in self.pieces:
            mesh = child(geometry, "mesh")
            if mesh is None:
                mesh = child(geometry, "convex_mesh")
            found = []
            for primitive in mesh if mesh is not None else ():
                if local(primitive) in POLYGONS and (part := self._primitive(primitive)) is not None:
                    part.name = geometry.attrib.get("name", "") or key
                    found.append((primitive.attrib.get("material", ""), part))
            self.pieces[key] = found
        return self.pieces[key]

    def _primitive(self, primitive: ET.Element) -> Part | None:
        inputs = {}
        stride = 1
        for element in children(primitive, "input"):
            offset = int(element.attrib.get("offset", 0))
            stride = max(stride, offset + 1)
            inputs.setdefault(element.attrib.get("semantic", ""), (offset, self.target(element.attrib.get("source"))))
        if "VERTEX" not in inputs:
            return None
        offset, vertices = inputs["VERTEX"]
        position = next((e for e in children(vertices, "input") if e.attrib.get("semantic") == "POSITION"), None)
        source = self.target(position.attrib.get("source")) if position is not None else vertices
        vert = self._source(source, 3)
        rows = [numbers_of((p.text or "").encode()).astype(np.int64) for p in children(primitive, "p", "ph")]
        rows = [r[: len(r) // stride * stride].reshape(-1, stride) for r in rows if len(r) >= stride]
        if vert is None or not rows:
            return None
        triangles = self._triangles(primitive, rows, vert, offset)
        if not len(triangles):
            return None
        part = Part(vert, triangles[:, :, offset].astype(np.int32))
        if "TEXCOORD" in inputs:
            at, source = inputs["TEXCOORD"]
            texcoord = self._source(source, 2)
            if texcoord is not None:
                part.texcoord = np.stack((texcoord[:, 0], 1 - texcoord[:, 1]), 1)
                part.facetexcoord = triangles[:, :, at].astype(np.int32)
        return part

    def _triangles(self, primitive: ET.Element, rows: list[np.ndarray], vert: np.ndarray, column: int) -> np.ndarray:
        tag = local(primitive)
        if tag == "triangles":
            corners = np.concatenate(rows)
            return corners[: len(corners) // 3 * 3].reshape(-1, 3, corners.shape[1])
        if tag == "polylist":
            corners, count = np.concatenate(rows), child(primitive, "vcount")
            counts = numbers_of(((count.text if count is not None else "") or "").encode()).astype(np.int64)
            if (counts < 0).any() or counts.sum() > len(corners):
                raise MeshError("a polylist of the COLLADA file is shorter than its counts say")
            return cut(vert, counts, corners[: counts.sum()], column)
        if tag == "tristrips":
            strips = [np.stack((r[:-2], r[1:-1], r[2:]), 1) for r in rows if len(r) > 2]
            for strip in strips:
                strip[1::2] = strip[1::2, [1, 0, 2]]
            return np.concatenate(strips) if strips else np.zeros((0, 3, rows[0].shape[1]), np.int64)
        if tag == "trifans":
            fans = [np.stack((np.broadcast_to(r[0], r[1:-1].shape), r[1:-1], r[2:]), 1) for r in rows if len(r) > 2]
            return np.concatenate(fans) if fans else np.zeros((0, 3, rows[0].shape[1]), np.int64)
        # Here, `rows` has a list for each polygon.
        return cut(vert, np.array([len(r) for r in rows]), np.concatenate(rows), column)

    def _source(self, source: ET.Element | None, width: int) -> np.ndarray | None:
        """Return the first `width` numbers of each row of a source; None if the source has no numbers."""
        array = child(source, "float_array")
        if array is None or not (array.text or "").strip():
            return None
        values = numbers_of((array.text or "").encode())
        accessor = child(source, "technique_common", "accessor")
        stride = int(accessor.attrib.get("stride") or width) if accessor is not None else width
        if stride < width:
            return None
        return values[: len(values) // stride * stride].reshape(-1, stride)[:, :width]

    # ---- appearance

    def _dressed(self, part: Part, reference: str) -> Part:
        look = self._look(reference)
        return Part(
            part.vert,
            part.face,
            part.texcoord,
            part.facetexcoord,
            look.get("rgba"),
            look.get("image", b"") if part.texcoord is not None else b"",
            part.name,
            look.get("name", ""),
        )

    def _look(self, reference: str) -> dict[str, Any]:
        if reference not in self.looks:
            self.looks[reference] = self._find_look(reference)
        return self.looks[reference]

    def _find_look(self, reference: str) -> dict[str, Any]:
        material = self.target(reference)
        instance = child(material, "instance_effect")
        effect = self.target(instance.attrib.get("url")) if instance is not None else None
        profile = child(effect, "profile_COMMON")
        technique = child(profile, "technique")
        shader = next(iter(children(technique, *SHADERS)), None)
        if material is None or shader is None:
            return {}
        look: dict[str, Any] = {"name": material.attrib.get("name", "") or material.attrib.get("id", "")}
        diffuse = child(shader, "diffuse")
        color = child(diffuse, "color")
        if color is not None:
            rgb = numbers_of((color.text or "").encode()).clip(0, 1).tolist()
            look["rgba"] = (*rgb[:3], 1.0) if len(rgb) >= 3 else None
        texture = child(diffuse, "texture")
        if texture is not None:
            look["image"] = self._image(profile, texture.attrib.get("texture", ""))
            look["rgba"] = (1.0, 1.0, 1.0, 1.0)
        opacity = self._opacity(shader)
        rgba = look.get("rgba")
        if rgba and 0 < opacity < 1:
            look["rgba"] = (*rgba[:3], opacity)
        return look

    def _opacity(self, shader: ET.Element) -> float:
        """Return the opacity of a shader; 1 if it is ambiguous, because exporters disagree on the meaning of 0."""
        factor, color = child(shader, "transparency", "float"), child(shader, "transparent", "color")
        alpha = 1.0
        if color is not None:
            values = numbers_of((color.text or "").encode())
            alpha = float(values[3]) if len(values) > 3 else 1.0
        value = float(factor.text or 1) if factor is not None else 1.0
        return alpha * value

    def _image(self, profile: ET.Element | None, name: str) -> str:
        """Return the image file that a texture refers to through its sampler and surface."""
        params = {e.attrib.get("sid", ""): e for e in children(profile, "newparam")}
        for _ in range(4):
            param = params.get(name)
            if param is None:
                break
            source = next((e for e in param.iter() if local(e) in ("source", "init_from") and (e.text or "").strip()), None)
            link = next((e for e in param.iter() if local(e) == "instance_image"), None)
            name = (
                link.attrib.get("url", "").lstrip("#")
                if link is not None
                else (source.text or "").strip()
                if source is not None
                else ""
            )
        init = child(self.target(name), "init_from")
        text = (init.text or "").strip() if init is not None else ""
        if init is not None and not text:
            inner = child(init, "ref")
            text = (inner.text or "").strip() if inner is not None else ""
        return unquote(text)


def _matrix(v: np.ndarray) -> np.ndarray:
    return v[:16].reshape(4, 4) if len(v) >= 16 else np.eye(4)


def _translate(v: np.ndarray) -> np.ndarray:
    m = np.eye(4)
    m[:3, 3] = v[:3]
    return m


def _rotate(v: np.ndarray) -> np.ndarray:
    axis, angle = v[:3], np.radians(v[3])
    length = np.linalg.norm(axis)
    m = np.eye(4)
    if length > 0:
        x, y, z = axis / length
        k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        m[:3, :3] += np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
    return m


def _scale(v: np.ndarray) -> np.ndarray:
    return np.diag([*v[:3], 1.0])


TRANSFORMS = {"matrix": _matrix, "translate": _translate, "rotate": _rotate, "scale": _scale}


def read_dae(data: bytes, beside: Beside = nothing) -> list[Part]:
    """Return the parts of a COLLADA file."""
    return Collada(data, beside).parts()
