"""Plots by real events: a right click on a number, on a geom in the view, the scrubbing cursor, undo, files."""

from tests.app.models import CUBE, PENDULUM

# distance of the first slider of Joint from the right edge of a window of 1200 pixels
SLIDER = 60, 100


def test_a_slider_is_plotted_by_a_right_click(make_viewer):
    viewer = make_viewer(PENDULUM)
    viewer.started()
    spot = viewer.row()["size"][0] - SLIDER[0], SLIDER[1]
    viewer.click(*spot, button=3)
    viewer.press("position", "menu_rows")
    viewer.until(lambda r: r["plots"] == [["time", ["qpos[0]"]]], what="nothing is plotted")
    viewer.until(lambda r: r["windows"].get("plot") and r["samples"] > 20, what="nothing is followed")
    # plot a second number separately; one undo removes its plot
    viewer.click(*spot, button=3)
    viewer.press("velocity", "menu_rows")
    viewer.until(lambda r: len(r["plots"]) == 2)
    viewer.key("ctrl+z")
    viewer.until(lambda r: len(r["plots"]) == 1, what="undo does not take it back")

    # a reloaded model is plotted from its first step
    row = viewer.until(lambda r: r["time"] > 0.3)
    viewer.key("ctrl+l")
    row = viewer.until(lambda r: r["generation"] > row["generation"] and r["samples"] > 5)
    assert row["sampled"] < 0.05
    assert not viewer.row()["panel_errors"], viewer.row()["log"]


def test_a_geom_is_plotted_from_the_view_and_the_cursor_scrubs(make_viewer):
    viewer = make_viewer(CUBE)
    viewer.started()
    viewer.click(*viewer.center(), button=3)
    viewer.press("speed", "menu_rows")
    row = viewer.until(lambda r: r["plots"] and r["time"] > 6.0, what="nothing is plotted")
    assert row["plots"] == [["time", ["speed(geom 0)"]]]
    x, y, w, h = viewer.until(lambda r: r["windows"].get("plot"))["windows"]["plot"]
    # the cursor is at the displayed state, near the right end of the axis
    viewer.key("space")
    row = viewer.until(lambda r: not r["running"] and r["cursor"], what="no cursor")
    viewer.drag(-0.4 * w, 0, start=tuple(row["cursor"]))
    viewer.until(lambda r: r["time"] < row["time"] - 1.0 and not r["running"], what="it does not scrub")
    assert not viewer.row()["panel_errors"], viewer.row()["log"]


def test_plots_are_kept_for_the_model(make_viewer):
    viewer = make_viewer(CUBE)
    viewer.started()
    viewer.click(*viewer.center(), button=3)
    viewer.press("Plot the body")
    viewer.press("position of body", "menu_rows")
    viewer.until(lambda r: r["plots"])
    viewer.close()
    again = make_viewer.again(viewer)
    again.until(lambda r: r.get("plots") and r["samples"] > 5, 120.0, "plots are forgotten")
    assert again.row()["plots"] == [["time", ["xpos[3]", "xpos[4]", "xpos[5]"]]]
