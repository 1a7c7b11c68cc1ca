"""Compiling kernels before they are needed."""

from __future__ import annotations

import compileall
import pathlib
from collections.abc import Callable
from typing import Any

from ..calls.warm import warmup as _compile
from ..core import stages
from ..core.model import MjModel
from ..step.needs import COMMON, needed
from ..tables import stage_rows

# the folder of the project's parts: the checkout, or the installed package `tumble`
ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = "engine", "render", "ui", "app", "tumble"


def warmup(
    model: MjModel | None = None,
    progress: Callable[[int, int, str], object] | None = None,
    workers: Any = None,
    everything: bool = False,
) -> dict[str, float]:
    """Compile kernels that are not in the cache: those that most models need, those that `model` needs, or `everything`. With
    `everything`, also write the bytecode of the sources.

    Compilation runs in worker processes, by default one per processor. progress(done, total, stage) is called after
    each stage, from a thread. Returns {stage: seconds}; raises RuntimeError with the traceback of a stage that does not
    compile.
    """
    names = stage_rows.everything() if everything else COMMON if model is None else needed(model)
    seconds = _compile(names, workers, progress)
    for name in names if not everything else ():
        stages.ensure(name)
    if everything:
        keep_bytecode()
    return seconds


def keep_bytecode() -> None:
    """Write the bytecode of all sources next to them. Python does this at import, unless PYTHONDONTWRITEBYTECODE is set, as in
    many containers. Each start would then compile the sources, which takes a second."""
    for part in PARTS:
        compileall.compile_dir(ROOT / part, quiet=2)
