"""`m.bind(element)` and `d.bind(elements)`: the rows of a Model or Data that belong to elements of a spec."""

import collections.abc
import typing
from collections.abc import Sequence
from typing import Any

from ..core.data import MjData
from ..description.elements import elements as _elements
from ..description.elements.element import MjsPlugin

# element type: name of the accessor that finds its rows, if the name differs; None if it has no rows
_ACCESSORS = {"frame": None, "wrap": None}
_BINDABLE = (
    _elements.MjsBody,
    _elements.MjsFrame,
    _elements.MjsGeom,
    _elements.MjsJoint,
    _elements.MjsLight,
    _elements.MjsMaterial,
    _elements.MjsSite,
    _elements.MjsMesh,
    _elements.MjsSkin,
    _elements.MjsTexture,
    _elements.MjsText,
    _elements.MjsTuple,
    _elements.MjsCamera,
    _elements.MjsFlex,
    _elements.MjsHField,
    _elements.MjsKey,
    _elements.MjsNumeric,
    _elements.MjsPair,
    _elements.MjsExclude,
    _elements.MjsEquality,
    _elements.MjsTendon,
    _elements.MjsSensor,
    _elements.MjsActuator,
    MjsPlugin,
)
MjStruct = typing.Union[_BINDABLE]


class Bound:
    """A view of several elements: reading an attribute returns the list of their values; assigning sets them element by
    element.
    """

    __slots__ = ("elements", "writable")

    def __init__(self, elements: Sequence[Any], writable: bool) -> None:
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "writable", writable)

    def __getattr__(self, name: str) -> list[Any]:
        found = []
        for e in self.elements:
            found.extend(getattr(e, name))
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if not self.writable:
            raise AttributeError(f"Cannot set {name} on MjModel.")
        rest = iter(value)
        for e in self.elements:
            setattr(e, name, next(rest))


def bind_scalar(self, spec: Any) -> Any:
    """Return the view of one element of the spec from which the model was compiled."""
    struct = type(self).__name__
    kind = getattr(spec, "kind", None)
    accessor = getattr(self, _ACCESSORS.get(kind, kind) or "", None) if isinstance(kind, str) else None
    if accessor is None:
        raise TypeError(f"{struct}.bind(): incompatible function arguments: {type(spec).__name__} has no rows there")
    if spec.signature != self.signature:
        raise ValueError(f"The mjSpec does not match m{struct[1:]}. Please recompile the mjSpec.")
    return accessor(spec.id)


def bind(self, specs: Any) -> Any:
    """Return the view of an element, or of a sequence of elements, of the spec from which the model was compiled."""
    if isinstance(specs, collections.abc.Sequence):
        return Bound([bind_scalar(self, s) for s in specs], isinstance(self, MjData))
    return bind_scalar(self, specs)


__all__ = ["Bound", "MjStruct", "bind", "bind_scalar"]
