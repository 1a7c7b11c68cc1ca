"""Rollouts of a Batch on the workers of a cluster.

```
rows of states and fields --cut--> ranges --> workers, each with a Batch --> results, states, warnings, errors
```
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.model import MjModel
from .arguments import outputs
from .cluster import as_cluster, check_alone
from .copy_rows import Table
from .threads import SimulationError

Fields = dict[str, np.ndarray]


def check_no_obstacle(obstacles: dict[str, Any]) -> None:
    """Raise ValueError if features are in use that workers do not support, or if a physics callback is installed. The error
    names the features."""
    found = [name for name, there in obstacles.items() if there]
    if found:
        raise ValueError(f"a rollout on a cluster is not possible with {', '.join(found)}")
    check_alone()


def roll_out_elsewhere(
    cluster: Any,
    make: Callable[..., Any],
    model: MjModel,
    worlds: tuple[np.ndarray, np.ndarray, np.ndarray],
    fields: tuple[Fields, Fields],
    call: tuple[int, np.ndarray | None, int, bool],
    results: dict[Any, np.ndarray],
) -> list[tuple[int, np.ndarray, np.ndarray, np.ndarray, dict[int, str]]]:
    """Fill `results` on a cluster, with batches from `make`. Return a list with (start, worlds, states, warnings, errors) for
    each range.

    worlds: ids (n), and states and warnings of all worlds. fields: expanded and derived fields, with values for each world.
    call: number of steps, controls of the n worlds, the controls' state components, whether to use lanes.
    """
    rows, states, warnings = worlds
    nstep, control, spec, lanes = call

    # cut the arguments for one range
    def cut(start: int, stop: int) -> tuple[Any, ...]:
        i = rows[start:stop]
        own = [{name: x[i] for name, x in part.items()} for part in fields]
        controls = None if control is None else control[start:stop]
        return states[i], warnings[i], *own, nstep, controls, spec, tuple(results), lanes

    # run the ranges
    parts, (workers, own) = [], as_cluster(cluster)
    try:
        for start, stop, (values, *rest) in workers.spread(functools.partial(compute_worlds, make), [model], len(rows), cut):
            for item, x in values.items():
                results[item][start:stop] = x
            parts.append((start, rows[start:stop], *rest))
    finally:
        if own:
            workers.close()
    return parts


def compute_worlds(
    make: Callable[..., Any],
    models: Any,
    state: Any,
    warning: Any,
    given: Any,
    derived: Any,
    nstep: int,
    control: Any,
    spec: int,
    record: Any,
    lanes: bool,
) -> tuple[Any, ...]:
    """Roll out some simulations in a worker; return (results, state, warning, errors). `make`: returns the Batch."""
    b = make(models[0], len(state), lanes, given, derived)
    b.state[:], b.warning[:] = state, warning
    results, errors = outputs(models[0], record, (len(state), nstep), {}, Table()), {}
    try:
        b.rollout(nstep, control, spec, record, out=results)
    except SimulationError as error:
        errors = {int(i): b.error(int(i)) for i in error.ids}
    return results, b.state, b.warning, errors
