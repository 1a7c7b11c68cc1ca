"""`tumble doctor`: run a model until something goes wrong, and report why."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import engine as mj
from ...ui.element_names import name
from ..told import as_json, fail, opened, quiet
from .diagnose import Report, diagnose, read

CAUSES_TOLD, WIDTH = 5, 88


def doctor(options: argparse.Namespace) -> int:
    """Diagnose a model; the exit status is 0 if nothing goes wrong, 3 if something does."""
    if not 0 < options.seconds < math.inf:
        fail(f"--seconds is {options.seconds:g}; it must be positive")
    # Discard warnings; those from trial runs of remedies would be confusing.
    mj.set_mju_user_warning(lambda text: None)
    try:
        with opened(options.model) as (m, d, _warning, _seconds):
            shown = sys.stderr.isatty() and not quiet()
            report = diagnose(m, begin(m, d, options.key), options.seconds, tell if shown else lambda text: None)
            if shown:
                tell("")
            if options.json:
                as_json(as_values(report))
            else:
                print("\n".join(lines(m, report)))
    finally:
        mj.set_mju_user_warning(None)
    return 3 if report.sign else 0


def tell(text: str) -> None:
    """Show the current activity in a terminal line that is overwritten each time."""
    sys.stderr.write(f"\r\x1b[K{text[:WIDTH]}")
    sys.stderr.flush()


def begin(m: mj.MjModel, d: mj.MjData, key: str) -> np.ndarray | None:
    """Return the state from which to start: a keyframe, given by name or number, or None for the initial state."""
    if not key:
        return None
    mj.mj_resetDataKeyframe(m, d, keyframe(m, key))
    return read(m, d)


def keyframe(m: mj.MjModel, key: str) -> int:
    """Return the number of a keyframe given by name or number."""
    found = mj.mj_name2id(m, mj.mjtObj.mjOBJ_KEY, key)
    number = found if found >= 0 else int(key) if key.isdecimal() else -1
    if not 0 <= number < m.nkey:
        fail(f"no keyframe {key!r}; there are {', '.join(name(m, 'key', i) for i in range(m.nkey)) or 'none'}")
    return number


def as_values(report: Report) -> dict[str, Any]:
    """Return a report as a dictionary for `--json`."""
    if report.sign is None:
        return {"sign": None, "time": report.time}
    causes = [
        {"kind": f.cause.kind, "text": f.cause.text, "ratio": f.cause.ratio, "runs_without": f.cured} for f in report.causes
    ]
    remedies = [{"title": trial.remedy.title, "helped": trial.helped} for trial in report.trials]
    sign = {"time": report.sign.time, "text": report.sign.text}
    return {"sign": sign, "begun": report.begun, "chain": report.chain, "causes": causes, "remedies": remedies}


def lines(m: mj.MjModel, report: Report) -> Iterator[str]:
    """Yield the lines of a report."""
    if report.sign is None:
        yield f"nothing goes wrong in {report.time:.3g} s"
        return
    yield f"at {report.sign.time:.6g} s {report.sign.text}"
    yield f"it starts at {report.begun:.6g} s:"
    yield from (f"  {time:10.6g} s  {text}" for time, text in report.chain)
    yield "causes, most likely first:" if report.causes else "no rule explains this"
    for found in report.causes[:CAUSES_TOLD]:
        verdict = {True: "without this cause, the model runs", False: "the model also fails without it", None: "not tried"}[
            found.cured
        ]
        ratio = (
            f"{found.cause.ratio:.3g} times the stability limit of the time step; " if math.isfinite(found.cause.ratio) else ""
        )
        yield f"  {found.cause.kind}: {found.cause.text} ({ratio}{verdict})"
    yield "tried remedies:"
    for trial in report.trials:
        word = {True: "helped", False: "did not help", None: "not finished"}[trial.helped]
        yield f"  {word:16s} {trial.remedy.title}" + (f" (at {trial.sign.time:.6g} s {trial.sign.text})" if trial.sign else "")


COMMANDS = {"doctor": doctor}
