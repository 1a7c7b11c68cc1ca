"""Equality constraints: ids of what they relate.

adds   equality: obj1 obj2
"""

import numpy as np

from ..elements.elements import compile_error
from ..language.types import EQ_FLEX, EQ_JOINT, EQUALITY_OBJECTS, OBJ_BODY, OBJ_SITE, SLIDE

# what connect and weld hold together, by objtype
ANCHORS = {OBJ_BODY: "body", OBJ_SITE: "site"}


def equalities(c):
    """Ids of the one or two objects of each equality constraint."""
    q = c.equality
    q.obj1, q.obj2 = np.zeros(q.n, np.int64), np.zeros(q.n, np.int64)
    for i, e in enumerate(q.elems):
        t = int(q.type[i])
        if t not in EQUALITY_OBJECTS:
            raise compile_error(e, "this type of equality is not supported")
        kind = EQUALITY_OBJECTS[t] or ANCHORS.get(int(q.objtype[i]))
        if kind is None:
            raise compile_error(e, "connect and weld need bodies or sites")
        a = c.need(kind, q.name1[i], e, kind)
        b = c.need(kind, q.name2[i], e, kind) if q.name2[i] else 0 if kind == "body" else -1
        if a == b:
            raise compile_error(e, f"'{q.name1[i]}' is related to itself")
        if t == EQ_JOINT:
            for k in (a, b):
                if k >= 0 and c.joint.type[k] < SLIDE:
                    raise compile_error(e, "only hinge and slide joints can be related")
        if t == EQ_FLEX and c.flexes[a].rigid:
            raise compile_error(e, "the flex is rigid")
        q.obj1[i], q.obj2[i] = a, b
