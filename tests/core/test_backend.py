"""Compilation of kernels to machine code: complete objects, and user functions that can still be called from Python."""

import numba
import numpy as np
import pytest

import tumble
from tumble import debug
from tumble.engine.core import stages
from tumble.engine.machine import jit
from tumble.engine.math import quat
from tumble.engine.tables import stage_rows

MODEL = "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body></worldbody></mujoco>"


@pytest.mark.parametrize("name", stage_rows.everything())
def test_the_object_of_a_stage_can_be_mapped(name):
    """The object of every stage can be mapped into memory, because no callee is missing."""
    assert jit.Stage.registry.get(name, stages.find(name)).address


def test_a_function_that_a_stage_calls_can_be_called_from_python_too():
    """A function that was compiled for a stage can still be called from Python, with other types, too."""

    @numba.njit
    def twice(x):
        return 2.0 * x

    @numba.njit
    def mine(m, d):
        d.qfrc_passive[0] = twice(d.qpos[0])

    m = tumble.MjModel.from_xml_string(MODEL)
    d = tumble.MjData(m)
    d.qpos[0] = 0.25
    with debug.replace("passive", mine):
        tumble.mj_forward(m, d)
    assert d.qfrc_passive[0] == 0.5
    assert twice(3.0) == 6.0 and twice(np.int64(2)) == 4.0


def test_a_kernel_of_the_engine_can_be_called_from_python():
    """Also after it has been linked: then its module contains the dispatcher for calls from kernels, which has no entry for
    Python.
    """
    half = np.sqrt(0.5)
    for _ in range(2):
        matrix = quat.quat_mat((half, 0.0, 0.0, half))
        jit.link_helpers()
        assert np.allclose(matrix, [0, -1, 0, 1, 0, 0, 0, 0, 1], rtol=0, atol=1e-15)
    assert not isinstance(quat.quat_mat, jit.Helper)


def test_numba_compiles_for_itself_as_ever():
    """Functions compiled outside of stages have machine code at once and may use numba's run-time library."""

    @numba.njit
    def build(n):
        return np.arange(n) * 2.5

    jit.backend()
    assert build(4).tolist() == [0, 2.5, 5, 7.5]
