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
# (module, description) for the page of classes; elements of MjSpec have their own page
CLASSES = (
    ("batch", "many worlds of one model"),
    ("rollout", "open-loop simulations"),
    ("renderer", "pictures as arrays"),
    ("studio", "pictures to publish"),
    ("viewer", "windows and browsers of scripts"),
    ("minimize", "least squares"),
    ("debug", "replacing stages and checking models"),
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
# matches the type of an array argument in a function's help text
ARRAY = re.compile(r"NDArray\[numpy\.(\w+)\](?:, \"\[([^\]]*)\]\")?(.*)")


def parsed(stub: str) -> ast.Module:
    """Return the syntax tree of a stub file."""
    return ast.parse((STUBS / f"{stub}.pyi").read_text())


def text_of(node: Any) -> list[str]:
    """Return the lines of a docstring as Markdown."""
    text = (ast.get_docstring(node) or "").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    return [*text.split("\n"), ""] if text else []


def shapes(name: str) -> list[str]:
    """Return one line for each array argument of a function: its type, its shape, and whether the function writes to it."""
    head = next(
        (
            line
            for line in (getattr(engine, name, None).__doc__ or "").split("\n")
            if "mujoco._structs" in line or "NDArray" in line
        ),
        "",
    )
    if not head.startswith(name):
        return []
    found = []
    for a in ast.parse(f"def {head}: ...").body[0].args.args:
        kind = ast.unparse(a.annotation).replace("'", '"') if a.annotation else ""
        if array := ARRAY.search(kind):
            dtype, shape, flags = array.groups()
            shown = (shape or "any").replace(", 1", "") if shape != "m, n" else "m, n"
            found.append(f"- `{a.arg}`: {dtype} ({shown})" + (", written" if "writeable" in flags else ""))
    return [*found, ""] if found else []


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
    yield from next((text for node in nodes if (text := text_of(node))), [])


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
        "TypeError that names the argument.",
        "",
    ]
    for title, rows in groups.items():
        lines += [f"## {title}", ""] if rows else []
        for name, nodes in rows:
            lines += [*function_lines(nodes, "###"), *shapes(name)]
    return page("Functions", *lines)


def enumerations() -> str:
    """Return the reference page of enumerations."""
    lines = ["Members are integers: `int(mjtGeom.mjGEOM_BOX)`, `mjtGeom(6)`, `mjtGeom['mjGEOM_BOX']`.", ""]
    for name in sorted(n for n in engine.__all__ if n.startswith("mjt")):
        members = getattr(engine, name).__members__
        lines += [f"## {name}", "", *table(("member", "value"), [(f"`{k}`", int(v)) for k, v in members.items()])]
    return page("Enumerations", *lines)


def classes() -> str:
    """Return the reference page of classes."""
    lines = ["Public classes and functions of modules. To use one, import its module: `from tumble import batch`.", ""]
    for module, doc in CLASSES:
        lines += [f"## tumble.{module}: {doc}", ""]
        body = parsed(module).body
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name[0] != "_":
                lines += [f"### {module}.{node.name}", "", *text_of(node)]
                for nodes in grouped(node.body).values():
                    made = nodes[0].name == "__init__"
                    lines += list(function_lines(nodes, "####", "" if made else f"{node.name}."))
        for nodes in grouped(body).values():
            lines += list(function_lines(nodes, "###", f"{module}."))
    return page("Classes", *lines)


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
    "enumerations": (enumerations, "names and values of all enumerations"),
    "commands": (commands, "the command line: every command, option and exit status"),
    "environment": (environment, "environment variables"),
}
