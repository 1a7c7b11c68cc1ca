"""Time steps: load, reset, step, read the state."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    print(model.nq, model.nv, model.nbody, model.opt.timestep, mujoco.__version__)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_WARMSTART
    model.opt.gravity[2] = -9.81
    model.opt.gravity = [0, 0, -9.81]
    mujoco.mj_resetData(model, data)
    data.qpos[1] = 0.1
    data.qvel[:] = 0
    data.ctrl = 0.2
    heights = []
    while data.time < 0.5:
        mujoco.mj_step(model, data)
        heights.append(data.xpos[3, 2])
    mujoco.mj_step(model, data, nstep=10)
    mujoco.mj_forward(model, data)
    kinetic = 0.5 * float(np.dot(data.qvel, data.qfrc_bias))
    state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_PHYSICS))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_PHYSICS)
    mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_PHYSICS)
    other = mujoco.MjData(model)
    mujoco.mj_copyData(other, model, data)
    print(round(data.time, 3), min(heights) > 0, kinetic, data.energy.sum(), data.warning[0].number, data.timer.duration.shape)
    assert np.array_equal(other.qpos, data.qpos) and data.qpos.shape == (model.nq,)


if __name__ == "__main__":
    main()
