"""Rules of the code base: allowed imports, lengths of files and functions, declared writes of stages."""

import ast
import tomllib

import pytest

from tests.house.sources import PACKAGES, ROOT, SOURCES, each_file, ids, imports, nodes, parsed, text_of

FLOORS = (
    "tables machine core calls math geom dynamics collide constraint solve sense step description plugins api later lanes batch"
).split()
TABLES = {"enums.py", "model_fields.py", "data_fields.py", "consts.py"}
LONGEST_FILE, LONGEST_FUNCTION, LONGEST_LINE = 600, 80, 128


@each_file(SOURCES)
def test_no_oracle_outside_tests(path):
    assert not [n for n in imports(path) if n.split(".")[0] == "mujoco"]


def floor(parts):
    """Layer of a module by its name: engine below render below ui below app below the command line; None for other
    packages and for `tumble` itself.
    """
    if parts == ["tumble"]:
        return None
    if parts[0] == "engine":
        return FLOORS.index(parts[1]) if len(parts) > 1 and parts[1] in FLOORS else len(FLOORS)
    return {"render": 100, "ui": 200, "app": 300, "tumble": 400, "names": 400}.get(parts[0])


def test_every_folder_of_the_engine_has_a_floor():
    folders = {p.parent.name for p in (ROOT / "engine").glob("*/__init__.py")}
    assert folders == set(FLOORS)


@each_file(SOURCES)
def test_imports_go_down(path):
    own = path.relative_to(ROOT).parts
    here = floor([*own[:-1], own[-1][:-3]])
    for name in imports(path):
        parts = name.split(".")
        there = floor(parts)
        if there is None or parts[:2] == list(own[:2]) or (parts[0] == own[0] and parts[0] != "engine"):
            continue
        assert there <= here, f"{ids(path)} imports {name}"


@each_file(sorted((ROOT / "render").rglob("*.py")))
def test_opengl_only_in_one_folder(path):
    if "gl" not in path.relative_to(ROOT).parts and path.name != "offscreen.py":
        assert not [n for n in imports(path) if n.split(".")[0] in ("OpenGL", "glfw")]


@each_file(sorted((ROOT / "engine").rglob("*.py")))
def test_one_place_names_the_compiler(path):
    if (
        path.name
        in (
            "jit.py",
            "intrinsics.py",
            "frozen.py",
            "packs.py",
            "backend.py",
            "lean.py",
            "checked.py",
            "emission.py",
            "target.py",
        )
        and path.parent.name == "machine"
    ):
        return
    assert not [n for n in imports(path) if n.split(".")[0] in ("numba", "llvmlite")]


@each_file(SOURCES)
def test_lengths(path):
    lines = text_of(path).splitlines()
    table = path.name in TABLES or "TABLE" in (ast.get_docstring(parsed(path)) or "").split(":")[0]
    assert table or len(lines) <= LONGEST_FILE, f"{len(lines)} lines"
    assert max(map(len, lines), default=0) <= LONGEST_LINE
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < LONGEST_FUNCTION, (
                f"{node.name} has {node.end_lineno - node.lineno + 1} lines"
            )


@each_file(SOURCES)
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(parsed(path)), "no docstring"


@each_file(SOURCES)
def test_no_swallowed_errors(path):
    for node in nodes(path):
        if isinstance(node, ast.ExceptHandler):
            silent = all(isinstance(s, ast.Pass) for s in node.body)
            broad = node.type is None or isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
            assert not (silent and broad), f"line {node.lineno} swallows every error"


@pytest.mark.parametrize("package", PACKAGES)
def test_top_level_has_no_other_source_folder(package):
    assert (ROOT / package / "__init__.py").is_file()
    known = {*PACKAGES, "assets", "tests", "build", "dist"}
    folders = {
        p.name for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith((".", "__")) and not p.name.endswith(".egg-info")
    }
    assert folders <= known, folders - known


def test_every_folder_of_sources_is_installed():
    """The list of packages in pyproject.toml equals the folders of the checkout."""
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    folders = {".".join(p.parent.relative_to(ROOT).parts) for p in SOURCES if p.name == "__init__.py"}
    assert listed == {"tumble", "tumble.assets"} | {
        name if name.startswith("tumble.") else f"tumble.{name}" for name in folders if name != "tumble"
    }


@each_file(SOURCES)
def test_rooms_are_named_through_the_package(path):
    """A user's own module named `engine` or `app` is never mistaken for ours."""
    for node in nodes(path):
        names = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
        assert not [n for n in names if n.split(".")[0] in ("app", "engine", "render", "ui", "assets")]


# compiled by numba, which infers types; and the programming interface, whose types are in its decorators' texts
TYPED_OTHERWISE = {"inline", "leaf", "kernel", "kernel_fast", "stage", "intrinsic", "public"}


def untyped(node):
    """Public functions and methods without a return type."""
    for child in node.body:
        if isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
            yield from untyped(child)
        elif isinstance(child, ast.FunctionDef) and not child.name.startswith("_") and child.returns is None:
            marks = {ast.unparse(d.func if isinstance(d, ast.Call) else d).rpartition(".")[2] for d in child.decorator_list}
            if not marks & TYPED_OTHERWISE:
                yield f"{child.name}, line {child.lineno}"


@each_file([p for p in SOURCES if p.name != "intrinsics.py"])
def test_public_functions_say_what_they_return(path):
    assert not list(untyped(parsed(path)))
