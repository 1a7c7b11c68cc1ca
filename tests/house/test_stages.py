"""Stages: the table, the writes declared in docstrings, and the fields."""

import ast
import importlib.util
import re

import pytest

from tests.house.sources import ROOT, nodes, parsed
from tumble.engine.api import entries
from tumble.engine.tables.schema import INTERNAL, SCHEMAS
from tumble.engine.tables.stage_rows import MODULE, ROWS, everything
from tumble.render.scene import calls as scene_calls

DATA = SCHEMAS["MjData"]
MODEL = SCHEMAS["MjModel"]
HOOKS = [row for row in ROWS if row[1] == "-"]
STAGES = [row for row in ROWS if row[1] != "-"]


@pytest.mark.parametrize("row", STAGES, ids=lambda r: r[0])
def test_every_stage_is_found_where_the_table_says(row):
    path = ROOT / "engine" / (row[1].replace(".", "/") + ".py")
    names = {n.name for n in parsed(path).body if isinstance(n, ast.FunctionDef)}
    assert row[0] in names


@pytest.mark.parametrize("row", STAGES, ids=lambda r: r[0])
def test_every_stage_says_what_it_does(row):
    path = ROOT / "engine" / (row[1].replace(".", "/") + ".py")
    function = next(n for n in parsed(path).body if isinstance(n, ast.FunctionDef) and n.name == row[0])
    assert ast.get_docstring(function)


def written(node):
    """Names of Data fields that a function's body assigns directly."""
    found = set()
    for n in ast.walk(node):
        targets = n.targets if isinstance(n, ast.Assign) else [n.target] if isinstance(n, ast.AugAssign) else []
        for t in targets:
            for part in t.elts if isinstance(t, ast.Tuple) else [t]:
                # in `d.x[d.index[k]]`, the target is x
                leaf = part.value if isinstance(part, ast.Subscript) else part
                if isinstance(leaf, ast.Attribute) and isinstance(leaf.value, ast.Name) and leaf.value.id == "d":
                    found.add(leaf.attr)
        if (
            isinstance(n, ast.Call)
            and isinstance(n.func, ast.Name)
            and n.func.id == "store"
            and isinstance(n.args[0], ast.Attribute)
        ):
            if isinstance(n.args[0].value, ast.Name) and n.args[0].value.id == "d":
                found.add(n.args[0].attr)
    return found


@pytest.mark.parametrize("row", STAGES, ids=lambda r: r[0])
def test_a_stage_lists_the_public_fields_it_writes(row):
    path = ROOT / "engine" / (row[1].replace(".", "/") + ".py")
    function = next(n for n in parsed(path).body if isinstance(n, ast.FunctionDef) and n.name == row[0])
    doc = ast.get_docstring(function) or ""
    if "every" in doc:
        return
    words = set(re.findall(r"[A-Za-z_0-9]+", doc))
    prefixes = {w[:-1] for w in re.findall(r"[A-Za-z_0-9]+_\*?", doc)}
    for name in written(function):
        field = DATA.fields.get(name)
        if field is None or field.group in INTERNAL or field.group == "statistics":
            continue
        assert name in words or any(name.startswith(p) for p in prefixes), f"{row[0]} writes {name} and does not say so"


def test_fields_are_known_sizes():
    sizes = {*DATA.sizes}
    for f in DATA.arrays:
        assert all(isinstance(n, int) or n in sizes for n in f.dims), f
        assert not f.used or f.used in DATA.slot, f


def test_every_compiled_function_has_a_row():
    """A stage without a row would be compiled in the middle of a call: no wheel contains it, and no warm-up compiles it."""
    found = {}
    for path in [*(ROOT / "engine").rglob("*.py"), *(ROOT / "render").rglob("*.py")]:
        # modules are named from the engine
        home, beside = (ROOT / "engine", "") if path.is_relative_to(ROOT / "engine") else (ROOT, ".")
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef) and any(
                re.match(r"(jit\.)?stage\b", ast.unparse(d)) for d in node.decorator_list
            ):
                found[node.name] = beside + ".".join(path.relative_to(home).with_suffix("").parts)
    # bodies of public functions are generated from their rows
    bodies = {name for name in everything() if name.startswith(entries.PREFIX)}
    assert found == {name: MODULE[name] for name in everything() if name not in bodies}
    assert scene_calls.MODULES and bodies == entries.FUNCTIONS.keys()


def test_every_module_of_the_table_can_be_found():
    for _, module, *_ in STAGES:
        assert importlib.util.find_spec(f"tumble.engine.{module}"), module
