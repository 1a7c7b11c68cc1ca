"""Tooltips for fields of Model, Data or options. The texts come from the tables of fields."""

from __future__ import annotations

import textwrap
from functools import cache

from ..engine.tables.schema import SCHEMAS, SIZE_DOCS, Field
from ..engine.tables.stage_rows import NUMBER

STRUCTS = {"m": "MjModel", "d": "MjData", "opt": "MjOption", "vis": "MjVisual", "stat": "MjStatistic"}
# characters per line of a tooltip
ACROSS = 64


@cache
def about(path: str) -> str:
    """Return the tooltip of a field: name, shape, unit and description; empty if there is no such field. Examples of paths:
    `qpos`, `m.geom_size`, `opt.gravity`, `vis.map.znear`, `sensordata[3]`.
    """
    struct, name = _parts(path)
    field = SCHEMAS[struct].fields.get(name)
    if field is not None:
        return text_of(field)
    return f"{name}   {SIZE_DOCS[name]}" if name in SIZE_DOCS else ""


def field_of(path: str) -> Field | None:
    """Return the row of the field at a path, from the table of its struct; None if there is no such field."""
    struct, name = _parts(path)
    return SCHEMAS[struct].fields.get(name)


def _parts(path: str) -> tuple[str, str]:
    """Return (name of the struct, name of the field) for a path."""
    parts = path.partition("[")[0].strip().split(".")
    if len(parts) > 1 and parts[0] in ("m", "d") and parts[1] in ("opt", "vis", "stat"):
        parts = parts[1:]
    struct = STRUCTS[parts.pop(0)] if len(parts) > 1 and parts[0] in STRUCTS else "MjData"
    return struct, "__".join(p.rstrip("_") if struct == "MjVisual" else p for p in parts)


def text_of(field: Field) -> str:
    """Return the tooltip of a field."""
    words = [field.name.replace("__", "."), field.shape, field.unit if field.unit != "-" else ""]
    written = f"\nwritten by {field.part}" if field.part in NUMBER else ""
    return "   ".join(w for w in words if w) + "\n" + textwrap.fill(field.doc, ACROSS) + written
