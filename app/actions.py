"""Actions on window, view and files: a small function for each intent. They run on the main thread."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..engine.machine.systems import APART
from ..engine.tables.compat_rows import choose
from ..ui import browse, layout, playback, reveal
from ..ui import intents as I
from ..ui.element_names import exists
from ..ui.layout import ARRANGED, PRESETS
from ..ui.panels import BY_NAME, PANELS, column
from ..ui.plotting import Plots, channels
from . import recordings, saving
from .config import ROWS
from .exports import table, write_csv
from .files import free_name, is_log
from .flags import FLAGS, Flags, put_flags, rows_of
from .ghosts import Ghost
from .parts import Parts
from .robot_actions import TABLE as OF_ROBOTS
from .trajectory import TrajectoryError, from_keys, read
from .trust import trust
from .undo import SCOPES
from .undo_rows import flipped, kept_layout

TABLE: dict[type, Callable[[Any, Any], None]] = {**OF_ROBOTS}
FONT_STEP = 10
# In seconds: times closer than SAME_MOMENT count as equal; FOLLOW_SECONDS limits the wait for the simulation to pause.
SAME_MOMENT, FOLLOW_SECONDS = 1e-6, 0.05
# {editor that can open a file at a line: its arguments}
EDITORS = {
    "code": "--goto {file}:{line}",
    "codium": "--goto {file}:{line}",
    "subl": "{file}:{line}",
    "gedit": "+{line} {file}",
    "kate": "--line {line} {file}",
    "gvim": "+{line} {file}",
    "emacs": "+{line} {file}",
    "xdg-open": "{file}",
}


handles = I.entering(TABLE)


def apply(parts: Parts, intent: I.Intent) -> None:
    TABLE[type(intent)](parts, intent)


# --- settings and panels -----------------------------------------------------------------------------------------


@handles(I.SetSetting)
def _setting(s: Parts, intent: I.SetSetting) -> None:
    config = s.config
    if intent.name == "font_step":
        config["font"] = min(max(config["font"] + FONT_STEP * intent.value, ROWS["font"].low), ROWS["font"].high)
    elif intent.value is None:
        config.toggle(intent.name)
    else:
        config[intent.name] = intent.value
    if intent.name == "vsync":
        s.window.set_vsync(config["vsync"])
    if intent.name == "layout" and not intent.value:
        s.scratch.of(layout.Wanted).preset = "classic" if config["workspace"] == "classic" else "default"
    if intent.name == "info":
        s.document.failure = None


@handles(I.ShowPanel)
def _panel(s: Parts, intent: I.ShowPanel) -> None:
    panel = BY_NAME[intent.name]
    opened = dict(s.config["panels"])
    value = flipped(opened.get(panel.name, panel.opened), intent.value)
    side = column(panel, s.config["workspace"])
    if intent.only and panel.side != "window":
        beside = (p for p in PANELS if p.side != "window" and column(p, s.config["workspace"]) == side)
        opened.update({p.name: False for p in beside})
        s.config[side or "right"] = True
    opened[panel.name] = value
    s.config["panels"] = opened
    if value and intent.reveal:
        if side and panel.name not in s.config["detached"]:
            s.config[side] = True
        if intent.row:
            reveal.ask_row(s.scratch, panel.name, intent.row)
        else:
            reveal.ask(s.scratch, panel.name)


@handles(I.DetachPanel)
def _detach(s: Parts, intent: I.DetachPanel) -> None:
    names = list(s.config["detached"])
    if intent.name in names:
        names.remove(intent.name)
    else:
        names.append(intent.name)
        _panel(s, I.ShowPanel(intent.name, True))
    s.config["detached"] = tuple(names)


@handles(I.Arrange)
def _arrange(s: Parts, intent: I.Arrange) -> None:
    if intent.name not in PRESETS:
        put_layout(s, s.config["layouts"].get(intent.name, {}))
        return
    preset = PRESETS[intent.name]
    opened = (
        dict(s.config["panels"])
        | {panel.name: False for panel in PANELS if panel.side == "window"}
        | dict.fromkeys(preset.opened, True)
    )
    values = (opened, (), preset.left, preset.right, preset.workspace, preset.bars)
    for name, value in zip(("panels", "detached", "left", "right", "workspace", "bars"), values, strict=True):
        s.config[name] = value
    s.scratch.of(layout.Wanted).preset = intent.name


@handles(I.PutLayout)
def _put_layout(s: Parts, intent: I.PutLayout) -> None:
    put_layout(s, intent.row)


def put_layout(s: Parts, row: dict) -> None:
    """Arrange the panels as in a saved layout. Rows that this version of the program cannot use are ignored."""
    for name in ARRANGED:
        if name in row:
            s.config[name] = row[name]
    if isinstance(text := row.get("layout"), str) and layout.is_sound(text):
        s.gui.restore(text)


@handles(I.KeepLayout)
def _keep_layout(s: Parts, intent: I.KeepLayout) -> None:
    rows = dict(s.config["layouts"])
    rows.pop(intent.name, None)
    if not intent.forget:
        rows[intent.name] = kept_layout(s)
        s.messages.note("info", f"Layout saved as {intent.name}", show=True)
    s.config["layouts"] = rows


@handles(I.Rebind)
def _rebind(s: Parts, intent: I.Rebind) -> None:
    loser = s.keys.rebind(intent.action, intent.chord)
    if loser:
        s.messages.note("warning", f"{s.keys.actions[loser].title} has no key any more")
    s.config["keys"] = dict(s.keys.changes)


# --- view --------------------------------------------------------------------------------------------------------


@handles(I.SetVisFlag)
def _vis_flag(s: Parts, intent: I.SetVisFlag) -> None:
    flags = s.view.opt.flags
    flags[intent.index] = flipped(flags[intent.index], intent.value)


@handles(I.SetRenderFlag)
def _render_flag(s: Parts, intent: I.SetRenderFlag) -> None:
    flags = s.view.render_flags
    flags[intent.index] = int(flipped(flags[intent.index], intent.value))


@handles(I.SetGroup)
def _group(s: Parts, intent: I.SetGroup) -> None:
    groups = getattr(s.view.opt, f"{intent.kind}group")
    groups[intent.index] = flipped(groups[intent.index], intent.value)


@handles(I.SetViewOption)
def _view_option(s: Parts, intent: I.SetViewOption) -> None:
    value = (int(getattr(s.view.opt, intent.name)) + 1) % intent.cycle if intent.cycle else intent.value
    setattr(s.view.opt, intent.name, value)


@handles(I.DefaultFlags)
def _default_flags(s: Parts, _intent: I.DefaultFlags) -> None:
    put_flags(s.view, Flags())


@handles(I.PutFlags)
def _put_flags(s: Parts, intent: I.PutFlags) -> None:
    put_flags(s.view, intent.flags)


@handles(I.KeepFlags)
def _keep_flags(s: Parts, intent: I.KeepFlags) -> None:
    for name, value in (rows_of(s.view) if intent.keep else dict.fromkeys(FLAGS)).items():
        s.config[name] = ROWS[name].default if value is None else value
    text = "New windows start with these flags" if intent.keep else "New windows start with the default flags"
    s.messages.note("info", text, show=True)


@handles(I.DefaultView)
def _default_view(s: Parts, _intent: I.DefaultView) -> None:
    s.view.align()


@handles(I.SetCamera)
def _camera(s: Parts, intent: I.SetCamera) -> None:
    if intent.step:
        s.view.step_camera(intent.step)
    else:
        s.view.set_camera(intent.index)


@handles(I.Align)
def _align(s: Parts, _intent: I.Align) -> None:
    s.view.align()


@handles(I.PlaceCamera)
def _place_camera(s: Parts, intent: I.PlaceCamera) -> None:
    for name, value in intent.values.items():
        if name == "lookat":
            s.view.cam.lookat[:] = value
        else:
            setattr(s.view.cam, name, value)


@handles(I.Frame)
def _frame(s: Parts, intent: I.Frame) -> None:
    if not s.view.frame(intent.everything):
        s.messages.note("warning", "Select something first: double-click a body, or use the explorer", show=True)


@handles(I.RestoreLooks)
def _restore_looks(s: Parts, intent: I.RestoreLooks) -> None:
    if s.view.looks is not None:
        s.view.looks.put(intent.modes)


@handles(I.Undo)
def _undo(s: Parts, intent: I.Undo) -> None:
    for _ in range(intent.count):
        entry = s.undo.again(intent.scope) if intent.redo else s.undo.back(intent.scope)
        if entry is None:
            where = f" in {SCOPES[intent.scope]}" if intent.scope else ""
            s.messages.note("info", f"Nothing to {'redo' if intent.redo else 'undo'}{where}", show=True)
            return
        own = [one for one in (entry.again if intent.redo else entry.back) if one.target != "sim"]
        for one in own:
            apply(s, one)
        if sim := tuple(one for one in (entry.again if intent.redo else entry.back) if one.target == "sim"):
            s.host.post(I.Together(sim))
        s.messages.note("info", f"{'Redone' if intent.redo else 'Undone'}: {entry.title}", show=True)


@handles(I.CopyCamera)
def _copy_camera(s: Parts, _intent: I.CopyCamera) -> None:
    if s.view.m is not None:
        s.set_clipboard(s.view.camera_element())


@handles(I.SelectBody)
def _select(s: Parts, intent: I.SelectBody) -> None:
    if s.view.m is None:
        return
    if intent.body < 0:
        s.view.select_parent()
    elif intent.body < s.view.m.nbody:
        s.view.select(intent.body)


@handles(I.SelectElement)
def _select_element(s: Parts, intent: I.SelectElement) -> None:
    # The click or the undo may be about an element of the model that was open before.
    if s.view.m is None or not exists(s.view.m, intent.kind, intent.index):
        return
    if intent.toggle:
        s.view.toggle_element(intent.kind, intent.index)
    else:
        s.view.select_element(intent.kind, intent.index)
    if intent.reveal:
        _lead(s, intent.kind, intent.index)


def _lead(s: Parts, kind: str, index: int) -> None:
    """Open the panel that shows an element, and scroll to its row."""
    panel = reveal.SHOWN_IN.get(kind, "element")
    # The panel does not show sliders of hidden groups.
    shown = getattr(s.view.opt, f"{kind}group", None) if kind in ("joint", "actuator") else None
    if shown is not None:
        group = int(getattr(s.view.m, "jnt_group" if kind == "joint" else "actuator_group")[index])
        panel = panel if shown[min(max(group, 0), len(shown) - 1)] else "element"
    _panel(s, I.ShowPanel(panel, True))
    if panel in reveal.ROWED:
        reveal.ask_row(s.scratch, panel, index)


@handles(I.SetLook)
def _look(s: Parts, intent: I.SetLook) -> None:
    looks = s.view.looks
    if looks is None:
        return
    kind, index = (intent.kind, intent.index) if intent.kind else s.view.element
    if intent.mode in ("collision", "visual"):
        looks.geoms_only(intent.mode)
    elif intent.mode == "clear":
        looks.clear()
    elif not intent.kind and (kind, index) == ("body", 0):
        s.messages.note("warning", "Select an element first: double-click a body, or use the explorer", show=True)
    else:
        looks.set(intent.mode, kind, index, intent.subtree)


# --- files -------------------------------------------------------------------------------------------------------


@handles(I.OpenFile)
def _open(s: Parts, intent: I.OpenFile) -> None:
    if intent.path and not intent.path.lower().endswith(I.MOTIONS) and s.asks(intent):
        return
    if is_log(intent.path):
        recordings.open_log(s, intent.path)
    elif intent.path.lower().endswith(I.MOTIONS):
        _load_motion(s, I.LoadMotion(intent.path))
    elif intent.path:
        s.document.load(intent.path)
    else:
        s.scratch.of(browse.Browsing).opened = True


@handles(I.LoadMotion)
def _load_motion(s: Parts, intent: I.LoadMotion) -> None:
    title, m = os.path.basename(intent.path), s.view.m
    if m is None or s.view.ghosts is None:
        s.messages.note("warning", f"{title}: open the model of this motion first", show=True)
        return
    try:
        motion = read(intent.path, m) if intent.path else from_keys(m)
    except (TrajectoryError, OSError) as error:
        s.messages.note("warning", f"{title or 'Keyframes'}: {error}", show=True)
        return
    # The motion starts at the current simulation time.
    s.view.ghosts.add(motion, float(s.view.d.time) if s.view.d is not None else 0.0)
    s.messages.note(
        "info",
        f"{motion.name}: {len(motion.time)} frames, {motion.duration:.3g} s, shown beside the simulation",
        show=True,
    )
    apply(s, I.ShowPanel("motions", True))


def _ghost(s: Parts, index: int) -> Ghost | None:
    """Return a motion, or None if it was removed with its model after the request."""
    ghosts = s.view.ghosts
    return ghosts.rows[index] if ghosts is not None and 0 <= index < len(ghosts.rows) else None


@handles(I.SetGhost)
def _set_ghost(s: Parts, intent: I.SetGhost) -> None:
    if (ghost := _ghost(s, intent.index)) is not None:
        setattr(ghost, intent.name, intent.value)


@handles(I.RemoveGhost)
def _remove_ghost(s: Parts, intent: I.RemoveGhost) -> None:
    if s.view.ghosts is not None and _ghost(s, intent.index) is not None:
        del s.view.ghosts.rows[intent.index]


@handles(I.TakePose)
def _take_pose(s: Parts, intent: I.TakePose) -> None:
    ghost = _ghost(s, intent.index)
    if ghost is not None and s.view.ghosts is not None and s.view.d is not None:
        d = s.view.ghosts.pose(ghost, float(s.view.d.time))
        s.queue.append(I.SetField("d.qpos", np.array(d.qpos)))


@handles(I.Reload)
def _reload(s: Parts, intent: I.Reload) -> None:
    s.document.reload(intent.keep_state)


@handles(I.CancelLoad)
def _cancel_load(s: Parts, _intent: I.CancelLoad) -> None:
    s.document.cancel()


@handles(I.SetCompat)
def _set_compat(s: Parts, intent: I.SetCompat) -> None:
    choose(intent.version)
    s.document.reload(keep_state=True)


@handles(I.Dismiss)
def _dismiss(s: Parts, _intent: I.Dismiss) -> None:
    s.document.failure = None


@handles(I.Trust)
def _trust(s: Parts, _intent: I.Trust) -> None:
    if s.document.failure:
        trust(s.document.failure.path)
        s.document.reload()


@handles(I.CopyText)
def _copy(s: Parts, intent: I.CopyText) -> None:
    s.set_clipboard(intent.text)


@handles(I.Screenshot)
def _screenshot(s: Parts, intent: I.Screenshot) -> None:
    s.display.shot = intent.path or free_name("screenshot.png")


@handles(I.SetPlots)
def _plots(s: Parts, intent: I.SetPlots) -> None:
    s.scratch.of(Plots).rows = intent.plots
    s.host.post(I.Follow(channels(intent.plots)))


@handles(I.ExportPlots)
def _export_plots(s: Parts, intent: I.ExportPlots) -> None:
    path = os.path.abspath(intent.path or free_name(f"plots.{intent.kind}"))
    if intent.kind == "png":
        s.display.cuttings.append((path, intent.area))
        return
    samples = s.host.status.peek().samples
    if samples is None or not samples.channels:
        s.messages.note("warning", "Nothing is plotted", show=True)
        return
    s.display.exports.begin(path, partial(write_csv, *table(s.snapshot.m, samples)))


@handles(I.Record)
def _record(s: Parts, intent: I.Record) -> None:
    if not flipped(s.filming.recorder is not None, intent.value):
        s.filming.end()
    elif s.view.m is not None:
        s.filming.begin(intent.path, s.host.status.peek().running)


@handles(I.PlayPast)
def _play_past(s: Parts, intent: I.PlayPast) -> None:
    status, fps = s.host.status.peek(), float(s.config["record_fps"]) if intent.film else 0.0
    if intent.film and s.scratch.of(playback.Playback).span is None:
        s.messages.note("info", "Mark a range first: hold Shift and drag on the timeline", show=True)
        return
    if s.host.passive or not playback.start(s.scratch, status, intent.rate, time.perf_counter(), fps):
        s.messages.note("info", "Nothing has been recorded yet", show=True)
        return
    if status.running:
        s.host.post(I.SetRunning(False))
        s.host.follow(FOLLOW_SECONDS)


@handles(I.PutOnTimeline)
def _put_on_timeline(s: Parts, intent: I.PutOnTimeline) -> None:
    recordings.on_timeline(s, intent.index)


@handles(I.Bookmark)
def _bookmark(s: Parts, intent: I.Bookmark) -> None:
    status, marks = s.host.status.peek(), s.scratch.of(playback.Playback).bookmarks
    now = playback.time_of(status, status.position)
    if not intent.step:
        near = [at for at in marks if abs(at - now) < SAME_MOMENT]
        marks[:] = sorted([at for at in marks if at not in near] + ([] if near else [now]))
        s.messages.note("info", f"Bookmark at {now:.3f} s {'removed' if near else 'set'}", show=True)
        return
    ahead = [at for at in marks if (at - now) * intent.step > SAME_MOMENT]
    if ahead:
        s.queue.append(I.Scrub(playback.position_of(status, min(ahead) if intent.step > 0 else max(ahead))))


@handles(I.SaveText)
def _save_text(s: Parts, intent: I.SaveText) -> None:
    saving.put(s, intent)


@handles(I.SaveSources)
def _save_sources(s: Parts, intent: I.SaveSources) -> None:
    saving.save(s, intent)


@handles(I.SaveAs)
def _save_as(s: Parts, intent: I.SaveAs) -> None:
    saving.save_as(s, intent)


@handles(I.PatchText)
def _patch_text(s: Parts, intent: I.PatchText) -> None:
    s.editing.patch(intent)


@handles(I.AddKey)
def _add_key(s: Parts, _intent: I.AddKey) -> None:
    s.editing.add_key()


@handles(I.EditElement)
@handles(I.MoveElement)
@handles(I.ScaleElement)
@handles(I.AddElement)
@handles(I.DeleteElement)
@handles(I.DuplicateElement)
@handles(I.PasteElements)
@handles(I.MoveInto)
def _edit(s: Parts, intent: I.ElementIntent) -> None:
    s.editing.ask(intent)
    if isinstance(intent, I.DuplicateElement) and s.config["gizmo"] == "off":
        # The copy coincides with its original, so show the handles for moving it away.
        s.config["gizmo"] = "move"


@handles(I.WriteSource)
def _write_source(s: Parts, intent: I.WriteSource) -> None:
    s.editing.write_live(intent)


@handles(I.AddCamera)
def _add_camera(s: Parts, _intent: I.AddCamera) -> None:
    if s.view.m is not None:
        s.editing.ask(I.PasteElements("body", 0, s.view.camera_element("view")))


@handles(I.OfSelection)
def _of_selection(s: Parts, intent: I.OfSelection) -> None:
    s.editing.of_selection(intent.what, s.view.chosen, s.window)


@handles(I.OpenEditor)
def _editor(s: Parts, intent: I.OpenEditor) -> None:
    try:
        command = editor_command(s.config["editor"], intent.path, max(1, intent.line))
    except (ValueError, KeyError, IndexError) as error:
        s.messages.note("warning", f"The editor command {s.config['editor']!r} is wrong: {error}")
        return
    if command is None:
        s.messages.note("warning", "No editor found; set one under Option > Editor")
        return
    try:
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=APART,
        )
    except OSError as error:
        s.messages.note("warning", f"The editor {command[0]!r} does not start: {error.strerror}; see Option > Editor")


def editor_command(template: str, path: str, line: int) -> list[str] | None:
    """Return the command that opens `path` at `line`: the user's template, or else the first known editor installed."""
    if not template:
        # Prefer the user's editor (VISUAL, EDITOR) if EDITORS has it: these open a window and accept a line number.
        own = (os.path.basename(os.environ.get(name, "")) for name in ("VISUAL", "EDITOR"))
        found = next((name for name in (*own, *EDITORS) if name in EDITORS and shutil.which(name)), None)
        if found is None:
            return None
        template = f"{found} {EDITORS[found]}"
    elif "{file}" not in template:
        template += " {file}"
    return [part.format(file=os.path.abspath(path), line=line) for part in shlex.split(template)]


# --- window ------------------------------------------------------------------------------------------------------


@handles(I.Fullscreen)
def _fullscreen(s: Parts, _intent: I.Fullscreen) -> None:
    s.window.toggle_fullscreen()


@handles(I.Quit)
def _quit(s: Parts, intent: I.Quit) -> None:
    s.parting = s.parting or not intent.ask
    s.window.close()


@handles(I.Leave)
def _leave(s: Parts, intent: I.Leave) -> None:
    saving.answer(s, intent)
