"""Settings: all settings of the program in a searchable list, each with an explanation and a button that restores its
default."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from .. import icons, widgets
from ..context import Context
from ..intents import SetLoop, SetSetting, ShowPanel

# {section: (row of the settings, help text)}
SECTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "Appearance": (
        ("theme", "Dark or light panels"),
        ("font", "Size of all text, in percent; panels follow it"),
        ("spacing", "Tight shows more rows, wide is easier to click"),
        ("lighting", "Lighting of the view: per pixel with soft shadows, or as in pictures of scripts"),
    ),
    "Window": (
        ("vsync", "Synchronize with the monitor, if the system supports it"),
        ("adaptive", "Lower the quality of shadows and edges when frames are late"),
        ("grid", "Lines on the ground with their unit; auto: if the model has no ground"),
        ("limits", "Arcs and lines in the view over the range of the selected joint, or of the joints of the selected body"),
        (
            "stage",
            "Floor, lights and sky in the view for models that have none; auto: not in windows of scripts. "
            "Nothing collides with this floor, and no file contains it",
        ),
        ("launcher", "Enter fires a ball or a box into the scene. The model gets some bodies more; not in windows of scripts"),
        ("stereo", "Two pictures side by side, for a headset or crossed eyes"),
        ("angles", "Unit of angles in the inspector and in joint sliders; file: as the model's file writes them"),
        ("gizmo_axes", "Axes of the handles in the view: the world's or the element's own"),
    ),
    "Simulation loop": (
        ("busy_wait", "Physics never sleeps between steps: better timing, more heat"),
        ("pause_update", "While paused, feed the solver its own result, so that it continues to converge"),
        ("stop_unstable", "Pause before the step at which the engine would reset an unstable simulation"),
        ("ring_seconds", "Seconds of the past that the doctor can go back to"),
    ),
    "Files": (
        ("auto_reload", "Load the model again when one of its files is saved"),
        ("keep_state", "A reload after saving carries the motion over by element name"),
        ("editor", "Command that opens a file at a line, such as  code --goto {file}:{line};  empty: a known editor"),
        ("picture_size", "Size of screenshots and films; view: the current size"),
        ("picture_look", "Look of screenshots: as on screen, as in a studio, or cut out with a transparent background"),
        ("record_fps", "Frames per second of films"),
        ("record_panels", "Films show the whole window, not only the view"),
        ("record_folder", "Folder of films; empty: the folder where the program was started"),
    ),
}
# Settings that belong to the simulation loop.
LOOPS = ("busy_wait", "pause_update", "stop_unstable", "ring_seconds")
LABEL = 13.0


def draw(ctx: Context) -> None:
    text = widgets.filter_box(ctx, "settings", "Find a setting")
    found = 0
    for section, rows in SECTIONS.items():
        shown = [row for row in rows if widgets.matches(text, f"{section} {ctx.settings.rows[row[0]].title} {row[1]}")]
        if shown:
            widgets.heading(section)
        for name, help in shown:
            with widgets.ident(name):
                _row(ctx, name, help)
        found += len(shown)
    if widgets.matches(text, "keyboard keys shortcuts"):
        widgets.heading("Keyboard")
        if widgets.button(f"{icons.KEYBOARD}  All keys...", "", 0.0, "Show all keys, and change them"):
            ctx.emit(ShowPanel("keys", True))
    elif not found:
        widgets.muted(ctx, "No setting has this name")


def _row(ctx: Context, name: str, help: str) -> None:
    """Draw a setting: title, control and, if its value is not the default, a button that restores it."""
    row, value = ctx.settings.rows[name], ctx.settings[name]
    widgets.row(row.title, LABEL, help)
    room = imgui.get_content_region_avail().x - widgets.em(2.2)
    imgui.set_next_item_width(room)
    new = _control(row, value)
    widgets.tooltip(help)
    if value != row.default:
        imgui.same_line()
        if imgui.small_button(f"{icons.UNDO}##default"):
            new = row.default
        widgets.tooltip(f"Back to the default: {row.default if row.default != '' else 'empty'}")
    if new is not None:
        ctx.emit(SetLoop(name, new) if name in LOOPS else SetSetting(name, new))


def _control(row: Any, value: Any) -> Any:
    """Draw the control for a row's type; return a new value, or None."""
    if isinstance(row.default, bool):
        return widgets.toggle("##on", value)
    if row.choices:
        new = widgets.choice("choice", row.choices.index(value), [word.capitalize() for word in row.choices])
        return None if new is None else row.choices[new]
    if isinstance(row.default, int):
        return widgets.integer("number", value, int(row.low), int(row.high))
    if isinstance(row.default, float):
        return widgets.number("number", value, row.low, row.high)
    changed, text = imgui.input_text("##text", value)
    return text if changed else None
