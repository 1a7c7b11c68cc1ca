"""Small models on which the laws are tested."""

FREE_BODY = """
<mujoco>
  <option gravity="0 0 {gravity}" timestep="0.002" integrator="{integrator}"><flag contact="disable"/></option>
  <worldbody>
    <body pos="0 0 3"><freejoint/><geom type="box" size=".1 .2 .3" mass="2"/></body>
  </worldbody>
</mujoco>
"""

CHAIN = """
<mujoco>
  <option gravity="0 0 {gravity}" timestep="{timestep}" integrator="{integrator}"><flag contact="disable" energy="enable"/>
    </option>
  <worldbody>
    <body pos="0 0 2">{root}
      <geom type="capsule" size=".05 .2" pos="0 0 -.2"/>
      <body pos="0 0 -.4"><joint type="ball"/><geom type="capsule" size=".04 .2" pos="0 0 -.2"/>
        <body pos="0 .02 -.4"><joint axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom type="box" size=".05 .1 .05"/></body>
      </body>
      <body pos="0 .2 -.1"><joint axis="0 1 1"/><geom size=".1"/></body>
    </body>
  </worldbody>
</mujoco>
"""

RESTING = """
<mujoco>
  <option timestep="0.002" cone="{cone}" solver="{solver}" jacobian="{jacobian}"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" friction="{friction}"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1" friction="{friction}"/></body>
    <body pos=".5 0 .1"><freejoint/><geom type="sphere" size=".1" mass="2" friction="{friction}"/></body>
    <body pos="0 .6 .12"><freejoint/><geom type="capsule" size=".1 .2" euler="0 90 0" mass="1.5" friction="{friction}"/></body>
  </worldbody>
</mujoco>
"""

PILE = """
<mujoco>
  <option timestep="0.004" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <replicate count="{count}" offset="0.03 0.02 0.25">
      <body pos="0 0 .2"><freejoint/><geom type="{shape}" size=".1 .08 .09" density="800"/></body>
    </replicate>
  </worldbody>
</mujoco>
"""
