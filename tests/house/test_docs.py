"""Fields are documented: every row has a sentence, a known unit, and a heading that names its owner or the stage that
writes it.
"""

import ast
import pathlib
import re

import pytest

from tumble import reference_api
from tumble.engine.description.language import about
from tumble.engine.description.language.fields import TABLES as TABLES_OF_SPEC
from tumble.engine.description.language.schema import ROOT as ROOT_ELEMENT
from tumble.engine.tables import data_fields, model_fields, option_fields
from tumble.engine.tables.schema import CAPACITIES, MODEL_SIZES, SCHEMAS, SIZE_DOCS, headings
from tumble.engine.tables.stage_rows import ROWS
from tumble.engine.tables.units import UNITS, atoms

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = {row.name: row.module for row in ROWS if row.module != "-"}
TABLES = [
    text
    for module in (model_fields, data_fields, option_fields)
    for text in vars(module).values()
    if isinstance(text, str) and "\n# " in text
]
HEADINGS = {part: text for table in TABLES for part, text in headings(table).items()}
# headings of Data that are not stages
NO_STAGES = {"memory", "counts", "state", "plugins", "driver", "scratch"}
LONGEST = 110


def problems(name, unit, doc):
    """Return the fault of a row."""
    found = [f"{name}: unknown unit {u!r}" for u in atoms(unit) if u not in UNITS]
    if not doc or doc != doc.strip():
        found.append(f"{name}: no sentence")
    if len(doc) > LONGEST or doc.endswith(".") or "  " in doc:
        found.append(f"{name}: {doc!r} is not one line without a full stop")
    return found


@pytest.mark.parametrize("struct", SCHEMAS)
def test_every_field_has_a_sentence_and_a_unit(struct):
    wrong = [p for f in SCHEMAS[struct].fields.values() for p in problems(f.name, f.unit, f.doc)]
    wrong += [f"{f.name}: no heading" for f in SCHEMAS[struct].fields.values() if f.part not in {*HEADINGS, "driver"}]
    assert not wrong, wrong


def test_every_size_has_a_sentence():
    assert [*SIZE_DOCS] == [*MODEL_SIZES, *CAPACITIES]
    assert not [p for name, doc in SIZE_DOCS.items() for p in problems(name, "-", doc)]


@pytest.mark.parametrize("struct", TABLES_OF_SPEC)
def test_every_field_of_a_spec_has_a_sentence_and_a_unit(struct):
    wrong = [p for row in TABLES_OF_SPEC[struct].values() for p in problems(row.name, *row.about)]
    assert not wrong, wrong


def test_headings_say_something():
    assert not [part for part, text in HEADINGS.items() if not text.strip()]
    assert {part for table in TABLES for part in headings(table)} >= {"body", "kinematics", "integration", "rgba"}


def docstring(stage):
    """Return the docstring of a stage."""
    path = ROOT / "engine" / (STAGES[stage].replace(".", "/") + ".py")
    return next(
        ast.get_docstring(n) for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef) and n.name == stage
    )


# collective names in stages' docstrings: `the rows of efc_ fields`, `solver statistics`, `i-copies of islands`
SPOKEN = {
    "solve_constraint": ("solver_", "iefc_"),
    "make_constraint": ("efc_",),
    "collision": ("contact_",),
    "island": ("iefc_", "island_", "map_", "iM", "iLD", "iacc", "ifrc"),
}


@pytest.mark.parametrize("part", sorted({f.part for f in SCHEMAS["MjData"].fields.values()} - NO_STAGES))
def test_the_stage_over_a_field_says_that_it_writes_it(part):
    words = set(re.findall(r"\w+", docstring(part)))
    for f in SCHEMAS["MjData"].fields.values():
        if f.part != part:
            continue
        elsewhere = [w for w in re.findall(r"\w+", f.doc + " " + HEADINGS[part]) if w in STAGES]
        if any(f.name in re.findall(r"\w+", docstring(w)) for w in elsewhere):
            continue
        assert f.name in words or f.name.startswith(SPOKEN.get(part, ())), f"{part} does not say that it writes {f.name}"


@pytest.mark.parametrize("elem", about.elements(ROOT_ELEMENT), ids=lambda e: e.path or "mujoco")
def test_every_element_and_attribute_has_a_sentence(elem):
    assert about.of_element(elem), elem.path
    for name in elem.attrs:
        found = about.of_attribute(elem, name)
        assert found, f"{elem.path}.{name}"
        assert not problems(f"{elem.path}.{name}", *found)


def test_no_sentence_is_left_over():
    elems = about.elements(ROOT_ELEMENT)
    keys = {p for e in elems for p in about.paths(e)}
    assert not set(about.SENTENCES) - keys
    attributes = {f"{p}.{name}" for e in elems for p in [*about.paths(e), ""] for name in e.attrs}
    assert not set(about.ROWS) - attributes


def test_every_environment_variable_is_on_its_page():
    """Names in the sources, including the wheel builder, are those of the reference page."""
    places = [p for room in ("app", "engine", "render", "ui", "tumble") for p in (ROOT / room).rglob("*.py")]
    texts = [p.read_text() for p in (*places, ROOT / "setup.py") if p.name != "reference_api.py"]
    named = {name for text in texts for name in re.findall(r"\bTUMBLE_[A-Z]+(?:_[A-Z]+)*\b", text)}
    assert named == {name for name, _, _ in reference_api.ENVIRONMENT if name.startswith("TUMBLE_")}
