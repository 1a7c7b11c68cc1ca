"""Implements `tumble.help("contact")`: it searches functions, classes, fields, MJCF attributes and manual pages for words."""

import ast
import functools
import pathlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .. import engine
from ..engine.description.language import about
from ..engine.description.language.schema import ROOT
from ..engine.tables.schema import INTERNAL, SCHEMAS

HOME = pathlib.Path(engine.__file__).parents[1]
# In a checkout, the stubs are in a folder beside the engine; in an installation, in the folder that contains the engine.
STUBS = HOME / "tumble" if (HOME / "tumble").is_dir() else HOME
MANUAL = HOME / "assets" / "manual"
# Modules with public classes and functions, in addition to the package itself.
MODULES = ("batch", "rollout", "renderer", "studio", "viewer", "minimize", "debug")
# {struct: prefix with which programs access its fields}
PATHS = {
    "MjModel": "model.",
    "MjData": "data.",
    "MjOption": "model.opt.",
    "MjVisual": "model.vis.",
    "MjStatistic": "model.stat.",
}
# Maximum number of printed rows, and width of the column of names.
SHOWN, NAME = 24, 34


class SearchResult(NamedTuple):
    """A search result: its kind, name and description, and a pointer to further documentation."""

    kind: str
    name: str
    text: str
    place: str


class Found(list[SearchResult]):
    """Search results, best match first; printed as a table."""

    def __repr__(self) -> str:
        lines = [f"{row.kind:9s} {row.name:{NAME}s} {row.text}  [{row.place}]" for row in self[:SHOWN]]
        if len(self) > SHOWN:
            lines.append(f"... and {len(self) - SHOWN} more; use a longer or a second word")
        return "\n".join(lines) or "nothing found"


def help(words: str) -> Found:
    """Return the search results for one or several words: first names that begin with the words, then names that contain them,
    then descriptions that do.

    ValueError for an empty text.
    """
    asked = words.lower().split()
    if not asked:
        raise ValueError("no words to search for; write, for example, tumble.help('contact force')")
    ranked = [(rank, k, row) for k, row in enumerate(rows()) if (rank := rank_of(row, asked)) is not None]
    return Found(row for _, _, row in sorted(ranked, key=lambda entry: entry[:2]))


def rank_of(row: SearchResult, asked: list[str]) -> int | None:
    """Return the rank of a row, 0 for the best; None if it does not match the words."""
    name, text = row.name.lower(), row.text.lower()
    last = re.split(r"[./ ]", name)[-1]
    if not all(word in name or word in text for word in asked):
        return None
    if last in asked or name == " ".join(asked):
        return 0
    held = sum(word in name for word in asked)
    return 1 if held == len(asked) and last.startswith(asked[0]) else 2 if held == len(asked) else 3 if held else 4


@functools.cache
def rows() -> tuple[SearchResult, ...]:
    """Return all entries to search. The first call takes a third of a second."""
    return (*programs(), *fields(), *attributes(), *enumerations(), *pages())


def first(text: str | None) -> str:
    """Return the first sentence of a docstring."""
    return re.split(r"(?<=[a-z)\]])[.:](?: |$)", " ".join((text or "").split()), maxsplit=1)[0]


def programs() -> Iterator[SearchResult]:
    """Yield rows for functions, classes and their methods."""
    for module in ("__init__", *MODULES):
        owner = "" if module == "__init__" else f"{module}."
        for node in ast.parse((STUBS / f"{module}.pyi").read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                yield SearchResult("function", owner + node.name, first(ast.get_docstring(node)), "reference/functions.md")
            elif isinstance(node, ast.ClassDef):
                yield SearchResult("class", owner + node.name, first(ast.get_docstring(node)), "reference/classes.md")
                yield from methods(node, owner)


def methods(node: ast.ClassDef, owner: str) -> Iterator[SearchResult]:
    """Yield rows for the methods of a class."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name[0] != "_":
            yield SearchResult(
                "method", f"{owner}{node.name}.{part.name}", first(ast.get_docstring(part)), "reference/classes.md"
            )


def fields() -> Iterator[SearchResult]:
    """Yield rows for fields of models, data and options."""
    pages_ = {"MjModel": "model.md", "MjData": "data.md"}
    for struct, path in PATHS.items():
        for f in SCHEMAS[struct].fields.values():
            if f.group not in INTERNAL:
                shape = f", {f.shape}" if f.shape else ""
                place = f"reference/{pages_.get(struct, 'options.md')}"
                yield SearchResult("field", path + f.name.replace("__", "."), f"{f.doc} ({f.unit}{shape})", place)


def attributes() -> Iterator[SearchResult]:
    """Yield rows for elements and attributes of MJCF."""
    for elem in about.elements(ROOT):
        yield SearchResult("element", f"<{elem.name}>", about.of_element(elem), "reference/mjcf.md")
        for name in elem.attrs:
            _, text = about.of_attribute(elem, name) or ("", "")
            yield SearchResult("attribute", f"<{elem.name}> {name}", text, "reference/mjcf.md")


def enumerations() -> Iterator[SearchResult]:
    """Yield rows for members of enumerations."""
    for name in engine.__all__:
        members: Any = getattr(getattr(engine, name), "__members__", None) if name.startswith("mjt") else None
        for member in members or ():
            yield SearchResult("value", f"{name}.{member}", f"{int(members[member])}", "reference/enumerations.md")


def pages() -> Iterator[SearchResult]:
    """Yield rows for pages of the manual and their headings."""
    for path in sorted(MANUAL.rglob("*.md")):
        place = path.relative_to(MANUAL).as_posix()
        if not place.startswith("reference/"):
            for heading in re.findall(r"^#{1,3} (.+)$", path.read_text(encoding="utf-8"), re.M):
                yield SearchResult("page", heading, "in the manual", place)
