"""Names of a model's elements, with `kind i` for the unnamed; read once a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine as mj

# kind -> size attribute of the model
KINDS = {
    "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight",
    "tendon": "ntendon", "actuator": "nu", "sensor": "nsensor", "equality": "neq", "key": "nkey", "mesh": "nmesh",
    "hfield": "nhfield", "texture": "ntex", "material": "nmat", "pair": "npair", "exclude": "nexclude",
    "numeric": "nnumeric", "text": "ntext", "tuple": "ntuple", "skin": "nskin", "flex": "nflex",
}
_MEMBER = {"material": "mjOBJ_MATERIAL", "texture": "mjOBJ_TEXTURE"}
_cache: tuple[Any, dict[str, list[str]]] = (None, {})


def names(m: mj.MjModel, kind: str) -> list[str]:
    """Names of all elements of a kind, in order of id."""
    global _cache
    if _cache[0] is not m:
        _cache = (m, {})
    table = _cache[1]
    if kind not in table:
        member = getattr(mj.mjtObj, _MEMBER.get(kind, f"mjOBJ_{kind.upper()}"))
        count = getattr(m, KINDS[kind])
        table[kind] = [mj.mj_id2name(m, member, i) or f"{kind} {i}" for i in range(count)]
    return table[kind]


def name(m: mj.MjModel, kind: str, i: int) -> str:
    """Name of one element; empty outside the range."""
    rows = names(m, kind)
    return rows[i] if 0 <= i < len(rows) else ""


# kind -> field that says which body an element belongs to
BODY_OF = {"joint": "jnt_bodyid", "geom": "geom_bodyid", "site": "site_bodyid", "camera": "cam_bodyid", "light": "light_bodyid"}


def owner(m: Any, kind: str, i: int) -> int:
    """The body that an element belongs to; 0 if it belongs to none."""
    if kind == "body":
        return i
    return int(getattr(m, BODY_OF[kind])[i]) if kind in BODY_OF else 0


# the parts of a joint's velocity and position, by type: free, ball, slide, hinge
DOF_PARTS = (("x", "y", "z", "turn x", "turn y", "turn z"), ("turn x", "turn y", "turn z"), ("",), ("",))
QPOS_PARTS = (("x", "y", "z", "qw", "qx", "qy", "qz"), ("qw", "qx", "qy", "qz"), ("",), ("",))


def dof_joint(m: Any, dof: int) -> int:
    """The joint of a degree of freedom."""
    return int(m.dof_jntid[dof])


def qpos_joint(m: Any, i: int) -> int:
    """The joint of a number of qpos."""
    return int(np.searchsorted(np.asarray(m.jnt_qposadr), i, "right")) - 1


def joint_title(m: Any, joint: int) -> str:
    """`joint knee`, or by its body where it has no name: `joint 3 of body shin`."""
    own = mj.mj_id2name(m, mj.mjtObj.mjOBJ_JOINT, joint)
    return f"joint {own}" if own else f"joint {joint} of body {name(m, 'body', int(m.jnt_bodyid[joint]))}"


def dof_name(m: Any, dof: int) -> str:
    """What a degree of freedom moves: `joint knee`, `joint root (turn x)`."""
    joint = dof_joint(m, dof)
    return with_part(joint_title(m, joint), DOF_PARTS[int(m.jnt_type[joint])][dof - int(m.jnt_dofadr[joint])])


def qpos_name(m: Any, i: int) -> str:
    """What a number of qpos is the position of."""
    joint = qpos_joint(m, i)
    return with_part(joint_title(m, joint), QPOS_PARTS[int(m.jnt_type[joint])][i - int(m.jnt_qposadr[joint])])


def with_part(title: str, part: str) -> str:
    return f"{title} ({part})" if part else title
