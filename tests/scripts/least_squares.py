"""System identification: mass and damping from a trajectory, by nonlinear least squares."""

import pathlib

import numpy as np

import tumble as mujoco
from tumble import minimize

MODEL = pathlib.Path(__file__).with_name("model.xml")


def trajectory(model: mujoco.MjModel, damping: float) -> np.ndarray:
    model.dof_damping[0] = damping
    data = mujoco.MjData(model)
    found = []
    for _ in range(40):
        data.ctrl[0] = 0.5
        mujoco.mj_step(model, data)
        found.append(data.qpos[:2].copy())
    return np.concatenate(found)


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    measured = trajectory(model, 0.7)

    def residual(x: np.ndarray) -> np.ndarray:
        return np.stack([trajectory(model, column[0]) - measured for column in x.T], axis=1)

    x, trace = minimize.least_squares(
        np.array([0.1]), residual, bounds=[np.array([0.0]), np.array([5.0])], verbose=minimize.Verbosity.SILENT
    )
    print(x.ravel().round(3), len(trace), trace[-1].objective < 1e-6)
    assert abs(x.item() - 0.7) < 1e-2


if __name__ == "__main__":
    main()
