"""Fields of the inspector: expressions, types by name, references as links, the pace of a drag."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from tumble import engine as mj
from tumble.ui import arithmetic
from tumble.ui.panel import attribute, element, element_source

XML = """<mujoco><asset><material name="red" rgba="1 0 0 1"/></asset>
<worldbody><body name="a"><joint name="j" type="slide"/><geom name="g" type="capsule" size=".1 .1" material="red"/></body>
</worldbody><actuator><motor name="m" joint="j"/></actuator></mujoco>"""


@pytest.mark.parametrize(
    "text,value",
    [
        ("pi/2", math.pi / 2),
        ("-3", -3.0),
        ("2*(1+.5)", 3.0),
        ("2^3", 8.0),
        ("sqrt(2)", math.sqrt(2)),
        ("rad(90)", math.pi / 2),
        ("1e-3", 0.001),
        ("7%4", 3.0),
        ("--2", 2.0),
    ],
)
def test_expressions_have_their_value(text, value):
    assert arithmetic.evaluate(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nix",
        "1/0",
        "9**9**9",
        "10**400",
        "__import__('os')",
        "(1).real",
        "[1]",
        "'a'",
        "True",
        "sqrt(1, 2)",
        "sqrt(-1)",
        "(-1)**0.5",
        "1 2",
        "lambda: 1",
        "(" * 150 + ")" * 150,
        "1+" * 200,
        "inf-inf",
    ],
)
def test_anything_else_is_refused_in_words(text):
    with pytest.raises(ValueError, match=r"\w"):
        arithmetic.evaluate(text)


def test_random_texts_give_a_number_or_a_refusal():
    rng = np.random.default_rng(1)
    parts = ["1", "2.5", "pi", "+", "-", "*", "/", "^", "(", ")", "sqrt(", "e", " ", "%", "."]
    for _ in range(3000):
        text = "".join(rng.choice(parts, rng.integers(1, 12)))
        try:
            assert isinstance(arithmetic.evaluate(text), float)
        except ValueError:
            pass


def test_lists_keep_what_is_a_number_as_it_was_typed():
    assert arithmetic.numbers("0.10  pi/2 1e-3") == "0.10 1.570796327 1e-3"
    with pytest.raises(ValueError):
        arithmetic.numbers("1 nix")


def test_types_are_words_and_references_are_links():
    m = mj.MjModel.from_xml_string(XML)
    found = {
        row.field: element.meanings(m, row, np.asarray(getattr(m, row.field))[row.first : row.first + row.count].ravel())
        for kind, i in (("geom", 0), ("joint", 0), ("actuator", 0))
        for row in element.rows(m, kind, i)
        if row.owner == "m"
    }
    assert found["geom_type"] == [("capsule", "", -1)] and found["jnt_type"] == [("slide", "", -1)]
    assert found["geom_matid"] == [("red", "material", 0)] and found["jnt_bodyid"] == [("a", "body", 1)]
    assert found["actuator_trntype"] == [("joint", "", -1)] and found["geom_rgba"] == []
    for field in (*element.WORDS, *element.REFERENCES):
        assert hasattr(m, field), field


@pytest.mark.parametrize("value,step", [(0.0, 0.01), (1.0, 0.01), (-0.035, 1e-4), (250.0, 1.0)])
def test_a_drag_is_as_fine_as_its_number(value, step):
    assert attribute.pace(value) == pytest.approx(step)


def test_only_colors_have_a_picker():
    attr = SimpleNamespace(name="size", kind="f")
    assert attribute._color(attr, "1 0 0 1") is None
    attr.name = "rgba"
    assert attribute._color(attr, "red") is None and attribute._color(attr, "1 nan 0 1") is None


def test_the_distance_of_two_elements_is_between_their_centers():
    m = mj.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='.1' pos='1 2 3'/><body pos='1 2 0'><geom size='.1'/></body></worldbody></mujoco>"
    )
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    np.testing.assert_allclose(element.between(m, d, (("geom", 0), ("body", 1))), (0, 0, 3))
    assert element.between(m, d, (("geom", 0),)) is None and element.between(m, d, (("geom", 0), ("material", 0))) is None


BODIES = """<mujoco><worldbody>
<body name="free"><freejoint/><geom size=".1"/><body name="in"><joint/><geom size=".1"/></body></body>
<body name="hinge"><joint/><geom size=".1"/></body>
<body name="fixed"><geom size=".1"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("body", ["world", "free", "in", "hinge", "fixed"])
@pytest.mark.parametrize("tag", list(element_source.FRESH))
def test_what_is_offered_to_a_body_is_what_it_may_have(body, tag):
    m, spec = mj.MjModel.from_xml_string(BODIES), mj.MjSpec.from_string(BODIES)
    owner = spec.body(body)
    try:
        added = owner.add_freejoint() if tag == "freejoint" else getattr(owner, f"add_{tag}")()
        if tag == "joint":
            # another axis than that of the existing joint
            added.axis = 1, 0, 0
        if tag in ("geom", "body"):
            (added if tag == "geom" else added.add_geom()).size[0] = 0.1
        spec.compile()
        possible = True
    except ValueError:
        possible = False
    assert element_source.fits(m, owner.id, tag) == possible
