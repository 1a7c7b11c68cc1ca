"""Flags are combined in ways that every release of Python since 3.11.0 allows.

Up to 3.11.3, `a | b` fails if the result has an unnamed bit that is covered by a mask of the class of `a`. Flags of two
classes, keys and masks are therefore combined as integers: `int(a) | int(b)`. One test reads the sources, the other
draws everything.
"""

import ast
import enum
import functools
import importlib
import operator
import pathlib

import pytest
from imgui_bundle import imgui, implot

import tumble
from tests.ui.models import VARIETY
from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui.panels import PANELS

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for room in ("ui", "app", "render")
    for path in (ROOT / room).rglob("*.py")
    if "imgui" in path.read_text(encoding="utf-8")
)


def composes(kind, value):
    """Whether Python 3.11.0 can make a member of a class of flags from a value."""
    members = [int(member) for member in kind.__members__.values()]
    if value in members:
        return True
    every = functools.reduce(operator.or_, members, 0)
    if value < 0:
        value += 1 << every.bit_length()
    single = sum(member for member in set(members) if member > 0 and member & (member - 1) == 0)
    return value & every & ~single == 0


def operands(node):
    """Nodes that one expression combines."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor)):
        return operands(node.left) + operands(node.right)
    if isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor)):
        return operands(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return operands(node.operand)
    if isinstance(node, ast.IfExp):
        return operands(node.body) + operands(node.orelse)
    return [node]


def value_of(node, names):
    """The object that a dotted name of a module refers to; None if only a call can tell."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    return getattr(value_of(node.value, names), node.attr, None) if isinstance(node, ast.Attribute) else None


def combined(tree, names):
    """(line, flags) of all expressions that combine flags."""
    # short names within functions: b = imgui.internal
    aliases = [(node.targets[0], node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    names = names | {
        target.id: value
        for target, source in aliases
        if isinstance(target, ast.Name) and isinstance(source, ast.Attribute) and (value := value_of(source, names)) is not None
    }
    for node in ast.walk(tree):
        if len(parts := operands(node)) > 1 or isinstance(node, ast.AugAssign):
            flags = [value for part in parts if isinstance(value := value_of(part, names), enum.Flag)]
            if flags:
                yield node.lineno, flags


def faults(tree, names):
    found = []
    for line, flags in combined(tree, names):
        kinds, value = {type(flag) for flag in flags}, functools.reduce(operator.or_, map(int, flags))
        if len(kinds) > 1 or not composes(type(flags[0]), value):
            found.append(f"line {line}: combine {', '.join(map(str, flags))} as integers")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_flags_that_are_written(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    names = {"imgui": imgui, "implot": implot}
    if parts[-1] != "__init__" and "only" not in "".join(parts):
        names = vars(importlib.import_module(".".join(("tumble", *parts)))) | names
    assert faults(ast.parse(path.read_text(encoding="utf-8")), names) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("imgui.WindowFlags_.no_nav | imgui.WindowFlags_.no_docking", False),
        ("int(imgui.Key.mod_ctrl) | int(imgui.Key.s)", False),
        ("imgui.Key.mod_ctrl | imgui.Key.s", True),
        ("imgui.WindowFlags_.no_nav | imgui.ChildFlags_.borders", True),
        ("b = imgui.internal\nb.DockNodeFlagsPrivate_.dock_space | imgui.DockNodeFlags_.passthru_central_node", True),
        ("flags = imgui.WindowFlags_.no_nav\nflags |= imgui.WindowFlags_.no_docking", False),
    ],
)
def test_faults_are_found(text, fault):
    assert bool(faults(ast.parse(text), {"imgui": imgui})) == fault


def test_flags_that_are_combined_while_all_is_drawn(gui, tmp_path, monkeypatch):
    missing = enum.Flag.__dict__["_missing_"]
    seen = []

    def strict(kind, value):
        if not composes(kind, value):
            seen.append(f"{kind.__name__}({value})")
        return missing.__get__(None, kind)(value)

    monkeypatch.setattr(enum.Flag, "_missing_", classmethod(strict))
    m = tumble.MjModel.from_xml_string(VARIETY)
    made = Stage(gui, m, tumble.MjData(m), Config(tmp_path / "settings.json"))
    made.config["panels"] = dict.fromkeys((panel.name for panel in PANELS), True)
    made.config["help"] = made.config["palette"] = True
    made.frames(3)
    for panel in PANELS:
        made.panel(panel.name)
    assert seen == []
