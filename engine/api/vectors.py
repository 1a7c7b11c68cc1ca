"""Lists of fixed length and one type, as the reference's package has for fields of specs."""
from ..core.values import read_integer, read_number


class _Vector:
    """`count` elements, all equal to `value` at first."""

    __slots__ = ("_items",)

    def __init__(self, value, count):
        self._items = [self._read(value)] * read_integer(count, 0)

    @staticmethod
    def _read(value):
        return value

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        return self._items[index]

    def __setitem__(self, index, value):
        self._items[read_integer(index)] = self._read(value)

    def __iter__(self):
        return iter(self._items)

    def __repr__(self):
        return f"{type(self).__name__}({self._items})"


def _text(value):
    if not isinstance(value, str):
        raise TypeError(f"needs text, got {type(value).__name__}")
    return value


def _character(value):
    if len(_text(value)) != 1:
        raise TypeError("needs one character")
    return value


def _make(name, read):
    return type(name, (_Vector,), {"__slots__": (), "_read": staticmethod(read)})


MjByteVec = _make("MjByteVec", lambda x: read_integer(x, 0, 255))
MjCharVec = _make("MjCharVec", _character)
MjDoubleVec = _make("MjDoubleVec", read_number)
MjFloatVec = _make("MjFloatVec", read_number)
MjIntVec = _make("MjIntVec", read_integer)
MjStringVec = _make("MjStringVec", _text)

__all__ = ["MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec"]
