"""The table of key commands, one row for each. Dispatch, menus, tooltips, Help and the palette read it.

A chord is written `Ctrl+Shift+L`. Letters mean the key with that letter on it, with or without Shift. Every row can be
bound to another chord, and changes are kept in the settings. No two rows may have the same chord.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..render import scene as mjv
from ..ui import intents as I
from ..ui.chords import KEY_NAMES, MODIFIERS, normalise
from ..ui.element_names import sentence


@dataclass(frozen=True)
class Action:
    """`make` builds the intent. `repeat`: the intent is also emitted repeatedly while the key is held."""

    id: str
    title: str
    group: str
    chord: str
    make: Callable[[], I.Intent]
    repeat: bool = False
    # The action opens a text field, so typed characters wait for that field.
    text: bool = False


# id, title, group, chord, intent[, repeat]
_ROWS = (
    ("run", "Play / pause", "Simulation", "Space", I.SetRunning),
    ("step", "Step forward", "Simulation", "Right", I.Step, True),
    ("back", "Step back in history", "Simulation", "Left", lambda: I.Step(-1), True),
    ("play_past", "Play what was recorded", "Simulation", "Shift+Right", I.PlayPast),
    ("play_back", "Play backwards", "Simulation", "Shift+Left", lambda: I.PlayPast(-1.0)),
    ("film_range", "Film the marked range", "Simulation", "", lambda: I.PlayPast(film=True)),
    ("puppet", "Puppet: pulls move the joints", "Simulation", "", lambda: I.SetLoop("puppet", None)),
    ("posing", "Posing: no gravity, no springs, viscous", "Simulation", "", lambda: I.SetLoop("posing", None)),
    ("mark_contacts", "Mark new contacts", "Simulation", "", lambda: I.SetLoop("mark_contacts", None)),
    ("bookmark", "Bookmark this moment", "Simulation", "Ctrl+Shift+B", I.Bookmark),
    ("next_bookmark", "Next bookmark", "Simulation", "", lambda: I.Bookmark(1)),
    ("previous_bookmark", "Previous bookmark", "Simulation", "", lambda: I.Bookmark(-1)),
    ("faster", "Faster", "Simulation", "=", lambda: I.SetSpeed(notches=-1)),
    ("slower", "Slower", "Simulation", "-", lambda: I.SetSpeed(notches=1)),
    ("reset", "Reset", "Simulation", "Backspace", I.Reset),
    ("reload", "Reload", "Simulation", "Ctrl+L", I.Reload),
    ("reload_keep", "Reload, keep the motion", "Simulation", "Ctrl+Shift+L", lambda: I.Reload(keep_state=True)),
    ("add_key", "Add keyframe to the source", "Simulation", "", I.AddKey),
    ("add_camera", "Add the view's camera to the source", "Camera", "", I.AddCamera),
    ("copy_state", "Copy state as keyframe", "Simulation", "Ctrl+C", I.CopyState),
    ("copy_state_full", "Copy state, all digits", "Simulation", "Ctrl+Shift+C", lambda: I.CopyState(full=True)),
    ("undo", "Undo", "Edit", "Ctrl+Z", I.Undo, True),
    ("redo", "Redo", "Edit", "Ctrl+Shift+Z", lambda: I.Undo(redo=True), True),
    ("undo_edit", "Undo the last edit of the source", "Edit", "", lambda: I.Undo(scope="edit")),
    ("undo_simulation", "Undo the last change of the simulation", "Edit", "", lambda: I.Undo(scope="simulation")),
    ("undo_view", "Undo the last change of view and window", "Edit", "", lambda: I.Undo(scope="view")),
    ("copy_elements", "Copy elements", "Edit", "Ctrl+Alt+C", lambda: I.OfSelection("copy")),
    ("paste_elements", "Paste elements", "Edit", "Ctrl+V", lambda: I.OfSelection("paste")),
    ("duplicate", "Duplicate elements", "Edit", "Ctrl+Shift+D", lambda: I.OfSelection("duplicate")),
    ("delete", "Delete elements", "Edit", "Delete", lambda: I.OfSelection("delete")),
    ("gizmo_off", "No handles", "Edit", "Ctrl+0", lambda: I.SetSetting("gizmo", "off")),
    ("gizmo_move", "Handles that move", "Edit", "Ctrl+1", lambda: I.SetSetting("gizmo", "move")),
    ("gizmo_turn", "Handles that turn", "Edit", "Ctrl+2", lambda: I.SetSetting("gizmo", "turn")),
    ("gizmo_scale", "Handles that scale", "Edit", "Ctrl+3", lambda: I.SetSetting("gizmo", "scale")),
    ("write_source", "Write live changes to the source", "Edit", "", I.WriteSource),
    ("settings", "Settings...", "Edit", "Ctrl+,", lambda: I.ShowPanel("settings", True)),
    ("open", "Open model...", "File", "Ctrl+O", I.OpenFile),
    ("cancel_load", "Cancel loading", "File", "", I.CancelLoad),
    ("save", "Save", "File", "Ctrl+S", I.SaveSources),
    ("save_as", "Save as...", "File", "", I.SaveAs),
    ("export_xml", "Export XML", "File", "Ctrl+E", lambda: I.SaveFile("xml")),
    ("save_mjb", "Export MJB", "File", "Ctrl+B", lambda: I.SaveFile("mjb")),
    ("arguments", "Import options and arguments...", "File", "", lambda: I.ShowPanel("robot", True)),
    ("save_folder", "Save as MJCF", "File", "", lambda: I.SaveFile("folder")),
    ("print_model", "Print model", "File", "Ctrl+M", lambda: I.SaveFile("model")),
    ("print_data", "Print data", "File", "Ctrl+D", lambda: I.SaveFile("data")),
    ("save_log", "Save session log", "File", "Ctrl+Shift+S", lambda: I.SaveFile("log")),
    ("save_motion", "Save the past as a motion", "File", "", lambda: I.SaveFile("motion")),
    ("keep_past", "Keep the past as a motion", "Simulation", "", I.KeepPast),
    ("key_motion", "Keyframes as a motion", "Simulation", "", I.LoadMotion),
    ("screenshot", "Screenshot", "File", "Ctrl+P", I.Screenshot),
    ("record", "Record video", "File", "Ctrl+R", I.Record),
    ("quit", "Quit", "File", "Ctrl+Q", I.Quit),
    ("align", "Align view", "Camera", "Ctrl+A", I.Align),
    ("default_view", "Default view", "Camera", "", I.DefaultView),
    ("frame_selected", "Frame selected", "Camera", "Ctrl+F", I.Frame),
    ("frame_all", "Frame all", "Camera", "Ctrl+Shift+F", lambda: I.Frame(True)),
    ("free", "Free camera", "Camera", "Esc", I.SetCamera),
    ("fly", "Fly: W A S D, Q E, Shift", "Camera", "Shift+`", lambda: I.SetSetting("fly")),
    ("next_camera", "Next camera", "Camera", "]", lambda: I.SetCamera(step=1)),
    ("previous_camera", "Previous camera", "Camera", "[", lambda: I.SetCamera(step=-1)),
    ("copy_camera", "Copy camera", "Camera", "Ctrl+Shift+A", I.CopyCamera),
    ("parent", "Select parent body", "Camera", "PageUp", lambda: I.SelectBody(-1)),
    ("hide", "Hide selected", "Look", "Ctrl+H", lambda: I.SetLook("hide")),
    ("ghost", "Fade selected", "Look", "Ctrl+G", lambda: I.SetLook("ghost")),
    ("only", "Hide all but selected", "Look", "Ctrl+I", lambda: I.SetLook("only", subtree=True)),
    ("focus", "Fade all but selected", "Look", "Ctrl+Shift+I", lambda: I.SetLook("focus", subtree=True)),
    ("show_all", "Show everything", "Look", "Ctrl+Shift+H", lambda: I.SetLook("clear")),
    ("collision", "Collision geoms only", "Look", "", lambda: I.SetLook("collision")),
    ("visual", "Visual geoms only", "Look", "", lambda: I.SetLook("visual")),
    ("default_flags", "Default flags", "Look", "", I.DefaultFlags),
    ("keep_flags", "Start new windows with these flags", "Look", "", I.KeepFlags),
    ("forget_flags", "Start new windows with the default flags", "Look", "", lambda: I.KeepFlags(False)),
    ("help", "Help", "Window", "F1", lambda: I.SetSetting("help")),
    ("info", "Info", "Window", "F2", lambda: I.SetSetting("info")),
    ("profiler", "Profiler", "Window", "F3", lambda: I.SetSetting("profiler")),
    ("sensor", "Sensor plot", "Window", "F4", lambda: I.SetSetting("sensor")),
    ("fullscreen", "Full screen", "Window", "F5", I.Fullscreen),
    ("frame", "Cycle frames", "Window", "F6", lambda: I.SetViewOption("frame", cycle=len(mjv.mjFRAMESTRING))),
    ("label", "Cycle labels", "Window", "F7", lambda: I.SetViewOption("label", cycle=len(mjv.mjLABELSTRING))),
    ("left", "Left panel", "Window", "Tab", lambda: I.SetSetting("left")),
    ("right", "Right panel", "Window", "Shift+Tab", lambda: I.SetSetting("right")),
    ("palette", "Search everything", "Window", "Ctrl+K", lambda: I.SetSetting("palette")),
    ("bigger", "Larger text", "Window", "Ctrl+=", lambda: I.SetSetting("font_step", 1)),
    ("smaller", "Smaller text", "Window", "Ctrl+-", lambda: I.SetSetting("font_step", -1)),
)
# Panels that a letter opens, as in simulate. Others are opened from the menu or the palette.
_SECTIONS = (
    ("file", "F"),
    ("option", "O"),
    ("simulation", "S"),
    ("watch", "W"),
    ("physics", "P"),
    ("rendering", "R"),
    ("visualization", "V"),
    ("group", "G"),
    ("joint", "J"),
    ("control", "C"),
    ("equality", "E"),
    ("console", "L"),
    ("explorer", "X"),
)
# Actions that open a text field.
OPEN_TEXT = ("open", "save_as", "palette")
# chords of flags whose key in MuJoCo's simulate does not work, or has another meaning here
_FLAG_CHORDS = {"Segment": "Shift+,"}


def _flags() -> Iterator[Action]:
    for kind, rows, make in (("vis", mjv.mjVISSTRING, I.SetVisFlag), ("render", mjv.mjRNDSTRING, I.SetRenderFlag)):
        group = "Model elements" if kind == "vis" else "Rendering effects"
        for index, (label, _default, key) in enumerate(rows):
            chord = _FLAG_CHORDS.get(label) or str(key)
            yield Action(f"{kind}.{label}", sentence(label), group, chord, lambda make=make, index=index: make(index))


def _rest() -> Iterator[Action]:
    for prefix, kind in (("", "geom"), ("Shift+", "site")):
        for i in range(6):
            yield Action(
                f"group.{kind}.{i}",
                f"{kind.capitalize()} group {i}",
                "Groups",
                f"{prefix}{i}",
                lambda kind=kind, i=i: I.SetGroup(kind, i),
            )
    for name, letter in _SECTIONS:
        yield Action(
            f"panel.{name}", f"Open {name}", "Panels", f"Alt+{letter}", lambda name=name: I.ShowPanel(name, True, only=True)
        )


def default_actions() -> tuple[Action, ...]:
    """Return all rows with their default chords."""
    rows = [Action(r[0], r[1], r[2], r[3], r[4], r[5] if len(r) > 5 else False, r[0] in OPEN_TEXT) for r in _ROWS]
    return tuple([*rows, *_flags(), *_rest()])


class Keymap:
    """The rows with the user's changes; finds the action for a pressed key."""

    def __init__(self, changes: dict[str, str] | None = None) -> None:
        self.actions = {a.id: a for a in default_actions()}
        self.changes = {k: v for k, v in (changes or {}).items() if k in self.actions}
        self._by_chord: dict[str, Action] = {}
        self._index()

    def _index(self) -> None:
        self._by_chord = {}
        for action in self.actions.values():
            chord = self.chord(action.id)
            if chord:
                self._by_chord.setdefault(chord, action)

    def chord(self, action: str) -> str:
        """Return the current chord of an action; empty if there is none."""
        return self.changes.get(action, self.actions[action].chord)

    def find(self, chord: str) -> Action | None:
        return self._by_chord.get(chord)

    def rebind(self, action: str, chord: str | None) -> str | None:
        """Change a chord (None: back to the default). Return the id of the action that loses this chord, if any."""
        wanted = self.actions[action].chord if chord is None else normalise(chord) if chord else ""
        loser = self.find(wanted)
        if chord is None:
            self.changes.pop(action, None)
        else:
            self.changes[action] = wanted
        if loser and loser.id != action:
            self.changes[loser.id] = ""
        self._index()
        return loser.id if loser and loser.id != action else None

    def groups(self) -> dict[str, list[Action]]:
        """Return rows by group, in the table's order, as Help shows them."""
        groups: dict[str, list[Action]] = {}
        for action in self.actions.values():
            groups.setdefault(action.group, []).append(action)
        return groups


def no_text(chord: str) -> bool:
    """Return whether a chord has no meaning in text fields, so that it stays a command while the user types."""
    key = chord.rpartition("+")[2]
    return (
        key[:1] == "F" and key[1:].isdigit() or chord in ("Ctrl+K", "Ctrl+O", "Ctrl+P", "Ctrl+Q", "Ctrl+R", "Ctrl+S", "Ctrl+,")
    )


class KeyCodes:
    """Converts glfw codes to chords and back. It reads the glfw module, so the table above does not need it."""

    def __init__(self, glfw: object) -> None:
        names = {**KEY_NAMES, **{c: c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}}
        self.name_of = {int(getattr(glfw, "KEY_" + code)): name for name, code in names.items()}
        self.name_of[int(getattr(glfw, "KEY_KP_ADD"))] = "="
        self.name_of[int(getattr(glfw, "KEY_KP_SUBTRACT"))] = "-"
        self._bits = [(int(getattr(glfw, "MOD_" + ("CONTROL" if m == "Ctrl" else m.upper()))), m) for m in MODIFIERS]

    def chord(self, key: int, mods: int) -> str:
        """Return the chord text of a key press; empty for keys without a name here."""
        name = self.name_of.get(key, "")
        return "+".join([text for bit, text in self._bits if mods & bit] + [name]) if name else ""
