"""Images for publication. Each image is the mean of many samples, for which the camera and the lights are shifted slightly.

    what is shifted in each sample                    its effect on the mean
    the pixel grid, within a pixel                    smooth edges
    the camera, on the disk of its lens               depth of field
    each light, on the disk it subtends               shadows that are sharp at their caster and soften with distance
    lights from the sky, in all directions            environment light that does not reach corners (ambient occlusion)
    facets of rough surfaces                          blurred reflections of the sky in metals

Light, shadows and lens therefore need no other approximation, and settings that are off cost no time. Large images are
drawn in tiles.
"""

import math
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import qmc

from ..engine.tables.enums import mjtGeom, mjtLightType, mjtRndFlag, mjtTexture
from .gl.frame import MAXLIGHT, MAXSHADOW
from .gl.image import read_pixels
from .gl.lighting import PIXEL
from .gl.materials import Surroundings
from .gl.quality import Quality
from .gl.renderer import Renderer
from .gl.targets import Target
from .look import Look
from .offscreen import Renderer as OffscreenRenderer
from .scene.abstract import drawn
from .scene.rotate import cross, normalize, z_to

SKY, SHADOW = int(mjtRndFlag.mjRND_SKYBOX), int(mjtRndFlag.mjRND_SHADOW)
PLANE, IMAGE, SKYBOX = int(mjtGeom.mjGEOM_PLANE), int(mjtLightType.mjLIGHT_IMAGE), int(mjtTexture.mjTEXTURE_SKYBOX)
DIRECTIONAL = int(mjtLightType.mjLIGHT_DIRECTIONAL)
# Quality of a single sample; taking the mean antialiases edges and shadows.
EFFORT = Quality(2048, 1, 48, 32, 1.0, 0)
# TILE: maximum side length of a tile in pixels. SMALL: image size that a Studio passes to its base class; `picture` ignores it.
TILE, SMALL = 2048, 16
# Fraction of a headlight that becomes uniform light, because a headlight hardly lights oblique surfaces.
HEAD = 0.5
# Brightness from above and from below if the model has no sky.
ABOVE, BELOW = 0.8, 0.3
# Number of directions over which a sky is averaged.
MANY = 2048
# LOOK: side length of the image that measures the distance at the center. COARSE: side length to which sky images are reduced.
LOOK, COARSE = 9, 8
GOLDEN = math.pi * (3 - math.sqrt(5))
# Lower limit for the brightness of a sky.
DARKEST = 1e-3


@dataclass(frozen=True)
class Tile:
    """A part of an image, in pixels from the image's lower left corner."""

    x: int
    y: int
    w: int
    h: int


def tiles(width: int, height: int, side: int = TILE) -> Iterator[Tile]:
    """Yield tiles that cover an image, none larger than `side`."""
    for y in range(0, height, side):
        for x in range(0, width, side):
            yield Tile(x, y, min(side, width - x), min(side, height - y))


class Photographer:
    """Takes images of scenes with a Renderer, whose context must be current."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self.target = Target(what="studio")

    def picture(self, scene: Any, width: int, height: int, look: Look, side: int = TILE) -> np.ndarray:
        """Return an image of a scene, top row first: (height, width, 3) uint8 or, if transparent, (height, width, 4) with
        straight alpha.
        """
        steps = self.steps(scene, width, height, look, side)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value

    def steps(self, scene: Any, width: int, height: int, look: Look, side: int = TILE) -> Generator[None, None, np.ndarray]:
        """Take a `picture` in small steps; between them, the renderer can draw something else. The generator returns the image.

        Later changes of the scene do not affect the image.
        """
        if width <= 0 or height <= 0:
            raise ValueError(f"a picture of {width} x {height} pixels is empty")
        given, work = (type(scene)(self.renderer.model, max(scene.ngeom, 1)) for _ in range(2))
        given.snapshot(scene)
        work.snapshot(scene)
        with self._renderer(look):
            shot = Shot(self.renderer, work, given, width, height, look)

        # Each tile is the mean of all samples.
        out = np.empty((height, width, 4), np.uint8)
        for tile in tiles(width, height, side):
            total = np.zeros((tile.h, tile.w, 4), np.float32)
            for k in range(look.samples):
                with self._renderer(look):
                    self.renderer.studio = shot.place(k, tile)
                    self.target.resize(tile.w, tile.h)
                    self.renderer.draw(work, (0, 0, tile.w, tile.h), self.target.fbo)
                    total += read_pixels(self.target.fbo, tile.w, tile.h)
                yield
            out[height - tile.y - tile.h : height - tile.y, tile.x : tile.x + tile.w] = mean(
                total / look.samples, look.transparent
            )
        return out if look.transparent else np.ascontiguousarray(out[:, :, :3])

    @contextmanager
    def _renderer(self, look: Look) -> Iterator[None]:
        """Set up the renderer for samples in this block; restore it afterwards."""
        r = self.renderer
        kept = r.quality, r.lighting, r.background, r.studio
        r.quality, r.lighting = EFFORT, PIXEL
        if look.transparent:
            r.background = 0.0, 0.0, 0.0
        try:
            yield
        finally:
            r.quality, r.lighting, r.background, r.studio = kept

    def close(self) -> None:
        """Free the GPU objects, except the Renderer."""
        self.target.free()


def mean(total: np.ndarray, transparent: bool) -> np.ndarray:
    """Convert a mean image (h, w, 4) to uint8. In transparent images, divide by alpha, because the colors are
    premultiplied."""
    if transparent:
        alpha = total[:, :, 3:]
        np.divide(255 * total[:, :, :3], alpha, out=total[:, :, :3], where=alpha > 0)
    return np.clip(np.rint(total), 0, 255).astype(np.uint8)


class Studio(OffscreenRenderer):
    """A Renderer of a model that also takes images of any size. RuntimeError without OpenGL.

    model: the model whose scenes it draws
    max_geom: maximum number of geoms in a scene
    """

    def __init__(self, model: Any, max_geom: int = 100_000) -> None:
        self._photographer: Photographer | None = None
        super().__init__(model, SMALL, SMALL, max_geom, lighting=PIXEL.name)

    def picture(self, width: int, height: int, look: Look | None = None) -> np.ndarray:
        """Return an image of the scene, top row first: uint8 (height, width, 3), or (height, width, 4) with alpha if the look
        is transparent. Only memory limits the size. RuntimeError after close.

        width, height: size of the image in pixels
        look: settings; None: `Look()`
        """
        if self._gl is None or self._gl_context is None:
            raise RuntimeError("picture cannot be called after close.")
        self._gl_context.make_current()
        if self._photographer is None:
            self._photographer = Photographer(self._gl.renderer)
        return self._photographer.picture(self.scene, width, height, look or Look())

    def close(self) -> None:
        """Free the context and everything in it; safe to call twice."""
        if self._photographer is not None and self._gl_context is not None:
            self._gl_context.make_current()
            self._photographer.close()
            self._photographer = None
        super().close()


class Shot:
    """The shifts for the samples of one image. `given` is the original scene, `scene` the shifted one."""

    def __init__(self, renderer: Renderer, scene: Any, given: Any, width: int, height: int, look: Look) -> None:
        self.renderer, self.scene, self.given, self.look = renderer, scene, given, look
        self.width, self.height = width, height

        # Use evenly distributed random numbers: four for camera and lens, two per light, two for facets.
        self.lights = [i for i in range(given.nlight) if given.light.type[i] != IMAGE and not given.light.headlight[i]]
        self.numbers = spread(look.samples, 4 + 2 * len(self.lights) + 2)

        # Lights from the sky use those shadow maps that the scene's lights leave free.
        cast = sum(bool(given.light.castshadow[i]) for i in self.lights)
        self.room = max(0, min(MAXSHADOW - min(cast, MAXSHADOW), MAXLIGHT - given.nlight)) if drawn(scene)[SHADOW] else 0
        self.even = self._even()
        self.ways = sphere(look.samples * self.room)
        self.sky = Sky(renderer.model)
        self.around, self.ground = (
            (*(look.environment * self.sky.balance).tolist(), float(self.sky.faces is not None)),
            self._ground(),
        )
        self.focus = look.focus or (self._middle() if look.aperture else 0.0)

        if look.transparent:
            drawn(scene)[SKY] = 0
        if not look.ground:
            flat = scene.geom.type[: scene.ngeom] == PLANE
            scene.geom.rgba[: scene.ngeom][flat, 3] = 0.0
            scene.geom.castshadow[: scene.ngeom][flat] = 0

    def _even(self) -> np.ndarray:
        """Return the scene's uniform light (3,), which light from the sky replaces."""
        rows, n = self.given.light, self.given.nlight
        head = rows.headlight[:n] != 0
        even = rows.ambient[:n].sum(0) + HEAD * rows.diffuse[:n][head].sum(0)
        return self.look.environment * (even if self.room else np.zeros(3))

    def _ground(self) -> tuple[float, float, float, float]:
        """Return the approximate color of the first plane, when lit and seen from above. The fourth number is 0 if there is
        no plane."""
        m, rows, n = self.renderer.model, self.given.geom, self.given.ngeom
        flat = np.flatnonzero((rows.type[:n] == PLANE) & (rows.rgba[:n, 3] > 0))
        if not len(flat) or not self.look.ground:
            return 0.0, 0.0, 0.0, 0.0

        # Multiply the plane's color by the mean color of its texture.
        plane = int(flat[0])
        color = rows.rgba[plane, :3].astype(float)
        texture = int(self.renderer.tables.mat_tex[rows.matid[plane]]) if 0 <= rows.matid[plane] < m.nmat else -1
        if texture >= 0 and self.renderer.textures.flat[texture]:
            color *= texels(m, texture).mean((0, 1))

        # Compute the light that falls on the plane.
        normal, light = rows.mat[plane].reshape(3, 3)[:, 2], self.given.light
        falls = sum(
            (max(0.0, -float(normalize(light.dir[i])[0] @ normal)) * light.diffuse[i] for i in self.lights), np.zeros(3)
        )
        return (*np.clip(color * (self.even + falls), 0, 1).tolist(), 1.0)

    def _middle(self) -> float:
        """Return the distance along the view direction at the center of the image; return the model's extent if nothing is
        there."""
        _, distance = self.renderer.draw_ids(self.scene, LOOK, LOOK)
        found = float(distance[LOOK // 2, LOOK // 2])
        return found if math.isfinite(found) else float(self.renderer.model.stat.extent)

    def place(self, k: int, tile: Tile) -> Surroundings:
        """Set camera and lights of sample k for a tile; return the shader inputs."""
        u = self.numbers[k]
        # A single sample is not shifted.
        shift = u[:2] - 0.5 if self.look.samples > 1 else np.zeros(2)
        lens = 0.5 * self.look.aperture * self.focus * disk(u[2:4])
        for eye in (0, 1):
            self._camera(self.scene.camera[eye], self.given.camera[eye], tile, shift, lens)

        light, old = self.scene.light, self.given.light
        for j, i in enumerate(self.lights):
            self._light(i, math.tan(math.radians(self.look.softness)) * disk(u[4 + 2 * j : 6 + 2 * j]))

        # Light from the sky replaces a part of ambient light and headlights.
        if self.room and self.look.environment:
            n, keep = self.given.nlight, 1 - self.look.environment
            light.ambient[:n] = keep * old.ambient[:n]
            head = old.headlight[:n] != 0
            light.diffuse[:n][head] = keep * old.diffuse[:n][head]
            self._environment(k)
        return Surroundings((float(u[-2]), float(u[-1]), tile.x, tile.y), self.around, self.ground, (ABOVE, BELOW))

    def _camera(self, cam: Any, given: Any, tile: Tile, shift: np.ndarray, lens: np.ndarray) -> None:
        """Set the camera to a tile's part of the view, seen from a point on the lens. Objects in focus do not move in the
        image."""
        bottom, top = given.frustum_bottom, given.frustum_top
        half = given.frustum_width or 0.5 * self.width / self.height * (top - bottom)
        left, pixel, upward = given.frustum_center - half, 2 * half / self.width, (top - bottom) / self.height
        x, y = tile.x + shift[0], tile.y + shift[1]
        cam.frustum_center, cam.frustum_width = left + pixel * (x + 0.5 * tile.w), 0.5 * pixel * tile.w
        cam.frustum_bottom, cam.frustum_top = bottom + upward * y, bottom + upward * (y + tile.h)

        # Shift the camera, and shear the frustum so that the focal plane does not move.
        if not given.orthographic and self.focus > 0:
            forward, up = np.asarray(given.forward, float), np.asarray(given.up, float)
            side = normalize(cross(forward, up))[0]
            cam.pos = given.pos + lens[0] * side + lens[1] * normalize(cross(side, forward))[0]
            back = given.frustum_near / self.focus
            cam.frustum_center -= lens[0] * back
            cam.frustum_bottom, cam.frustum_top = cam.frustum_bottom - lens[1] * back, cam.frustum_top - lens[1] * back

    def _light(self, i: int, offset: np.ndarray) -> None:
        """Shift a light on its disk. `offset`: a fraction of the light's distance from the model's center."""
        light, old = self.scene.light, self.given.light
        way = np.asarray(old.dir[i], float)
        off = z_to(way[None])[0][:, :2] @ offset
        if int(old.type[i]) == DIRECTIONAL:
            light.dir[i] = normalize(normalize(way)[0] + off)[0]
            return
        distance = float(np.linalg.norm(np.asarray(self.renderer.model.stat.center) - old.pos[i]))
        light.pos[i] = old.pos[i] + distance * off

    def _environment(self, k: int) -> None:
        """Add lights from the sky after the scene's lights. Each has a different direction; together, the lights of all samples
        cover all directions."""
        scene, ways = self.scene, self.ways[k :: self.look.samples]
        first = self.given.nlight
        scene.nlight = first + self.room
        color = self.sky.light(ways)
        for j in range(self.room):
            light = scene.lights[first + j]
            light.reset()
            light.id, light.texid, light.type, light.headlight, light.castshadow = -1, -1, DIRECTIONAL, 0, 1
            light.dir, light.pos = -ways[j], np.zeros(3)
            # A cosine, clipped at 0, has the mean 1/4 over all directions.
            light.diffuse, light.specular, light.ambient = 4 / self.room * self.even * color[j], np.zeros(3), np.zeros(3)


class Sky:
    """Light from a model's surroundings as a function of direction: from the model's sky, or from a gradient between above and
    below."""

    def __init__(self, m: Any) -> None:
        found = np.flatnonzero(np.asarray(m.tex_type) == SKYBOX)
        self.faces = coarse(m, int(found[0])) if len(found) else None
        # Normalize brightness, so that a horizontal white surface keeps it, and normalize color like a camera's white balance.
        ways = sphere(MANY)
        self.level = np.maximum(4 * (np.maximum(ways[:, 2:], 0) * self.color(ways)).mean(0), DARKEST)
        self.balance = self.level.mean() / self.level

    def light(self, ways: np.ndarray) -> np.ndarray:
        """Return the light (n, 3) from directions (n, 3); the total on a horizontal surface is 1."""
        return self.color(ways) / self.level

    def color(self, ways: np.ndarray) -> np.ndarray:
        """Return the sky's colors (n, 3), 0..1, in directions (n, 3)."""
        if self.faces is None:
            return np.repeat(BELOW + (ABOVE - BELOW) * 0.5 * (1 + ways[:, 2:]), 3, 1)

        # Convert to the sky's axes; the second axis is up.
        x, y, z = ways[:, 0], ways[:, 2], -ways[:, 1]
        size = np.abs(np.stack([x, y, z], 1))
        axis = size.argmax(1)
        way = np.stack([x, y, z], 1)[np.arange(len(ways)), axis] < 0

        # Cube faces and their axes: OpenGL 3.3 core, table 3.19.
        s = np.choose(axis, (np.where(way, z, -z), x, np.where(way, -x, x)))
        t = np.choose(axis, (-y, np.where(way, -z, z), -y))
        places = [np.clip((COARSE * 0.5 * (v / size.max(1) + 1)).astype(int), 0, COARSE - 1) for v in (t, s)]
        return self.faces[2 * axis + way, places[0], places[1]]


def texels(m: Any, i: int) -> np.ndarray:
    """Return a texture's colors (height, width, 3), 0..1."""
    w, h, channels, adr = (int(getattr(m, "tex_" + k)[i]) for k in ("width", "height", "nchannel", "adr"))
    return np.asarray(m.tex_data)[adr : adr + w * h * channels].reshape(h, w, channels)[:, :, :3] / 255


def coarse(m: Any, i: int) -> np.ndarray:
    """Return the colors (6, COARSE, COARSE, 3), 0..1, of the faces of a cube texture."""
    image = texels(m, i)
    h, w = image.shape[:2]
    # A square image is used for all six faces.
    faces = np.stack([image if h == w else image[k * w : (k + 1) * w] for k in range(6)])
    edges = np.linspace(0, w, COARSE + 1).astype(int)
    parts = np.stack([faces[:, a : max(b, a + 1)].mean(1) for a, b in zip(edges, edges[1:], strict=False)], 1)
    return np.stack([parts[:, :, a : max(b, a + 1)].mean(2) for a, b in zip(edges, edges[1:], strict=False)], 2)


def sphere(n: int) -> np.ndarray:
    """Return n evenly distributed directions (n, 3), on a spiral from top to bottom (Vogel 1979)."""
    k = np.arange(n)
    z = 1 - (2 * k + 1) / max(n, 1)
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(GOLDEN * k), r * np.sin(GOLDEN * k), z], 1)


def spread(count: int, size: int) -> np.ndarray:
    """Return points (count, size) that fill the unit cube evenly (Sobol 1967), with a common shift (Cranley and Patterson
    1976)."""
    points = qmc.Sobol(size, scramble=False).random_base2(math.ceil(math.log2(count)))[:count]
    return (points + np.random.default_rng(0).random(size)) % 1.0


def disk(u: np.ndarray) -> np.ndarray:
    """Map a point of the unit square to the unit disk (2,), preserving areas."""
    r, angle = math.sqrt(float(u[0])), 2 * math.pi * float(u[1])
    return r * np.array([math.cos(angle), math.sin(angle)])
