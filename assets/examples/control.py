# %% [markdown]
# # Control: a pole stands on a cart
#
# The model is linearised where the pole stands, a Riccati equation gives the gains, and the controller keeps the pole up
# against pushes.

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
# One step from (x, u) to A x + B u, by finite differences of the step itself. The state is that of `qpos` and `qvel`.

# %%
mujoco.mj_forward(model, data)
n = 2 * model.nv
A, B = np.zeros((n, n)), np.zeros((n, model.nu))
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
print(A.round(4))

# %% [markdown]
# The gain of least cost for ever: the Riccati equation is iterated until it stands.

# %%
Q, R = np.diag([1.0, 10.0, 0.1, 0.1]), 0.01 * np.eye(1)
P = Q.copy()
for _ in range(2000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)
print("gains", K.round(1))

# %% [markdown]
# A controller is a loop that writes `ctrl`. Each second the pole is pushed with a force at its tip.

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
