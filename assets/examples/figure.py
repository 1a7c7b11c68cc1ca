# %% [markdown]
# # Pictures: a figure for a paper
#
# A figure often shows a motion in one picture: several moments of a thrown hammer, drawn into the same scene, and the path of
# its center of mass. The background is white, and the edges are smooth.

# %%
import pathlib
import tempfile

import numpy as np
from PIL import Image

import tumble as mujoco

XML = """
<mujoco>
  <option timestep="0.001" integrator="RK4"/>
  <visual><global offwidth="1280" offheight="720"/><headlight ambient="0.5 0.5 0.5" diffuse="0.4 0.4 0.4"/></visual>
  <asset><texture type="skybox" builtin="flat" rgb1="1 1 1" width="8" height="48"/></asset>
  <worldbody>
    <light directional="true" pos="0 -1 3" dir="0.2 0.5 -1" diffuse="0.5 0.5 0.5"/>
    <geom type="plane" size="6 2 0.1" rgba="0.93 0.93 0.95 1" pos="2 0 0"/>
    <body name="hammer" pos="0 0 0.6">
      <freejoint/>
      <geom type="cylinder" size="0.025 0.2" mass="0.3" rgba="0.75 0.55 0.3 1"/>
      <geom type="box" size="0.1 0.05 0.05" pos="0 0 0.22" mass="0.9" rgba="0.35 0.4 0.5 1"/>
    </body>
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qvel[:] = 3.2, 0, 5.0, 0, 7.0, 0

# %% [markdown]
# First we record the motion: states for the pictures, and all positions of the center of mass.

# %%
SHOWN, SECONDS = 8, 1.05
moments, path = [], []
steps = round(SECONDS / model.opt.timestep)
for k in range(steps + 1):
    if k % (steps // (SHOWN - 1)) == 0:
        moments.append(data.qpos.copy())
    path.append(data.subtree_com[1].copy() if k else None)
    mujoco.mj_step(model, data)
path = np.array(path[1:])

# %% [markdown]
# `update_scene` draws the first moment, and `mjv_addGeoms` adds the shapes of the later ones. We make early moments paler.
# Connectors draw the path.

# %%
camera, option, pull = mujoco.MjvCamera(), mujoco.MjvOption(), mujoco.MjvPerturb()
camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = [2.2, 0, 0.95], 4.4, 90, -6
moving = int(mujoco.mjtCatBit.mjCAT_DYNAMIC)
with mujoco.Renderer(model, 720, 1280) as renderer:
    for k, qpos in enumerate(moments):
        data.qpos[:] = qpos
        mujoco.mj_forward(model, data)
        before = renderer.scene.ngeom
        if k == 0:
            renderer.update_scene(data, camera)
        else:
            mujoco.mjv_addGeoms(model, data, option, pull, moving, renderer.scene)
        for i in range(before if k else 1, renderer.scene.ngeom):
            renderer.scene.geoms[i].rgba[3] = 0.25 + 0.75 * k / (SHOWN - 1)
    for a, b in zip(path[:-20:20], path[20::20], strict=True):
        n = renderer.scene.ngeom
        geom = renderer.scene.geoms[n]
        mujoco.mjv_initGeom(
            geom,
            mujoco.mjtGeom.mjGEOM_CAPSULE,
            np.zeros(3),
            np.zeros(3),
            np.zeros(9),
            np.array([0.85, 0.2, 0.2, 1], np.float32),
        )
        mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, 0.006, a, b)
        renderer.scene.ngeom = n + 1
    pixels = renderer.render()

# %% [markdown]
# At 300 dots per inch, 1280 pixels are 10.8 cm wide, like a column of text. On a parabola, the height is a quadratic function
# of the distance, which a fit confirms.

# %%
file = pathlib.Path(tempfile.mkdtemp()) / "hammer.png"
Image.fromarray(pixels).save(file, dpi=(300, 300))
curve = np.polyfit(path[:, 0], path[:, 2], 2)
error = np.abs(np.polyval(curve, path[:, 0]) - path[:, 2]).max()
print(f"{file.name}: {file.stat().st_size / 1e3:.0f} kB; the path differs from a parabola by {error:.1e} m")
speed = (path[-1, 0] - path[0, 0]) / ((len(path) - 1) * model.opt.timestep)
print(f"curvature {2 * curve[0]:.4f} per m; gravity and speed give {-9.81 / speed**2:.4f}")
assert error < 1e-6

# %%
Image.fromarray(pixels).resize((640, 360))
