"""A model's step as a program for `run`: made by `assemble`, and stored.

program_of(model)  ──▶  Program: machine code of the traced parts, rows of the program, copy rows (`border`)
                          stored under a hash of the model, the sources and the processor
    copy rows            table of the fields that are copied between lane memory and the worlds' Datas
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.struct import contents
from ..machine import emission, jit, stamp, store, target
from ..tables.schema import SCHEMAS
from . import order
from .assemble import COMMON, Builder, Program
from .emit import SYMBOL, module
from .run import ROW
from .symbols import Untraceable

# options that must be equal in problems solved together
_SHARED = frozenset(("opt.tolerance", "opt.ls_tolerance"))


def host_width() -> int:
    """Return how many worlds share a vector on this processor: 8 with AVX-512, else 4."""
    features = target.host_features()
    return 8 if features.get("avx512f") else 4


def _obstacle(model: Any, own: frozenset[str]) -> str:
    """Return why a model's steps cannot run on lanes; empty if they can."""
    for name in sorted(own):
        part, _, field = name.rpartition(".")
        schema = SCHEMAS["MjOption"] if part == "opt" else SCHEMAS["MjStatistic"] if part else SCHEMAS["MjModel"]
        # Integer fields must be equal in all worlds. set_const changes only one count, ngravcomp, which is a size, not a field.
        whole = field in schema.fields and schema.fields[field].dtype not in ("f8", "f4")
        if name in _SHARED or whole:
            return f"{name} differs from world to world"
    return order.obstacle(model)


# ---- store ---------------------------------------------------------------------------------------------------------------
@functools.cache
def _sources() -> bytes:
    """Return a hash of all sources that tracing reads."""
    engine = pathlib.Path(__file__).resolve().parents[1]
    folders = ("core", "math", "dynamics", "sense", "step", "constraint", "collide", "solve", "geom", "lanes")
    return stamp.digest(*(p.read_bytes() for f in folders for p in sorted((engine / f).glob("*.py"))))


# prefixes of fields that no traced part reads; they include all large fields
_UNREAD = (
    "mesh_",
    "skin_",
    "hfield_",
    "tex_",
    "oct_",
    "bvh_",
    "name_",
    "names",
    "paths",
    "text_",
    "key_",
    "tuple_",
    "numeric_",
    "mat_",
    "bodyflex",
)


def values_of(model: Any) -> list[np.ndarray]:
    """Return views of all values of a model that may occur as constants in traced parts."""
    scalars, arrays = model.storage.header[model.schema.first_scalar : model.schema.last_scalar], []
    for f in model.schema.arrays:
        if not f.name.startswith(_UNREAD):
            arrays.append(model.array(f.name))
    return [scalars, *arrays, *contents(model.opt)]


def key_of(model: Any, width: int, kept: frozenset[str], own: frozenset[str]) -> str:
    """Return the name of a model's program in the store."""
    parts = [x.tobytes() for x in values_of(model)]
    asked = f"{model.sizes()!r} {width} {sorted(kept - COMMON)} {sorted(own)}"
    whole = hashlib.sha1(b"\0".join([*parts, asked.encode(), _sources(), target.of_host(False).encode()]))
    return f"lanes-{whole.hexdigest()[:24]}"


def _packed(made: Any, code: bytes = b"") -> bytes:
    """Return the stored form of a program, or of the reason why there is none."""
    text = json.dumps(made if isinstance(made, str) else dataclasses.asdict(made)).encode()
    return len(text).to_bytes(8, "little") + text + code


def _mapped(contents_: bytes) -> Program | str:
    """Read a stored program. Return it with its code mapped into this process, or the stored reason why there is none."""
    size = int.from_bytes(contents_[:8], "little")
    made, code = json.loads(contents_[8 : 8 + size]), contents_[8 + size :]
    if isinstance(made, str):
        return made
    program = Program(**made)
    program.address = jit.map_object(SYMBOL, code)
    return program


def kept_program(model: Any, kept: frozenset[str] = frozenset(), own: frozenset[str] = frozenset()) -> Program | str | None:
    """Return a model's program, or the reason why there is none, from the store; None if the model was not translated yet.
    `kept`: fields that users read. `own`: Model fields that differ between worlds."""
    reason = _obstacle(model, own)
    if reason:
        return reason
    contents_ = store.load(key_of(model, host_width(), kept, own))
    return None if contents_ is None else _mapped(contents_)


def program_of(
    model: Any, width: int = 0, kept: frozenset[str] = frozenset(), own: frozenset[str] = frozenset()
) -> Program | str:
    """Return a model's program, with its code mapped into this process, or the reason why there is none. `kept`: fields that
    users read. `own`: Model fields that differ between worlds."""
    width = width or host_width()
    reason = _obstacle(model, own)
    if reason:
        return reason
    key = key_of(model, width, kept, own)
    contents_ = store.load(key)
    if contents_ is None:
        builder = Builder(model, own)
        try:
            builder.build()
            made = builder.program(width, kept)
            contents_ = _packed(made, emission.emit_text(module(builder.traces, width), emission.for_host()))
        except Untraceable as error:
            contents_ = _packed(str(error))
        store.save(key, contents_)
    return _mapped(contents_)


def table(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Return rows as an integer array for compiled code."""
    return np.array(rows or [[0] * ROW], np.int64)
