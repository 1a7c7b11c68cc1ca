"""Models whose tendons and actuators reach every branch of the kernels; their geometry has no other purpose."""

BODIES = """
    <geom name="floor" type="plane" size="5 5 .1"/>
    <site name="world0" pos="-.6 .1 1.3"/><site name="world1" pos=".7 -.2 1.2"/>
    <body name="block" pos="0 0 1">
      <joint name="lift" type="slide" axis="0 0 1" limited="true" range="-.1 .3"/>
      <geom name="ball" type="sphere" size=".12" pos=".05 0 .1"/>
      <geom name="drum" type="cylinder" size=".1 .2" pos="-.1 .05 0" euler="80 10 0"/>
      <site name="side" pos=".05 0 .3"/><site name="within" pos=".05 .01 .12"/><site name="drumside" pos="-.1 .05 -.3"/>
      <site name="b0" pos=".2 .1 0"/>
      <body name="arm" pos=".3 0 0">
        <joint name="elbow" type="hinge" axis="0 1 .2" limited="true" range="-40 60"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
        <site name="a0" pos=".1 0 .05"/><site name="a1" pos=".35 .02 -.03" euler="20 30 40"/>
        <body name="fixed_part" pos=".4 0 0"><geom type="box" size=".03 .04 .05"/><site name="f0" pos=".02 .01 .1"/>
          <body name="wrist" pos=".1 0 0"><joint name="wrist" type="ball" range="0 60" limited="true"/>\
<geom type="capsule" size=".03 .1"/><site name="w0" pos="0 .05 .1"/></body>
        </body>
      </body>
    </body>
    <body name="free" pos="-.5 .2 1.6"><freejoint name="free"/><geom name="cube" type="box" size=".1 .08 .06"/>\
<site name="c0" pos=".05 .02 .03" euler="5 10 15"/></body>
    <body name="crank" pos="1.5 0 1"><joint name="crank" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .1 0 0"/>\
<site name="pin" pos=".1 0 0"/></body>
    <body name="slider" pos="1.5 0 1.5"><joint name="slider" type="slide" axis="0 0 1"/><geom type="box" size=".05 .05 .05"/>\
<site name="rail" zaxis="0 0 1"/></body>
"""

TENDONS = """
  <tendon>
    <fixed name="sum" stiffness="3" damping=".4" springlength=".1 .2" limited="true" range="-1 1" armature=".3">
      <joint joint="wrist_x" coef="1"/></fixed>
    <spatial name="straight" stiffness="20" damping="2" springlength=".3" armature="0.4"><site site="world0"/><site site="a1"/>
      <site site="c0"/><site site="f0"/></spatial>
    <spatial name="wrapped" stiffness="10"><site site="world0"/><geom geom="ball"/><site site="world1"/></spatial>
    <spatial name="sided"><site site="world0"/><geom geom="ball" sidesite="side"/><site site="a0"/>
      <geom geom="drum" sidesite="drumside"/><site site="c0"/></spatial>
    <spatial name="inner"><site site="world0"/><geom geom="ball" sidesite="within"/><site site="a1"/></spatial>
    <spatial name="drummed" damping="1"><site site="world0"/><geom geom="drum"/><site site="w0"/></spatial>
    <spatial name="pulley" armature=".2" limited="true" range="0 1"><site site="world0"/><site site="b0"/><pulley divisor="2"/>
      <site site="a0"/><site site="c0"/>
      <pulley divisor="3"/><site site="w0"/><site site="world1"/></spatial>
  </tendon>
"""


def model(tendons=TENDONS, extra="", jacobian="dense", options=""):
    """A tree with slide, hinge and ball joints, a free body and a crank, with tendons between them."""
    tendons = tendons.replace('joint="wrist_x"', 'joint="elbow"').replace(
        "</fixed>", '<joint joint="lift" coef="-2.5"/><joint joint="crank" coef=".5"/></fixed>'
    )
    return f"""<mujoco><option jacobian="{jacobian}" {options}/><worldbody>{BODIES}</worldbody>{tendons}{extra}</mujoco>"""


ACTUATORS = """
  <actuator>
    <motor name="hinge" joint="elbow" gear="3"/>
    <motor name="slide" joint="lift" gear="-2"/>
    <position name="pull" tendon="wrapped" kp="3"/>
    <motor name="sum" tendon="sum" gear="2"/>
    <motor name="ball" joint="wrist" gear="1 2 3"/>
    <motor name="ball_parent" jointinparent="wrist" gear="1 -2 3"/>
    <motor name="free" joint="free" gear="1 2 3 4 5 6"/>
    <motor name="free_parent" jointinparent="free" gear="1 2 3 4 5 6"/>
    <motor name="site" site="a1" gear="1 2 3 4 5 6"/>
    <motor name="still_site" site="world0" gear="1 2 3 4 5 6"/>
    <motor name="refsite" site="w0" refsite="b0" gear="1 2 3 4 5 6"/>
    <motor name="shift" site="c0" refsite="a1" gear="1 2 3 0 0 0"/>
    <motor name="turn" site="a1" refsite="c0" gear="0 0 0 1 -1 2"/>
    <motor name="crank" cranksite="pin" slidersite="rail" cranklength=".6" gear="1.5"/>
    <motor name="short_crank" cranksite="pin" slidersite="rail" cranklength=".1" gear="1.5"/>
    <adhesion name="stick" body="free" ctrlrange="0 1" gain="2"/>
    <adhesion name="idle" body="slider" ctrlrange="0 1" gain="2"/>
  </actuator>
"""
LIGHT_ACTUATORS = """
  <actuator><motor joint="elbow" gear="3"/><motor tendon="straight" gear=".5"/><motor tendon="sum" gear="2"/>
    <motor joint="lift" gear="-2"/></actuator>
"""
