"""What is held stays under the cursor in perspective, too: panned with a free camera, pulled with a tracking one. Real events
are sent, and the screen is judged.
"""

import numpy as np

from tests.app.driver import PATIENT
from tests.app.test_drags import BALL, PIXELS, ball, rested

DRAGS = 12
# in perspective the middle of a ball is a little behind the point that is held, so it is far away
FAR = BALL.replace("<visual>", '<visual><global fovy="6" glow="0"/>').replace('size=".015"', 'size=".04"')
# nothing hides the ball
FAR = FAR.replace('<geom type="plane"', '<geom type="plane" pos="0 0 -4"')
FAR = FAR.replace("<worldbody>", '<statistic center="0 0 .1" extent="8"/><worldbody>', 1)


def targets(viewer, rng, count):
    """Yield (k, where the ball is, where to drag it)."""
    x, y, w, h = viewer.row()["rect"]
    for k in range(count):
        begin = ball(viewer)
        low, high = (x + 0.15 * w, y + 0.3 * h), (x + 0.75 * w, y + 0.85 * h)
        target = np.clip(begin + rng.uniform(-130, 130, 2), low, high).round()
        # shorter is no drag
        if np.abs(target - begin).max() >= 15:
            yield k, begin, target


def test_in_perspective(make_viewer):
    viewer = make_viewer(FAR, window=[820, 600], adaptive=False)
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"], PATIENT)
    rested(viewer)
    rng = np.random.default_rng(7)

    # a free camera pans
    for k, begin, target in targets(viewer, rng, DRAGS):
        start = begin.round()
        viewer.drag(*(target - start), button=3, start=tuple(start), steps=1 + 5 * (k % 2))
        rested(viewer)
        moved, wanted = ball(viewer) - begin, target - start
        assert np.abs(moved - wanted).max() <= PIXELS, (k, begin, target, ball(viewer))
        assert not viewer.row()["menu"]

    # a tracking camera waits while its body is pulled
    viewer.click(*ball(viewer).round(), times=2)
    viewer.until(lambda r: r["selected"] == 1)
    viewer.hold("ctrl")
    viewer.click(*ball(viewer).round(), button=3, times=2)
    viewer.let_go("ctrl")
    viewer.until(lambda r: r["camera"] == 1, what="the camera tracks the ball")
    rested(viewer)
    for k, begin, target in targets(viewer, rng, DRAGS):
        start = begin.round()
        viewer.drag(*(target - start), button=3, keys=("ctrl",), start=tuple(start), steps=1 + 5 * (k % 2), release=False)
        rested(viewer)
        moved, wanted = ball(viewer) - begin, target - start
        viewer.button(3, False)
        viewer.let_go("ctrl")
        assert np.abs(moved - wanted).max() <= PIXELS, (k, begin, target, moved, wanted)
        # the camera catches up, and the text of a resting mouse must not cover the ball
        viewer.move(viewer.row()["rect"][0] + 8, viewer.row()["rect"][1] + 8)
        rested(viewer)
