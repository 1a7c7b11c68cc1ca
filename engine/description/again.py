"""Copies models that are loaded repeatedly, as in vectorized environments and tests, instead of compiling them again.

When a text is loaded a second time, a copy of its model is stored; later loads return copies of that. This happens only if
the model depends on nothing but the text, its assets, the arguments and unchanged files: loading used no plugin or resource
provider, gave no warning, and no callback or replaced stage took part. The spec of a copied model is read again when needed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.model import MjModel
from ..machine.garbage import Held
from .files.repeatable import has_other_inputs, is_copyable
from .files.resources import unchanged

# maximum number of bytes: of a model's source with its assets, and of all stored models together
LARGE_TEXT, ROOM = 1 << 20, 1 << 25
# maximum number of model sources in the cache
MOST = 64


class Known(NamedTuple):
    """The record of a model's source: its model (None until the source is loaded a second time), and what loading read from the
    file system."""

    model: MjModel | None
    seen: Sequence[tuple[str, Any]]


# Cache {key: record}; see `key_of`. The most recently used key is last. Threads need no lock: while one thread moves a key,
# other threads treat the key as unknown.
_KNOWN: dict[tuple, Known] = {}


class Remade(Held):
    """Holds a spec that `make` reads again when it is needed."""

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
    """Return the cache key of loading a model: all inputs that determine the result. Return None if there may be other inputs,
    or if the text is too large to store."""
    size = len(text)
    parts: tuple = ()
    if assets:
        parts = tuple(assets.items())
        size += sum([len(contents) for contents in assets.values()])
    if size > LARGE_TEXT or has_other_inputs():
        return None
    return text, arguments, parts


def known(key: tuple | None) -> MjModel | None:
    """Return a copy of the model stored under a key, without a spec; None if there is no such model, or if its files have
    changed."""
    found = None if key is None else _KNOWN.get(key)
    if key is None or found is None or found.model is None or not unchanged(found.seen):
        return None
    _KNOWN.pop(key, None)
    _KNOWN[key] = found
    return found.model.__copy__()


def remember(key: tuple | None, m: MjModel, seen: Sequence[tuple[str, Any]] | None) -> None:
    """Record that a model was compiled for a key. The second time, store a copy of the model.

    `seen`: what loading read from the file system, see `Files.seen`; None if the result may depend on anything else.
    """
    if key is None or seen is None or not is_copyable(m, seen):
        return
    kept = None
    if key in _KNOWN:
        kept = m.__copy__()
        kept.storage.held = None
    _KNOWN[key] = Known(kept, seen)

    # drop the oldest entries
    keys = list(_KNOWN)
    sizes = [0 if x.model is None else x.model.storage.buffer.nbytes for x in list(_KNOWN.values())]
    while len(keys) > MOST or sum(sizes) > ROOM:
        _KNOWN.pop(keys.pop(0), None)
        sizes.pop(0)


def forget() -> None:
    """Drop all stored models, so that the next loads compile."""
    _KNOWN.clear()
