"""The sky in browsers: a large sphere around the model, in the colors of the model's sky or of the viewer's backdrop."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import trimesh
from PIL import Image
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from ...engine.tables.enums import mjtTexture
from .shapes import Textures
from .tone import encoded, untoned

SKYBOX = int(mjtTexture.mjTEXTURE_SKYBOX)
# Radius relative to the model's extent, and its limits in metres: inside the far plane of browsers' cameras.
RADIUS, LEAST, MOST = 40.0, 30.0, 400.0
# Rows of the gradient, rings and segments of the sphere.
ROWS, RINGS, SEGMENTS = 256, 24, 48
# Faces of a cube texture: above, below, and the others.
UP, DOWN, SIDES = 2, 3, (0, 1, 4, 5)
# Colors of the zenith, the horizon and the nadir for a model without a sky.
BACKDROP = np.array(((0.10, 0.12, 0.15), (0.22, 0.25, 0.33), (0.16, 0.19, 0.25)))


def gradient(m: Any) -> np.ndarray:
    """Return the sky's colors (ROWS, 3), 0..1, from the zenith to the nadir."""
    found = np.flatnonzero(np.asarray(m.tex_type) == SKYBOX)
    elevation = np.linspace(90, -90, ROWS)
    if not len(found):
        return np.stack([np.interp(elevation, (-90, 0, 90), BACKDROP[::-1, k]) for k in range(3)], 1)
    pixels = Textures(m).pixels(int(found[0]))[:, :, :3] / 255
    width = pixels.shape[1]
    faces = pixels.reshape(-1, width, width, 3)
    # Seen from the center, the middle column of a side reaches from 45 degrees above the horizon to 45 degrees below it.
    heights = np.degrees(np.arctan(np.linspace(1, -1, width)))
    sides = np.mean([faces[k % len(faces)][:, width // 2] for k in SIDES], 0)
    up, down = (faces[k % len(faces)].mean((0, 1)) for k in (UP, DOWN))
    at = np.concatenate([[-90], heights[::-1], [90]])
    colors = np.concatenate([[down], sides[::-1], [up]])
    return np.stack([np.interp(elevation, at, colors[:, k]) for k in range(3)], 1)


def dome(colors: np.ndarray) -> bytes:
    """Return a sphere of radius 1, seen from inside, as a GLB file that shines in these colors."""
    polar, around = np.meshgrid(np.linspace(0, np.pi, RINGS + 1), np.linspace(0, 2 * np.pi, SEGMENTS + 1), indexing="ij")
    points = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], -1).reshape(-1, 3)
    uv = np.stack([around / (2 * np.pi), 1 - polar / np.pi], -1).reshape(-1, 2)
    first = (np.arange(RINGS)[:, None] * (SEGMENTS + 1) + np.arange(SEGMENTS)).ravel()
    below = first + SEGMENTS + 1
    faces = np.concatenate([np.stack([first, first + 1, below], 1), np.stack([first + 1, below + 1, below], 1)])
    # Browsers map the brightness of all colors; the inverse of this mapping is sent.
    shown = np.round(255 * encoded(untoned(colors))).astype(np.uint8)
    picture = Image.fromarray(np.repeat(shown[:, None], 4, 1))
    material = PBRMaterial(
        baseColorFactor=[0, 0, 0, 255],
        emissiveTexture=picture,
        emissiveFactor=[1.0, 1.0, 1.0],
        metallicFactor=0.0,
        roughnessFactor=1.0,
    )
    mesh = trimesh.Trimesh(points, faces, process=False, visual=TextureVisuals(uv=uv, material=material))
    out = io.BytesIO()
    mesh.export(out, file_type="glb")
    return out.getvalue()


def add(server: Any, m: Any) -> None:
    """Show the sky of a model in browsers."""
    radius = min(max(RADIUS * float(m.stat.extent), LEAST), MOST)
    server.scene.add_glb(
        "/sky",
        dome(gradient(m)),
        scale=radius,
        position=np.asarray(m.stat.center, float),
        cast_shadow=False,
        receive_shadow=False,
    )
