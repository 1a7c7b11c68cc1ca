"""Models and data as text: a block a field, a line a row."""

import re

import numpy as np

from ..tables.names import KINDS, id2name
from ..tables.schema import INTERNAL, MODEL_SIZES

NUMBER = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[eEfFgG]$")
# fields of these sizes are counted, not listed
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


def check_format(text) -> str:
    """ValueError unless a format is one for a single number, such as `%8.5f`."""
    if not NUMBER.match(text):
        raise ValueError(f"{text!r} is no format for one number, such as '% -9.2g'")
    return text


def _row(values, style):
    return " ".join(style % v if isinstance(v, float) else str(v) for v in np.atleast_1d(values).tolist())


def _field(name, x, style, labels=None):
    """Lines of an array; one row a line, with the name of the element if there is one."""
    if not x.size:
        return []
    lines = [f"{name}  {x.dtype}{list(x.shape)}"]
    if x.ndim == 1 and labels is None:
        return [f"{lines[0]}  {_row(x, style)}"]
    for k, row in enumerate(x.reshape(len(x), -1)):
        label = labels(k) if labels else None
        lines.append(f"  {k:<4d} {_row(row, style)}" + (f"    {label}" if label else ""))
    return lines


def model_text(m, style="% .6g") -> str:
    """All of a model; large arrays of assets only by their sizes."""
    check_format(style)
    lines = [f"MODEL {id_text(m)}", "", "SIZES", *(f"  {n:<16s} {getattr(m, n)}" for n in MODEL_SIZES if getattr(m, n)), ""]
    for group in ("opt", "vis", "stat"):
        lines.append(group.upper())
        for n in sorted(getattr(m, group).schema.fields):
            lines.append(f"  {n.replace('__', '.'):<24s} {_row(getattr(getattr(m, group), n), style)}")
        lines.append("")
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


def data_text(m, d, style="% .6g") -> str:
    """All of a data."""
    check_format(style)
    lines = ["DATA", ""]
    for f in d.schema.scalars:
        if f.group not in INTERNAL:
            lines.append(f"  {f.name:<16s} {_row(getattr(d, f.name), style)}")
    lines.append("")
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


def id_text(m) -> str:
    """Name of a model, or what it lacks one for."""
    name = m.names.split(b"\0", 1)[0].decode("utf-8", "replace")
    return name or "without a name"
