# %% [markdown]
# # Planning: swing a double pendulum up by sampling
#
# Predictive control by sampling: at each moment, simulate many random plans from the current state, keep the best plan, run
# its first part, and plan again. `tumble.batch` simulates all plans at once; with `lanes=True`, several of them in each
# vector instruction of the processor.

# %%
import math
import time

import numpy as np

import tumble as mujoco
from tumble.batch import Batch

XML = """
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.5" mass="1" contype="0" conaffinity="0"/>
      <body name="lower" pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0" damping="0.05"/>
        <geom type="capsule" size="0.025" fromto="0 0 0 0 0 -0.5" mass="0.5" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" ctrlrange="-6 6" ctrllimited="true"/>
    <motor joint="elbow" ctrlrange="-4 4" ctrllimited="true"/>
  </actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
PLANS, KNOTS, HOLD = 256, 10, 6
horizon = KNOTS * HOLD
print(f"{PLANS} plans of {horizon * model.opt.timestep:.1f} s each")

# %% [markdown]
# A plan is a list of ten torques for each motor, held for six steps each. Two compiled functions run in the loop of each
# simulation: the first sets the controls, the second adds the cost of the state.

# %%
plans, costs, clock = np.zeros((PLANS, KNOTS * model.nu)), np.zeros(PLANS), np.zeros(PLANS, np.int64)


def follow(m, d, i, plan, clock):
    knot = min(clock[i] // HOLD, KNOTS - 1)
    for k in range(m.nu):
        d.ctrl[k] = plan[i, knot * m.nu + k]
    clock[i] += 1


def judge(m, d, i, cost):
    # height of both links above their lowest position, velocity, effort
    up = math.cos(d.qpos[0]) + math.cos(d.qpos[0] + d.qpos[1])
    cost[i] += 2.0 + up + 0.01 * (d.qvel[0] ** 2 + d.qvel[1] ** 2) + 0.002 * (d.ctrl[0] ** 2 + d.ctrl[1] ** 2)


worlds = Batch(model, PLANS, lanes=True)
worlds.before_step(follow, plans, clock)
worlds.after_step(judge, costs)
spec = mujoco.mjtState.mjSTATE_INTEGRATION
state = np.zeros(mujoco.mj_stateSize(model, spec))

# %% [markdown]
# Each round starts all simulations from the state of the pendulum. New plans are random changes of the best plan so far.

# %%
data = mujoco.MjData(model)
rng, low, high = np.random.default_rng(0), *model.actuator_ctrlrange.T
best, thinking = np.zeros((KNOTS, model.nu)), 0.0
for moment in range(80):
    begin = time.perf_counter()
    mujoco.mj_getState(model, data, state, spec)
    tried = np.clip(best + rng.normal(size=(PLANS, *best.shape)) * (high - low) * 0.15, low, high)
    tried[0] = best
    plans[:] = tried.reshape(PLANS, -1)
    costs[:], clock[:], worlds.state[:] = 0.0, 0, state
    worlds.step(nstep=horizon)
    best = tried[costs.argmin()]
    thinking += time.perf_counter() - begin

    # run the first part of the best plan, and shift the rest
    data.ctrl[:] = best[0]
    mujoco.mj_step(model, data, HOLD)
    best = np.vstack([best[1:], best[-1:]])
    if moment % 10 == 9:
        up = -0.25 * (np.cos(data.qpos[0]) + np.cos(data.qpos[0] + data.qpos[1])) + 0.5
        print(f"{data.time:3.1f} s: {100 * up:3.0f} % of the height, cost {costs.min():.1f}")
print(f"{80 * PLANS * horizon / thinking / 1e6:.1f} million steps a second")
assert up > 0.9
