"""The panel beside the scene in a browser: run buttons, controls, joints, visibility, plots. Like the window's panels, it sends
intents.

Values of Data are sent to browsers a few times a second, except for a control that a user has just moved.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from viser import uplot

from ... import engine as mj
from ...render import scene as mjv
from ...ui import intents as I
from ...ui.element_names import control_names, name, names, number_name, sentence
from ..pacing import SPEEDS
from ..recorder import Samples
from ..simulation import Status
from ..view import View
from .hands import Hands, plain

# Maximum number of sliders of each type, and of names in a list. More would make browsers slow.
MOST_SLIDERS, MOST_NAMES = 100, 500
# Seconds for which a slider is not updated after a user has moved it.
HELD = 0.7
GROUPS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")
SLIDE, HINGE = int(mj.mjtJoint.mjJNT_SLIDE), int(mj.mjtJoint.mjJNT_HINGE)
# Half the range of sliders for joints without limits, in radians or metres.
UNLIMITED = {HINGE: math.pi, SLIDE: 1.0}
# number of increments over the whole length of a slider
STEPS = 1000
# Maximum number of points of a plot, maximum number of its curves, and its height in pixels.
POINTS, CURVES, HEIGHT = 400, 8, 200
COLORS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#17becf")
ENERGIES = {"energy": "energy(total 0)", "kinetic energy": "energy(kinetic 0)", "potential energy": "energy(potential 0)"}
NONE = "(choose)"
RUNNING = {"Run": I.SetRunning(True), "Pause": I.SetRunning(False), "Back": I.Step(-1), "Step": I.Step(1), "Reset": I.Reset()}


class Control:
    """A slider that shows and sets one value of Data."""

    def __init__(self, slider: Any, field: str, i: int, send: Callable[[I.Intent], None]) -> None:
        self.slider, self.field, self.i = slider, field, i
        self.low, self.high = slider.min, slider.max
        self.moved = 0.0

        async def changed(event: Any) -> None:
            # Ignore changes made by the panel itself.
            if event.client is not None and math.isfinite(slider.value):
                self.moved = time.perf_counter()
                send(I.SetField(f"d.{field}", min(max(float(slider.value), self.low), self.high), i))

        slider.on_update(changed)

    def refresh(self, d: Any, now: float) -> None:
        """Show the current value, unless a user has just moved the slider."""
        value = float(getattr(d, self.field)[self.i])
        if now - self.moved > HELD and math.isfinite(value):
            self.slider.value = min(max(value, self.low), self.high)


class Panel:
    """All controls for one model. `later(function, *arguments)` schedules a call on the serving thread."""

    def __init__(
        self,
        gui: Any,
        m: Any,
        d: Any,
        view: View,
        hands: Hands,
        send: Callable[[I.Intent], None],
        later: Callable[..., None],
        player: bool,
    ) -> None:
        self.gui, self.m, self.view, self.hands, self.send, self.later, self.player = gui, m, view, hands, send, later, player
        self.controls: list[Control] = []
        self.plotted: tuple[str, ...] = ()
        self.plot: Any = None
        self.message = ""
        self._status = Status()
        gui.reset()
        self.state = gui.add_markdown("")
        self._running()
        if not player:
            self._sliders(d)
        self._shown()
        if not player:
            self._plots()

    def _button(self, title: str, act: Callable[[], None]) -> None:
        async def pressed(_event: Any) -> None:
            act()

        self.gui.add_button(title).on_click(pressed)

    def _running(self) -> None:
        row = self.gui.add_button_group("", tuple(RUNNING))

        async def pressed(_event: Any) -> None:
            if row.value in RUNNING:
                self.send(RUNNING[row.value])

        row.on_click(pressed)
        speeds = {f"{speed:g} %" if math.isfinite(speed) else "as fast as possible": k for k, speed in enumerate(SPEEDS)}
        self.speed = self.gui.add_dropdown("Speed", tuple(speeds), initial_value="100 %")
        self._chosen(self.speed, lambda word: self.send(I.SetSpeed(speeds[word])))
        self.scrub = self.gui.add_slider("History", min=-1, max=0, step=1, initial_value=0)

        async def scrubbed(event: Any) -> None:
            if event.client is not None:
                self.send(I.Scrub(int(self.scrub.value)))

        self.scrub.on_update(scrubbed)
        if self.m.nkey and not self.player:
            keys = {text: k for k, text in enumerate(unique(names(self.m, "key")))}
            self._chosen(
                self.gui.add_dropdown("Keyframe", (NONE, *keys), initial_value=NONE),
                lambda word: self.send(I.LoadKey(keys[word])) if word in keys else None,
            )

    def _chosen(self, dropdown: Any, act: Callable[[str], None]) -> None:
        async def chosen(event: Any) -> None:
            # A word that is not in the list can only come from a manipulated client.
            if event.client is not None and dropdown.value in dropdown.options:
                act(dropdown.value)

        dropdown.on_update(chosen)

    def _ticked(self, title: str, value: bool, act: Callable[[bool], None]) -> None:
        box = self.gui.add_checkbox(title, value)

        async def ticked(event: Any) -> None:
            if event.client is not None:
                act(bool(box.value))

        box.on_update(ticked)

    def _slider(self, title: str, low: float, high: float, d: Any, field: str, i: int) -> None:
        """Add a slider for one element of a field of Data."""
        now = float(getattr(d, field)[i])
        slider = self.gui.add_slider(
            title, min=low, max=high, step=(high - low) / STEPS, initial_value=min(max(now, low), high)
        )
        self.controls.append(Control(slider, field, i, self.send))

    def _sliders(self, d: Any) -> None:
        m = self.m
        with self.gui.add_folder(f"Controls ({m.nu})", expand_by_default=0 < m.nu <= MOST_SLIDERS):
            for i in range(min(m.nu, MOST_SLIDERS)):
                # The slider has the control range of the actuator, even if the model does not enforce this range.
                low, high = m.actuator_ctrlrange[i].tolist()
                if not high > low:
                    low, high = -1.0, 1.0
                self._slider(control_names(m)[i], low, high, d, "ctrl", i)
            self._button("Clear controls", lambda: self.send(I.ClearControls()))
        single = [j for j in range(m.njnt) if int(m.jnt_type[j]) in UNLIMITED]
        with self.gui.add_folder(f"Joints ({len(single)})", expand_by_default=False):
            for j in single[:MOST_SLIDERS]:
                reach = UNLIMITED[int(m.jnt_type[j])]
                low, high = m.jnt_range[j].tolist() if m.jnt_limited[j] else (-reach, reach)
                if high > low:
                    self._slider(name(m, "joint", j), low, high, d, "qpos", int(m.jnt_qposadr[j]))
            if len(single) > MOST_SLIDERS:
                self.gui.add_markdown(f"and {len(single) - MOST_SLIDERS} more, which have no slider here")

    def _shown(self) -> None:
        option = self.view.opt
        with self.gui.add_folder("Groups", expand_by_default=False):
            for kind in GROUPS:
                with self.gui.add_folder(kind.capitalize() + "s", expand_by_default=False):
                    group = getattr(option, f"{kind}group")
                    for k in range(len(group)):
                        self._ticked(
                            f"{kind} group {k}",
                            bool(group[k]),
                            lambda value, group=group, k=k: self.later(write, group, k, value),
                        )
        with self.gui.add_folder("Show", expand_by_default=False):
            for k, (title, _default, _key) in enumerate(mjv.mjVISSTRING):
                self._ticked(
                    sentence(title), bool(option.flags[k]), lambda value, k=k: self.later(write, option.flags, k, value)
                )

    # --- plots --------------------------------------------------------------------------------------------------

    def _plots(self) -> None:
        m = self.m
        numbers = (
            [f"sensordata[{i}]" for i in range(m.nsensordata)]
            + [f"qpos[{i}]" for i in range(m.nq)]
            + [f"ctrl[{i}]" for i in range(m.nu)]
        )
        titles = unique([f"{channel.split('[')[0]} {number_name(m, *field_of(channel))}" for channel in numbers[:MOST_NAMES]])
        self.channels: dict[str, str] = ENERGIES | dict(zip(titles, numbers))
        self.plots = self.gui.add_folder("Plots", expand_by_default=False)
        with self.plots:
            self._chosen(
                self.gui.add_dropdown("Plot", (NONE, *self.channels), initial_value=NONE),
                lambda word: self.later(self._follow, word) if word in self.channels else None,
            )
            self._button("Clear plot", lambda: self.later(self._follow, ""))

    def _follow(self, word: str) -> None:
        """Add a channel to the plot; an empty word clears the plot."""
        self.plotted = (*(k for k in self.plotted if k != word), word)[-CURVES:] if word else ()
        self.send(I.Follow(tuple(self.channels[k] for k in self.plotted)))
        if self.plot is not None:
            self.plot.remove()
            self.plot = None

    def _draw(self, samples: Samples | None) -> None:
        """Draw at most `POINTS` of the recorded samples."""
        if samples is None or not self.plotted or samples.channels != tuple(self.channels[k] for k in self.plotted):
            return
        block, count = samples.block, samples.block.count
        at = np.unique(np.linspace(max(0, count - 1), 0, min(count, POINTS)).astype(int))
        data = (block.times[at], *(np.ascontiguousarray(row[at]) for row in block.values))
        if self.plot is None:
            series = (
                uplot.Series(label="time / s"),
                *(uplot.Series(label=word, stroke=color) for word, color in zip(self.plotted, COLORS)),
            )
            with self.plots:
                self.plot = self.gui.add_uplot(
                    data, series, scales={"x": uplot.Scale(time=False, auto=True), "y": uplot.Scale(auto=True)}, height=HEIGHT
                )
        else:
            self.plot.data = data

    # --- a few times a second -----------------------------------------------------------------------------------

    def refresh(self, d: Any, status: Status, watchers: int) -> None:
        """Show the current values of Data and the status of the simulation."""
        now = time.perf_counter()
        for control in self.controls:
            control.refresh(d, now)
        oldest, position = min(-1, 1 - status.history), min(0, status.position)
        if self.scrub.min != oldest:
            self.scrub.min = oldest
        # A running simulation is always at its newest state; a player can be at any state.
        self.scrub.value = max(position, oldest)
        self._draw(status.samples)
        self.state.content = self._text(float(d.time), status, watchers)

    def _text(self, seconds: float, status: Status, watchers: int) -> str:
        how = "compiling" if status.held else "running" if status.running else "paused"
        rate = "" if status.measured is None else f", {100 * status.measured:.0f} % of real time"
        lines = [
            f"**{how}**, {seconds:.2f} s{rate}",
            f"Selected: {self.hands.text()}",
            "Ctrl + right or Shift + left drag pulls, Ctrl + left drag turns",
            f"{watchers} connected",
        ]
        notes = [plain(text) for text in (status.message, status.trouble.text if status.trouble else "", self.message) if text]
        return "  \n".join(lines + notes)


def write(array: Any, k: int, value: Any) -> None:
    """Set an element of an array."""
    array[k] = value


def field_of(channel: str) -> tuple[str, int]:
    """Return the field and the index of a channel, which is written `field[index]`."""
    field, number = channel.rstrip("]").split("[")
    return field, int(number)


def unique(words: list[str]) -> list[str]:
    """Make words unique: to each word that occurred before, append its index in the list."""
    seen: set[str] = set()
    out = []
    for k, word in enumerate(words):
        out.append(word if word not in seen else f"{word} [{k}]")
        seen.add(word)
    return out
