"""Equality constraints: ids of the objects that they connect.

adds   equality: obj1 obj2 relative
"""

import numpy as np

from ...tables.equality_rows import ANCHORS, BY_NAME, BY_NUMBER, ROWS
from ..elements.element import Element
from ..elements.elements import compile_error
from ..language.types import OBJ_BODY, OBJ_SITE, SLIDE
from .resolve import Compilation

# {objtype of an equality constraint's anchors: type of element}
ANCHORED = {OBJ_BODY: "body", OBJ_SITE: "site"}
WELD = BY_NAME["weld"].number
# indices, within a weld's data, of the relative orientation
RELATIVE_TURN = slice(6, 10)
HOLDING = " and ".join(row.name for row in ROWS if row.objects == ANCHORS)


def equalities(c: Compilation) -> None:
    """Look up the ids of the one or two objects of each equality constraint."""
    q = c.equality
    q.obj1, q.obj2 = np.zeros(q.n, np.int64), np.zeros(q.n, np.int64)
    for i, e in enumerate(q.elems):
        row = BY_NUMBER.get(int(q.type[i]))
        if row is None:
            raise compile_error(e, "this type of equality is not supported")
        kind = ANCHORED.get(int(q.objtype[i])) if row.objects == ANCHORS else row.objects
        if kind is None:
            raise compile_error(e, f"{HOLDING} need bodies or sites")
        a = c.need(kind, q.name1[i], e, "first")
        b = c.need(kind, q.name2[i], e, "second") if q.name2[i] else 0 if kind == "body" else -1
        if a == b:
            raise compile_error(e, f"'{q.name1[i]}' is related to itself")
        if row.check:
            CHECKS[row.check](c, e, a, b)
        q.obj1[i], q.obj2[i] = a, b
    q.relative = (q.type == WELD) & (q.objtype == OBJ_BODY) & ~q.data[:, RELATIVE_TURN].any(1)


def scalar_joints(c: Compilation, e: Element, a: int, b: int) -> None:
    """Raise an error unless each joint has exactly one coordinate."""
    for k in (a, b):
        if k >= 0 and c.joint.type[k] < SLIDE:
            raise compile_error(e, "only hinge and slide joints can be related")


def soft_flex(c: Compilation, e: Element, a: int, b: int) -> None:
    """Raise an error if the flex is rigid, because the lengths of its edges cannot change."""
    if c.flexes[a].rigid:
        raise compile_error(e, "the flex is rigid")


# {name in the column `check` of a row: function}
CHECKS = {check.__name__: check for check in (scalar_joints, soft_flex)}
