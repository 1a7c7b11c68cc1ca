# %% [markdown]
# # Rollouts: try many controls at once
#
# `rollout` steps many states with many controls, on several threads and without the interpreter lock. Here a planner drives a
# car to a target. It tries random controls, keeps those that end closest to the target, and searches again around them.

# %%
import numpy as np

import tumble as mujoco
from tumble import rollout
from tumble.ui.examples import located

GOAL = np.array([0.0, 3.2])
TRIALS, STEPS, KEPT, ROUNDS = 48, 550, 6, 4

model = mujoco.MjModel.from_xml_path(located("car"))
data = mujoco.MjData(model)
full = mujoco.mjtState.mjSTATE_FULLPHYSICS
start = np.empty(mujoco.mj_stateSize(model, full))
mujoco.mj_getState(model, data, start, full)
low, high = model.actuator_ctrlrange.T
print(f"{model.nu} controls; the goal is {np.linalg.norm(GOAL - start[1:3]):.1f} m away")

# %% [markdown]
# Each trial holds its controls for 2.2 s: a speed, and one steering angle for both wheels. The recorded state consists of the
# time, then `qpos`, then `qvel`.

# %%
rng = np.random.default_rng(0)
mean, spread = np.zeros(2), 0.5 * (high - low)[:2]
with rollout.Rollout(nthread=2) as pool:
    workers = [mujoco.MjData(model) for _ in range(2)]
    for k in range(ROUNDS):
        tried = np.clip(mean + spread * rng.normal(size=(TRIALS, 2)), low[:2], high[:2])
        controls = np.repeat(np.column_stack([tried, tried[:, 1]])[:, None, :], STEPS, axis=1)
        states, _sensors = pool.rollout(model, workers, np.tile(start, (TRIALS, 1)), controls)
        ends = states[:, -1, 1:3]
        gap = np.linalg.norm(ends - GOAL, axis=1)
        best = gap.argsort()[:KEPT]
        mean, spread = tried[best].mean(axis=0), tried[best].std(axis=0) + 1e-3
        print(f"round {k + 1}: nearest {gap.min():.2f} m, drive {mean[0]:+.2f}, steer {mean[1]:+.2f}")
assert gap.min() < 0.3
