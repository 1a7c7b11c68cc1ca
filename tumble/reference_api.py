"""Generates reference pages of the programming interface: functions, enumerations, classes, commands and environment
variables. Sources are the stubs, help texts and the command-line parser."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import argparse
import ast
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from . import engine
from .app import arguments
from .reference_page import page, table

STUBS = pathlib.Path(__file__).parent
# (prefixes of names, heading for functions with such a prefix); the first match counts
GROUPS = (
    ("mjcb_", "Callbacks"),
    ("mju_", "Vectors, matrices, quaternions and other mathematics"),
    ("mjd_", "Derivatives"),
    ("mjv_", "Scenes: what is drawn"),
    ("mjr_", "Drawing with OpenGL"),
    ("mjp_", "Plugins and providers of resources"),
    ("set_mj", "Callbacks"),
    ("get_mj", "Callbacks"),
    ("mj_", "Simulation, models and queries"),
    ("", "Other functions of this package"),
)
# the stub of the package itself
PACKAGE = "__init__"
# Modules on the page of classes, each with a description.
CLASSES = (
    ("batch", "many worlds of one model"),
    ("rollout", "open-loop simulations"),
    ("renderer", "pictures as arrays"),
    ("studio", "pictures to publish"),
    ("viewer", "windows and browsers of scripts"),
    ("minimize", "least squares"),
    ("debug", "replacing stages and checking models"),
    ("gl_context", "drawing without a window"),
    ("msh2obj", "converting mesh files"),
)
# (variable, values, effect)
ENVIRONMENT = (
    ("TUMBLE_BOUNDSCHECK", "1", "compile kernels with index checks; slow, for developing kernels"),
    ("TUMBLE_CACHE_DIR", "a folder", "where compiled kernels are stored"),
    ("TUMBLE_COMPAT", "3.4 to 4.0", "the MuJoCo release whose results apply if neither the file nor the program names one"),
    ("TUMBLE_CONFIG", "a folder", "where the viewer stores its settings"),
    ("TUMBLE_GL_CHECK", "1", "check for OpenGL errors after every call; slow, for developing the renderer"),
    ("TUMBLE_INTERPRET", "all, or names of stages", "run kernels as Python functions, so that a debugger stops in them"),
    ("TUMBLE_LEVEL", "x86-64-v2, -v3, -v4, native", "which of a wheel's kernels to use; native compiles for this processor"),
    ("TUMBLE_PLUGIN_PATH", "folders", "folders to search for plugins, in addition to the user's own folder"),
    ("TUMBLE_QUIET", "1", "do not report compiled kernels or the progress of commands"),
    ("TUMBLE_WHEEL_KERNELS", "levels", "which kernels `make wheel` puts into a wheel"),
    ("TUMBLE_WHEEL_PAGES", "an address", "the site to which links in a wheel's description point"),
    ("MUJOCO_GL", "glfw, egl, osmesa, cgl, off", "the library that provides the OpenGL context for drawing without a window"),
    (
        "LP_NUM_THREADS",
        "0, or a number",
        "number of threads of Mesa's software renderer; default: 0 on machines with one or two processors",
    ),
)
# matches a line of a docstring that describes arguments: `name: text`, `name, name: text`
ARGUMENT = re.compile(r"(\w+(?:, \w+)*): (.+)")
# matches the type of an array argument in a function's help text
ARRAY = re.compile(r"NDArray\[numpy\.(\w+)\](?:, \"\[([^\]]*)\]\")?(.*)")


def parsed(stub: str) -> ast.Module:
    """Return the syntax tree of a stub file."""
    return ast.parse((STUBS / f"{stub}.pyi").read_text())


def arguments_of(node: Any) -> list[str]:
    """Return the names of the arguments of a function, or of a class's constructor."""
    if isinstance(node, ast.ClassDef):
        made = grouped(node.body).get("__init__", [])
        return [name for function in made for name in arguments_of(function)]
    args = node.args
    named = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [a.arg for a in named if a is not None and a.arg not in ("self", "cls")]


def split(node: Any) -> tuple[list[str], list[tuple[list[str], str]]]:
    """Return the lines of a docstring as Markdown, and its argument lines as (names, text).

    An argument line is `name: text` or `name, name: text`; indented lines below continue it.
    """
    text = (ast.get_docstring(node) or "").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    known, prose, found = set(arguments_of(node)), [], []
    inside = False
    for line in text.split("\n"):
        match = ARGUMENT.fullmatch(line)
        if match and known.issuperset(names := match[1].split(", ")):
            found.append((names, match[2]))
            inside = True
        elif inside and line.startswith(" "):
            names, start = found[-1]
            found[-1] = names, f"{start} {line.strip()}"
        else:
            prose.append(line)
            inside = False
    while prose and not prose[-1]:
        prose.pop()
    return prose, found


def declared(name: str) -> dict[str, tuple[str, str]]:
    """Return {array argument: (type and shape, other facts)} of a function whose help text declares them."""
    function = getattr(engine, name or "-", None)
    lines = (getattr(function, "__doc__", None) or "").split("\n")
    head = next((line for line in lines if "mujoco._structs" in line or "NDArray" in line), "")
    if not name or not head.startswith(name):
        return {}
    found, sizes = {}, getattr(getattr(getattr(function, "__self__", None), "slow", function), "sizes", {})
    definition = ast.parse(f"def {head}: ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    for a in definition.args.args:
        kind = ast.unparse(a.annotation).replace("'", '"') if a.annotation else ""
        if array := ARRAY.search(kind):
            dtype, shape, flags = array.groups()
            own = re.sub(r"(\d)([a-z])", r"\1 \2", sizes.get(a.arg, "")).replace("+", " + ")
            shown = own or (shape or "any").removesuffix(", 1")
            found[a.arg] = f"{dtype} ({shown})", ", written" if "writeable" in flags else ""
    return found


def described(node: Any, name: str = "") -> list[str]:
    """Return the text of a function or class as Markdown: prose, then an item for each argument that is described."""
    prose, rows = split(node)
    arrays, order = declared(name), arguments_of(node)
    items: dict[str, str] = {a: f"- `{a}`: {start}{end}" for a, (start, end) in arrays.items()}
    for names, text in rows:
        for a in (a for a in names if a in arrays):
            start, end = arrays[a]
            items[a] = f"- `{a}`: {start}{end}; {text}"
        if rest := [a for a in names if a not in arrays]:
            items[rest[0]] = f"- {', '.join(f'`{a}`' for a in rest)}: {text}"
    shown = [items[a] for a in sorted(items, key=order.index)]
    return [*prose, *([""] if prose and shown else []), *shown, *([""] if prose or shown else [])]


def signature(node: Any, name: str = "") -> str:
    """Return the signature of a function or property in a stub: `name(arguments) -> result` or `name: type`."""
    if any(ast.unparse(d) == "property" for d in node.decorator_list):
        return f"{name or node.name}: {ast.unparse(node.returns)}"
    given = ast.unparse(node.args)
    given = re.sub(r"^(self|cls)(, )?", "", given)
    return f"{name or node.name}({given}) -> {ast.unparse(node.returns)}" if node.returns else f"{name or node.name}({given})"


def function_lines(nodes: list[Any], level: str, owner: str = "") -> Iterator[str]:
    """Yield the lines for a function or method of a stub; overloads share one heading."""
    yield f"{level} {nodes[0].name}"
    yield ""
    yield "```python"
    yield from (signature(node, f"{owner}{node.name}") for node in nodes)
    yield "```"
    yield ""
    yield from next((text for node in nodes if (text := described(node, "" if owner else node.name))), [])


def grouped(body: list[Any]) -> dict[str, list[Any]]:
    """Return {name: overloads} for the public functions among a stub's statements."""
    found: dict[str, list[Any]] = {}
    for node in body:
        setter = isinstance(node, ast.FunctionDef) and any(ast.unparse(d).endswith(".setter") for d in node.decorator_list)
        if isinstance(node, ast.FunctionDef) and not setter and (node.name[0] != "_" or node.name == "__init__"):
            found.setdefault(node.name, []).append(node)
    return found


def functions() -> str:
    """Return the reference page of functions."""
    found, groups = grouped(parsed("__init__").body), {title: [] for _, title in GROUPS}
    for name, nodes in found.items():
        groups[next(title for start, title in GROUPS if name.startswith(start))].append((name, nodes))
    lines = [
        "Arguments, results and errors are those of MuJoCo's Python package. Tumble does not convert arrays: an array that is",
        "*written* must be writable and contiguous, and have the type shown. Otherwise, the function raises a FatalError or",
        "TypeError that names the argument. The id of an element that does not exist raises a FatalError, and a file that",
        "cannot be read or written an OSError, unless the text says otherwise.",
        "",
    ]
    for title, rows in groups.items():
        lines += [f"## {title}", ""] if rows else []
        for name, nodes in rows:
            lines += function_lines(nodes, "###")
    return page("Functions", *lines)


def enumerations() -> str:
    """Return the reference page of enumerations."""
    lines = ["Members are integers: `int(mjtGeom.mjGEOM_BOX)`, `mjtGeom(6)`, `mjtGeom['mjGEOM_BOX']`.", ""]
    for name in sorted(n for n in engine.__all__ if n.startswith("mjt")):
        members = getattr(engine, name).__members__
        lines += [f"## {name}", "", *table(("member", "value"), [(f"`{k}`", int(v)) for k, v in members.items()])]
    return page("Enumerations", *lines)


def class_nodes(module: str) -> list[ast.ClassDef]:
    """Return the public classes of a module, including one that it re-exports from the package under the module's name."""
    body = parsed(module).body
    taken = {a.name for node in body if isinstance(node, ast.ImportFrom) and node.level for a in node.names if a.asname}
    taken &= {n for n in taken if n.lower() == module.replace("_", "")}
    found = [*body, *(node for node in parsed(PACKAGE).body if isinstance(node, ast.ClassDef) and node.name in taken)]
    return [node for node in found if isinstance(node, ast.ClassDef) and node.name[0] != "_"]


def classes() -> str:
    """Return the reference page of classes."""
    lines = ["Public classes and functions of modules. To use one, import its module: `from tumble import batch`.", ""]
    for module, doc in CLASSES:
        lines += [f"## tumble.{module}: {doc}", ""]
        for node in class_nodes(module):
            lines += [f"### {module}.{node.name}", "", *described(node)]
            for nodes in grouped(node.body).values():
                made = nodes[0].name == "__init__"
                lines += list(function_lines(nodes, "####", "" if made else f"{node.name}."))
        for nodes in grouped(parsed(module).body).values():
            lines += list(function_lines(nodes, "###", f"{module}."))
    return page("Classes", *lines)


def is_field(node: Any) -> bool:
    """Return whether a method of a class of the package is described on a page of fields: properties, and `add_` methods that
    take fields."""
    with_fields = node.name.startswith("add_") and node.args.kwonlyargs
    return bool(with_fields) or any(ast.unparse(d) == "property" for d in node.decorator_list)


def is_access(node: Any) -> bool:
    """Return whether a method looks up an element by name."""
    return arguments_of(node) == ["name"] and (ast.get_docstring(node) or "").startswith("The ")


def methods() -> str:
    """Return the reference page of methods of the package's own classes."""
    lines = [
        "Methods of the classes in `tumble` itself. Their fields have pages of their own: [Model](model.md), [Data](data.md),",
        "[options](options.md) and [elements of MjSpec](spec.md). A method of several classes is described at the first one.",
        "",
    ]
    done, elsewhere = set(), {node.name for module, _ in CLASSES for node in class_nodes(module)}
    for node in class_nodes(PACKAGE):
        if node.name in elsewhere:
            continue
        shown = [nodes for nodes in grouped(node.body).values() if not is_field(nodes[0])]
        access = [nodes[0].name for nodes in shown if is_access(nodes[0])]
        text = []
        for nodes in shown:
            new = ast.unparse(ast.Module(nodes, []))
            made = nodes[0].name == "__init__"
            if nodes[0].name not in access and new not in done and not (made and not arguments_of(nodes[0])):
                text += list(function_lines(nodes, "###", "" if made else f"{node.name}."))
                done.add("" if made else new)
        if access or text:
            lines += [f"## {node.name}", "", *described(node)]
            lines += [f"Elements by id or name: {', '.join(f'`{n}(name)`' for n in access)}.", ""] if access else []
            lines += text
    return page("Methods", *lines)


def commands() -> str:
    """Return the reference page of commands."""
    lines = ["`tumble model.xml` opens the viewer; `tumble COMMAND --help` prints the same help.", ""]
    status = (
        (0, "success"),
        (1, "error in a file, a model or a device"),
        (2, "error in the command line"),
        (
            3,
            "`doctor`, `diff`, `replay` or `sweep` found problems, differences or failed cases",
        ),
        (130, "stopped by Ctrl+C"),
    )
    lines += ["## Exit status", "", *table(("status", "meaning"), status)]
    choices = next(a for a in arguments.parser()._actions if isinstance(a, argparse._SubParsersAction)).choices
    for row in arguments.ROWS:
        lines += [f"## tumble {row.name}", "", f"{row.help[0].upper()}{row.help[1:]}.", ""]
        shown = [option_row(action) for action in choices[row.name]._actions if action.dest != "help"]
        lines += table(("argument", "what it is"), shown) if shown else []
    return page("Commands", *lines)


def option_row(action: argparse.Action) -> tuple[str, str]:
    """Return the table row of a command-line argument."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if action.choices and not action.metavar:
        value = " or ".join(map(str, action.choices))
    word = f"{', '.join(action.option_strings)} {value}".strip() if action.option_strings else str(action.dest)
    return f"`{word}`", (action.help or "").replace("%%", "%")


def environment() -> str:
    """Return the reference page of environment variables."""
    return page(
        "Environment variables", *table(("variable", "value", "what it does"), [(f"`{a}`", b, c) for a, b, c in ENVIRONMENT])
    )


PAGES: dict[str, tuple[Callable[[], str], str]] = {
    "functions": (functions, "every function, with its arguments, shapes and errors"),
    "classes": (classes, "Batch, Rollout, Renderer, Studio, the viewer's handle"),
    "methods": (methods, "methods of MjModel, MjData, MjSpec and its elements, MjvScene, plugins"),
    "enumerations": (enumerations, "names and values of all enumerations"),
    "commands": (commands, "the command line: every command, option and exit status"),
    "environment": (environment, "environment variables"),
}
