"""A small window with large text: what lies over the view fits into it."""

from tests.app.models import PENDULUM


def test_the_info_box_fits(make_viewer):
    viewer = make_viewer(PENDULUM, window=[800, 560], font=150, info=True, panels={"watch": True})
    viewer.started()
    row = viewer.until(lambda r: r["boxes"].get("info"), what="no info box")
    (x, y, w, h), (left, top, width, height) = row["boxes"]["info"], row["rect"]
    assert left <= x and x + w <= left + width and top <= y and y + h <= top + height
    # what does not fit would be cut at the largest size that a box may have: there is air left
    viewer.key("ctrl+-")
    smaller = viewer.until(lambda r: r["settings"]["font"] == 140 and r["boxes"].get("info"))
    assert smaller["boxes"]["info"][2] <= width
