"""Keeps results of benchmarks in tests/bench/results: a folder for each kind of machine, and in each file the command.

python -m tests.bench.keep        # prints what is kept
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import sys
from typing import Any

import tumble

RESULTS = pathlib.Path(__file__).with_name("results")
PACKAGES = ("mujoco", "numba", "llvmlite", "numpy")


def processor() -> str:
    """The name of the processor, as the system gives it."""
    path = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)$", path.read_text(), re.M) if path.exists() else None
    return found[1].strip() if found else platform.processor() or platform.machine()


def machine() -> str:
    """The name of the folder for results of this machine: processor, number of cores, system."""
    words = f"{processor()} {os.cpu_count()} cores {platform.system()}".lower()
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\((r|tm)\)", "", words)).strip("-")


def plain(word: str) -> str:
    """Return a word of the command line in a form that works on other machines, without paths of this machine."""
    if os.path.isabs(word):
        return "PYTHON40" if "python" in os.path.basename(word) else os.path.basename(word)
    return f'"{word}"' if " " in word else word


def save(name: str, rows: list[dict[str, Any]], note: str = "", **more: Any) -> pathlib.Path:
    """Write rows of numbers with what is needed to measure them again; return the file. `note`: what else ran, for instance."""
    module = sys.modules["__main__"].__spec__
    path = RESULTS / machine() / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "command": " ".join(["python -m", module.name if module else "?", *map(plain, sys.argv[1:])]),
        "day": datetime.date.today().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "tumble": tumble.tumble_version,
        **{name: importlib.metadata.version(name) for name in PACKAGES},
        **more,
        "note": note,
    }
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    path.write_text(json.dumps(head, indent=1)[:-2] + f',\n "rows": [\n  {lines}\n ]\n}}\n', encoding="utf-8")
    return path


def main() -> None:
    for path in sorted(RESULTS.glob("*/*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        print(f"{path.relative_to(RESULTS)}: {len(kept['rows'])} rows of {kept['day']} by  {kept['command']}")
        if kept["note"]:
            print(f"    {kept['note']}")


if __name__ == "__main__":
    main()
