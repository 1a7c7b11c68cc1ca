"""Every chord of the table with real key events, typing that must not be mistaken for commands, and settings that persist."""

import json
import signal
import threading

import pytest

from tests.app.models import PENDULUM
from tumble.app.keymap import default_actions
from tumble.render import scene as mjv

SETTINGS = ("help", "info", "profiler", "sensor", "left", "right")
FILES = {
    "export_xml": "mjmodel.xml",
    "save_mjb": "mjmodel.mjb",
    "print_model": "MJMODEL.TXT",
    "print_data": "MJDATA.TXT",
    "screenshot": "screenshot.png",
    "save_log": "session.zip",
}
# chords whose effect another test checks
ELSEWHERE = {
    "quit": "test_quit_saves_the_settings",
    "fullscreen": "test_full_screen_and_back",
    "parent": "test_parent_of_the_selected_body",
    "undo": "test_a_letter_says_what_it_did_and_undo_takes_it_back",
    "redo": "test_a_letter_says_what_it_did_and_undo_takes_it_back",
    "open": "test_open_and_palette",
    "palette": "test_open_and_palette",
    "copy_elements": "test_window_inspector",
    "paste_elements": "test_window_inspector",
    "delete": "test_window_inspector",
}
# number of shortcuts, typed faster than a user could; even, because each is undone by the next
QUICK = 40
# seconds for which a slowed viewer runs, and then stops: about five pictures a second
RUNS, RESTS = 0.03, 0.2
# seconds between two letters that a person types
TYPING = 0.12
ACTIONS = {a.id: a for a in default_actions() if a.chord}


@pytest.fixture(scope="module")
def viewer(keep_viewer):
    made = keep_viewer(PENDULUM, window=[820, 560])
    made.started()
    made.key("space")
    made.until(lambda r: not r["running"])
    return made


def twice(viewer, chord, read):
    """A toggle: pressing once changes it, pressing again changes it back."""
    before = read(viewer.row())
    viewer.key(chord)
    viewer.until(lambda r: read(r) != before, what=chord)
    viewer.key(chord)
    viewer.until(lambda r: read(r) == before, what=chord)


def check_flag(viewer, action):
    kind, _, label = action.id.partition(".")
    rows = mjv.mjVISSTRING if kind == "vis" else mjv.mjRNDSTRING
    index = [row[0] for row in rows].index(label)
    twice(viewer, action.chord, lambda r: r[f"{kind}_flags"][index])


def check_group(viewer, action):
    _, kind, index = action.id.split(".")
    twice(viewer, action.chord, lambda r: r[f"{kind}group"][int(index)])


def check_panel(viewer, action):
    name = action.id.partition(".")[2]
    viewer.key(action.chord)
    viewer.until(lambda r: r["panels"].get(name), what=action.chord)


def check_file(viewer, action):
    path = viewer.folder / FILES[action.id]
    path.unlink(missing_ok=True)
    # the file was removed, so its name is used again
    viewer.key(action.chord)
    viewer.until(lambda r: path.exists() and path.stat().st_size > 100, what=action.chord)


def changes(read, prepare=()):
    """The chord changes the value that `read` returns, after other chords."""

    def check(viewer, action):
        for chord in prepare:
            viewer.key(chord)
        before = read(viewer.fresh())
        viewer.key(action.chord)
        viewer.until(lambda r: read(r) != before, what=action.chord)

    return check


def look(wanted):
    """With the box selected, the modes of the geoms (floor, rod, cube)."""

    def check(viewer, action):
        viewer.until(lambda r: r["selected"] == 2)
        viewer.key(action.chord)
        viewer.until(lambda r: r["looks"]["geom"] == wanted, what=action.chord)
        viewer.key("ctrl+shift+h")
        viewer.until(lambda r: r["looks"]["geom"] == [0, 0, 0])

    return check


def notice(text):
    def check(viewer, action):
        viewer.key(action.chord)
        viewer.until(lambda r: text in r["notice"], what=action.chord)

    return check


def check_handles(viewer, action):
    """The chords select another type of handles, then the action's type, then none."""
    kind = action.id.partition("_")[2]
    for chord, wanted in (
        ("ctrl+2" if kind == "move" else "ctrl+1", "turn" if kind == "move" else "move"),
        (action.chord, kind),
        ("ctrl+0", "off"),
    ):
        viewer.key(chord)
        viewer.until(lambda r, wanted=wanted: r["settings"]["gizmo"] == wanted, what=chord)


def check_bookmark(viewer, action):
    """A second press at the same time removes the bookmark. Stop playback first, because it changes the time."""
    viewer.key("right")
    viewer.until(lambda r: not r["playing"], what="a step ends what is played")
    twice(viewer, action.chord, lambda r: r["bookmarks"])


def check_duplicate(viewer, action):
    """The key duplicates the box; undo removes the copy."""
    for chord in (action.chord, "ctrl+z"):
        before = viewer.fresh()["generation"]
        viewer.key(chord)
        viewer.until(lambda r, before=before: r["generation"] > before, what=chord)


CHECKS = {
    **{name: check_handles for name in ACTIONS if name.startswith("gizmo_")},
    **{name: (lambda viewer, action: twice(viewer, action.chord, lambda r: r["settings"][action.id])) for name in SETTINGS},
    **dict.fromkeys(FILES, check_file),
    "play_past": changes(lambda r: r["position"], ("left", "left", "left")),
    "play_back": changes(lambda r: r["position"], ("right",)),
    "bookmark": check_bookmark,
    "duplicate": check_duplicate,
    "run": lambda viewer, action: twice(viewer, action.chord, lambda r: r["running"]),
    "step": changes(lambda r: r["time"]),
    "back": changes(lambda r: r["time"], ("right",)),
    "faster": changes(lambda r: r["speed"]),
    "slower": changes(lambda r: r["speed"]),
    "reset": changes(lambda r: r["time"], ("right", "right")),
    "reload": changes(lambda r: r["generation"]),
    "reload_keep": changes(lambda r: r["generation"]),
    "save": notice("There is no unsaved text"),
    "settings": changes(lambda r: r["panels"].get("settings")),
    "fly": lambda viewer, action: twice(viewer, action.chord, lambda r: r["settings"]["fly"]),
    "copy_state": notice("clipboard"),
    "copy_state_full": notice("clipboard"),
    "copy_camera": notice("clipboard"),
    "align": changes(lambda r: r["camera"], ("]",)),
    "free": changes(lambda r: r["camera"], ("]",)),
    "frame_selected": changes(lambda r: r["lookat"], ("ctrl+a",)),
    "frame_all": changes(lambda r: r["distance"], ("ctrl+a",)),
    "next_camera": changes(lambda r: r["camera"]),
    "previous_camera": changes(lambda r: r["camera"]),
    "frame": changes(lambda r: r["frame_mode"]),
    "label": changes(lambda r: r["label"]),
    "bigger": changes(lambda r: r["settings"]["font"]),
    "smaller": changes(lambda r: r["settings"]["font"]),
    "hide": look([0, 0, 2]),
    "ghost": look([0, 0, 1]),
    "only": look([2, 2, 0]),
    "focus": look([1, 1, 0]),
    "show_all": look([0, 0, 0]),
    "record": lambda viewer, action: twice(viewer, action.chord, lambda r: r["recording"] is not None),
}
FAMILIES = {"vis": check_flag, "render": check_flag, "group": check_group, "panel": check_panel}


def palette(viewer, words):
    """Run the palette's first result for a text."""
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    for key in words:
        viewer.key("space" if key == " " else key)
    viewer.until(lambda r: r["typed"] == words)
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"])


def drawn(viewer):
    """Wait until the last event has been through two frames."""
    frame = viewer.row()["frame"]
    viewer.until(lambda r: r["frame"] > frame + 1)


def select_box(viewer):
    """Select the box through the palette."""
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    drawn(viewer)
    viewer.write("box")
    drawn(viewer)
    viewer.key("enter")
    viewer.until(lambda r: r["selected"] == 2 and not r["settings"]["palette"], what="the palette selects")


@pytest.mark.parametrize("name", ACTIONS)
def test_every_chord(viewer, name):
    action = ACTIONS[name]
    if name in ELSEWHERE:
        assert ELSEWHERE[name]
        return
    if name in ("hide", "ghost", "only", "focus", "show_all", "frame_selected", "duplicate"):
        select_box(viewer)
    check = CHECKS.get(name) or FAMILIES[name.partition(".")[0]]
    check(viewer, action)
    assert "Traceback" not in viewer.output(), viewer.output()


def test_typing_into_a_field_moves_nothing(viewer):
    """While a field has the keyboard, letters and digits are text."""
    before = viewer.fresh()
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    drawn(viewer)
    viewer.write("hjq3")
    row = viewer.fresh()
    assert row["vis_flags"] == before["vis_flags"] and row["geomgroup"] == before["geomgroup"]
    viewer.key("esc")
    viewer.until(lambda r: not r["settings"]["palette"])
    assert viewer.fresh()["camera"] == before["camera"]


def test_shortcuts_in_a_row_leave_nothing_behind(viewer):
    """If keys arrive faster than ImGui reads them, drawing continues until it has read all. None of their characters appears
    in the next text field.
    """
    for _ in range(QUICK):
        viewer.key("shift+4", 0.0)
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    drawn(viewer)
    viewer.key("h")
    viewer.until(lambda r: r["typed"] == "h", what="what was typed is not in the field alone")
    viewer.key("esc")
    viewer.until(lambda r: not r["settings"]["palette"])


def test_open_and_palette(viewer):
    viewer.key("ctrl+o")
    viewer.until(lambda r: r["browsing"])
    viewer.key("esc")
    viewer.until(lambda r: not r["browsing"])
    select_box(viewer)


def test_what_follows_the_palette_key_at_once_is_text(viewer):
    """Letters typed before the field is on the screen end up in the field, and do not act as shortcuts for groups or fog."""
    before = viewer.fresh()
    viewer.key("ctrl+k", 0.0)
    for key in "g50hw":
        viewer.key(key, 0.0)
    viewer.until(lambda r: r["settings"]["palette"] and r["typed"] == "g50hw", what="what was typed is not in the field")
    row = viewer.fresh()
    for name in ("vis_flags", "render_flags", "geomgroup"):
        assert row[name] == before[name], name
    viewer.key("esc")
    viewer.until(lambda r: not r["settings"]["palette"])
    viewer.key("ctrl+o", 0.0)
    for key in "w5":
        viewer.key(key, 0.0)
    viewer.until(lambda r: r["browsing"])
    row = viewer.fresh()
    assert row["render_flags"] == before["render_flags"] and row["geomgroup"] == before["geomgroup"]
    viewer.key("esc")
    viewer.until(lambda r: not r["browsing"])


def test_a_letter_says_what_it_did_and_undo_takes_it_back(viewer):
    before = viewer.fresh()
    viewer.key("0")
    row = viewer.until(lambda r: r["geomgroup"][0] == 0)
    viewer.until(lambda r: "Geom group 0 hidden" in r["notice"] and "Ctrl+Z" in r["notice"])
    viewer.key("w")
    row = viewer.until(lambda r: r["render_flags"] != before["render_flags"])
    viewer.key("ctrl+z")
    viewer.until(lambda r: r["render_flags"] == before["render_flags"] and "Undone" in r["notice"])
    viewer.key("ctrl+z")
    viewer.until(lambda r: r["geomgroup"] == before["geomgroup"])
    viewer.key("ctrl+shift+z")
    viewer.until(lambda r: r["geomgroup"] == row["geomgroup"])
    viewer.key("ctrl+z")
    viewer.until(lambda r: r["geomgroup"] == before["geomgroup"])


def test_undo_takes_the_simulation_back(viewer):
    before = viewer.fresh()["time"]
    viewer.key("right")
    row = viewer.until(lambda r: r["time"] > before)
    viewer.key("backspace")
    viewer.until(lambda r: r["time"] == 0)
    viewer.key("ctrl+z")
    back = viewer.until(lambda r: r["time"] == row["time"], what="the reset is taken back")
    assert back["qpos"] == row["qpos"]


def test_escape_closes_menus_and_nothing_else(viewer):
    viewer.key("esc")
    viewer.until(lambda r: r["camera"] == 0)
    viewer.key("]")
    camera = viewer.until(lambda r: r["camera"] >= 2)["camera"]
    # the menu bar
    viewer.click(25, 14)
    viewer.until(lambda r: r["menu"])
    viewer.key("esc")
    row = viewer.until(lambda r: not r["menu"])
    assert row["camera"] == camera
    viewer.key("esc")
    viewer.until(lambda r: r["camera"] == 0)


def test_full_screen_and_back(viewer):
    size = viewer.fresh()["size"]
    viewer.key("f5")
    viewer.until(lambda r: r["fullscreen"] and r["size"] != size)
    viewer.key("f5")
    viewer.until(lambda r: not r["fullscreen"] and r["size"] == size)


def test_everything_set_is_there_again(make_viewer):
    """Panels, keys, text size and window return in the next session, and so do flags that were kept; others do not."""
    viewer = make_viewer(PENDULUM, keys={"info": "F9"})
    viewer.started()
    for chord in ("f9", "h", "w", "3", "shift+4", "f6", "f7", "ctrl+=", "alt+p"):
        viewer.key(chord)
    wanted = viewer.until(lambda r: r["panels"].get("physics") and r["settings"]["font"] == 110)
    palette(viewer, "with these flags")
    viewer.until(lambda r: "start with these flags" in r["notice"])
    viewer.key("j")
    viewer.until(lambda r: r["vis_flags"] != wanted["vis_flags"])
    assert viewer.close() == 0
    stored = json.loads(viewer.settings.read_text())
    again = make_viewer(PENDULUM, **{k: v for k, v in stored.items() if k != "window"})
    row = again.started()
    for name in ("vis_flags", "render_flags", "geomgroup", "sitegroup", "label", "frame_mode", "panels", "settings"):
        if name == "settings":
            assert {k: v for k, v in row[name].items() if k not in ("label", "frame")} == {
                k: v for k, v in wanted[name].items() if k not in ("label", "frame")
            }
            continue
        assert row[name] == wanted[name], name
    assert row["settings"]["info"] and row["vis_flags"][0] == 1 and row["geomgroup"][3] == 1 and row["sitegroup"][4] == 1


class Slowed:
    """While in use, the viewer gets the processor for a few milliseconds at a time, as on a machine that draws few
    pictures a second.
    """

    def __init__(self, viewer):
        self.process, self._over = viewer.process, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._over.wait(RUNS):
            self.process.send_signal(signal.SIGSTOP)
            self._over.wait(RESTS)
            self.process.send_signal(signal.SIGCONT)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._over.set()
        self._thread.join()


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("chord", ["ctrl+k", "ctrl+o"])
def test_slow_pictures_leak_no_letters(viewer, chord, delay):
    """Letters typed after the chord are never commands, however long the field takes to appear. Letters for the palette go into
    its field.
    """
    before = viewer.fresh()
    opened = (lambda r: r["settings"]["palette"]) if chord == "ctrl+k" else (lambda r: r["browsing"])
    with Slowed(viewer):
        viewer.key(chord, delay)
        for key in "g50hw":
            viewer.key(key, TYPING)
        viewer.until(
            lambda r: opened(r) and (chord != "ctrl+k" or r["typed"] == "g50hw"), what="what was typed is not in the field"
        )
    row = viewer.fresh()
    for name in ("vis_flags", "render_flags", "geomgroup"):
        assert row[name] == before[name], name
    viewer.key("esc")
    viewer.until(lambda r: not opened(r))
