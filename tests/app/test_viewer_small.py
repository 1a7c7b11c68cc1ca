"""A small window with large text: the overlays fit into it."""

from tests.app.models import PENDULUM

SENSORS = PENDULUM.replace(
    "</mujoco>", "<sensor><clock name='time'/><e_kinetic name='kinetic'/><e_potential name='potential'/></sensor></mujoco>"
)


def test_the_info_box_fits(make_viewer):
    viewer = make_viewer(PENDULUM, window=[800, 560], font=150, info=True, panels={"watch": True})
    viewer.started()
    row = viewer.until(lambda r: r["boxes"].get("info"), what="no info box")
    (x, y, w, h), (left, top, width, height) = row["boxes"]["info"], row["rect"]
    assert left <= x and x + w <= left + width and top <= y and y + h <= top + height
    # a text that does not fit would be cut at the largest size that a box may have: some space is left
    viewer.key("ctrl+-")
    smaller = viewer.until(lambda r: r["settings"]["font"] == 140 and r["boxes"].get("info"))
    assert smaller["boxes"]["info"][2] <= width


def test_nothing_covers_the_info_box(make_viewer):
    """The plot of sensors is beside or above it, or hidden; and changing numbers do not change its width."""
    for font in (100, 150):
        viewer = make_viewer(SENSORS, window=[800, 560], font=font, info=True, sensor=True)
        viewer.started()
        row = viewer.until(lambda r: r["boxes"].get("info"), what="no info box")
        widths = {row["boxes"]["info"][2]}
        for _ in range(20):
            row = viewer.fresh()
            widths.add(row["boxes"]["info"][2])
            if "sensorplot" in row["boxes"]:
                (x, y, w, h), (left, top, width, height) = row["boxes"]["info"], row["boxes"]["sensorplot"]
                assert x + w <= left or left + width <= x or y + h <= top or top + height <= y
        assert row["running"] and row["time"] > 0 and len(widths) == 1
        assert font > 100 or "sensorplot" in row["boxes"], "there is room for it"
        viewer.close()
