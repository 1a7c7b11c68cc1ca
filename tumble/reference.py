"""Writes reference pages of the manual: `python -m tumble.reference` generates assets/manual/reference/*.md from the tables
of fields.

A test checks that the pages are up to date.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import pathlib
from collections.abc import Callable, Iterable
from typing import Any

from .engine.description.language import about
from .engine.description.language.fields import TABLES
from .engine.description.language.schema import ROOT, Attr
from .engine.tables import data_fields, model_fields, option_fields
from .engine.tables.schema import INTERNAL, SCHEMAS, SIZE_DOCS, headings
from .engine.tables.stage_rows import NUMBER
from .engine.tables.units import UNITS
from .reference_api import PAGES
from .reference_page import page, table

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "assets" / "manual" / "reference"
TYPES = {"f8": "float64", "f4": "float32", "i4": "int32", "i8": "int64", "u1": "uint8", "u8": "uint64", "S1": "bytes"}
KINDS = {"s": "text", "file": "file", "class": "class", "f": "number", "i": "integer"}
# attributes with more keywords than this link to the table of keywords
FEW = 12


def by_part(fields: Iterable[Any]) -> dict:
    """Return {heading: its fields}, with headings in the order of their first field."""
    parts = {}
    for f in fields:
        parts.setdefault(f.part, []).append(f)
    return parts


def field_rows(fields: Iterable[Any], name: Callable[[Any], str] = lambda f: f.name) -> list[tuple[str, ...]]:
    """Return the rows of a table of fields."""
    return [(f"`{name(f)}`", TYPES[f.dtype], f.shape or "-", f.unit, f.doc) for f in fields]


COLUMNS = ("field", "type", "shape", "unit", "what it is")


def model() -> str:
    """Return the reference page of MjModel."""
    said = headings(model_fields.ROWS)
    lines = [
        "Constant while a simulation runs. Each array has one row for each element of its type.",
        "",
        "## Sizes",
        "",
        *table(("size", "what it counts"), [(f"`{n}`", doc) for n, doc in SIZE_DOCS.items() if not n.endswith("_cap")]),
    ]
    for part, fields in by_part(SCHEMAS["MjModel"].fields.values()).items():
        lines += [f"## {part}", "", said[part][0].upper() + said[part][1:] + ".", "", *table(COLUMNS, field_rows(fields))]
    return page("MjModel", *lines)


def data() -> str:
    """Return the reference page of MjData."""
    said = {}
    for text in vars(data_fields).values():
        if isinstance(text, str) and "\n# " in text:
            said |= {part: said.get(part, doc) for part, doc in headings(text).items()}
    lines = ["State and results of a simulation. Each section describes the fields that one stage of a step writes.", ""]
    for part, fields in by_part(f for f in SCHEMAS["MjData"].fields.values() if f.group not in INTERNAL).items():
        title = f"Stage `{part}`" if part in NUMBER else part.capitalize()
        lines += [f"## {title}", "", said[part][0].upper() + said[part][1:] + ".", "", *table(COLUMNS, field_rows(fields))]
    return page("MjData", *lines)


def options() -> str:
    """Return the reference page of options."""
    lines = []
    for title, struct, text in (
        ("MjOption: `model.opt`", "MjOption", option_fields.OPTION),
        ("MjVisual: `model.vis`", "MjVisual", option_fields.VISUAL),
        ("MjStatistic: `model.stat`", "MjStatistic", option_fields.STATISTIC),
    ):
        said = headings(text)
        lines += [f"## {title}", ""]
        for part, fields in by_part(SCHEMAS[struct].fields.values()).items():
            rows = [
                (*row, " ".join(f"{x:g}" for x in f.default) or "0")
                for row, f in zip(field_rows(fields, lambda f: f.name.replace("__", ".")), fields)
            ]
            lines += [f"### {part}", "", said[part][0].upper() + said[part][1:] + ".", "", *table((*COLUMNS, "default"), rows)]
    return page("Options, visual settings, statistics", *lines)


def spec() -> str:
    """Return the reference page of MjSpec elements."""
    lines = [
        "Fields of the elements of an `MjSpec`; `add_*` methods take them by keyword. Count `*` means a list of any length.",
        "",
    ]
    for struct, rows in TABLES.items():
        shown = [
            (f"`{r.name}`", TYPES.get(r.type, r.type), "*" if r.count < 0 else r.count or "-", *r.about) for r in rows.values()
        ]
        lines += [f"## {struct}", "", *table(("field", "type", "count", "unit", "what it is"), shown)]
    return page("Elements of MjSpec", *lines)


def count_text(attr: Any) -> str:
    """Return the number of values of an attribute as the pages show it: empty for one, ` *` for any number."""
    if attr.kind not in "fi" or attr.high == 1:
        return ""
    return " *" if attr.high < 0 else f" {attr.high}" if attr.low == attr.high else f" {attr.low}..{attr.high}"


def attribute_row(elem: Any, attr: Attr) -> tuple[str, str, str, str]:
    """Return the table row of an attribute."""
    unit, doc = about.of_attribute(elem, attr.name)
    if attr.words:
        kind = (
            ("some of " if attr.kind == "bits" else "one of ") + ", ".join(attr.words)
            if len(attr.words) <= FEW
            else "a keyword"
        )
    else:
        kind = KINDS[attr.kind] + count_text(attr)
    return f"`{attr.name}`" + (" (required)" if attr.required else ""), kind, unit, doc


TIMES = {"!": "once", "?": "at most once", "*": "any number", "R": "any number, at any depth"}


def mjcf() -> str:
    """Return the reference page of MJCF."""
    lines = [
        "All elements, by their path below `mujoco`. `worldbody`, `frame` and `replicate` can contain the elements of a body.",
        "",
    ]
    for elem in about.elements(ROOT):
        lines += [
            f"## {elem.path or elem.name}",
            "",
            f"{about.of_element(elem)[:1].upper()}{about.of_element(elem)[1:]}; {TIMES[elem.many]}.",
            "",
        ]
        if elem.children:
            lines += ["Inside: " + ", ".join(f"`{name}`" for name in elem.children) + ".", ""]
        if elem.attrs:
            lines += table(("attribute", "value", "unit", "what it is"), [attribute_row(elem, a) for a in elem.attrs.values()])
    return page("MJCF", *lines)


def index() -> str:
    """Return the index page of the reference."""
    pages = (
        ("mjcf", "elements and attributes of the modelling language"),
        ("spec", "fields of editable models"),
        ("model", "fields of a compiled model"),
        ("data", "state and results, by the stage that writes them"),
        ("options", "options, visual settings and statistics, with defaults"),
        *((name, doc) for name, (_, doc) in PAGES.items()),
    )
    return page(
        "Reference",
        *table(("page", "contents"), [(f"[{name}]({name}.md)", doc) for name, doc in pages]),
        "## Units",
        "",
        "These units are nominal: Tumble does not convert units, and any other consistent system works as well.",
        "",
        *table(("unit", "meaning"), [(f"`{u}`", doc) for u, doc in UNITS.items()]),
    )


def texts() -> dict[str, str]:
    """Return {file name: text} for all reference pages."""
    of_programs = [write for write, _ in PAGES.values()]
    return {"README.md": index(), **{f"{w.__name__}.md": w() for w in (mjcf, spec, model, data, options, *of_programs)}}


def main() -> None:
    """Write all reference pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
