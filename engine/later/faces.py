"""Objects of this face, and the objects of the engine whose memory they share."""

import weakref
from collections.abc import Callable
from typing import Any

# class of the engine -> class of this face; the classes register themselves
FACES: dict[type, type] = {}
# classes of this face
_LATER: set[type] = set()
# name under which an object of the engine keeps a reference to its face
KEPT = "later_face"
# specs, which have no dictionary: number of the object -> its face, which keeps the object alive
_SPECS: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def registered(base: type) -> Callable[[type], type]:
    """Return a decorator: this is the class of the face for objects of a class of the engine."""

    def note(cls: type) -> type:
        FACES[base] = cls
        _LATER.add(cls)
        return cls

    return note


def face(x: Any) -> Any:
    """Return the face of an object of the engine, the same one while anyone refers to it; other objects as they are."""
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
        # arrays that either has looked at are kept in one place, so that a new buffer is seen by both
        object.__setattr__(found, "storage", x.storage)
        object.__setattr__(found, "__dict__", own)
        own[KEPT] = weakref.ref(found)
    return found


def _new(cls: type, x: Any) -> Any:
    found = object.__new__(cls)
    object.__setattr__(found, "plain", x)
    return found


def plain(x: Any) -> Any:
    """Return the engine's object of an object of this face; other objects as they are."""
    if type(x) in _LATER:
        return x.plain
    if type(x) in (list, tuple):
        return type(x)(map(plain, x))
    return x


class Copied:
    """Copies and pickles of a face: those of the engine's object `plain`, seen through this face."""

    plain: Any

    def __copy__(self) -> Any:
        return face(self.plain.__copy__())

    def __deepcopy__(self, memo: dict) -> Any:
        return face(self.plain.__copy__())

    def __reduce__(self) -> tuple:
        return face, (self.plain,)

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return self.__reduce__()
