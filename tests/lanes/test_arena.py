"""Steps on lanes count the memory of contacts and rows like those of single worlds, where a model limits its arena."""

import numpy as np
import pytest

import tumble as mj
from tests.lanes.test_lanes import distance, side_by_side
from tests.tolerance import LANES_CONSTRAINED
from tumble.engine.lanes.program import program_of

SPHERES = "".join(f'<body pos="{0.15 * i} 0 .099"><freejoint/><geom size=".1"/></body>' for i in range(6))
SCENE = """<mujoco><size memory="{memory}"/><option integrator="{integrator}"/>
  <worldbody><geom type="plane" size="3 3 .1"/>{spheres}</worldbody></mujoco>"""
COUNTS = ("ncon", "nefc", "nisland")


def compared(integrator, memory):
    """Step single worlds and lanes from the same states; return the counts of contacts that were seen, and of warnings."""
    m = mj.MjModel.from_xml_string(SCENE.format(memory=memory, integrator=integrator, spheres=SPHERES))
    assert not isinstance(program_of(m), str)
    seen, told = set(), 0
    for one, many, bound in side_by_side(m, COUNTS, 10, nsim=8):
        assert distance(one.state, many.state) <= LANES_CONSTRAINED
        for n in COUNTS:
            assert np.array_equal(bound[0][n], bound[1][n]), n
        assert np.array_equal(one.warning, many.warning)
        seen |= set(bound[0]["ncon"].ravel().tolist())
        told += int(one.warning.sum())
    return seen, told


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.filterwarnings("ignore")
def test_contacts_are_left_out_where_those_of_a_single_world_are(integrator):
    """Scratch of Runge-Kutta substeps takes the room of contacts."""
    seen, told = set(), 0
    for kilobytes in range(32, 56, 8):
        some, more = compared(integrator, f"{kilobytes}K")
        seen, told = seen | some, told + more
    assert told and len(seen) > 2
