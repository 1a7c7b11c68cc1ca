"""glTF 2.0, binary (.glb) and JSON (.gltf): the meshes of the scene, with transforms, base colors and textures.

The file's axes are used, because robot descriptions do not convert meshes from y-up axes.
"""

import base64
import binascii
import json
import struct
from typing import Any
from urllib.parse import unquote_to_bytes

import numpy as np

from ...geom.mesh_read import MeshError
from ..language import orient
from .parts import MOST_ROWS, Beside, Part, Room, nothing

MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
TYPES = dict([(5120, "i1"), (5121, "u1"), (5122, "<i2"), (5123, "<u2"), (5125, "<u4"), (5126, "<f4")])
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TRIANGLES, STRIP, FAN = 4, 5, 6
MOST_DEPTH = 100
# Extensions for compressed meshes, which would need a decoder that is not included.
PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")


class Gltf:
    """A parsed file."""

    def __init__(self, data: bytes, beside: Beside) -> None:
        self.beside, self.binary, self.room = beside, b"", Room(len(data))
        if data[:4] == b"glTF":
            data = self._chunks(data)
        try:
            self.tree = json.loads(data.decode("utf-8-sig"))
        except ValueError as error:
            raise MeshError(f"the glTF file is not JSON: {error}") from None
        if not isinstance(self.tree, dict):
            raise MeshError("the glTF file has no objects")
        if packed := [name for name in PACKED if name in self.tree.get("extensionsRequired", ())]:
            raise MeshError(f"the meshes are compressed ({packed[0]}): export them without compression")
        self.buffers: dict[int, bytes] = {}

    def _chunks(self, data: bytes) -> bytes:
        """Return the JSON chunk of a binary file, and store its binary chunk."""
        at, text = 12, b""
        while at + 8 <= len(data):
            length, kind = struct.unpack_from("<II", data, at)
            body = data[at + 8 : at + 8 + length]
            if kind == JSON_CHUNK:
                text = body
            elif kind == BINARY_CHUNK:
                self.binary = body
            at += 8 + length
        return text

    def item(self, what: str, index: Any) -> dict[str, Any]:
        """Return the object with an index in one of the file's lists, such as `meshes`."""
        items = self.tree.get(what, [])
        if not isinstance(index, int) or not 0 <= index < len(items):
            raise MeshError(f"the glTF file has no {what} {index}")
        return items[index]

    # ---- data

    def _uri(self, uri: str) -> bytes | None:
        if uri.startswith("data:"):
            head, _, body = uri.partition(",")
            try:
                return base64.b64decode(unquote_to_bytes(body)) if head.endswith(";base64") else unquote_to_bytes(body)
            except binascii.Error as error:
                raise MeshError(f"a data: URI is not base64: {error}") from None
        return self.beside(unquote_to_bytes(uri).decode("utf-8", "replace"))

    def buffer(self, index: int) -> bytes:
        """Return the bytes of a buffer."""
        if index not in self.buffers:
            item = self.item("buffers", index)
            found = self._uri(item["uri"]) if "uri" in item else self.binary
            if found is None:
                raise MeshError(f"the buffer '{item['uri'][:80]}' of the glTF file was not found")
            self.buffers[index] = found
        return self.buffers[index]

    def view(self, index: int) -> tuple[bytes, int]:
        """Return (bytes, stride) of a buffer view."""
        view = self.item("bufferViews", index)
        begin = view.get("byteOffset", 0)
        return self.buffer(view["buffer"])[begin : begin + view["byteLength"]], view.get("byteStride", 0)

    def accessor(self, index: int) -> np.ndarray:
        """Return the rows of an accessor."""
        item = self.item("accessors", index)
        kind, width, count = np.dtype(TYPES[item["componentType"]]), WIDTHS[item["type"]], item["count"]
        if "bufferView" in item:
            data, stride = self.view(item["bufferView"])
            begin, size = item.get("byteOffset", 0), kind.itemsize * width
            stride = stride or size
            if count and begin + stride * (count - 1) + size > len(data):
                raise MeshError("an accessor of the glTF file is longer than its buffer")
            rows = np.ndarray((count, width), kind, data, begin, (stride, kind.itemsize))
        else:
            if count > MOST_ROWS:
                raise MeshError(f"an accessor of the glTF file has {count} rows and no buffer")
            rows = np.zeros((count, width), kind)
        if sparse := item.get("sparse"):
            rows = rows.copy()
            at = np.frombuffer(
                self.view(sparse["indices"]["bufferView"])[0], TYPES[sparse["indices"]["componentType"]], sparse["count"]
            )
            data = np.frombuffer(self.view(sparse["values"]["bufferView"])[0], kind, sparse["count"] * width)
            rows[at.astype(np.int64)] = data.reshape(-1, width)
        if item.get("normalized") and kind.kind in "iu":
            rows = np.maximum(rows / float(np.iinfo(kind).max), -1)
        return rows

    # ---- scene

    def parts(self) -> list[Part]:
        """Return all triangles of the scene, with a part for each primitive."""
        scenes = self.tree.get("scenes", [])
        roots = self.item("scenes", self.tree.get("scene", 0)).get("nodes", []) if scenes else None
        if roots is None:
            inner = {k for node in self.tree.get("nodes", []) for k in node.get("children", [])}
            roots = [k for k in range(len(self.tree.get("nodes", []))) if k not in inner]
        found: list[Part] = []
        for root in roots:
            self._node(root, np.eye(4), found, 0)
        if not found and not self.tree.get("nodes"):
            for k in range(len(self.tree.get("meshes", []))):
                found += self._mesh(k)
        if not found:
            raise MeshError("the glTF file has no triangles")
        return found

    def _node(self, index: Any, above: np.ndarray, found: list[Part], depth: int) -> None:
        if depth > MOST_DEPTH:
            raise MeshError(f"nodes of the glTF file are nested deeper than {MOST_DEPTH}")
        self.room.enter()
        node = self.item("nodes", index)
        matrix = above @ _local(node)
        if "mesh" in node:
            found += [self.room.placed(part, matrix) for part in self._mesh(node["mesh"])]
        for below in node.get("children", []):
            self._node(below, matrix, found, depth + 1)

    def _mesh(self, index: Any) -> list[Part]:
        mesh = self.item("meshes", index)
        return [part for primitive in mesh.get("primitives", []) if (part := self._primitive(primitive, mesh)) is not None]

    def _primitive(self, primitive: dict[str, Any], mesh: dict[str, Any]) -> Part | None:
        attributes = primitive.get("attributes", {})
        if any(name in primitive.get("extensions", {}) for name in PACKED):
            raise MeshError("the meshes are compressed: export them without compression")
        mode = primitive.get("mode", TRIANGLES)
        if "POSITION" not in attributes or mode not in (TRIANGLES, STRIP, FAN):
            return None
        vert = self.accessor(attributes["POSITION"]).astype(np.float64)
        index = (
            self.accessor(primitive["indices"]).reshape(-1).astype(np.int64) if "indices" in primitive else np.arange(len(vert))
        )
        part = Part(vert, _triangles(index, mode), name=_name(mesh))
        if "material" in primitive:
            self._dress(part, self.item("materials", primitive["material"]), attributes)
        elif "COLOR_0" in attributes:
            color = self.accessor(attributes["COLOR_0"]).astype(float).mean(0)[:3]
            part.rgba = (*color.tolist(), 1.0)
        return part

    def _dress(self, part: Part, material: dict[str, Any], attributes: dict[str, Any]) -> None:
        part.material = _name(material)
        look = material.get("pbrMetallicRoughness", {})
        rgba = [float(x) for x in look.get("baseColorFactor", (1, 1, 1, 1))]
        # Colors are linear in the file, but not in models.
        part.rgba = (*(_srgb(x) for x in rgba[:3]), rgba[3] if material.get("alphaMode") == "BLEND" and rgba[3] > 0 else 1.0)
        texture = look.get("baseColorTexture")
        place = attributes.get(f"TEXCOORD_{texture.get('texCoord', 0)}") if texture else None
        if texture is None or place is None:
            return
        image = self.item("images", self.item("textures", texture["index"]).get("source", 0))
        part.image = self.view(image["bufferView"])[0] if "bufferView" in image else self._uri(image["uri"]) or image["uri"]
        part.texcoord = self.accessor(place).astype(np.float64)
        part.facetexcoord = part.face.copy()


def _name(item: dict[str, Any]) -> str:
    """Return the name of an object; empty if it is not a string."""
    name = item.get("name", "")
    return name if isinstance(name, str) else ""


def _srgb(x: float) -> float:
    x = min(max(x, 0.0), 1.0)
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


def _triangles(index: Any, mode: int) -> np.ndarray:
    if mode == TRIANGLES:
        return index[: len(index) // 3 * 3].reshape(-1, 3).astype(np.int32)
    if len(index) < 3:
        return np.zeros((0, 3), np.int32)
    if mode == FAN:
        return np.stack((np.full(len(index) - 2, index[0]), index[1:-1], index[2:]), 1).astype(np.int32)
    strip = np.stack((index[:-2], index[1:-1], index[2:]), 1).astype(np.int32)
    strip[1::2] = strip[1::2, [1, 0, 2]]
    return strip


def _local(node: dict[str, Any]) -> np.ndarray:
    """Return the transform of a node in its parent."""
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    m = np.eye(4)
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    m[:3, :3] = np.array(orient.matrix((w, x, y, z))).reshape(3, 3) * np.array(node.get("scale", (1, 1, 1)), np.float64)
    m[:3, 3] = node.get("translation", (0, 0, 0))
    return m


def read_gltf(data: bytes, beside: Beside = nothing) -> list[Part]:
    """Return the parts of a glTF file; MeshError for any error in it."""
    try:
        return Gltf(data, beside).parts()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, struct.error) as error:
        if isinstance(error, MeshError):
            raise
        raise MeshError(f"the glTF file is damaged: {type(error).__name__}: {error}") from None
