"""Makes notebooks of the example scripts: `python -m tumble.notebooks` writes assets/examples/*.ipynb from the *.py files
there.

A line `# %%` begins a code cell. `# %% [markdown]` begins a text cell, whose lines are comments. With `--run`, Jupyter
runs the notebooks and their outputs are stored (extra `docs`). Without it, earlier outputs are kept up to the first changed
cell. A test checks that the notebooks are up to date.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import itertools
import json
import pathlib
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "assets" / "examples"
# time limit for one cell, in seconds
SECONDS = 300
_CELL = re.compile(r"^# %%( \[markdown\])?\n", re.M)


def cells(text: str) -> list[tuple[str, str]]:
    """Return (`markdown` or `code`, text) for each cell of a script."""
    before, *parts = _CELL.split(text)
    assert not before, "a script begins with a cell"
    found = []
    for mark, body in zip(parts[::2], parts[1::2], strict=True):
        body = body.strip("\n")
        found.append(("markdown", re.sub(r"^# ?", "", body, flags=re.M)) if mark else ("code", body))
    return found


def notebook(text: str) -> str:
    """Convert a script to a notebook (nbformat 4.5) without outputs."""
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
    """Return {file name: text} for all notebooks."""
    return {f"{path.stem}.ipynb": notebook(path.read_text()) for path in sorted(FOLDER.glob("*.py"))}


def bare(text: str) -> str:
    """Return a notebook without outputs."""
    return rewritten(text, lambda k, row: row.update(execution_count=None, outputs=[]))


def with_outputs(text: str, old: str) -> str:
    """Return a notebook with the outputs of its older version, up to the first code cell that changed."""
    kept = [row for row in json.loads(old)["cells"] if row["cell_type"] == "code"]
    new = [row for row in json.loads(text)["cells"] if row["cell_type"] == "code"]
    same = len(list(itertools.takewhile(lambda pair: pair[0]["source"] == pair[1]["source"], zip(kept, new))))

    def keep(k: int, row: dict) -> None:
        if k < same:
            row.update(execution_count=kept[k]["execution_count"], outputs=kept[k]["outputs"])

    return rewritten(text, keep)


def rewritten(text: str, change: Callable[[int, dict], None]) -> str:
    """Return a notebook with some code cells replaced. `change`: {number of the cell: its new text}."""
    whole = json.loads(text)
    for k, row in enumerate(row for row in whole["cells"] if row["cell_type"] == "code"):
        change(k, row)
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def executed(text: str) -> str:
    """Run a notebook in Jupyter (extra `docs`), and return it with its outputs. Raise nbclient.CellExecutionError if a cell
    fails."""
    client, formats = import_module("nbclient"), import_module("nbformat")
    whole = formats.reads(text, as_version=4)
    client.NotebookClient(
        whole, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    ).execute()
    code = [row for row in whole.cells if row["cell_type"] == "code"]

    def take(k: int, row: dict) -> None:
        row.update(execution_count=code[k]["execution_count"], outputs=merged(code[k]["outputs"]))

    return rewritten(text, take)


def merged(outputs: list[Any]) -> list[dict]:
    """Return outputs with all printed text merged, because Jupyter splits it differently on each machine. System warnings are
    left out."""
    printed = "".join(o["text"] for o in outputs if o["output_type"] == "stream" and o["name"] == "stdout")
    shown = [json.loads(json.dumps(o)) for o in outputs if o["output_type"] in ("display_data", "execute_result")]
    stream = {"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)}
    return [*([stream] if printed else []), *shown]


def main(run: bool) -> None:
    """Write all notebooks; if `run`, run them first and include their outputs."""
    for name, text in texts().items():
        path = FOLDER / name
        path.write_text(executed(text) if run else with_outputs(text, path.read_text()) if path.exists() else text)


if __name__ == "__main__":
    main("--run" in sys.argv[1:])
