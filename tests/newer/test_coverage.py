"""The table of later changes is correct: implemented changes have evidence, refused ones are refused, and the manual's page is
generated from it.
"""

import importlib
import pathlib

import pytest

from tumble.engine.description.language.keywords import KEYWORDS
from tumble.engine.description.language.newer_rows import attribute_of, word_of
from tumble.engine.description.language.unheld import ROWS as UNHELD
from tumble.engine.tables import compat_rows

from .cases import CASES
from .coverage import PAGE, ROWS, STATES, page
from .fixes import FIXES
from .scripts import SCRIPTS
from .test_language import ELEMENTS

# number of changes in the reference's list
CHANGES = 220


def is_read(path):
    """Whether the grammar has an attribute `section/element/name`, an element, or a word `@set/name`."""
    parent, _, name = path.rpartition("/")
    if parent[0] == "@":
        return name in KEYWORDS[parent[1:]]
    elem = ELEMENTS.get(parent)
    return path in ELEMENTS or elem is not None and name in elem.attrs


def is_refused(path):
    """Whether a name is refused with its release, or a field of a spec, or by a test."""
    kind, _, name = path.partition(":")
    if kind == "test":
        return is_tested(name)
    if kind == "field":
        struct, _, field = name.partition(".")
        return field in UNHELD[struct]
    parent, _, name = path.rpartition("/")
    row = word_of(parent[1:], name) if parent[0] == "@" else attribute_of(parent, name)
    return row is not None and not is_read(path)


def is_here(name):
    """Whether the package has a name in one of its modules."""
    module, _, attribute = name.rpartition(".")
    return hasattr(importlib.import_module(module), attribute)


def is_tested(name):
    """Whether a file of this folder has a test."""
    file, _, function = name.partition(".")
    return f"def {function}(" in (pathlib.Path(__file__).parent / f"{file}.py").read_text()


PROOFS = {
    "test": is_tested,
    "name": is_here,
    "case": lambda name: name in CASES,
    "script": lambda name: name in SCRIPTS,
    "fix": lambda name: name in FIXES,
    "change": lambda name: name in compat_rows.PLACE,
    "word": is_read,
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.version}: {row.what}")
def test_row(row):
    assert row.state in STATES
    if row.state == "there":
        kinds = [proof.partition(":") for proof in row.evidence]
        assert kinds and all(PROOFS[kind](name) for kind, _, name in kinds), row.evidence
    elif row.state == "refused":
        assert row.evidence and all(map(is_refused, row.evidence)), [path for path in row.evidence if not is_refused(path)]
    else:
        assert not row.evidence


def test_every_change_is_listed_and_every_case_is_evidence():
    assert len(ROWS) == CHANGES
    used = {proof for row in ROWS for proof in row.evidence}
    # parts of changes that are not implemented as a whole, and a fix that the list does not name
    assert {f"script:{name}" for name in SCRIPTS} | {f"fix:{name}" for name in FIXES} <= used
    assert {f"case:{name}" for name in CASES} - used <= {
        "case:site_turn",
        "case:servo_limits",
        "case:endless_plane",
        "case:range_finders",
        "case:contact_sensors",
        "case:last_face",
    }
    assert {f"change:{row.name}" for row in compat_rows.ROWS} - used <= {
        "change:site_turn",
        "change:servo_limit",
        "change:plane_reach",
        "change:axes_relative",
        "change:ray_data",
        "change:contact_stage",
        "change:child_below",
        "change:last_face",
        "change:obj_quads",
        "change:flex_fields",
    }


def test_the_page_is_made_from_the_tables():
    assert PAGE.read_text() == page(compat_rows.ROWS), "python -m tests.newer.coverage"
