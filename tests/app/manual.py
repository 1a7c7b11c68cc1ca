"""Take the screenshots of the manual from a real window: python -m tests.app.manual [FOLDER]"""

from __future__ import annotations

import pathlib
import sys
import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

from PIL import Image

from tests.app.driver import ROOT, Viewer, XServer

MODEL = ROOT / "assets" / "models" / "humanoid.xml"
FOLDER = ROOT / "assets" / "manual"
SIZE = 1200, 800
# seconds after which a still view has been drawn at full quality, and is no longer redrawn
RESTED, PATIENCE = 1.5, 60.0
FALL = 0.4
CLOSED = dict.fromkeys(("joint", "control", "option", "simulation"), False)


class Picture(NamedTuple):
    """Name of the file, panels besides the default ones, and user actions before the screenshot."""

    name: str
    panels: dict
    act: Callable[[Viewer], None]


def press(*keys: str) -> Callable[[Viewer], None]:
    def act(viewer: Viewer) -> None:
        for key in keys:
            viewer.key(key)
            time.sleep(0.3)

    return act


def fall(viewer: Viewer) -> None:
    """Information and profiler while the simulation runs, then a pause during the fall."""
    press("f2", "f3")(viewer)
    time.sleep(1.0)
    viewer.key("backspace")
    viewer.until(lambda r: FALL < r["time"] < 2)
    viewer.key("space")


def isolate(viewer: Viewer) -> None:
    """The body under the mouse opaque, all others faded."""
    press("space", "backspace")(viewer)
    x, y, w, h = viewer.fresh()["rect"]
    for share in (0.42, 0.46, 0.5, 0.38):
        viewer.click(x + 0.5 * w, y + share * h, times=2)
        time.sleep(0.6)
        if viewer.fresh()["selected"]:
            break
    viewer.key("ctrl+shift+i")
    viewer.until(lambda r: any(r["looks"]["geom"]))


def mistake(viewer: Viewer) -> None:
    """An edit with a typing error."""
    press("space", "backspace")(viewer)
    path = pathlib.Path(viewer.row()["path"])
    path.write_text(path.read_text().replace('name="thigh_left"', 'nmae="thigh_left"', 1))
    viewer.until(lambda r: r["failure"])


def rest(viewer: Viewer) -> None:
    """Wait until no more frames are drawn."""
    end, count, since = time.monotonic() + PATIENCE, -1, time.monotonic()
    while time.monotonic() < min(end, since + RESTED):
        if (now := viewer.row()["frame"]) != count:
            count, since = now, time.monotonic()
        time.sleep(0.1)


PICTURES = (
    Picture("viewer", {}, fall),
    Picture("help", {}, press("space", "backspace", "f1")),
    Picture("explorer", {"explorer": True, "element": True, **CLOSED}, isolate),
    Picture("source", {"source": True, **CLOSED}, mistake),
)


def take(picture: Picture, folder: pathlib.Path) -> None:
    """Take one screenshot of the window."""
    server = XServer((SIZE[0], SIZE[1]))
    with tempfile.TemporaryDirectory() as scratch:
        model = pathlib.Path(scratch) / MODEL.name
        model.write_text(MODEL.read_text())
        viewer = Viewer(server, pathlib.Path(scratch), str(model), {"panels": picture.panels}, SIZE)
        try:
            viewer.started()
            picture.act(viewer)
            rest(viewer)
            Image.fromarray(viewer.picture()).save(folder / f"{picture.name}.png", optimize=True)
        finally:
            viewer.close()
            server.close()


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        take(picture, folder)


if __name__ == "__main__":
    main()
