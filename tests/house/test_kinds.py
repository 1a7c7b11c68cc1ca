"""Kinds that several places must know: equality constraints, actuator shortcuts, geom types. A place that lacks one fails by its name."""
import ast
import importlib
import inspect

import pytest

from tumble.engine.collide import table
from tumble.engine.core.enums import mjtEq, mjtGeom
from tumble.engine.core.stages import GEOM_TYPES
from tumble.engine.description.elements import shortcuts
from tumble.engine.description.elements.elements import MjsActuator
from tumble.engine.description.language.fields import TABLES
from tumble.engine.description.language.keywords import KEYWORDS
from tumble.engine.description.language.schema import ROOT
from tumble.engine.description.language.shortcut_rows import ROWS as SHORTCUTS
from tumble.engine.description.language.types import EQUALITIES
from tumble.engine.description.read.actuators import TARGETS

# the reference keeps a number for it and refuses it
REMOVED = {mjtEq.mjEQ_DISTANCE}
# kernels that treat kinds of equality constraints, and those that they need not tell from others
KNOWING = {"constraint.equality": (), "constraint.sleep": (), "constraint.island": ("JOINT", "TENDON"), "dynamics.rne_post": ("JOINT", "TENDON")}
# what a support function and a ray need to tell from others
CONVEX = "SPHERE CAPSULE ELLIPSOID CYLINDER BOX".split()
HIT = "PLANE SPHERE CAPSULE ELLIPSOID CYLINDER BOX".split()


def named(module):
    """Names that the functions of a module read."""
    tree = ast.parse(inspect.getsource(importlib.import_module(f"tumble.engine.{module}")))
    return {n.id for f in tree.body if isinstance(f, ast.FunctionDef) for n in ast.walk(f) if isinstance(n, ast.Name)}


def test_every_equality_has_a_row():
    assert {number for number, *_ in EQUALITIES.values()} == {int(e) for e in mjtEq if e not in REMOVED}
    assert set(EQUALITIES) == set(ROOT.children["equality"].children)


@pytest.mark.parametrize("module", KNOWING)
def test_every_equality_is_known_where_it_must_be(module):
    known = named(module)
    for e in mjtEq:
        name = e.name.removeprefix("mjEQ_")
        assert e in REMOVED or name in KNOWING[module] or name in known, f"{module} does not know {e.name}"


@pytest.mark.parametrize("row", SHORTCUTS, ids=lambda row: row.name)
def test_every_actuator_shortcut_has_a_function_that_takes_its_arguments(row):
    function, elem = getattr(shortcuts, row.name), ROOT.children["actuator"].children[row.name]
    assert {*row.arguments} <= {*elem.attrs} and {*row.arguments} <= {*inspect.signature(function).parameters}
    # what is no argument is a field
    others = {*elem.attrs} - {*row.arguments} - {"name", "class", *TARGETS}
    assert {elem.attrs[name].field for name in others} <= {*TABLES["MjsActuator"]}
    assert callable(getattr(MjsActuator, f"set_to_{row.name}")) and row.sentence


def test_the_actuator_section_has_no_other_shortcuts():
    names = {row.name for row in SHORTCUTS}
    assert {*ROOT.children["actuator"].children} == names | {"general", "plugin"}
    assert names | {"general"} == {e.name for e in ROOT.children["default"].children.values() if e.struct == "MjsActuator"}


def test_every_geom_type_has_a_word_and_pairs():
    types = [g.name.removeprefix("mjGEOM_").lower() for g in sorted(mjtGeom) if g < mjtGeom.mjNGEOMTYPES]
    assert types == table.TYPES and len(types) == GEOM_TYPES == mjtGeom.mjNGEOMTYPES
    assert [name for name, _ in sorted(KEYWORDS["geom"].items(), key=lambda item: item[1])] == types
    assert [line.split()[0] for line in table.PAIRS.strip().splitlines()] == types
    assert table.FAMILY.shape == (GEOM_TYPES, GEOM_TYPES)


@pytest.mark.parametrize(("module", "types"), [("geom.support", CONVEX), ("geom.ray_shape", HIT)])
def test_every_shape_is_known_where_it_must_be(module, types):
    known = named(module)
    assert not [name for name in types if name not in known]
