"""Lenient reading of attributes and strings: it accepts what is clearly meant, and reports each deviation."""

import math
import re
from typing import Any

from ..language import orient
from ..language.types import EULER
from ..language.xmltree import TEXT, Node
from .pieces import ORIGIN, UNIT, Quat, Vec
from .report import ImportReport

# A number at the start of a word, as the C library reads it.
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)", re.IGNORECASE)
_SPLIT = re.compile(r"[\s,;]+")


class Words:
    """Reads attributes of nodes, and reports deviations."""

    def __init__(self, report: ImportReport) -> None:
        self.report = report

    def one(self, node: Any, tag: str) -> Any:
        """Return the child with a tag, or None; if there are several, return the first."""
        found = node.all(tag)
        if len(found) > 1:
            self.report.add("duplicate", found[1], f"<{node.tag}> has {len(found)} <{tag}>", "the first one counts")
        return found[0] if found else None

    def text(self, node: Any, name: str, default: str = "") -> str:
        """Return a text attribute; report its absence if there is no default."""
        if node is not None and name in node.attrs:
            return node.attrs[name].strip()
        if node is not None and not default:
            self.report.add("attribute", node, f"<{node.tag}> has no attribute '{name}'", "it is taken as empty")
        return default

    def parse(self, node: Any, what: str, text: str) -> list[float]:
        """Return all numbers of a string."""
        numbers = plain_numbers(text)
        if numbers is not None:
            return numbers
        numbers = []
        for word in filter(None, _SPLIT.split(text.strip())):
            if "$" in word or "{" in word:
                self.report.add("expression", node, f"{what} is '{text}'", "0 is used: expand the file with xacro first")
                return [0.0]
            if (found := _NUMBER.match(word)) and not math.isnan(value := float(found[0])):
                numbers.append(value)
        shown = " ".join(f"{x:g}" for x in numbers) or "nothing"
        self.report.add("number", node, f"{what} is '{text.strip()}'", f"it is read as {shown}")
        return numbers

    def vector(self, node: Any, name: str, count: int, default: tuple | None = None) -> Any:
        """Return `count` numbers of an attribute, or the default if it is absent or empty."""
        if node is None or name not in node.attrs or not node.attrs[name].strip():
            return default
        return self.numbers(node, f"'{name}' of <{node.tag}>", node.attrs[name], count)

    def numbers(self, node: Any, what: str, text: str, count: int) -> tuple[float, ...]:
        """Return `count` numbers of a string."""
        return self.fit(node, what, self.parse(node, what, text), count)

    def fit(self, node: Any, what: str, numbers: list[float], count: int) -> tuple[float, ...]:
        """Return exactly `count` numbers: drop surplus ones, fill in missing ones, and report either."""
        if len(numbers) != count:
            fill = numbers[0] if len(numbers) == 1 and "scale" in what else 1.0 if "scale" in what or "rgba" in what else 0.0
            numbers = (numbers + [fill] * count)[:count]
            shown = " ".join(f"{x:g}" for x in numbers)
            self.report.add(
                "vector", node, f"{what} should have {count} number{'s' if count > 1 else ''}", f"it is read as {shown}"
            )
        return tuple(numbers)

    def number(self, node: Any, name: str, default: float | None = None) -> float | None:
        """Return one number of an attribute, or the default."""
        if node is None or name not in node.attrs or not node.attrs[name].strip():
            return default
        found = self.vector(node, name, 1)
        return found[0] if found else default

    def origin(self, node: Any) -> tuple[Vec, Quat]:
        """Return (position, quaternion) of a node's <origin>."""
        at = self.one(node, "origin")
        if at is None:
            return ORIGIN, UNIT
        pos = self.finite(at, self.vector(at, "xyz", 3, ORIGIN))
        if "quat_xyzw" in at.attrs:
            x, y, z, w = self.vector(at, "quat_xyzw", 4, (0.0, 0.0, 0.0, 1.0))
            return pos, unit_quat((w, x, y, z))
        return pos, from_rpy(self.finite(at, self.vector(at, "rpy", 3, ORIGIN)))

    def finite(self, node: Any, values: Any) -> Any:
        """Return values with infinities replaced by 0."""
        if all(map(math.isfinite, values)):
            return values
        self.report.add("number", node, f"<{node.tag}> has a number that is not finite", "0 is used")
        return tuple(x if math.isfinite(x) else 0.0 for x in values)


def text_of(node: Node | None, *path: str, default: str = "") -> str:
    """Return the text of an element, or of one below it."""
    for tag in path:
        node = node.first(tag) if node is not None else None
    return node.attrs.get(TEXT, "").strip() if node is not None else default


def plain_numbers(text: str) -> list[float] | None:
    """Return numbers separated by whitespace; None if there is anything else, or a NaN."""
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError:
        return None
    return None if any(map(math.isnan, numbers)) else numbers


def from_rpy(rpy: Any) -> Quat:
    """Return the quaternion of roll, pitch and yaw about fixed axes."""
    if not any(rpy):
        return UNIT
    return tuple(orient.resolve(UNIT, (EULER, tuple(rpy)), False, "XYZ")[0])  # type: ignore[return-value]


def unit_quat(q: Any) -> Quat:
    """Return a quaternion scaled to length 1; the identity if its length is 0."""
    length = math.sqrt(sum(x * x for x in q))
    return tuple(x / length for x in q) if length > 1e-12 and math.isfinite(length) else UNIT  # type: ignore[return-value]
