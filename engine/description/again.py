"""Models that are loaded again and again, as vectorized environments and tests do: copies in place of compilations.

The second load of a text keeps a copy of its model, later loads copy that. A load takes part only if nothing but its
text, its assets, its arguments and unchanged files decide about the model: it used no plugin or resource provider, gave no
warning, and no callback or replaced stage took part. The spec of a copied model is read again if someone asks for it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core import hooks, logs
from ..core.model import MjModel
from ..core.stages import LAYERED
from ..machine.garbage import Held
from ..tables.compat_rows import begun
from .files.resources import is_settled, unchanged

# bytes of a text with its assets, of a model, and of all models together
LARGE_TEXT, LARGE_MODEL, ROOM = 1 << 20, 1 << 23, 1 << 25
# number of texts
MOST = 64


class Known(NamedTuple):
    """What is known of a text: its model, None after one load, and what the load saw of the file system."""

    model: MjModel | None
    seen: Sequence[tuple[str, Any]]


# what decides about a model: what is known of it. The key used last comes last. Threads need no lock: a key that another
# thread is moving is taken for an unknown one.
_KNOWN: dict[tuple, Known] = {}


class Remade(Held):
    """Holds a spec that `make` reads when someone asks for it."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__(None, seen=True)
        self._make = make

    def see(self) -> Any:
        """Return the spec."""
        if self._whole is None:
            self._whole = self._make()
        return self._whole


def key_of(text: str | bytes, assets: Mapping[str, Any] | None, *arguments: Any) -> tuple | None:
    """Return what decides about a model; None if other things may, or if the load is too large to be remembered."""
    size = len(text)
    parts: tuple = ()
    if assets:
        parts = tuple(assets.items())
        size += sum([len(contents) for contents in assets.values()])
    # handlers may see messages of the compiler; callbacks and replaced stages take part in it
    if size > LARGE_TEXT or begun() is not None or LAYERED[0] or hooks.installed() or logs.is_asked(logs.COMPILING):
        return None
    return text, arguments, parts


def known(key: tuple | None) -> MjModel | None:
    """Return a copy of the model of a key, without a spec; None if there is no such model, or if its files have changed."""
    found = None if key is None else _KNOWN.get(key)
    if key is None or found is None or found.model is None or not unchanged(found.seen):
        return None
    _KNOWN.pop(key, None)
    _KNOWN[key] = found
    return found.model.__copy__()


def remember(key: tuple | None, m: MjModel, seen: Sequence[tuple[str, Any]] | None) -> None:
    """Record that a model was compiled for a key; a copy is kept if this happened before.

    `seen`: what the load saw of the file system, see `Files.seen`; None if other things decided, too.
    """
    if key is None or seen is None or m.nplugin or m.storage.buffer.nbytes > LARGE_MODEL:
        return
    # a model with a singular inertia matrix gives a Python warning
    if np.isnan(m.peek("dof_invweight0")).any() or not all(isinstance(x, bool) or is_settled(x) for _, x in seen):
        return
    kept = None
    if key in _KNOWN:
        kept = m.__copy__()
        kept.storage.held = None
    _KNOWN[key] = Known(kept, seen)

    # drop the oldest
    keys = list(_KNOWN)
    sizes = [0 if x.model is None else x.model.storage.buffer.nbytes for x in list(_KNOWN.values())]
    while len(keys) > MOST or sum(sizes) > ROOM:
        _KNOWN.pop(keys.pop(0), None)
        sizes.pop(0)


def forget() -> None:
    """Forget all models, so that the next loads compile."""
    _KNOWN.clear()
