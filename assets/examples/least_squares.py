# %% [markdown]
# # Least squares: find parameters from a recorded motion, and how sure they are
#
# A camera has recorded the motion of a pendulum. We want to know how long the pendulum is, and how much its bearing damps the
# motion. `tumble.minimize` searches for the parameters that reproduce the recorded motion.

# %%
import numpy as np

import tumble as mujoco
from tumble import minimize


def pendulum(length, damping):
    """The model with these parameters."""
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <option timestep="0.005"/>
      <worldbody>
        <body>
          <joint axis="0 1 0" damping="{damping}"/>
          <geom type="capsule" size="0.01" fromto="0 0 0 0 0 {-length}" mass="0.1"/>
          <geom type="sphere" size="0.04" pos="0 0 {-length}" mass="0.5"/>
        </body>
      </worldbody>
    </mujoco>""")


def angles(length, damping):
    """The angles that a film of two seconds would show."""
    model = pendulum(length, damping)
    data = mujoco.MjData(model)
    data.qpos[0] = 1.0
    seen = np.empty(40)
    for k in range(seen.size):
        mujoco.mj_step(model, data, 10)
        seen[k] = data.qpos[0]
    return seen


# %% [markdown]
# We simulate the recording and add noise. The true values are 0.72 m and 0.04 N m s.

# %%
truth = np.array([0.72, 0.04])
film = angles(*truth) + 0.003 * np.random.default_rng(1).normal(size=40)

# %% [markdown]
# The residual function takes several sets of parameters at once, one in each column. Finite differences use this to test
# several sets in one call.


# %%
def residual(x):
    return np.stack([angles(*column) - film for column in x.T], axis=1)


bounds = [np.array([0.1, 0.0]), np.array([2.0, 1.0])]
found, trace = minimize.least_squares(np.array([0.5, 0.1]), residual, bounds=bounds, verbose=minimize.Verbosity.FINAL)
print(f"length {found[0]:.4f} m, damping {found[1]:.4f} N m s after {len(trace)} iterations")
assert np.allclose(found.ravel(), truth, atol=5e-3)

# %% [markdown]
# How sure are these numbers? Near the solution, the residuals change almost linearly with the parameters. The residuals that
# remain show how large the noise is, and both together give the standard deviation of each parameter.

# %%
x = found.reshape(-1, 1)
steps = 1e-4 * np.eye(2)
J = np.stack([(residual(x + h[:, None]) - residual(x - h[:, None]))[:, 0] / 2e-4 for h in steps], axis=1)
left = residual(x)[:, 0]
noise = np.sqrt(left @ left / (left.size - 2))
spread = noise * np.sqrt(np.diag(np.linalg.inv(J.T @ J)))
print(f"noise {1000 * noise:.1f} mrad (true: 3); length +- {1000 * spread[0]:.2f} mm, damping +- {spread[1]:.5f} N m s")
assert (np.abs(found.ravel() - truth) < 4 * spread).all()
