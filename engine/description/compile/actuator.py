"""Actuators: transmission ids, inherited ranges, limits, activation dimensions.

adds   actuator: is_actlimited is_ctrllimited is_forcelimited trnid
reads  actuator: outnum
"""

import numpy as np

from ..elements.elements import compile_error
from ..language.arrays import true_rows
from ..language.shortcut_rows import ROWS
from ..language.types import (
    AUTO,
    BIAS_AFFINE,
    BIAS_MUSCLE,
    DYN_DCMOTOR,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_NONE,
    DYN_PID,
    DYN_USER,
    GAIN_FIXED,
    GAIN_MUSCLE,
    GAIN_PID,
    SLIDE,
    TRANSMISSION_OBJECTS,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)
from .frames import fail, is_limited
from .servos import servos

# transmissions that take inertia and damping
DRIVING = (TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON)
# shortcuts that take a share of a range
INHERIT = " and ".join(row.name for row in ROWS if "inheritrange" in row.arguments)


def actuators(c) -> None:
    """Transmission ids, inherited ranges, limits, activation dimensions."""
    a = c.actuator
    a.trnid = np.full((a.n, 2), -1)
    kinds, inheriting = a.trntype.tolist(), a.inheritrange > 0
    for i, e in enumerate(a.elems):
        if not a.target[i]:
            raise compile_error(e, "the transmission target is missing")
        _transmission(c, a, i, e, kinds[i])
        if kinds[i] not in DRIVING:
            _check_drive(e)
    servos(c, a)
    for i in true_rows(inheriting).tolist():
        _inherit(c, a, i, a.elems[i])
    automatic = c.settings(a, "autolimits")[0].all()
    for name, label in (("forcelimited", "force"), ("ctrllimited", "ctrl"), ("actlimited", "act")):
        flag, span = getattr(a, name), getattr(a, label + "range")
        on = is_limited(flag, span)
        setattr(a, "is_" + name, on)
        for i in () if automatic else true_rows((flag == AUTO) & span.any(1)):
            if not c.compiler_of(a.elems[i])["autolimits"]:
                raise compile_error(a.elems[i], f"{label}range is given but not {name}; set autolimits or {name}")
        fail(a, on & (span[:, 0] >= span[:, 1]), f"{label}range[0] must be smaller than {label}range[1]")
    # without a state, a limit of it and a muscle's parameters there is nothing to check
    plain = (
        (a.actdim < 0) & (a.dyntype == DYN_NONE) & ~a.is_actlimited & (a.gaintype != GAIN_MUSCLE) & (a.biastype != BIAS_MUSCLE)
    )
    for i in true_rows(~plain).tolist():
        e = a.elems[i]
        _activation(a, i, e)
        for kind, muscle, prm in ((a.gaintype[i], GAIN_MUSCLE, a.gainprm[i]), (a.biastype[i], BIAS_MUSCLE, a.biasprm[i])):
            if kind == muscle:
                _check_muscle(prm, e)
    a.actdim = np.where(a.actdim < 0, a.dyntype != DYN_NONE, a.actdim)


def _check_drive(e):
    """Only joints and tendons take inertia and damping of an actuator."""
    for name in ("armature", "damping", "dampingpoly"):
        if np.any(e.raw[name]):
            raise compile_error(e, f"{name} requires joint or tendon transmission")


def _transmission(c, a, i, e, kind):
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


def _inherit(c, a, i, e):
    """A position servo whose range is that of its joint or tendon."""
    share = a.inheritrange[i]
    follows = a.gaintype[i] == GAIN_PID or a.gaintype[i] == GAIN_FIXED and a.gainprm[i, 0] == -a.biasprm[i, 1]
    if not (follows and a.biastype[i] == BIAS_AFFINE and share > 0):
        return
    if a.dyntype[i] not in (DYN_NONE, DYN_INTEGRATOR, DYN_FILTEREXACT, DYN_PID):
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
    (a.actrange if a.dyntype[i] == DYN_INTEGRATOR else a.ctrlrange)[i] = middle - radius, middle + radius


def _activation(a, i, e):
    dim, dyn = int(a.actdim[i]), int(a.dyntype[i])
    if a.is_actlimited[i] and dyn == DYN_NONE:
        raise compile_error(e, "actrange is given but dyntype is none")
    if a.plugin[i] is not None and a.plugin[i].raw["active"]:
        return
    if dyn in (DYN_PID, DYN_DCMOTOR) or a.outnum[i] > 1:
        return
    if dim > 1 and dyn != DYN_USER:
        raise compile_error(e, "actdim > 1 is only allowed for dyntype 'user'")
    if dim == 1 and dyn == DYN_NONE:
        raise compile_error(e, "actdim 1 in an actuator without state")
    if dim == 0 and dyn != DYN_NONE:
        raise compile_error(e, "actdim 0 in an actuator with state")


def _check_muscle(p, e):
    if p[0] >= p[1]:
        raise compile_error(e, "a muscle needs range[0] < range[1]")
    if p[4] >= 1 or p[5] <= 1:
        raise compile_error(e, "a muscle needs lmin < 1 < lmax")
    if min(p[3], p[6], p[7], p[8]) <= 0:
        raise compile_error(e, "scale, vmax, fpmax and fvmax of a muscle must be positive")
