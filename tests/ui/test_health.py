"""The health report finds the problems that it names, and reports nothing for a sound model."""

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tumble.engine.tables import compat_rows
from tumble.ui.health import check, hull_share
from tumble.ui.release import MATTERS, differences, other

BODY = '<body name="b" pos="0 0 1">{}</body>'
# problem -> (text inside worldbody and after it, level, kind, part of the finding's text)
CASES = {
    "mass": (
        BODY.format('<joint/><inertial pos="0 0 0" mass="1e-9" diaginertia="1e-12 1e-12 1e-12"/>'),
        "",
        "error",
        "body",
        "almost nothing",
    ),
    "ratio": (
        BODY.format(
            '<joint/><inertial pos="0 0 0" mass="1e-3" diaginertia="1e-3 1e-3 1e-3"/><body><joint/><geom size=".1" '
            'mass="9"/></body>'
        ),
        "",
        "warning",
        "body",
        "carry",
    ),
    "density": (BODY.format('<joint/><geom size=".1" mass="0.01"/>'), "", "info", "body", "kg/m^3"),
    "light": (BODY.format('<joint name="j"/><geom size=".001"/>'), "", "warning", "joint", "armature"),
    "overlap": (
        '<geom name="g1" size=".1"/>' + BODY.replace("0 0 1", "0 0 .1").format('<freejoint/><geom name="g2" size=".1"/>'),
        "",
        "warning",
        "geom",
        "overlaps g2 by 0.1 m",
    ),
    "range": (
        BODY.format('<joint name="j" range="1 2" limited="true"/><geom size=".1"/>'),
        "",
        "warning",
        "joint",
        "outside its range",
    ),
    "motor": (
        BODY.format('<joint name="j" axis="0 1 0"/><geom size=".1" pos="1 0 0"/>'),
        '<actuator><motor joint="j" forcelimited="true" forcerange="-1 1"/></actuator>',
        "info",
        "joint",
        "gravity needs",
    ),
    "spring": (BODY.format('<joint name="j" stiffness="1e6"/><geom size=".1"/>'), "", "error", "joint", "a time step below"),
    "servo": (
        BODY.format('<joint name="j"/><geom size=".1"/>'),
        '<actuator><position name="a" joint="j" kp="1e6"/></actuator>',
        "error",
        "actuator",
        "servo",
    ),
    "contact": (BODY.format('<freejoint/><geom size=".1" contype="0" conaffinity="0"/>'), "", "info", "body", "falls through"),
    "names": ('<body><joint/><geom size=".1"/></body>', "", "info", "joint", "have no name"),
}


def model(world, rest=""):
    return mj.MjModel.from_xml_string(f'<mujoco><compiler angle="radian"/><worldbody>{world}</worldbody>{rest}</mujoco>')


def test_differences_of_releases_are_those_that_the_model_meets():
    """The report knows every change of a step, and lists those that affect the model, for files of 3.4 and of 4.0."""
    assert not {row.name for row in compat_rows.ROWS if row.where == "step"} - MATTERS.keys()
    empty, held = (
        model("<geom size='.1'/>"),
        (
            '<body><joint/><geom size=".1"/></body><body name="b" mocap="true" gravcomp="1"><geom size=".1"/></body>',
            '<equality><connect body1="b" anchor="0 0 0"/></equality>',
        ),
    )
    assert not differences(empty) and other(empty) == "4.0"
    found = {row.name for row in differences(model(*held))}
    assert {"jdot_bias", "gravcomp_all", "mocap_weld"} <= found and "margin_sum" not in found
    later = mj.MjModel.from_xml_string("<mujoco><worldbody>" + held[0] + "</worldbody>" + held[1] + "</mujoco>", compat="4.0")
    assert other(later) == "3.4" and {row.name for row in differences(later)} == found


@pytest.mark.parametrize("what", CASES)
def test_each_finding(what):
    world, rest, level, kind, text = CASES[what]
    found = [f for f in check(model(world, rest)) if f.level == level and f.kind == kind and text in f.text]
    assert found, check(model(world, rest))


def test_an_impossible_inertia():
    m = model(BODY.format('<joint/><geom size=".1"/>'))
    m.body_inertia[1] = 1, 1, 3
    assert any("exceeds the sum" in f.text for f in check(m))


def test_a_sound_model_has_no_findings():
    assert check(mj.MjModel.from_xml_path(str(ROOT / "assets" / "models" / "humanoid.xml"))) == []


def test_worst_first():
    found = check(model(CASES["range"][0] + CASES["names"][0] + CASES["spring"][0].replace('"b"', '"c"').replace('"j"', '"k"')))
    order = ("error", "warning", "info")
    assert [order.index(f.level) for f in found] == sorted(order.index(f.level) for f in found) and len(found) > 2


def test_a_hollow_mesh_that_collides_is_named():
    """A thin corner piece is named, because it fills little of its convex hull. A thick one is not."""

    def bracket(t):
        outline = [(0, 0), (1, 0), (1, t), (t, t), (t, 1), (0, 1)]
        vertex = " ".join(f"{x} {y} {z}" for z in (0, 1) for x, y in outline)
        floor = [(0, 3, 1), (1, 3, 2), (0, 4, 3), (0, 5, 4)]
        sides = [f for k in range(6) for f in ((k, (k + 1) % 6, 6 + k), ((k + 1) % 6, 6 + (k + 1) % 6, 6 + k))]
        face = " ".join(str(i) for f in [*floor, *((6 + a, 6 + c, 6 + b) for a, b, c in floor), *sides] for i in f)
        return mj.MjModel.from_xml_string(
            f'<mujoco><asset><mesh name="a" vertex="{vertex}" face="{face}"/></asset>'
            '<worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>'
        )

    thin, thick = bracket(0.1), bracket(0.8)
    assert [f.kind for f in check(thin) if "hull" in f.text] == ["mesh"]
    assert not [f for f in check(thick) if "hull" in f.text]
    share, depth = hull_share(thin, 0)
    # the hull of an L is a square without a triangle, whose long side is farthest from the mesh in its middle
    whole = 1 - 0.5 * 0.9 * 0.9
    assert np.isclose(share, (1 - 0.81) / whole) and np.isclose(depth, 0.45, atol=0.01)
