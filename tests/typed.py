"""Type checks of the sources: of all files, or of the files that changed since the last passed check.

    python -m tests.typed          what changed, and the files that import it    (`make quick`)
    python -m tests.typed --all    everything                                    (`make lint`, `make test`)

A passed check is kept in the environment's folder: one row for each file, its digest and the modules that it imports. A file
that did not change can still have a new error by a change two imports away: only the whole check finds it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

from tests.house.sources import ROOT, SOURCES, ids, imports

KEPT = Path(sys.prefix) / ".types.json"
# Maximum number of files to check, which takes most of a minute. If more files import a change, check only the changed files.
MOST = 250


def tool() -> str:
    """Return everything besides the sources on which the results depend."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pyright"]
    return f"{version('pyright')} {sys.version_info[:2]} {ROOT} {json.dumps(settings, sort_keys=True)}"


def rows(before: dict[str, list]) -> dict[str, list]:
    """{file: [digest, modules that it imports]} of all sources; of files that did not change from what was kept."""
    found = {}
    for path in SOURCES:
        name, digest = ids(path), hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
        old = before.get(name)
        found[name] = old if old and old[0] == digest else [digest, sorted(set(imports(path)))]
    return found


def module_of(name: str) -> str:
    return name.removesuffix(".py").replace(os.sep, ".").removesuffix(".__init__")


def chosen(before: dict[str, list], now: dict[str, list]) -> tuple[list[str], int]:
    """Return (changed files, and files that import a changed or removed one; number of files left out)."""
    changed = {name for name, row in now.items() if before.get(name) != row}
    modules = {module_of(name) for name in changed | (before.keys() - now.keys())}
    users = {name for name, (_digest, used) in now.items() if modules & set(used)}
    if len(changed | users) > MOST:
        return sorted(changed), len(users - changed)
    return sorted(changed | users), 0


def kept() -> dict[str, list]:
    """Return the stored rows of the last passed check with the same tool; empty if there was none."""
    try:
        stored = json.loads(KEPT.read_text())
        return stored["rows"] if stored["tool"] == tool() else {}
    except (OSError, ValueError, KeyError):
        return {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    everything = parser.parse_args().all
    before = kept()
    now = rows(before)
    files, left = ([], 0) if everything or not before else chosen(before, now)
    if before and not everything and not files:
        print("no source changed since its types were last checked")
        return 0

    done = subprocess.run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable, *files], cwd=ROOT, check=False)
    if left:
        print(f"the types of {left} more files, which import what changed, are left to `make lint`")
    elif not done.returncode:
        KEPT.write_text(json.dumps({"tool": tool(), "rows": now}))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
