"""Tendons against the reference: paths, lengths, Jacobians, velocities and the forces they cause."""

import re

import mujoco
import numpy as np
import pytest

from tests.mirror import compare, difference, mirror, random_state
from tests.oracle import load_pair
from tests.tolerance import ROUND
from tumble.engine.core import stages
from tumble.engine.dynamics import wrap
from tumble.engine.machine.interpret import interpreted

from .models import model

SEEDS = range(8)
PATH = "ten_length ten_wrapadr ten_wrapnum".split()
FIXED_ONLY = '<tendon><fixed name="sum" armature=".2"><joint joint="wrist_x" coef="1"/></fixed></tendon>'


@pytest.fixture(scope="module", params=["dense", "sparse"])
def pair(request):
    return load_pair(model(jacobian=request.param))


def valid(ref, ref_data):
    """Counts of path points and of packed Jacobian entries."""
    return int(ref_data.ten_wrapnum.sum()), int(ref_data.ten_J_rownnz.sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_paths_and_jacobian(pair, seed):
    ref, ref_data, m, d = pair
    random_state(ref, ref_data, seed, 0.6)
    sparse = mujoco.mj_isSparse(ref)
    outputs = [*PATH, *(["ten_J_rownnz", "ten_J_rowadr"] if sparse else ["ten_J"])]
    mirror(ref_data, d)
    d.poison("wrap_obj", "wrap_xpos", "ten_J", "ten_J_colind", *outputs)
    stages.call("tendon", m, d)
    for n in outputs:
        assert difference(d.array(n), getattr(ref_data, n)) <= ROUND, n
    points, entries = valid(ref, ref_data)
    assert points > 20
    assert np.array_equal(d.wrap_obj.ravel()[:points], ref_data.wrap_obj.ravel()[:points])
    assert difference(d.wrap_xpos.ravel()[: 3 * points], ref_data.wrap_xpos.ravel()[: 3 * points]) <= ROUND
    if sparse:
        assert np.array_equal(d.ten_J_colind.ravel()[:entries], ref_data.ten_J_colind.ravel()[:entries])
        assert difference(d.ten_J.ravel()[:entries], ref_data.ten_J.ravel()[:entries]) <= ROUND


def test_every_kind_of_contact_with_a_geom_occurs(pair):
    ref, ref_data, *_ = pair
    seen = set()
    for seed in SEEDS:
        random_state(ref, ref_data, seed, 0.6)
        for t in range(ref.ntendon):
            a, n = ref_data.ten_wrapadr[t], ref_data.ten_wrapnum[t]
            objects = ref_data.wrap_obj.ravel()[a : a + n]
            seen.add((ref.tendon(t).name, bool((objects >= 0).any())))
    wrapping = {"wrapped", "sided", "inner", "drummed"}
    assert {(n, True) for n in wrapping} <= seen


def test_the_angle_of_incidence_solves_its_equation_in_few_steps(monkeypatch):
    """With compat 4.0; without a solution, the string grazes the circle. More steps are allowed than ever needed."""
    incidence = interpreted(wrap.exact_incidence)
    monkeypatch.setitem(incidence.__globals__, "BRACKETED_STEPS", 12)
    random = np.random.default_rng(0)
    found = {True: 0, False: 0}
    for A, B, G in zip(*random.uniform(0.05, 0.99, (2, 500)).tolist(), random.uniform(0, np.pi, 500).tolist(), strict=True):
        z = incidence(A, B, G)
        solvable = bool(np.arcsin(A) + np.arcsin(B) - np.pi + G <= 0)
        found[solvable] += 1
        error = np.arcsin(A * z) + np.arcsin(B * z) - 2 * np.arcsin(z) + G
        # the sine hides rounding errors of an angle close to a right one
        assert abs(error) < 1e-7 if solvable else z == 1
    assert min(found.values()) > 50


def test_fixed_tendons_alone():
    ref, ref_data, m, d = load_pair(model(FIXED_ONLY))
    random_state(ref, ref_data)
    assert compare("tendon", ref_data, m, d, ["ten_length", "ten_J"]) == {"ten_length": 0, "ten_J": 0}


def test_jacobian_is_the_derivative_of_length():
    ref, ref_data, m, d = load_pair(model())
    random_state(ref, ref_data, 2)
    mirror(ref_data, d)
    stages.call("tendon", m, d)
    jacobian = d.ten_J.copy()
    base, step, measured = ref_data.qpos.copy(), 1e-6, np.empty((ref.ntendon, ref.nv))
    for i in range(ref.nv):
        lengths = []
        for sign in (1, -1):
            ref_data.qpos = base
            mujoco.mj_integratePos(ref, ref_data.qpos, np.eye(ref.nv)[i], sign * step)
            mujoco.mj_fwdPosition(ref, ref_data)
            mirror(ref_data, d)
            stages.call("tendon", m, d)
            lengths.append(d.ten_length.copy())
        measured[:, i] = (lengths[0] - lengths[1]) / (2 * step)
    # central differences of step 1e-6 lose half the digits; arcs found by Newton's method are good to 1e-6
    assert np.abs(measured - jacobian).max() < 1e-5


@pytest.mark.parametrize("seed", SEEDS)
def test_velocity(pair, seed):
    ref, ref_data, m, d = pair
    random_state(ref, ref_data, seed)
    assert compare("tendon_vel", ref_data, m, d, ["ten_velocity"])["ten_velocity"] <= ROUND


@pytest.mark.parametrize("disabled", [(), ("spring",), ("damper",)])
def test_springs_and_dampers(pair, disabled):
    ref, ref_data, m, d = pair
    flags = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{n.upper()}")) for n in disabled)
    ref.opt.disableflags = m.opt.disableflags = flags
    random_state(ref, ref_data, 3)
    mirror(ref_data, d)
    # no joint has springs, so all of these forces come from tendons
    d.qfrc_spring, d.qfrc_damper = 0, 0
    stages.call("tendon_passive", m, d)
    ref.opt.disableflags = m.opt.disableflags = 0
    assert np.abs(ref_data.qfrc_spring).max() > 0 or "spring" in disabled
    assert difference(d.qfrc_spring, ref_data.qfrc_spring) <= ROUND
    assert difference(d.qfrc_damper, ref_data.qfrc_damper) <= ROUND


@pytest.mark.parametrize("seed", SEEDS)
def test_armature_in_inertia_and_bias(pair, seed):
    ref, ref_data, m, d = pair
    random_state(ref, ref_data, seed)
    mirror(ref_data, d)
    bare = mujoco.MjModel.from_xml_string(re.sub("armature=.*?[ >]", lambda x: x[0][-1], model()))
    bare_data = mujoco.MjData(bare)
    bare_data.qpos, bare_data.qvel = ref_data.qpos, ref_data.qvel
    mujoco.mj_forward(bare, bare_data)
    # armature makes M fuller: take its pattern from the model that has it
    full = np.empty((ref.nv, ref.nv))
    mujoco.mj_fullM(bare, full, bare_data.qM)
    d.M = [full[i, j] for i in range(ref.nv) for j in ref.M_colind[ref.M_rowadr[i] :][: ref.M_rownnz[i]]]
    assert difference(d.M, ref_data.M) > 1e-3
    stages.call("tendon_armature", m, d)
    assert difference(d.M, ref_data.M) <= ROUND
    for name, field in (("tendon_bias", d.qfrc_bias), ("tendon_bias_inverse", d.qfrc_inverse)):
        field[:] = bare_data.qfrc_bias
        stages.call(name, m, d)
        assert difference(field, ref_data.qfrc_bias) <= ROUND
