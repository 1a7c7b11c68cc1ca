"""Decor for the mechanism: tendons, slider-cranks, inertias, joints, actuators, centers of mass, skeleton."""

from typing import Any

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import (
    mjtConstraint,
    mjtDisableBit,
    mjtGeom,
    mjtJoint,
    mjtLabel,
    mjtObj,
    mjtTrn,
    mjtVisFlag,
    mjtWrap,
)
from .bodies import V_ISLAND, glow, island_color, material
from .catenary import catenary
from .emit import DYNAMIC, Build, connector, spread_size
from .label_texts import labels_of

V = {k[6:]: int(v) for k, v in mjtVisFlag.__members__.items() if k.startswith("mjVIS_")}
L = {k[8:]: int(v) for k, v in mjtLabel.__members__.items() if k.startswith("mjLABEL_")}
G = {k[7:]: int(v) for k, v in mjtGeom.__members__.items() if k.startswith("mjGEOM_")}
O = {k[6:]: int(v) for k, v in mjtObj.__members__.items() if k.startswith("mjOBJ_")}
TRN = {k[6:]: int(v) for k, v in mjtTrn.__members__.items() if k.startswith("mjTRN_")}
FREE, BALL, SLIDE, HINGE = (int(mjtJoint["mjJNT_" + k]) for k in ("FREE", "BALL", "SLIDE", "HINGE"))
LIMIT_JOINT, LIMIT_TENDON = int(mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)
GREY = np.array([0.5, 0.5, 0.5, 1], np.float32)
MINVAL = 1e-15
MAXCATENARY = 100
# Wrap type of a pulley, which interrupts a tendon's path.
PULLEY = -2
INFLATE = 1.05
# Geom types that cannot be drawn inflated to show a body's actuator.
NOT_PRIMITIVE = [G[k] for k in ("PLANE", "HFIELD", "MESH", "SDF")]
assert mjtWrap.mjWRAP_PULLEY is not None


def limit_impedance(c: Build, kind: int, n: int) -> np.ndarray:
    """Return the impedance of the limit constraints of n joints or tendons; 0 for limits that are not active."""
    d, out = c.d, np.zeros(n)
    a, b = int(d.ne + d.nf), int(d.ne + d.nf + d.nl)
    if b > a:
        hit = np.flatnonzero(np.asarray(d.efc_type)[a:b] == kind) + a
        out[np.asarray(d.efc_id)[hit]] = np.asarray(d.efc_KBIP).reshape(-1, 4)[hit, 2]
    return out


def toward(rgb: np.ndarray, c: Build, imp: np.ndarray) -> np.ndarray:
    """Blend colors (n, 3) toward the constraint color. `imp` (n,): the weights."""
    return (1 - imp)[:, None] * rgb + imp[:, None] * np.asarray(c.m.vis.rgba.constraint)[:3]


def hangs(c: Build, i: int, group_trn: set[int]) -> float | None:
    """Return the length of tendon i if it hangs like a string, else None.

    A string connects two sites, has no actuator, and has its length limited by either a spring or a range.
    """
    m, d = c.m, c.d
    stiff, spring, rng = float(m.tendon_stiffness[i]), m.tendon_lengthspring[i], m.tendon_range[i]
    by_spring = stiff > 0 and spring[0] == 0 and spring[1] > 0
    by_range = stiff == 0 and int(m.tendon_limited[i]) == 1 and rng[0] == 0 and d.ten_length[i] < rng[1]
    if m.opt.disableflags & NO_GRAVITY or np.linalg.norm(m.opt.gravity) <= MINVAL:
        return None
    if int(m.tendon_num[i]) != 2 or by_spring == by_range or m.tendon_damping[i] != 0 or m.tendon_frictionloss[i] != 0:
        return None
    if i in group_trn:
        return None
    return float(rng[1]) if by_range else float(spring[1])


def path_segments(c: Build, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the straight segments of tendon paths: (tendon, index of the segment's first point, whether the segment is inside
    a wrapping object)."""
    d = c.d
    adr, num, obj = np.asarray(d.ten_wrapadr), np.asarray(d.ten_wrapnum), np.asarray(d.wrap_obj).ravel()
    # Clip and check the indices: users can write any numbers into Data.
    n = np.clip(num[ids].astype(np.int64) - 1, 0, len(obj))
    owner = np.repeat(ids, n)
    first = np.repeat(adr[ids] - np.cumsum(n) + n, n) + np.arange(n.sum())
    known = (first >= 0) & (first + 1 < len(obj))
    owner, first = owner[known], first[known]
    if not len(first):
        return owner, first, np.zeros(0, bool)
    keep = (obj[first] != PULLEY) & (obj[first + 1] != PULLEY)
    owner, first = owner[keep], first[keep]
    return owner, first, (obj[first] >= 0) & (obj[first + 1] >= 0)


def tendons(c: Build) -> None:
    """Add spatial tendons: capsules along the path, or a hanging curve for slack strings."""
    m = c.m
    if not c.catmask & DYNAMIC or not c.flags[V["TENDON"]] or not m.ntendon:
        return
    ids = np.flatnonzero(c.group_on(c.opt.tendongroup, m.tendon_group))
    driven = (
        np.asarray(m.actuator_trnid).reshape(-1, 2)[np.asarray(m.actuator_trntype) == TRN["TENDON"], 0]
        if len(m.actuator_trntype)
        else []
    )
    loose = {int(i): s for i in ids if (s := hangs(c, int(i), set(np.asarray(driven).tolist()))) is not None}
    if not loose:
        straight_tendons(c, ids)
        return

    # Keep the order of tendons: between two hanging tendons, draw the run of straight ones.
    run = []
    for i in ids.tolist():
        if i in loose:
            straight_tendons(c, np.array(run, int))
            run = []
            hanging_tendon(c, i, loose[i])
        else:
            run.append(i)
    straight_tendons(c, np.array(run, int))


def straight_tendons(c: Build, ids: np.ndarray) -> None:
    """Add capsules along the paths of tendons. At its limit, a tendon with the default gray gets the constraint color."""
    m, d = c.m, c.d
    if not len(ids):
        return
    owner, first, inside = path_segments(c, ids)
    if not len(first):
        return
    width = np.asarray(m.tendon_width)[owner] * np.where(inside, 0.5, 1)
    xpos = np.asarray(d.wrap_xpos).reshape(-1, 3)
    span = connector(G["CAPSULE"], width, xpos[first], xpos[first + 1])

    # Color tendons by limit, or by island.
    rgba, matid = np.array(np.asarray(m.tendon_rgba)[owner], float), np.asarray(m.tendon_matid)[owner]
    grey = (matid == -1) & (rgba == GREY).all(1)
    imp = limit_impedance(c, LIMIT_TENDON, m.ntendon)[owner] * grey
    rgba[:, :3] = toward(rgba[:, :3], c, imp)
    out = material(c, matid, rgba, slice(None))
    if c.flags[V_ISLAND]:
        out["matid"] = np.full(len(owner), -1)
        out["rgba"] = tendon_island(c)[owner]

    # Only the first segment of a tendon has a label.
    labels = None
    if c.label == L["TENDON"]:
        start = np.flatnonzero(first == np.asarray(d.ten_wrapadr)[owner])
        text = labels_of(m, O["TENDON"], owner[start])
        labels = {int(r): text[k] for k, r in enumerate(start)}
    c.emit(len(owner), labels, type=G["CAPSULE"], objtype=O["TENDON"], objid=owner, category=DYNAMIC, **span, **out)


def tendon_island(c: Build) -> np.ndarray:
    """Return the color of each tendon's island."""
    d, n = c.d, c.m.ntendon
    h = np.full(n, -1)
    if d.nisland:
        adr = np.asarray(d.tendon_efcadr)[:n]
        isl = np.asarray(d.efc_island)[np.maximum(adr, 0)]
        h = np.where(adr >= 0, np.asarray(d.island_dofadr)[np.maximum(isl, 0)], -1)
    return np.array([island_color(int(k)) for k in h], np.float32)


def hanging_tendon(c: Build, i: int, length: float) -> None:
    """Add capsules along the curve of a string between its two sites."""
    m, d = c.m, c.d
    a = int(d.ten_wrapadr[i])
    ends = np.asarray(d.wrap_xpos).reshape(-1, 3)[a : a + 2]
    p = catenary(ends[0], ends[1], np.asarray(m.opt.gravity), length, min(int(m.vis.quality.numslices) + 1, MAXCATENARY))
    n = len(p) - 1
    span = connector(G["CAPSULE"], float(m.tendon_width[i]), p[:-1], p[1:])
    one = np.full(n, i)
    out = material(c, np.asarray(m.tendon_matid)[one], np.asarray(m.tendon_rgba)[one], slice(None))
    labels = labels_of(m, O["TENDON"], one) if c.label == L["TENDON"] else None
    c.emit(n, labels, type=G["CAPSULE"], objtype=O["TENDON"], objid=i, category=DYNAMIC, **span, **out)


def slidercranks(c: Build) -> None:
    """Add the slider and the rod of every slider-crank actuator. The rod changes color if it cannot reach the slider."""
    m, d = c.m, c.d
    if not c.catmask & DYNAMIC or not len(m.actuator_trntype):
        return
    ids = np.flatnonzero(np.asarray(m.actuator_trntype) == TRN["SLIDERCRANK"])
    if not len(ids):
        return

    # The slider ends where the rod, with its given length, would meet the slider's axis.
    crank, slider = np.asarray(m.actuator_trnid).reshape(-1, 2)[ids].T
    site, rod = np.asarray(d.site_xpos), np.asarray(m.actuator_cranklength)[ids]
    axis = np.asarray(d.site_xmat).reshape(-1, 3, 3)[slider][:, :, 2]
    vec = site[crank] - site[slider]
    along = np.einsum("ij,ij->i", vec, axis)
    det = along * along + rod * rod - np.einsum("ij,ij->i", vec, vec)
    end = site[slider] + axis * (along - np.sqrt(np.maximum(det, 0)))[:, None]

    # Geoms of slider and rod alternate.
    n, w, rgba = len(ids), c.scl * m.vis.scale.slidercrank, m.vis.rgba
    types = np.tile([G["CYLINDER"], G["CAPSULE"]], n)
    start = np.stack([site[slider], end], 1).reshape(-1, 3)
    stop = np.stack([end, site[crank]], 1).reshape(-1, 3)
    span = connector(types, w * np.tile([1, 0.5], n), start, stop)
    color = np.repeat(np.asarray(rgba.slidercrank)[None], 2 * n, 0)
    color[1::2][det < 0] = rgba.crankbroken
    text = labels_of(m, O["ACTUATOR"], ids) if c.label == L["ACTUATOR"] else {}
    c.emit(
        2 * n,
        {2 * k: t for k, t in text.items()},
        type=types,
        objtype=O["ACTUATOR"],
        objid=np.repeat(ids, 2),
        category=DYNAMIC,
        rgba=color,
        **span,
    )


def inertia(c: Build) -> None:
    """For each body with mass, add a box or ellipsoid that has the same inertia."""
    m, d = c.m, c.d
    if not c.flags[V["INERTIA"]]:
        return
    mass = np.asarray(m.body_mass)
    keep = (mass > MINVAL) & ((c.bodycat() & c.catmask) != 0)
    keep[0] = False
    ids = np.flatnonzero(keep)

    # Compute sizes of shapes with this inertia; scale them to the density of water if requested.
    round_ = int(m.vis.global_.ellipsoidinertia) == 1
    moment, mass = np.asarray(m.body_inertia)[ids], mass[ids]
    size = np.sqrt((moment.sum(1, keepdims=True) - 2 * moment) / (2 * mass[:, None])) * np.sqrt(5 if round_ else 3)
    if c.flags[V["SCLINERTIA"]]:
        volume = size.prod(1) * (4 / 3 * np.pi if round_ else 8)
        size = size * np.cbrt(mass / np.maximum(volume, MINVAL) * 0.001)[:, None]

    # Make labels for all bodies, or for the selected one.
    out = {}
    glow(c, out, ids)
    labels = labels_of(m, O["BODY"], ids) if c.label in (L["BODY"], L["SELECTION"]) else None
    if labels and c.label == L["SELECTION"]:
        labels = {r: t for r, t in labels.items() if ids[r] == c.pert.select}
    c.decor(
        len(ids),
        ids,
        G["ELLIPSOID" if round_ else "BOX"],
        labels,
        O["BODY"],
        size=size,
        pos=np.asarray(d.xipos)[ids],
        mat=np.asarray(d.ximat)[ids],
        rgba=np.asarray(m.vis.rgba.inertia),
        **out,
    )


def joint_shapes(c: Build, jnt: np.ndarray, length: float, width: float, ball: float) -> dict[str, Any]:
    """Return type, size, pos, mat of a marker for each joint: an arrow for hinge and slide, otherwise a ball or box."""
    m, d = c.m, c.d
    kind, anchor = np.asarray(m.jnt_type)[jnt], np.asarray(d.xanchor)[jnt]
    axial = (kind == SLIDE) | (kind == HINGE)
    types = np.select([kind == FREE, kind == BALL, kind == SLIDE], [G["BOX"], G["SPHERE"], G["ARROW"]], G["ARROW1"])
    span = connector(G["ARROW"], width, anchor, anchor + length * np.asarray(d.xaxis)[jnt])
    size = np.where(axial[:, None], span["size"], ball)
    mat = np.where(axial[:, None], span["mat"], np.asarray(d.xmat)[np.asarray(m.jnt_bodyid)[jnt]])
    return dict(type=types, size=size, pos=anchor, mat=mat)


def joints(c: Build) -> None:
    """Add a marker for each joint in visible groups. At the joint's limit, the marker's color is blended toward the constraint
    color."""
    m = c.m
    if not c.flags[V["JOINT"]] or not m.njnt:
        return
    ids = np.flatnonzero(c.group_on(c.opt.jointgroup, m.jnt_group))
    s = m.vis.scale
    length, width = s.jointlength * c.scl, s.jointwidth * c.scl
    imp = limit_impedance(c, LIMIT_JOINT, m.njnt)[ids]
    rgba = np.ones((len(ids), 4))
    rgba[:, :3] = toward(np.asarray(m.vis.rgba.joint)[None, :3], c, imp)
    c.decor(
        len(ids),
        ids,
        labels=labels_of(m, O["JOINT"], ids) if c.label == L["JOINT"] else None,
        objtype=O["JOINT"],
        rgba=rgba,
        **joint_shapes(c, ids, length, width, 0.3 * length),
    )


def first_controls(m: MjModel, ids: np.ndarray) -> np.ndarray:
    """Return the first control of each actuator, or nu if it has none. In models of the original `mujoco` package, each
    actuator has one control."""
    count = getattr(m, "actuator_ctrlnum", None)
    return ids if count is None else np.where(np.asarray(count)[ids] > 0, np.asarray(m.actuator_ctrladr)[ids], m.nu)


def drive_colors(c: Build, ids: np.ndarray) -> np.ndarray:
    """Return the colors of actuators, which show their control or activation: blended between negative, neutral and positive
    color."""
    m, d = c.m, c.d
    use_act = bool(c.flags[V["ACTIVATION"]])

    # Color an actuator by its first control. An actuator without controls gets the appended 0.
    first = first_controls(m, ids)
    ctrl, act_lim = np.append(m.actuator_ctrllimited, 0)[first] != 0, (np.asarray(m.actuator_actlimited)[ids] != 0) & use_act
    rng = np.where(act_lim[:, None], np.asarray(m.actuator_actrange)[ids], [-1.0, 1])

    # Find the range of the value, and its neutral point: 0, or the end of the range closest to 0.
    lo, hi = np.where(ctrl[:, None], np.vstack((m.actuator_ctrlrange, np.zeros((1, 2))))[first], rng).T
    low, mid, high = (
        np.select([lo >= 0, hi <= 0], pick, last)
        for pick, last in (([np.full_like(lo, -1), lo], lo), ([lo, hi], np.zeros_like(lo)), ([hi, np.ones_like(lo)], hi))
    )
    low = np.where(mid - low < MINVAL, mid - MINVAL, low)
    high = np.where(high - mid < MINVAL, mid + MINVAL, high)

    # The value is the control, or the last activation.
    value = np.append(d.ctrl, 0.0)[first]
    if use_act and m.na:
        dyn = np.asarray(m.actuator_dyntype)[ids] != 0
        last = np.asarray(m.actuator_actadr)[ids] + np.asarray(m.actuator_actnum)[ids] - 1
        value = np.where(dyn, np.asarray(d.act)[np.where(dyn, last, 0)], value)

    # Blend between the three colors.
    value = np.clip(value, low, high)
    neg = np.where(value <= mid, (mid - value) / np.maximum(MINVAL, mid - low), 0)
    pos = np.where(value <= mid, 0, (value - mid) / np.maximum(MINVAL, high - mid))
    c3 = m.vis.rgba
    return (
        neg[:, None] * np.asarray(c3.actuatornegative)
        + (1 - neg - pos)[:, None] * np.asarray(c3.actuator)
        + pos[:, None] * np.asarray(c3.actuatorpositive)
    )


def actuators(c: Build) -> None:
    """Add actuators in visible, enabled groups: markers on joints and sites, inflated bodies, thick tendons."""
    m = c.m
    if not c.flags[V["ACTUATOR"]] or not len(m.actuator_trntype):
        return
    group = np.asarray(m.actuator_group)
    off = ((int(m.opt.disableactuator) >> np.clip(group, 0, 30)) & 1).astype(bool) & (group >= 0) & (group <= 30)
    ids = np.flatnonzero(c.group_on(c.opt.actuatorgroup, group) & ~off)

    # Sort actuators by transmission type.
    color = np.zeros((len(m.actuator_trntype), 4))
    color[ids] = drive_colors(c, ids)
    trn = np.asarray(m.actuator_trntype)[ids]
    turns, relative = trn == TRN["SO3"], np.asarray(m.actuator_trnid).reshape(-1, 2)[ids, 1] >= 0
    on_joint = np.isin(trn, [TRN["JOINT"], TRN["JOINTINPARENT"]]) | turns & ~relative
    blocks = [
        joint_actuators(c, ids[on_joint], color),
        site_actuators(c, ids[(trn == TRN["SITE"]) | turns & relative], color),
        body_actuators(c, ids[trn == TRN["BODY"]], color),
        tendon_actuators(c, ids[trn == TRN["TENDON"]], color),
    ]
    c.weave([b for b in blocks if b is not None])


def actuator_block(
    c: Build, ids: np.ndarray, color: np.ndarray, labels: dict[int, str] | None = None, **fields: Any
) -> tuple[np.ndarray, dict, dict]:
    """Return a block of actuator geoms for `weave`; by default, each geom has a label."""
    if labels is None:
        labels = labels_of(c.m, O["ACTUATOR"], ids) if c.label == L["ACTUATOR"] else {}
    return (
        ids,
        dict(n=len(ids), objid=ids, objtype=O["ACTUATOR"], category=4, rgba=fields.pop("rgba", color[ids]), **fields),
        labels,
    )


def joint_actuators(c: Build, ids: np.ndarray, color: np.ndarray) -> tuple[np.ndarray, dict, dict]:
    """Return actuator markers on joints."""
    s = c.m.vis.scale
    jnt = np.asarray(c.m.actuator_trnid).reshape(-1, 2)[ids, 0]
    return actuator_block(
        c, ids, color, **joint_shapes(c, jnt, s.actuatorlength * c.scl, s.actuatorwidth * c.scl, s.jointlength * c.scl * 0.33)
    )


def site_actuators(c: Build, ids: np.ndarray, color: np.ndarray) -> tuple[np.ndarray, dict, dict]:
    """Return slightly inflated sites of actuators."""
    m, d = c.m, c.d
    site = np.asarray(m.actuator_trnid).reshape(-1, 2)[ids, 0]
    types = np.asarray(m.site_type)[site]
    return actuator_block(
        c,
        ids,
        color,
        type=types,
        size=spread_size(types, INFLATE * np.asarray(m.site_size)[site]),
        pos=np.asarray(d.site_xpos)[site],
        mat=np.asarray(d.site_xmat)[site],
    )


def body_actuators(c: Build, ids: np.ndarray, color: np.ndarray) -> tuple[np.ndarray, dict, dict]:
    """Return slightly inflated primitive geoms of actuated bodies."""
    m, d = c.m, c.d
    body = np.asarray(m.actuator_trnid).reshape(-1, 2)[ids, 0]
    num, adr = np.asarray(m.body_geomnum)[body], np.asarray(m.body_geomadr)[body]
    owner = np.repeat(ids, num)
    geom = np.repeat(adr - np.cumsum(num) + num, num) + np.arange(num.sum())
    keep = ~np.isin(np.asarray(m.geom_type)[geom], NOT_PRIMITIVE)
    owner, geom = owner[keep], geom[keep]
    types = np.asarray(m.geom_type)[geom]
    return actuator_block(
        c,
        owner,
        color,
        {},
        type=types,
        size=spread_size(types, INFLATE * np.asarray(m.geom_size)[geom]),
        pos=np.asarray(d.geom_xpos)[geom],
        mat=np.asarray(d.geom_xmat)[geom],
    )


def tendon_actuators(c: Build, ids: np.ndarray, color: np.ndarray) -> tuple[np.ndarray, dict, dict] | None:
    """Return thickened paths of actuated spatial tendons."""
    m, d = c.m, c.d
    ten = np.asarray(m.actuator_trnid).reshape(-1, 2)[ids, 0]
    if not len(ten):
        return None
    slot, first, inside = path_segments(c, ten)

    # Several actuators can pull the same tendon, so count the segments of each actuator.
    n = np.array([int((path_segments(c, np.array([t]))[0] == t).sum()) for t in ten])
    owner = np.repeat(ids, n)
    width = np.asarray(m.tendon_width)[slot] * np.where(inside, 0.5, 1) * m.vis.map.actuatortendon
    xpos = np.asarray(d.wrap_xpos).reshape(-1, 3)
    out = material(c, np.asarray(m.tendon_matid)[slot], np.asarray(m.tendon_rgba)[slot], np.zeros(len(slot), bool))
    out["rgba"] = color[owner]

    # Only the first segment has a label.
    labels = {}
    if c.label == L["ACTUATOR"]:
        start = np.flatnonzero(first == np.asarray(d.ten_wrapadr)[slot])
        text = labels_of(m, O["ACTUATOR"], owner[start])
        labels = {int(r): text[k] for k, r in enumerate(start)}
    return actuator_block(
        c,
        owner,
        color,
        labels,
        type=np.full(len(slot), G["CAPSULE"]),
        **connector(G["CAPSULE"], width, xpos[first], xpos[first + 1]),
        **out,
    )


def com(c: Build) -> None:
    """Add the center of mass of each kinematic tree."""
    m = c.m
    if not c.flags[V["COM"]]:
        return
    ids = np.flatnonzero(np.asarray(m.body_rootid) == np.arange(m.nbody))
    ids = ids[ids > 0]
    c.decor(
        len(ids),
        ids,
        G["SPHERE"],
        size=c.scl * m.vis.scale.com,
        pos=np.asarray(c.d.subtree_com)[ids],
        rgba=np.asarray(m.vis.rgba.com),
    )


def autoconnect(c: Build) -> None:
    """Add the skeleton: for each body, lines from its center through its joints, in reverse order, to the parent's center."""
    m, d = c.m, c.d
    if not c.flags[V["AUTOCONNECT"]]:
        return
    ids = np.flatnonzero(np.asarray(m.body_parentid) != 0)

    # Each body has one more segment than it has joints.
    num, adr = np.asarray(m.body_jntnum)[ids], np.asarray(m.body_jntadr)[ids]
    owner = np.repeat(ids, num + 1)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(num + 1) - num - 1, num + 1)
    last = np.repeat(adr + num - 1, num + 1)
    count, xipos, anchor = np.repeat(num, num + 1), np.asarray(d.xipos), np.asarray(d.xanchor)
    if not len(owner):
        return

    def joint(k: np.ndarray) -> np.ndarray:
        return anchor[np.clip(last - k, 0, max(m.njnt - 1, 0))] if m.njnt else np.zeros((len(owner), 3))

    start = np.where((step == 0)[:, None], xipos[owner], joint(step - 1))
    stop = np.where((step == count)[:, None], xipos[np.asarray(m.body_parentid)[owner]], joint(step))
    c.decor(
        len(owner),
        owner,
        G["CAPSULE"],
        rgba=np.asarray(m.vis.rgba.connect),
        **connector(G["CAPSULE"], c.scl * m.vis.scale.connect, start, stop),
    )
