"""The viewer from the user's side: real keys, a real mouse, screenshots."""

import time

import numpy as np
import pytest
from PIL import Image

from tests.app.models import PENDULUM

# fraction of the view that a color must cover to count as present
VISIBLE = 0.002
# seconds within which a viewer that should draw does so, also on a loaded machine
RESTS = 0.8


def share(picture, wanted):
    """Return the fraction of a picture whose hue is close to a color. Hue is measured by ratios of channels, which
    light and shade do not change.
    """
    p = picture.astype(float) + 1
    w = np.array(wanted, float) + 1
    hue, expected = p / p.sum(2, keepdims=True), w / w.sum()
    return float((np.abs(hue - expected).max(2) < 0.09).mean())


RED, GREEN = (230, 77, 51), (51, 179, 77)


@pytest.fixture(scope="module")
def viewer(keep_viewer):
    """One pendulum for all tests that restore its state."""
    made = keep_viewer(PENDULUM)
    made.started()
    return made


@pytest.fixture
def calm(viewer):
    """The pendulum, paused at its start, overlays off, free camera."""
    viewer.key("esc")
    viewer.key("ctrl+a")
    if viewer.fresh()["running"]:
        viewer.key("space")
        viewer.until(lambda r: not r["running"])
    viewer.key("backspace")
    viewer.until(lambda r: r["time"] == 0)
    return viewer


def settled(viewer):
    """The view of a paused viewer once it is drawn at full quality; no frames are drawn afterwards."""
    last, since, end = -1, 0.0, time.monotonic() + 30
    while time.monotonic() < end:
        now, frame = time.monotonic(), viewer.row()["frame"]
        if frame != last:
            last, since = frame, now
        elif now > since + RESTS:
            viewer.fresh()
            if viewer.row()["frame"] == last:
                return viewer.view()
        time.sleep(0.02)
    raise AssertionError("it never rests")


def test_the_model_is_on_the_screen_and_moves(viewer):
    assert share(viewer.view(), RED) > VISIBLE and share(viewer.view(), GREEN) > VISIBLE
    first = viewer.row()["time"]
    viewer.until(lambda r: r["time"] > first + 0.3)


def test_pause_step_back_reset(calm):
    viewer = calm
    viewer.key("right")
    viewer.until(lambda r: r["time"] == pytest.approx(0.002))
    viewer.key("right")
    viewer.until(lambda r: r["time"] == pytest.approx(0.004))
    viewer.key("left")
    viewer.until(lambda r: r["time"] == pytest.approx(0.002) and r["position"] == -1)
    viewer.key("space")
    viewer.until(lambda r: r["running"] and r["time"] > 2)
    viewer.key("backspace")
    viewer.until(lambda r: r["time"] < 1.9)
    viewer.key("left")
    viewer.until(lambda r: not r["running"], what="stepping back pauses")


@pytest.mark.parametrize(
    "key,name", [("f1", "help"), ("f2", "info"), ("f3", "profiler"), ("f4", "sensor"), ("tab", "left"), ("shift+tab", "right")]
)
def test_overlays_and_panels(calm, key, name):
    viewer = calm
    settled(viewer)
    before, state = viewer.picture(), viewer.row()["settings"][name]
    viewer.key(key)
    viewer.until(lambda r: r["settings"][name] != state)
    settled(viewer)
    # sensors are drawn in another test: this model has none
    if name != "sensor":
        assert (viewer.picture() != before).mean() > 0.005, "nothing to be seen of it"
    viewer.key(key)
    viewer.until(lambda r: r["settings"][name] == state)


@pytest.mark.parametrize(
    "key,field,index",
    [
        ("h", "vis_flags", 0),
        ("j", "vis_flags", 2),
        ("c", "vis_flags", 14),
        ("`", "vis_flags", 28),
        ("s", "render_flags", 0),
        ("w", "render_flags", 1),
        ("/", "render_flags", 6),
        ("0", "geomgroup", 0),
        ("3", "geomgroup", 3),
        ("shift+0", "sitegroup", 0),
        (",", "vis_flags", 5),
        ("shift+,", "render_flags", 7),
    ],
)
def test_flag_keys(calm, key, field, index):
    viewer = calm
    before = viewer.row()[field][index]
    viewer.key(key)
    viewer.until(lambda r: r[field][index] == 1 - before)
    viewer.key(key)
    viewer.until(lambda r: r[field][index] == before)


@pytest.mark.parametrize("key, gone", [("0", (RED, GREEN)), ("w", ())])
def test_what_a_flag_does_is_on_the_screen(calm, key, gone):
    """Without its group the model disappears; as wires it looks different; both are undone."""
    viewer = calm
    viewer.until(lambda r: not r["notice"], what="no notice")
    first = settled(viewer)
    viewer.key(key)
    viewer.until(lambda r: r["geomgroup"][0] == 0 if key == "0" else r["render_flags"][1] == 1)
    second = settled(viewer)
    assert (first != second).any(2).mean() > 0.01
    for color in gone:
        assert share(first, color) > VISIBLE > 10 * share(second, color)
    viewer.key(key)
    viewer.until(lambda r: r["geomgroup"][0] == 1 and r["render_flags"][1] == 0)
    viewer.until(lambda r: not r["notice"], what="the notice is gone")
    assert (settled(viewer) != first).any(2).mean() < 0.01


def test_a_notice_ends_while_nothing_moves(calm):
    viewer = calm
    viewer.until(lambda r: not r["notice"])
    first = settled(viewer)
    for _ in range(2):
        viewer.key("w")
        viewer.until(lambda r: r["notice"].startswith("Wireframe"))
    viewer.until(lambda r: not r["notice"])
    assert (settled(viewer) == first).all()


def test_labels_frames_speed(calm):
    viewer = calm
    for key, field in (("f6", "frame_mode"), ("f7", "label")):
        before, picture = viewer.row()[field], settled(viewer)
        viewer.key(key)
        viewer.until(lambda r, field=field, before=before: r[field] == before + 1)
        assert (settled(viewer) != picture).any(2).mean() > 0.0005, "nothing to be seen of it"
    # pixels of bodies, which come first
    assert viewer.fresh()["labels"]
    speed = viewer.fresh()["speed"]
    viewer.key("-")
    viewer.until(lambda r: r["speed"] == speed + 1)
    viewer.key("=")
    viewer.until(lambda r: r["speed"] == speed)


def test_cameras(calm):
    viewer = calm
    for key, camera in (("]", 2), ("]", 3), ("]", 2), ("[", 3), ("esc", 0), ("[", 3), ("esc", 0)):
        viewer.key(key)
        viewer.until(lambda r, camera=camera: r["camera"] == camera)
    # each camera shows something else, and the free one keeps its pose
    free = settled(viewer)
    viewer.key("]")
    viewer.until(lambda r: r["camera"] == 2)
    front = settled(viewer)
    viewer.key("]")
    viewer.until(lambda r: r["camera"] == 3)
    side = settled(viewer)
    viewer.key("esc")
    viewer.until(lambda r: r["camera"] == 0)
    for a, b in ((free, front), (front, side), (side, free)):
        assert (a != b).any(2).mean() > 0.05
    assert (settled(viewer) != free).any(2).mean() < 0.01


def test_sensor_bars_are_on_the_screen(make_viewer):
    viewer = make_viewer(
        PENDULUM.replace("</worldbody>", '</worldbody><sensor><framepos objtype="body" objname="box"/></sensor>'), right=False
    )
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    before = settled(viewer)
    viewer.key("f4")
    viewer.until(lambda r: r["settings"]["sensor"])
    after = settled(viewer)
    h, w = after.shape[:2]
    changed = (np.abs(before.astype(int) - after) > 24).any(2)
    assert changed[h // 2 :, w // 2 :].mean() > 0.1 > 5 * changed[: h // 3, : w // 3].mean()


def test_camera_drags(calm):
    viewer = calm
    start = viewer.fresh()
    height = start["rect"][3]
    viewer.drag(0.25 * height, 0)
    # a drag over the height of the view is half a turn
    turned = viewer.until(lambda r: abs(r["azimuth"] - start["azimuth"]) > 40)
    assert abs(turned["azimuth"] - start["azimuth"]) == pytest.approx(45, abs=2)
    viewer.drag(0, 0.1 * height)
    viewer.until(lambda r: abs(r["elevation"] - start["elevation"]) == pytest.approx(18, abs=2))
    lookat = viewer.fresh()["lookat"]
    viewer.drag(0, 60, button=3)
    moved = viewer.until(lambda r: r["lookat"] != lookat)
    assert abs(moved["lookat"][2] - lookat[2]) > 1e-3, "right drag moves up and down"
    lookat = viewer.fresh()["lookat"]
    viewer.drag(0, 60, button=3, keys=["shift"])
    moved = viewer.until(lambda r: r["lookat"] != lookat)
    assert moved["lookat"][2] == pytest.approx(lookat[2], abs=1e-9), "with shift it stays level"
    distance = viewer.fresh()["distance"]
    viewer.click(*viewer.center(), button=4)
    viewer.until(lambda r: r["distance"] < distance)
    viewer.drag(0, 80, button=2)
    viewer.until(lambda r: r["distance"] != distance)


def test_drags_that_begin_on_a_panel_leave_the_camera_alone(calm):
    viewer = calm
    before = viewer.fresh()
    viewer.drag(300, 40, start=(100, 300))
    assert viewer.fresh()["azimuth"] == before["azimuth"]


def test_sections_open_by_letter(calm):
    viewer = calm
    viewer.key("alt+p")
    viewer.until(lambda r: r["panels"].get("physics") and not r["panels"].get("file"))
    viewer.key("alt+s")
    viewer.until(lambda r: r["panels"].get("simulation") and not r["panels"].get("physics"))


def test_screenshot(calm):
    viewer = calm
    viewer.key("ctrl+p")
    path = viewer.folder / "screenshot.png"
    from PIL import Image

    def whole(_row):
        """Whether the file ends with the last chunk of a PNG, so it is complete."""
        return path.exists() and path.read_bytes()[-8:-4] == b"IEND"

    viewer.until(whole, what="no screenshot")
    picture = np.asarray(Image.open(path))
    assert picture.shape == viewer.picture().shape
    x, y, w, h = (int(v) for v in viewer.row()["rect"])
    assert share(picture[y : y + h, x : x + w], RED) > VISIBLE


def test_a_picture_of_the_studio_is_taken_beside_the_simulation(make_viewer):
    """The window continues to run during the export; a cut-out picture is transparent around the model."""
    viewer = make_viewer(PENDULUM, window=[420, 320], picture_look="cut out")
    viewer.started()
    viewer.key("ctrl+p")
    begin = viewer.until(lambda r: "Rendering a studio picture" in r["notice"])
    path = viewer.folder / "screenshot.png"
    end = viewer.reported("screenshot.png")
    assert end["frame"] > begin["frame"] + 5 and end["time"] > begin["time"]
    with Image.open(path) as image:
        alpha = np.asarray(image)[..., 3]
    _x, _y, w, h = (int(v) for v in viewer.row()["rect"])
    assert alpha.shape == (h, w) and alpha[0, 0] == 0 and (alpha == 255).any() and ((alpha > 0) & (alpha < 255)).any()


def test_pictures_and_films_have_a_size_and_quality_of_their_own(make_viewer):
    """However small and coarse the window is, the arm's edge in the file has smooth shades."""
    viewer = make_viewer(PENDULUM, window=[620, 420], picture_size="1280x720", record_folder=".")
    viewer.started()
    viewer.until(lambda r: r["quality"] > 0, what="the window is drawn with all effort")
    viewer.key("ctrl+p")
    path = viewer.folder / "screenshot.png"
    viewer.reported("screenshot.png")
    with Image.open(path) as image:
        assert image.size == (1280, 720)
        picture = np.asarray(image.convert("RGB")).astype(int)
    # red arm before a blue floor: its edge has mixed colors
    red = picture[..., 0] - picture[..., 2]
    steps = np.abs(np.diff(red, axis=1))
    assert (steps > 60).any() and ((steps > 12) & (steps < 50)).sum() > 100, "edges are smooth"
    viewer.key("ctrl+r")
    row = viewer.until(lambda r: r["recording"] and r["recording"][0] > 3)
    viewer.key("ctrl+r")
    viewer.until(lambda r: r["recording"] is None)
    viewer.reported("Saved ")
    if row["recording"][1].endswith(".gif"):
        with Image.open(row["recording"][1]) as image:
            assert image.size == (1280, 720)
