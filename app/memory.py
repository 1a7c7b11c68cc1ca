"""Settings of each model file that are kept between sessions: camera, watch list, speed and noise.

They are stored in one row of the settings: a table by path, with the most recently used file last. The oldest entries are
dropped. Elements are stored by name, so that they are found again in an edited model. Values that equal the model's own are not
stored.
"""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from ..ui import intents as I
from ..ui import plotting
from ..ui.panel.simulation import speed_label
from ..ui.panel.watch import Watched
from .pacing import SPEEDS, nearest_speed
from .parts import Parts

# maximum number of model files remembered, and of watched values for each
FILES = 64
WATCHED = 64
LONGEST = 300
# rounding error of stored numbers: half a unit of their last digit
SAME = 5e-7


def keep(s: Parts) -> None:
    """Store the state of the window in the settings, except for models made by a script."""
    if s.host.passive or s.snapshot.m is None or not os.path.exists(s.document.path):
        return
    now = entry(
        s.view,
        s.snapshot.m,
        s.scratch.of(Watched).rows,
        s.host.status.peek(),
        s.scratch.of(plotting.Plots).rows,
    )
    table = {path: value for path, value in s.config["models"].items() if path != s.document.path}
    if now:
        table[s.document.path] = now
    s.config["models"] = dict(list(table.items())[-FILES:])


def recall(s: Parts, fresh: bool) -> None:
    """Restore the stored settings of a model that was just loaded; after a reload, restore only those that loading resets."""
    stored = s.config["models"].get(s.document.path)
    if s.host.passive or not isinstance(stored, dict):
        return

    said = []
    if (speed := _number(stored.get("speed"), 0.0, math.inf)) is not None:
        index = min(range(len(SPEEDS)), key=lambda i: abs(math.log(min(SPEEDS[i], 1e9)) - math.log(min(max(speed, 1e-9), 1e9))))
        s.host.post(I.SetSpeed(index))
        said.append(f"speed {speed_label(SPEEDS[index])}")
    if not fresh:
        return

    noise = stored.get("noise")
    if isinstance(noise, list) and len(noise) == 2 and None not in (pair := [_number(x, 0.0, 100.0) for x in noise]):
        s.host.post(I.SetNoise(*pair))
        said.append(f"noise {pair[0]:.3g}")
    if plots := plotting.recalled(stored.get("plots")):
        s.scratch.of(plotting.Plots).rows = plots
        s.host.post(I.Follow(plotting.channels(plots)))
    watch = stored.get("watch")
    if isinstance(watch, list):
        s.scratch.of(Watched).rows = [text for text in watch if isinstance(text, str)][:WATCHED]
    camera = stored.get("camera")
    if isinstance(camera, dict):
        set_camera(s.view, s.snapshot.m, camera)

    # Report settings that change how the model moves.
    if said:
        s.messages.note("info", f"Restored from the last session: {', '.join(said)}", show=True)


def entry(view: Any, m: Any, watch: list[str], status: Any, plots: tuple = ()) -> dict[str, Any]:
    """Return the settings to store; empty if all have their defaults."""
    out: dict[str, Any] = {}
    if camera := get_camera(view, m):
        out["camera"] = camera
    if (texts := [text[:LONGEST] for text in watch if text.strip()][:WATCHED]) != Watched().rows:
        out["watch"] = texts
    if plots:
        out["plots"] = plotting.kept(plots)
    if status.speed != nearest_speed(100 * float(m.vis.global_.realtime)):
        # JSON cannot represent infinity.
        out["speed"] = min(SPEEDS[status.speed], 1e9)
    if status.noise_std:
        out["noise"] = [status.noise_std, status.noise_rate]
    return out


def get_camera(view: Any, m: Any) -> dict[str, Any]:
    """Return the camera as a table; empty if it is the model's initial camera."""
    cam, first = view.cam, mjv.MjvCamera()
    view.free_camera(first)
    start = int(m.vis.global_.cameraid)
    out: dict[str, Any] = {}
    moved = any(
        np.abs(np.asarray(getattr(cam, name)) - np.asarray(getattr(first, name))).max() > SAME
        for name in ("lookat", "distance", "azimuth", "elevation")
    )

    # Store only a camera that the user has moved, so that an unmoved one follows edits of the model's initial camera.
    if moved and np.isfinite([*cam.lookat, cam.distance, cam.azimuth, cam.elevation]).all():
        out = {
            "lookat": [round(float(x), 6) for x in cam.lookat],
            **{name: round(float(getattr(cam, name)), 6) for name in ("distance", "azimuth", "elevation")},
        }

    fixed, tracking = mj.mjtCamera.mjCAMERA_FIXED, mj.mjtCamera.mjCAMERA_TRACKING
    if cam.type == fixed and cam.fixedcamid != start:
        out["fixed"] = name_of(m, "CAMERA", int(cam.fixedcamid))
    elif cam.type == tracking:
        out["tracking"] = name_of(m, "BODY", int(cam.trackbodyid))
    elif cam.type not in (fixed, tracking) and 0 <= start < m.ncam:
        # The model starts with one of its cameras, but the user has chosen the free one.
        out["free"] = True

    return out


def set_camera(view: Any, m: Any, stored: dict[str, Any]) -> None:
    """Restore the camera. Values that no longer fit the model are ignored."""
    cam = view.cam
    lookat = stored.get("lookat")
    if isinstance(lookat, list) and len(lookat) == 3 and None not in (point := [_number(x) for x in lookat]):
        cam.lookat[:] = point
    for name, low in (("distance", 1e-6), ("azimuth", -1e6), ("elevation", -1e6)):
        if (value := _number(stored.get(name), low)) is not None:
            setattr(cam, name, value)
    if (camera := id_of(m, "CAMERA", stored.get("fixed"))) >= 0:
        view.set_camera(2 + camera)
    elif (body := id_of(m, "BODY", stored.get("tracking"))) > 0:
        view.select(body)
        view.set_camera(1)
    elif stored.get("free") is True:
        view.set_camera(0)


def name_of(m: Any, kind: str, i: int) -> str | int:
    """Return the name of an element, or its number if it has none."""
    return mj.mj_id2name(m, getattr(mj.mjtObj, f"mjOBJ_{kind}"), i) or i


def id_of(m: Any, kind: str, name: Any) -> int:
    """Return the id of an element by name or number; -1 if the model has no such element."""
    if isinstance(name, str):
        return mj.mj_name2id(m, getattr(mj.mjtObj, f"mjOBJ_{kind}"), name)
    count = m.ncam if kind == "CAMERA" else m.nbody
    return name if isinstance(name, int) and not isinstance(name, bool) and 0 <= name < count else -1


def _number(value: Any, low: float = -1e9, high: float = 1e9) -> float | None:
    """Return a finite number in a range, or None."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if fits and low <= value <= high else None
