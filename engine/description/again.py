"""Models that are loaded again and again, as vectorized environments and tests do: copies in place of compilations.

The second load of a text keeps a copy of its model, later loads copy that. A load takes part only if nothing but its
text, its assets and its arguments decide about the model: it read no other file, used no plugin, gave no warning, and no
callback or replaced stage took part. The spec of a copied model is read again if someone asks for it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core import hooks, logs
from ..core.model import MjModel
from ..core.stages import LAYERED
from ..machine.garbage import Held
from ..tables.compat_rows import begun

# bytes of a text with its assets, of a model, and of all models together
LARGE_TEXT, LARGE_MODEL, ROOM = 1 << 20, 1 << 22, 1 << 24
# number of texts
MOST = 64

# what decides about a model: the model, or None after one load. The key used last comes last. Threads need no lock: a key
# that another thread is moving is taken for an unknown one.
_KNOWN: dict[tuple, MjModel | None] = {}


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
    """Return a copy of the model of a key, without a spec; None if there is no such model."""
    if key is None or (kept := _KNOWN.get(key)) is None:
        return None
    _KNOWN.pop(key, None)
    _KNOWN[key] = kept
    return kept.__copy__()


def remember(key: tuple | None, m: MjModel, alone: bool) -> None:
    """Record that a model was compiled for a key; a copy is kept if this happened before. `alone`: the load read no other
    file and gave no warning."""
    # a model with a singular inertia matrix gives a Python warning
    if (
        key is None
        or not alone
        or m.nplugin
        or m.storage.buffer.nbytes > LARGE_MODEL
        or np.isnan(m.peek("dof_invweight0")).any()
    ):
        return
    kept = None
    if key in _KNOWN:
        kept = m.__copy__()
        kept.storage.held = None
    _KNOWN[key] = kept

    # drop the oldest
    keys = list(_KNOWN)
    sizes = [0 if kept is None else kept.storage.buffer.nbytes for kept in list(_KNOWN.values())]
    while len(keys) > MOST or sum(sizes) > ROOM:
        _KNOWN.pop(keys.pop(0), None)
        sizes.pop(0)


def forget() -> None:
    """Forget all models, so that the next loads compile."""
    _KNOWN.clear()
