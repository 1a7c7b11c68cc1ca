# %% [markdown]
# # Soft bodies: a gripper with soft fingers lifts a ball
#
# Two fingers of soft rubber close on a ball that is heavier than they are, bend around it, and lift it. `flexcomp` makes the
# soft bodies: grids of points with the stiffness of a material.

# %%
import numpy as np
from PIL import Image

import tumble as mujoco

FINGER = """
<flexcomp name="{0}" type="grid" dim="3" dof="trilinear" count="3 5 9" spacing="0.012 0.012 0.014" pos="0 0 0" radius="0.003"
          mass="0.1" rgba="{1} 1">
  <elasticity young="1e4" poisson="0.3" damping="0.01"/>
  <contact friction="1.2" condim="3" solref="0.01 1" selfcollide="none" internal="false"/>
  <pin id="{2}"/>
</flexcomp>"""
XML = f"""
<mujoco>
  <option timestep="0.001" integrator="implicitfast" cone="elliptic"/>
  <visual><headlight ambient="0.4 0.4 0.4"/><map znear="0.02"/></visual>
  <statistic center="0 0 0.12" extent="0.4"/>
  <asset><texture type="skybox" builtin="gradient" rgb1="0.85 0.88 0.9" rgb2="0.5 0.6 0.7" width="64" height="384"/></asset>
  <worldbody>
    <light pos="0.3 -0.6 1" dir="-0.3 0.6 -1"/>
    <geom type="plane" size="0 0 0.1" rgba="0.8 0.76 0.7 1"/>
    <body name="ball" pos="0 0 0.035">
      <freejoint/><geom size="0.035" mass="0.15" rgba="0.9 0.4 0.2 1" friction="1" condim="4"/>
    </body>
    <body name="hand" pos="0 0 0.14">
      <joint name="lift" type="slide" axis="0 0 1" range="-0.05 0.3" damping="20"/>
      <geom type="box" size="0.09 0.03 0.01" pos="0 0 0.03" mass="0.3" rgba="0.25 0.27 0.3 1" contype="0" conaffinity="0"/>
      <body name="left" pos="-0.065 0 -0.05">
        <joint name="left" type="slide" axis="1 0 0" range="-0.02 0.05" damping="5"/>
        <geom type="box" size="0.008 0.03 0.06" pos="-0.022 0 0" mass="0.1" rgba="0.25 0.27 0.3 1" contype="0" conaffinity="0"/>
        {FINGER.format("soft_left", "0.3 0.6 0.8", "0 1 2 3")}
      </body>
      <body name="right" pos="0.065 0 -0.05">
        <joint name="right" type="slide" axis="-1 0 0" range="-0.02 0.05" damping="5"/>
        <geom type="box" size="0.008 0.03 0.06" pos="0.022 0 0" mass="0.1" rgba="0.25 0.27 0.3 1" contype="0" conaffinity="0"/>
        {FINGER.format("soft_right", "0.3 0.7 0.5", "4 5 6 7")}
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="lift" joint="lift" kp="400" kv="40"/>
    <position name="left" joint="left" kp="300" kv="10"/>
    <position name="right" joint="right" kp="300" kv="10"/>
  </actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
print(f"{model.nflex} soft fingers of {model.nflexvert // 2} points each, {model.nv} degrees of freedom")

# %% [markdown]
# Close the fingers in half a second, wait, lift, and hold. The fingers push with the force of their servos, and the rubber
# bends until the ball does not slip.

# %%
PLAN = ((0.0, 0.0, 0.0), (0.5, 0.0, 0.04), (1.0, 0.0, 0.04), (2.0, 0.2, 0.04), (3.0, 0.2, 0.04))
times, lift, close = np.transpose(PLAN)
rest = data.flexvert_xpos.copy()
ball = data.body("ball")
pixels = None
with mujoco.Renderer(model, 240, 320) as renderer:
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = [0, 0, 0.2], 0.75, 110, -12
    for k in range(round(times[-1] / model.opt.timestep)):
        data.ctrl[0] = np.interp(data.time, times, lift)
        data.ctrl[1:] = np.interp(data.time, times, close)
        mujoco.mj_step(model, data)
        if k % 500 == 499:
            print(f"{data.time:.1f} s: the ball is at {100 * ball.xpos[2]:4.1f} cm, {data.ncon} contacts")
    renderer.update_scene(data, camera)
    pixels = renderer.render()
assert ball.xpos[2] > 0.15

# %% [markdown]
# The ball in the fingers:

# %%
Image.fromarray(pixels)
