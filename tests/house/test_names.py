"""Private names stay in their files: names that begin with `_` are used only in the defining file, and in subclasses
through `self`.
"""

import ast
import functools

from tests.house.sources import SOURCES, each_file, nodes

# parts of namedtuple's interface, which begin with `_` so as not to collide with fields
NAMEDTUPLE = {"_replace", "_asdict", "_fields"}


def private(name):
    return name.startswith("_") and not name.startswith("__") and name != "_" and name not in NAMEDTUPLE


@functools.cache
def defined(path):
    """Private names that a file defines: functions, classes, variables, attributes of `self`, slots."""
    found = set()
    for node in nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and own(node.value):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return {name for name in found if private(name)}


def own(node):
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


@functools.cache
def ours():
    """Private names of the whole tree; those of other packages are not checked."""
    return set().union(*map(defined, SOURCES))


@each_file(SOURCES)
def test_private_names_are_used_where_they_are_defined(path):
    own_names, all_names = defined(path), ours()
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and not own(node.value):
            assert node.attr in own_names or node.attr not in all_names, f"line {node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom):
            assert not [a.name for a in node.names if private(a.name)], f"line {node.lineno} imports a private name"


def test_the_reader_sees_private_names():
    """The check is complete: the tree has private names of every type."""
    assert {"_allocate", "_rows", "_thread", "_PLACE"} <= ours()
