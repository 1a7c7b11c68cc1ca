"""Shapes as a browser gets them: triangles of the draw list's shape numbers, with a texture where it can be laid on by
coordinates.

A capsule's ends are scaled evenly and its middle is stretched: it comes in three parts, which are shifted along z by a share of
its half length.
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

# segments around and from pole to pole: what looks round without filling a slow network
SLICES, STACKS = 24, 16
# roughness of textured shapes: they shine little
ROUGHNESS = 0.7


@dataclass(frozen=True)
class Part:
    """Triangles of a shape: vertices (n, 8) as `tessellate` makes them, indices (k, 3). `shift`: along z, in half lengths;
    `stretch`: z is scaled by the half length instead.
    """

    vertices: np.ndarray
    faces: np.ndarray
    shift: float = 0.0
    stretch: bool = False


class Shapes:
    """Parts of all shapes of a model, made when they are asked for."""

    def __init__(self, m: Any, tables: ModelTables) -> None:
        self.m, self.tables = m, tables
        self._unit = tessellate.unit_shapes(SLICES, STACKS)
        self._made: dict[int, tuple[Part, ...]] = {}

    def parts(self, shape: int) -> tuple[Part, ...]:
        """Of a shape number of the draw list; none for what has no triangles, as a hull that a mesh lacks."""
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
    """Of a shape as `tessellate` makes it."""
    return Part(shape[0], shape[1].reshape(-1, 3), shift, stretch)


def capsule() -> tuple[Part, ...]:
    """Upper half sphere, tube, lower half sphere."""
    ends = []
    for first, shift in ((0.0, 1.0), (np.pi / 2, -1.0)):
        at = tessellate.sphere_rows(SLICES, np.linspace(first, first + np.pi / 2, STACKS // 2 + 1))
        ends.append(part((tessellate.pack(at, at), tessellate.grid_indices(STACKS // 2 + 1, SLICES + 1)), shift))
    return ends[0], part(tessellate.tube(SLICES), stretch=True), ends[1]


class Textures:
    """Pictures of a model's textures."""

    def __init__(self, m: Any) -> None:
        self.m = m
        self._made: dict[int, Image.Image] = {}

    def pixels(self, i: int) -> np.ndarray:
        """(height, width, channels) uint8, in the order in which the model has the rows."""
        m = self.m
        w, h, channels, adr = (int(getattr(m, "tex_" + k)[i]) for k in ("width", "height", "nchannel", "adr"))
        return np.asarray(m.tex_data)[adr : adr + w * h * channels].reshape(h, w, channels)

    def picture(self, i: int) -> Image.Image:
        """A flat texture."""
        if i not in self._made:
            self._made[i] = Image.fromarray(np.ascontiguousarray(self.pixels(i)[:, :, :3]))
        return self._made[i]

    def mean(self, i: int) -> np.ndarray:
        """Mean colour, 0..1: of what is wrapped around as a cube, which a browser's meshes cannot show."""
        return self.pixels(i)[:, :, :3].reshape(-1, 3).mean(0) / 255


def coordinates(part: Part, tex: np.ndarray) -> np.ndarray:
    """Texture coordinates (n, 2) of a part; `tex` is that of a record of the draw list: mode and two repeats. v grows downwards
    in the picture.
    """
    if tex[0] == GIVEN:
        return part.vertices[:, 6:8].astype(float)
    return 0.5 * part.vertices[:, :2] * (tex[1], -tex[2]) - 0.5


def is_cube(tex: np.ndarray) -> bool:
    """Whether a record's texture is wrapped around as a cube."""
    return bool(tex[0] == CUBE)


def textured(part: Part, uv: np.ndarray, picture: Image.Image, rgba: np.ndarray) -> bytes:
    """A part with a texture as a GLB file; `rgba` 0..1 multiplies the picture."""
    # trimesh has v grow upwards
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
    """Colours of a screen (sRGB, IEC 61966-2-1) as shares of light."""
    rgb = np.clip(rgb, 0, 1)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
