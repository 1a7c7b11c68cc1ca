"""Motions are read from every type of file or refused with a reason, interpolated like poses, and shown beside the
simulation, where they cannot be picked.
"""

import io
import zipfile

import numpy as np
import pytest

import tumble as mj
from tumble.app import trajectory
from tumble.app.state_history import INTEGRATION, History
from tumble.app.trajectory import TrajectoryError, by_names, from_keys, from_states, read
from tumble.app.view import View

XML = """<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
  <body name="base" pos="0 0 1"><freejoint name="root"/><geom name="trunk" size=".1"/>
    <body name="arm"><joint name="shoulder" axis="0 1 0"/><geom name="upper" type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <body name="hand" pos=".3 0 0"><joint name="wrist" type="ball"/><geom name="palm" type="box" size=".05 .03 .01"/></body>\
</body></body>
  <body name="target" mocap="true"><geom size=".02" contype="0" conaffinity="0"/></body></worldbody>
  <keyframe><key time="0"/><key time="2" qpos="1 0 1 1 0 0 0 .5 1 0 0 0"/></keyframe></mujoco>"""
# tolerance for poses between two frames: linear interpolation of quaternions deviates from a rotation of constant speed
BETWEEN = 0.02
EXACT = 1e-12


@pytest.fixture(scope="module")
def m():
    return mj.MjModel.from_xml_string(XML)


@pytest.fixture
def frames(m):
    rng = np.random.default_rng(3)
    qpos = np.tile(m.qpos0, (20, 1)) + 0.1 * rng.normal(size=(20, m.nq))
    for k in (3, 8):
        qpos[:, k : k + 4] /= np.linalg.norm(qpos[:, k : k + 4], axis=1)[:, None]
    return qpos


@pytest.mark.parametrize(
    ("given", "apart"), [({"time": 0.5 * np.arange(20)}, 0.5), ({"fps": 50}, 0.02), ({"dt": np.array([0.1])}, 0.1), ({}, 0.002)]
)
def test_archives(m, frames, tmp_path, given, apart):
    path = tmp_path / "run.npz"
    np.savez(path, qpos=frames, mocap_pos=np.ones((20, 1, 3)), mocap_quat=np.tile([1.0, 0, 0, 0], (20, 1, 1)), **given)
    motion = read(str(path), m)
    assert motion.name == "run.npz" and np.allclose(np.diff(motion.time), apart) and (motion.qpos == frames).all()
    assert motion.mocap_pos is not None and (motion.mocap_pos == 1).all()


def test_columns_by_name(m, tmp_path):
    """Motions are read from an archive and from a table. Joints without a column keep the model's values."""
    angles = np.linspace(0, 1, 7)
    np.savez(tmp_path / "a.npz", qpos=angles[:, None], joint_names=np.array(["shoulder"]), frequency=10)
    (tmp_path / "a.csv").write_text("Time, shoulder, unknown\n" + "".join(f"{0.1 * k},{x},7\n" for k, x in enumerate(angles)))
    for name in ("a.npz", "a.csv"):
        motion = read(str(tmp_path / name), m)
        assert np.allclose(motion.qpos[:, 7], angles) and np.allclose(motion.time, 0.1 * np.arange(7))
        assert (np.delete(motion.qpos, 7, 1) == np.delete(m.qpos0, 7)).all()
    rows = by_names(m, ["wrist[0]", "qpos[0]", "root[2]"], np.array([[0.5, 2, 3]]))
    assert rows[0, 8] == 0.5 and rows[0, 0] == 2 and rows[0, 2] == 3


def test_tables_without_names(m, frames, tmp_path):
    np.savetxt(tmp_path / "plain.csv", frames, delimiter=",")
    np.savetxt(tmp_path / "timed.csv", np.c_[0.3 * np.arange(20), frames], delimiter=",")
    assert np.allclose(read(str(tmp_path / "plain.csv"), m).time, m.opt.timestep * np.arange(20))
    motion = read(str(tmp_path / "timed.csv"), m)
    assert np.allclose(motion.time, 0.3 * np.arange(20)) and np.allclose(motion.qpos, frames)


def archive(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def crafted():
    """A header that claims more memory than exists."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (900000000000000, 12), }"
        header += b" " * (117 - len(header)) + b"\n"
        file.writestr("qpos.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(96))
    return buffer.getvalue()


def nested():
    """A header with more parentheses than a parser reads."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("qpos.npy", b"\x93NUMPY\x01\x00" + (9000).to_bytes(2, "little") + b"(" * 9000)
    return buffer.getvalue()


WRONG = {
    "no qpos": ("a.npz", archive(other=np.zeros(3)), "neither 'qpos' nor 'state'"),
    "shape": ("a.npz", archive(qpos=np.zeros((4, 5))), r"qpos has the shape \(4, 5\)"),
    "flat": ("a.npz", archive(qpos=np.zeros(12)), "frames"),
    "text": ("a.npz", archive(qpos=np.array([["x"]])), "numbers are needed"),
    "objects": ("a.npz", archive(qpos=np.array([[object()]])), "not an archive"),
    "nan": ("a.npz", archive(qpos=np.full((2, 12), np.nan)), "not a finite number"),
    "back": ("a.npz", archive(qpos=np.zeros((2, 12)), time=np.array([1.0, 0])), "time decreases at frame 1"),
    "times": ("a.npz", archive(qpos=np.zeros((2, 12)), time=np.zeros(3)), "shape"),
    "rate": ("a.npz", archive(qpos=np.zeros((2, 12)), fps=0), "above 0"),
    "empty": ("a.npz", archive(qpos=np.zeros((0, 12))), "no frame"),
    "noise": ("a.npz", b"PK\x03\x04 nothing", "not an archive"),
    "huge": ("a.npz", crafted(), "not an archive"),
    "nested": ("a.npz", nested(), "not an archive"),
    "one time": ("a.npz", archive(qpos=np.zeros((2, 12)), time=1.0), "'time' is a single number"),
    "one control": ("a.npz", archive(qpos=np.zeros((2, 12)), ctrl=1.0), "'ctrl' is a single number"),
    "no rate": ("a.npz", archive(qpos=np.zeros((2, 12)), fps=1e-320), "not a finite number"),
    "forever": ("a.npz", archive(qpos=np.zeros((2, 12)), time=np.array([-1e308, 1e308])), r"longer than 1e\+10 s"),
    "names": ("a.npz", archive(qpos=np.zeros((2, 3)), joint_names=np.array(["a", "b"])), "2 names for 3 columns"),
    "strangers": ("a.csv", b"time,a,b\n0,1,2\n", "no column is a joint"),
    "ragged": ("a.csv", b"time,shoulder\n0,1\n0\n", "row 3 does not contain 2 numbers"),
    "words": ("a.csv", b"time,shoulder\n0,one\n", "row 2"),
    "width": ("a.csv", b"1,2,3\n", "3 columns without names"),
    "none": ("a.csv", b"", "no frame"),
    "kind": ("a.bvh", b"", "a motion must be a"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(m, tmp_path, case):
    name, data, text = WRONG[case]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TrajectoryError, match=text):
        read(str(tmp_path / name), m)


def test_poses_between_frames(m, frames):
    """Poses at the times of frames are exact; poses between two frames lie on the path of mj_integratePos. Outside its time
    range, the motion holds its first or last pose, or repeats.
    """
    motion = trajectory.made("x", m, 0.5 * np.arange(20), frames)
    d, step, middle = mj.MjData(m), np.zeros(m.nv), np.zeros(m.nq)
    for k in range(19):
        motion.put(d, 0.5 * k, False)
        assert np.abs(d.qpos - frames[k]).max() < EXACT
        motion.put(d, 0.5 * k + 0.2, False)
        mj.mj_differentiatePos(m, step, 1.0, frames[k], frames[k + 1])
        middle[:] = frames[k]
        mj.mj_integratePos(m, middle, step, 0.4)
        signs = np.ones(m.nq)
        for start in motion.turns:
            signs[start : start + 4] = np.sign(d.qpos[start : start + 4] @ middle[start : start + 4])
        assert np.abs(d.qpos - signs * middle).max() < BETWEEN
    for seconds, loop, frame in ((-3, False, 0), (99, False, 19), (9.5 + 1.0, True, 2)):
        motion.put(d, seconds, loop)
        assert np.abs(d.qpos - frames[frame]).max() < EXACT


def test_key_frames(m):
    motion = from_keys(m)
    assert (
        motion.duration == 2 and motion.qpos[1, 0] == 1 and motion.mocap_pos is not None and motion.mocap_pos.shape == (2, 1, 3)
    )
    with pytest.raises(TrajectoryError, match="no keyframes"):
        from_keys(mj.MjModel.from_xml_string("<mujoco/>"))


def test_the_past_is_kept_and_saved(m, tmp_path):
    """States of the history become a motion; writing and reading it preserves it."""
    d, history = mj.MjData(m), History(m)
    assert trajectory.columns(m, np.zeros((0, history.size)))["qpos"].shape == (0, m.nq)
    poses = []
    for _ in range(30):
        mj.mj_step(m, d)
        history.add(m, d)
        poses.append(d.qpos.copy())
    motion = from_states(m, history.states(), "run 1")
    assert (motion.qpos == poses).all() and motion.time[-1] == d.time
    assert history.states().shape == (30, mj.mj_stateSize(m, INTEGRATION))
    trajectory.save(str(tmp_path / "motion.npz"), m, history.states())
    again = read(str(tmp_path / "motion.npz"), m)
    assert (
        (again.qpos == motion.qpos).all()
        and (again.time == motion.time).all()
        and (again.mocap_quat == motion.mocap_quat).all()
    )
    # after a reset, only the last run counts
    mj.mj_resetData(m, d)
    history.add(m, d)
    assert len(from_states(m, history.states(), "run 2").time) == 1
    history.restore(m, d, -3)
    assert len(history.states()) == 28


def test_ghosts_in_the_scene(m, frames):
    """Moving elements are drawn a second time at the motion's pose, as decoration that picking and the tree ignore."""
    view, d = View(lambda intent: None), mj.MjData(m)
    mj.mj_forward(m, d)
    view.adopt(m, d, align=True)
    before = view.update().ngeom
    assert view.ghosts is not None
    ghost = view.ghosts.add(trajectory.made("x", m, 0.5 * np.arange(20), frames), offset=1.0)
    d.time = 2.0
    scn = view.update()
    rows = scn.geom
    other = mj.MjData(m)
    other.qpos[:] = frames[2]
    mj.mj_kinematics(m, other)
    moved = np.abs(other.geom_xpos - d.geom_xpos).max(1) + np.abs(other.geom_xmat - d.geom_xmat).max(1) > 1e-6
    # only parts that have moved are drawn as ghosts; a ghost in the place of its part would flicker
    assert not moved[0] and 3 <= moved[1:5].sum() == scn.ngeom - before
    fresh = slice(before, scn.ngeom)
    assert np.allclose(rows.pos[fresh], other.geom_xpos[1:5][moved[1:5]], atol=1e-6)
    assert (
        (rows.category[fresh] == int(mj.mjtCatBit.mjCAT_DECOR)).all()
        and (rows.objid[fresh] == -1).all()
        and (rows.rgba[fresh, 3] < 0.5).all()
    )
    ghost.visible = False
    assert view.update().ngeom == before
    # a reload keeps motions that fit; another model does not
    view.adopt(mj.MjModel.from_xml_string(XML), mj.MjData(m), align=False)
    assert view.ghosts.rows == [ghost]
    view.adopt(other_model := mj.MjModel.from_xml_string("<mujoco/>"), mj.MjData(other_model), align=False)
    assert view.ghosts.rows == []


def test_a_motion_in_the_window(make_viewer):
    """Keyframes and past states become motions through commands of the palette."""
    viewer = make_viewer(XML, info=False, left=False, right=False)
    viewer.started()
    search(viewer, "keyframes as")
    row = viewer.until(lambda r: r["ghosts"])
    assert row["ghosts"] == [["Keyframes", 2, True]]
    assert viewer.fresh()["panels"]["motions"]
    viewer.until(lambda r: r["time"] > 0.3)
    search(viewer, "keep the past")
    row = viewer.until(lambda r: len(r["ghosts"]) == 2)
    assert row["ghosts"][1][0] == "Run 2" and row["ghosts"][1][1] > 5 and row["panel_errors"] == 0


def search(viewer, text):
    """A command of the palette."""
    viewer.click(*viewer.center())
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write(text)
    viewer.until(lambda r: r["typed"] == text)
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"])
