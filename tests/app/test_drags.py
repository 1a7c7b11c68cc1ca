"""A point that is panned stays under the cursor: random drags of a bright ball, by real events, judged by the pixels on the
screen."""

import numpy as np
import pytest

from tests.app.driver import PATIENT

DRAGS, PIXELS = 50, 2.0
BALL = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
<geom type="plane" size="20 20 .1" rgba=".1 .2 .1 1"/>
<body pos="0 0 .1"><freejoint/><geom size=".015" rgba="1 0 1 1"/></body>
<body pos=".7 .7 .1"><freejoint/><geom size=".05" rgba="0 .4 0 1"/></body></worldbody><option gravity="0 0 0"/></mujoco>"""


def ball(viewer):
    """Middle of the ball on the screen."""
    pixels = viewer.picture().astype(int)
    rows, columns = np.nonzero((pixels[..., 0] > 150) & (pixels[..., 1] < 90) & (pixels[..., 2] > 150))
    assert len(rows) > 8, "the ball is not seen"
    return np.array([columns.mean(), rows.mean()])


def rested(viewer):
    """Wait until the picture has followed what was done: it no longer changes."""
    viewer.fresh()
    before, now = None, ball(viewer)
    while before is None or np.abs(now - before).max() > 0.2:
        viewer.fresh()
        viewer.fresh()
        before, now = now, ball(viewer)


@pytest.mark.parametrize("orthographic", [True])
def test_what_is_panned_stays_under_the_cursor(make_viewer, orthographic):
    """At two speeds, without perspective; and no drag opens the menu of the right button."""
    xml = BALL.replace("<visual>", '<visual><global orthographic="true" fovy="1.5"/>') if orthographic else BALL
    viewer = make_viewer(xml, window=[820, 600], adaptive=False)
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"], PATIENT)
    rested(viewer)
    x, y, w, h = viewer.row()["rect"]
    rng, worst = np.random.default_rng(4), 0.0
    for k in range(DRAGS):
        begin = ball(viewer)
        # not far: in perspective the middle of a ball is a little behind the point that is held
        low, high = (x + 0.15 * w, y + 0.3 * h), (x + 0.75 * w, y + 0.85 * h)
        target = np.clip(begin + rng.uniform(-130, 130, 2), low, high).round()
        if np.abs(target - begin).max() < 15:
            # too short for a drag
            continue
        # the cursor is on whole pixels, and so beside the ball's middle
        start = begin.round()
        viewer.drag(*(target - start), button=3, start=tuple(start), steps=1 + 5 * (k % 2))
        rested(viewer)
        worst = max(worst, float(np.abs(ball(viewer) - begin - (target - start)).max()))
        assert worst <= PIXELS, (k, begin, target, ball(viewer))
        assert not viewer.row()["menu"]
