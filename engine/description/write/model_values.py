"""Numbers of a compiled Model → the columns that the writer of MJCF reads: what a program changed in its Model is written too."""

import numpy as np

from ...core.report import FatalError
from ...tables.actuator_rows import among, has_trait
from ...tables.schema import SCHEMAS
from ..compile.constants import LR_ALL, LR_NONE
from ..language.column_rows import KINDS, ROWS, divided
from ..language.types import SLIDE

# kinds of elements with data of the user's: prefix of the Model's fields
USERS = {kind.name: kind.prefix for kind in KINDS.values() if f"{kind.prefix}_user" in SCHEMAS["MjModel"].fields}
SIZES = (
    "nq nv nu nactuator nout na nbody njnt ngeom nsite ncam nlight nmesh nskin nhfield nmat ntex npair nexclude neq ntendon nwrap nsensor "
    "nnumeric nnumericdata ntext ntextdata ntuple ntupledata nnames nkey nmocap nflex"
).split()


# kinds of elements that are written from a Model's fields
HELD = ("key", "numeric", "tuple", "hfield", "texture")


def needs_model(spec) -> bool:
    """Whether the text has numbers that only a Model has: besides those of some elements, what scaling to a mass and simulating lead to."""
    return (
        any([spec.parts[kind] for kind in HELD])
        or spec.nkey > 0
        or bool(spec.pending_keys)
        or spec.compiler.raw["settotalmass"] > 0
        or any([_simulated(spec.compiler.LRopt.raw["mode"], a.raw) for a in spec.parts["actuator"]])
    )


def _simulated(mode, raw):
    """Whether an actuator's range of lengths may have to be found by simulation."""
    return mode == LR_ALL or mode != LR_NONE and any(has_trait(raw, what, "muscle", "user") for what in ("gain", "bias"))


def check_same(mine, m) -> None:
    """FatalError unless a Model has the sizes and names of the one that the spec compiles to."""
    for name in SIZES:
        if getattr(mine, name) != getattr(m, name):
            raise FatalError(
                f"the model was not compiled from this spec: {name} is {getattr(m, name)}, not {getattr(mine, name)}"
            )
    if bytes(mine.names) != bytes(m.names):
        raise FatalError("the model was not compiled from this spec: names differ")


def take_back(w) -> None:
    """Columns from the writer's Model: what only a Model knows, and all that could be changed in one that was given."""
    c, m = w.c, w.m
    _same_limits(w)
    if m is None:
        return
    # scaled to a total mass, found by simulation
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


def _take(c, kind, column, values):
    table = getattr(c, kind)
    if table.n:
        setattr(table, column, divided(table, column, np.array(values).reshape(np.shape(getattr(table, column)))))


def _control_ranges(a, m):
    """Ranges of controls: the first one's, of pid servos those of each input."""
    own = among(a, "gain", "setpoints").tolist()
    for i, (start, count) in enumerate(zip(a.ctrladr.tolist(), a.ctrlnum.tolist(), strict=True)):
        columns = range_columns(a.inputs[i]) if own[i] else ("ctrlrange",)
        for k, column in zip(range(start, start + count), columns, strict=False):
            getattr(a, column)[i] = m.actuator_ctrlrange[k]


def range_columns(inputs) -> tuple[str, ...]:
    """Fields with the ranges of a pid servo's inputs (bits of mjtCtrlInput), in their order."""
    return tuple(name for bit, name in ((1, "ctrlrange"), (2, "velrange"), (4, "ffrange")) if inputs & bit)


def _joint_references(c, m):
    """References of hinges and slides are the reference pose itself; stiffness and damping are no longer to be computed."""
    scalar = np.flatnonzero(np.asarray(m.jnt_type) >= SLIDE)
    adr = np.asarray(m.jnt_qposadr)[scalar]
    c.joint.ref[scalar] = m.qpos0[adr]
    c.joint.springref[scalar] = m.qpos_spring[adr]
    c.joint.springdamper[:] = 0


def _same_limits(w):
    """Of elements whose own compiler settings treat automatic limits otherwise, the limits are written as resolved."""
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
