"""Objects under the mouse, without a window."""

import tumble as mj
from tests.app.models import PENDULUM
from tumble.app.view import View


def test_nothing_is_there_before_the_first_picture():
    m = mj.MjModel.from_xml_string(PENDULUM)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    view = View(lambda intent: None)
    assert view.under(0.5, 0.5) == ("body", -1, -1)
    view.adopt(m, d, align=True)
    assert view.under(0.5, 0.5)[2] == -1, "no camera yet"
    mj.mjv_updateScene(m, d, view.opt, None, view.cam, mj.mjtCatBit.mjCAT_ALL, view.scn)
    assert any(view.under(x / 10, y / 10)[2] >= 0 for x in range(11) for y in range(11))
