"""Inverse dynamics: it undoes forward dynamics, and leaves sleeping trees alone."""

import mujoco
import numpy as np

import tumble
from tests.oracle import copy_state
from tests.tolerance import ITER, SOLVE, close

SLEEPERS = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 .01"/>
  <body pos="0 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def test_applied_forces_come_back():
    m = tumble.MjModel.from_xml_string(SLEEPERS.replace('sleep="enable"', ""))
    d = tumble.MjData(m)
    d.qfrc_applied[:] = np.random.default_rng(0).normal(size=m.nv)
    tumble.mj_forward(m, d)
    tumble.mj_inverse(m, d)
    # the floor pushes the lower box: its force is known to the solver's tolerance
    close(d.qfrc_inverse[6:], d.qfrc_applied[6:], SOLVE)
    close(d.qfrc_inverse[:6], d.qfrc_applied[:6], ITER)


def test_sleeping_trees_need_no_force(pair):
    ref, ref_data, m, d = pair(SLEEPERS)
    mujoco.mj_resetData(ref, ref_data)
    tumble.mj_resetData(m, d)
    copy_state(ref_data, d)
    for _ in range(3):
        tumble.mj_forward(m, d)
        mujoco.mj_forward(ref, ref_data)
        assert d.ntree_awake == ref_data.ntree_awake == 1
        tumble.mj_inverse(m, d)
        mujoco.mj_inverse(ref, ref_data)
        assert not d.qfrc_inverse[:6].any()
        close(d.qfrc_inverse, ref_data.qfrc_inverse, SOLVE)
