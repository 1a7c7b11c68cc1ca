"""Pairs each engine object with an object of this interface; both share their memory."""

import weakref
from collections.abc import Callable
from typing import Any

# {class of the engine: its counterpart in this interface}; filled by `registered`
FACES: dict[type, type] = {}
# all classes of this interface
_LATER: set[type] = set()
# attribute of an engine object that refers to its counterpart
KEPT = "later_face"
# Specs have no __dict__, so this stores {id of the spec: its counterpart, which keeps the spec alive}.
_SPECS: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def registered(base: type) -> Callable[[type], type]:
    """Return a decorator that registers a class as the counterpart of an engine class."""

    def note(cls: type) -> type:
        FACES[base] = cls
        _LATER.add(cls)
        return cls

    return note


def face(x: Any) -> Any:
    """Return the counterpart of an engine object; it stays the same while it is in use. Return other objects unchanged."""
    cls = FACES.get(type(x))
    if cls is None:
        return type(x)(map(face, x)) if type(x) in (list, tuple) else x
    own = getattr(x, "__dict__", None)
    if own is None:
        found = _SPECS.get(id(x))
        if found is None:
            found = _SPECS[id(x)] = _new(cls, x)
        return found
    kept = own.get(KEPT)
    found = kept() if kept is not None else None
    if found is None:
        found = _new(cls, x)
        # Both objects share their cached arrays, so that both see a new buffer.
        object.__setattr__(found, "storage", x.storage)
        object.__setattr__(found, "__dict__", own)
        own[KEPT] = weakref.ref(found)
    return found


def _new(cls: type, x: Any) -> Any:
    found = object.__new__(cls)
    object.__setattr__(found, "plain", x)
    return found


def plain(x: Any) -> Any:
    """Return the engine object behind an object of this interface. Return other objects unchanged."""
    if type(x) in _LATER:
        return x.plain
    if type(x) in (list, tuple):
        return type(x)(map(plain, x))
    return x


class Copied:
    """Implements copying and pickling through the engine object `plain`."""

    plain: Any

    def __copy__(self) -> Any:
        return face(self.plain.__copy__())

    def __deepcopy__(self, memo: dict) -> Any:
        return face(self.plain.__copy__())

    def __reduce__(self) -> tuple:
        return face, (self.plain,)

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return self.__reduce__()
