"""Tree of nodes → text: numbers as short as they can be read back exactly, marks escaped, the layout of canonical MJCF."""

import numpy as np

# a line that opens one of these is set apart by an empty line
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
# before each row of a table of numbers that stands in one attribute
LINE = "\n" + 12 * " "


def number(x) -> str:
    """The shortest text of a real that reads back as the same number; whole numbers without a point."""
    if -WHOLE < x < WHOLE and x == int(x):
        return str(int(x))
    text = f"{x:.6g}"
    return text if float(text) == x else repr(float(x))


def numbers(values) -> str:
    """Text of a sequence of reals."""
    return " ".join([number(x) for x in values])


def singles(values) -> np.ndarray:
    """Single precision numbers → doubles with the shortest decimals that read back as the same single."""
    a = np.asarray(values, np.float32).ravel()
    out = np.array([f"{x:.6g}" for x in a.tolist()], dtype=np.float64) if a.size else np.zeros(0)
    with np.errstate(over="ignore"):
        rest = np.flatnonzero((out.astype(np.float32) != a) & (a == a))
    for i in rest:
        out[i] = float(str(a[i]))
    return out


def tree_text(root) -> str:
    """Text of a node with all below it: two blanks a level, empty lines before sections, a line feed at the end."""
    lines = []
    _lines(root, "", lines)
    first = next((i for i, line in enumerate(lines) if line.lstrip().startswith(SECTIONS)), None)
    out = []
    for i, line in enumerate(lines):
        if i != first and line.lstrip().startswith(SECTIONS):
            out.append("")
        out.append(line)
    return "\n".join(out) + "\n"


def _lines(node, indent, lines):
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
