"""Signatures for stubs: types of parameters and results, from help texts, annotations and the tables in `stub_types`."""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable
from typing import Any

from .stub_types import PARAMETERS, RESULTS

# module prefixes to remove from types, because users do not write them
PREFIXES = re.compile(r"\b(?:mj|mjv|typing|collections\.abc|tumble(?:\.[a-z_0-9]+)+)\.")


class Problem(TypeError):
    """Raised if a function's types are unknown; they must be added to `stub_types`."""


def summary(text: str | None, typed: bool = False) -> str:
    """Return a docstring without indentation, and without its first line if that line gives the types."""
    text = inspect.cleandoc(text or "")
    return text.partition("\n")[2].strip() if typed else text


def block(text: str, indent: str) -> list[str]:
    """Return a docstring as indented lines for a stub."""
    if not text:
        return []
    lines = text.replace("\\", "\\\\").split("\n")
    if len(lines) == 1:
        return [f'{indent}"""{text}"""']
    return [f'{indent}"""{lines[0]}', *(f"{indent}{line}".rstrip() for line in lines[1:]), f'{indent}"""']


def typed_line(function: Any) -> str:
    """Return the first line of a function's help if that line gives the types, else an empty string."""
    first = (function.__doc__ or "").partition("\n")[0]
    return first if first.startswith(function.__name__ + "(") and ") -> " in first else ""


def plain(text: str) -> str:
    """Convert a type in a help text to the notation of stubs; empty for `object`, which has no information."""
    optional = text.endswith(" | None")
    core = text.removesuffix(" | None")
    if "NDArray" in core:
        named = re.search(r"NDArray\[numpy\.(\w+)\]", core)
        assert named is not None
        dtype = named[1]
        core = f"npt.NDArray[np.{dtype}]" if "flags.writeable" in core else "npt.ArrayLike"
    core = {"typing.SupportsInt": "SupportsIndex", "typing.SupportsFloat": "SupportsFloat", "object": ""}.get(
        core, core.rpartition("_structs.")[2]
    )
    return core + " | None" if optional and core else core


def look(table: dict[str, str], *keys: str) -> Any:
    """Return the entry of the first name that the table has; None if there is none."""
    return next((table[k] for k in keys if k in table), None)


# annotations that are less precise than a row of stub_types, in modules whose functions convert their arguments
PLAIN = (
    "Any",
    "float",
    "int",
    "Sequence[float]",
    "float | None",
    "int | None",
    "Sequence[float] | None",
    "Sequence[float] | float | None",
)
CONVERTING = "engine.description."
# parameters whose defaults depend on the machine
VARYING = ("own_thread",)
# maximum length of a default that signatures show
LONGEST = 20


def parameter(owner: str, function: str, name: str, found: str = "") -> str:
    """Return the type of a parameter: from the table row for this parameter of this function, else from the code, else from
    the table row for all parameters of this name."""
    known = look(PARAMETERS, f"{owner}.{function}.{name}", f"{function}.{name}") or found or look(PARAMETERS, name)
    if known is None:
        raise Problem(
            f"no type for {name} of {owner}.{function}: annotate it, or add it to tumble/stub_types.py; then `make stubs`"
        )
    return known


def annotation(value: Any) -> str:
    """Return an annotation as text, or an empty string if it has no information."""
    if value in (inspect.Parameter.empty, "Any", "object"):
        return ""
    return type_text(value)


def type_text(value: Any) -> str:
    """Return a type as text; annotations can be strings or objects."""
    if isinstance(value, str):
        return PREFIXES.sub("", value)
    if inspect.isclass(value) and not hasattr(value, "__args__"):
        return f"np.{value.__name__}" if value.__module__ == "numpy" else value.__name__
    return PREFIXES.sub("", str(value)).replace("numpy.", "np.")


def gives_nothing(function: Callable[..., Any]) -> bool:
    """Return whether a function never returns a value."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return all(node.value is None for node in ast.walk(tree) if isinstance(node, ast.Return))


def result_of(owner: str, name: str, function: Any) -> str:
    """Return the result type of a function or property."""
    known = (
        look(RESULTS, f"{owner}.{name}")
        or look(RESULTS, name)
        or annotation(inspect.signature(function).return_annotation)
        or None
    )
    if known is None and gives_nothing(function):
        return "None"
    if known is None:
        raise Problem(
            f"no type for the result of {owner}.{name}: annotate it, or add it to tumble/stub_types.py; then `make stubs`"
        )
    return known


def signature(owner: str, name: str, function: Callable[..., Any], method: bool = False) -> str:
    """Return the signature `(name: type, ...) -> type` of a function."""
    line = typed_line(function)
    return from_help(line, name) if line else from_code(owner, name, function, method)


def default_text(name: str, kind: str, value: Any) -> str:
    """Return the default of a parameter of a type as text; `...` for objects, long numbers and what depends on the machine."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
    fits = type(value) in (bool, int, float, str) or value is None and ("None" in kind or kind == "Any")
    return text if fits and len(text) <= LONGEST and name not in VARYING else "..."


def from_help(line: str, name: str) -> str:
    """Return a signature from the first line of a help text."""
    node = ast.parse(f"def {line}: ...").body[0]
    assert isinstance(node, ast.FunctionDef) and node.returns is not None
    arguments, defaults = node.args.args, [ast.literal_eval(value) for value in node.args.defaults]
    shown = []
    for k, a in enumerate(arguments, len(defaults) - len(arguments)):
        kind = parameter("", name, a.arg, plain(ast.unparse(a.annotation) if a.annotation else ""))
        shown.append(f"{a.arg}: {kind}" + (f" = {default_text(a.arg, kind, defaults[k])}" if k >= 0 else ""))
    return f"({', '.join(shown)}) -> {look(RESULTS, name) or ast.unparse(node.returns).replace('numpy.', 'np.')}"


def from_code(owner: str, name: str, function: Callable[..., Any], method: bool) -> str:
    """Return a signature from a function's parameters."""
    shown, starred = [], False
    for k, p in enumerate(inspect.signature(function).parameters.values()):
        if k == 0 and method:
            shown.append("cls" if p.name == "cls" else "self")
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        starred = starred or p.kind is p.VAR_POSITIONAL
        found = annotation(p.annotation)
        # methods of specs convert their arguments, so the table row of the name is more precise than the annotation
        if found in PLAIN and CONVERTING in function.__module__ and look(PARAMETERS, p.name):
            found = ""
        text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = parameter(owner, name, p.name, found)
        default = f" = {default_text(p.name, kind, p.default)}" if p.default is not p.empty else ""
        shown.append(f"{text}{p.name}: {kind}{default}")
    result = "None" if name == "__init__" else result_of(owner, name, function)
    return f"({', '.join(shown)}) -> {result}"


def function_lines(name: str, function: Any, indent: str = "", owner: str = "", kind: str = "") -> list[str]:
    """Return the lines of a stub for a function, method, static method or class method."""
    # the annotations are those of the Python function that the compiled one replaces
    function = getattr(getattr(function, "__self__", None), "slow", function)
    head = [f"{indent}@{kind}"] if kind else []
    text = signature(owner, name, function, bool(owner) and kind != "staticmethod")
    doc = block(summary(function.__doc__, bool(typed_line(function))), indent + "    ")
    return [*head, f"{indent}def {name}{text}:" + ("" if doc else " ..."), *doc]


def accessor(head: str, kind: str, doc: str) -> list[str]:
    """Return the lines of a stub for a method that returns an element of a class, or None."""
    return [f"    def {head} -> {kind} | _MaybeNone:", f'        """{doc}"""']
