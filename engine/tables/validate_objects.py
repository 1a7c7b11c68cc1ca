"""Checks of references to objects of several types: pairs, equalities, tendons, actuators, sensors, tuples and plugins."""

from typing import Any

import numpy as np

from . import actuator_rows, equality_rows, sensor_rows
from .consts import HISTORY_HEAD
from .enums import mjtCtrlChart, mjtCtrlInput, mjtJoint, mjtObj, mjtTrn, mjtWrap
from .named_access import BY_OBJECT, KINDS
from .validate_terms import Checks, InvalidModel, among, between, refuse

# a signature holds the ids of two bodies, the first one shifted left by this many bits
BODY_BITS = 16
# types of objects that are not in lists
NO_KIND = tuple(int(mjtObj[f"mjOBJ_{n}"]) for n in ("UNKNOWN", "FRAME", "DEFAULT"))
special = Checks()


def count_of(m: Any, kind: int) -> int:
    """Return how many objects of a type (mjtObj) there are."""
    if kind == mjtObj.mjOBJ_DOF:
        return m.nv
    return getattr(m, KINDS[BY_OBJECT[kind]][1]) if kind in BY_OBJECT else 0


def _objects(m: Any, name: str, kinds: Any, x: Any, none: bool = False) -> None:
    """Raise InvalidModel unless each id x[i] belongs to an existing object of type kinds[i]. -1 is allowed only if `none`.
    Where the type is "no object", any id is allowed."""
    limit = np.zeros(np.shape(x), np.int64)
    for kind in np.unique(kinds).tolist():
        limit[kinds == kind] = count_of(m, kind)
    refuse(name, ~among(kinds, NO_KIND) & ((x >= limit) | (x < (-1 if none else 0))), x, "but there is no such object")


def _pairs(m: Any, name: str) -> None:
    """Raise InvalidModel unless each signature holds the ids of two existing bodies."""
    x = m.array(name)
    refuse(
        name,
        (x & ((1 << BODY_BITS) - 1) >= m.nbody) | (x < 0) | ((x >> BODY_BITS) >= m.nbody),
        x,
        "which is not a pair of bodies",
    )


@special
def pair_signature(m: Any) -> None:
    _pairs(m, "pair_signature")


@special
def exclude_signature(m: Any) -> None:
    _pairs(m, "exclude_signature")


@special
def eq_obj1id(m: Any) -> None:
    kind = m.eq_type
    sites = m.eq_objtype == int(mjtObj.mjOBJ_SITE)
    # numbers without a row belong to removed types
    refuse("eq_type", ~among(kind, equality_rows.BY_NUMBER), kind, "which is not a type of constraint")
    for row in equality_rows.ROWS:
        some, anchors = kind == row.number, row.objects == equality_rows.ANCHORS
        first, second, types = (
            m.eq_obj1id[some],
            m.eq_obj2id[some],
            np.where(sites[some], int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_BODY)),
        )
        if anchors:
            refuse("eq_objtype", m.eq_objtype[some] != types, m.eq_objtype[some], "but it must connect bodies or sites")
        else:
            types[:] = int(mjtObj[f"mjOBJ_{row.objects.upper()}"])
        _objects(m, "eq_obj1id", types, first)
        _objects(m, "eq_obj2id", types, second, not anchors)
        if not anchors and "name2" not in row.attributes:
            refuse("eq_obj2id", second != -1, second, f"but a {row.name} has no second object")


@special
def wrap_objid(m: Any) -> None:
    """Check that paths have joints only, or sites with geoms and pulleys between them; geoms may have a side site."""
    kind, x = m.wrap_type, m.wrap_objid
    joint, site, pulley = (kind == int(mjtWrap[f"mjWRAP_{n}"]) for n in ("JOINT", "SITE", "PULLEY"))
    geom = (kind == int(mjtWrap.mjWRAP_SPHERE)) | (kind == int(mjtWrap.mjWRAP_CYLINDER))
    refuse("wrap_type", ~(joint | site | pulley | geom), kind, "which is not the type of an object on a path")
    limit = np.where(joint, m.njnt, np.where(site, m.nsite, np.where(geom, m.ngeom, 2**31)))
    refuse("wrap_objid", (x >= limit) | ~pulley & (x < 0), x, "but there is no such object")
    side = np.where(geom, m.wrap_prm, -1)
    refuse("wrap_prm", ~((side >= -1) & (side < m.nsite) & (side == np.floor(side))), side, "which is not the id of a site")
    refuse("tendon_num", m.tendon_num < 1, m.tendon_num, "but a path needs at least one object")

    # check each path
    for t, (first, count) in enumerate(zip(m.tendon_adr.tolist(), m.tendon_num.tolist(), strict=True)):
        rows = slice(first, first + count)
        if joint[rows].any() and not joint[rows].all():
            raise InvalidModel(f"wrap_type: tendon {t} mixes joints with other objects")
        inner = np.flatnonzero(geom[rows])
        if inner.size and (
            inner[0] == 0 or inner[-1] == count - 1 or not (site[rows][inner - 1] & site[rows][inner + 1]).all()
        ):
            raise InvalidModel(f"wrap_type: a geom of tendon {t} does not lie between sites")


@special
def tendon_treeid(m: Any) -> None:
    both = m.tendon_treenum == 2
    refuse("tendon_treeid", both[:, None] & (m.tendon_treeid < 0), m.tendon_treeid, "but two trees are needed")


@special
def actuator_trnid(m: Any) -> None:
    kind, first, second = m.actuator_trntype, m.actuator_trnid[:, 0], m.actuator_trnid[:, 1]
    objects = {
        mjtTrn.mjTRN_JOINT: mjtObj.mjOBJ_JOINT,
        mjtTrn.mjTRN_JOINTINPARENT: mjtObj.mjOBJ_JOINT,
        mjtTrn.mjTRN_TENDON: mjtObj.mjOBJ_TENDON,
        mjtTrn.mjTRN_SITE: mjtObj.mjOBJ_SITE,
        mjtTrn.mjTRN_SLIDERCRANK: mjtObj.mjOBJ_SITE,
        mjtTrn.mjTRN_BODY: mjtObj.mjOBJ_BODY,
    }
    refuse(
        "actuator_trntype",
        ~among(kind, (*map(int, objects), int(mjtTrn.mjTRN_SO3))),
        kind,
        "which is not a type of transmission",
    )
    for trn, obj in objects.items():
        _objects(m, "actuator_trnid", np.full((kind == int(trn)).sum(), int(obj)), first[kind == int(trn)])

    # check transmissions with a second object
    crank, site = (kind == int(mjtTrn[f"mjTRN_{n}"]) for n in ("SLIDERCRANK", "SITE"))
    between("actuator_trnid", second[crank], 0, m.nsite)
    between("actuator_trnid", second[site], -1, m.nsite)
    turn = kind == int(mjtTrn.mjTRN_SO3)
    between("actuator_trnid", second[turn], -1, m.nsite)
    between("actuator_trnid", first[turn & (second >= 0)], 0, m.nsite)
    balls = first[turn & (second < 0)]
    between("actuator_trnid", balls, 0, m.njnt)
    refuse("actuator_trnid", m.jnt_type[balls] != int(mjtJoint.mjJNT_BALL), balls, "which is not a ball joint")

    # check the activations
    needed = ~(actuator_rows.among(m, "dyn", "stateless") | actuator_rows.are(m, dyn="dcmotor")) & (m.actuator_plugin < 0)
    refuse(
        "actuator_actadr",
        (m.actuator_actnum == 0) & (m.actuator_actadr != -1),
        m.actuator_actadr,
        "but it must be -1 without an activation",
    )
    refuse("actuator_actnum", needed & (m.actuator_actnum < 1), m.actuator_actnum, "but these dynamics need an activation")


@special
def actuator_history(m: Any) -> None:
    """Check that histories fit into plugin_state, after the values that wait for the end of the step."""
    held = 0
    for name, samples, dims in (
        ("actuator", m.actuator_history[:, 0], m.actuator_ctrlnum),
        ("sensor", m.sensor_history[:, 0], m.sensor_dim),
    ):
        refuse(f"{name}_history", samples < 0, samples, "but the number of samples cannot be negative")
        held += int(((samples > 0) * (HISTORY_HEAD + samples.astype(np.int64) * (1 + dims))).sum())
    waiting = int(m.sensor_dim[m.sensor_history[:, 0] > 0].sum())
    if m.nhistory != held or m.npluginstate < held + waiting + m.nplastic:
        raise InvalidModel(
            f"nhistory is {m.nhistory} and npluginstate {m.npluginstate}, but histories hold {held} numbers and {waiting} wait"
        )


@special
def jnt_plasticnum(m: Any) -> None:
    """Check the size of plastic state: a coordinate or a quaternion for springs of joints, two lengths for tendons."""
    kinds = np.array((0, 4, 1, 1))[m.jnt_type]
    refuse(
        "jnt_plasticnum",
        (m.jnt_plasticnum != 0) & (m.jnt_plasticnum != kinds),
        m.jnt_plasticnum,
        "which does not match the type of the joint",
    )
    held = int(m.jnt_plasticnum.sum()) + int(m.tendon_plasticnum.sum())
    if m.nplastic != held:
        raise InvalidModel(f"nplastic is {m.nplastic}, which should be {held}")


# bits of a pid servo's inputs
SETPOINTS = int(mjtCtrlInput.mjINPUT_POS | mjtCtrlInput.mjINPUT_VEL | mjtCtrlInput.mjINPUT_FF)


@special
def actuator_ctrlnum(m: Any) -> None:
    """Check that an actuator has as many controls, forces and activations as its type requires (see actuator_rows)."""
    for what, name in actuator_rows.TYPE.items():
        kinds = actuator_rows.kinds_in(m, what)
        refuse(f"actuator_{name}", actuator_rows.unknown(m, what), kinds, f"which is not a known {what} type")

    spec = m.actuator_ctrlspec
    turns, pid, motor = (actuator_rows.among(m, "gain", trait) for trait in ("turn", "setpoints", "electric"))
    refuse(
        f"actuator_{actuator_rows.TYPE['gain']}",
        turns != (m.actuator_trntype == int(mjtTrn.mjTRN_SO3)),
        actuator_rows.kinds_in(m, "gain"),
        "which does not match the transmission",
    )
    refuse(
        "actuator_outnum",
        m.actuator_outnum != np.where(turns, 3, 1),
        m.actuator_outnum,
        "which is not the number of forces of its transmission",
    )

    # ranges of controls and activations
    inputs = sum((spec >> k & 1) for k in range(4))
    wanted = np.where(turns, np.where(spec == int(mjtCtrlChart.mjCHART_QUAT), 4, 3), np.where(pid | motor, inputs, 1))
    refuse(
        "actuator_ctrlnum", m.actuator_ctrlnum != wanted, m.actuator_ctrlnum, "which is not the number of controls of its type"
    )
    refuse(
        "actuator_ctrlspec",
        turns & ~among(spec, map(int, mjtCtrlChart)) | pid & (spec & ~SETPOINTS).astype(bool),
        spec,
        "which its type does not allow",
    )
    states = np.where(actuator_rows.among(m, "dyn", "each"), wanted, 0)
    refuse(
        "actuator_actnum",
        m.actuator_actnum < states,
        m.actuator_actnum,
        "but an integrator needs one activation for each control",
    )
    refuse(
        "actuator_dyntype",
        turns & ~actuator_rows.among(m, "dyn", "stateless", "each") | (motor != actuator_rows.are(m, dyn="dcmotor")),
        m.actuator_dyntype,
        "which does not match the gain",
    )


# object types of sensors whose rows name one type
SENSED = {
    "site": mjtObj.mjOBJ_SITE,
    "joint": mjtObj.mjOBJ_JOINT,
    "tendon": mjtObj.mjOBJ_TENDON,
    "actuator": mjtObj.mjOBJ_ACTUATOR,
    "body": mjtObj.mjOBJ_BODY,
    "camera": mjtObj.mjOBJ_CAMERA,
    "mesh": mjtObj.mjOBJ_MESH,
    "geom": mjtObj.mjOBJ_GEOM,
}
FRAMES = tuple(int(mjtObj[f"mjOBJ_{n}"]) for n in ("BODY", "XBODY", "GEOM", "SITE", "CAMERA"))


@special
def sensor_type(m: Any) -> None:
    """Check that sensors have known types, and the sizes and objects that the table requires."""
    refuse("sensor_type", ~among(m.sensor_type, sensor_rows.BY_NUMBER), m.sensor_type, "which is not a type of sensor")
    for number in np.unique(m.sensor_type).tolist():
        row, some = sensor_rows.BY_NUMBER[number], m.sensor_type == number
        if row.dim:
            forces = (
                m.actuator_outnum[np.clip(m.sensor_objid[some], 0, m.nactuator - 1)]
                if row.object == "actuator" and m.nactuator
                else row.dim
            )
            refuse(
                "sensor_dim",
                m.sensor_dim[some] != forces,
                m.sensor_dim[some],
                f"but a {row.name} has {row.dim} values, or one for each force of its actuator",
            )

        # check objects and references
        for side, kind, what in (("obj", row.object, "sensor_objtype"), ("ref", row.reference, "sensor_reftype")):
            types, ids = m.array(what)[some], m.array(f"sensor_{side}id")[some]
            optional = side == "ref" or not kind or kind == "?any"
            if kind in SENSED and not optional:
                refuse(what, types != int(SENSED[kind]), types, f"but a {row.name} measures a {kind}")
            elif kind in SENSED:
                refuse(what, (types != int(SENSED[kind])) & (ids >= 0), types, f"but the reference of a {row.name} is a {kind}")
            elif kind == "frame" and not optional:
                refuse(what, ~among(types, FRAMES), types, f"but a {row.name} measures a frame")
            elif kind == "frame":
                refuse(what, ~among(types, FRAMES) & (ids >= 0), types, f"but the reference of a {row.name} is a frame")
            elif kind == "site|camera":
                refuse(
                    what,
                    ~among(types, (int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_CAMERA))),
                    types,
                    f"but a {row.name} belongs to a site or camera",
                )
            elif kind == "body|geom":
                refuse(
                    what,
                    ~among(types, (int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_GEOM))),
                    types,
                    f"but a {row.name} measures bodies and geoms",
                )
            _objects(m, f"sensor_{side}id", types, ids)


@special
def tuple_objid(m: Any) -> None:
    _objects(m, "tuple_objid", m.tuple_objtype, m.tuple_objid)


@special
def plugin(m: Any) -> None:
    """Check that instances belong to plugins. Whether these plugins exist is checked when a Data is made."""
    refuse("plugin", m.plugin < 0, m.plugin, "which is not the id of a plugin")
