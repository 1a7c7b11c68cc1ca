"""Texts that can be displayed. On Linux, the bytes of a file's name need not be UTF-8; such a name has letters that windows,
terminals and JSON files refuse.
"""

from __future__ import annotations


def is_plain(text: str) -> bool:
    """Return whether a text can be displayed."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def plain(text: str) -> str:
    """Return a text with question marks in place of letters that cannot be displayed."""
    return text if text.isascii() else text.encode(errors="replace").decode()
