"""A control callback, PD control, inverse dynamics."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def balance(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    angle, rate = data.qpos[1], data.qvel[1]
    data.ctrl[0] = np.clip(8 * angle + 1.5 * rate, *model.actuator_ctrlrange[0])


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    data.joint("hinge").qpos = 0.05
    mujoco.set_mjcb_control(balance)
    try:
        for _ in range(200):
            mujoco.mj_step(model, data)
    finally:
        mujoco.set_mjcb_control(None)
    assert mujoco.get_mjcb_control() is None
    mujoco.mj_inverse(model, data)
    target, gain = np.zeros(model.nv), 3.0
    data.qfrc_applied += gain * (target - data.qvel)
    data.xfrc_applied[model.body("ball").id, :3] = [0, 0, 1]
    print(data.qfrc_inverse.round(2), data.qfrc_applied.sum() != 0, abs(data.qpos[1]) < 1)


if __name__ == "__main__":
    main()
