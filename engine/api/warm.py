"""Compiling kernels before they are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..calls.warm import warmup as _compile
from ..core import stages
from ..core.model import MjModel
from ..step.needs import COMMON, needed
from ..tables import stage_rows


def warmup(
    model: MjModel | None = None,
    progress: Callable[[int, int, str], object] | None = None,
    workers: Any = None,
    everything: bool = False,
) -> dict[str, float]:
    """Compile kernels that are not in the cache: those that most models need, those that `model` needs, or `everything`.

    Compilation runs in worker processes, by default one per processor. progress(done, total, stage) is called after
    each stage, from a thread. Returns {stage: seconds}; raises RuntimeError with the traceback of a stage that does not
    compile.
    """
    names = stage_rows.everything() if everything else COMMON if model is None else needed(model)
    seconds = _compile(names, workers, progress)
    for name in names if not everything else ():
        stages.ensure(name)
    return seconds
