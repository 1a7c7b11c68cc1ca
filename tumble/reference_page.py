"""Writing of reference pages: titles and tables in Markdown."""

from collections.abc import Iterable, Sequence

WRITTEN = "*Written by `make reference` from the tables of the source; not to be edited.*"


def cell(text: object) -> str:
    """Return text in which characters that would end a table cell are escaped."""
    return str(text).replace("|", "\\|")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table."""
    return [
        "| " + " | ".join(columns) + " |",
        "|" + " --- |" * len(columns),
        *("| " + " | ".join(map(cell, row)) + " |" for row in rows),
        "",
    ]


def page(title: str, *lines: str) -> str:
    """Return the text of a page."""
    return "\n".join([f"# {title}", "", WRITTEN, "", *lines]).rstrip() + "\n"
