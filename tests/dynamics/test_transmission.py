"""Transmissions against the reference: lengths and moments of every kind."""

import mujoco
import numpy as np
import pytest

from tests.mirror import compare, random_state
from tests.oracle import load_pair
from tests.tolerance import ROUND

from .models import ACTUATORS, LIGHT_ACTUATORS, model

OUTPUTS = "actuator_length actuator_moment moment_rownnz moment_rowadr moment_colind".split()


def parity(pair):
    """Compare one state; moments only as far as rows are filled."""
    ref, ref_data, m, d = pair
    entries = int(ref_data.moment_rownnz.sum())
    results = compare("transmission", ref_data, m, d, ["actuator_length", "moment_rownnz", "moment_rowadr"])
    assert max(results.values()) <= ROUND, results
    assert np.array_equal(d.moment_colind[:entries], ref_data.moment_colind[:entries])
    np.testing.assert_allclose(d.actuator_moment[:entries], ref_data.actuator_moment[:entries], rtol=0, atol=ROUND)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("actuators", [ACTUATORS, LIGHT_ACTUATORS])
def test_lengths_and_moments(actuators, jacobian, seed):
    pair = load_pair(model(extra=actuators, jacobian=jacobian))
    random_state(*pair[:2], seed, 0.5)
    parity(pair)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("gap", [0, 0.05])
def test_adhesion_of_a_body_in_contact(cone, jacobian, gap):
    xml = model(extra=ACTUATORS, jacobian=jacobian, options=f'cone="{cone}"')
    pair = load_pair(xml.replace('type="plane"', f'type="plane" margin=".05" gap="{gap}"'))
    ref, ref_data, *_ = pair
    mujoco.mj_resetData(ref, ref_data)
    ref_data.joint("free").qpos[:3] = -2, 1, 0.07
    mujoco.mj_forward(ref, ref_data)
    stick = ref.actuator("stick").id
    assert ref_data.ncon >= 4
    assert ref_data.moment_rownnz[stick] > 0
    assert bool((ref_data.contact.exclude == 1).any()) == (gap > 0)
    parity(pair)


SLEEPY = """<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option>
  <worldbody>
    <body name="a" sleep="init"><joint name="ja"/><geom size=".1"/><site name="sa"/></body>
    <body name="b" pos="1 0 0"><joint name="jb"/><geom size=".1"/><site name="sb" pos=".1 .1 .1"/></body>
    <body name="c" pos="2 0 0" sleep="init"><joint name="jc"/><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial name="near"><site site="sa"/><site site="sb"/></spatial><fixed name="far"><joint joint="jc" coef="2"/>
    </fixed></tendon>
  <actuator><motor joint="ja"/><motor joint="jb"/><motor tendon="near"/><motor tendon="far"/>
    <motor joint="jc"/>EXTRA</actuator></mujoco>"""


@pytest.mark.parametrize("extra", ["", '<motor site="sa" gear="1 2 3 4 5 6"/><motor site="sb" gear="1 2 3 4 5 6"/>'])
def test_sleeping_actuators_have_empty_rows(extra):
    pair = load_pair(SLEEPY.replace("EXTRA", extra))
    ref, ref_data, m, d = pair
    ref_data.qvel[1] = 1
    mujoco.mj_forward(ref, ref_data)
    assert ref_data.ntree_awake == 1
    assert 0 in ref_data.moment_rownnz
    for name, outputs in (("tendon", ["ten_length", "ten_J"]), ("transmission", OUTPUTS)):
        results = compare(name, ref_data, m, d, outputs, poison=False)
        assert max(results.values()) <= ROUND, results
