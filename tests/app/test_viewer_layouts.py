"""Presets and the user's layouts in a real window: by the palette, undone, kept for the next session."""

import pytest

from tests.app.models import CUBE
from tumble.ui.layout import PRESETS
from tumble.ui.panels import BY_NAME


def arrange(viewer, words):
    """Run a command of the palette."""
    viewer.key("ctrl+k")
    viewer.until(lambda r: "palette" in r["boxes"], what="no palette")
    viewer.write(words)
    viewer.until(lambda r: r["typed"] == words, what="not typed")
    viewer.key("enter")


@pytest.mark.parametrize("size", [(1280, 800), (860, 560)])
def test_presets_are_arranged_and_taken_back(make_viewer, size):
    viewer = make_viewer(CUBE, info=False, window=size)
    viewer.started()
    before = viewer.row()
    for name, preset in PRESETS.items():
        if name == "default":
            continue
        arrange(viewer, f"layout {name}")
        windows = [panel for panel in preset.opened if BY_NAME[panel].side == "window"]
        row = viewer.until(
            lambda r, preset=preset, windows=windows: (
                r["settings"]["left"] == preset.left
                and r["settings"]["right"] == preset.right
                and (set(r["windows"]) & set(windows) or not windows)
            ),
            what=name,
        )
        viewer.until(lambda r: "palette" not in r["boxes"])
        row = viewer.fresh()
        for tall in preset.tall:
            _x, _y, w, h = row["windows"][tall]
            assert h > 0.7 * size[1] and w > 0.15 * size[0], (name, tall)
        viewer.until(
            lambda r: r["rect"][2] > 0.25 * size[0] and r["rect"][3] > 0.4 * size[1] and not r["panel_errors"], what=name
        )
        if name == "present":
            viewer.until(lambda r: not r["windows"] and r["rect"][2] == size[0], what="the picture alone")
    for _ in range(len(PRESETS) - 1):
        viewer.key("ctrl+z")
    row = viewer.until(lambda r: list(r["windows"]) == ["explorer"], what="not taken back")
    viewer.until(lambda r: abs(r["rect"][2] - before["rect"][2]) < 3, what="the view has another width")


def test_a_layout_is_kept_under_a_name(make_viewer):
    viewer = make_viewer(CUBE, info=False, window=(1200, 800), layouts={})
    viewer.started()
    arrange(viewer, "layout inspect")
    viewer.until(lambda r: "explorer" in r["windows"])
    # Panels > Layout > the field below all rows
    viewer.close()
    kept = viewer.kept()
    row = {"layout": kept["layout"], "panels": kept["panels"], "detached": [], "left": True, "right": False}
    again = make_viewer.again(viewer, layouts={"mine": row}, layout="", panels={}, left=False)
    again.started()
    assert "explorer" not in again.row()["windows"]
    arrange(again, "layout mine")
    row = again.until(lambda r: "explorer" in r["windows"] and not r["settings"]["right"], what="not as it was kept")
    assert again.until(lambda r: r["windows"]["explorer"][3] > 500, what="no tall column") and not row["panel_errors"]
