"""Packages of the robot description: a package imports from packages below it, and a file from earlier files of its package."""

import ast

from tests.house.sources import ROOT, each_file, ids, imports, nodes, parsed

PACKAGE = "engine.description"
# packages from the bottom up, and the files of each in their order of dependence
ROOMS = {
    "language": "errors free_names kinds types orient arrays xmltree hashes depth xml_text keywords shortcut_rows "
    "newer_rows grammar column_rows ours attributes schema structs vectors "
    "unheld later_fields fields about",
    "files": "cache providers resources repeatable vfs",
    "elements": "element servo_shortcuts shortcuts elements signature spec keyframes references edit conflicts attach "
    "mesh_shapes dedup state",
    "compile": "timing table structure resolve materials bvh plugins distance_field mesh images texture fit placing frames "
    "inertia fuse flex skin contacts equality tendon servos actuator sensors "
    "custom history discard name_buffers sizes columns pack constants scaling_rows scaling repeat driver recompile",
    "read": "include reader settings custom assets composite flexcomp bodies macros actuators sensors links mjcf urdf parse",
    "write": "write_table writer model_values settings assets custom bodies links sensors notation authored authored_tree "
    "authored_text mjcf",
    "rewrite": "numbers tags patch origin pose snippet",
    "robots": "report pieces words packages archives locate winding parts xml_data plain_meshes wavefront collada gltf "
    "threemf meshes inertias solid deviation bodies decomposing fitting urdf sensors sdf usd_layers usd_shapes "
    "usd_masses usd_joints usd tree mesh_files shapes build attachments overlaps xacro_files bare importing folder export",
    "": "again load copyback live save archive encode flexes reduce spec imports bind",
}
# modules that may be loaded late, because they cost start-up time and few models need them
MAX_INSIDE = 8
PLACES = {
    f"{PACKAGE}.{room}.{name}" if room else f"{PACKAGE}.{name}": (k, i)
    for k, (room, files) in enumerate(ROOMS.items())
    for i, name in enumerate(files.split())
}
FILES = sorted(p for p in (ROOT / "engine/description").rglob("*.py") if p.name != "__init__.py")


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def inner_imports(path):
    """Statements inside functions that import our modules."""
    functions = [n for n in nodes(path) if isinstance(n, ast.FunctionDef)]
    return {n.lineno: n for f in functions for n in ast.walk(f) if isinstance(n, ast.ImportFrom) and n.level}


def test_the_order_names_every_file():
    assert {name_of(p) for p in FILES} == set(PLACES)


@each_file(FILES)
def test_imports_go_down_from_room_to_room_and_file_to_file(path):
    here = PLACES[name_of(path)]
    for name in imports(path):
        if name in PLACES:
            assert PLACES[name] < here, f"{ids(path)} imports {name}"
        elif name.startswith(PACKAGE + "."):
            # a package, or a name in one of its files
            room = list(ROOMS).index(name.split(".")[2]) if name.split(".")[2] in ROOMS else len(ROOMS) - 1
            assert room <= here[0], f"{ids(path)} imports {name}"


@each_file(FILES)
def test_late_imports_say_what_they_save(path):
    lines = path.read_text().splitlines()
    for number in inner_imports(path):
        assert " ms " in lines[number - 2] and lines[number - 2].lstrip().startswith("#"), (
            f"line {number}: no measured cost above it"
        )


def test_late_imports_are_few():
    assert sum(len(inner_imports(p)) for p in FILES) <= MAX_INSIDE


@each_file(FILES)
def test_rooms_are_maps_of_their_files(path):
    """The docstring of a package names each of its files."""
    room = path.parent / "__init__.py"
    assert path.stem in (ast.get_docstring(parsed(room)) or "").replace(",", " ").replace("`", " ").split()


TYPED = {
    "type",
    "kind",
    "objtype",
    "reftype",
    "trntype",
    "dyntype",
    "gaintype",
    "biastype",
    "builtin",
    "mark",
    "colorspace",
    "inertiafromgeom",
    "align",
    "sameframe",
    "typeinertia",
    "elastic2d",
}


def word(node):
    """The last word of a name, an attribute or a row of raw fields: `type` in g.type[i], raw["type"], m.jnt_type."""
    if isinstance(node, ast.Subscript):
        key = node.slice
        return (
            key.value.rpartition("_")[2] if isinstance(key, ast.Constant) and isinstance(key.value, str) else word(node.value)
        )
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return word(node.args[0])
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.rpartition("_")[2]


def is_number(node):
    return (
        isinstance(node, ast.Constant)
        and type(node.value) is int
        or isinstance(node, ast.Tuple)
        and any(map(is_number, node.elts))
    )


@each_file(FILES)
def test_types_have_names(path):
    """No type is compared with a bare number, and no table has such numbers as keys."""
    for node in nodes(path):
        if isinstance(node, ast.Compare):
            assert word(node.left) not in TYPED or not any(map(is_number, node.comparators)), (
                f"line {node.lineno}: {ast.unparse(node)}"
            )
        if isinstance(node, ast.Dict) and len(node.keys) > 1 and all(map(is_number, node.keys)):
            assert {ast.unparse(v) for v in node.values} <= CHANNELS, f"line {node.lineno}: {ast.unparse(node)}"
        if isinstance(node, ast.Assign) and is_number(node.value) and len(node.targets) == 1:
            assert word(node.targets[0]) not in TYPED, f"line {node.lineno}: {ast.unparse(node)}"


# modes of images by their number of channels, which is not a type
CHANNELS = {"'L'", "'RGB'", "'RGBA'"}
