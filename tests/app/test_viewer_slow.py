"""On a machine that draws one and a half frames per second, user actions have the same effect as at sixty frames. `python -m
tests.app.slow` compares many more sequences.
"""

import time

from tests.app.driver import PreparedViewer
from tests.app.models import PENDULUM
from tests.app.slow import SlowViewer, differences, run
from tests.app.test_viewer_source import into_text


def test_slow_pictures_lose_no_input(server, tmp_path):
    """Input has the same effect on a slow and a usual viewer. They run in turn, because they would share the screen's mouse."""
    seeds = range(1)
    fast, slow = (run(server, kind, tmp_path / kind.__name__, seeds) for kind in (PreparedViewer, SlowViewer))
    for seed, (wanted, found) in enumerate(zip(fast, slow, strict=True)):
        assert not differences(wanted, found), (seed, wanted, found)


def test_slow_pictures_lose_no_keys(server, tmp_path):
    """Every key has its effect once and in order: letters, quotes, and keys that move the cursor or delete."""
    (tmp_path / "model.xml").write_text(PENDULUM)
    viewer = SlowViewer(server, tmp_path, str(tmp_path / "model.xml"), {"panels": {"source": True}})
    try:
        viewer.until(lambda r: r.get("generation") == 1 and "source" in r["windows"] and r["source"], 300)
        file = into_text(viewer)
        keys = ["end", "enter", "x", "left", "y", "end", "shift+'", "z", "shift+'", "backspace", "home", "q", "right", "delete"]
        begin = time.monotonic()
        for key in keys:
            viewer.key(key)
        typed = time.monotonic() - begin
        row = viewer.until(lambda r: r["unsaved"] == [file] and not r["inbox"])
        viewer.fresh()
        viewer.key("ctrl+s")
        viewer.until(lambda r: not r["unsaved"])
        first, second = (tmp_path / "model.xml").read_text().split("\n")[:2]
        assert first == PENDULUM.split("\n")[0]
        assert second.strip() == 'qy"z', (second, typed)
        assert row["vis_flags"] == viewer.fresh()["vis_flags"], "letters are no commands here"
    finally:
        viewer.close()
