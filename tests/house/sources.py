"""The sources as the rules of the house read them: each file is parsed once for all rules, and the syntax trees are freed after
the last rule (see conftest.py).
"""

import ast
import functools
import gc
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "render", "ui", "app", "tumble")
SOURCES = [p for package in PACKAGES for p in sorted((ROOT / package).rglob("*.py"))]


def ids(path):
    return str(path.relative_to(ROOT))


@functools.cache
def text_of(path):
    return path.read_text()


@functools.cache
def parsed(path):
    # a growing tree contains no garbage, and collection would take as long as parsing
    running = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(text_of(path), str(path))
    finally:
        if running:
            gc.enable()


@functools.cache
def nodes(path):
    """All nodes of a file, in the order of ast.walk, which takes three times as long."""
    found = [parsed(path)]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found.extend(part for part in value if isinstance(part, ast.AST))
    return found


def each_file(paths):
    """Make a test for each folder from a rule for files: `rule(path)` asserts. The test lists all files that break the rule."""
    folders = {}
    for path in paths:
        folders.setdefault(ids(path.parent), []).append(path)

    def decorate(rule):
        @pytest.mark.parametrize("folder", folders)
        def test(folder):
            wrong = []
            for path in folders[folder]:
                try:
                    rule(path)
                except AssertionError as error:
                    wrong.append(f"{ids(path)}: {error}")
            assert not wrong, "\n".join(wrong)

        test.__doc__ = rule.__doc__
        return test

    return decorate


@functools.cache
def imports(path):
    """Names of the modules that a file imports anywhere; those of the project under their names in the checkout."""
    package = ".".join(path.relative_to(ROOT).parts[:-1])
    # installed, all folders are inside one package
    package = package if package.startswith("tumble") else f"tumble.{package}"
    found = _imports(path, package)
    return [name if name.startswith("tumble.late") else name.removeprefix("tumble.") for name in found]


def _imports(path, package):
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
            yield base
            yield from (f"{base}.{a.name}" for a in node.names)


def forget():
    """Free all syntax trees, which take 250 MB."""
    for kept in (text_of, parsed, nodes, imports):
        kept.cache_clear()
