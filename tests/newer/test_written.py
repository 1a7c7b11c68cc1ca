"""Arrays that `tumble.v4` computes when they are read: what scripts write into them lasts as long as in 4.0.1."""

import copy
import pickle

import numpy as np
import pytest

import tumble.v4 as mj

CHAIN = """<mujoco><option integrator="discrete" jacobian="{}"/><worldbody>
  <light type="spot" softness=".5"/><light type="point" softness=".5"/><light/>
  <body><joint name="a" axis="0 1 0" damping="1"/><geom size=".1" castshadow="false"/><site name="s"/>
    <body pos="1 0 0"><joint name="b" axis="0 1 0" stiffness="2"/><geom size=".1"/><site name="t" pos="1 0 .3"/></body></body>
  </worldbody>
  <tendon><fixed name="f" stiffness="1"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed>
    <spatial name="x" stiffness="1"><site site="s"/><site site="t"/></spatial></tendon>
  <equality><joint joint1="a" joint2="b"/></equality>
  <actuator><motor tendon="f"/><position joint="a" kp="3"/></actuator></mujoco>"""


def load(jacobian="dense"):
    m = mj.MjModel.from_xml_string(CHAIN.format(jacobian))
    d = mj.MjData(m)
    d.qpos[:], d.qvel[:] = (0.2, -0.4), (0.3, 0.1)
    mj.mj_forward(m, d)
    return m, d


# ---- results -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["efm_c", "efm_diag", "efm_ck", "efm_fluid", "efm_ts", "efm_as", "efm_tk", "efc_diagA"])
def test_written_results_last_until_they_are_computed_again(name):
    m, d = load()
    wanted = getattr(d, name).copy()
    assert wanted.size
    for compute in (mj.mj_forward, mj.mj_step, mj.mj_inverse):
        getattr(d, name)[:] = 7
        assert (getattr(d, name) == 7).all()
        getattr(d, name)[0] += 1
        assert getattr(d, name).tolist() == [8] + [7] * (wanted.size - 1)
        compute(m, d)
        assert not np.isin(getattr(d, name), (7, 8)).any()
        d.qpos[:], d.qvel[:] = (0.2, -0.4), (0.3, 0.1)
        mj.mj_forward(m, d)
        assert np.array_equal(getattr(d, name), wanted)
    setattr(d, name, 3)
    assert (getattr(d, name) == 3).all()


def test_an_old_array_changes_nothing_after_a_step():
    m, d = load()
    old = d.efm_ck
    mj.mj_step(m, d)
    now = d.efm_ck.tolist()
    old[:] = 5
    assert d.efm_ck.tolist() == now


def test_results_written_by_numpy_last_too():
    m, d = load()
    assert type(d.efm_ck) is np.ndarray
    np.copyto(d.efm_ck, 4)
    np.put(d.efm_tk, 0, 6)
    assert d.efm_ck.tolist() == [4, 4] and d.efm_tk[0] == 6
    mj.mj_forward(m, d)
    assert not (d.efm_ck == 4).any() and d.efm_tk[0] != 6


def test_written_results_end_with_a_reset():
    m, d = load()
    for reset in (mj.mj_resetData, lambda m, d: mj.mj_resetDataDebug(m, d, 0)):
        d.efm_fluid = 5
        assert (d.efm_fluid == 5).all()
        reset(m, d)
        assert not d.efm_fluid.any()


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_written_jacobians_reach_the_engine(jacobian):
    m, d = load(jacobian)
    before = d.ten_J.copy()
    assert d.ten_J.size == 4 and m.ten_J_rownnz.tolist() == [2, 2]
    d.ten_J[1] = 5
    mj.mj_fwdVelocity(m, d)
    assert d.ten_velocity[0] == pytest.approx(before[0] * d.qvel[0] + 5 * d.qvel[1])
    mj.mj_forward(m, d)
    assert np.array_equal(d.ten_J, before)


# ---- models ------------------------------------------------------------------------------------------------------------
def scene_of(m):
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    scene = mj.MjvScene(m, 9)
    # the first update is interpreted, the second is compiled
    for _ in range(2):
        mj.mjv_updateScene(m, d, mj.MjvOption(), None, mj.MjvCamera(), 7, scene)
        yield scene


def test_softness_of_lights(tmp_path):
    m, _ = load()
    assert np.allclose(m.light_softness, [0.5, 0.5, 0.2])
    m.light_softness[0] = 0.75
    mj.mj_saveModel(m, str(tmp_path / "m.mjb"))
    for model in (m, copy.copy(m), pickle.loads(pickle.dumps(m)), mj.MjModel.from_binary_path(str(tmp_path / "m.mjb"))):
        assert np.allclose(model.light_softness, [0.75, 0.5, 0.2])
        for scene in scene_of(model):
            # the headlight and the light without a cone have no softness
            assert np.allclose([x.softness for x in scene.lights[: scene.nlight]], [0, 0.75, 0, 0.2])


def test_models_without_soft_lights_are_saved_without_softness(tmp_path):
    sizes = []
    for text in ("<light/>", "<light softness='.2'/>", "<light softness='.3'/>"):
        m = mj.MjModel.from_xml_string(f"<mujoco><worldbody>{text}</worldbody></mujoco>")
        mj.mj_saveModel(m, str(tmp_path / "m.mjb"))
        sizes.append((tmp_path / "m.mjb").stat().st_size)
        again = mj.MjModel.from_binary_path(str(tmp_path / "m.mjb"))
        assert np.array_equal(again.light_softness, m.light_softness)
    assert sizes[0] == sizes[1] < sizes[2]


def test_written_shadows_and_enumerations_reach_the_engine():
    m, _ = load()
    assert m.geom_castshadow.tolist() == [False, True]
    m.geom_castshadow[0] = True
    assert m.plain.geom_shadowless.tolist() == [0, 0] and [g.castshadow for g in next(scene_of(m)).geoms[:2]] == [1, 1]
    m.geom_castshadow = False
    assert m.plain.geom_shadowless.tolist() == [1, 1]

    m.actuator_dyntype[0] = mj.mjtDyn.mjDYN_USER
    assert m.actuator_dyntype.tolist() == [mj.mjtDyn.mjDYN_USER, mj.mjtDyn.mjDYN_NONE]
    assert int(mj.mjtDyn.mjDYN_USER) != m.plain.actuator_dyntype[0] == 5
    m.actuator_dyntype = mj.mjtDyn.mjDYN_FILTER
    assert m.plain.actuator_dyntype.tolist() == [2, 2]


def test_written_elasticities_of_flexes_reach_the_engine():
    text = """<mujoco><worldbody><flexcomp name="{0}" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01"
      pos="0 0 {1}"><elasticity young="1e3" poisson=".2" thickness=".01" elastic2d="both"/><contact selfcollide="none"/>
      </flexcomp></worldbody></mujoco>"""
    m = mj.MjModel.from_xml_string(text.format("one", 0))
    before, bent = m.plain.flex_stiffness.copy(), m.plain.flex_bending.copy()
    assert before.any() and bent.any()
    m.flex_stiffness[:] *= 2
    m.flex_bending[0] = 9
    assert np.allclose(m.plain.flex_stiffness, 2 * before) and m.plain.flex_bending.ravel()[0] == 9
    assert np.array_equal(m.plain.flex_bending.ravel()[1:], bent.ravel()[1:]) and m.flex_bending[0] == 9
