"""Rows of the constraint list, field by field against the reference."""

import mujoco
import numpy as np
import pytest

from tests.constraint.mirror import ROWS, SPARSE, compare, mirror, worst
from tests.constraint.scenes import legs, pile, settle
from tumble.engine.core import stages

# same operations in the same order; powers and trigonometry may differ in the last bit
ROUNDING = 1e-14


def check_rows(ref, data):
    m, d = mirror(ref, data, tight=True)
    d.poison("tendon_efcadr", "contact_mu")
    stages.call("make_constraint", m, d)
    for n in ("ne", "nf", "nl", "nefc", "nJ"):
        assert getattr(d, n) == getattr(data, n), n
    sparse = mujoco.mj_isSparse(ref)
    errors = compare(d, data, ROWS + (SPARSE if sparse else []) + (["tendon_efcadr"] if data.nefc else []))
    count = data.nJ if sparse else data.nefc * ref.nv
    errors["efc_J"] = worst(d.array("efc_J")[:count], data.efc_J[:count])
    friction = data.contact.dim > 1
    errors["contact_mu"] = worst(d.contact_mu[friction], data.contact.mu[friction])
    errors["contact_efc_address"] = worst(d.contact_efc_address, data.contact.efc_address)
    assert {n: e for n, e in errors.items() if e > ROUNDING} == {}
    return m, d


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_every_kind_of_row(condim, cone, jacobian):
    for steps in (0, 12, 60):
        ref, data = settle(legs(condim, f'cone="{cone}" jacobian="{jacobian}"'), steps)
        check_rows(ref, data)
    kinds = set(data.efc_type.tolist())
    assert len(kinds) >= 6, "the scene has lost a kind of constraint"


@pytest.mark.parametrize("option", ['impratio="3" cone="elliptic"', 'impratio="0.2"', 'o_margin="0.1"'])
def test_options(option):
    check_rows(*settle(legs(option=option), 30))


@pytest.mark.parametrize("flag", ["constraint", "equality", "frictionloss", "limit", "contact", "refsafe"])
def test_disabled(flag):
    xml = legs().replace("<default>", f'<option><flag {flag}="disable"/></option><default>')
    ref, data = settle(xml, 20)
    m, d = check_rows(ref, data)
    assert flag != "constraint" or d.nefc == 0


def test_inactive_equality():
    ref, data = settle(legs(), 20)
    data.eq_active[:] = [0, 1, 0, 1, 1, 0, 1, 0]
    mujoco.mj_forward(ref, data)
    check_rows(ref, data)


def test_direct_solref():
    ref, data = settle(pile(6, 'cone="elliptic"'), 40)
    data.contact.solref[:] = [-300, -15]
    data.contact.solreffriction[:] = [-1, -40]
    mujoco.mj_makeConstraint(ref, data)
    check_rows(ref, data)


def test_room_is_asked_for_once():
    ref, data = settle(pile(), 40)
    m, d = mirror(ref, data, tight=True)
    stages.find("make_constraint")
    calls = []
    grow = type(d).grow
    d.__dict__["grow"] = lambda: calls.append(1) or grow(d)
    stages.call("make_constraint", m, d)
    assert calls == [1] and d.nefc == data.nefc


def test_rows_are_consistent_with_velocity():
    """The velocity of an equality's rows is the rate of change of their position error."""
    ref, data = settle(
        legs(
            equality='<connect body1="chain" body2="crate" anchor="0.2 0 0"/><joint joint1="turn" joint2="knee" polycoef="0 '
            '1 1 0 0"/>'
        ),
        25,
    )
    step = 1e-7
    m, d = mirror(ref, data)
    stages.call("make_constraint", m, d)
    stages.call("reference_constraint", m, d)
    before, rate = np.array(d.efc_pos[: d.ne]), np.array(d.efc_vel[: d.ne])
    mujoco.mj_integratePos(ref, data.qpos, data.qvel, step)
    mujoco.mj_forward(ref, data)
    m, d = mirror(ref, data)
    stages.call("make_constraint", m, d)
    # a difference quotient with step 1e-7 is good to about the step times the second derivative
    assert np.allclose((d.efc_pos[: d.ne] - before) / step, rate, atol=1e-5)


FLEX = """
<mujoco>
  <option timestep="0.002" jacobian="{jacobian}" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="{condim}"/>
    <body pos="0 0 0.35"><freejoint/><geom size="0.08" condim="{condim}"/></body>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing="0.1 0.1 0.1" pos="0 0 0.2" dim="2" radius="0.01" mass="0.5">
      <contact selfcollide="none" condim="{condim}"/><edge equality="true"/>{pin}
    </flexcomp>
    <flexcomp name="block" type="grid" count="3 3 3" spacing="0.1 0.1 0.1" pos="1 0 0.08" dim="3" radius="0.01" mass="1"
      dof="{dof}">
      <contact selfcollide="none" condim="{condim}"/>
    </flexcomp>
    <body pos="1 0 0.3"><freejoint/><geom type="box" size="0.06 0.06 0.06" condim="{condim}"/></body>
  </worldbody>
</mujoco>"""


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("dof", ["full", "trilinear"])
def test_flex_contacts(jacobian, cone, dof):
    ref, data = settle(FLEX.format(jacobian=jacobian, cone=cone, condim=3, dof=dof, pin='<pin id="0 3 12 15"/>'), 0)
    for _ in range(60):
        mujoco.mj_step(ref, data)
    mujoco.mj_forward(ref, data)
    assert (data.contact.flex >= 0).any() and data.ne > 0, "the scene has lost its flexes"
    check_rows(ref, data)
