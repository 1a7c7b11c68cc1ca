"""Texts of models for the cases of later releases, and functions that complete them."""

import numpy as np

LINKS = """<body name="a" pos="0 0 1"><joint name="ja" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>\
<site name="sa" pos=".3 0 0"/>
  <body name="b" pos=".3 0 0"><joint name="jb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/>\
<site name="sb" pos=".3 .1 0"/></body></body>
  <body name="c" pos="0 .5 1"><freejoint/><geom type="box" size=".1 .05 .07"/><site name="sc" pos=".1 .1 0" euler="10 20 30"/>\
</body>"""
# no gyroscopic forces can act
CUBE = LINKS.replace(".1 .05 .07", ".07 .07 .07")
BALLS = """<geom name="floor" type="plane" size="2 2 .1" {floor}/>
  <body pos="0 0 .13"><freejoint/><geom size=".1" {one}/></body><body pos=".23 0 .12"><freejoint/><geom size=".1" {two}/></body>
  <body pos="0 .26 .15"><freejoint/><geom type="box" size=".1 .1 .1" {two}/></body>"""

SPRINGS = """<body pos="0 0 1"><joint name="h" axis="0 1 0" stiffness="3 4 5" damping=".2 .3 .4"/>\
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  <body pos=".3 0 0"><joint type="ball" stiffness="1 2 3" damping=".1 .2"/>\
<geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/>
  <body pos=".3 .1 0"><joint type="slide" stiffness="7 0 90" springref=".1" damping="0 .6"/><geom size=".05"/></body></body>\
</body>
  <body pos="1 0 1"><joint type="free" stiffness="1 2 3" damping=".1 .2 .3"/><geom type="box" size=".1 .1 .1"/></body>"""
POLYNOMIALS = "jnt_stiffness jnt_stiffnesspoly dof_damping dof_dampingpoly"
TENDONS = """<tendon><spatial stiffness="5 6 70" damping=".3 .4 .5" springlength=".1 .2"><site site="sa"/><site site="sc"/>
    </spatial>
  <fixed stiffness="2 3 4" damping="0 1 2" springlength="0"><joint joint="jb" coef=".7"/></fixed></tendon>"""
DRIVES = """<tendon><fixed name="t" armature=".01"><joint joint="jb" coef=".7"/></fixed><spatial name="u"><site site="sa"/>\
<site site="sc"/></spatial></tendon>
  <actuator><motor joint="jb" gear="3" armature=".02" damping=".1 .2 .3"/><position joint="jb" kp="2" damping=".1"/>\
<motor tendon="t" gear="2" armature=".03"/>
  <velocity tendon="u" kv="2" gear=".5" armature=".4" damping=".3 .2 .1"/></actuator>"""
DRIVEN = (
    "actuator_armature actuator_damping actuator_dampingpoly dof_M0 dof_invweight0 tendon_invweight0 actuator_acc0 "
    "dof_armature dof_damping"
)


FELT = "<sensor><contact geom1='floor' data='found force torque' num='6'/></sensor>"
# yielding springs of all types, some of which push
YIELDING = """<body pos="0 0 1"><joint name="h" axis="0 1 0" stiffness="3 4 5" springyield="2" springref="10"/>\
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  <body pos=".3 0 0"><joint type="ball" stiffness="1 2 3" springyield="3"/>\
<geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/><site name="sa" pos=".1 .2 0"/>
  <body pos=".3 .1 0"><joint name="l" type="slide" stiffness="7 0 90" springref=".1" springyield=".01"/><geom size=".05"/>\
</body></body></body>
  <body pos="1 0 1"><joint type="ball" stiffness="1"/><geom type="box" size=".1 .1 .1"/><site name="sb" pos=".1 .2 .1"/>\
</body><site name="sw" pos="1 0 .3"/>"""
YIELDED = """<tendon><fixed stiffness="2 1 3" springyield=".02" springlength=".05"><joint joint="h" coef="2"/></fixed>\
<fixed stiffness="2" springyield=".02" springlength="0 .1">
  <joint joint="h" coef="-2"/></fixed><spatial stiffness="3" springyield=".02" springlength="0 .7"><site site="sa"/>\
<site site="sw"/></spatial><spatial stiffness="3 2" springyield=".02"
  springlength=".9 1"><site site="sa"/><site site="sb"/></spatial><spatial stiffness="3" springyield=".001"><site site="sb"/>\
<site site="sw"/></spatial>
  <spatial stiffness="3"><site site="sb"/><site site="sw"/></spatial></tendon><sensor><e_potential/><force site="sa"/>\
<torque site="sb"/></sensor>
  <keyframe><key name="k" plastic="1 0 1 0 0 .1 .2 .3 0 1 0 2 3 3 4 4"/><key name="l"/></keyframe>"""
PLASTIC = "nplastic jnt_plasticadr tendon_plasticadr jnt_springyield tendon_springyield key_plastic tendon_lengthspring"
# small and thin geoms above a floor, behind a wall and under a shelf, that move farther in a step than their thickness
FAST = """<geom type="plane" size="2 2 .1" {two}/><geom name="g" type="box" size="2 .01 1" pos="0 .5 0" {one}/>\
<geom type="box" size=".3 .3 .001" pos="2 0 .12"/>
  <body pos="0 0 .15"><freejoint/><geom size=".02" {one}/></body><body pos=".3 0 .12"><freejoint/>\
<geom type="capsule" size=".01 .05" euler="0 88 0" {one}/></body>
  <body pos=".6 0 .11"><freejoint/><geom type="box" size=".05 .04 .01" {two}/></body><body pos=".9 0 .1"><freejoint/>\
<geom type="ellipsoid" size=".05 .04 .01" {one}/></body>
  <body pos="1.2 0 .1"><freejoint/><geom size=".02" {two}/><geom type="box" size=".05 .04 .01" pos="0 0 .03" {one}/></body>
  <body name="e" pos="1.5 0 .5"><freejoint/><geom size=".03" {two}/></body><body name="f" pos="1.5 .1 .55"><freejoint/>\
<geom size=".02" {one}/></body>
  <body pos="2 0 .16"><freejoint/><geom size=".02" {one}/></body><body pos="2 .1 .05"><freejoint/><geom size=".02" {one}/>\
</body>
  <body pos=".2 .4 .5"><freejoint/><geom name="h" size=".03" {two}/></body><body pos=".5 .55 .5"><freejoint/>\
<geom size=".03" {one}/></body>
  <body pos=".8 .42 .5"><freejoint/><geom size=".03" {two}/></body>"""
# pid servos on slides, hinges, ball joints and tendons, with all types of inputs and activations
PIDS = """<tendon><fixed name="t" range="-1 2"><joint joint="jb" coef=".7"/></fixed><spatial name="u"><site site="sa"/>\
<site site="sc"/></spatial></tendon>
  <actuator><pid joint="jb" kp="3" kv=".4"/><motor name="s" joint="jb" ctrlrange="-.1 .1"/>\
<pid joint="jb" kp="3" kv=".4" ki="2" input="pos vel ff" velrange="-.2 .1" ffrange="0 .1" gear="2"/>
  <pid tendon="t" kp="2" ki=".7" imax=".01" slewmax="3" inheritrange=".5" kv=".1"/>\
<pid tendon="u" kp="2" slewmax=".2" input="pos" dampratio=".7" forcerange="-1 .3"/>
  <pid joint="ja" gear=".2 .03 .1" kp="3" kv="1" ki="3"/><pid site="sc" refsite="sb" gear="0 0 0 0 .2 .7" kp="2" slewmax="9"\
 input="pos ff"/>
  <pid joint="jb" kp="9" kv="2" input="vel"/><pid joint="jb" kp="9" kv="2" input="ff" ffrange="-.1 .2"/>\
<pid joint="jb" posrange="-.1 .2" ki="2"/>
  <general joint="jb" gaintype="pid" biastype="affine" dyntype="pid" actearly="true" gainprm="3" biasprm=".3 -2 -.2"\
 input="pos vel"/></actuator>
  <sensor><actuatorfrc actuator="s"/><actuatorpos actuator="s"/></sensor>"""
TURNS = """<actuator><orientation name="o" joint="ja" kp="3" kv=".4"/><motor joint="jb"/>\
<orientation name="p" site="sc" refsite="sb" kp="2" kv=".1" input="quat"/>
  <orientation joint="ja" kp="9" forcerange="0 .5" ctrlrange="-.2 .1"/>\
<orientation site="sb" refsite="sa" kp="2" dampratio=".5" forcerange="0 90"/>
  <orientation joint="ja" kp="2" dampratio=".5"/>
  <general joint="ja" gaintype="so3" biastype="so3" dyntype="integrator" gainprm="3" biasprm=".1 -3 -.2"/>\
<general site="sc" refsite="sa" gaintype="so3" biastype="so3"
  dyntype="integrator" gainprm="3" biasprm="0 -3 -.2" actearly="true" actrange="-.001 .001"/></actuator>
  <sensor><actuatorpos actuator="o"/><actuatorvel actuator="p"/><actuatorfrc actuator="o"/>\
<actuatorfrc actuator="p" cutoff=".1"/></sensor>"""
MOTORS = """<tendon><spatial name="u"><site site="sa"/><site site="sc"/></spatial></tendon><default>\
<dcmotor motorconst=".3 .2" resistance="2"/></default><actuator>
  <dcmotor joint="jb"/><dcmotor joint="jb" inductance=".1" saturation="0 4 5" cogging=".1 4 .3"/>\
<dcmotor joint="jb" nominal="12 3 30" damping=".01" saturation=".02"/>
  <dcmotor tendon="u" thermal="1 0 3 .01 20 25" gear="3"/><dcmotor tendon="u" thermal="1 2 0 .01 20 25" inductance="0 .02"\
 lugre="9 .1 .2 .3 .4" controller="1 2 .3 4 5 .6" input="pos"/>
  <dcmotor joint="jb" input="none" motorconst="0 0" lugre="9 .1 .2 .3 .4" cogging=".1 3"/>\
<dcmotor joint="jb" controller="3 0 .1 2" input="pos vel ff voltage" ctrlrange="-.2 .3"/>
  <dcmotor joint="jb" controller="0 0 .1 2 0 .4" input="vel"/><dcmotor joint="jb" controller="3 2 .1 0 .001" input="pos vel"/>\
<dcmotor joint="jb" input="none"/></actuator>"""
BLOCKS = (
    "nu nactuator nout na actuator_ctrladr actuator_ctrlnum actuator_outadr actuator_outnum actuator_ctrllimited "
    "actuator_ctrlrange actuator_ctrlspec actuator_gainprm "
    "actuator_biasprm actuator_dynprm actuator_actnum actuator_actadr actuator_gear actuator_acc0 actuator_length0 "
    "actuator_lengthrange actuator_forcelimited "
    "actuator_forcerange actuator_actlimited actuator_actrange actuator_actearly sensor_dim"
)

# a height field, and shapes with margins near it
LAND = """<asset><hfield name="land" nrow="5" ncol="6" size=".6 .5 .4 .1" elevation="
 0.51 0.95 0.14 0.94 0.31 0.42 0.82 0.40 0.54 0.02 0.75 0.53 0.32 0.78 0.45 0.13 0.62 0.90 0.59 0.07 0.70 0.21 0.35 0.84 0.47
 0.11 0.66 0.28 0.99 0.37"/></asset>"""
HILLS = '<geom name="hills" type="hfield" hfield="land" euler="3 -4 10"/>' + "".join(
    f'<body pos="{pos}" euler="20 30 40"><freejoint/><geom name="{name}" type="{kind}" margin="{margin}"/></body>'
    for name, kind, margin, pos in (
        ("ball", 'sphere" size=".07', 0.1, "-.3 -.2 .43"),
        ("pill", 'capsule" size=".05 .12', 0.1, ".3 -.2 .45"),
        ("block", 'box" size=".05 .08 .1', 0.03, ".02 .03 .3"),
    )
)
# flexes of one and two dimensions that balls touch
SHEETS = "".join(
    f"""<body name="{name}" pos="{x} 0 0"><flexcomp name="{name}" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1"
 radius=".02" mass="1"><edge equality="true"/><contact condim="{condim}" selfcollide="none"/></flexcomp></body>
 <body pos="{x} .02 {z}"><freejoint/><geom size=".06" condim="1"/></body>"""
    for name, x, dim, count, condim, z in (
        ("line", 0, 1, "3 1 1", 3, 0.05),
        ("sheet", 1, 2, "3 3 1", 4, 0.06),
    )
)


def world(text, more="", head=""):
    return f"<mujoco>{head}<worldbody>{text}</worldbody>{more}</mujoco>"


def balls(floor="", one="", two="", more="", head=""):
    # a solver that stops at another iteration gives other results
    return world(BALLS.format(floor=floor, one=one, two=two), more, "<option tolerance='1e-14'/>" + head)


EXACT = "<option tolerance='1e-14'/>"
# a chain on a floor, a box, two coupled slides, with all types of stiffness and damping, for implicit steps
STIFF = """<geom type="plane" size="3 3 .1"/><site name="o" pos=".2 .3 .8"/>
  <body pos="0 0 .3"><joint axis="0 1 0" stiffness="30 5 7" damping="2 .3" name="a"/>\
<geom type="capsule" size=".03" fromto="0 0 0 .3 0 0" mass="1"/>
  <body pos=".3 0 0"><joint axis="0 1 0" stiffness="3" damping="1.2" name="b"/>\
<joint axis="0 0 1" damping=".7" name="c" range="-5 5" frictionloss=".3"/>
  <geom type="capsule" size=".02" fromto="0 0 0 .2 0 -.28" mass=".4"/>
  <body pos=".2 0 -.2"><joint type="ball" stiffness="2" damping=".3" name="e"/><geom size=".041" mass=".3" pos=".02 .01 0"/>\
<site name="tip"/></body></body></body>
  <body pos="1 0 .05"><freejoint/><geom type="box" size=".06 .06 .052" mass=".7"/></body><body name="f" pos="1 1 1">\
<freejoint/><geom type="box" size=".1 .2 .3"/></body>
  <body pos="1.4 0 .5"><joint name="s" type="slide" axis="1 0 0" stiffness="100"/><geom size=".05" mass=".2"/></body>
  <body pos="1.6 0 .5"><joint name="t" type="slide" axis="1 0 0" damping="5" stiffness="20" springref=".1"/>\
<geom size=".05" mass=".3"/></body>"""
COUPLED = """<equality><joint joint1="s" joint2="t" polycoef=".01 1 0 0 0" solref="-500 -3" solimp=".3 .97 .05 .5 2"/>\
<weld body1="f"/></equality>
  <tendon><fixed name="v" stiffness="40 3" damping="3" springlength=".1"><joint joint="a" coef="1"/>\
<joint joint="s" coef=".5"/></fixed>
  <fixed stiffness="4" damping="1 .2" springlength="-.1 .2"><joint joint="b" coef="1"/><joint joint="t" coef="-.5"/></fixed>
  <spatial stiffness="50" damping="2" springlength=".1"><site site="tip"/><site site="o"/></spatial></tendon>
  <actuator><position joint="a" kp="50" kv="2" gear="3"/><position joint="b" kp="200" kv="1" forcerange="-5 5"/>\
<general tendon="v" gaintype="affine" gainprm="3 -40 -5"/>
  <motor joint="c"/><velocity joint="t" kv="20"/><intvelocity joint="s" kp="50" actrange="-1 1"/>\
<muscle joint="b" lengthrange="-1 1" force="100"/>
  <general site="tip" refsite="o" gear="1 0 0 0 1 0" biastype="affine" biasprm="0 -30 -2"/>\
<pid joint="s" kp="30" ki="4" kv="1" input="pos vel ff"/>
  <dcmotor joint="a" motorconst="2" resistance="1.5" controller="20 0 1" input="pos"/><orientation joint="e" kp="5" kv=".3"/>\
</actuator>"""


def discrete(text=STIFF, more="", options="", flags=""):
    return world(
        text,
        more,
        f"<option integrator='discrete' timestep='.01' tolerance='1e-14' iterations='4000' {options}>{flags}</option>",
    )


def fast(options="", one="", two="", end=""):
    return world(
        FAST.format(one=one, two=two),
        end,
        f"<option timestep='.2' tolerance='1e-14' iterations='500' {options}><flag speculative='enable'/></option>",
    )


OVERRIDE = "<flag override='enable'/>"
# a box of eight corners, and a small and slightly asymmetric one
PRISM = """<asset><mesh name="p" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1" scale=".3 .2 .25"/>
  <mesh name="q" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1.3 -1 1 1 1 1.2 1" scale=".002 .003 .001"/></asset>"""
SHORTCUTS = (
    "actuator_gainprm actuator_biasprm actuator_dynprm actuator_ctrlrange actuator_ctrllimited actuator_actlimited "
    "actuator_actnum "
    "actuator_actrange"
)
BUILT = (
    ("grid", "3 2 2 .1 .2 .3"),
    ("grid", "3 4 1 .1 .2 .3 2"),
    ("box", "3 3 3 .1 .2 .3"),
    ("box", "3 3 4 .1 .2 .3 2"),
    ("cylinder", "3 3 3 .1 .2 .3"),
    ("cylinder", "4 3 3 .1 .2 .3 2"),
    ("ellipsoid", "3 3 3 .1 .2 .3 2"),
    ("ellipsoid", "4 3 3 .1 .2 .3"),
    ("square", "3 4 1 .1 .2 .3"),
    ("disc", "5 5 1 .1 .2 .3"),
)
# equal boxes side by side, whose distances 3.4 computes as 0
APART = (
    ("-.06 .29 .11", "4 130 90"),
    ("-.04 .07 .27", "12 75 86"),
    ("-.27 -.18 -.06", "55 108 95"),
    ("-.29 .17 .05", "151 100 142"),
)
GRAZED = (
    ("sphere", "0 .2"),
    ("cylinder", "0 .2"),
    ("sphere", ".02 .15"),
    ("cylinder", ".02 .15"),
    ("sphere", ".01 .02"),
    ("cylinder", ".01 .02"),
)
SIDES = ("", "", *(f"sidesite='s{k}'" for k in range(2, len(GRAZED))))
# corners on an ellipsoid, more than its hull may have
PEBBLE = " ".join(f"{x:.4f}" for x in (np.random.default_rng(2).normal(size=(60, 3)) @ np.diag((1, 0.6, 0.4))).ravel())
