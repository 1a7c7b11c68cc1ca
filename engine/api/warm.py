"""Compiling kernels ahead of use."""

from ..calls.warm import warmup as _compile
from ..core import stages
from ..step.needs import COMMON, needed
from ..tables import stage_rows


def warmup(model=None, progress=None, workers=None, everything=False) -> dict[str, float]:
    """Compile what is not cached: what most models need, what `model` needs, or `everything`.

    Runs in worker processes, one a core unless `workers` says otherwise. progress(done, total, stage) is called after each stage, from
    a thread. Returns {stage: seconds}; raises RuntimeError with the traceback of a stage that does not compile.
    """
    names = stage_rows.everything() if everything else COMMON if model is None else needed(model)
    seconds = _compile(names, workers, progress)
    for name in names if not everything else ():
        stages.ensure(name)
    return seconds
