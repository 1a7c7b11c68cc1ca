"""Yielding springs: their state is kept, saved, set by key frames, and refused where it does not fit. Cases test their
numbers."""

import copy
import pickle

import numpy as np
import pytest

import tumble

from .cases import CASES

JOINTS = """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="h" stiffness="1" springyield="20"/>\
<geom size=".1"/></body><body pos="0 1 0"><joint type="{kind}" {more}/>
  <geom size=".1"/></body></worldbody><tendon><fixed springyield="{tendon}" stiffness="1"><joint joint="h" coef="2"/></fixed>\
</tendon></mujoco>"""


def test_the_state_is_kept_everywhere(tmp_path):
    """Copies, pickles, states, files and key frames keep the state of yielding springs."""
    spec = tumble.MjSpec.from_string(CASES["late_plastic"][0])
    m = spec.compile()
    d = tumble.MjData(m)
    assert np.array_equal(d.plastic, m.key_plastic[1]) and not np.array_equal(d.plastic, m.key_plastic[0])
    tumble.mj_resetDataKeyframe(m, d, 0)
    assert np.array_equal(d.plastic, m.key_plastic[0])
    for _ in range(30):
        tumble.mj_step(m, d)
    held = d.plastic.copy()
    assert not np.array_equal(held, m.key_plastic[0]) and np.array_equal(copy.copy(d).plastic, held)
    full = tumble.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(tumble.mj_stateSize(m, full))
    tumble.mj_getState(m, d, state, full)
    tumble.mj_setKeyframe(m, d, 1)
    tumble.mj_resetData(m, d)
    assert not np.array_equal(d.plastic, held)
    tumble.mj_setState(m, d, state, full)
    assert np.array_equal(d.plastic, held) and np.array_equal(m.key_plastic[1], held)
    tumble.mj_saveModel(m, str(tmp_path / "m.mjb"))
    for again in (
        pickle.loads(pickle.dumps(m)),
        tumble.MjModel.from_binary_path(str(tmp_path / "m.mjb")),
        tumble.MjModel.from_xml_string(spec.to_xml()),
    ):
        assert again.nplastic == m.nplastic == 16 and np.array_equal(again.jnt_plasticadr, m.jnt_plasticadr)
        assert np.allclose(again.jnt_springyield, m.jnt_springyield, rtol=1e-5, atol=0) and np.array_equal(
            again.tendon_springyield, m.tendon_springyield
        )
        assert again.nkey == 2 and np.array_equal(again.key_plastic[0], m.key_plastic[0])


def test_a_spring_that_yields_lets_go():
    """A joint bent too far comes to rest elsewhere, and its spring never pulls harder than its yield force."""
    m = tumble.MjModel.from_xml_string(JOINTS.format(kind="slide", more="", tendon="0"))
    m.dof_damping[0], m.tendon_stiffness[0] = 0.05, 0
    d = tumble.MjData(m)
    d.qpos[0] = 1
    for k in range(20000):
        tumble.mj_step(m, d)
        assert k == 0 or abs(d.qfrc_spring[0]) <= np.deg2rad(20) + ROUNDING
    assert abs(d.qvel[0]) < ROUNDING and abs(d.qpos[0] - d.plastic[0]) < ROUNDING and d.qpos[0] > 0.5


# remainder of a decaying motion, and rounding of sums
ROUNDING = 1e-6


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ({"kind": "free", "more": "springyield='1'"}, "free joint"),
        ({"kind": "slide", "more": "springyield='-1'"}, "negative"),
        ({"tendon": "-1"}, "negative"),
    ],
)
def test_what_cannot_yield_is_refused(parts, word):
    with pytest.raises(ValueError, match=word):
        tumble.MjModel.from_xml_string(JOINTS.format(**{"kind": "slide", "more": "", "tendon": "0"} | parts))


def test_sizes_that_do_not_fit_are_refused():
    state = tumble.MjModel.from_xml_string(CASES["late_plastic"][0]).__getstate__()
    for field, row, value in (
        ("jnt_plasticnum", 1, 1),
        ("jnt_plasticnum", 0, 0),
        ("tendon_plasticnum", 0, 1),
        ("tendon_plasticnum", 0, 0),
    ):
        bad = copy.deepcopy(state)
        bad["arrays"][field][row] = value
        with pytest.raises(ValueError, match="plastic"):
            tumble.MjModel.__new__(tumble.MjModel).__setstate__(bad)
