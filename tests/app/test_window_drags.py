"""The grabbed point stays under the cursor: random drags of each type, by real events, checked on the screen. `python -m
tests.app.held` does many more of them.
"""

import pytest

from tests.app.held import PIXELS, SETTINGS, WINDOW, Hand, set_scale, xml_of

DRAGS = 2


@pytest.mark.parametrize("camera,scale", [("perspective", 100), ("orthographic", 150), ("tracking", 200)])
def test_what_is_held_stays_under_the_cursor(server, make_viewer, camera, scale):
    set_scale(server, scale)
    try:
        viewer = make_viewer(xml_of(camera), window=list(WINDOW), **SETTINGS)
        hand = Hand(viewer, camera, seed=3)
    finally:
        set_scale(server, 100)
    hand.all(DRAGS)
    assert max(hand.worst.values())[0] <= PIXELS, hand.worst
