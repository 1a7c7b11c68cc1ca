"""Kinds that several places must know: equality constraints, actuator shortcuts, geom types. A place that lacks one fails by its name."""
import ast
import importlib
import inspect

import pytest

from tumble.engine.collide import table
from tumble.engine.core.consts import mjNEQDATA
from tumble.engine.core.enums import mjtEq, mjtGeom
from tumble.engine.core.equality_rows import ANCHORS, FIRST_OF_OURS, REMOVED
from tumble.engine.core.equality_rows import ROWS as EQUALITIES
from tumble.engine.core.stages import GEOM_TYPES
from tumble.engine.description.compile.equality import CHECKS
from tumble.engine.description.elements import shortcuts
from tumble.engine.description.elements.elements import MjsActuator
from tumble.engine.description.elements.spec import OBJECTS
from tumble.engine.description.language.fields import TABLES
from tumble.engine.description.language.keywords import KEYWORDS
from tumble.engine.description.language.schema import ROOT
from tumble.engine.description.language.shortcut_rows import ROWS as SHORTCUTS
from tumble.engine.description.read.actuators import TARGETS

# kernels that treat kinds of equality constraints, and those that they need not tell from others
KNOWING = {"constraint.equality": (), "constraint.sleep": ("CONNECT", "WELD"), "constraint.impedance": ("JOINT", "TENDON", "FLEX"), "step.setconst": ("JOINT", "TENDON", "FLEX"),
            "constraint.island": ("JOINT", "TENDON"), "dynamics.rne_post": ("JOINT", "TENDON")}
# what a support function and a ray need to tell from others
CONVEX = "SPHERE CAPSULE ELLIPSOID CYLINDER BOX".split()
HIT = "PLANE SPHERE CAPSULE ELLIPSOID CYLINDER BOX".split()


def named(module):
    """Names that the functions of a module read."""
    tree = ast.parse(inspect.getsource(importlib.import_module(f"tumble.engine.{module}")))
    return {n.id for f in tree.body if isinstance(f, ast.FunctionDef) for n in ast.walk(f) if isinstance(n, ast.Name)}


def test_every_equality_has_a_row():
    assert {row.number for row in EQUALITIES} == {int(e) for e in mjtEq if e.name not in REMOVED}
    assert [row.name for row in EQUALITIES] == [*ROOT.children["equality"].children]


@pytest.mark.parametrize("row", EQUALITIES, ids=lambda row: row.name)
def test_what_an_equality_names_exists(row):
    assert row.objects == ANCHORS or row.objects in {*OBJECTS, "joint"}
    assert not row.check or callable(CHECKS[row.check])
    elem = ROOT.children["equality"].children[row.name]
    assert {x.name for x in row.data} <= {*elem.attrs} and all(x.start + elem.attrs[x.name].high <= mjNEQDATA for x in row.data)
    module = importlib.import_module(f"tumble.engine.{row.kernel}")
    assert callable(getattr(module, row.stage if row.ours else "equality_rows"))


@pytest.mark.parametrize("module", KNOWING)
def test_every_equality_is_known_where_it_must_be(module):
    known = named(module)
    for e in mjtEq:
        name = e.name.removeprefix("mjEQ_")
        assert e.name in REMOVED or name in KNOWING[module] or name in known or e >= FIRST_OF_OURS, f"{module} does not know {e.name}"


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
