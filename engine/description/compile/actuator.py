"""Actuators: transmission ids, inherited ranges, limits, activation dimensions.

adds   actuator: is_actlimited is_ctrllimited is_forcelimited trnid
reads  actuator: outnum
"""

import numpy as np

from ...tables.actuator_rows import PARAMETERS, TYPE, among, has_trait, is_kind, of, unknown
from ..elements.element import Element
from ..elements.elements import compile_error
from ..language.arrays import true_rows
from ..language.shortcut_rows import ROWS
from ..language.types import (
    AUTO,
    SLIDE,
    TRANSMISSION_OBJECTS,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)
from .frames import fail, is_limited
from .resolve import Compilation
from .servos import servos
from .table import Table

# transmissions that can carry an actuator's armature and damping
DRIVING = (TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON)
# names of the actuator shortcuts that have the attribute inheritrange
INHERIT = " and ".join(row.name for row in ROWS if "inheritrange" in row.arguments)


def actuators(c: Compilation) -> None:
    """Set transmission ids, inherited ranges, limits and activation dimensions."""
    a = c.actuator
    a.trnid = np.full((a.n, 2), -1)
    kinds, inheriting = a.trntype.tolist(), a.inheritrange > 0

    # types of the actuators, and transmissions
    for i, e in enumerate(a.elems):
        if not a.target[i]:
            raise compile_error(e, "the transmission target is missing")
        _transmission(c, a, i, e, kinds[i])
        if kinds[i] not in DRIVING:
            _check_drive(e)
    _check_kinds(a)
    servos(c, a)
    for i in true_rows(inheriting).tolist():
        _inherit(c, a, i, a.elems[i])

    # limits
    automatic = c.settings(a, "autolimits")[0].all()
    for name, label in (("forcelimited", "force"), ("ctrllimited", "ctrl"), ("actlimited", "act")):
        flag, span = getattr(a, name), getattr(a, label + "range")
        on = is_limited(flag, span)
        setattr(a, "is_" + name, on)
        for i in () if automatic else true_rows((flag == AUTO) & span.any(1)):
            if not c.compiler_of(a.elems[i])["autolimits"]:
                raise compile_error(a.elems[i], f"{label}range is given but not {name}; set autolimits or {name}")
        fail(a, on & (span[:, 0] >= span[:, 1]), f"{label}range[0] must be smaller than {label}range[1]")

    # only actuators with a state, with activation limits, or with muscle parameters need these checks
    stateless, muscles = among(a, "dyn", "stateless"), [(among(a, what, "muscle"), what) for what in ("gain", "bias")]
    plain = (a.actdim < 0) & stateless & ~a.is_actlimited & ~muscles[0][0] & ~muscles[1][0]
    for i in true_rows(~plain).tolist():
        e = a.elems[i]
        _activation(a, i, e)
        for muscle, what in muscles:
            if muscle[i]:
                _check_muscle(getattr(a, PARAMETERS[what])[i], e)
    a.actdim = np.where(a.actdim < 0, ~stateless, a.actdim)


def _check_kinds(a: Table) -> None:
    """Raise an error for a type of gain, bias or dynamics that has no row in the table."""
    for what, name in TYPE.items():
        for i in true_rows(unknown(a, what)).tolist():
            known = ", ".join(f"{row.name} ({row.number})" for row in of(what))
            raise compile_error(a.elems[i], f"{name} {int(getattr(a, name)[i])} is not one of {known}")


def _check_drive(e: Element) -> None:
    """Raise an error for armature or damping of an actuator that drives neither a joint nor a tendon."""
    for name in ("armature", "damping", "dampingpoly"):
        if np.any(e.raw[name]):
            raise compile_error(e, f"{name} requires joint or tendon transmission")


def _transmission(c: Compilation, a: Table, i: int, e: Element, kind: int) -> None:
    target = TRANSMISSION_OBJECTS.get(kind)
    if target is None:
        raise compile_error(e, "an actuator needs a transmission target")
    if kind == TRN_SLIDERCRANK:
        if not a.slidersite[i]:
            raise compile_error(e, "a slider-crank needs a slidersite")
        a.trnid[i, 1] = c.need("site", a.slidersite[i], e, "slidersite")
        if a.cranklength[i] <= 0:
            raise compile_error(e, "cranklength must be positive")
    if kind == TRN_SITE and a.refsite[i]:
        a.trnid[i, 1] = c.need("site", a.refsite[i], e, "refsite")
    a.trnid[i, 0] = c.need(target, a.target[i], e, target)


def _inherit(c: Compilation, a: Table, i: int, e: Element) -> None:
    """Set the control range of a position servo from the range of its joint or tendon."""
    share, raw = a.inheritrange[i], {name: getattr(a, name)[i] for name in TYPE.values()}
    follows = is_kind(raw, gain="pid") or is_kind(raw, gain="fixed") and a.gainprm[i, 0] == -a.biasprm[i, 1]
    if not (follows and is_kind(raw, bias="affine") and share > 0):
        return
    if not any(is_kind(raw, dyn=name) for name in ("none", "integrator", "filterexact", "pid")):
        raise compile_error(e, f"inheritrange is for {INHERIT} actuators")
    if a.trntype[i] == TRN_JOINT:
        if c.joint.type[a.trnid[i, 0]] < SLIDE:
            raise compile_error(e, "inheritrange needs a hinge or slide joint")
        span = c.joint.range[a.trnid[i, 0]]
    elif a.trntype[i] == TRN_TENDON:
        span = c.tendon.range[a.trnid[i, 0]]
    else:
        raise compile_error(e, "inheritrange needs a joint or tendon")
    if span[0] == span[1]:
        raise compile_error(e, f"inheritrange is given but '{a.target[i]}' has no range")
    middle, radius = 0.5 * (span[1] + span[0]), 0.5 * (span[1] - span[0]) * share
    (a.actrange if is_kind(raw, dyn="integrator") else a.ctrlrange)[i] = middle - radius, middle + radius


def _activation(a: Table, i: int, e: Element) -> None:
    dim, raw = int(a.actdim[i]), {name: getattr(a, name)[i] for name in TYPE.values()}
    stateless = has_trait(raw, "dyn", "stateless")
    if a.is_actlimited[i] and stateless:
        raise compile_error(e, "actrange is given but dyntype is none")
    if a.plugin[i] is not None and a.plugin[i].raw["active"]:
        return
    if has_trait(raw, "dyn", "own_count") or a.outnum[i] > 1:
        return
    if dim > 1 and not has_trait(raw, "dyn", "user"):
        raise compile_error(e, "actdim > 1 is only allowed for dyntype 'user'")
    if dim == 1 and stateless:
        raise compile_error(e, "actdim 1 in an actuator without state")
    if dim == 0 and not stateless:
        raise compile_error(e, "actdim 0 in an actuator with state")


def _check_muscle(p: np.ndarray, e: Element) -> None:
    if p[0] >= p[1]:
        raise compile_error(e, "a muscle needs range[0] < range[1]")
    if p[4] >= 1 or p[5] <= 1:
        raise compile_error(e, "a muscle needs lmin < 1 < lmax")
    if min(p[3], p[6], p[7], p[8]) <= 0:
        raise compile_error(e, "scale, vmax, fpmax and fvmax of a muscle must be positive")
