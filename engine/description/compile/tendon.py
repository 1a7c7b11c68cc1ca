"""Tendons: checks, flattened paths, limits.

adds   tendon: is_actfrclimited is_limited plasticnum wrap
reads  geom: visual
"""

import numpy as np

from ...tables.compat_rows import holds
from ..elements.element import Element
from ..elements.elements import MjsWrap, compile_error
from ..language.types import (
    AUTO,
    CYLINDER,
    SLIDE,
    SPHERE,
    WRAP_CYLINDER,
    WRAP_JOINT,
    WRAP_NONE,
    WRAP_PULLEY,
    WRAP_SITE,
    WRAP_SPHERE,
)
from .frames import fail, is_limited
from .resolve import Compilation
from .table import Table


def tendons(c: Compilation) -> None:
    """Check and flatten tendon paths; set limits."""

    # paths
    t = c.tendon
    t.wrap = []
    for i, e in enumerate(t.elems):
        if not e.wraps:
            raise compile_error(e, "the path is empty")
        rows = [_wrap(c, w) for w in e.wraps]
        spatial = rows[0][0] != WRAP_JOINT
        if spatial:
            _check_path(c, t, i, e, rows)
        elif any(r[0] != WRAP_JOINT for r in rows):
            raise compile_error(e, "a fixed tendon can contain only joints")
        elif holds("stricter", c.compat_bits):
            _check_joints(c, t.armature[i], e, rows)
        t.wrap.append(rows)

    # limits
    fail(t, t.springyield < 0, "springyield cannot be negative")
    t.plasticnum = np.where(t.springyield > 0, 2, 0)
    t.is_limited = is_limited(t.limited, t.range)
    t.is_actfrclimited = is_limited(t.actfrclimited, t.actfrcrange)
    for i, e in enumerate(t.elems):
        raw = c.compiler_of(e)
        for flag, span, on, name in (
            (t.limited, t.range, t.is_limited, ""),
            (t.actfrclimited, t.actfrcrange, t.is_actfrclimited, "actuatorfrc"),
        ):
            if not raw["autolimits"] and flag[i] == AUTO and span[i].any():
                raise compile_error(e, f"{name}range is given but not {name}limited; set autolimits or {name}limited")
            if on[i] and span[i, 0] >= span[i, 1]:
                raise compile_error(e, f"{name}range[0] must be smaller than {name}range[1]")
        if t.is_actfrclimited[i] and (t.actfrcrange[i, 0] > 0 or t.actfrcrange[i, 1] < 0):
            raise compile_error(e, "actuatorfrcrange must include 0")
        if t.springlength[i, 0] > t.springlength[i, 1]:
            raise compile_error(e, "springlength[0] must not be larger than springlength[1]")


def _wrap(c: Compilation, w: MjsWrap) -> tuple[int, int, float]:
    """Return (type, object id, parameter) for one object on a tendon path."""
    kind = w.raw["type"]
    if kind == WRAP_PULLEY:
        if w.prm < 0 or w.prm == 0 and holds("stricter", c.compat_bits):
            raise compile_error(
                w, "the divisor of a pulley is not positive" if w.prm == 0 else "the divisor of a pulley is negative"
            )
        return kind, -1, w.prm
    if kind == WRAP_JOINT:
        return kind, c.need("joint", w.target_name, w, "joint"), w.prm
    if kind == WRAP_SITE:
        return kind, c.need("site", w.target_name, w, "site"), w.prm
    g = c.need("geom", w.target_name, w, "geom")
    if c.geom.type[g] not in (SPHERE, CYLINDER):
        raise compile_error(w, f"geom '{w.target_name}' is not a sphere or cylinder")
    side = c.need("site", w.sidesite_name, w, "sidesite") if w.sidesite_name else -1
    return WRAP_CYLINDER if c.geom.type[g] == CYLINDER else WRAP_SPHERE, g, side


def _check_joints(c: Compilation, armature: float, e: Element, rows: list[tuple[int, int, float]]) -> None:
    """Raise an error unless a fixed tendon's joints are slides and hinges, each used once (since MuJoCo 4.0)."""
    joints = [obj for _, obj, _ in rows]
    for k, obj in enumerate(joints):
        if c.joint.type[obj] < SLIDE:
            raise compile_error(e, f"joint {k} of a fixed tendon must be a slide or a hinge")
        if obj in joints[:k]:
            raise compile_error(e, f"joint {k} is repeated")
    if armature < 0:
        raise compile_error(e, "the armature is negative")


def _check_path(c: Compilation, t: Table, i: int, e: Element, rows: list[tuple[int, int, float]]) -> None:
    n = len(rows)
    if n < 2:
        raise compile_error(e, "a spatial path needs at least two objects")
    if t.width[i] <= 0:
        raise compile_error(e, "the width must be positive")
    if t.armature[i] < 0:
        raise compile_error(e, "the armature is negative")

    # visit each object with its neighbors
    kinds = [r[0] for r in rows]
    for k, (kind, obj, _) in enumerate(rows):
        before, after = kinds[k - 1] if k else WRAP_NONE, kinds[k + 1] if k < n - 1 else WRAP_NONE
        if kind == WRAP_PULLEY and (before == WRAP_PULLEY or k == n - 1):
            raise compile_error(e, f"pulley {k} follows a pulley or ends the path")
        if kind == WRAP_SITE:
            if before in (WRAP_NONE, WRAP_PULLEY) and after in (WRAP_NONE, WRAP_PULLEY):
                raise compile_error(e, f"site {k} needs a neighbour that is not a pulley")
            if after == WRAP_SITE and rows[k + 1][1] == obj:
                raise compile_error(e, f"site {k} is repeated")
        if kind in (WRAP_SPHERE, WRAP_CYLINDER):
            if before != WRAP_SITE or after != WRAP_SITE:
                raise compile_error(e, f"geom {k} must stand between sites")
            if t.armature[i] > 0:
                raise compile_error(e, "a tendon with armature cannot wrap around geoms")
            c.geom.visual[obj] = False
        if kind == WRAP_JOINT:
            raise compile_error(e, f"a spatial path cannot contain joints, such as joint {k}")
