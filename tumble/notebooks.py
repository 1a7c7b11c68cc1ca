"""Notebooks of the example scripts: `python -m tumble.notebooks` writes assets/examples/*.ipynb from the *.py files there.

A line `# %%` begins a cell of code, `# %% [markdown]` a cell of text, whose lines are comments. A test compares the
notebooks with this output.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "assets" / "examples"
_CELL = re.compile(r"^# %%( \[markdown\])?\n", re.M)


def cells(text: str) -> list[tuple[str, str]]:
    """Return (`markdown` or `code`, text) of every cell of a script."""
    before, *parts = _CELL.split(text)
    assert not before, "a script begins with a cell"
    found = []
    for mark, body in zip(parts[::2], parts[1::2], strict=True):
        body = body.strip("\n")
        found.append(("markdown", re.sub(r"^# ?", "", body, flags=re.M)) if mark else ("code", body))
    return found


def notebook(text: str) -> str:
    """Return a script as a notebook (nbformat 4.5) without outputs."""
    rows = []
    for k, (kind, body) in enumerate(cells(text)):
        row = {"cell_type": kind, "id": f"cell{k}", "metadata": {}, "source": body.splitlines(keepends=True)}
        rows.append(row | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": rows,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def texts() -> dict[str, str]:
    """Return {name of a notebook: its text}."""
    return {f"{path.stem}.ipynb": notebook(path.read_text()) for path in sorted(FOLDER.glob("*.py"))}


def main() -> None:
    """Write all notebooks."""
    for name, text in texts().items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
