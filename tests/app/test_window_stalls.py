"""Long work does not block the window: frames stay short during a film, loading a large model, and compiling.

The trace gives the longest frame: the time from reading events until events can be read again. This wall time and the processor
time of the window's thread, which other processes do not lengthen, have the same bound. A busy machine or a slow rasterizer
makes all frames longer, so the bound grows with the frames before the work, and the best of some tries counts. The first try
may also compile shaders, which the system caches.
"""

import time

import numpy as np
import pytest
from PIL import Image

from tests.app.models import PENDULUM

# milliseconds
LONGEST = 100.0
# Multiple of the longest frame at rest, and number of tries.
LONGER, TRIES = 2.0, 3
# Rings of a mesh, and pixels of a texture's side.
RINGS, SIDE = 120, 1024


def longest(viewer, since):
    """Return (wall time, processor time) of the longest frame after a frame number."""
    rows = [row for row in viewer.rows if row["frame"] > since]
    return np.array([max(row[key] for row in rows) for key in ("held_ms", "busy_ms")])


def at_rest(viewer, seconds=2.0):
    """The longest frame while only the simulation runs."""
    since = viewer.fresh()["frame"]
    time.sleep(seconds)
    viewer.fresh()
    return longest(viewer, since)


def held(viewer, work):
    """Check the longest frame during some work: the best of some tries."""
    tries = []
    for _ in range(TRIES):
        usual, since = at_rest(viewer), viewer.fresh()["frame"]
        work(viewer)
        viewer.pictures()
        found = longest(viewer, since)
        tries.append((usual.tolist(), found.tolist()))
        if (found <= np.maximum(LONGEST, LONGER * usual)).all():
            return
    raise AssertionError(f"(time, processor time) of the longest frame in ms, before and during: {tries}")


def ball(path, rings):
    """Write a dented ball of 4 rings² triangles as a binary STL file."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 2 * rings + 1), np.linspace(0.01, np.pi - 0.01, rings + 1))
    r = 0.1 * (1 + 0.1 * np.sin(5 * u) * np.sin(v) ** 2)
    points = np.stack([r * np.sin(v) * np.cos(u), r * np.sin(v) * np.sin(u), r * np.cos(v)], -1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    triangles = np.concatenate([np.stack([a, d, c], 2).reshape(-1, 3, 3), np.stack([a, c, b], 2).reshape(-1, 3, 3)])
    rows = np.zeros(len(triangles), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")]))
    rows["corners"] = triangles
    path.write_bytes(bytes(80) + np.uint32(len(rows)).tobytes() + rows.tobytes())


def large(folder):
    """A model with large meshes and textures."""
    rng = np.random.default_rng(1)
    for k in range(4):
        ball(folder / f"ball{k}.stl", RINGS - k)
        Image.fromarray(rng.integers(0, 256, (SIDE, SIDE, 3), np.uint8)).save(folder / f"noise{k}.png", compress_level=1)
    assets = "".join(
        f'<mesh name="m{k}" file="ball{k}.stl"/><texture name="t{k}" type="2d" file="noise{k}.png"/>'
        f'<material name="t{k}" texture="t{k}"/>'
        for k in range(4)
    )
    bodies = "".join(
        f'<body pos="{0.3 * k} 0 1"><freejoint/><geom type="mesh" mesh="m{k}"/></body>'
        f'<geom type="box" size=".1 .1 .1" pos="{0.3 * k} .5 0" material="t{k}"/>'
        for k in range(4)
    )
    (folder / "large.xml").write_text(
        f'<mujoco><asset>{assets}</asset><worldbody><light pos="0 0 3"/>{bodies}'
        '<geom type="plane" size="3 3 .1"/></worldbody></mujoco>'
    )
    return folder / "large.xml"


def film(viewer):
    viewer.key("ctrl+r")
    viewer.until(lambda r: r["recording"])
    time.sleep(2.5)
    viewer.key("ctrl+r")
    viewer.until(lambda r: not r["recording"])


def opened(path):
    def work(viewer):
        before = viewer.fresh()["generation"]
        assert viewer.drop(path)
        viewer.until(lambda r: r["generation"] > before and not r["uploading"] and r["path"] == str(path))

    return work


@pytest.fixture
def viewer(make_viewer):
    made = make_viewer(PENDULUM, window=[820, 560])
    made.started()
    made.until(lambda r: r["frame"] > 30)
    return made


def test_a_film_holds_no_frame_for_long(viewer):
    held(viewer, film)


def test_a_large_model_holds_no_frame_for_long(viewer, tmp_path):
    path, small = large(tmp_path), viewer.folder / "model.xml"
    opened(path)(viewer)

    def work(viewer):
        opened(small)(viewer)
        opened(path)(viewer)

    held(viewer, work)


def test_compiling_an_edited_file_holds_no_frame_for_long(viewer, tmp_path):
    path = large(tmp_path)
    opened(path)(viewer)

    def work(viewer):
        before = viewer.fresh()["generation"]
        path.write_text(path.read_text().replace("<light ", '<site size=".01"/><light ', 1))
        viewer.until(lambda r: r["generation"] > before and not r["uploading"])

    held(viewer, work)
