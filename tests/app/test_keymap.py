"""One table of chords: no collisions, remappable, every row makes an intent."""

import glfw
import pytest

from tumble.app import actions, commands
from tumble.app.keymap import KeyCodes, Keymap, default_actions, no_text, normalise
from tumble.ui import intents as I

# chords of simulate that must have the same meaning here (rows A092 .. A107)
KNOWN = {
    "Space": "run",
    "Right": "step",
    "Left": "back",
    "=": "faster",
    "-": "slower",
    "Backspace": "reset",
    "Tab": "left",
    "Shift+Tab": "right",
    "[": "previous_camera",
    "]": "next_camera",
    "Esc": "free",
    "PageUp": "parent",
    "F1": "help",
    "F2": "info",
    "F3": "profiler",
    "F4": "sensor",
    "F5": "fullscreen",
    "F6": "frame",
    "F7": "label",
    "Ctrl+C": "copy_state",
    "Ctrl+L": "reload",
    "Ctrl+A": "align",
    "Ctrl+M": "print_model",
    "Ctrl+D": "print_data",
    "Ctrl+P": "screenshot",
    "Ctrl+Q": "quit",
    "0": "group.geom.0",
    "Shift+5": "group.site.5",
    "Alt+F": "panel.file",
    "Alt+E": "panel.equality",
    "H": "vis.Convex Hull",
    "`": "vis.Body Tree",
    "\\": "vis.Mesh Tree",
    "S": "render.Shadow",
    ",": "vis.Activation",
}


def test_no_chord_is_given_twice():
    chords = [a.chord for a in default_actions() if a.chord]
    assert len(chords) == len(set(chords))
    assert all(normalise(c) == c for c in chords)


@pytest.mark.parametrize("chord,action", KNOWN.items())
def test_chords_of_simulate(chord, action):
    assert Keymap().find(chord).id == action


def test_segment_has_a_key_of_its_own():
    assert Keymap().chord("render.Segment") not in ("", ",")


def test_every_row_makes_an_intent_that_somebody_carries_out():
    for action in default_actions():
        intent = action.make()
        assert isinstance(intent, I.Intent)
        assert type(intent) in (commands.TABLE if intent.target == "sim" else actions.TABLE), action.id


def test_every_intent_has_one_who_carries_it_out():
    for kind in vars(I).values():
        if (
            isinstance(kind, type)
            and issubclass(kind, I.Intent)
            and kind not in (I.Intent, I.SimIntent, I.LoggedIntent, I.ElementIntent)
        ):
            assert (kind in commands.TABLE) == (kind.target == "sim") and (kind in actions.TABLE) == (kind.target == "view"), (
                kind
            )


def test_rebinding_takes_the_chord_from_its_owner_and_can_be_undone():
    keys = Keymap()
    assert keys.rebind("info", "Space") == "run"
    assert keys.find("Space").id == "info" and keys.chord("run") == ""
    again = Keymap(keys.changes)
    assert again.find("Space").id == "info"
    keys.rebind("info", None)
    assert keys.find("F2").id == "info"
    keys.rebind("run", None)
    assert keys.find("Space").id == "run"


def test_changes_for_unknown_actions_are_dropped():
    assert Keymap({"no such thing": "F9"}).changes == {}


@pytest.mark.parametrize(
    "text,chord", [("ctrl+l", "Ctrl+L"), ("shift+ctrl+pageup", "Ctrl+Shift+PageUp"), ("=", "="), ("alt+f5", "Alt+F5")]
)
def test_normalise(text, chord):
    assert normalise(text) == chord


@pytest.mark.parametrize("text", ["", "Ctrl+", "Hyper+L", "Ctrl+Foo"])
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError):
        normalise(text)


def test_glfw_codes():
    codes = KeyCodes(glfw)
    assert codes.chord(glfw.KEY_L, glfw.MOD_CONTROL) == "Ctrl+L"
    assert codes.chord(glfw.KEY_TAB, glfw.MOD_SHIFT) == "Shift+Tab"
    assert codes.chord(glfw.KEY_KP_ADD, 0) == "="
    # caps lock does not count as a modifier, and a modifier alone is not a chord
    assert codes.chord(glfw.KEY_A, glfw.MOD_CAPS_LOCK) == "A"
    assert codes.chord(glfw.KEY_LEFT_SHIFT, glfw.MOD_SHIFT) == ""


def test_chords_that_work_while_typing():
    """Function keys and the exit chord work in text fields; chords that a text field uses, and plain letters, do not."""
    for chord in ("F1", "Shift+F12", "Ctrl+Q", "Ctrl+O", "Ctrl+S", "Ctrl+K"):
        assert no_text(chord), chord
    for chord in ("F", "Shift+F", "Ctrl+F", "Ctrl+Z", "Space", "Left", "1", ""):
        assert not no_text(chord), chord
