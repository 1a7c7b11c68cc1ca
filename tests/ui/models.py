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
    body = (
        '<body name="b{i}" pos="{x} {y} 1"><freejoint/><geom type="box" size=".1 .1 .1"/><body pos="0 0 .3">'
        '<joint name="j{i}" type="hinge"/><geom size=".05"/></body></body>'
    )
    bodies = "".join(body.format(i=i, x=i % 10, y=i // 10) for i in range(count))
    motors = "".join(f'<motor name="m{i}" joint="j{i}"/>' for i in range(count))
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>'


def mesh_robot() -> str:
    """An arm of three links whose shapes are meshes made here: boxes with a bevel, and a wedge for the hand."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)]
    bevel = [(0.6 * x, 0.6 * y, -0.2 + 1.4 * z) for x, y, z in corners]
    link = " ".join(f"{0.05 * x:g} {0.05 * y:g} {0.3 * z:g}" for x, y, z in corners + bevel)
    wedge = " ".join(f"{0.06 * x:g} {0.02 * y * (1 - z):g} {0.15 * z:g}" for x, y, z in corners)
    return f"""<mujoco model="mesh robot">
  <asset>
    <mesh name="link" vertex="{link}"/><mesh name="wedge" vertex="{wedge} 0 0.001 0.16"/>
    <texture name="grid" type="2d" builtin="checker" width="32" height="32" rgb1=".2 .3 .4" rgb2=".8 .8 .8"/>
    <material name="painted" texture="grid"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/><geom name="table" type="box" size="1 1 .05" pos="0 0 -.05"/>
    <body name="base"><joint name="yaw" axis="0 0 1"/><geom name="base" type="mesh" mesh="link" material="painted"/>
      <body name="upper" pos="0 0 .3"><joint name="shoulder" axis="0 1 0" range="-90 90"/>\
<geom name="upper" type="mesh" mesh="link"/>
        <body name="hand" pos="0 0 .3"><joint name="wrist" axis="0 1 0" range="-60 60"/>\
<geom name="hand" type="mesh" mesh="wedge"/>
          <site name="tool" pos="0 0 .16"/></body></body></body>
  </worldbody>
  <actuator><position name="yaw" joint="yaw" kp="5" ctrlrange="-3 3"/><position name="lift" joint="shoulder" kp="20"/>\
</actuator>
  <sensor><framepos name="tool" objtype="site" objname="tool"/></sensor>
</mujoco>"""


def pile(count: int) -> str:
    """`count` free things of four shapes, close above each other."""
    shapes = ('type="box" size=".1 .08 .06"', 'size=".09"', 'type="capsule" size=".05 .08"', 'type="cylinder" size=".07 .06"')
    things = "".join(
        f'<body name="thing{i}" pos="{0.25 * (i % 5):g} {0.25 * (i // 5 % 5):g} {0.2 + 0.22 * (i // 25):g}"><freejoint/>'
        f"<geom {shapes[i % 4]}/></body>"
        for i in range(count)
    )
    return f'<mujoco><worldbody><light pos="0 0 4"/><geom type="plane" size="5 5 .1"/>{things}</worldbody></mujoco>'
