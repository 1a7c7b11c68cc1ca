"""Checks that messages from clients are well-formed.

Viser decodes, casts and stores everything it receives, so each message is checked before viser sees it.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import dataclasses
import math
from typing import Any

import msgspec
from viser.infra import Message

# Messages that change what all clients see.
# Messages of other types are dropped: for example uploads, and share requests, which would open this machine to the internet.
SHARED_MESSAGES = frozenset(("GuiUpdateMessage", "SceneNodeClickMessage", "SceneNodeDragMessage"))
# Messages that affect only the client's own browser.
CLIENT_MESSAGES = frozenset(("ViewerCameraMessage", "GuiUpdateMessage"))
# The only property of a control that a client may set.
VALUE = "value"
# maximum length of a word from a client
MOST_LETTERS = 1000
_WANTED = SHARED_MESSAGES | CLIENT_MESSAGES
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in Message.get_subclasses() if kind.__name__ in _WANTED}
_DECODERS = {name: msgspec.msgpack.Decoder(kind) for name, kind in _KINDS.items()}
_FIELDS = {name: {field.name for field in dataclasses.fields(kind)} for name, kind in _KINDS.items()}


def sound(raw: Any) -> bool:
    """Return whether a message is safe to decode for viser: its type is known, its fields have the right types, and all numbers
    are finite.
    """
    try:
        mapping = msgspec.msgpack.decode(raw)
        kind = mapping.pop("type")
        _DECODERS[kind].decode(raw)
    except (msgspec.MsgspecError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return False
    return _FIELDS[kind].issuperset(mapping) and finite(mapping)


def finite(value: Any) -> bool:
    """Return whether all numbers in a message are finite and all words are short."""
    if isinstance(value, dict):
        return all(map(finite, value)) and all(map(finite, value.values()))
    if isinstance(value, list):
        return all(map(finite, value))
    return math.isfinite(value) if isinstance(value, float) else not isinstance(value, str) or len(value) <= MOST_LETTERS


def fits(controls: Any, message: Any) -> bool:
    """Return whether a panel has the control that a message names, and whether this accepts the client's value: a boolean, a
    number, or a word in its list.
    """
    handle = None if controls is None else controls._gui_input_handle_from_uuid.get(message.uuid)
    if handle is None or set(message.updates) != {VALUE}:
        return False
    now, value = handle.value, message.updates[VALUE]
    if isinstance(now, bool):
        return isinstance(value, bool)
    if isinstance(now, (int, float)):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(now, str) and isinstance(value, str) and value in getattr(handle, "options", (value,))
