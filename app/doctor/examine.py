"""Runs the doctor beside a simulation. The model and states are copied between two steps, then examined in a thread."""

from __future__ import annotations

import copy
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import engine as mj
from .diagnose import Report, diagnose, read
from .ring import Mark

if TYPE_CHECKING:
    from ..simulation import Simulation

# seconds to simulate after a mark
AFTER = 1.0
# seconds to simulate from a state without a mark
ONWARD = 5.0


GONE = "The states before this mark are no longer kept, because newer marks needed the memory."


@dataclass(frozen=True)
class Patient:
    """The doctor's input: a copy of a model, the original, and states to start from as (state, seconds to run). There are no
    states if the states of the mark were dropped.
    """

    model: mj.MjModel
    of: mj.MjModel
    states: tuple[tuple[np.ndarray, float], ...]
    mark: Mark | None = None


@dataclass(frozen=True)
class Examination:
    """The state of an examination: the current activity, or the report. `of`: the model of which a copy is examined."""

    of: Any = None
    model: Any = None
    busy: str = ""
    report: Report | None = None
    failed: str = ""
    mark: Mark | None = None


def patient(sim: Simulation, number: int) -> Patient:
    """Return the doctor's input: the states before a mark or, without a mark, the current state. The caller holds the lock of
    the simulation.
    """
    m, d = sim.loaded
    mark = sim.marks[number] if -len(sim.marks) <= number < len(sim.marks) else None
    if mark is None:
        states = ((read(m, d), ONWARD),)
    else:
        states = tuple((state, span + AFTER) for state, span in mark.starts)
    return Patient(copy.copy(m), m, states, mark)


class Examiner:
    """Examines one patient at a time. A new patient replaces the one being examined."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        self.changed = changed
        self.shown = Examination()
        self._thread: threading.Thread | None = None
        self._turn = 0

    def begin(self, who: Patient) -> None:
        """Start examining a patient; returns at once."""
        self._turn += 1
        turn = self._turn
        if not who.states:
            self.shown = Examination(who.of, who.model, failed=GONE, mark=who.mark)
            self.changed()
            return
        self.shown = Examination(who.of, who.model, "examining the state", mark=who.mark)
        self._thread = threading.Thread(target=self._run, args=(who, turn), name="doctor", daemon=True)
        self._thread.start()

    def forget(self, m: mj.MjModel) -> None:
        """Discard the results unless they belong to this model."""
        if self.shown.of is not m:
            self._turn += 1
            self.shown = Examination()

    def stop(self) -> None:
        """Stop the examination and wait for its thread."""
        self._turn += 1
        if self._thread is not None:
            self._thread.join(5.0)

    def _run(self, who: Patient, turn: int) -> None:
        def tell(text: str) -> None:
            if turn == self._turn:
                self.shown = replace(self.shown, busy=text)
                self.changed()

        try:
            for state, seconds in who.states:
                report = diagnose(who.model, state, seconds, tell, lambda: turn != self._turn)
                if report.sign is not None:
                    break
            done = replace(self.shown, busy="", report=report)
        except Exception as error:
            # Some models cannot even be examined; show the error.
            done = replace(self.shown, busy="", failed=f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-3)}")
        if turn == self._turn:
            self.shown = done
            self.changed()
