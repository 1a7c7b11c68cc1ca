"""Arrays of members shown as lists of records: `d.contact[i].dist`, `d.contact.dist`, `d.warning[k].number`."""
import numpy as np


class Record:
    """One element of a record list."""

    __slots__ = ("_index", "_list")

    def __init__(self, records, index):
        object.__setattr__(self, "_list", records)
        object.__setattr__(self, "_index", index)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._list, name)[self._index]
        return value if isinstance(value, np.ndarray) else value.item()

    def __setattr__(self, name, value):
        getattr(self._list, name)[self._index] = value

    def __dir__(self):
        return list(self._list.members)

    def __repr__(self):
        return "<record" + "".join(f"\n  {n}: {getattr(self, n)}" for n in self._list.members) + "\n>"

    def __eq__(self, other):
        return isinstance(other, Record) and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self._list.members)

    __hash__ = None


class RecordList:
    """Sequence of records over arrays `prefix_member` of a Data."""

    def __init__(self, data, prefix, members, virtual=None):
        self._data, self._prefix, self.members, self._virtual = data, prefix, members, virtual or {}

    def __getattr__(self, name):
        if name in self._virtual:
            field, column = self._virtual[name]
            return getattr(self._data, field)[:, column]
        if name in self.members:
            return getattr(self._data, f"{self._prefix}_{name}")
        raise AttributeError(f"{self._prefix} records have no attribute {name!r}")

    def __len__(self):
        return len(getattr(self._data, f"{self._prefix}_{self.members[0]}"))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [Record(self, k) for k in range(*index.indices(len(self)))]
        index = int(index)
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"{self._prefix} index {index} is out of range for {count} records")
        return Record(self, index % count)

    def __iter__(self):
        return (Record(self, k) for k in range(len(self)))

    def __repr__(self):
        return f"<{len(self)} {self._prefix} records>"


LISTS = {
    "contact": ("dist pos frame includemargin friction solref solreffriction solimp mu H dim geom1 geom2 geom flex elem vert exclude "
                "efc_address", {"geom1": ("contact_geom", 0), "geom2": ("contact_geom", 1)}),
    "solver": ("improvement gradient lineslope nactive nchange neval nupdate", {}),
    "warning": ("lastinfo number", {}),
    "timer": ("duration number", {}),
}


def add_record_lists(cls):
    """Give a Data class its record lists."""
    def add(prefix, members, virtual):
        setattr(cls, prefix, property(lambda self: RecordList(self, prefix, members, virtual)))
    for prefix, (members, virtual) in LISTS.items():
        add(prefix, tuple(members.split()), virtual)
