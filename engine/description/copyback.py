"""Writes changes made to a Model back into the spec from which it was compiled: MjSpec.copy_back (since MuJoCo 3.16).

Each change becomes spec values that compile to it. The changes are tried on a copy of the spec first; if the copy does not
compile to the Model's numbers, nothing is written.
"""

import math
from typing import Any

import numpy as np

from ..core.model import MjModel
from ..core.options import MjOption, MjVisual
from ..tables.actuator_rows import among
from ..tables.named_access import BLOCKS
from .compile.driver import compile_spec
from .elements.edit import copy_spec
from .elements.element import Element
from .elements.elements import need
from .elements.spec import MjSpec
from .language import orient
from .language.column_rows import FACTOR_OF, per, taken_back
from .language.errors import SpecError
from .language.types import AUTO, BALL, FREE, HINGE, SLIDE
from .write.model_values import SIZES, USERS, range_columns

KEYS = ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat", "plastic")
# columns that are written back together: for an inertia, and for a shape given by two end points
INERTIA, SHAPE = ("mass", "inertia", "ipos", "iquat"), ("pos", "quat", "size")
LIMITS = {
    "range": "limited",
    "actfrcrange": "actfrclimited",
    "ctrlrange": "ctrllimited",
    "forcerange": "forcelimited",
    "actrange": "actlimited",
}
STATISTICS = ("meaninertia", "meanmass", "meansize", "extent", "center")
# allowed rounding error when a pose is converted between frames
ROUND = 1e-9


def copy_back(spec: MjSpec, model: MjModel) -> None:
    """Write changes made to a Model into the spec from which it was last compiled.

    ValueError if the Model was compiled from something else, or if the spec cannot express a change; the message then names the
    element. In both cases, nothing is written.
    """
    need("copy_back", model, MjModel)
    fresh = compile_spec(spec)
    if any(getattr(fresh, name) != getattr(model, name) for name in SIZES) or bytes(fresh.names) != bytes(model.names):
        raise SpecError("the model was not compiled from this spec")
    changes = _changes(spec, fresh, model)
    trial = copy_spec(spec)
    _write(trial, changes, fresh, model)
    made = compile_spec(trial)
    for kind, i, _, field, row in changes:
        # other numbers that depend on a changed one may differ as well, so compare only the changed numbers
        changed = _row(fresh, field, row) != _row(model, field, row)
        if not np.allclose(_row(made, field, row)[changed], _row(model, field, row)[changed], ROUND, ROUND, equal_nan=True):
            e = spec.items(kind)[i] if kind != "dof" else spec.items("joint")[int(model.dof_jntid[i])]
            raise SpecError(f"a change of {field} of {kind} '{e.name}' cannot be written into the spec", e.place)
    _write(spec, changes, fresh, model)


def _row(m: MjModel, field: str, i: int) -> np.ndarray:
    return np.asarray(getattr(m, field))[i]


def _changes(spec: MjSpec, fresh: MjModel, model: MjModel) -> list[Any]:
    """Return [(kind, element, column, model field, row)] of all differences. A joint is represented by its first degree of
    freedom."""
    found = _block_changes(spec, fresh, model)
    fields = [(row.kind, row.field, row.column) for row in taken_back("save", "made", "copy")]
    fields += [(kind, f"{prefix}_user", "userdata") for kind, prefix in USERS.items()]
    fields += [("key", f"key_{name}", name) for name in KEYS]
    for kind, field, column in dict.fromkeys(fields):
        old, new = np.asarray(getattr(fresh, field)), np.asarray(getattr(model, field))
        rows = np.flatnonzero((old != new).reshape(len(old), -1).any(1)) if old.size else ()
        found += [(kind, int(i), column, field, int(i)) for i in rows]

    # fields with a row for each degree of freedom: all rows of one joint must be equal
    first = np.asarray(model.jnt_dofadr)
    for row in [row for row in per("dof") if row.back]:
        old, new = getattr(fresh, row.field), getattr(model, row.field)
        for i, e in enumerate(spec.items("joint")):
            dofs = slice(int(first[i]), int(first[i]) + {FREE: 6, BALL: 3}.get(e.raw["type"], 1))
            if not np.array_equal(old[dofs], new[dofs]):
                if (new[dofs] != new[dofs][0]).any():
                    raise SpecError(
                        f"{row.field} of joint '{e.name}' differs between its degrees of freedom, which a spec cannot express",
                        e.place,
                    )
                found.append(("dof", int(first[i]), row.column, row.field, int(first[i])))
    return found


def _block_changes(spec: MjSpec, fresh: MjModel, model: MjModel) -> list[Any]:
    """Return the changes in those actuator fields that have one entry per control or per force output.

    All rows of one actuator must be equal, except for the input ranges of a pid servo.
    """
    found, own = [], among(model, "gain", "setpoints")
    for block in [*per("out"), *per("ctrl")]:
        column, field = block.column, block.field
        first, count = (getattr(model, name) for name in BLOCKS["nout" if block.per == "out" else "nu"])
        old, new = np.asarray(getattr(fresh, field)), np.asarray(getattr(model, field))
        for i, e in enumerate(spec.items("actuator")):
            rows = range(int(first[i]), int(first[i] + count[i]))
            if column == "ctrlrange" and own[i]:
                names = range_columns(model.actuator_ctrlspec[i])
                found += [
                    ("actuator", i, name, field, k) for k, name in zip(rows, names, strict=True) if (old[k] != new[k]).any()
                ]
            elif (old[rows] != new[rows]).any():
                if (new[rows] != new[rows[0]]).any():
                    raise SpecError(
                        f"{field} of actuator '{e.name}' differs between its numbers, which a spec cannot express", e.place
                    )
                found.append(("actuator", i, column, field, rows[0]))
    return found


def _write(spec: MjSpec, changes: list[Any], fresh: MjModel, model: MjModel) -> None:
    """Write changed values, options, and changes of the reference pose into a spec."""
    joints = spec.items("joint")
    owner = {int(model.jnt_dofadr[i]): e for i, e in enumerate(joints)}
    elements = {kind: spec.items(kind) for kind in {kind for kind, *_ in changes} if kind != "dof"}
    for kind, i, column, field, row in changes:
        value, e = _row(model, field, row), owner[i] if kind == "dof" else elements[kind][i]
        _put(spec, e, column, value, (fresh, model, row))
    for own, mine, struct in ((spec.option, model.opt, MjOption), (spec.visual, model.vis, MjVisual)):
        assert isinstance(own, struct)
        own.copy_from(mine)
    for name in STATISTICS:
        if not np.array_equal(getattr(fresh.stat, name), getattr(model.stat, name)):
            value = getattr(model.stat, name)
            setattr(spec.stat, name, value.copy() if name == "center" else value)
    _references(spec, joints, fresh, model)
    _grounds(spec, fresh, model)


def _grounds(spec: MjSpec, fresh: MjModel, model: MjModel) -> None:
    """Write changed elevations of height fields, except those that are read from files."""
    for i, e in enumerate(spec.items("hfield")):
        start = int(model.hfield_adr[i])
        part = slice(start, start + int(model.hfield_nrow[i] * model.hfield_ncol[i]))
        if not e.raw["file"] and not np.array_equal(fresh.hfield_data[part], model.hfield_data[part]):
            e.raw["userdata"] = model.hfield_data[part].astype(np.float32)


def _put(spec: MjSpec, e: Element, column: str, value: Any, where: tuple[Any, Any, int]) -> None:
    raw, (_, model, i) = e.raw, where

    # write an inertia or a pose as a whole
    if e.kind == "body" and column in INERTIA:
        raw.update(
            mass=float(model.body_mass[i]),
            inertia=tuple(model.body_inertia[i].tolist()),
            ipos=tuple(model.body_ipos[i].tolist()),
            iquat=tuple(model.body_iquat[i].tolist()),
            ialt=(0, ()),
            fullinertia=(math.nan,) * 6,
            explicitinertial=1,
        )
    elif column in SHAPE and e.kind in ("geom", "site") and not math.isnan(raw["fromto"][0]):
        pos, quat = _in_frame(spec, e, _row(model, f"{e.kind}_pos", i), _row(model, f"{e.kind}_quat", i))
        raw.update(
            fromto=(math.nan,) * 6, pos=pos, quat=quat, alt=(0, ()), size=tuple(_row(model, f"{e.kind}_size", i).tolist())
        )
    elif column in ("pos", "quat") and e.kind in ("body", "geom", "site", "camera"):
        prefix = {"camera": "cam"}.get(e.kind, e.kind)
        pos, quat = _in_frame(spec, e, _row(model, f"{prefix}_pos", i), _row(model, f"{prefix}_quat", i))
        if column == "quat":
            raw.update(quat=quat, alt=(0, ()))
        raw["pos"] = pos

    # write vectors, then plain values
    elif column in ("pos", "dir", "axis") and e.kind in ("joint", "light"):
        pos, quat = _frame(spec, e)
        back = orient.invert(pos, quat)
        raw[column] = tuple(np.add(orient.rotate_by(value, back[1]), back[0] if column == "pos" else 0).tolist())
    else:
        angle = (
            column == "range"
            and e.kind == "joint"
            and raw["type"] in (HINGE, BALL)
            and (e.compiler or spec.compiler).raw["degree"]
        )
        if column in LIMITS and raw[LIMITS[column]] == AUTO:
            _keep_limits(raw, column, value, where)
        value = np.rad2deg(value) if angle else value
        factor = raw.get(FACTOR_OF.get((e.kind, column), ""), 1.0)
        value = value / factor if factor not in (0, 1) else value
        raw[column] = tuple(value.ravel().tolist()) if np.ndim(value) else value.item()


def _keep_limits(raw: dict[str, Any], column: str, value: Any, where: tuple[Any, Any, int]) -> None:
    """Replace an automatic limit (`auto`) by its current state, on or off, so that a new range does not switch it."""
    fresh, model, i = where
    for field in (f"{prefix}_{LIMITS[column]}" for prefix in ("jnt", "tendon", "actuator")):
        held = getattr(fresh, field, None)
        if (
            held is not None
            and hasattr(model, field.replace("limited", "range"))
            and len(held) > i
            and np.array_equal(getattr(model, field.replace("limited", "range"))[i], value)
        ):
            if bool(held[i]) != bool(value[0] < value[1]):
                raw[LIMITS[column]] = int(held[i])
            return


def _frame(spec: MjSpec, e: Any) -> tuple[Any, Any]:
    """Return the pose of an element's frame in its body, composed of all frames around the element."""
    pos, quat, frame = (0.0, 0.0, 0.0), orient.UNIT, e.frame
    while frame is not None:
        raw = (frame.compiler or spec.compiler).raw
        turn, error = orient.resolve(tuple(frame.raw["quat"]), tuple(frame.raw["alt"]), raw["degree"], raw["eulerseq"])
        if error:
            raise SpecError(error, frame.place)
        pos, quat = orient.compose(tuple(frame.raw["pos"]), orient.normal(turn)[0], pos, quat)
        frame = frame.frame
    return pos, quat


def _in_frame(spec: MjSpec, e: Any, pos: np.ndarray, quat: np.ndarray) -> tuple[Any, Any]:
    """Convert a pose in a body to a pose in the element's frame."""
    if e.frame is None:
        return tuple(pos.tolist()), tuple(quat.tolist())
    return orient.compose(*orient.invert(*_frame(spec, e)), tuple(pos.tolist()), tuple(quat.tolist()))


def _references(spec: MjSpec, joints: list[Any], fresh: MjModel, model: MjModel) -> None:
    """Write reference positions of hinges and slides, and poses of bodies with free joints, from the changed reference pose."""
    for i, e in enumerate(joints):
        a, raw = int(model.jnt_qposadr[i]), e.raw
        if raw["type"] == FREE and not np.array_equal(fresh.qpos0[a : a + 7], model.qpos0[a : a + 7]):
            pos, quat = _in_frame(spec, e.parent, model.qpos0[a : a + 3], model.qpos0[a + 3 : a + 7])
            e.parent.raw.update(pos=pos, quat=quat, alt=(0, ()))
        elif raw["type"] in (HINGE, SLIDE):
            scale = 180 / math.pi if raw["type"] == HINGE and (e.compiler or spec.compiler).raw["degree"] else 1.0
            for name, field in (("ref", "qpos0"), ("springref", "qpos_spring")):
                if getattr(fresh, field)[a] != getattr(model, field)[a]:
                    raw[name] = float(getattr(model, field)[a]) * scale
