"""A viewer at rest draws nothing, but not before what was asked for is on the screen, however long a frame takes."""

from types import SimpleNamespace

from tumble.app.channels import Slot
from tumble.app.pacing import RateMeter
from tumble.app.session import AWAKE_FRAMES, Session


def resting():
    """A session of which nothing moves."""
    made = Session.__new__(Session)
    made.host = SimpleNamespace(status=Slot(SimpleNamespace(running=False, pause_update=False)))
    made.loader = made.recorder = None
    made.gestures, made.snapshot = SimpleNamespace(dragging=False), SimpleNamespace(m=None)
    made.frame_count, made.frames = 0, RateMeter(0.5)
    made.awake_until, made.awake_frames = 0.0, 0
    return made


def test_a_click_gets_its_frames_even_if_each_takes_long():
    """Press and release arrive in two frames, what they open needs two more."""
    session = resting()
    assert session.asleep
    session.wake()
    # as if the first frame had taken longer than the time to stay awake
    session.awake_until = 0.0
    for _ in range(AWAKE_FRAMES):
        assert not session.asleep
        session._drawn()
    assert session.asleep


def test_a_fast_machine_stays_awake_for_a_time():
    session = resting()
    session.wake()
    for _ in range(3 * AWAKE_FRAMES):
        session._drawn()
    assert not session.asleep
