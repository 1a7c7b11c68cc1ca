"""Shapes for browsers: the triangles of the shapes in the draw list, with texture coordinates if a texture needs them.

A capsule consists of three parts, because its ends scale evenly while its middle is stretched. The parts are shifted along z
by a share of its half length.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import trimesh
from PIL import Image
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from ...render.gl.instances import CUBE, GIVEN, UNIT, ModelTables
from ...render.scene import tessellate

# Number of segments around a shape, and from pole to pole. They are few, for slow networks, but shapes still look round.
SLICES, STACKS = 24, 16
# roughness of textured shapes, which makes them only slightly shiny
ROUGHNESS = 0.7


@dataclass(frozen=True)
class Part:
    """A part of a shape: vertices (n, 8) from `tessellate`, and vertex indices of triangles (k, 3). `shift`: offset along z in
    half lengths of the shape. `stretch`: whether the part is scaled along z by the half length.
    """

    vertices: np.ndarray
    faces: np.ndarray
    shift: float = 0.0
    stretch: bool = False


class Shapes:
    """The parts of all shapes of a model, created on first use."""

    def __init__(self, m: Any, tables: ModelTables) -> None:
        self.m, self.tables = m, tables
        self._unit = tessellate.unit_shapes(SLICES, STACKS)
        self._made: dict[int, tuple[Part, ...]] = {}

    def parts(self, shape: int) -> tuple[Part, ...]:
        """Return the parts of a shape in the draw list. There are none if the shape has no triangles, such as a missing
        hull.
        """
        if shape not in self._made:
            self._made[shape] = self._make(shape)
        return self._made[shape]

    def _make(self, shape: int) -> tuple[Part, ...]:
        if shape < len(UNIT):
            name = UNIT[shape]
            return capsule() if name == "capsule" else (part(self._unit[name]),)
        if shape >= self.tables.hfield0:
            return (part(tessellate.hfield(self.m, shape - self.tables.hfield0)),)
        number, hull = divmod(shape - self.tables.mesh0, 2)
        made = tessellate.hull(self.m, number) if hull else tessellate.mesh(self.m, number)
        return (part(made),) if made is not None else ()


def part(shape: tuple[np.ndarray, np.ndarray], shift: float = 0.0, stretch: bool = False) -> Part:
    """Return a part with the geometry of a shape from `tessellate`."""
    return Part(shape[0], shape[1].reshape(-1, 3), shift, stretch)


def capsule() -> tuple[Part, ...]:
    """Return the parts of a capsule: upper hemisphere, tube and lower hemisphere."""
    ends = []
    for first, shift in ((0.0, 1.0), (np.pi / 2, -1.0)):
        at = tessellate.sphere_rows(SLICES, np.linspace(first, first + np.pi / 2, STACKS // 2 + 1))
        ends.append(part((tessellate.pack(at, at), tessellate.grid_indices(STACKS // 2 + 1, SLICES + 1)), shift))
    return ends[0], part(tessellate.tube(SLICES), stretch=True), ends[1]


class Textures:
    """The textures of a model as images."""

    def __init__(self, m: Any) -> None:
        self.m = m
        self._made: dict[int, Image.Image] = {}

    def pixels(self, i: int) -> np.ndarray:
        """Return the pixels of a texture, (height, width, channels) uint8, with rows in the model's order."""
        m = self.m
        w, h, channels, adr = (int(getattr(m, "tex_" + k)[i]) for k in ("width", "height", "nchannel", "adr"))
        return np.asarray(m.tex_data)[adr : adr + w * h * channels].reshape(h, w, channels)

    def picture(self, i: int) -> Image.Image:
        """Return a 2D texture as an image."""
        if i not in self._made:
            self._made[i] = Image.fromarray(np.ascontiguousarray(self.pixels(i)[:, :, :3]))
        return self._made[i]

    def mean(self, i: int) -> np.ndarray:
        """Return the mean colour, 0..1, of a cube texture. Browsers cannot show cube textures on meshes."""
        return self.pixels(i)[:, :, :3].reshape(-1, 3).mean(0) / 255


def coordinates(part: Part, tex: np.ndarray) -> np.ndarray:
    """Return the texture coordinates (n, 2) of a part. `tex`, from a record of the draw list, contains the mode and two repeat
    counts. The axis v points down in the picture.
    """
    if tex[0] == GIVEN:
        return part.vertices[:, 6:8].astype(float)
    return 0.5 * part.vertices[:, :2] * (tex[1], -tex[2]) - 0.5


def is_cube(tex: np.ndarray) -> bool:
    """Return whether the texture of a record of the draw list is a cube texture."""
    return bool(tex[0] == CUBE)


def textured(part: Part, uv: np.ndarray, picture: Image.Image, rgba: np.ndarray) -> bytes:
    """Return a textured part as a GLB file. The texture is multiplied by `rgba` (0..1)."""
    # trimesh's v axis points up.
    uv = np.column_stack([uv[:, 0], 1 - uv[:, 1]])
    factor = np.append(linear(rgba[:3]), rgba[3])
    material = PBRMaterial(
        baseColorTexture=picture,
        baseColorFactor=np.round(255 * factor).astype(np.uint8),
        metallicFactor=0.0,
        roughnessFactor=ROUGHNESS,
        alphaMode="BLEND" if rgba[3] < 1 else "OPAQUE",
    )
    mesh = trimesh.Trimesh(
        part.vertices[:, :3],
        part.faces,
        vertex_normals=part.vertices[:, 3:6],
        process=False,
        visual=TextureVisuals(uv=uv, material=material),
    )
    out = io.BytesIO()
    mesh.export(out, file_type="glb")
    return out.getvalue()


def linear(rgb: np.ndarray) -> np.ndarray:
    """Convert display colours (sRGB, IEC 61966-2-1) to linear light."""
    rgb = np.clip(rgb, 0, 1)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
