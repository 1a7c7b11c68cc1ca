# %% [markdown]
# # A first script
#
# A model is constant, and its data change with every step. Names and array shapes are those of the `mujoco` package.

# %%
import numpy as np

import tumble as mujoco
from tumble.ui.examples import located

model = mujoco.MjModel.from_xml_path(located("cradle"))
data = mujoco.MjData(model)
print(f"{model.nbody} bodies, {model.nv} degrees of freedom, time step {model.opt.timestep} s")

# %% [markdown]
# You can access elements by name. We lift the first ball of Newton's cradle to 45 degrees and let it go.

# %%
ball = data.joint("ball1")
print(f"start: {np.degrees(ball.qpos[0]):.0f} degrees")

# %% [markdown]
# `mj_step` makes one step, or many steps in one call. After the impact, the last ball flies up and the first ball stops.

# %%
for _ in range(10):
    mujoco.mj_step(model, data, round(0.1 / model.opt.timestep))
    print(f"{data.time:.1f} s: first {np.degrees(data.qpos[0]):4.0f}, last {np.degrees(data.qpos[-1]):4.0f} degrees")

# %% [markdown]
# Energy is conserved, except for rounding and for the few steps of each impact. Sensors of the model measure it.

# %%
mujoco.mj_forward(model, data)
energy = data.sensor("kinetic").data[0] + data.sensor("potential").data[0]
mujoco.mj_resetData(model, data)
mujoco.mj_forward(model, data)
before = data.sensor("kinetic").data[0] + data.sensor("potential").data[0]
print(f"energy before {before:.4f} J, after {energy:.4f} J")
assert abs(energy - before) < 0.01 * abs(before)
