"""Types that several files must handle: equality constraints, actuator shortcuts, geom types. The test of a file that lacks a
type fails and names it.
"""

import ast
import importlib
import inspect

import pytest

from tumble.engine.collide import table
from tumble.engine.description.compile.equality import CHECKS
from tumble.engine.description.elements import shortcuts
from tumble.engine.description.elements.elements import MjsActuator
from tumble.engine.description.elements.spec import OBJECTS
from tumble.engine.description.language.fields import TABLES
from tumble.engine.description.language.keywords import KEYWORDS
from tumble.engine.description.language.schema import ROOT
from tumble.engine.description.language.shortcut_rows import ROWS as SHORTCUTS
from tumble.engine.description.read.actuators import TARGETS
from tumble.engine.geom.solids import SOLIDS
from tumble.engine.tables.consts import mjNEQDATA
from tumble.engine.tables.enums import mjtEq, mjtGeom
from tumble.engine.tables.equality_rows import ANCHORS, FIRST_OF_OURS, REMOVED
from tumble.engine.tables.equality_rows import ROWS as EQUALITIES
from tumble.engine.tables.geom_rows import KINDS
from tumble.engine.tables.geom_rows import ROWS as GEOMS
from tumble.engine.tables.stage_rows import GEOM_TYPES, stage_id
from tumble.render.gl.instances import UNIT
from tumble.render.scene.pick import SHAPES

# kernels that handle types of equality constraints, and types that they need not distinguish
KNOWING = {
    "constraint.equality": (),
    "constraint.sleep": ("CONNECT", "WELD"),
    "constraint.impedance": ("JOINT", "TENDON", "FLEX"),
    "step.setconst": ("JOINT", "TENDON", "FLEX"),
    "constraint.island": ("JOINT", "TENDON"),
    "dynamics.rne_post": ("JOINT", "TENDON"),
}
# kernels that distinguish solids, and solids that they do not
KNOWING_SOLIDS = dict.fromkeys(
    ("geom.solids", "geom.support", "geom.ray_shape", "geom.signed_distance", "collide.sdf", "collide.mpr", "sense.zones"), ()
)
# kernels that our own solids may skip: they do not collide with height fields, have no special normals in portal refinement,
# and are not sites
OF_THE_REFERENCE = ("geom.solids", "collide.sdf", "collide.mpr", "sense.zones")
# fields that each solid has; the others belong to solids that kernels do not know
OF_ALL = 3
# mjtGeom continues with types that are only drawn
FIRST_SHAPE = mjtGeom.mjGEOM_ARROW


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
        assert e.name in REMOVED or name in KNOWING[module] or name in known or e >= FIRST_OF_OURS, (
            f"{module} does not know {e.name}"
        )


@pytest.mark.parametrize("row", SHORTCUTS, ids=lambda row: row.name)
def test_every_actuator_shortcut_has_a_function_that_takes_its_arguments(row):
    function, elem = getattr(shortcuts, row.name), ROOT.children["actuator"].children[row.name]
    assert {*row.arguments} <= {*elem.attrs} and {*row.arguments} <= {*inspect.signature(function).parameters}
    # names that are not arguments are fields
    others = {*elem.attrs} - {*row.arguments} - {"name", "class", *TARGETS}
    assert {elem.attrs[name].field for name in others} <= {*TABLES["MjsActuator"]}
    assert callable(getattr(MjsActuator, f"set_to_{row.name}")) and row.sentence


def test_the_actuator_section_has_no_other_shortcuts():
    names = {row.name for row in SHORTCUTS}
    assert {*ROOT.children["actuator"].children} == names | {"general", "plugin"}
    assert names | {"general"} == {e.name for e in ROOT.children["default"].children.values() if e.struct == "MjsActuator"}


def test_every_geom_type_has_a_row():
    assert [(row.enum, row.number) for row in GEOMS] == [
        (e.name, e) for e in sorted(mjtGeom) if e < FIRST_SHAPE and e.name != "mjNGEOMTYPES"
    ]
    assert len([row for row in GEOMS if not row.ours]) == mjtGeom.mjNGEOMTYPES
    assert KEYWORDS["geom"] == {row.name: row.number for row in GEOMS}
    assert GEOM_TYPES == KINDS and table.FAMILY.shape == (KINDS, KINDS)


@pytest.mark.parametrize("row", GEOMS, ids=lambda row: row.name)
def test_what_a_geom_type_names_exists(row):
    for other, family in zip(GEOMS, row.pairs, strict=False):
        assert table.FAMILY[other.number, row.number] == (stage_id(f"collide_{family}") if family else table.NONE)
    assert not row.drawn or row.drawn in UNIT
    assert row.meaning and row.ends < max(row.sizes, 1)
    # a solid with its own sizes has the functions that depend on them
    solid = SOLIDS.get(row.name)
    assert (solid is not None and None not in solid[:OF_ALL]) == (row.form == "solid") or row.ours and solid is not None


@pytest.mark.parametrize("module", KNOWING_SOLIDS)
def test_every_solid_is_known_where_it_must_be(module):
    known = named(module)
    for row in GEOMS:
        left_out = row.form != "solid" or row.ours and module in OF_THE_REFERENCE
        assert left_out or row.enum.removeprefix("mjGEOM_") in known or row.name in KNOWING_SOLIDS[module], (
            f"{module} does not know {row.name}"
        )


def test_every_solid_is_picked():
    assert {row.number for row in GEOMS if row.form in ("solid", "plane")} == {*SHAPES}
