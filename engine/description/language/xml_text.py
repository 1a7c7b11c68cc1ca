"""XML nodes as text: numbers in their shortest exact form, characters escaped, in the layout of canonical MJCF."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .xmltree import Node

# elements whose opening line is preceded by an empty line
SECTIONS = (
    "<actuator",
    "<asset",
    "<compiler",
    "<contact>",
    "<custom",
    "<default>",
    "<deformable",
    "<equality",
    "<extension",
    "<keyframe",
    "<option",
    "<sensor",
    "<size",
    "<statistic",
    "<tendon",
    "<visual",
    "<worldbody",
)
MARKS = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
WHOLE = 2.0**31
# line break before each row of a table of numbers inside one attribute
LINE = "\n" + 12 * " "


def number(x: float) -> str:
    """Return the shortest text that reads back as the same real number; whole numbers have no decimal point."""
    if -WHOLE < x < WHOLE and x == int(x):
        return str(int(x))
    text = f"{x:.6g}"
    return text if float(text) == x else repr(float(x))


def numbers(values: Iterable[float]) -> str:
    """Return the text of a sequence of reals."""
    return " ".join([number(x) for x in values])


def singles(values: Any) -> np.ndarray:
    """Return single-precision numbers as doubles with the fewest decimals that read back as the same single-precision
    numbers."""
    a = np.asarray(values, np.float32).ravel()
    out = np.array([f"{x:.6g}" for x in a.tolist()], dtype=np.float64) if a.size else np.zeros(0)
    with np.errstate(over="ignore"):
        rest = np.flatnonzero((out.astype(np.float32) != a) & (a == a))
    for i in rest:
        out[i] = float(str(a[i]))
    return out


def tree_text(root: Node) -> str:
    """Return a node and everything below it as text: two spaces per level, empty lines before sections, a final line feed."""
    lines = []
    _lines(root, "", lines)
    first = next((i for i, line in enumerate(lines) if line.lstrip().startswith(SECTIONS)), None)
    out = []
    for i, line in enumerate(lines):
        if i != first and line.lstrip().startswith(SECTIONS):
            out.append("")
        out.append(line)
    return "\n".join(out) + "\n"


def _lines(node: Node, indent: str, lines: list[str]) -> None:
    head = (
        indent
        + "<"
        + node.tag
        + "".join([f' {k}="{v if v.startswith(LINE) else v.translate(MARKS)}"' for k, v in node.attrs.items()])
    )
    if not node.children and not node.comment:
        lines.append(head + "/>")
        return
    lines.append(head + ">")
    if node.comment:
        lines.append(f"{indent}  <!--{node.comment}-->")
    for child in node.children:
        _lines(child, indent + "  ", lines)
    lines.append(f"{indent}</{node.tag}>")
