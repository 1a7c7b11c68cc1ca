"""Writes the Markdown of reference pages: titles and tables."""

from collections.abc import Iterable, Sequence

WRITTEN = "*Written by `make reference` from tables in the sources; do not edit this page.*"


def cell(text: object) -> str:
    """Escape the characters that would end a table cell."""
    return str(text).replace("|", "\\|")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [
        "| " + " | ".join(columns) + " |",
        "|" + " --- |" * len(columns),
        *("| " + " | ".join(map(cell, row)) + " |" for row in rows),
        "",
    ]


def page(title: str, *lines: str) -> str:
    """Return the text of a reference page."""
    return "\n".join([f"# {title}", "", WRITTEN, "", *lines]).rstrip() + "\n"
