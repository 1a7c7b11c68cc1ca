"""Code that depends on the release: each place names a row in the table of changes, and each row has a place in the code."""

import ast
import re

from tests.house.sources import ROOT, nodes
from tumble.engine.tables import compat_rows

TABLE = "engine/tables/compat_rows.py"
# functions that take the name of a change
ASKED = {"bit", "holds"}


def sources():
    """Yield (name, path) of the package's files, but that of the table."""
    for folder in ("engine", "render", "app", "ui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name != TABLE:
                yield name, path


def sites():
    """{change: files that name it}, and (file, name) of calls that name no change."""
    found, unknown = {row.name: set() for row in compat_rows.ROWS}, []
    for name, path in sources():
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ASKED and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value not in found:
                    unknown.append((name, first.value))
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for word in {node.value, *re.findall(r"changed:([\w|]+)", node.value)}:
                    for part in word.split("|"):
                        if part in found:
                            found[part].add(name)
    return found, unknown


def test_each_site_names_a_row_and_each_row_has_a_site():
    found, unknown = sites()
    assert not unknown
    assert not [name for name, files in found.items() if not files]


def test_rows_of_steps_fit_into_a_model():
    assert all(compat_rows.PLACE[row.name] < compat_rows.MOST for row in compat_rows.ROWS if row.where == "step")
    assert len(compat_rows.PLACE) == len(compat_rows.ROWS)
