"""Names of a model's elements; an element without a name is called `kind i`. The names are read once for each model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import engine as mj

# {kind: field of the model with the number of elements}
KINDS = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "site": "nsite",
    "camera": "ncam",
    "light": "nlight",
    "tendon": "ntendon",
    "actuator": "nactuator",
    "sensor": "nsensor",
    "equality": "neq",
    "key": "nkey",
    "mesh": "nmesh",
    "hfield": "nhfield",
    "texture": "ntex",
    "material": "nmat",
    "pair": "npair",
    "exclude": "nexclude",
    "numeric": "nnumeric",
    "text": "ntext",
    "tuple": "ntuple",
    "skin": "nskin",
    "flex": "nflex",
}
_MEMBER = {"material": "mjOBJ_MATERIAL", "texture": "mjOBJ_TEXTURE"}
_cache: tuple[Any, dict[str, list]] = (None, {})


def names(m: mj.MjModel, kind: str) -> list[str]:
    """Return the names of all elements of a kind, in order of id."""
    member = getattr(mj.mjtObj, _MEMBER.get(kind, f"mjOBJ_{kind.upper()}"))
    return _kept(m, kind, lambda: [mj.mj_id2name(m, member, i) or f"{kind} {i}" for i in range(getattr(m, KINDS[kind]))])


def _kept(m: Any, key: Any, make: Callable[[], Any]) -> Any:
    """Return the value for a key. It is computed by `make` once for each model."""
    global _cache
    if _cache[0] is not m:
        _cache = (m, {})
    table = _cache[1]
    if key not in table:
        table[key] = make()
    return table[key]


def joint_names(m: mj.MjModel) -> list[str]:
    """Return the names of all joints, for use in lists. A joint without a name is named after its body."""
    return _kept(m, "joint names", lambda: [_joint_name(m, i) for i in range(m.njnt)])


def _joint_name(m: mj.MjModel, i: int) -> str:
    if own := mj.mj_id2name(m, mj.mjtObj.mjOBJ_JOINT, i):
        return own
    body = int(m.jnt_bodyid[i])
    number = i - int(m.body_jntadr[body])
    return f"{name(m, 'body', body)}" + (f", joint {number}" if m.body_jntnum[body] > 1 else "")


def name(m: mj.MjModel, kind: str, i: int) -> str:
    """Return the name of an element; empty if the index is out of range."""
    rows = names(m, kind)
    return rows[i] if 0 <= i < len(rows) else ""


# {kind: field with the body to which each element belongs}
BODY_OF = {"joint": "jnt_bodyid", "geom": "geom_bodyid", "site": "site_bodyid", "camera": "cam_bodyid", "light": "light_bodyid"}


def exists(m: Any, kind: str, i: int) -> bool:
    """Return whether a model has an element."""
    return kind in KINDS and 0 <= i < int(getattr(m, KINDS[kind]))


def owner(m: Any, kind: str, i: int) -> int:
    """Return the body to which an element belongs; 0 if it belongs to none."""
    if kind == "body":
        return i
    return int(getattr(m, BODY_OF[kind])[i]) if kind in BODY_OF else 0


# Names of the components of a joint's velocity and position, by joint type: free, ball, slide, hinge.
DOF_PARTS = (("x", "y", "z", "turn x", "turn y", "turn z"), ("turn x", "turn y", "turn z"), ("",), ("",))
QPOS_PARTS = (("x", "y", "z", "qw", "qx", "qy", "qz"), ("qw", "qx", "qy", "qz"), ("",), ("",))


def dof_joint(m: Any, dof: int) -> int:
    """Return the joint to which a degree of freedom belongs."""
    return int(m.dof_jntid[dof])


def qpos_joint(m: Any, i: int) -> int:
    """Return the joint to which an element of qpos belongs."""
    return int(np.searchsorted(np.asarray(m.jnt_qposadr), i, "right")) - 1


def joint_title(m: Any, joint: int) -> str:
    """Return the title of a joint, such as `joint knee`. A joint without a name is named after its body: `joint 3 of body
    shin`.
    """
    own = mj.mj_id2name(m, mj.mjtObj.mjOBJ_JOINT, joint)
    return f"joint {own}" if own else f"joint {joint} of body {name(m, 'body', int(m.jnt_bodyid[joint]))}"


def dof_name(m: Any, dof: int) -> str:
    """Return the title of a degree of freedom, such as `joint knee` or `joint root (turn x)`."""
    joint = dof_joint(m, dof)
    return with_part(joint_title(m, joint), DOF_PARTS[int(m.jnt_type[joint])][dof - int(m.jnt_dofadr[joint])])


def qpos_name(m: Any, i: int) -> str:
    """Return the title of an element of qpos."""
    joint = qpos_joint(m, i)
    return with_part(joint_title(m, joint), QPOS_PARTS[int(m.jnt_type[joint])][i - int(m.jnt_qposadr[joint])])


# {field of Data: (function that returns the name of element i, kind of the element that indexes it)}
_BY_DOF = (
    "qvel",
    "qacc",
    "qacc_warmstart",
    "qacc_smooth",
    "qfrc_applied",
    "qfrc_bias",
    "qfrc_passive",
    "qfrc_actuator",
    "qfrc_smooth",
    "qfrc_constraint",
    "qfrc_gravcomp",
    "qfrc_spring",
    "qfrc_damper",
    "qfrc_fluid",
    "qfrc_inverse",
)
_BY_ELEMENT = {"ten_length": "tendon", "ten_velocity": "tendon", "eq_active": "equality"}
# Fields with one row per control or force of an actuator (an actuator may have several), and the size field with the number of
# rows.
_OF_ACTUATORS = {"ctrl": "nu", "actuator_force": "nout", "actuator_length": "nout", "actuator_velocity": "nout"}
_AXES = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z"), 6: ("turn x", "turn y", "turn z", "x", "y", "z")}


def control_owners(m: Any) -> list[int]:
    """Return, for each control, the actuator to which it belongs."""
    return _kept(m, "control owners", lambda: np.repeat(np.arange(m.nactuator), m.actuator_ctrlnum).tolist())


def control_names(m: Any) -> list[str]:
    """Return the names of all controls, such as `elbow` or `elbow (vel)`: the actuator's name, and the control's meaning if the
    actuator has several controls.
    """
    return _kept(m, "controls", lambda: [_control_name(m, i, a) for i, a in enumerate(control_owners(m))])


def _control_name(m: Any, i: int, a: int) -> str:
    part = mj.mj_actuatorInputName(m, a, i - int(m.actuator_ctrladr[a])) if m.actuator_ctrlnum[a] > 1 else ""
    return with_part(name(m, "actuator", a), part or "")


def _force_name(m: Any, i: int) -> str:
    """Return the name of an actuator force: the actuator's name, and the axis if the actuator has several forces."""
    a = int(np.repeat(np.arange(m.nactuator), m.actuator_outnum)[i])
    return with_part(name(m, "actuator", a), _AXES[3][i - int(m.actuator_outadr[a])] if m.actuator_outnum[a] > 1 else "")


def number_name(m: Any, field: str, i: int) -> str:
    """Return a short title for an element of an array, such as `knee`, `root (x)` or `torso (z)`; empty if no title is known,
    or if the model lacks the element: a plot may show the model before a reload.
    """
    try:
        return _kept(m, (field, i), lambda: _number_name(m, field, i))
    except IndexError:
        return ""


def _number_name(m: Any, field: str, i: int) -> str:
    field = field.removeprefix("d.")
    if field == "qpos" or field in _BY_DOF:
        title = qpos_name(m, i) if field == "qpos" else dof_name(m, i)
        return title.removeprefix("joint ")
    if field in _OF_ACTUATORS:
        return control_names(m)[i] if field == "ctrl" else _force_name(m, i)
    if field in _BY_ELEMENT:
        return name(m, _BY_ELEMENT[field], i)
    if field == "sensordata":
        k = int(np.searchsorted(np.asarray(m.sensor_adr), i, "right")) - 1
        dim = int(m.sensor_dim[k])
        return with_part(
            name(m, "sensor", k), (_AXES.get(dim) or [str(n) for n in range(dim)])[i - int(m.sensor_adr[k])] if dim > 1 else ""
        )
    if field in ("mocap_pos", "mocap_quat"):
        width = 3 if field == "mocap_pos" else 4
        body = np.flatnonzero(np.asarray(m.body_mocapid) == i // width)
        return with_part(name(m, "body", int(body[0])), _AXES[width][i % width]) if len(body) else ""
    kind, width = row_kind(field)
    return with_part(name(m, kind, i // width), _AXES[width][i % width] if width in _AXES else "") if kind else ""


# {prefix of a field's name: kind of the elements to which its rows belong}
_PREFIX = {
    "x": "body",
    "body_": "body",
    "m.body_": "body",
    "geom_x": "geom",
    "site_x": "site",
    "cam_x": "camera",
    "m.geom_": "geom",
    "m.jnt_": "joint",
    "m.site_": "site",
    "m.actuator_": "actuator",
    "m.sensor_": "sensor",
    "m.tendon_": "tendon",
    "subtree_": "body",
    "cvel": "body",
    "cacc": "body",
    "cfrc_": "body",
}
_WIDTHS = {
    "pos": 3,
    "xpos": 3,
    "xipos": 3,
    "xquat": 4,
    "quat": 4,
    "com": 3,
    "linvel": 3,
    "angmom": 3,
    "cvel": 6,
    "cacc": 6,
    "int": 6,
    "ext": 6,
    "applied": 6,
    "mass": 1,
    "margin": 1,
    "stiffness": 1,
    "range": 2,
    "size": 3,
    "inertia": 3,
    "axis": 3,
}


def row_kind(field: str) -> tuple[str, int]:
    """Return (kind of the elements to which a field's rows belong, length of a row); ("", 1) if they are unknown."""
    prefix = next((p for p in sorted(_PREFIX, key=len, reverse=True) if field.startswith(p)), "")
    width = _WIDTHS.get(field.rpartition("_")[2].removeprefix("m."), 0)
    return (_PREFIX[prefix], width) if prefix and width else ("", 1)


def named_numbers(m: Any, field: str, label: str) -> list[int]:
    """Return the flat indices of the numbers in an array that belong to the element named `label`; empty if there are none."""
    field, label = field.removeprefix("d."), label.strip().strip("'\"").lower()
    size = {"qpos": m.nq, "sensordata": m.nsensordata}.get(field)
    if size is None and field in _BY_DOF:
        size = m.nv
    if field in _OF_ACTUATORS:
        size = getattr(m, _OF_ACTUATORS[field])
    if size is None and field in _BY_ELEMENT:
        size = getattr(m, KINDS[_BY_ELEMENT[field]])
    if size is None:
        kind, width = row_kind(field)
        size = getattr(m, KINDS[kind]) * width if kind else 0
    return [i for i in range(size) if label in ((text := _number_name(m, field, i).lower()), text.partition(" (")[0])]


def with_part(title: str, part: str) -> str:
    return f"{title} ({part})" if part else title


def sentence(title: str) -> str:
    """Return a title of MuJoCo in sentence case: `Contact Force` becomes `Contact force`."""
    first, *rest = title.split(" ")
    return " ".join((first, *(word.lower() for word in rest)))


def capital(text: str) -> str:
    """Return a text with a capital first letter, to show it as a sentence of its own."""
    return text[:1].upper() + text[1:]


def plural(kind: str) -> str:
    """Return the plural of a kind of elements."""
    if kind.endswith("y") and not kind.endswith("ey"):
        return f"{kind[:-1]}ies"
    return f"{kind}es" if kind.endswith(("s", "x", "sh")) else f"{kind}s"
