"""The state of a spec: everything that a compilation reads, in a form that is compared quickly.

Values that scripts can change in place (arrays, lists, orientations) are copied; other objects are compared by identity.
"""

import functools
from operator import attrgetter
from typing import Any

import numpy as np

from ...core.struct import contents
from ..language.fields import MjsOrientation
from .element import Element, MjsCompiler, MjsPlugin
from .elements import LISTS
from .spec import SETTINGS, MjSpec, setting

# slots of elements that are not part of the state: caches, links to the whole, and what `element` and `body` handle
APART = frozenset(("raw", "spec", "place", "default", "index", "parts", "wraps", "__weakref__"))
# slots whose values no script can change in place, or which are compared by identity
FIXED = ("label", "compiler", "parent", "frame")
PLAIN = frozenset((tuple, float, int, str, bytes, bool, type(None)))
# arrays of up to this many numbers are compared as tuples; maximum number of bytes of other arrays in a state
SMALL, LARGE = 16, 1 << 20


class UncomparableError(Exception):
    """A spec contains something that cannot be compared, or too much."""


@functools.cache
def _slots(cls: type) -> tuple[Any, list[str]]:
    """Return (function that reads the slots in FIXED as a tuple, names of the other slots) of a class of elements."""
    names = [n for c in cls.__mro__ for n in c.__dict__.get("__slots__", ()) if n not in APART]
    return attrgetter(*[n for n in names if n in FIXED]), [n for n in names if n not in FIXED]


class _State:
    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.compilers: dict[int, MjsCompiler] = {}
        self.bytes = 0

    def frozen(self, value: Any) -> Any:
        """Return a value that no script can change, equal to another one only if both mean the same."""
        kind = type(value)
        if kind in PLAIN:
            return value
        if isinstance(value, np.ndarray):
            # An attribute that was read is an array from then on. It still equals the numbers that it had before.
            if value.ndim == 1 and value.size <= SMALL and not value.dtype.hasobject:
                return tuple(value.tolist())
            self.bytes += value.nbytes
            if value.dtype.hasobject or self.bytes > LARGE:
                raise UncomparableError
            return value.dtype.str, value.shape, value.tobytes()
        if isinstance(value, (list, MjsOrientation)):
            return tuple([self.frozen(x) for x in value])
        if isinstance(value, dict):
            return self.fields(value)
        if isinstance(value, set):
            return frozenset(value)
        if isinstance(value, MjsPlugin) or not isinstance(value, Element):
            raise UncomparableError
        return value

    def fields(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Return a dict whose values no script can change."""
        return {name: self.frozen(value) for name, value in raw.items()}

    def element(self, e: Element) -> None:
        """Add an element, with the elements that it contains: the wraps of a tendon."""
        raw, (fixed, others) = e.raw, _slots(type(e))
        self.compilers[id(e.compiler)] = e.compiler
        self.rows += e, raw.copy() if PLAIN.issuperset(map(type, raw.values())) else self.fields(raw), fixed(e)
        if others:
            self.rows += [self.frozen(getattr(e, name)) for name in others]
        for w in getattr(e, "wraps", ()):
            self.element(w)

    def body(self, body: Any) -> None:
        """Add a body and everything on it."""
        todo = [body]
        for b in todo:
            self.element(b)
            for kind in LISTS:
                found = b.parts[kind]
                if kind == "body":
                    todo += found
                else:
                    for e in found:
                        self.element(e)
            self.rows.append(len(b.parts["body"]))


def state_of(spec: MjSpec) -> tuple | None:
    """Return the state of a spec. Two states of a spec are equal only if it compiles to the same model, as long as files,
    callbacks and settings outside the spec are the same. None if the spec contains plugins, attached specs or large arrays."""
    if spec.specs or spec.attached or spec.pending_keys or spec.active_plugins or spec.parts["plugin"]:
        return None
    found = _State()
    try:
        found.body(spec.worldbody)
        for kind, elements in spec.parts.items():
            found.rows.append(kind)
            for e in elements:
                found.element(e)

        # settings
        rows = found.rows
        found.compilers[id(spec.compiler)] = spec.compiler
        rows += [(c, found.fields(c.raw), found.fields(c.LRopt.raw), c.spec.modelfiledir) for c in found.compilers.values()]
        rows += [found.fields(spec.raw), frozenset(spec.given), tuple(spec.assets.items()), spec.inside, spec.key_order]
        rows += [tuple([part.tobytes() for part in contents(x)]) for x in (setting(spec, name) for name in SETTINGS)]
    except UncomparableError:
        return None
    return tuple(rows)
