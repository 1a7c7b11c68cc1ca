"""Many trajectories at once on several threads."""

import pathlib

import numpy as np

import tumble as mujoco
from tumble import rollout

MODEL = pathlib.Path(__file__).with_name("model.xml")


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data, start, full)
    controls = np.random.default_rng(0).uniform(-1, 1, (6, 20, model.nu))
    state, sensors = rollout.rollout(model, data, np.tile(start, (6, 1)), controls)
    with rollout.Rollout(nthread=2) as pool:
        again, _ = pool.rollout(model, [mujoco.MjData(model) for _ in range(2)], np.tile(start, (6, 1)), controls)
    cost = np.square(state[:, :, 1]).sum(axis=1)
    print(state.shape, sensors.shape, int(cost.argmin()))
    assert np.array_equal(state, again)


if __name__ == "__main__":
    main()
