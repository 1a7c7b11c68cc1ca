"""The effect of each drag, click and wheel turn, row by row."""

import pytest

from tumble.app.gestures import ALT, CTRL, LEFT, MIDDLE, RIGHT, SHIFT, Gestures, Rect


class Recorder:
    """A target that records its calls."""

    def __init__(self):
        self.calls, self.perturbing, self.selected = [], False, 0
        self.grabbed, self.at = [], None

    def grab(self, action, x, y):
        self.grabbed.append((action, round(x, 6), round(y, 6)))

    def forget_click(self):
        self.calls = [c for c in self.calls if c[:2] != ("pick", "menu")]

    def move_camera(self, action, dx, dy, x, y):
        self.at = round(x, 6), round(y, 6)
        self.calls.append(("camera", action, round(dx, 6), round(dy, 6)))

    def move_perturb(self, action, dx, dy, x, y):
        self.calls.append(("perturb", action, round(dx, 6), round(dy, 6)))

    def begin_perturb(self, mode):
        self.perturbing = True
        self.calls.append(("begin", mode))
        return True

    def end_perturb(self):
        if self.perturbing:
            self.calls.append(("end",))
        self.perturbing = False

    def pick(self, mode, x, y):
        self.calls.append(("pick", mode, round(x, 6), round(y, 6)))


@pytest.fixture
def made():
    target = Recorder()
    gestures = Gestures(target)
    gestures.rect = Rect(100, 50, 800, 400)
    return gestures, target


# button, modifiers -> moved object (rows A108 .. A112, A121)
CAMERA = [
    (LEFT, 0, "rotate_v"),
    (LEFT, SHIFT, "rotate_h"),
    (RIGHT, 0, "move_v"),
    (RIGHT, SHIFT, "move_h"),
    (MIDDLE, 0, "zoom"),
    (LEFT, ALT, "move_v"),
    (RIGHT, ALT, "rotate_v"),
    (LEFT, ALT | SHIFT, "move_h"),
]


@pytest.mark.parametrize("button,mods,action", CAMERA)
def test_drag_moves_the_camera_in_view_heights(made, button, mods, action):
    gestures, target = made
    assert gestures.press(button, mods, 300, 200, 1.0)
    assert gestures.move(mods, 340, 180)
    assert target.calls == [("camera", action, 0.1, -0.05)]
    assert gestures.release(button) and not gestures.dragging


# rows A117 .. A121
PULLS = [
    (LEFT, CTRL, "rotate", "rotate_v"),
    (LEFT, CTRL | SHIFT, "rotate", "rotate_h"),
    (RIGHT, CTRL, "translate", "move_v"),
    (RIGHT, CTRL | SHIFT, "translate", "move_h"),
    (LEFT, CTRL | ALT, "translate", "move_v"),
]


@pytest.mark.parametrize("button,mods,mode,action", PULLS)
def test_ctrl_drag_pulls_the_selected_body(made, button, mods, mode, action):
    gestures, target = made
    target.selected = 3
    gestures.press(button, mods, 300, 200, 1.0)
    gestures.move(mods, 300, 240)
    gestures.release(button)
    assert target.calls == [("begin", mode), ("perturb", action, 0.0, 0.1), ("end",)]


def test_ctrl_drag_without_selection_is_a_camera_drag(made):
    gestures, target = made
    gestures.press(LEFT, CTRL, 300, 200, 1.0)
    gestures.move(CTRL, 380, 200)
    assert target.calls == [("camera", "rotate_v", 0.2, 0.0)]


# rows A114 .. A116
@pytest.mark.parametrize(
    "button,mods,mode", [(LEFT, 0, "select"), (RIGHT, 0, "lookat"), (RIGHT, CTRL, "track"), (RIGHT, ALT, "select")]
)
def test_double_click_picks(made, button, mods, mode):
    gestures, target = made
    for now in (1.0, 1.2):
        gestures.press(button, mods, 300, 150, now)
        gestures.release(button)
    # the menu of the first click does not open if a second one follows
    assert target.calls == [("pick", mode, 0.25, 0.75)]


def test_a_right_click_asks_for_the_menu_and_a_drag_does_not(made):
    gestures, target = made
    gestures.press(RIGHT, 0, 300, 150, 1.0)
    gestures.release(RIGHT)
    assert target.calls == [("pick", "menu", 0.25, 0.75)]
    gestures.press(RIGHT, 0, 300, 150, 2.0)
    gestures.move(0, 340, 150)
    gestures.release(RIGHT)
    assert not [c for c in target.calls[1:] if c[0] == "pick"]


def test_a_right_click_during_a_drag_brings_no_menu(made):
    gestures, target = made
    gestures.press(LEFT, 0, 300, 150, 1.0)
    gestures.move(0, 360, 150)
    gestures.press(RIGHT, 0, 360, 150, 2.0)
    gestures.release(RIGHT)
    gestures.release(LEFT)
    assert not [c for c in target.calls if c[0] == "pick"]


def test_a_drag_soon_after_a_right_click_brings_no_menu(made):
    gestures, target = made
    gestures.press(RIGHT, 0, 300, 150, 1.0)
    gestures.release(RIGHT)
    gestures.press(LEFT, 0, 300, 150, 1.1)
    gestures.move(0, 360, 150)
    assert not [c for c in target.calls if c[0] == "pick"]


def test_a_drag_holds_the_point_where_it_began(made):
    """A drag that a modifier key turns into another action grabs the point under the cursor at that moment."""
    gestures, target = made
    gestures.press(RIGHT, 0, 300, 250, 1.0)
    gestures.move(0, 340, 250)
    gestures.move(SHIFT, 380, 250)
    gestures.move(SHIFT, 420, 250)
    assert target.grabbed == [("move_v", 0.25, 0.5), ("move_h", 0.3, 0.5)]
    assert target.at == (0.4, 0.5)


def test_a_drag_ends_where_its_release_was_lost(made):
    gestures, target = made
    gestures.press(LEFT, 0, 300, 200, 1.0)
    gestures.move(0, 340, 200, {LEFT})
    assert not gestures.move(0, 700, 300, set()) and not gestures.dragging
    assert len(target.calls) == 1, "the way that nobody saw is not made up for"
    gestures.press(RIGHT, 0, 700, 300, 2.0)
    gestures.move(0, 701, 300, {RIGHT})
    assert target.calls[-1] == ("camera", "move_v", 0.0025, 0.0)


@pytest.mark.parametrize("second", [(LEFT, 1.3, 300), (RIGHT, 1.1, 300), (LEFT, 1.1, 330)])
def test_slow_mixed_or_distant_clicks_are_no_double_click(made, second):
    gestures, target = made
    button, now, x = second
    gestures.press(LEFT, 0, 300, 150, 1.0)
    gestures.release(LEFT)
    gestures.press(button, 0, x, 150, now)
    assert not [c for c in target.calls if c[0] == "pick"]


def test_double_click_ends_a_pull(made):
    gestures, target = made
    target.selected = 1
    gestures.press(RIGHT, CTRL, 300, 150, 1.0)
    gestures.press(RIGHT, CTRL, 300, 150, 1.1)
    assert target.calls == [("begin", "translate"), ("end",), ("pick", "track", 0.25, 0.75)]


def test_wheel_zooms_two_percent_a_click(made):
    gestures, target = made
    assert gestures.wheel(300, 200, 1.0)
    assert target.calls == [("camera", "wheel", 0.0, 0.02)] and target.at == (0.25, 0.625)
    assert not gestures.wheel(10, 10, 1.0)


def test_events_outside_the_view_are_not_taken(made):
    gestures, target = made
    assert not gestures.press(LEFT, 0, 50, 200, 1.0)
    assert not gestures.move(0, 60, 210)
    assert target.calls == []


def test_drag_goes_on_outside_the_view(made):
    gestures, target = made
    gestures.press(LEFT, 0, 880, 200, 1.0)
    assert gestures.move(0, 1000, 200)
    assert target.calls[-1][:2] == ("camera", "rotate_v")


def test_losing_the_window_ends_the_gesture(made):
    gestures, target = made
    target.selected = 2
    gestures.press(RIGHT, CTRL, 300, 200, 1.0)
    gestures.cancel()
    assert target.calls[-1] == ("end",) and not gestures.dragging
