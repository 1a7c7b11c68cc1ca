"""Numbers of a compiled Model as columns for the MJCF writer, which therefore also writes changes that a program made."""

from typing import Any

import numpy as np

from ...core.model import MjModel
from ...core.report import FatalError
from ...tables.actuator_rows import among, has_trait
from ...tables.schema import SCHEMAS
from ..compile.constants import LR_ALL, LR_NONE
from ..compile.resolve import Compilation
from ..compile.table import Table
from ..elements.spec import MjSpec
from ..language.column_rows import KINDS, ROWS, divided
from ..language.types import SLIDE

# kinds of elements with user data -> prefix of the Model's fields
USERS = {kind.name: kind.prefix for kind in KINDS.values() if f"{kind.prefix}_user" in SCHEMAS["MjModel"].fields}
SIZES = (
    "nq nv nu nactuator nout na nbody njnt ngeom nsite ncam nlight nmesh nskin nhfield nmat ntex npair nexclude neq ntendon "
    "nwrap nsensor nnumeric nnumericdata ntext ntextdata ntuple ntupledata nnames nkey nmocap nflex"
).split()


# kinds of elements that are written from a Model's fields
HELD = ("key", "numeric", "tuple", "hfield", "texture")


def needs_model(spec: MjSpec) -> bool:
    """Return whether the text needs numbers of a Model: for some kinds of elements, a scaled total mass, or simulated length
    ranges.
    """
    return (
        any([spec.parts[kind] for kind in HELD])
        or spec.nkey > 0
        or bool(spec.pending_keys)
        or spec.compiler.raw["settotalmass"] > 0
        or any([_simulated(spec.compiler.LRopt.raw["mode"], a.raw) for a in spec.parts["actuator"]])
    )


def _simulated(mode: int, raw: dict[str, Any]) -> bool:
    """Return whether an actuator's length range may have to be found by simulation."""
    return mode == LR_ALL or mode != LR_NONE and any(has_trait(raw, what, "muscle", "user") for what in ("gain", "bias"))


def check_same(mine: Any, m: MjModel) -> None:
    """Raise FatalError unless a Model has the same sizes and names as the Model compiled from the spec."""
    for name in SIZES:
        if getattr(mine, name) != getattr(m, name):
            raise FatalError(
                f"the model was not compiled from this spec: {name} is {getattr(m, name)}, not {getattr(mine, name)}"
            )
    if bytes(mine.names) != bytes(m.names):
        raise FatalError("the model was not compiled from this spec: names differ")


def take_back(w: Any) -> None:
    """Copy columns from the writer's Model: columns that only a Model has and, if a Model was given, columns that may have
    changed in it."""
    c, m = w.c, w.m
    _same_limits(w)
    if m is None:
        return
    # copy results of compiling and, from a given Model, values that a program may have changed
    first = {"": slice(None), "dof": np.asarray(m.jnt_dofadr), "out": np.asarray(m.actuator_outadr)}
    for row in [row for row in ROWS if row.back == "made" or row.back == "save" and w.given and row.per in first]:
        _take(c, row.kind, row.column, np.asarray(getattr(m, row.field))[first[row.per]])
    if not w.given:
        return
    if c.actuator.n:
        _control_ranges(c.actuator, m)
    if c.joint.n:
        _joint_references(c, m)
    for kind, name in USERS.items():
        w.columns[kind, "userdata"] = [tuple(u) for u in np.asarray(getattr(m, name + "_user")).tolist()]


def _take(c: Compilation, kind: str, column: str, values: np.ndarray) -> None:
    table = getattr(c, kind)
    if table.n:
        setattr(table, column, divided(table, column, np.array(values).reshape(np.shape(getattr(table, column)))))


def _control_ranges(a: Table, m: MjModel) -> None:
    """Copy control ranges: the first control's range or, for a pid servo, the range of each input."""
    own = among(a, "gain", "setpoints").tolist()
    for i, (start, count) in enumerate(zip(a.ctrladr.tolist(), a.ctrlnum.tolist(), strict=True)):
        columns = range_columns(a.inputs[i]) if own[i] else ("ctrlrange",)
        for k, column in zip(range(start, start + count), columns, strict=False):
            getattr(a, column)[i] = m.actuator_ctrlrange[k]


def range_columns(inputs: int) -> tuple[str, ...]:
    """Return the fields with the ranges of a pid servo's inputs (bits of mjtCtrlInput), in order."""
    return tuple(name for bit, name in ((1, "ctrlrange"), (2, "velrange"), (4, "ffrange")) if inputs & bit)


def _joint_references(c: Compilation, m: MjModel) -> None:
    """Take references of hinges and slides from the reference pose. Stiffness and damping are written, so clear
    springdamper."""
    scalar = np.flatnonzero(np.asarray(m.jnt_type) >= SLIDE)
    adr = np.asarray(m.jnt_qposadr)[scalar]
    c.joint.ref[scalar] = m.qpos0[adr]
    c.joint.springref[scalar] = m.qpos_spring[adr]
    c.joint.springdamper[:] = 0


def _same_limits(w: Any) -> None:
    """Write limits explicitly for elements whose compiler settings treat automatic limits differently."""
    rows = (
        ("joint", "limited", "is_limited"),
        ("joint", "actfrclimited", "is_actfrclimited"),
        ("tendon", "limited", "is_limited"),
        ("tendon", "actfrclimited", "is_actfrclimited"),
        ("actuator", "ctrllimited", "is_ctrllimited"),
        ("actuator", "forcelimited", "is_forcelimited"),
        ("actuator", "actlimited", "is_actlimited"),
    )
    mine = w.spec.compiler.raw["autolimits"]
    for kind, column, resolved in rows:
        table = getattr(w.c, kind)
        for i, e in enumerate(table.elems):
            if w.c.compiler_of(e)["autolimits"] != mine:
                getattr(table, column)[i] = getattr(table, resolved)[i]
