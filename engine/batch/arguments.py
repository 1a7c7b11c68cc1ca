"""Checks the arguments of a batch's calls: ids of simulations, integers for each simulation, and arrays to record into."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..api.state import size as state_size
from ..core.model import MjModel
from ..step.world_queries import JACOBIAN_CELLS, RAY_CELLS
from ..tables.consts import mjNGROUP
from ..tables.enums import mjtState
from ..tables.schema import SCHEMAS
from ..tables.values import read_integer
from .copy_rows import Table, address, dtype_of, shape_of
from .fields import DATA_FIELDS, not_bindable


def read_ids(ids: Any, nsim: int) -> np.ndarray | None:
    """Return the ids of simulations as int32, from sorted unique integers or a mask; None means all. Raise ValueError for
    anything else."""
    if ids is None:
        return None
    ids = np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        return None if ids.all() else np.flatnonzero(ids).astype(np.int32)
    if ids.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if not ids.size:
        return np.zeros(0, np.int32)

    # the ids must be integers in increasing order
    if ids.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers, got {ids.dtype}")
    falls = ids[1:] <= ids[:-1]
    if falls.any():
        k = int(falls.argmax())
        raise ValueError(f"ids must be sorted and unique, got {ids[k]} before {ids[k + 1]}")
    for x in (ids[0], ids[-1]):
        if not 0 <= x < nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {x}")
    return np.ascontiguousarray(ids, np.int32)


def read_span(nstep: int, control_spec: int) -> tuple[int, int]:
    """Return (number of steps, state components of the controls). Raise ValueError if there are no steps, or if users may not
    set these components.
    """
    nstep, spec = read_integer(nstep), int(control_spec)
    if nstep <= 0:
        raise ValueError("nstep must be positive")
    if spec & ~int(mjtState.mjSTATE_USER):
        raise ValueError("control_spec must be a subset of mjSTATE_USER")
    return nstep, spec


def broadcast_integers(x: Any, shape: tuple[int, ...], low: int, high: int, name: str) -> np.ndarray:
    """Return integers in the range [low, high) as a contiguous int32 array of the given shape. Raise ValueError for anything
    else."""
    x = np.asarray(x)
    if x.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {x.dtype}")
    wrong = x[(x < low) | (x >= high)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{low}, {high}), got {wrong.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(x, shape), np.int32)


def check_marks(ended: Any, nsim: int) -> None:
    """Raise ValueError unless `ended` is None or an array of flags that compiled code can read."""
    if ended is None:
        return
    if (
        not isinstance(ended, np.ndarray)
        or ended.dtype not in (np.bool_, np.uint8)
        or ended.shape != (nsim,)
        or not ended.flags.c_contiguous
    ):
        raise ValueError(f"ended must be a contiguous array of bool or uint8 of shape ({nsim},)")


def jacobians(
    body: Any, point: Any, n: int, nbody: int, nv: int
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Return (cells for the `world_jacobian` call, results, arrays that the cells point to) for points in n simulations."""
    bodies = broadcast_integers(body, (n,), 0, nbody, "body")
    points = np.ascontiguousarray(np.broadcast_to(np.asarray(point, np.float64), (n, 3)))
    results = np.zeros((n, 3, nv)), np.zeros((n, 3, nv))
    cells = np.array([address(x) for x in (bodies, points, *results)], np.int64)
    assert len(cells) == JACOBIAN_CELLS
    return cells, results, (bodies, points)


def rays(
    pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, n: int, nbody: int, normal: bool
) -> tuple[np.ndarray, tuple[np.ndarray, ...], tuple[Any, ...]]:
    """Return (cells for the `world_rays` call, results, arrays that the cells point to) for casting rays in n simulations."""
    # expand points and directions to one row for each ray of each simulation
    pnt, vec = (np.atleast_2d(np.asarray(x, np.float64)) for x in (pnt, vec))
    shape = n, np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1])[-1]
    pnt, vec = (np.ascontiguousarray(np.broadcast_to(x, (*shape, 3))) for x in (pnt, vec))
    exclude = broadcast_integers(bodyexclude, shape, -1, nbody, "bodyexclude")
    groups = None if geomgroup is None else np.ascontiguousarray(geomgroup, np.uint8)
    if groups is not None and groups.shape != (mjNGROUP,):
        raise ValueError(f"geomgroup must have shape ({mjNGROUP},), got {groups.shape}")

    # allocate the results; collect the addresses that compiled code reads
    results = np.zeros(shape), np.zeros(shape, np.int32), *([np.zeros((*shape, 3))] if normal else [])
    cells = np.array(
        [
            shape[1],
            address(pnt),
            address(vec),
            address(groups),
            address(exclude),
            bool(flg_static),
            *map(address, results),
            *([] if normal else [0]),
        ],
        np.int64,
    )
    assert len(cells) == RAY_CELLS
    return cells, results, (pnt, vec, exclude, groups)


def outputs(
    model: MjModel, items: Iterable[Any], leading: tuple[int, ...], out: dict[Any, Any], table: Table
) -> dict[Any, np.ndarray]:
    """Return {item: array (*leading, ...)}, the arrays to record into, and add them to `table`. Items are names of Data fields,
    or mjtState numbers of state components.
    """
    results = {}
    for item in items:
        # shape of one item
        if isinstance(item, str):
            if item not in DATA_FIELDS:
                raise not_bindable(item)
            f = SCHEMAS["MjData"].fields[item]
            shape, dtype = (*leading, *shape_of(model, f)), dtype_of(f)
        else:
            shape, dtype = (*leading, state_size(model, int(item))), np.dtype("f8")

        # use the caller's array if it is suitable, else allocate one
        x = out.get(item)
        if x is None:
            x = np.zeros(shape, dtype)
        elif (
            not isinstance(x, np.ndarray)
            or x.shape != shape
            or x.dtype != dtype
            or not x.flags.c_contiguous
            or not x.flags.writeable
        ):
            raise ValueError(f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}")
        if item not in results:
            if isinstance(item, str):
                table.output(item, x, len(leading))
            else:
                table.state(int(item), x)
        results[item] = x
    return results
