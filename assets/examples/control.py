# %% [markdown]
# # Control: balance a pole on a cart
#
# We linearise the model at the upright pole and solve a Riccati equation for the gains of a controller. The controller keeps
# the pole upright, although forces push it.

# %%
import numpy as np

import tumble as mujoco

XML = """
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0 0 1" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slide" ctrlrange="-20 20"/></actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)

# %% [markdown]
# Finite differences of a step give matrices A and B: one step leads from (x, u) to A x + B u. The state x consists of `qpos`
# and `qvel`.

# %%
mujoco.mj_forward(model, data)
n = 2 * model.nv
A, B = np.zeros((n, n)), np.zeros((n, model.nu))
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
print(A.round(4))

# %% [markdown]
# We compute the gain that minimizes the total cost over an infinite time. For this, we iterate the Riccati equation until it
# converges.

# %%
Q, R = np.diag([1.0, 10.0, 0.1, 0.1]), 0.01 * np.eye(1)
P = Q.copy()
for _ in range(2000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)
print("gains", K.round(1))

# %% [markdown]
# A controller is a loop that writes `ctrl`. Once a second, a force pushes the tip of the pole.

# %%
rng = np.random.default_rng(0)
mujoco.mj_resetData(model, data)
data.qpos[1] = 0.2
worst = 0.0
for step in range(1000):
    data.ctrl[:] = -K @ np.concatenate([data.qpos, data.qvel])
    pushed = step % 100 < 10
    data.body("pole").xfrc_applied[0] = 2 * rng.normal() if pushed else 0.0
    mujoco.mj_step(model, data)
    worst = max(worst, abs(float(data.qpos[1])))
print(f"after {data.time:.0f} s the pole leans {np.degrees(data.qpos[1]):.2f} degrees, at most {np.degrees(worst):.1f}")
assert abs(data.qpos[1]) < 0.1
