"""`m.bind(element)` and `d.bind(elements)`: rows of a Model or Data that belong to elements of a spec."""
import collections.abc
import typing

from ..core.data import MjData

# element kinds under the name of the accessor that finds them
_ACCESSORS = {"frame": None, "default": None, "hfield": "hfield", "key": "key", "cam": "camera", "pair": "pair"}
MjStruct = typing.Any


class Bound:
    """Several elements at once: an attribute is the list of their numbers; assigning goes through the elements one by one."""

    __slots__ = ("elements", "writable")

    def __init__(self, elements, writable):
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "writable", writable)

    def __getattr__(self, name):
        found = []
        for e in self.elements:
            found.extend(getattr(e, name))
        return found

    def __setattr__(self, name, value):
        if not self.writable:
            raise AttributeError(f"Cannot set {name} on MjModel.")
        for e, x in zip(self.elements, value, strict=True):
            setattr(e, name, x)


def _row(struct, element):
    """The view of one element."""
    kind = getattr(element, "kind", None)
    accessor = getattr(struct, _ACCESSORS.get(kind, kind) or "", None) if isinstance(kind, str) else None
    if accessor is None:
        raise TypeError(f"{type(struct).__name__}.bind: {type(element).__name__} has no rows there")
    index = getattr(element, "id", -1)
    if index is None or index < 0:
        raise ValueError(f"{type(struct).__name__}.bind: the spec of this {kind} was not compiled, or changed since")
    return accessor(int(index))


def bind(self, specs):
    """The view of an element of the spec that this was compiled from, or of a sequence of them."""
    if isinstance(specs, collections.abc.Sequence):
        return Bound([_row(self, s) for s in specs], isinstance(self, MjData))
    return _row(self, specs)


__all__ = ["Bound", "MjStruct", "bind"]
