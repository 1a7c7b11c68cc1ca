"""Computes trajectories from many initial states, with classes of the newer interface."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from typing import Any

from ..engine import rollout as _rollout
from ..engine.later.faces import plain as _plain


def _free(data: Any) -> Any:
    """Return Data of the engine; ValueError if one has threads of its own, as in MuJoCo."""
    found = _plain(data)
    for k, d in enumerate(found if isinstance(found, (list, tuple)) else (found,)):
        if getattr(d, "threadpool", 0):
            raise ValueError(f"data[{k}] has threads of its own (mju_threadpool), which a rollout cannot use")
    return found


class Rollout(_rollout.Rollout):
    """A pool of threads that computes trajectories."""

    def rollout(self, model: Any, data: Any, initial_state: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute trajectories with open-loop controls; return (state, sensordata)."""
        return super().rollout(_plain(model), _free(data), initial_state, *args, **kwargs)


def rollout(model: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute trajectories with open-loop controls; return (state, sensordata)."""
    return _rollout.rollout(_plain(model), _free(data), *args, **kwargs)


def __getattr__(name: str) -> Any:
    return getattr(_rollout, name)
