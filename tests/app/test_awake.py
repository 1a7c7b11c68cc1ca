"""A viewer at rest draws nothing, but it rests only after the requested result is on the screen, however long a frame takes."""

from tumble.app.activity import AWAKE_FRAMES, Activity


def test_a_click_gets_its_frames_even_if_each_takes_long():
    """A click is handled over four frames: press, release, and two more for their effect. All are drawn, however slow."""
    activity = Activity(lambda: False)
    assert activity.asleep
    activity.wake()
    # simulate a first frame that takes longer than the time to stay awake
    activity.awake_until = 0.0
    for _ in range(AWAKE_FRAMES):
        assert not activity.asleep
        activity.drawn()
    assert activity.asleep


def test_a_fast_machine_stays_awake_for_a_time():
    activity = Activity(lambda: False)
    activity.wake()
    for _ in range(3 * AWAKE_FRAMES):
        activity.drawn()
    assert not activity.asleep


def test_what_moves_is_drawn():
    moving = [True]
    activity = Activity(lambda: moving[0])
    assert not activity.asleep
    moving.clear()
    moving.append(False)
    assert activity.asleep
