"""The Contacts panel in a real window: a click on a row draws the contact's cone, a double click moves the camera there, and
freezing keeps the table."""

import pytest

BALL = """<mujoco>
  <statistic center="0 0 .3" extent="1"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 0.4 -1"/>
    <geom name="floor" type="plane" size="1 1 .1" rgba=".4 .4 .45 1"/>
    <body name="ball" pos="0 0 .21"><freejoint/><geom name="ball" size=".2" rgba=".9 .2 .1 1"/></body>
  </worldbody>
</mujoco>"""
# minimum excess of green over red and blue in a pixel of the cone
NEAR = 70


def green(viewer):
    """Count the pixels of the view that are greener than anything in the model."""
    seen = viewer.view().astype(int)
    return int(((seen[:, :, 1] - seen[:, :, 0] > NEAR) & (seen[:, :, 1] - seen[:, :, 2] > NEAR)).sum())


@pytest.mark.parametrize("size", [(1200, 800), (800, 560)])
def test_a_row_leads_to_its_contact(make_viewer, size):
    viewer = make_viewer(BALL, panels={"contacts": True}, info=False, left=False, window=size)
    viewer.started()
    row = viewer.until(lambda r: "contacts" in r["windows"] and r.get("time", 0) > 1.5, what="no table")
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    assert green(viewer) < 20
    x, y, _w, _h = row["windows"]["contacts"]
    # below tabs, buttons, count and header
    viewer.click(x + 40, y + 137)
    viewer.until(lambda r: green(viewer) > 20, what="no cone")
    before = viewer.row()["distance"]
    viewer.click(x + 40, y + 137, times=2)
    row = viewer.until(lambda r: r["distance"] != before, what="the camera stays")
    assert not viewer.fresh()["panel_errors"] and row["camera"] == 0
