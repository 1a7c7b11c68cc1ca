"""`tumble.v4`: the interface of 4.0.1. Names, members and numbers are as recorded, and objects share their memory with the
engine's.

`record_face` wrote the record. If TUMBLE_MUJOCO4 names a Python that has that release, the test writes it again and compares.
"""

import copy
import json
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tumble
import tumble.v4 as mj
from tests.newer import face
from tumble.engine.later.data import TABLE as RESULTS
from tumble.engine.later.fields import TABLE as FIELDS
from tumble.engine.tables import face_rows

HERE = pathlib.Path(__file__).parent
RECORD = json.loads((HERE / "face.json").read_text())
ARM = """<mujoco><worldbody><body name='b'><joint name='i' damping='.1'/><geom size='.1' pos='0 .2 0'/><site name='s'/>
  <body pos='1 0 0'><joint name='j' axis='0 1 0'/><geom size='.1'/><site name='t' pos='0 .1 0'/></body></body>
  <body pos='0 0 .09'><freejoint/><geom name='f' size='.1'/></body><geom type='plane' size='1 1 1'/></worldbody>
  <tendon><spatial name='x' stiffness='3'><site site='s'/><site site='t'/></spatial>
  <fixed name='y'><joint joint='j' coef='2'/></fixed></tendon>
  <actuator><position name='p' joint='i' kp='5' nsample='3'/><motor tendon='x'/></actuator></mujoco>"""
# fields whose kinds differ: the release has other containers for them, or they are callable here, as 3.4 has them
OTHER = {
    "spec.camera.resolution",
    "spec.mesh.usernode",
    "spec.mesh.usertet",
    "spec.flex.material",
    "spec.texture.data",
    "spec.equality.data",
    "data.contact",
    "data.warning",
}
# fields of both faces, with other shapes or structures
OLDER = {"ten_J", "flexedge_J", "eq_data", "flex_stiffness", "flex_bending", "npluginstate", "tex_adr", "flex_edgeequality"}
OLDER |= {"nJmom", "flex_matid"}
# fields of elements that are not here
ABSENT = {"data.joint.plastic"}


def test_no_name_and_no_member_is_missing():
    assert RECORD["version"] == mj.__version__ == mj.mj_versionString() == face_rows.VERSION
    have = face.names(mj)
    assert not set(RECORD["names"]) - set(have)
    for name, wanted in RECORD["names"].items():
        if isinstance(wanted, dict):
            assert have[name] == wanted and list(have[name]) == list(wanted), name
        else:
            assert not set(wanted) - set(have[name]), name


def test_fields_are_of_the_same_kinds():
    have = face.kinds(mj)
    for title, kind in RECORD["kinds"].items():
        if title in ABSENT:
            continue
        if have[title] != kind and title not in OTHER:
            assert kind.startswith("Mjs") and have[title] == "call", (title, kind, have[title])


def test_the_older_face_stays():
    m = tumble.MjModel.from_xml_string(ARM)
    assert not {*FIELDS, *RESULTS} & set(dir(m)) - OLDER and not set(RESULTS) & set(dir(tumble.MjData(m))) - OLDER
    assert int(tumble.mjtEnableBit.mjENBL_SLEEP) == 32 and int(mj.mjtEnableBit.mjENBL_SLEEP) == 16
    assert tumble.__version__ == "3.4.0" and m.compat == "3.4"
    assert not hasattr(mj, "mju_rayFlex") and not hasattr(mj, "mjtTaskStatus")


@pytest.mark.skipif(not os.environ.get("TUMBLE_MUJOCO4"), reason="TUMBLE_MUJOCO4 names a Python that has that release")
def test_the_record_is_of_that_release(tmp_path):
    for name in ("face.py", "record_face.py"):
        (tmp_path / name).write_bytes((HERE / name).read_bytes())
    own = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([os.environ["TUMBLE_MUJOCO4"], str(tmp_path / "record_face.py")], check=True, env=own)
    assert json.loads((tmp_path / "face.json").read_text()) == RECORD


# ---- models and states -------------------------------------------------------------------------------------------------
def load(text=ARM):
    m = mj.MjModel.from_xml_string(text)
    return m, mj.MjData(m)


def test_models_get_the_numbers_of_the_release():
    assert load()[0].compat == "4.0" and mj.MjSpec.from_string(ARM).compile().compat == "4.0" == mj.MjSpec().compile().compat
    said = ARM.replace("<mujoco>", "<mujoco><compiler compat='3.9'/>")
    assert mj.MjModel.from_xml_string(said).compat == "3.9"
    assert mj.mju_round(-0.5) == -1 and tumble.mju_round(-0.5) == 0


def test_a_face_and_its_object_share_their_memory():
    m, d = load()
    assert d.model is m and isinstance(m, tumble.MjModel) and isinstance(d, tumble.MjData)
    d.qpos[0] = 0.3
    mj.mj_forward(m, d)
    tumble.mj_step(m.plain, d.plain)
    assert d.time == d.plain.time > 0 and d.qpos is d.plain.qpos
    assert d.ncon == len(d.contact) > 0 and d.efc_diagA.size == d.nefc
    for other in (copy.copy(d), pickle.loads(pickle.dumps(d))):
        assert type(other) is mj.MjData and type(other.model) is mj.MjModel and np.array_equal(other.qpos, d.qpos)


def test_what_is_gone_says_since_when():
    m, d = load()
    with pytest.raises(AttributeError, match="qM.*3.10"):
        d.qM  # noqa: B018
    with pytest.raises(AttributeError, match="cam_orthographic.*3.5"):
        m.cam_orthographic  # noqa: B018
    assert not hasattr(d, "iM") and m.cam_projection.size == 0


def test_flags_have_later_numbers():
    m, _ = load("<mujoco><option><flag sleep='enable'/></option></mujoco>")
    on, off = mj.mjtEnableBit, mj.mjtDisableBit
    assert m.opt.enableflags == on.mjENBL_SLEEP and m.opt.disableflags == 0
    m.opt.enableflags |= on.mjENBL_DIAGEXACT | on.mjENBL_ENERGY
    m.opt.disableflags |= off.mjDSBL_MULTICCD
    ours = tumble.mjtEnableBit
    assert m.plain.opt.enableflags == ours.mjENBL_SLEEP | ours.mjENBL_ENERGY | ours.mjENBL_DIAGEXACT
    assert m.plain.opt.disableflags == 0 and m.opt.disableflags == off.mjDSBL_MULTICCD
    with pytest.raises(ValueError, match="IPC"):
        m.opt.enableflags = on.mjENBL_IPC
    assert mj.MjOption().disableflags == 0 and mj.MjOption().sleep_tolerance == 1e-3


def test_states_have_histories_and_plastic_parts():
    text = ARM.replace("damping='.1'", "stiffness='9' springyield='.01'")
    m, d = load(text)
    states, size = mj.mjtState, mj.mj_stateSize(m, mj.mjtState.mjSTATE_INTEGRATION)
    assert m.npluginstate == d.plugin_state.size == 0 and m.nhistory > 0 and m.nplastic == 1
    assert mj.mj_stateSize(m, states.mjSTATE_HISTORY) == m.nhistory
    assert mj.mj_stateSize(m, states.mjSTATE_PLASTIC) == 1 and mj.mj_stateSize(m, states.mjSTATE_PLUGIN) == 0
    for _ in range(5):
        mj.mj_step(m, d)
    state, other = np.zeros(size), mj.MjData(m)
    mj.mj_getState(m, d, state, states.mjSTATE_INTEGRATION)
    mj.mj_setState(m, other, state, states.mjSTATE_INTEGRATION)
    mj.mj_step(m, d)
    mj.mj_step(m, other)
    assert np.array_equal(d.qpos, other.qpos) and np.array_equal(d.history, other.history)
    part = np.zeros(m.nhistory)
    mj.mj_extractState(m, state, states.mjSTATE_INTEGRATION, part, states.mjSTATE_HISTORY)
    before = np.zeros(m.nhistory)
    mj.mj_copyState(m, d, other, states.mjSTATE_HISTORY)
    mj.mj_getState(m, other, before, states.mjSTATE_HISTORY)
    assert np.array_equal(before, d.history) and not np.array_equal(part, before)
    with pytest.raises(mj.FatalError):
        mj.mj_stateSize(m, 1 << 15)


def test_jacobians_of_tendons_are_sparse():
    m, d = load()
    d.qpos[:2] = 0.2, -0.4
    mj.mj_forward(m, d)
    dense = d.plain.ten_J.reshape(m.ntendon, m.nv)
    assert m.ten_J_rownnz.tolist() == [2, 1] and m.ten_J_colind.tolist() == [0, 1, 1] and m.nJten == 3
    assert d.ten_J.tolist() == [*dense[0, :2], dense[1, 1]]


def test_rows_are_whitened():
    """With the rows of Y, Y Y' is the matrix of the constraint rows that the dual solvers use."""
    for jacobian in ("dense", "sparse"):
        m, d = load(ARM.replace("<mujoco>", f"<mujoco><option solver='PGS' jacobian='{jacobian}'/>"))
        mj.mj_forward(m, d)
        Y = np.zeros((d.nefc, m.nv))
        if jacobian == "dense":
            Y[:] = d.efc_Y.reshape(d.nefc, m.nv)
        else:
            for r in range(d.nefc):
                at = slice(d.efc_Y_rowadr[r], d.efc_Y_rowadr[r] + d.efc_Y_rownnz[r])
                Y[r, d.efc_Y_colind[at]] = d.efc_Y[at]
        M, J = np.zeros((m.nv, m.nv)), np.zeros((d.nefc, m.nv))
        mj.mj_fullM(m, d, M)
        for r in range(d.nefc):
            row = np.zeros(m.nv)
            mj.mj_mulJacTVec(m, d, row, np.eye(d.nefc)[r])
            J[r] = row
        assert np.allclose(Y @ Y.T, J @ np.linalg.solve(M, J.T), rtol=0, atol=1e-12) and d.nY == d.efc_Y.size > 0


def test_adhesion_and_surfaces_of_contacts():
    text = (
        "<mujoco><worldbody><geom type='plane' size='1 1 1' surfacevel='.5 0 0 0 0 .25'/><body pos='.1 0 .09'><freejoint/>"
        "<geom size='.1' adhesion='3'/></body></worldbody></mujoco>"
    )
    m, d = load(text)
    mj.mj_forward(m, d)
    con = d.contact[0]
    frame = con.frame.reshape(3, 3)
    # a plane's velocity at the contact, seen from the sphere
    at = np.array([0.5, 0, 0]) + np.cross([0, 0, 0.25], con.pos)
    sign = -1 if con.geom[0] == 0 else 1
    assert con.adhesion == 3 and np.allclose(con.surfacevel[:2], sign * frame[1:] @ at) and m.flg_adhesion and m.flg_surfacevel
    assert np.allclose(con.surfacevel[2], sign * 0.25 * frame[0, 2])
    new = mj.MjContact()
    new.adhesion, new.surfacevel = 2, [1, 2, 3]
    assert new.adhesion == 2 and new.surfacevel.tolist() == [1, 2, 3]


def test_effective_metric_of_discrete_steps():
    m, d = load(ARM.replace("<mujoco>", "<mujoco><option integrator='discrete'/>"))
    d.qvel[:2] = 0.3, -0.2
    mj.mj_forward(m, d)
    h = m.opt.timestep
    assert d.efm_active == 1 and d.efm_diag[0] == pytest.approx(h * 0.1)
    assert d.efm_as[0] == pytest.approx(h * h * 5) and d.efm_aid[0] == 0 and d.nefmA == 1
    assert d.efm_sdiag[0] == pytest.approx(h * 0.1 + h * h * 5)
    m, d = load()
    mj.mj_forward(m, d)
    assert d.efm_active == 0 and not d.efm_diag.any() and d.efm_L.size == 0


def test_points_inside_sites():
    m, d = load(ARM.replace("<site name='s'/>", "<site name='s' type='box' size='.1 .2 .3' euler='0 0 90'/>"))
    mj.mj_forward(m, d)
    assert mj.mj_insideSite(m, d, 0, [0.15, 0, 0]) == 1 and mj.mj_insideSite(m, d, 0, [0, 0.15, 0]) == 0
    with pytest.raises(TypeError):
        mj.mj_insideSite(m, d, 0, [0, 0])


def test_textures_are_read():
    text = "<mujoco><asset><texture name='t' type='2d' builtin='checker' width='6' height='4' rgb1='1 0 0'/></asset></mujoco>"
    m, _ = load(text)
    pixels, space = mj.mj_loadTexture(m, 0)
    assert pixels.shape == (4, 6, 3) and np.array_equal(pixels.ravel(), m.tex_data) and space == m.tex_colorspace[0]
    assert np.array_equal(mj.mj_embedAssets(m).tex_data, m.tex_data)


def test_callbacks_get_objects_of_the_face():
    m, d = load()
    seen = []

    def control(model, data):
        seen.append((model is m, data is d))

    mj.set_mjcb_control(control)
    try:
        mj.mj_step(m, d)
        assert mj.get_mjcb_control() is control and seen[0] == (True, True)
    finally:
        mj.set_mjcb_control(None)
    assert mj.get_mjcb_control() is None


def test_trajectories():
    from tumble.v4 import rollout

    m, d = load()
    start = np.zeros((2, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)))
    mj.mj_getState(m, d, start[0], mj.mjtState.mjSTATE_FULLPHYSICS)
    start[1] = start[0]
    state, _ = rollout.rollout(m, d, start, nstep=4)
    assert state.shape == (2, 4, start.shape[1]) and np.array_equal(state[0], state[1])


# ---- specs -------------------------------------------------------------------------------------------------------------
def test_numbers_of_kinds_in_specs():
    spec = mj.MjSpec.from_string(ARM)
    a = spec.add_actuator(name="q", target="i", trntype=mj.mjtTrn.mjTRN_JOINT, gaintype=1, biastype=mj.mjtBias.mjBIAS_USER)
    assert a.gaintype is mj.mjtGain.mjGAIN_AFFINE and a.biastype == mj.mjtBias.mjBIAS_USER == 5
    a.gaintype = mj.mjtGain.mjGAIN_USER
    assert a.gaintype == 6 and a.raw["gaintype"] == tumble.mjtGain.mjGAIN_USER == 3
    m = spec.compile()
    assert m.actuator_gaintype[-1] == 6 and m.actuator_biastype[-1] == 5
    m.actuator_gaintype[0] = 6
    assert m.plain.actuator_gaintype[0] == 3
    m.actuator_gaintype = [0, 0, 1]
    assert m.plain.actuator_gaintype.tolist() == [0, 0, 1] and m.actuator_gaintype.tolist() == [0, 0, 1]


def test_sizes_given_short():
    body = mj.MjSpec().worldbody.add_body()
    assert body.add_geom(size=[0.1]).size.tolist() == [0.1, 0, 0] == body.add_geom(size=0.1).size.tolist()
    assert body.add_site(size=[0.1, 0.2]).size.tolist() == [0.1, 0.2, 0]
    for wrong in ([], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="size 1 to 3"):
            body.add_geom(size=wrong)
    with pytest.raises(ValueError):
        body.add_geom(pos=[1, 2])
    with pytest.raises((TypeError, ValueError)):
        tumble.MjSpec().worldbody.add_geom(size=[0.1])


def test_springs_have_all_coefficients():
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    body.add_geom(size=0.1)
    joint = body.add_joint(stiffness=3, damping=[1, 2])
    assert joint.stiffness.tolist() == [3, 0, 0] and joint.damping.tolist() == [1, 2, 0]
    joint.stiffness[1] = 4
    joint.damping = [5, 6, 7]
    m = spec.compile()
    assert m.jnt_stiffness[0] == 3 and m.jnt_stiffnesspoly.tolist() == [[4, 0]] and m.dof_dampingpoly.tolist() == [[6, 7]]
    with pytest.raises(TypeError):
        joint.stiffness = 1
    assert tumble.MjSpec().worldbody.add_body().add_joint(stiffness=3).stiffness == 3


def test_fields_that_are_not_simulated_hold_neutral_values():
    spec = mj.MjSpec()
    flex, mesh, texture = spec.add_flex(cellcount=[1, 1, 1]), spec.add_mesh(), spec.add_texture()
    assert flex.cellcount.tolist() == [1, 1, 1] and mesh.octree_maxdepth == 6 and texture.embed == mj.mjtEmbed.mjEMBED_AUTO
    for element, name, value in (
        (flex, "cellcount", [2, 1, 1]),
        (flex, "order", 2),
        (texture, "embed", mj.mjtEmbed.mjEMBED_FALSE),
    ):
        with pytest.raises(ValueError, match=f"{name}: needs MuJoCo"):
            setattr(element, name, value)
    with pytest.raises(ValueError, match="cellcount"):
        spec.add_flex(cellcount=[2, 2, 2])


def test_actuators_know_their_shortcuts():
    spec = mj.MjSpec.from_string(ARM)
    kinds = mj.mjtActuator
    assert [a.type for a in spec.actuators] == [kinds.mjACTUATOR_POSITION, kinds.mjACTUATOR_MOTOR]
    new = spec.add_actuator(target="i", trntype=mj.mjtTrn.mjTRN_JOINT)
    assert new.type == kinds.mjACTUATOR_GENERAL
    new.set_to_velocity(3)
    assert new.type == kinds.mjACTUATOR_VELOCITY and spec.copy().actuators[-1].type == kinds.mjACTUATOR_VELOCITY
    assert spec.add_actuator(type=kinds.mjACTUATOR_MUSCLE).type == 7


def test_what_a_file_gives():
    spec = mj.MjSpec.from_string(
        "<mujoco><option gravity='0 0 0' timestep='.1'><flag energy='enable'/></option><visual><map znear='.1'/></visual>"
        "</mujoco>"
    )
    given = spec.authored
    assert (given.option, given.enableflags, given.disableflags, given.visual_map, given.visual_rgba) == (129, 2, 0, 128, 0)


STILL = """<mujoco><asset><texture name='t' type='2d' builtin='flat' width='4' height='4'/><material name='m' texture='t'/>
  </asset><default><geom material='m'/></default><worldbody><body name='s' pos='0 0 1' euler='0 0 30'><joint/>
  <geom size='.1 .2 .3' type='box' contype='0' conaffinity='0'/><geom size='.1' pos='.3 0 0'/>
  <body name='f' pos='1 0 0' euler='10 20 30'><geom size='.1 .3' type='capsule'/><site name='q'/><body name='h' pos='0 1 0'>
  <joint/><geom size='.1'/></body></body></body></worldbody></mujoco>"""
# masses of sums in another order
ROUND = 1e-12


def test_inertias_become_explicit():
    before, spec = mj.MjSpec.from_string(STILL).compile(), mj.MjSpec.from_string(STILL)
    spec.adopt_inertial(spec.body("s"))
    for geom in list(spec.body("s").geoms):
        spec.delete(geom)
    after = spec.compile()
    for name in ("body_mass", "body_ipos", "body_inertia"):
        assert np.allclose(getattr(after, name), getattr(before, name), rtol=ROUND, atol=ROUND)
    with pytest.raises(ValueError):
        spec.adopt_inertial(mj.MjSpec().worldbody.add_body())


def test_visual_elements_are_discarded():
    before, spec = mj.MjSpec.from_string(STILL).compile(), mj.MjSpec.from_string(STILL)
    assert spec.discard_visual() == 3
    after = spec.compile()
    assert (after.ngeom, after.nmat, after.ntex) == (3, 0, 0)
    assert np.allclose(after.body_mass, before.body_mass, rtol=ROUND) and np.allclose(after.body_inertia, before.body_inertia)


def test_static_bodies_are_fused():
    before, spec = mj.MjSpec.from_string(STILL).compile(), mj.MjSpec.from_string(STILL)
    assert spec.fuse_static() == 1 and spec.fuse_static() == 0
    after = spec.compile()
    assert after.nbody == before.nbody - 1 and after.body_mass.sum() == pytest.approx(before.body_mass.sum(), rel=ROUND)
    d, e = mj.MjData(before), mj.MjData(after)
    mj.mj_forward(before, d)
    mj.mj_forward(after, e)
    assert np.allclose(d.geom_xpos, e.geom_xpos, atol=ROUND) and np.allclose(d.qacc, e.qacc, rtol=1e-9)
    same = mj.MjModel.from_xml_string(STILL.replace("<mujoco>", "<mujoco><compiler fusestatic='true'/>"))
    assert np.allclose(same.body_inertia, after.body_inertia, rtol=1e-9)


def test_flexes_are_made():
    spec = mj.MjSpec()
    flex = spec.worldbody.add_body(name="b", pos=[0, 0, 1]).make_flex(
        "x", type="grid", dim=2, count=[3, 3, 1], spacing=[0.1] * 3, mass=3, radius=0.02
    )
    text = (
        "<mujoco><worldbody><body name='b' pos='0 0 1'><flexcomp name='x' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' "
        "mass='3' radius='.02'/></body></worldbody></mujoco>"
    )
    m, same = spec.compile(), mj.MjModel.from_xml_string(text)
    assert flex.name == "x" and m.nflexvert == 9 and np.array_equal(m.body_pos, same.body_pos)
    assert np.array_equal(m.flex_vert0, same.flex_vert0) and np.array_equal(m.body_mass, same.body_mass)
    for wrong in ({"type": "foo"}, {"cellcount": [2, 1, 1]}, {"mesh": "m"}):
        with pytest.raises(ValueError, match="make_flex"):
            mj.MjSpec().worldbody.add_body().make_flex("y", **wrong)


def test_scripts_run_with_the_face(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import mujoco, mujoco.rollout\nfrom mujoco import MjModel\n"
        "m = MjModel.from_xml_string('<mujoco/>')\n"
        "print(mujoco.__version__, m.compat, m.nactuator, int(mujoco.mjtState.mjSTATE_CTRL))\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "tumble", "run", "--compat", "4.0", str(script)], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["4.0.1", "4.0", "0", "64"]
