"""`tumble render`: pictures and films of a model without a window.

Output is a picture (.png), distances (.npy, or .png as grey levels), a film (.gif; with ffmpeg also .mp4, .mkv, .webm, .mov),
or a numbered sequence of pictures (`frame_%04d.png`).
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from PIL import Image

from .. import engine as mj
from ..render import scene as mjv
from ..render.look import PLAIN, Look, settings
from ..render.offscreen import Renderer
from .__main__ import late
from .film import NO_FFMPEG, NUMBERED, PICTURES, VIDEOS, FilmError, ffmpeg, open_film
from .told import Count, fail, opened, writable

# One error type for rendering and for writing, because both are reported in the same way.
RenderError = FilmError
# upper limit for arguments in seconds, metres or pictures per second
MOST = 1e9
# maximum width and height in pixels that graphics hardware draws at once
LARGEST = 16384
# maximum width and height in pixels of a picture drawn in tiles; memory limits it
LARGEST_IN_TILES = 65536


def size_of(text: str, largest: int = LARGEST) -> tuple[int, int]:
    """Convert `640x480` to (640, 480)."""
    found = re.fullmatch(r"(\d+)[x,](\d+)", text.strip())
    if not found or not int(found[1]) * int(found[2]):
        raise RenderError(f"size is {text!r}; write it as 640x480")
    if max(int(found[1]), int(found[2])) > largest:
        raise RenderError(f"size is {text!r}; no side can be longer than {largest}")
    return int(found[1]), int(found[2])


def kind_of(output: str, film: bool) -> str:
    """Return the kind of output: picture, array, gif, film or sequence. Raise RenderError for other suffixes."""
    suffix = os.path.splitext(output)[1].lower()
    if NUMBERED.search(output) and suffix in PICTURES:
        return "sequence"
    kinds = {".npy": "array", ".gif": "gif", **dict.fromkeys(PICTURES, "picture"), **dict.fromkeys(VIDEOS, "film")}
    if suffix not in kinds:
        raise RenderError(f"cannot write {suffix or 'a file without suffix'}; use one of {', '.join(kinds)}")
    if kinds[suffix] == "picture" and film:
        raise RenderError(f"a film of {output} needs a number in its name, such as frame_%04d{suffix}, or .gif, .mp4")
    if kinds[suffix] == "film" and not ffmpeg():
        raise RenderError(f"{suffix} {NO_FFMPEG}; write a .gif or frame_%04d.png instead")
    return kinds[suffix]


def element_id(m: Any, kind: str, count: int, text: str) -> int:
    """Return the id of an element given by name or number."""
    found = mj.mj_name2id(m, getattr(mj.mjtObj, f"mjOBJ_{kind.upper()}"), text)
    if found < 0 and text.isdigit() and int(text) < count:
        found = int(text)
    if found < 0:
        raise RenderError(f"the model has no {kind} {text!r}")
    return found


def camera_of(m: Any, options: argparse.Namespace) -> Any:
    """Return the requested camera."""
    cam = mjv.MjvCamera()
    if options.camera or options.path:
        cam.type, cam.fixedcamid = (
            int(mj.mjtCamera.mjCAMERA_FIXED),
            element_id(m, "camera", m.ncam, options.camera or options.path.split(",")[0]),
        )
        return cam
    mjv.mjv_defaultFreeCamera(m, cam)
    for name in ("azimuth", "elevation", "distance"):
        if getattr(options, name) is not None:
            setattr(cam, name, getattr(options, name))
    return cam


def frames(m: Any, d: Any, options: argparse.Namespace) -> Iterator[np.ndarray]:
    """Yield pictures at exact simulation times: (h, w, 3) bytes, or (h, w) distances in metres."""
    width, height = size_asked(options)

    # Any size is allowed here. The model's limit on the offscreen size is meant for scripts, so raise it.
    m.vis.global_.offwidth, m.vis.global_.offheight = max(width, m.vis.global_.offwidth), max(height, m.vis.global_.offheight)
    if options.key:
        mj.mj_resetDataKeyframe(m, d, element_id(m, "key", m.nkey, options.key))
    begin = d.time + options.time
    count = max(1, round(options.duration * options.fps))
    journey, told = journey_of(m, options), Count("pictures")

    with painter(m, width, height, options) as (renderer, paint):
        mj.mj_forward(m, d)
        for k in range(count):
            due = round((begin + (0 if options.freeze else k / options.fps) - d.time) / m.opt.timestep)
            if due > 0:
                mj.mj_step(m, d, due)
                # mj_step leaves the kinematics of the state before the last step; update them.
                mj.mj_forward(m, d)
            with journey.at(d, k, count) as cam:
                renderer.update_scene(d, cam)
            image = paint()
            yield segment_colors(image) if options.segmentation else image
            told(k + 1, count)

    told.close()


@contextmanager
def painter(m: Any, width: int, height: int, options: argparse.Namespace) -> Iterator[tuple[Any, Callable[[], np.ndarray]]]:
    """Yield (an object with the scene, a function that draws the scene)."""
    look = look_of(options)
    if look is not None:
        # Importing this module takes half a second.
        with late(".render.studio").Studio(m) as studio:
            yield studio, lambda: studio.picture(width, height, look)
        return
    with Renderer(m, height, width, max_geom=100_000, lighting=options.light) as renderer:
        if options.depth:
            renderer.enable_depth_rendering()
        if options.segmentation:
            renderer.enable_segmentation_rendering()
        yield renderer, renderer.render


def look_of(options: argparse.Namespace) -> Look | None:
    """Return the look of pictures; None for the look that scripts get. Options that are not given default to the studio's
    values with `--studio`, otherwise to the values for plain smooth pictures.
    """
    given = {setting.name: value for setting in settings() if (value := getattr(options, setting.name)) is not None}
    if not options.studio and not given:
        return None
    try:
        look = replace(Look() if options.studio else PLAIN, **given)
    except ValueError as error:
        raise RenderError(f"--{error}") from None
    if options.depth or options.segmentation:
        raise RenderError("images of distances or element colours have no lighting; remove the studio options")
    if look.transparent and os.path.splitext(options.output)[1].lower() not in (".png", ".webp"):
        raise RenderError("a transparent background needs .png or .webp; for films, numbered pictures (frame_%04d.png)")
    return look


def size_asked(options: argparse.Namespace) -> tuple[int, int]:
    """Return the requested width and height. Pictures that are drawn in tiles may be larger than others."""
    return size_of(options.size, LARGEST if look_of(options) is None else LARGEST_IN_TILES)


def journey_of(m: Any, options: argparse.Namespace) -> Any:
    """Return the camera's motion during a film."""
    cam, kinds = camera_of(m, options), late("journey")
    if not options.path:
        return (kinds.Turntable if options.turntable else kinds.Journey)(m, cam)
    stations = [element_id(m, "camera", m.ncam, name) for name in options.path.split(",")]
    if len(stations) < 2:
        raise RenderError("--path needs the names of at least two cameras, separated by commas")
    return kinds.Path(m, cam, stations)


def segment_colors(ids: np.ndarray) -> np.ndarray:
    """Return (h, w, 3) colors, one color per object, from (h, w, 2) object ids and types. The background is black."""
    key = ids[..., 0].astype(np.int64) * 64 + ids[..., 1] + 1
    mixed = (key * 2654435761) & 0xFFFFFF
    out = np.stack([mixed >> 16 & 255, mixed >> 8 & 255, mixed & 255], -1).astype(np.uint8) // 2 + 96
    out[ids[..., 0] < 0] = 0
    return out


def as_bytes(image: np.ndarray, near: float, far: float) -> np.ndarray:
    """Return distances as grey levels, near ones bright. Return a colour image unchanged."""
    if image.ndim == 3:
        return image
    # On a scale of inverse distances, differences between near objects remain visible in front of a far background.
    image, near, far = np.maximum(image, 1e-6), max(near, 1e-6), max(far, 2e-6)
    share = (1 / image - 1 / far) / max(1 / near - 1 / far, 1e-12)
    return np.clip(255 * share, 0, 255).astype(np.uint8)


def depth_range(image: np.ndarray) -> tuple[float, float]:
    """Return the nearest and farthest visible distance, ignoring the far plane."""
    seen = image[image < image.max()] if image.ndim == 2 else np.zeros(0)
    return (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)


def write(output: str, kind: str, images: Iterable[np.ndarray], fps: float) -> int:
    """Write all images; return their number."""
    images = iter(images)
    first = next(images)
    if kind == "array":
        rest = [first, *images]
        np.save(output, rest[0] if len(rest) == 1 else np.stack(rest))
        return len(rest)
    low, high = depth_range(first)
    flat = (as_bytes(image, low, high) for image in itertools.chain([first], images))
    if kind == "picture":
        Image.fromarray(next(flat)).save(output)
        return 1
    image = next(flat)
    film = open_film(output, fps, image.shape)
    try:
        film.add(image)
        for image in flat:
            film.add(image)
    finally:
        film.close()
    return film.count


def main(options: argparse.Namespace) -> int:
    """Run the command; return the exit status."""
    try:
        size_asked(options)
        kind = kind_of(options.output, options.duration > 0)
        for name in ("turntable", "path", "freeze"):
            if getattr(options, name) and not options.duration:
                raise RenderError(f"--{name} is for films; set the length of the film with --duration")
        for name, least in (("fps", 1e-3), ("time", 0.0), ("duration", 0.0), ("distance", 1e-6)):
            value = getattr(options, name)
            if value is not None and not least <= value <= MOST:
                raise RenderError(f"--{name} is {value:g}; it must be {'positive' if least else 'zero or more'}")
        # Check the output before rendering, which may take long.
        writable(options.output)
        with opened(options.model) as (m, d, _warning, _seconds):
            count = write(options.output, kind, frames(m, d, options), options.fps)
    except RenderError as error:
        return fail(str(error))
    except OSError as error:
        return fail(f"{error.strerror}: {error.filename}" if error.strerror and error.filename else str(error), 1)
    except MemoryError:
        return fail("not enough memory", 1)

    print(f"saved {options.output}" + (f" ({count} pictures)" if count > 1 else ""))
    return 0


COMMANDS = {"render": main}
