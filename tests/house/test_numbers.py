"""No bare numbers for types: comparisons with an enumeration's column use names."""

import ast
import re

from tests.house.sources import ROOT, each_file, nodes
from tumble.engine.description.language.fields import TABLES
from tumble.engine.tables import enums
from tumble.engine.tables.schema import SCHEMAS

# fields whose sentence names the enumeration of their values
ENUMERATED = re.compile(r"\((mjt\w+)\)")
FILES = sorted(p for room in ("app", "engine", "render", "ui", "tumble") for p in (ROOT / room).rglob("*.py"))


def enumerated():
    """Names of all fields that hold a member of an enumeration."""
    found = {f.name for schema in SCHEMAS.values() for f in schema.fields.values() if ENUMERATED.search(f.doc)}
    return found | {
        name
        for table in TABLES.values()
        for name, row in table.items()
        if row.type in vars(enums) or ENUMERATED.search(row.about[1])
    }


# plain numbers in other structs, sums of bits, and sleep states
COLUMNS = enumerated() - {"disableflags", "enableflags", "flags", "mode", "dim", "body_awake", "tree_awake"}


def field_of(node):
    """Name of the field whose element an expression reads; empty if there is none."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Name) and node.func.id == "int":
        return field_of(node.args[0])
    return node.attr if isinstance(node, ast.Attribute) else ""


def local_kinds(function):
    """Names in a function that are assigned from columns of types."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            found |= {t.id for t, v in pairs if isinstance(t, ast.Name) and field_of(v) in COLUMNS}
    return found


def bare(function):
    """Lines of a function that compare a type with a number."""
    kinds = local_kinds(function)
    for node in ast.walk(function):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        typed = any(field_of(s) in COLUMNS or isinstance(s, ast.Name) and s.id in kinds for s in sides)
        numbers = [
            s.value for s in sides if isinstance(s, ast.Constant) and isinstance(s.value, int) and not isinstance(s.value, bool)
        ]
        # `x < 0` and `x >= 0` only test whether there is a type at all
        signs = (
            numbers == [0]
            and not any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
            and not isinstance(node.ops[0], ast.Gt)
        )
        if typed and numbers and not signs:
            yield node.lineno


def test_it_knows_types():
    assert {"geom_type", "jnt_type", "eq_type", "actuator_trntype", "actuator_dyntype", "sensor_type"} <= COLUMNS
    wrong = ast.parse(
        "def f(m, i):\n    kind, k = m.jnt_type[i], 0\n    return kind == 2 or int(m.geom_type[i]) < 3 or kind >= 0 or k == 1"
    ).body[0]
    assert len([*bare(wrong)]) == 2


@each_file(FILES)
def test_types_are_compared_by_name(path):
    lines = {line for f in nodes(path) if isinstance(f, ast.FunctionDef) for line in bare(f)}
    assert not lines, f"{path.relative_to(ROOT)}: bare numbers of types in lines {sorted(lines)}"
