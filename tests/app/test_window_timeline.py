"""The timeline by real events on one window: zoom, a marked range, playing in both directions, film and export of the range,
bookmarks, and a session log that plays in place.
"""

import numpy as np

from tests.app.driver import PreparedViewer
from tests.app.models import PENDULUM


def spot(viewer, share, row=None):
    """A point of the track."""
    left, top, right, bottom = (row or viewer.row())["timeline"]
    return left + share * (right - left), 0.5 * (top + bottom)


def chosen(viewer, label):
    """Choose from the menu of the track."""
    viewer.click(*spot(viewer, 0.5), button=3)
    viewer.press(label, "menu_rows")
    viewer.until(lambda r: not r["menu"])


def test_the_timeline_plays_what_was_recorded(make_viewer):
    viewer = make_viewer(PENDULUM, window=[900, 560], info=False, panels={"motions": True, "joint": False, "control": False})
    viewer.until(lambda r: r.get("time", 0) > 1.2, 300)
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    before = viewer.pictures()

    # the wheel zooms around the mouse
    viewer.click(*spot(viewer, 0.5), button=4, times=3)
    row = viewer.until(lambda r: r["zoom"][1] - r["zoom"][0] < 0.6)
    assert abs(sum(row["zoom"]) / 2 - 0.5) < 0.03
    chosen(viewer, "Show everything")
    viewer.until(lambda r: r["zoom"] == [0, 1])

    # Shift and a drag mark a range; the displayed state does not change
    x, y = spot(viewer, 0.25)
    viewer.drag(spot(viewer, 0.75)[0] - x, 0, start=(x, y), keys=("shift",))
    viewer.until(lambda r: r["range"])
    # the drag has ended, however slow pictures are
    row = viewer.pictures()
    (low, high), end = row["range"], before["time"]
    assert abs(low - 0.25 * end) < 0.05 and abs(high - 0.75 * end) < 0.05 and row["position"] == before["position"]

    # backwards in a loop, inside the range only
    viewer.key("shift+left")
    viewer.until(lambda r: r["playing"] == -1 and r["position"] < 0)
    times = []
    viewer.until(
        lambda r: times.append(r["time"]) or sum(np.diff(times) > 0) > 1 and sum(np.diff(times) < 0) > 5, what="a loop"
    )
    # skip samples from before playback, when the last state was on screen
    inside = np.array(times[times.index(min(times)) :])
    assert inside.min() > low - 0.05 and inside.max() < high + 0.05
    # the pause key ends playback, too, and does not start the simulation
    viewer.key("space")
    row = viewer.until(lambda r: not r["playing"])
    assert not row["running"] and row["stepped"] == before["stepped"] and row["history"] == before["history"], (
        "nothing is stepped"
    )

    # bookmarks
    viewer.key("ctrl+shift+b")
    viewer.until(lambda r: len(r["bookmarks"]) == 1)
    viewer.click(*spot(viewer, 0.1))
    viewer.until(lambda r: abs(r["time"] - r["bookmarks"][0]) > 0.05)

    # a film of the range is as long as the range, however slow the machine is
    chosen(viewer, "Film the range")
    viewer.until(lambda r: r["recording"] is not None)
    count = viewer.until(lambda r: r["recording"] is None or not r["playing"] and r["recording"])["recording"]
    viewer.until(lambda r: r["recording"] is None and list(viewer.folder.glob("recording_01.*")))
    said = viewer.until(lambda r: any("recording_01" in text and "Saved" in text for _level, text in r["log"]))["log"]
    [text] = [text for _level, text in said if "recording_01" in text and "Saved" in text]
    seconds = float(text.split("(")[1].split(" s,")[0])
    assert abs(seconds - (high - low)) < 0.12, (seconds, high - low, count)

    # the range as a motion, with its times
    chosen(viewer, "Export the range as a motion")
    viewer.until(lambda r: (viewer.folder / "motion.npz").exists() and "motion.npz" in str(r["log"]))
    with np.load(viewer.folder / "motion.npz") as file:
        assert low - 1e-6 <= file["time"][0] < low + 0.05 and high - 0.05 < file["time"][-1] <= high + 1e-6

    # the session as a log plays in place
    viewer.key("ctrl+shift+s")
    log = viewer.folder / "session.zip"
    viewer.until(lambda r: log.exists() and "session.zip" in str(r["log"]))
    generation = viewer.row()["generation"]
    assert viewer.drop(log)
    # a picture may come between the new model and its path
    row = viewer.until(
        lambda r: r["generation"] > generation and r["path"] == str(log) and r["history"] > 10, what="the states of the log"
    )
    assert not row["running"]
    viewer.click(*spot(viewer, 0.5, viewer.pictures()))
    row = viewer.until(lambda r: r["position"] < -3)
    assert row["time"] > 0.1

    # a log that is given on the command line plays in place, too
    viewer.close()
    folder = viewer.folder / "again"
    folder.mkdir()
    replaying = PreparedViewer(viewer.server, folder, str(log), {"info": False}, (900, 560))
    try:
        row = replaying.until(lambda r: r.get("history", 0) > 10 and r["path"] == str(log), what="the states of the log")
        assert not row["running"] and not row["failure"]
    finally:
        replaying.close()
