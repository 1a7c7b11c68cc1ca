"""Additions and changes of later releases, in numbers: compiled fields, forward dynamics and a step equal the records
of 4.0.1.
"""

import pathlib

import numpy as np
import pytest

import tumble

from .cases import CASES, ROWS, SMOOTH, SOLVED, measure, unpacked

RECORDS = dict(np.load(pathlib.Path(__file__).parent / "records.npz"))
# largest error relative to the largest number of a field: sums in another order; contacts, and rows that divide by small
# numbers; solver tolerance; and its growth over some steps
SUMS, CONTACTS, SOLVER, AFTER = 1e-9, 1e-8, 1e-7, 1e-8
LIMIT = dict.fromkeys(SMOOTH, SUMS) | dict.fromkeys(ROWS, CONTACTS) | dict.fromkeys(SOLVED, SOLVER)
# numbers below this count as zero
FLOOR = 1e-3


def error(found, expected):
    """Largest difference relative to the largest number."""
    if found.size != expected.size:
        return np.inf
    return float(np.abs(found.ravel() - expected).max(initial=0) / max(np.abs(expected).max(initial=0), FLOOR))


def test_records_are_of_the_oracle():
    assert str(RECORDS["version"]) == "4.0.1" and {key.split(".")[0] for key in RECORDS} == {*CASES, "version"}


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    xml, fields = CASES[name]
    m = tumble.MjModel.from_xml_string(xml, compat="4.0")
    recorded = unpacked(RECORDS, name, fields)
    for key, x in measure(tumble, m, tumble.MjData(m), name, fields).items():
        kind, _, field = key.partition(".")
        limit = SUMS if kind == "model" else SOLVER if kind == "step" else AFTER if kind.startswith("later") else LIMIT[field]
        assert error(x, recorded[key]) < limit, f"{key}\n{x.ravel()}\n{recorded[key]}"


# cases in which a switched change matters: 3.4 must give other numbers
SWITCHED = (
    "connect_bodies",
    "connect_sites",
    "weld_bodies",
    "weld_sites",
    "margins",
    "margin_pair",
    "gravcomp_nested",
    "mocap_child",
    "dampratio",
    "site_turn",
    "convex_pairs",
    "free_turn",
    "rk4_turns",
    "saturated",
    "setpoints",
    "side_sites",
    "field_margins",
    "flex_touch",
)


@pytest.mark.parametrize("name", SWITCHED)
def test_the_switch_counts(name):
    m = tumble.MjModel.from_xml_string(CASES[name][0])
    found, recorded = measure(tumble, m, tumble.MjData(m), name, CASES[name][1]), unpacked(RECORDS, name, CASES[name][1])
    assert max(error(found[f"step.{n}"], recorded[f"step.{n}"]) for n in ("qpos", "qvel")) > SOLVER


def test_springs_have_the_energy_of_their_forces():
    """The force of each polynomial spring is the slope of the potential energy."""
    m = tumble.MjModel.from_xml_string(
        CASES["polynomials"][0].replace("<worldbody>", "<option gravity='0 0 0'><flag energy='enable'/></option><worldbody>")
    )
    d = tumble.MjData(m)
    rng = np.random.default_rng(3)
    d.qpos[:3] += rng.normal(size=3) * 0.1
    tumble.mj_forward(m, d)
    force, start, step = d.qfrc_spring.copy(), d.qpos.copy(), 1e-6
    # the slide and the position of the free body: coordinates that velocities are rates of
    for dof, q in ((0, 0), (4, 5), (5, 6), (6, 7), (7, 8)):
        found = []
        for sign in (1, -1):
            d.qpos[:] = start
            d.qpos[q] += sign * step
            tumble.mj_forward(m, d)
            found.append(d.energy[0])
        assert abs((found[0] - found[1]) / (2 * step) + force[dof]) < FINITE * max(1.0, abs(force[dof])), dof


# accuracy of differences over a small step
FINITE = 1e-6
MORE = (
    "<default><joint stiffness='1 2'/><general damping='.1 .2' armature='.3'/><geom surfacevel='1 0 0 0 0 0'/>"
    "<tendon damping='.5 .6'/></default>"
    "<worldbody><body><joint name='j' stiffness='1 2 3' damping='6 0 4'/><geom name='g' size='.1'/></body><body>"
    "<joint name='k'/>"
    "<geom name='h' size='.1' surfacevel='0 0 0 0 0 1' adhesion='2'/></body></worldbody><contact><pair geom1='g' "
    "geom2='h' adhesion='3'/></contact><tendon><fixed><joint joint='j' coef='1'/></fixed><fixed damping='1 2 3'>"
    "<joint joint='k' coef='1'/>"
    "</fixed></tendon><actuator><motor joint='j'/><general joint='k' damping='1'/><general joint='k' damping='3 4 "
    "5' armature='0'/></actuator>"
)
WRITTEN = (
    "jnt_stiffness jnt_stiffnesspoly dof_damping dof_dampingpoly tendon_damping tendon_dampingpoly "
    "actuator_damping actuator_dampingpoly actuator_armature "
    "geom_surfacevel geom_adhesion pair_adhesion"
).split()


def test_what_is_new_is_written():
    """New attributes survive saving, with and without classes, and can be set on the elements of a spec."""
    spec = tumble.MjSpec.from_string(f"<mujoco>{MORE}</mujoco>")
    m, again = spec.compile(), tumble.MjModel.from_xml_string(spec.to_xml())
    for name in WRITTEN:
        assert getattr(m, name).any() and np.array_equal(getattr(m, name), getattr(again, name)), name
    assert (
        list(m.jnt_stiffnesspoly[0]) == [2, 3]
        and list(m.jnt_stiffnesspoly[1]) == [2, 0]
        and list(m.dof_dampingpoly[0]) == [0, 4]
    )
    assert list(m.actuator_dampingpoly[1]) == [0.2, 0]
    joint = spec.joint("j")
    joint.stiffnesspoly, spec.geom("g").surfacevel = [7, 8], [0, 0, 0, 0, 0, 9]
    m = spec.compile()
    assert (
        list(m.jnt_stiffnesspoly[0]) == [7, 8]
        and m.geom_surfacevel[0, 5] == 9
        and list(m.joint("j").stiffnesspoly.ravel()) == [7, 8]
    )


def test_folders_of_urdf_files():
    """File names of URDF lose their folders, as in 3.4, unless the selected release keeps them."""
    urdf = (
        "<robot name='r'><link name='l'><visual><geometry><mesh filename='a/b/m.obj'/></geometry></visual>"
        "<inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>"
    )
    for compat, wanted in (("3.4", "m.obj"), ("4.0", "a/b/m.obj")):
        with pytest.raises(ValueError, match=wanted) as caught:
            tumble.MjModel.from_xml_string(
                urdf.replace("<link", "<mujoco><compiler discardvisual='false'/></mujoco><link"), compat=compat
            )
        assert ("a/b" in str(caught.value)) == (compat == "4.0")


def test_simple_is_written():
    spec = tumble.MjSpec.from_string(CASES["simple_bodies"][0])
    assert spec.body("c").simple == 0 and list(tumble.MjModel.from_xml_string(spec.to_xml()).body_simple) == list(
        spec.compile().body_simple
    )
