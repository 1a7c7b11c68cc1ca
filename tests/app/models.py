"""Small models for viewer tests."""

# a pendulum, a free box, a motor, a keyframe, two cameras
PENDULUM = """<mujoco model="pendulum">
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1"/>
    <camera name="front" pos="0 -4 1" xyaxes="1 0 0 0 0.2 1"/>
    <camera name="side" pos="4 0 1" xyaxes="0 1 0 -0.2 0 1"/>
    <geom name="floor" type="plane" size="5 5 0.1" rgba="0.3 0.4 0.5 1"/>
    <body name="arm" pos="0 0 2">
      <joint name="swing" type="hinge" axis="0 1 0" range="-170 170" limited="true"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.8" size="0.05" rgba="0.9 0.3 0.2 1"/>
    </body>
    <body name="box" pos="1 0 0.5">
      <freejoint name="loose"/>
      <geom name="cube" type="box" size="0.2 0.2 0.2" rgba="0.2 0.7 0.3 1"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="swing" ctrlrange="-2 4" ctrllimited="true" gear="1"/>
  </actuator>
  <keyframe>
    <key name="up" qpos="3 1 0 0.5 1 0 0 0" ctrl="1"/>
  </keyframe>
</mujoco>
"""

# one large cube in front of the camera: easy to hit with the mouse
CUBE = """<mujoco model="cube">
  <option gravity="0 0 0"/>
  <statistic center="0 0 0" extent="1"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 0.4 -1"/>
    <body name="cube">
      <freejoint/>
      <geom name="cube" type="box" size="0.35 0.35 0.35" rgba="0.9 0.2 0.1 1"/>
    </body>
  </worldbody>
</mujoco>
"""
