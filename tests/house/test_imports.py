"""Imports between files: no cycles, and only downward, also inside packages. Late imports are few, and each says what it saves.

An import counts wherever it is, inside a function or by the string argument of `import_module`. Imports for type checkers
form no cycles either, but may go in any direction inside a package.
"""

import ast
import functools
import re

import pytest

from tests.house.sources import ROOT, SOURCES, each_file, nodes

# number of our imports inside functions, in the whole tree
MAX_INSIDE = 25
# rows of files, lowest layer first: files of one row do not import each other, and import only from rows above
LAYERS = {
    "engine.tables": """
        compat_rows consts scratch units values model_fields data_fields option_fields
        face_rows
        actuator_rows equality_rows force_rows geom_rows sensor_rows solver_rows
        enums schema stage_rows
        later_enums
        named_access validate_terms
        validate_assets validate_bodies validate_objects
        validate
    """,
    "engine.machine": """
        arithmetic emission extensions garbage layout lean regular shared_work systems target
        pack_values
        memory stamp storage store
        archive intrinsics
        backend frozen packs
        checked jit
        interpret lang
    """,
    "engine.core": """
        listed logs owner pace printing records
        struct turns edits
        options stages
        model report timers counts
        binary hooks arena
        plugin pair_hooks
        debug data
    """,
    "engine.calls": """
        compiled warm
        meanwhile waiting
    """,
    "engine.later": """
        faces structs whitened metric contacts mirror
        fields options states kept
        differing_fields
        model specs
        data
        calls
    """,
    "render.scene": """
        label_texts rotate record_arrays strokes catenary simplify
        options figure
        abstract
        emit printing surfaces
        camera bodies decor_plugin
        interact tessellate decor_model
        pick decor_contact
        decor_debug
        decor
        build
        kernels calls
    """,
    "render.gl": """
        libraries quality lighting record_kernels
        frame instances
        calls assets
        state context
        materials
        buffers programs targets textures picture figure only_glfw only_osmesa
        text gradient
        renderer
        image
        pane outline
        mjr_context
        mjr
    """,
    "ui": """
        simulation_intents slider_keys fallback letters
        arithmetic merge intents icons theme element_names tips fields telemetry xml_colors chords
        shapes
        board shown
        context health release splash source_help examples markdown
        widgets reveal
        sliders
        rail scope live
        plotting gizmo labels
        page playback
        panels plots images gallery browse statusbar timeline
        touch layout
        script_panels
        showmenu trusting
        overlay
        chooser computing search axes
        demos
        start grid limits toolbar viewmenu hover leaving
    """,
    "app": """
        terminal addons warned logbook files trajectory settable arguments finding observers shaping
        config channels window lock pacing state_history recorder noise looks reload transfer film effort gestures keymap
        messages kernels trust backend drafts flags puppet posing needs exports
        undo plugins ghosts grip journey begun edits staging
        robots completion
        compiling
        __main__ simulation loading record activity gui insets
        reverse photo
        commands snapshot host view filming told splash thumbnails
        fly importing dropin worker replay document display settings headless compare render sweep serving passive_host
        editing
        parts
        undo_rows memory events interface trace saving recordings additions
        robot_actions
        actions
        session
        opening
        boot
        windows
        passive
    """,
}
# a time in the comment above an import
COST = re.compile(r"\d m?s\b")


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(p): p for p in SOURCES}


def target(module, path, level, name):
    """Full name of what `from ..name import` means in a file."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    # installed, all folders are inside one package
    parts = [] if package in ("", "tumble") else package.split(".")
    parts = ["tumble", *parts]
    base = parts[: len(parts) - level + 1] if level else []
    return ".".join([*base, *([name] if name else [])]).removeprefix("tumble.")


def text_of(node):
    """The string value of an argument; None if it is computed."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def span(node):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def within(node, outer):
    """Whether a node lies inside one of the spans `outer`, other than its own."""
    begin, end = span(node)
    return any(first <= begin and end <= last and (first, last) != (begin, end) for first, last in outer)


def statements(path):
    """(node, whether only type checkers see it, whether it is inside a function) of whatever may import a module."""
    checked = [span(n) for n in nodes(path) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    functions = [span(n) for n in nodes(path) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
    for node in nodes(path):
        if isinstance(node, (ast.Import, ast.ImportFrom)) or isinstance(node, ast.Call) and len(node.args) == 2:
            yield node, within(node, checked), within(node, functions)


@functools.cache
def rows_of(module):
    """[(only for type checkers, line, inside a function, modules)] of all our modules that a file imports; for a string with
    a computed end: no modules.
    """
    path = MODULES[module]
    rows: list[tuple[bool, int, bool, list[str]]] = []
    for node, typing, inside in statements(path):
        if isinstance(node, ast.Import):
            found = [a.name.removeprefix("tumble.") for a in node.names if a.name.partition(".")[0] == "tumble"]
        elif isinstance(node, ast.ImportFrom):
            base = (target(module, path, node.level, node.module) if node.level else node.module) or ""
            if not node.level and base.partition(".")[0] != "tumble":
                continue
            base = base.removeprefix("tumble.")
            found = [full if (full := f"{base}.{a.name}".removeprefix("tumble.")) in MODULES else base for a in node.names]
        else:
            if len(node.args) == 2 and ast.unparse(node.func).endswith("import_module"):
                text = text_of(node.args[0])
                level = len(text) - len(text.lstrip(".")) if text else 0
                full = target(module, path, level, text[level:]) if text and level else None
                rows.append((typing, node.lineno, inside, [full] if full in MODULES else []))
            continue
        if found := [f for f in found if f in MODULES and f != module]:
            rows.append((typing, node.lineno, inside, found))
    return rows


def found_in(module, types=False):
    """[(line, inside a function, modules)] of `rows_of`; `types`: also those that only type checkers import."""
    return [row for typing, *row in rows_of(module) if types or not typing]


@functools.cache
def edges(types=False):
    return {m: sorted({f for _, _, found in found_in(m, types) for f in found}) for m in MODULES}


def circle(types=False):
    """A list of modules, each of which imports the next, and the last the first; empty if there is none."""
    state, trail = {}, []

    def visit(m):
        state[m] = "open"
        trail.append(m)
        for other in edges(types)[m]:
            if state.get(other) == "open":
                return [*trail[trail.index(other) :], other]
            if other not in state and (found := visit(other)):
                return found
        trail.pop()
        state[m] = "done"
        return []

    return next((found for m in MODULES if m not in state and (found := visit(m))), [])


@pytest.mark.parametrize("types", [False, True], ids=["run", "checked"])
def test_no_import_circles(types):
    assert not circle(types), " -> ".join(circle(types))


def test_the_reader_sees_imports_of_every_kind():
    """The check is complete: a known import of each type is found."""
    assert "engine" in edges()["app.view"], "a room by `from .. import`"
    assert "ui.intents" in edges()["app.view"] and "engine.core.stages" in edges()["engine.core.hooks"]
    assert any(inside and "app.opening" in found for _, inside, found in found_in("app.boot"))
    assert any(inside and not found for _, inside, found in found_in("ui.panels")), "by a string"
    assert "app.session" not in edges()["app.windows"] and "app.session" in edges(True)["app.windows"], "only for types"


@pytest.mark.parametrize("package", LAYERS)
def test_layers_name_every_file(package):
    named = LAYERS[package].split()
    files = {m.rpartition(".")[2] for m, p in MODULES.items() if m.rpartition(".")[0] == package and p.name != "__init__.py"}
    assert len(named) == len(set(named)) and set(named) == files, set(named) ^ files


@pytest.mark.parametrize("package", LAYERS)
def test_imports_go_down_inside_a_package(package):
    layer = {f"{package}.{name}": k for k, row in enumerate(LAYERS[package].strip().splitlines()) for name in row.split()}
    wrong = [f"{m} imports {other}" for m in layer for other in edges()[m] if layer.get(other, -1) >= layer[m]]
    assert not wrong, wrong


def late():
    """(module, line) of every import of ours inside a function."""
    return [(m, line) for m in MODULES for line, inside, _ in found_in(m) if inside]


def test_late_imports_are_few():
    assert len(late()) <= MAX_INSIDE, late()


@each_file(SOURCES)
def test_late_imports_say_what_they_save(path):
    lines = path.read_text().splitlines()
    for line, inside, _ in found_in(module_of(path)):
        # the comment is above the statement, or is the docstring of a function with only that statement
        above = " ".join(lines[max(0, line - 3) : line - 1])
        assert not inside or COST.search(above), f"line {line}: no measured cost above it"
