"""Models for panel tests: nothing, one of each, and many of everything."""

EMPTY = "<mujoco/>"

# each joint type, limits, a sensor of two kinds, an equality, a tendon, a camera, groups
VARIETY = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <light/><camera name="eye" pos="0 -3 1"/>
    <geom type="plane" size="3 3 .1"/>
    <body name="a_body_with_a_name_that_is_longer_than_forty_characters" pos="0 0 1">
      <freejoint name="free"/><geom size=".1"/>
      <body pos=".3 0 0"><joint type="ball" name="ball"/><geom size=".1"/><site name="tip"/></body>
    </body>
    <body pos="1 0 1"><joint type="hinge" name="hinge" range="-1 2" limited="true"/><geom size=".1" group="4"/>
      <body pos=".3 0 0"><joint type="slide" name="slide" group="1"/><geom size=".1"/></body></body>
  </worldbody>
  <equality><joint joint1="hinge" joint2="slide" active="false"/></equality>
  <actuator>
    <motor name="push" joint="slide" ctrlrange="-3 5" ctrllimited="true"/>
    <position joint="hinge" kp="2" group="2"/>
  </actuator>
  <sensor><jointpos joint="hinge" name="angle"/><jointpos joint="slide"/><framepos objtype="site" objname="tip"/></sensor>
  <keyframe><key name="start"/><key/></keyframe>
</mujoco>"""


def crowd(count: int) -> str:
    """`count` free boxes on a plane, each with a hinge and a motor: more than fits into a window."""
    body = ('<body name="b{i}" pos="{x} {y} 1"><freejoint/><geom type="box" size=".1 .1 .1"/><body pos="0 0 .3">'
            '<joint name="j{i}" type="hinge"/><geom size=".05"/></body></body>')
    bodies = "".join(body.format(i=i, x=i % 10, y=i // 10) for i in range(count))
    motors = "".join(f'<motor name="m{i}" joint="j{i}"/>' for i in range(count))
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>'
