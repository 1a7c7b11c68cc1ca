"""Doctor panel: what went wrong, where it started, likely causes, and remedies that were tried and can be applied."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui, implot

from .. import icons, live, widgets
from ..context import Context
from ..element_names import capital, name
from ..intents import Change, Examine, Restore, SelectElement, SetField, SetLoop
from ..plots import key, line_spec

SPANS = (2.0, 5.0, 10.0, 30.0, 60.0)
CURVES = 4
# Lower speeds are drawn at this value, because the scale is logarithmic.
FLOOR = 1e-3
HIGHEST = 1e12
# Factor by which the plot reaches beyond the lowest and highest speed.
SPARE = 2.0


def draw(ctx: Context) -> None:
    shown = ctx.doctor
    _head(ctx, shown)
    if shown is None or shown.of is not ctx.m and not ctx.passive:
        widgets.muted(
            ctx,
            "Finds out why a simulation becomes unstable: the last seconds are recorded, signs of trouble are marked, "
            "and remedies are tried.",
        )
        _marks(ctx)
    elif shown.busy:
        imgui.text_unformatted(f"{icons.GEAR}  {shown.busy}")
    elif shown.failed:
        widgets.muted(ctx, shown.failed)
        _marks(ctx)
    elif shown.report is not None:
        _report(ctx, shown.report)


def _head(ctx: Context, shown: Any) -> None:
    """Draw buttons for what to examine, and the setting of how much is recorded."""
    marks = ctx.status.marks
    if widgets.button(
        f"{icons.DOCTOR}  Examine {'the last mark' if marks else 'what comes next'}",
        "",
        0.0,
        "Repeat the last second before the mark, find the cause and try remedies"
        if marks
        else "Simulate a copy for five seconds from the current state",
    ):
        ctx.emit(Examine())

    imgui.same_line()
    imgui.set_next_item_width(widgets.em(6))
    if imgui.begin_combo("##kept", f"{ctx.status.ring_seconds:g} s kept"):
        for span in SPANS:
            if imgui.selectable(f"{span:g} s kept", span == ctx.status.ring_seconds)[0]:
                ctx.emit(SetLoop("ring_seconds", span))
        imgui.end_combo()

    widgets.tooltip("Seconds of simulation to record, in at most 64 MiB")
    imgui.same_line()
    new = widgets.toggle(
        "Stop there",
        ctx.status.stop_unstable,
        "Pause before the step at which the engine would reset an unstable simulation",
    )
    if new is not None:
        ctx.emit(SetLoop("stop_unstable", new))


def _marks(ctx: Context) -> None:
    """Draw the marks, newest first."""
    marks = ctx.status.marks
    if not marks:
        return
    widgets.heading(f"{len(marks)} marks")
    for k in range(len(marks) - 1, max(-1, len(marks) - 12), -1):
        mark = marks[k]
        if imgui.small_button(f"{icons.SEARCH}##mark{k}"):
            ctx.emit(Examine(k))
        widgets.tooltip("Examine this mark")
        imgui.same_line()
        imgui.text_colored(ctx.theme["bad" if mark.kind in ("reset", "warning") else "warn"], f"{mark.time:.4f} s")
        imgui.same_line()
        widgets.clipped(capital(mark.text), imgui.get_content_region_avail().x)


def _report(ctx: Context, report: Any) -> None:
    if report.sign is None:
        widgets.muted(
            ctx,
            f"{icons.CHECK}  Nothing goes wrong until {report.time:.3g} s. Manual changes (pulls, sliders) are not repeated.",
        )
        _marks(ctx)
        return

    imgui.push_text_wrap_pos(0.0)
    imgui.text_colored(ctx.theme["bad"], f"{icons.WARNING}  {report.sign.time:.4f} s")
    imgui.same_line()
    imgui.text_unformatted(capital(report.sign.text))
    _causes(ctx, report)
    imgui.pop_text_wrap_pos()

    if widgets.button(
        f"{icons.STEP_BACK}  Go to the step before",
        "",
        0.0,
        "Restore the last valid state; the simulation is not paused, and this can be undone",
    ):
        ctx.emit(Restore(report.state))

    imgui.same_line()
    if widgets.button(f"{icons.PLAY}  Go to the start of the run"):
        ctx.emit(Restore(report.start))
    _trials(ctx, report)
    _curves(ctx, report)
    widgets.heading("What happened")
    for time, text in report.chain:
        widgets.value_line(ctx, f"{time:.5g} s", capital(text), 6.0)
    _marks(ctx)


def _causes(ctx: Context, report: Any) -> None:
    widgets.heading("Causes")
    if not report.causes:
        widgets.muted(ctx, "No rule explains this")
    for k, found in enumerate(report.causes[:5]):
        cause = found.cause
        imgui.text_colored(ctx.theme["bad" if k == 0 else "muted"], f"{k + 1}  {capital(cause.kind)}")
        if cause.about[0]:
            imgui.same_line()
            if imgui.small_button(f"{cause.about[0]} {name(ctx.m, *cause.about)}##cause{k}"):
                ctx.emit(SelectElement(*cause.about, reveal=True))
        if math.isfinite(cause.ratio):
            imgui.same_line()
            widgets.muted(ctx, f"{cause.ratio:.3g} times the stability limit of the time step", wrap=False)
        imgui.text_unformatted(capital(cause.text))


def _trials(ctx: Context, report: Any) -> None:
    """Draw the remedies that were tried, first the ones that helped."""
    widgets.heading("Tried remedies")
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
    if not report.trials or not imgui.begin_table("##trials", 3, flags):
        return

    imgui.table_setup_column("Use", imgui.TableColumnFlags_.width_fixed)
    imgui.table_setup_column("What", imgui.TableColumnFlags_.width_stretch, 2.0)
    imgui.table_setup_column("Outcome", imgui.TableColumnFlags_.width_stretch, 1.6)

    for k, trial in enumerate(report.trials):
        imgui.table_next_row()
        imgui.table_next_column()
        # Leave out edits of the state, because Restore would overwrite them.
        edits = [SetField(e.path, e.value, e.index) for e in trial.remedy.edits if not e.path.startswith("d.")]
        _use(ctx, k, capital(trial.remedy.title), edits, report.start)
        imgui.table_next_column()
        widgets.clipped(capital(trial.remedy.title), imgui.get_content_region_avail().x)
        imgui.table_next_column()
        word, color = {
            True: (f"{icons.CHECK}  Helped", "good"),
            False: (f"{icons.CLOSE}  No", "bad"),
            None: ("Not finished", "muted"),
        }[trial.helped]
        imgui.text_colored(ctx.theme[color], word)
        if trial.sign is not None:
            imgui.same_line()
            widgets.clipped(f"{trial.sign.time:.4g} s: {trial.sign.text}", imgui.get_content_region_avail().x)

    imgui.end_table()


def _use(ctx: Context, k: int, title: str, edits: list[SetField], start: Any) -> None:
    """Draw the button that applies a remedy. Once the remedy is applied, draw the button that writes it to the source."""
    if edits and all(live.holds(ctx.m, edit.path, edit.value, edit.index) for edit in edits):
        imgui.text_colored(ctx.theme["good"], f"{icons.CHECK}  In use")
        with widgets.ident(k):
            live.button(ctx)
        return
    imgui.begin_disabled(not edits)
    if widgets.button(
        f"Use##{k}", "", 0.0, "Change the model in memory and restart from the state before the run; this can be undone"
    ):
        ctx.emit(Change(title, (*edits, Restore(start))))
    imgui.end_disabled()


def _curves(ctx: Context, report: Any) -> None:
    """Plot the largest speed over time, without remedies and with each of them."""
    rows = [
        (title, np.ascontiguousarray(curve.times), np.clip(np.nan_to_num(curve.peaks, nan=HIGHEST), FLOOR, HIGHEST))
        for title, curve in (("As it is", report.curve), *((capital(t.remedy.title), t.curve) for t in report.trials[:CURVES]))
    ]
    key(ctx, [title for title, _times, _peaks in rows])
    if not implot.begin_plot("##curves", ImVec2(-1, widgets.em(11)), implot.Flags_.no_legend):
        return
    implot.setup_axes("s", "Largest speed", implot.AxisFlags_.auto_fit)
    implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
    # A fitted axis would have a margin in proportion to the highest speed, and so end far below the lowest one.
    seen = np.concatenate([peaks for _title, _times, peaks in rows])
    low, high = float(seen.min(initial=1.0)), float(seen.max(initial=1.0))
    implot.setup_axis_limits(implot.ImAxis_.y1, low / SPARE, high * SPARE, implot.Cond_.always)
    for k, (title, times, peaks) in enumerate(rows):
        implot.plot_line(f"{title}##{k}", times, peaks, line_spec(ctx.theme.lines[k]))
    implot.end_plot()
