"""Checks whether compiled code can trust a Model: every index is in range, every choice exists.

The table of fields says which values an integer field may have, after its unit (`- > rule`):

    nbody                  an index below this size   nbody?      an index, or -1 for none
    njnt[body_jntnum]      an index, the first of body_jntnum rows; unused if body_jntnum is 0
    mjtGeom                a member                   1,3,4,6  0..8      one of these
    count                  not negative               flag, any          anything
    *                      checked by the function of its name in validate_bodies, _assets or _objects
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from . import enums
from .validate_assets import special as of_assets
from .validate_bodies import special as of_bodies
from .validate_objects import special as of_objects
from .validate_terms import MODEL, InvalidModel, Reader, among, between, refuse, start

# rules that depend on no other field and need no function
ALONE = ("nmat?", "ntex?", "1,3,4,6", "mjtCamLight", "mjtLightType")
# Later checks rely on earlier ones: trees of bodies, then elements of bodies, then elements that refer to those.
SPECIAL = {**of_bodies, **of_assets, **of_objects}


def validate(m: Any) -> None:
    """Raise InvalidModel with field, row and value unless compiled code can trust a Model. Takes a few milliseconds; ignores
    floats.

    Models that were compiled or loaded from XML need no check. Binary files and pickles are checked when they are loaded,
    and models filled by hand when their first MjData is made.
    """
    m = Reader(m)
    check_sizes(m)
    for check in CHECKS.values():
        check(m)
    for function in SPECIAL.values():
        function(m)
    for text in ("names", "paths", "text_data", "plugin_attr"):
        x = m.array(text)
        if x.size and x[-1] != 0:
            raise InvalidModel(f"{text} do not end with a zero byte")


def validate_fields(m: Any, names: Iterable[str]) -> None:
    """Like `validate`, but after a change of these fields only."""
    if all(MODEL.fields[n].values in ALONE for n in names):
        m = Reader(m)
        for n in names:
            CHECKS[n](m)
    else:
        validate(m)


def check_sizes(m: Any) -> None:
    """Raise InvalidModel if sizes are impossible, before arrays of these sizes are read."""
    if m.nbody < 1:
        raise InvalidModel("nbody is 0, but there is always a world")
    if m.nbvh != m.nbvhstatic + m.nbvhdynamic:
        raise InvalidModel(f"nbvh is {m.nbvh}, which should be {m.nbvhstatic + m.nbvhdynamic}")
    square = m.nv * m.nv
    for name, most in (
        ("nM", square),
        ("nC", square),
        ("nD", square),
        ("nB", m.nbody * m.nv),
        ("nJmom", m.nout * m.nv),
        ("nmocap", m.nbody),
    ):
        if getattr(m, name) > most:
            raise InvalidModel(f"{name} is {getattr(m, name)}, at most {most} allowed")


def _rule(field: Any) -> Callable[[Any], None] | None:
    """Return the check of a field; None if any value is allowed, or if a function named after the field checks it."""
    # translate the table's rules, in order
    name, rule = field.name, field.values
    if rule in ("any", "flag", "*", ""):
        return None
    if rule == "count":
        return lambda m: between(name, m.array(name), 0, 2**31)
    if spans := re.fullmatch(r"(\w+)\[(\w+)\]", rule):
        total, count = spans.groups()
        return lambda m: start(name, m.array(name), m.array(count), getattr(m, total))
    if rule[0].isdigit():
        low, dots, high = rule.partition("..")
        allowed = tuple(range(int(low), int(high) + 1) if dots else map(int, rule.split(",")))
        return lambda m: refuse(name, ~among(m.array(name), allowed), m.array(name), f"{rule} allowed")
    if rule.startswith("mjt"):
        members = tuple(int(v) for n, v in getattr(enums, rule).__members__.items() if not n.startswith("mjN"))
        if rule == "mjtDataType":
            members += (-1,)
        return lambda m: refuse(name, ~among(m.array(name), members), m.array(name), f"which is not a member of {rule}")
    low, size = (-1, rule[:-1]) if rule.endswith("?") else (0, rule)
    return lambda m: between(name, m.array(name), low, getattr(m, size))


CHECKS = {f.name: check for f in MODEL.arrays if (check := _rule(f))}
# fields that determine which memory compiled code reads
INDICES = frozenset([f.name for f in MODEL.arrays if f.values not in ("", "any", "flag")] + ["wrap_prm"])
