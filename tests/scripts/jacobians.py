"""Jacobians: inverse kinematics by damped least squares, and the inertia as a matrix."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def reach(model: mujoco.MjModel, data: mujoco.MjData, target: np.ndarray, damping: float = 1e-3) -> float:
    site = model.site("tip").id
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    for _ in range(50):
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_jacSite(model, data, jacp, jacr, site)
        error = target - data.site_xpos[site]
        step = jacp.T @ np.linalg.solve(jacp @ jacp.T + damping * np.eye(3), error)
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    return float(np.linalg.norm(target - data.site_xpos[site]))


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    left = reach(model, data, np.array([0.4, 0.0, 0.9]))
    inertia = np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, inertia, data.qM)
    body, quat = np.zeros((3, model.nv)), np.zeros(4)
    mujoco.mj_jacBodyCom(model, data, body, None, model.body("pole").id)
    mujoco.mju_axisAngle2Quat(quat, [0, 0, 1], 0.5)
    mujoco.mju_mulQuat(quat, quat.copy(), data.body("ball").xquat)
    A, B = np.zeros((2 * model.nv, 2 * model.nv)), np.zeros((2 * model.nv, model.nu))
    mujoco.mjd_transitionFD(model, data, 1e-6, 1, A, B, None, None)
    print(left < 0.1, np.allclose(inertia, inertia.T), quat.round(3), A.shape, np.abs(B).max() > 0)


if __name__ == "__main__":
    main()
