"""Gestures go the way they go in MuJoCo's simulate: real events on a window, and the reference's mjv_* with the same motion."""

import numpy as np
import pytest

from tests.app.driver import PATIENT

mujoco = pytest.importorskip("mujoco")

# (mouse button of X, modifiers, mouse action of simulate); simulate swaps left and right while Alt is held
GESTURES = (
    (1, (), "ROTATE_V"),
    (1, ("shift",), "ROTATE_H"),
    (3, (), "MOVE_V"),
    (3, ("shift",), "MOVE_H"),
    (2, (), "ZOOM"),
    (2, ("shift",), "ZOOM"),
    (1, ("ctrl",), "ROTATE_V"),
    (1, ("ctrl", "shift"), "ROTATE_H"),
    (3, ("ctrl",), "MOVE_V"),
    (3, ("ctrl", "shift"), "MOVE_H"),
    (1, ("alt",), "MOVE_V"),
    (3, ("alt",), "ROTATE_V"),
)
WAYS = ((46, 0), (0, -52))
XML = """<mujoco><visual><global azimuth="60" elevation="-35"/></visual><option gravity="0 0 0"/>
<statistic center="0 0 0" extent="1"/>
<worldbody><light pos="0 0 3"/><body name="cube"><freejoint/><geom type="box" size=".2 .2 .2"/></body></worldbody></mujoco>"""
# Pans and pulls keep the point under the cursor, so only their direction is that of simulate.
SAME_WAY = 0.97
# By how much eight small zooms differ from a large one.
COALESCED = 0.2


def simulate(row, action, pulls, dx, dy):
    """Return the state after simulate has handled a drag by (dx, dy) pixels, y down."""
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    d.qpos[:] = row["qpos"]
    mujoco.mj_forward(m, d)
    scn, cam, pert = mujoco.MjvScene(m, 100), mujoco.MjvCamera(), mujoco.MjvPerturb()
    cam.azimuth, cam.elevation, cam.distance, cam.lookat[:] = (
        row["azimuth"],
        row["elevation"],
        row["distance"],
        row["lookat"],
    )
    pert.select = 1
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), pert, cam, int(mujoco.mjtCatBit.mjCAT_ALL), scn)
    kind, height = getattr(mujoco.mjtMouse, f"mjMOUSE_{action}"), row["rect"][3]
    if pulls:
        mujoco.mjv_initPerturb(m, d, scn, pert)
        bit = mujoco.mjtPertBit.mjPERT_ROTATE if action.startswith("ROTATE") else mujoco.mjtPertBit.mjPERT_TRANSLATE
        pert.active = int(bit)
        mujoco.mjv_movePerturb(m, d, kind, dx / height, dy / height, scn, pert)
        mujoco.mjv_applyPerturbPose(m, d, pert, 1)
    else:
        mujoco.mjv_moveCamera(m, kind, dx / height, dy / height, scn, cam)
    return state(
        {"azimuth": cam.azimuth, "elevation": cam.elevation, "distance": cam.distance, "lookat": cam.lookat, "qpos": d.qpos}
    )


def state(row):
    """Azimuth, elevation, distance, look-at point, and position and rotation of the body."""
    return [np.atleast_1d(np.array(row[k], float)) for k in ("azimuth", "elevation", "distance", "lookat")] + [
        np.array(row["qpos"][:3], float),
        np.array(row["qpos"][3:7], float),
    ]


def turn(before, after):
    """The rotation between two unit quaternions, as a vector."""
    conjugate, out, way = np.zeros(4), np.zeros(4), np.zeros(3)
    mujoco.mju_negQuat(conjugate, before)
    mujoco.mju_mulQuat(out, after, conjugate)
    mujoco.mju_quat2Vel(way, out, 1.0)
    return way


def test_gestures_go_the_way_they_go_in_simulate(make_viewer):
    viewer = make_viewer(XML, window=[820, 560], info=False)
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"], PATIENT)
    for k, (button, keys, action) in enumerate(GESTURES):
        for way in WAYS:
            for key in ("backspace", "esc", "ctrl+a"):
                viewer.key(key)
            viewer.click(*viewer.center(), times=2)
            row = viewer.pictures()
            assert row["selected"] == 1
            viewer.drag(*way, button=button, keys=keys)
            after, before = viewer.pictures(), state(row)
            wanted = simulate(row, action, "ctrl" in keys, *way)
            where = f"gesture {k} {button} {keys} {way}"
            ours = [b - a for a, b in zip(before, state(after), strict=True)]
            theirs = [b - a for a, b in zip(before, wanted, strict=True)]

            # angles and the body's rotation are equal; the distance is only nearly, because each event scales it
            for i, part in ((0, 0), (1, 0), (2, COALESCED)):
                np.testing.assert_allclose(ours[i], theirs[i], rtol=part, atol=1e-6, err_msg=where)
            np.testing.assert_allclose(turn(before[5], state(after)[5]), turn(before[5], wanted[5]), atol=1e-6, err_msg=where)

            # points move the same way
            for i in (3, 4):
                if action.startswith("MOVE") and np.linalg.norm(theirs[i]):
                    lengths = np.linalg.norm(ours[i]), np.linalg.norm(theirs[i])
                    assert ours[i] @ theirs[i] > SAME_WAY * lengths[0] * lengths[1] > 0, (where, ours[i], theirs[i])
                elif i == 4:
                    np.testing.assert_allclose(ours[i], theirs[i], atol=1e-9, err_msg=where)


def test_the_wheel_goes_the_other_way_than_in_simulate(make_viewer):
    """Turning the wheel away from the hand moves the camera closer, as in other programs; in simulate, it moves away."""
    viewer = make_viewer(XML, window=[820, 560], info=False)
    viewer.started()
    row = viewer.pictures()
    viewer.move(*viewer.center())
    for button, closer in ((4, True), (5, False)):
        before = viewer.pictures()["distance"]
        viewer.button(button, True)
        viewer.button(button, False)
        after = viewer.pictures()["distance"]
        assert (after < before) == closer
        # simulate: a turn by one notch is a drag by 2 % of the height
        m = mujoco.MjModel.from_xml_string(XML)
        scn, cam = mujoco.MjvScene(m, 10), mujoco.MjvCamera()
        cam.distance = before
        mujoco.mjv_moveCamera(m, mujoco.mjtMouse.mjMOUSE_ZOOM, 0, 0.02 if closer else -0.02, scn, cam)
        assert after == pytest.approx(cam.distance, rel=1e-6)
    assert row["camera"] == 0
