"""Converts models and data to text: a block for each field, a line for each row."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tables.named_access import KINDS, id2name
from ..tables.schema import INTERNAL, MODEL_SIZES

NUMBER = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[eEfFgG]$")
# arrays with these dimensions are too large to print: only their sizes are shown
BULK = {
    "nmeshvert",
    "nmeshface",
    "nmeshgraph",
    "ntexdata",
    "nhfielddata",
    "nskinvert",
    "nskinface",
    "nmeshnormal",
    "nmeshtexcoord",
    "nmeshpolyvert",
    "nmeshpolymap",
    "nskinbonevert",
    "nskintexvert",
    "nbvh",
    "nbvhstatic",
    "noct",
    "nnames",
    "npaths",
    "nnames_map",
}


def check_format(text: str) -> str:
    """Return a format for a single number, such as `%8.5f`; ValueError for anything else."""
    if not NUMBER.match(text):
        raise ValueError(f"{text!r} is not a format for one number, such as '% -9.2g'")
    return text


def _row(values: Any, style: str) -> str:
    """Return one row as text."""
    return " ".join(style % v if isinstance(v, float) else str(v) for v in np.atleast_1d(values).tolist())


def _field(name: str, x: np.ndarray, style: str, labels: Callable[[int], str | None] | None = None) -> list[str]:
    """Return the lines of an array, one for each row; `labels` returns the name of a row's element."""
    if not x.size:
        return []
    lines = [f"{name}  {x.dtype}{list(x.shape)}"]
    if x.ndim == 1 and labels is None:
        return [f"{lines[0]}  {_row(x, style)}"]
    for k, row in enumerate(x.reshape(len(x), -1)):
        label = labels(k) if labels else None
        lines.append(f"  {k:<4d} {_row(row, style)}" + (f"    {label}" if label else ""))
    return lines


def model_text(m: Any, style: str = "% .6g") -> str:
    """Return a whole model as text; large assets appear only with their sizes."""
    check_format(style)

    # print sizes and options
    lines = [f"MODEL {id_text(m)}", "", "SIZES", *(f"  {n:<16s} {getattr(m, n)}" for n in MODEL_SIZES if getattr(m, n)), ""]
    for group in ("opt", "vis", "stat"):
        lines.append(group.upper())
        for n in sorted(getattr(m, group).schema.fields):
            lines.append(f"  {n.replace('__', '.'):<24s} {_row(getattr(getattr(m, group), n), style)}")
        lines.append("")

    # print arrays, with the names of their elements
    labels = {row[1]: row[0] for row in KINDS.values()}
    for f in m.schema.arrays:
        if f.dims[0] in BULK or f.text or f.ours and not m.array(f.name).any():
            continue
        kind = labels.get(f.dims[0])
        lines += _field(
            f.name,
            m.array(f.name),
            style,
            None if kind is None or len(f.dims) == 1 else lambda k, kind=kind: id2name(m, kind, k),
        )
    return "\n".join(lines) + "\n"


def data_text(m: Any, d: Any, style: str = "% .6g") -> str:
    """Return all fields of a Data as text."""
    check_format(style)
    lines = ["DATA", ""]

    # print scalars
    for f in d.schema.scalars:
        if f.group not in INTERNAL:
            lines.append(f"  {f.name:<16s} {_row(getattr(d, f.name), style)}")
    lines.append("")

    # print arrays, with the names of their elements
    labels = {row[1]: row[0] for row in KINDS.values()}
    for f in d.schema.arrays:
        if f.group in INTERNAL:
            continue
        kind = labels.get(f.dims[0])
        lines += _field(
            f.name,
            getattr(d, f.name),
            style,
            None if kind is None or len(f.dims) == 1 else lambda k, kind=kind: id2name(m, kind, k),
        )
    return "\n".join(lines) + "\n"


def id_text(m: Any) -> str:
    """Return the name of a model, or a placeholder if it has none."""
    name = m.names.split(b"\0", 1)[0].decode("utf-8", "replace")
    return name or "without a name"
