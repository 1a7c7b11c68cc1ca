# %% [markdown]
# # A viewer for a script: sliders, plots, marks
#
# The script runs the simulation loop while you tune a controller by hand. The window has sliders for the gains and a plot of
# the error. An arrow shows where the arm should point. Click an object to record its type. Press `T` to mirror the target. The
# window closes by itself after a few seconds of simulation.

# %%
import time

import numpy as np

import tumble as mujoco
import tumble.viewer

SECONDS = 6.0
XML = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 -1 2"/>
    <geom type="plane" size="1 1 .1" rgba=".3 .35 .4 1"/>
    <body name="arm" pos="0 0 .5">
      <joint name="hinge" axis="0 1 0" damping=".05"/>
      <geom name="link" type="capsule" size=".03" fromto="0 0 0 .4 0 0" mass="1" rgba=".9 .5 .2 1"/>
    </body>
    <camera name="side" pos="0 -1.5 .6" xyaxes="1 0 0 0 .1 1"/>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-20 20"/></actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)

# %% [markdown]
# Controls can be read without a lock: `kp.value` is a number. The viewer calls your functions inside `sync`, so they may change
# `data`.

# %%
heard = []
with mujoco.viewer.launch_passive(model, data) as viewer:
    kp = viewer.add_slider("kp", 0, 100, 40)
    kd = viewer.add_slider("kd", 0, 10, 3)
    target = viewer.add_slider("target", -3, 3, -0.6)
    on = viewer.add_checkbox("servo on", True)
    viewer.add_button("Push", lambda: data.qvel.__setitem__(0, 8.0))
    error = viewer.add_plot("error (rad)", ("error", "velocity"))
    viewer.add_panel("Camera").add_camera("side", "depth")
    arrow = viewer.add_arrows([[0, 0, 0.5]], [[0.5, 0, 0.5]])
    viewer.on_click(lambda hit: heard.append(hit.kind))
    viewer.on_key("T", lambda: setattr(target, "value", -target.value))

    begin = time.perf_counter()
    while viewer.is_running() and data.time < SECONDS:
        off = data.qpos[0] - target.value
        data.ctrl[0] = -kp.value * off - kd.value * data.qvel[0] if on.value else 0
        mujoco.mj_step(model, data)
        if round(data.time / model.opt.timestep) % 8 == 0:
            tip = [0.5 * np.cos(target.value), 0, 0.5 - 0.5 * np.sin(target.value)]
            arrow.place([[0, 0, 0.5]], [tip])
            error.append(data.time, off, data.qvel[0])
        viewer.sync()
        # in real time
        time.sleep(max(0, begin + data.time - time.perf_counter()))
print(f"after {data.time:.1f} s the arm is {abs(float(data.qpos[0]) - target.value):.2f} rad from its target")
