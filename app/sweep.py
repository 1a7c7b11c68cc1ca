"""`tumble sweep`: runs a model with varied values. The results of each case go to a table, a file or a plot."""

from __future__ import annotations

import argparse
import csv
import math
import os
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from ..engine.batch import Cluster, ClusterError
from ..engine.batch.cluster import DASK
from ..engine.batch.sweeps import Between, Result, read_values, sweep
from .doctor.command import keyframe
from .told import Count, as_json, fail, opened, writable, written

# Maximum number of cases in the table, and how many of them are taken from the end.
ROWS, LAST = 40, 10
# maximum number of curves in a plot
CURVES = 64


def run(options: argparse.Namespace) -> int:
    """Run the sweep; the exit status is 0 if every case completed, 3 if some did not."""
    suffix = os.path.splitext(options.out)[1].lower()
    if options.out and suffix not in WRITERS:
        fail(f"cannot write {suffix or 'a file without suffix'}; use {', '.join(WRITERS)}")
    for path, module, extra in (
        (options.out if suffix == ".parquet" else "", "pyarrow", "parquet"),
        (options.plot, "matplotlib", "plot"),
    ):
        if path:
            _library(module, extra, path)
    for path in filter(None, (options.out, options.plot)):
        writable(path)
    try:
        vary = dict(_variation(text) for text in options.vary)
    except ValueError as error:
        fail(f"--vary {error}")
    recorded = [name for text in options.record for name in text.split(",")]
    begin = time.perf_counter()
    with opened(options.model) as (m, _d, _warning, _seconds):
        try:
            result = _compute(m, vary, recorded, options)
        except (ValueError, KeyError, TypeError) as error:
            fail(str(error.args[0] if error.args else error))
        except ClusterError as error:
            fail(str(error), 1)

    # Report the results.
    lost, saved = int(np.isfinite(result.failed).sum()), [path for path in (options.out, options.plot) if path]
    if not options.json:
        print("\n".join(table(result)))
    if options.out:
        written(options.out, lambda: WRITERS[suffix](options.out, result))
    if options.plot:
        written(options.plot, lambda: plot(options.plot, result))
    if options.json:
        values = {"vary": result.values, "time": result.time, "records": result.records}
        as_json({**values, "failed": result.failed, "errors": result.errors, "saved": saved})
        return 3 if lost else 0
    for path in saved:
        print(f"saved {path}")
    print(f"{len(result.failed)} cases in {time.perf_counter() - begin:.1f} s" + (f", {lost} of them failed" if lost else ""))
    return 3 if lost else 0


def _variation(text: str) -> tuple[str, list[float] | Between]:
    name, equals, values = text.partition("=")
    if not equals or not name:
        raise ValueError(f"{text!r} is not NAME=VALUES")
    return name, read_values(values)


def _compute(m: Any, vary: dict[str, Any], recorded: Any, options: argparse.Namespace) -> Result:
    key = keyframe(m, options.key) if options.key else -1
    told = Count("cases")
    try:
        if not options.cluster:
            return sweep(
                m,
                vary,
                duration=options.duration,
                record=recorded,
                interval=options.interval,
                samples=options.samples,
                seed=options.seed,
                key=key,
                progress=told,
            )
        with Cluster(_workers(options.cluster)) as cluster:
            return sweep(
                m,
                vary,
                duration=options.duration,
                record=recorded,
                interval=options.interval,
                samples=options.samples,
                seed=options.seed,
                key=key,
                cluster=cluster,
                progress=told,
            )
    finally:
        told.close()


def _workers(text: str) -> Any:
    """Convert the option `--cluster`: a number of processes, or the address of a Dask scheduler or a Ray cluster."""
    if text.isdecimal():
        return int(text)
    module, extra = ("distributed", "dask") if text.startswith(DASK) else ("ray", "ray")
    _library(module, extra, "--cluster")
    return text


def _library(module: str, extra: str, use: str) -> Any:
    """Import a package that only some sweeps need; exit with an error if it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        return fail(f"{use} needs the package {module}: pip install 'tumble[{extra}]'")


# ---- results -----------------------------------------------------------------------------------------------------------------
def labels(result: Result) -> Iterator[tuple[str, str, int]]:
    """Yield (column title, record, index in the record) of all recorded values."""
    for name, rows in result.records.items():
        for k in range(rows.shape[2]):
            yield name if rows.shape[2] == 1 else f"{name}[{k}]", name, k


def magnitude(name: str, rows: np.ndarray) -> tuple[str, np.ndarray]:
    """Return a record as (label, one value for each sample). Potential and kinetic energy are added; a vector is replaced by
    its length.
    """
    if rows.shape[-1] == 1:
        return name, rows[..., 0]
    return (name, rows.sum(axis=-1)) if name == "energy" else (f"|{name}|", np.linalg.norm(rows, axis=-1))


def table(result: Result) -> list[str]:
    """Return the lines of a table with a row for each case: the varied values, and the last value and the mean of each record
    (see `magnitude`).
    """
    sizes = dict(magnitude(name, rows) for name, rows in result.records.items())
    heads = [*result.values, *(f"{name} {what}" for name in sizes for what in ("last", "mean")), ""]
    lines = [heads]
    for k, failed in enumerate(result.failed):
        cells = [f"{v[k]:.6g}" for v in result.values.values()]
        for curves in sizes.values():
            there = curves[k][np.isfinite(curves[k])]
            cells += [f"{there[-1]:.5g}", f"{there.mean():.5g}"] if there.size else ["-", "-"]
        cells.append(result.errors.get(k, "" if math.isnan(failed) else f"unstable before {failed:.4g} s"))
        lines.append(cells)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = [
        "  ".join(
            cell.rjust(w) if k < len(widths) - 1 else cell for k, (cell, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    if len(text) > ROWS + 1:
        text[ROWS + 1 - LAST : -LAST] = [f"... {len(text) - 1 - ROWS} more ..."]
    return text


def _columns(result: Result) -> dict[str, np.ndarray]:
    """Return the columns of a long table, with a row for each case and sample."""
    ncase, nsample = len(result.failed), len(result.time)
    found = {
        "case": np.repeat(np.arange(ncase), nsample),
        **{n: np.repeat(v, nsample) for n, v in result.values.items()},
        "time": np.tile(result.time, ncase),
    }
    return found | {column: result.records[name][:, :, k].reshape(-1) for column, name, k in labels(result)}


def _npz(path: str, result: Result) -> None:
    varied = {f"vary {n}": v for n, v in result.values.items()}
    arrays: dict[str, Any] = {"time": result.time, "failed": result.failed, **varied, **result.records}
    np.savez_compressed(path, **arrays)


def _csv(path: str, result: Result) -> None:
    columns = _columns(result)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(zip(*(c.tolist() for c in columns.values()), strict=True))


def _parquet(path: str, result: Result) -> None:
    table_of = import_module("pyarrow").table
    import_module("pyarrow.parquet").write_table(table_of(_columns(result)), path)


WRITERS: dict[str, Callable[[str, Result], None]] = {".npz": _npz, ".csv": _csv, ".parquet": _parquet}


def plot(path: str, result: Result) -> None:
    """Plot each record over time, with one curve per case. The first varied value determines a curve's colour."""
    figures = import_module("matplotlib.figure")
    import_module("matplotlib.backends.backend_agg")
    figure = figures.Figure(figsize=(8, 3 * len(result.records)), layout="constrained")
    first, values = next(iter(result.values.items()))
    low, span = values.min(), max(float(np.ptp(values)), 1e-300)
    colours = import_module("matplotlib").colormaps["viridis"]
    shown = np.unique(np.linspace(0, len(values) - 1, min(CURVES, len(values))).astype(int))

    for (name, rows), axes in zip(
        result.records.items(), np.ravel(figure.subplots(len(result.records), 1, sharex=True)), strict=True
    ):
        label, curves = magnitude(name, rows)
        for k in shown:
            axes.plot(result.time, curves[k], color=colours((values[k] - low) / span), linewidth=1)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)

    axes.set_xlabel("time / s")
    mappable = import_module("matplotlib.cm").ScalarMappable(
        import_module("matplotlib.colors").Normalize(low, low + span), colours
    )
    figure.colorbar(mappable, ax=figure.axes, label=first)
    figure.savefig(path)


COMMANDS = {"sweep": run}
