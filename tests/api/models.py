"""Models of the tests of the programming interface: every kind of joint, of named element, and something that collides."""

RIG = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.004"/>
  <asset>
    <texture name="tex" type="2d" builtin="checker" width="8" height="6"/><material name="mat" texture="tex"/>
    <mesh name="tetra" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/><hfield name="hills" nrow="3" ncol="4" size="1 1 .1 .1"/>
  </asset>
  <custom><numeric name="num" data="1 2 3"/><text name="txt" data="hello"/><tuple name="tup">
    <element objtype="body" objname="free"/></tuple></custom>
  <worldbody>
    <light name="lamp" pos="0 0 3"/><camera name="eye" pos="0 -2 1"/>
    <geom name="floor" type="plane" size="2 2 .1" material="mat"/>
    <body name="free" pos="0 0 .08"><freejoint name="root"/><geom name="box" type="box" size=".1 .1 .1"/>
      <site name="tip" pos=".1 0 .1"/>
      <body name="arm" pos=".1 0 .1"><joint name="ball" type="ball" damping=".1"/>
        <geom name="rod" type="capsule" size=".03 .1" pos="0 0 .1"/>
        <body name="hand" pos="0 0 .25"><joint name="hinge" axis="0 1 0" range="-1 1" damping=".05"/>
          <joint name="slide" type="slide" axis="1 0 0"
          stiffness="5" armature=".02"/><geom name="palm" size=".05"/><site name="grip" pos="0 0 .05"/><camera name="wrist"/>
            </body></body></body>
    <body name="target" mocap="true" pos="1 0 1"><geom name="mark" size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><exclude name="apart" body1="free" body2="hand"/></contact>
  <equality><joint name="tie" joint1="hinge" active="false"/></equality>
  <tendon><fixed name="cord" range="-.5 .5" limited="true"><joint joint="hinge" coef="1"/><joint joint="slide" coef="-1"/>
    </fixed></tendon>
  <actuator><position name="servo" joint="hinge" kp="2"/><motor name="push" joint="slide" ctrlrange="-1 1" ctrllimited="true"/>
    <general name="lag" joint="slide" dyntype="filter" dynprm=".1" gainprm="3"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos name="where" objtype="site" objname="grip"/>
    <velocimeter name="speed" site="grip"/>
    <accelerometer name="acc" site="tip"/></sensor>
  <keyframe><key name="home" time="1"/><key name="other"/></keyframe>
</mujoco>"""
