"""Columns: each attribute of the table is written to its field, copied back to text and spec, and scaled by its dimension."""

import numpy as np
import pytest

import tumble
from tumble.engine.description.compile.table import is_list
from tumble.engine.description.language.column_rows import KINDS, ROWS
from tumble.engine.description.language.fields import TABLES
from tumble.engine.description.write.mjcf import write_mjcf
from tumble.engine.tables.schema import SCHEMAS

FIELDS = SCHEMAS["MjModel"].fields
# an element of each kind, named `x`, in a frame that may scale; for joints a hinge and a slide
SCENE = """
<mujoco>
  <asset><material name="x" rgba=".1 .2 .3 1"/></asset>
  <worldbody>
    <frame{scale}>
      <body name="x" pos=".1 .2 .3">
        <inertial pos=".01 .02 .03" quat="1 .1 .2 .3" mass="2" diaginertia=".3 .4 .5"/>
        <joint name="x" type="{joint}" axis="0 1 0" range="-1 1" actuatorfrcrange="-1 1" damping=".5"/>
        <geom name="x" type="box" size=".1 .2 .3"/>
        <site name="x" type="box" size=".1 .2 .3"/><site name="end" pos=".3 0 0"/>
        <camera name="x"/>
        <light name="x"/>
        <body name="other" pos="0 0 1"><joint/><geom name="other" size=".1"/></body>
      </body>
    </frame>
  </worldbody>
  <contact><pair name="x" geom1="x" geom2="other"/></contact>
  <equality><joint name="x" joint1="x"/></equality>
  <tendon>{tendon}</tendon>
  <actuator>{actuator}</actuator>
  <sensor><jointpos name="x" joint="x"/></sensor>
</mujoco>"""
# attributes that only some tendons and actuators have
TENDON = '<fixed name="x" range="-1 1" actuatorfrcrange="-1 1"><joint joint="x" coef="1"/></fixed>'
SPATIAL = '<spatial name="x"><site site="x"/><site site="end"/></spatial>'
MOTOR = '<motor name="x" joint="x" ctrlrange="-1 1" forcerange="-1 1"/>'
OWN = {
    ("tendon", "width"): {"tendon": SPATIAL},
    ("tendon", "rgba"): {"tendon": SPATIAL},
    ("actuator", "actrange"): {"actuator": '<general name="x" joint="x" dyntype="integrator" actrange="-1 1"/>'},
    ("actuator", "cranklength"): {"actuator": '<motor name="x" cranksite="x" slidersite="end" cranklength=".9"/>'},
}
# numbers with restricted values
GIVEN = {
    ("joint", "axis"): (0.6, 0.0, 0.8),
    ("light", "dir"): (0.6, 0.0, 0.8),
    ("camera", "fovy"): 33.0,
    ("camera", "resolution"): (64.0, 48.0),
    ("equality", "data"): (0.2, 0.7, 0.1, 0.05, 0.02, 0, 0, 0, 0, 0, 1),
    ("light", "active"): 0,
    ("tendon", "armature"): 0.0,
    ("body", "inertia"): (0.31, 0.42, 0.53),
}
# rows with one number for each element or dof; tests/newer/test_servos checks the blocks of actuators
TAKEN = [row for row in ROWS if row.back and row.per in ("", "dof") and row.attribute]
# tests/newer checks the functions of compile.scaling, and fields that follow from other attributes
SCALED = [row for row in ROWS if row.dimensions and row.field and row.per in ("", "dof") and row.kind not in ("frame", "pair")]
LENGTH, MASS = 2.0, 3.0
SCALE = f' scale="{LENGTH} {LENGTH} {LENGTH}" massscale="{MASS}"'


def name_of(row):
    return f"{row.kind}.{row.attribute}"


def unlike(row):
    """Return a value of an attribute that differs from the defaults of the element and of its class."""
    if (row.kind, row.attribute) in GIVEN:
        return GIVEN[row.kind, row.attribute]
    field = TABLES[KINDS[row.kind].struct][row.attribute]
    if "quat" in row.attribute:
        return (0.5, 0.5, 0.5, 0.5)
    if row.attribute.startswith("solimp"):
        return (0.8, 0.9, 0.002, 0.4, 3.0)
    if row.attribute.endswith("range") and field.count == 2:
        return (-0.4, 0.7)
    if field.type[0] != "f":
        return 1 - int(field.default)
    values = tuple(0.21 + 0.11 * k for k in range(max(field.count, 1)))
    return values if field.count else values[0]


def made(row=None, joint="slide", scale=""):
    """The scene, with a tendon and an actuator that have the attribute of a row."""
    own = OWN.get((row.kind, row.attribute), {}) if row is not None else {}
    return tumble.MjSpec.from_string(SCENE.format(joint=joint, scale=scale, **{"tendon": TENDON, "actuator": MOTOR} | own))


def element(spec, kind):
    return next(e for e in spec.items(kind) if e.name == "x")


def value(m, row):
    """The field's numbers of the element `x`."""
    i = m.jnt_dofadr[m.joint("x").id] if row.per == "dof" else tumble.mj_name2id(m, OBJECTS[row.kind], "x")
    return np.array(getattr(m, row.field)[i])


OBJECTS = {kind: tumble.mjtObj[f"mjOBJ_{kind.upper()}"] for kind in KINDS if kind not in ("frame", "exclude")}


def given(row, **scene):
    """A spec whose element `x` has a nondefault value."""
    spec = made(row, **scene)
    e, number = element(spec, row.kind), unlike(row)
    setattr(e, row.attribute, number)
    if row.attribute == "quat":
        e.alt.type = tumble.mjtOrientation.mjORIENTATION_QUAT
    return spec


# ---- the table -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.kind}.{row.column or row.attribute}")
def test_what_a_row_names_exists(row):
    fields = TABLES[KINDS[row.kind].struct]
    assert not row.attribute or row.attribute in fields
    assert not row.field or row.field in FIELDS
    assert not (row.back or row.live) or row.field and row.column in fields
    if row.dimensions:
        assert row.attribute and all(d.at is None or max(d.at) < fields[row.attribute].count for d in row.dimensions)


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.size != "-"], ids=lambda kind: kind.name)
def test_every_field_that_has_the_name_of_an_attribute_has_a_row(kind):
    known = {row.field for row in kind.rows}
    for name, row in TABLES[kind.struct].items():
        field = FIELDS.get(f"{kind.prefix}_{name}")
        if field is not None and not is_list(row) and field.dims[0] == kind.size and not field.ours:
            assert field.name in known, f"{field.name} has no row"


# ---- each row, with a nondefault value ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("row", TAKEN, ids=name_of)
def test_a_value_reaches_its_field_and_is_saved(row):
    plain, spec = made(row).compile(), given(row)
    m = spec.compile()
    assert (value(m, row) != value(plain, row)).any() or (row.kind, row.attribute) == ("tendon", "armature")
    again = tumble.MjModel.from_xml_string(spec.to_xml())
    assert np.allclose(value(again, row), value(m, row), rtol=1e-6, atol=0)


@pytest.mark.parametrize("row", TAKEN, ids=name_of)
def test_a_change_in_the_model_goes_back_into_the_spec(row):
    spec, m = made(row), made(row).compile()
    wanted = value(given(row).compile(), row)
    i = m.jnt_dofadr[m.joint("x").id] if row.per == "dof" else tumble.mj_name2id(m, OBJECTS[row.kind], "x")
    getattr(m, row.field)[i] = wanted
    spec.copy_back(m)
    assert np.allclose(value(spec.compile(), row), wanted, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("row", [row for row in TAKEN if row.back in ("save", "made")], ids=name_of)
def test_a_change_in_the_model_is_saved(row):
    m, wanted = made(row).compile(), value(given(row).compile(), row)
    i = m.jnt_dofadr[m.joint("x").id] if row.per == "dof" else tumble.mj_name2id(m, OBJECTS[row.kind], "x")
    getattr(m, row.field)[i] = wanted
    again = tumble.MjModel.from_xml_string(write_mjcf(made(row), m))
    assert np.allclose(value(again, row), wanted, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("joint", ["slide", "hinge"])
@pytest.mark.parametrize("row", SCALED, ids=name_of)
def test_a_frame_scales_it_by_its_dimension(row, joint):
    """A frame that scales lengths by 2 and masses by 3 scales the forces of slides by 6 and torques by 12."""
    before, after = (value(given(row, joint=joint, scale=scale).compile(), row) for scale in ("", SCALE))
    factors = np.ones(before.shape)
    linear = joint == "slide" or row.kind not in ("joint", "tendon", "actuator") or OWN.get((row.kind, row.attribute))
    for d in row.dimensions:
        force, reach = (LENGTH * MASS, LENGTH) if linear else (LENGTH**2 * MASS, 1.0)
        found = LENGTH ** (d.length + bool(linear) * d.coordinate) * MASS**d.mass * force**d.force * reach**d.reach
        factors[list(d.at) if d.at is not None else ...] *= found
    assert np.allclose(after, before * factors, rtol=1e-6)
