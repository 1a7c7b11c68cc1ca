# %% [markdown]
# # Teaching: four experiments
#
# Small experiments for lessons. Each one asks a question, simulates it, and compares the answer with the theory.

# %%
import numpy as np

import tumble as mujoco
from tumble.ui.examples import located


def world(body, timestep=0.001):
    """A model with one body in it."""
    text = f'<mujoco><option integrator="RK4" timestep="{timestep}"/><worldbody>{body}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


# %% [markdown]
# ## 1. Does a pendulum keep time?
#
# For small angles, the period is 2 pi sqrt(length / gravity). At 120 degrees the pendulum needs 37 % more. The exact period is
# 2 pi sqrt(length / gravity) / agm(1, cos(angle / 2)), where agm is the arithmetic-geometric mean.

# %%
model, data = world('<body><joint axis="0 1 0"/><geom size="0.001" pos="0 0 -1" mass="1"/></body>')


def period(degrees):
    """Time of a full swing that begins at rest."""
    mujoco.mj_resetData(model, data)
    data.qpos[0] = np.radians(degrees)
    mujoco.mj_step(model, data, 10)
    while data.qvel[0] < 0:
        before = data.time, data.qvel[0]
        mujoco.mj_step(model, data)
    # between two steps, the velocity passes zero
    return 2 * (before[0] + model.opt.timestep * before[1] / (before[1] - data.qvel[0]))


def agm(a, b):
    """The arithmetic-geometric mean."""
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, np.sqrt(a * b)
    return a


for degrees in (5, 30, 60, 120, 170):
    theory = 2 * np.pi * np.sqrt(1 / 9.81) / agm(1.0, np.cos(np.radians(degrees) / 2))
    measured = period(degrees)
    print(f"{degrees:3} degrees: {measured:.4f} s, theory {theory:.4f} s")
    assert abs(measured - theory) < 1e-4 * theory

# %% [markdown]
# ## 2. How long can we predict a double pendulum?
#
# Two double pendulums begin with angles that differ by a billionth of a degree. The difference grows exponentially until the
# motions have nothing in common: the system is chaotic, although nothing in it is random.

# %%
model, first = world(
    '<body><joint axis="0 1 0"/><geom size="0.02" fromto="0 0 0 0 0 -1" type="capsule"/>'
    '<body pos="0 0 -1"><joint axis="0 1 0"/><geom size="0.02" fromto="0 0 0 0 0 -1" type="capsule"/></body></body>',
)
second = mujoco.MjData(model)
first.qpos[:] = np.radians([120, 60])
second.qpos[:] = first.qpos + [np.radians(1e-9), 0]
for k in range(10):
    mujoco.mj_step(model, first, 2000)
    mujoco.mj_step(model, second, 2000)
    gap = np.degrees(np.abs(first.qpos - second.qpos).max())
    print(f"{first.time:4.0f} s: the angles differ by {gap:.1e} degrees")
assert gap > 1

# %% [markdown]
# ## 3. Why does a spinning top not fall?
#
# Gravity turns the axis of a fast top sideways instead of down. With spin w, moment of inertia I about the axis, mass m and the
# distance r of the center of mass from the tip, the axis turns at the rate m g r / (I w). The faster the top, the better this
# holds.

# %%
model, data = world(
    '<body><joint type="ball"/><geom type="cylinder" size="0.05 0.005" pos="0 0 0.06" mass="0.2"/>'
    '<geom type="capsule" size="0.003" fromto="0 0 0 0 0 0.06" mass="0.001"/></body>',
    timestep=0.0002,
)
for spin in (200.0, 400.0, 800.0):
    mujoco.mj_resetData(model, data)
    # begin tilted by 20 degrees
    mujoco.mju_axisAngle2Quat(data.qpos, np.array([1.0, 0, 0]), np.radians(20))
    data.qvel[2] = spin
    mujoco.mj_forward(model, data)
    mass, axis = model.body_mass[1], np.linalg.norm(model.body_ipos[1])
    theory = mass * 9.81 * axis / (model.body_inertia[1].max() * spin)
    angles = []
    for _ in range(1000):
        mujoco.mj_step(model, data, 5)
        x, y = data.xmat[1].reshape(3, 3)[:2, 2]
        angles.append(np.arctan2(y, x))
    rate = (np.unwrap(angles)[-1] - angles[0]) / (999 * 5 * model.opt.timestep)
    lean = np.degrees(np.arccos(data.xmat[1, 8]))
    print(f"spin {spin:3.0f} /s: the axis turns at {rate:.3f} /s, theory {theory:.3f} /s; it leans by {lean:.1f} degrees")
    assert abs(rate - theory) < 12 / spin * theory

# %% [markdown]
# ## 4. Newton's cradle: how many balls fly up?
#
# As many as fall: momentum and energy are conserved only then. One ball falls, then two, then three.

# %%
model = mujoco.MjModel.from_xml_path(located("cradle"))
data = mujoco.MjData(model)
balls = [model.joint(f"ball{k}").qposadr[0] for k in range(1, 6)]
for falling in (1, 2, 3):
    mujoco.mj_resetData(model, data)
    data.qpos[balls] = 0
    data.qpos[balls[:falling]] = np.radians(30)
    highest = np.zeros(5)
    while data.time < 0.8:
        mujoco.mj_step(model, data)
        if data.time > 0.35:
            highest = np.maximum(highest, -data.qpos[balls])
    print(f"{falling} fall: the highest angles are {np.degrees(highest).round(0)} degrees")
    assert (np.degrees(highest) > 15).sum() == falling
