"""Pictures in panels: sensors whose values are an image, and images from a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from .. import engine as mj
from . import widgets
from .context import Context
from .element_names import name

CHANNELS = 3


def image_sensors(m: Any) -> list[tuple[int, int, int]]:
    """Return (sensor, width, height) of each user sensor that has as many values as an RGB image of this size.

    Width and height are the first two integer parameters of the sensor, or its first two user numbers.
    """
    out = []
    for i in range(m.nsensor):
        if int(m.sensor_type[i]) != int(mj.mjtSensor.mjSENS_USER):
            continue
        dim = int(m.sensor_dim[i])
        candidates = [m.sensor_intprm[i][:2], m.sensor_user[i][:2] if m.nuser_sensor >= 2 else (0, 0)]
        for width, height in ((int(a), int(b)) for a, b in candidates):
            if width > 0 and height > 0 and width * height * CHANNELS == dim:
                out.append((i, width, height))
                break
    return out


def pixels(m: Any, d: Any, sensor: int, width: int, height: int) -> np.ndarray:
    """Return the values of an image sensor as (height, width, 3) bytes. If all values are at most 1, they are fractions
    of 255.
    """
    begin = int(m.sensor_adr[sensor])
    data = np.nan_to_num(np.asarray(d.sensordata[begin : begin + width * height * CHANNELS], float))
    scale = 255.0 if data.size and data.max() <= 1.0 else 1.0
    return np.clip(data * scale, 0, 255).astype(np.uint8).reshape(height, width, CHANNELS)


@dataclass
class Picked:
    """The choice for the sensor plot: 0 means bars, k means the k-th image sensor (from 1)."""

    row: int = 0


def chosen(ctx: Context) -> tuple[int, int, int] | None:
    """Return the image sensor that the plot shows instead of bars, or None."""
    rows = image_sensors(ctx.m) if ctx.m.nsensor else []
    pick = ctx.scratch.of(Picked).row
    return rows[pick - 1] if 0 < pick <= len(rows) else None


def choice(ctx: Context) -> None:
    """If there are image sensors, draw a list to choose from: bars of all sensors, or the image of one."""
    rows = image_sensors(ctx.m) if ctx.m.nsensor else []
    if not rows:
        return
    widgets.row("Sensor", 5.5, "Values in the sensor plot")
    items = ["All, as bars", *(name(ctx.m, "sensor", i) for i, _w, _h in rows)]
    if (new := widgets.choice("imagesensor", ctx.scratch.of(Picked).row, items)) is not None:
        ctx.scratch.of(Picked).row = new


def show(ctx: Context, key: Any, image: np.ndarray, size: tuple[float, float]) -> None:
    """Draw an image as large as `size` allows, with its own aspect ratio."""
    height, width = image.shape[:2]
    scale = min(size[0] / width, size[1] / height)
    texture = ctx.texture(key, image) if ctx.texture else 0
    if texture:
        imgui.image(imgui.ImTextureRef(texture), ImVec2(width * scale, height * scale))
    else:
        imgui.dummy(ImVec2(width * scale, height * scale))


def sensor(ctx: Context, row: tuple[int, int, int], size: tuple[float, float]) -> None:
    """Draw the picture of an image sensor with its name."""
    i, width, height = row
    with widgets.font(ctx.fonts.bold, 0.88):
        imgui.text_unformatted(name(ctx.m, "sensor", i))
    room = size[1] - imgui.get_text_line_height_with_spacing()
    show(ctx, ("sensor", i), pixels(ctx.m, ctx.d, i, width, height), (size[0], max(room, 8.0)))


def user(ctx: Context, images: list) -> None:
    """Draw a script's images at their positions in the window. Positions are in pixels from the lower left corner; images have
    the top row first.
    """
    spots = imgui.get_background_draw_list()
    for k, (rect, image) in enumerate(images):
        texture = ctx.texture(("user", k), image) if ctx.texture else 0
        left, top = rect.left / ctx.pixels, imgui.get_io().display_size.y - (rect.bottom + rect.height) / ctx.pixels
        if texture:
            low = ImVec2(left, top)
            spots.add_image(
                imgui.ImTextureRef(texture), low, ImVec2(left + rect.width / ctx.pixels, top + rect.height / ctx.pixels)
            )
