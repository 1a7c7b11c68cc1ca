"""Option panel: overlays, window and appearance."""

from .. import widgets
from ..context import Context
from ..intents import Fullscreen, SetLoop, SetSetting, ShowPanel

OVERLAYS = (("help", "Help"), ("info", "Info"), ("profiler", "Profiler"), ("sensor", "Sensor plot"))
SWITCHES = (
    ("vsync", "Vertical sync", "Synchronize with the monitor, if the system supports it"),
    ("auto_reload", "Reload on save", "Load the model again when one of its files is saved"),
    ("keep_state", "Keep motion", "A reload after saving carries the state over by element name"),
    ("adaptive", "Adapt quality", "Lower shadow and smoothing quality when frames are late"),
)
LOOPS = (
    ("pause_update", "Pause update", "While paused, feed the solver its own result, so that it continues to converge"),
    ("stop_unstable", "Stop if unstable", "Pause before the step at which the engine would reset an unstable simulation"),
    ("busy_wait", "Busy wait", "Physics never sleeps between steps: better timing, more heat"),
)


def draw(ctx: Context) -> None:
    settings = ctx.settings
    rows = [
        *((name, title, ctx.tip(name), settings[name], SetSetting) for name, title in OVERLAYS),
        *((name, title, help, getattr(ctx.status, name), SetLoop) for name, title, help in LOOPS),
        *((name, title, help, settings[name], SetSetting) for name, title, help in SWITCHES),
    ]
    widgets.check_grid(
        [(title, on, help) for _name, title, help, on, _intent in rows], lambda i, on: ctx.emit(rows[i][4](rows[i][0], on))
    )

    # looks
    widgets.row("Theme", 5.5)
    themes = ("dark", "light")
    if (new := widgets.radio(themes.index(settings["theme"]), ("Dark", "Light"))) is not None:
        ctx.emit(SetSetting("theme", themes[new]))
    widgets.row("Spacing", 5.5)
    spacings = ("tight", "wide")
    if (new := widgets.radio(spacings.index(settings["spacing"]), ("Tight", "Wide"))) is not None:
        ctx.emit(SetSetting("spacing", spacings[new]))
    widgets.row("Text size", 5.5)
    sizes = tuple(range(50, 301, 25))
    nearest = min(range(len(sizes)), key=lambda i: abs(sizes[i] - settings["font"]))
    if (new := widgets.choice("font", nearest, [f"{s} %" for s in sizes])) is not None:
        ctx.emit(SetSetting("font", sizes[new]))

    # editor and keyboard
    widgets.row(
        "Editor",
        5.5,
        "Command that opens a file at a line, such as  code --goto {file}:{line};  empty: the first known editor found",
    )
    changed, text = widgets.imgui.input_text_with_hint("##editor", "Found by itself", settings["editor"])
    if changed:
        ctx.emit(SetSetting("editor", text))
    if widgets.button("Full screen", ctx.tip("fullscreen"), 0.48 * widgets.imgui.get_content_region_avail().x):
        ctx.emit(Fullscreen())
    widgets.imgui.same_line()
    if widgets.button("Keyboard...", "", -1e-3):
        ctx.emit(ShowPanel("keys", True))
