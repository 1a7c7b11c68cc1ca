"""Models that use what later releases added or changed: loaded by 4.0.1, which records, and here with compat="4.0", which is
compared.

A case: text of the model, names of compiled fields that are compared besides what follows from them. What moves them: `state`.
"""

from operator import attrgetter

import numpy as np

# compared in the order of the pipeline, at a random state: smooth quantities, then those of contacts and
# rows, then what the solver finds
SMOOTH = (
    "xpos xquat xiquat geom_xquat site_xquat site_xpos ten_length actuator_length actuator_velocity cvel qfrc_bias "
    "qfrc_spring qfrc_damper qfrc_passive act_dot "
    "actuator_force qfrc_actuator qacc_smooth"
).split()
ROWS = "ncon nefc efc_pos efc_margin efc_vel efc_D efc_aref".split()
SOLVED = "qfrc_constraint qacc sensordata".split()

# cases that go on for some steps, with other controls in each, and what is compared after each of them
LATE, STEPS, AFTER = "late", 12, ("actuator_force", "sensordata", "history", "plastic", "qfrc_spring")

LINKS = """<body name="a" pos="0 0 1"><joint name="ja" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>\
<site name="sa" pos=".3 0 0"/>
  <body name="b" pos=".3 0 0"><joint name="jb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/>\
<site name="sb" pos=".3 .1 0"/></body></body>
  <body name="c" pos="0 .5 1"><freejoint/><geom type="box" size=".1 .05 .07"/><site name="sc" pos=".1 .1 0" euler="10 20 30"/>\
</body>"""
# nothing that gyroscopic forces would turn
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
# springs that yield, of all kinds, some of which push
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
# small and thin things above a floor, behind a wall and under a shelf, that go farther in a step than they are thick
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
# pid servos on what slides, hinges, turns and is pulled, with all kinds of inputs and activations
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


def world(text, more="", head=""):
    return f"<mujoco>{head}<worldbody>{text}</worldbody>{more}</mujoco>"


def balls(floor="", one="", two="", more="", head=""):
    # a solver that stops earlier stops elsewhere
    return world(BALLS.format(floor=floor, one=one, two=two), more, "<option tolerance='1e-14'/>" + head)


EXACT = "<option tolerance='1e-14'/>"
# a chain on a floor, a box, two slides that are coupled; what is stiff and damped in all ways, for
# steps that are solved for their end
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
# a box of eight corners, and one that is small and not quite symmetric
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
# boxes beside one of the same size, whose distances 3.4 takes for 0
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
# cases whose state is that of the file
STILL = ("grazing", "last_face")
CASES = {
    "coarse_hulls": (
        f"<mujoco><asset><mesh name='a' vertex='{PEBBLE}' maxhullvert='8' inertia='convex'/><mesh name='b' "
        f"vertex='{PEBBLE}' maxhullvert='20' scale='.1 .1 .1'/></asset>"
        "<worldbody><body><freejoint/><geom type='mesh' mesh='a'/><geom type='mesh' mesh='b' pos='3 0 0'/></body>"
        "</worldbody></mujoco>",
        "body_mass body_inertia mesh_polynum mesh_graphadr geom_aabb",
    ),
    # silent changes
    "connect_bodies": (world(LINKS, "<equality><connect body1='b' body2='c' anchor='.3 .1 0'/></equality>"), ""),
    "connect_sites": (world(LINKS, "<equality><connect site1='sb' site2='sc'/></equality>"), ""),
    "weld_bodies": (world(LINKS, "<equality><weld body1='b' body2='c' anchor='.1 .2 0' torquescale='.7'/></equality>"), ""),
    "weld_sites": (world(LINKS, "<equality><weld site1='sb' site2='sc'/></equality>"), ""),
    "margins": (balls("margin='.01' gap='.02'", "margin='.04' gap='.03'", "margin='.02'"), "geom_margin geom_gap body_margin"),
    "margin_negative": (balls("", "margin='-.01' gap='.05'", "gap='.1'"), "geom_margin geom_gap"),
    "margin_override": (
        balls(
            "margin='.01' gap='.02'",
            "margin='.04' gap='.03'",
            "",
            head="<option o_margin='.05'><flag override='enable'/></option>",
        ),
        "",
    ),
    "margin_pair": (
        world(
            """<geom name="f" type="plane" size="1 1 .1"/><body pos="0 0 .12"><freejoint/><geom name="g" size=".1"/></body>""",
            "<contact><pair geom1='f' geom2='g' margin='.03' gap='.04'/></contact>",
        ),
        "pair_margin pair_gap",
    ),
    "gravcomp_nested": (
        world(LINKS.replace('<site name="sb"', '<body pos=".1 0 0" gravcomp=".7"><geom size=".05"/></body><site name="sb"')),
        "flg_gravcomp flg_surfacevel flg_adhesion",
    ),
    "mocap_child": (
        world("""<body name="m" mocap="true" pos="0 0 1"><geom size=".1"/><site name="s"/><body name="k" pos="0 0 .1">\
<geom size=".1"/>
      <body pos=".15 0 .05"><joint axis="0 1 0"/><geom size=".1" pos=".01 0 0"/></body></body></body><body pos="0 0 1.15">\
<freejoint/><geom size=".1"/></body>"""),
        "body_weldid body_treeid body_rootid",
    ),
    "dampratio": (
        world(
            LINKS,
            "<actuator><position joint='jb' kp='50' dampratio='.7'/><position site='sb' refsite='sc' kp='9' "
            "dampratio='.5' gear='1 0 0 0 0 0'/>"
            "</actuator>",
        ),
        "actuator_biasprm",
    ),
    "site_turn": (
        world(
            LINKS.replace('name="sb"', 'name="sb" euler="30 20 70"'),
            "<actuator><position kp='3' site='sb' refsite='sc' gear='.1 .2 .3 .4 .5 .6'/></actuator>",
        ),
        "actuator_length0",
    ),
    "shortcut_classes": (
        world(
            LINKS,
            """<actuator><velocity joint='jb'/><motor joint='jb'/><position joint='jb' class='own'/>
    <damper joint='jb' ctrlrange='0 1'/>
      <general joint='jb'/><position joint='jb' class='raw'/><intvelocity joint='jb' class='raw' kv='1'/>
        <velocity joint='jb' class='below'/>
      <position joint='jb' class='below'/><cylinder joint='jb' class='own'/></actuator>""",
            """<default><position kp='50' kv='3' ctrlrange='-1 1'/><default class='own'><position kp='7'/></default>
      <default class='raw'><general gainprm='400' biasprm='1 2 3'/></default><default class='below'><velocity kv='9'/>
        </default></default>""",
        ),
        SHORTCUTS,
    ),
    "servo_limits": (
        world(
            LINKS, """<actuator><intvelocity joint='jb' kp='5'/><intvelocity joint='jb' kp='5' actrange='-.1 .1'/></actuator>"""
        ),
        SHORTCUTS,
    ),
    "pair_mixed": (
        world(
            """<geom name="f" type="plane" size="1 1 .1" solref=".03 1" margin=".01"/><body pos="0 0 .09"><freejoint/>
      <geom name="g" size=".1" solref=".01 .7" solmix="3" margin=".02" gap=".01"/></body>""",
            "<contact><pair geom1='f' geom2='g'/></contact>",
        ),
        "pair_solref pair_solimp pair_margin pair_gap",
    ),
    "boxes": (
        world(
            """<geom type="box" size="1 1 .1"/><body pos=".3 .2 .29" euler="1 2 20"><freejoint/>\
<geom type="box" size=".2 .3 .2"/></body>
      <body pos="1.05 .2 .2" euler="10 20 30"><freejoint/><geom type="box" size=".2 .3 .2"/></body>\
<body pos=".6 -.9 .23" euler="45 0 45"><freejoint/>
      <geom type="box" size=".1 .1 .1" margin=".02"/></body>""",
            head=EXACT,
        ),
        "",
    ),
    "convex_pairs": (
        world(
            """<geom type="box" size="2 2 .1"/><body pos=".3 .2 .34" euler="3 0 0"><freejoint/><geom type="mesh" mesh="p"/>\
</body>
      <body pos="-.7 .2 .34" euler="0 0 0"><freejoint/><geom type="mesh" mesh="p"/>\
<geom type="cylinder" size=".3 .1" pos="0 0 .36"/></body>
      <body pos="-.72 .21 .9" euler="90 12 0"><freejoint/><geom type="capsule" size=".1 .2"/></body>
      <body pos="-.7 -1 .295" euler="91 2 0"><freejoint/><geom type="cylinder" size=".2 .3" margin=".01"/></body>""",
            head=EXACT + PRISM,
        ),
        "",
    ),
    "mocap_world": (
        world("""<geom type="plane" size="1 1 .1"/><body mocap="true" pos="0 0 .05"><geom size=".1"/></body>\
<body pos=".1 0 .2"><freejoint/>
      <geom size=".1"/></body>"""),
        "",
    ),
    "free_turn": (
        world(
            """<body><freejoint/><geom type="box" size=".3 .1 .05"/><body pos=".1 .2 0"><geom size=".1"/></body></body>
      <body pos="2 0 0"><freejoint/><geom type="box" size=".3 .1 .05"/><body pos=".1 .2 0"><joint damping=".1"/>\
<geom size=".1"/></body></body>""",
            head="<option integrator='implicitfast'/>",
        ),
        "",
    ),
    "newton_default": (world(BALLS.format(floor="", one="", two="condim='4'")), ""),
    "newton_elliptic": (
        world(BALLS.format(floor="", one="", two="condim='4'"), head="<option cone='elliptic' impratio='5'/>"),
        "",
    ),
    "cg_default": (world(BALLS.format(floor="", one="", two=""), head="<option solver='CG' cone='elliptic'/>"), ""),
    "cg_whole": (
        world(BALLS.format(floor="", one="", two=""), head="<option solver='CG'><flag island='disable'/></option>"),
        "",
    ),
    "endless_plane": (
        world("""<geom type="plane" size="0 0 1"/><body pos="0 0 1"><joint/><geom size=".1"/></body>"""),
        "stat.center stat.extent",
    ),
    "small_inertias": (
        world(
            """<body><freejoint/><geom type="mesh" mesh="q"/></body><body pos="1 0 0"><freejoint/>\
<geom size=".001 .002 .003" type="box"
      euler="10 20 30"/><geom size=".001 .002 .003" type="box" euler="-10 20 5" pos=".003 .001 0"/></body>""",
            head=PRISM,
        ),
        "mesh_pos mesh_quat mesh_normal body_iquat body_inertia geom_size geom_quat",
    ),
    "range_finders": (
        world(
            """<geom type="plane" size="1 1 .1"/><body pos="0 0 1"><joint/><geom size=".1"/><site name="s" euler="170 0 0"/>\
</body>""",
            "<sensor><rangefinder site='s'/><rangefinder site='s' cutoff='.5'/></sensor>",
        ),
        "sensor_datatype sensor_intprm sensor_dim",
    ),
    "contact_sensors": (
        world(
            BALLS.format(floor="", one="name='a'", two=""),
            "<sensor>"
            + "".join(
                f"<contact geom1='floor' {text}/>"
                for text in (
                    "data='found pos'",
                    "data='dist normal tangent' num='2' reduce='mindist'",
                    "data='force'",
                    "data='dist' reduce='maxforce'",
                )
            )
            + "</sensor>",
            EXACT,
        ),
        "sensor_needstage sensor_dim",
    ),
    "pgs": (world(BALLS.format(floor="", one="", two="condim='4'"), head="<option solver='PGS'/>"), ""),
    "pgs_elliptic": (
        world(
            BALLS.format(floor="", one="", two="condim='4'"),
            head="<option solver='PGS' cone='elliptic' impratio='3' jacobian='sparse'/>",
        ),
        "",
    ),
    "pgs_whole": (
        world(
            BALLS.format(floor="", one="", two=""),
            "<equality><connect body1='k' anchor='0 0 .1'/></equality>",
            "<option solver='PGS' iterations='7'><flag island='disable'/></option>",
        )
        .replace("<body pos='.23", "<body name='k' pos='.23")
        .replace('<body pos=".23', '<body name="k" pos=".23'),
        "",
    ),
    "still_sensors": (
        world(
            """<site name="w" pos="1 2 3" euler="10 20 30"/><body name="s" pos="0 1 0"/><body><joint/>\
<geom size=".1" pos=".1 0 0"/></body>""",
            "<sensor><accelerometer site='w'/><framelinacc objtype='site' objname='w'/><framelinacc objtype='body' "
            "objname='s'/></sensor>",
        ),
        "",
    ),
    "distance_sensors": (
        world(
            """<geom name="a" size=".1"/><body pos=".5 0 0"><freejoint/><geom name="b" size=".1"/></body>""",
            "<sensor>"
            + "".join(
                f"<{kind} geom1='a' geom2='b' cutoff='{far}'/>"
                for kind, far in (("distance", 0.2), ("normal", 1), ("fromto", 0.1), ("distance", 1), ("fromto", 2))
            )
            + "</sensor>",
        ),
        "sensor_dim sensor_adr",
    ),
    "rk4_turns": (world(LINKS, head="<option integrator='RK4' timestep='.02'/>"), ""),
    "saturated": (
        world(
            LINKS.replace('axis="0 1 0"', 'axis="0 1 0" actuatorfrcrange="-.2 .2"'),
            """<tendon><spatial name="u" actuatorfrclimited="true"
      actuatorfrcrange="-.1 .1"><site site="sa"/><site site="sc"/></spatial></tendon><actuator>\
<position joint="jb" kp="9" kv="3"/><position tendon="u" kp="7" kv="2"/>
      <position site="sc" refsite="sa" gear="1 0 0 0 0 0" kp="5" kv="4" forcerange="-.3 .3"/><velocity tendon="u" kv="1"/>\
</actuator>""",
            "<option integrator='implicitfast'/>",
        ),
        "",
    ),
    "bound_rescue": (
        world(
            """<body><freejoint/><inertial pos="0 0 0" mass="1" fullinertia='1 1 0 0 0 0'/><geom size=".1"/></body>""",
            head="<compiler boundinertia='.3' balanceinertia='true'/>",
        ),
        "body_inertia body_iquat",
    ),
    # what is new
    "general_inherits": (
        world(
            LINKS.replace('axis="0 1 0"', 'axis="0 1 0" range="-70 40"'),
            "<actuator><general joint='jb' inheritrange='.8' gainprm='5' biastype='affine' biasprm='0 -5 -1'/></actuator>",
        ),
        "actuator_ctrlrange actuator_ctrllimited",
    ),
    "tendon_classes": (
        world(
            LINKS,
            "<tendon><fixed><joint joint='jb' coef='2'/></fixed></tendon>",
            "<default><tendon armature='.2' actuatorfrclimited='true' actuatorfrcrange='-3 4'/></default>",
        ),
        "tendon_armature tendon_actfrclimited tendon_actfrcrange",
    ),
    "simple_bodies": (world(LINKS.replace('<body name="c"', '<body name="c" simple="false"')), "body_simple dof_simplenum"),
    "polynomials": (world(SPRINGS), POLYNOMIALS),
    "polynomials_fast": (world(SPRINGS, head="<option integrator='implicitfast'/>"), POLYNOMIALS),
    "polynomials_tendon": (world(LINKS, TENDONS), "tendon_stiffnesspoly tendon_dampingpoly tendon_stiffness tendon_damping"),
    "polynomials_tendon_full": (world(LINKS, TENDONS, "<option integrator='implicit'/>"), "tendon_dampingpoly"),
    "drives": (world(LINKS, DRIVES), DRIVEN),
    "drives_fast": (world(CUBE, DRIVES, "<option integrator='implicitfast'/>"), DRIVEN),
    "drives_full": (world(LINKS, DRIVES, "<option integrator='implicit'/>"), DRIVEN),
    "surface_pyramid": (
        balls("surfacevel='.3 .2 .5 0 0 .4'", "surfacevel='0 .1 0 .3 0 0' condim='4'", "condim='6'"),
        "geom_surfacevel flg_gravcomp flg_surfacevel flg_adhesion",
    ),
    "surface_elliptic": (
        balls(
            "surfacevel='.3 .2 .5 0 0 .4'",
            "surfacevel='0 .1 0 .3 0 0' condim='4'",
            "condim='6'",
            head="<option cone='elliptic'/>",
        ),
        "geom_surfacevel",
    ),
    "world_quats": (
        world(
            LINKS.replace('name="sb"', 'name="sb" euler="30 20 70"').replace(
                '<geom type="box"', '<geom euler="3 2 7" type="box"'
            )
        ),
        "body_iquat tendon_type",
    ),
    "kinds_of_tendons": (
        world(
            LINKS,
            "<tendon><fixed><joint joint='jb' coef='2'/></fixed><spatial><site site='sa'/><site site='sc'/></spatial></tendon>",
        ),
        "tendon_type",
    ),
    "tendon_limits": (
        world(
            LINKS,
            "<tendon>"
            + "".join(
                f"<fixed {text}><joint joint='jb' coef='2'/></fixed>"
                for text in (
                    "actuatorfrcrange='-1 1'",
                    "actuatorfrcrange='-1 1' actuatorfrclimited='false'",
                    "",
                    "actuatorfrcrange='-1 1' class='off'",
                    "actuatorfrcrange='-1 1' class='on'",
                )
            )
            + "</tendon>",
            "<default><default class='off'><tendon actuatorfrclimited='false'/></default><default class='on'>"
            "<tendon actuatorfrclimited='auto'/></default></default>",
        ),
        "tendon_actfrclimited tendon_actfrcrange",
    ),
    "own_quats": (
        world(
            "<geom quat='1 1 0 0' size='.1'/><geom size='.1'/><site quat='1 1 0 0'/><camera quat='1 1 0 0'/><geom "
            "euler='10 20 30' size='.1'/>",
            "<contact><pair geom1='c' geom2='a'/><pair geom1='b' geom2='a'/><pair geom1='a' geom2='c'/></contact>",
            "<default><geom euler='0 0 90'/><site euler='0 0 90'/><camera euler='0 10 90'/></default>",
        ).replace(
            "</worldbody>",
            "<body><geom name='a' size='.1'/></body><body><freejoint/><geom name='b' size='.1'/></body><body><freejoint/>"
            "<geom name='c' size='.1'/></body></worldbody>",
        ),
        "geom_quat site_quat cam_quat pair_geom1 pair_geom2 pair_signature",
    ),
    "contact_rates": (
        world(
            """<geom name="f" type="plane" size="1 1 .1" euler="5 0 0"/><body pos="0 0 .09"><freejoint/>\
<geom name="g" type="box" size=".1 .2 .1"/></body>
      <body name="b" pos=".17 0 .12"><freejoint/><geom name="h" size=".1"/></body>""",
            "<sensor>"
            + "".join(
                f"<contact {text}/>"
                for text in (
                    "geom1='g' data='found pos normal tangent linvel angvel' num='3' reduce='mindist'",
                    "geom1='f' data='found pos tangent linvel angvel' num='3' reduce='mindist'",
                    "geom1='g' data='linvel'",
                    "geom1='g' data='force angvel'",
                    "body1='b' data='linvel' num='4'",
                    "body2='b' data='angvel' reduce='maxforce'",
                )
            )
            + "</sensor>",
            EXACT,
        ),
        "sensor_needstage sensor_dim sensor_intprm",
    ),
    "ray_images": (
        world(
            """<geom type="plane" size="9 9 .1"/><geom type="hfield" hfield="h" pos="-2.013 1.017 .05"/>
      <body pos="0 0 3"><joint type="slide" axis="0 0 1"/><geom size=".05" pos="0 0 .2"/>
      <camera name="c" resolution="17 11" fovy="80"/><camera name="s" resolution="5 4" sensorsize=".02 .01" focalpixel="4 6"\
 principalpixel=".5 1"/>
      <camera name="o" resolution="9 7" projection="orthographic" fovy="5" output="depth normal"/>\
<site name="t" euler="170 5 0"/></body>
      <body pos="1.2 0 .4" euler="10 20 30"><freejoint/><geom type="box" size=".3 .2 .4"/></body>\
<body pos="0 1 .4" euler="80 20 30"><freejoint/>
      <geom type="capsule" size=".2 .4"/></body><body pos="0 -1 .4" euler="70 20 30"><freejoint/>\
<geom type="cylinder" size=".3 .4"/></body>
      <body pos="-1 -1 .4" euler="10 20 30"><freejoint/><geom type="ellipsoid" size=".3 .2 .4"/></body>\
<body pos="1.1 -1.1 .4" euler="10 20 30"><freejoint/>
      <geom type="mesh" mesh="p"/></body><body pos="0 0 .6"><freejoint/><geom size=".3"/></body>""",
            "<sensor>"
            + "".join(
                f"<rangefinder camera='{c}' data='{data}'/>"
                for c, data in (
                    ("c", "dist dir origin point normal depth"),
                    ("s", "dist dir"),
                    ("o", "origin depth"),
                    ("o", "dist point normal depth"),
                )
            )
            + "<rangefinder camera='s' cutoff='2'/>"
            "<rangefinder site='t' data='dist point normal depth'/></sensor>",
            """<asset><hfield name="h" nrow="3" ncol="4" size="1 1 .3 .1" elevation="0 1 2 3 1 0 2 1 0 1 0 2"/></asset>\
<option gravity="0 0 0"/>"""
            + PRISM,
        ),
        "sensor_objtype sensor_intprm sensor_dim sensor_datatype cam_output cam_projection",
    ),
    "late_controls": (
        world(
            LINKS,
            """<actuator><motor joint="jb" nsample="3" delay=".004"/><position joint="jb" kp="2" nsample="5" delay=".0071"
    interp="linear"
      ctrlrange="-.3 .4"/><general joint="jb" dyntype="filter" dynprm=".1" nsample="4" delay=".0053" interp="cubic"/>
        <motor joint="jb" nsample="2"/></actuator>""",
        ),
        "nhistory actuator_history actuator_delay actuator_historyadr",
    ),
    "late_sensors": (
        world(
            LINKS,
            "<actuator><motor joint='jb' nsample='2' delay='.003'/></actuator><sensor><jointpos joint='jb'/><clock "
            "nsample='3'/>"
            "<gyro site='sb' nsample='3' delay='.004'/><accelerometer site='sb' nsample='2' interval='.005'/>"
            "<framepos objtype='site' objname='sb' "
            "nsample='4' delay='.007' interval='.005 -.003' interp='linear'/><clock nsample='5' delay='.0053' interp='cubic'/>"
            "<jointvel joint='jb' nsample='3' interval='.001' cutoff='.3'/></sensor>",
        ),
        "nhistory sensor_history sensor_delay sensor_interval sensor_historyadr",
    ),
    "late_rk4": (
        world(
            LINKS,
            "<actuator><motor joint='jb' nsample='2' delay='.003'/></actuator><sensor><gyro site='sb' nsample='3' "
            "delay='.004'/></sensor>",
            "<option integrator='RK4'/>",
        ),
        "nhistory",
    ),
    "built_meshes": (
        world(
            "".join(
                f"<body pos='{k} 0 0'><freejoint/><geom type='mesh' mesh='m{k}' contype='0' conaffinity='0'/></body>"
                for k in range(len(BUILT))
            ),
            head="<compiler balanceinertia='true'/><asset>"
            + "".join(f"<mesh name='m{k}' builtin='{kind}' params='{params}'/>" for k, (kind, params) in enumerate(BUILT))
            + "</asset>",
        ),
        "mesh_vert mesh_face mesh_normal mesh_pos mesh_quat geom_size body_inertia",
    ),
    "attach_self": (
        world(
            """<body name='a' pos='1 0 0'><joint name='j'/><geom size='.1'/></body><body name='o'><frame euler='10 20 30'>\
<frame name='f' pos='0 1 0'
      euler='0 0 30'><geom class='c' name='g'/><body name='k'><joint name='kj'/><geom size='.1' pos='1 2 3'/></body></frame>\
</frame></body><frame pos='0 0 1'>
      <attach body='a' prefix='x_'/></frame><attach frame='f' prefix='y_'/><body pos='3 2 1'><attach frame='f' prefix='zz'/>\
</body>""",
            "<actuator><motor joint='j'/><motor joint='kj'/></actuator><sensor><jointpos joint='j'/></sensor>",
            "<default><default class='c'><geom size='.3'/></default></default>",
        ),
        "body_parentid body_pos body_quat geom_size actuator_trnid",
    ),
    "mirrored": (
        world(
            """<body><freejoint/><geom type='mesh' mesh='a'/></body><body pos='9 0 0'><freejoint/><geom type='mesh' mesh='b'/>\
</body>""",
            head="".join(
                f"""<asset><mesh name='{name}' vertex='0 0 0 1 0 0 0 1 0 0 0 1' {more}/></asset>"""
                for name, more in (
                    (
                        "a",
                        "face='0 2 1 0 1 3 0 3 2 1 2 3' normal='0 0 -1 1 0 0 0 1 0 0 0 1' texcoord='0 0 0 1 1 0 1 "
                        "1' scale='-1 2 3' inertia='exact'",
                    ),
                    ("b", "scale='-1 -2 -3'"),
                )
            ),
        ),
        "mesh_vert mesh_face mesh_facenormal mesh_facetexcoord mesh_normal mesh_pos mesh_quat body_inertia",
    ),
    "turned_flexcomps": (
        world("""<frame pos='1 2 3' euler='90 0 0'><frame pos='0 0 .3' axisangle='1 2 3 40'>
    <flexcomp name='f' type='grid' count='3 2 2' spacing='.1 .1 .1'
      dim='3' mass='1' pos='.1 .2 .3' euler='10 0 0'><edge equality='true'/><contact selfcollide='none'/></flexcomp></frame>
        </frame>"""),
        "body_pos",
    ),
    "own_ranges": (
        world(
            LINKS.replace('axis="0 1 0"', 'axis="0 1 0" range="-70 40"'),
            """<actuator><position joint='jb' class='p' inheritrange='.5'/>
      <position class='q' joint='jb' ctrlrange='-1 2'/><intvelocity class='i' joint='jb' inheritrange='.5'/>
        <intvelocity class='k' joint='jb' actrange='-1 2'/></actuator>""",
            """<default><default class='p'><position ctrlrange='-2 3'/></default><default class='q'>
    <position inheritrange='.7'/></default><default class='i'>
      <intvelocity actrange='-2 3'/></default><default class='k'><intvelocity inheritrange='.7'/></default></default>""",
        ),
        SHORTCUTS,
    ),
    "cylinder_edges": (
        world(
            """<geom type="box" size="2 2 .1"/>"""
            + "".join(
                f"""<body pos="{x} {y} {z}" euler="{turn}"><freejoint/><geom type="cylinder" size=".2 .3"/></body>"""
                for x, y, z, turn in (
                    (0, 0, 0.395, "0 0 0"),
                    (0.9, 0, 0.29, "90 0 0"),
                    (-0.9, 0, 0.44, "45 0 0"),
                    (0.25, 0.2, 0.93, "90 10 0"),
                    (2.1, 0, 0.2, "90 0 90"),
                )
            ),
            head="<option tolerance='1e-14' ccd_tolerance='1e-12' ccd_iterations='300'/>",
        ),
        "",
    ),
    "newton_sparse": (
        world(
            "".join(
                f"<body name='s{k}' pos='{k * 0.3} 0 {0.09 + 0.01 * k}'><freejoint/><geom size='.1'/></body>" for k in range(8)
            )
            + "<geom type='plane' size='9 9 1'/>",
            "<equality>"
            + "".join(f"<connect body1='s{k}' body2='s{(k + 3) % 8}' anchor='.1 0 .05'/>" for k in range(7))
            + "</equality>",
            "<option jacobian='sparse' cone='elliptic' tolerance='1e-14'/>",
        ),
        "",
    ),
    "side_by_side": (
        world(
            "<geom type='capsule' size='.1 1' euler='10 20 30'/>"
            + "".join(
                f"<body pos='{pos}' euler='{turn}'><freejoint/><geom type='capsule' size='.1 .7'/></body>"
                for pos, turn in (
                    (".1 .05 .1", "10 20 30"),
                    ("-.1 .1 .2", "10.0001 20 30"),
                    (".3 -.9 1.6", "190 -20 -30"),
                    (".2 0 .1", "40 50 60"),
                )
            ),
            head=EXACT + "<default><geom contype='1' conaffinity='1'/></default>",
        ),
        "",
    ),
    "sheet_constants": (
        world("""<flexcomp name='f' type='grid' count='4 4 1' spacing='.1 .1 .1' radius='.01' dim='2' mass='1'>
      <elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='both'/><contact selfcollide='none'/></flexcomp>"""),
        "flex_stiffness flex_bending",
    ),
    "solid_constants": (
        world("""<flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' radius='.01' dim='3' mass='1'>
      <elasticity young='1e4' poisson='.3'/><contact selfcollide='none'/></flexcomp>"""),
        "",
    ),
    "setpoints": (
        world(
            LINKS.replace('type="ball"', 'type="ball" damping=".1"'),
            "<actuator>"
            + "".join(
                f"<general {text} gainprm='2' biastype='affine' biasprm='.1 -2 -.1' ctrlrange='{low} {low + 1}'/>"
                for low in (3, 9, -40)
                for text in (
                    "joint='ja' gear='0 .3 .5'",
                    "jointinparent='ja' gear='0 .3 .5'",
                    "site='sc' refsite='sb' gear='0 0 0 0 .2 .7'",
                    "site='sc' refsite='sb' gear='0 1 0 0 .2 .7'",
                    "joint='jb'",
                    "joint='ja' gear='.2 0 .1' dyntype='filter' dynprm='.1'",
                    "joint='ja' gear='.2 0 .1' dyntype='filterexact' dynprm='.1' actearly='true'",
                    "joint='ja' gear='.03 0 .01' dyntype='integrator'",
                    "joint='ja' gear='.01' dyntype='integrator' actearly='true' actlimited='true' actrange='.2 .5'",
                )
            )
            + "</actuator>",
            "<option timestep='.01'/>",
        ),
        "",
    ),
    "tactile": (
        world(
            """<body><geom type='box' size='.2 .2 .05'/><geom name='t' type='mesh' mesh='t' pos='0 0 .09' contype='0'\
 conaffinity='0' mass='0'/></body>
      <body pos='0 0 .11'><freejoint/><geom size='.1'/></body><body pos='.05 .02 .13'><freejoint/>\
<geom type='capsule' size='.1 .1' euler='90 0 0'/></body>
      <body pos='-.1 .02 .12'><freejoint/><geom type='box' size='.1 .1 .1'/></body>""",
            "<sensor><tactile geom='t' mesh='t'/><tactile geom='t' mesh='t' cutoff='.02'/></sensor>",
            EXACT + "<asset><mesh name='t' builtin='plate' params='7 7' scale='.2 .2 .05'/></asset>",
        ),
        "",
    ),
    "weld_torques": (
        world(
            LINKS,
            "<equality><weld body1='b' body2='c' anchor='.1 .2 0' torquescale='.7'/><weld site1='sa' site2='sc'/>"
            "</equality><sensor>"
            + "".join(f"<force site='{s}'/><torque site='{s}'/>" for s in ("sa", "sb", "sc"))
            + "</sensor>",
            EXACT,
        ),
        "",
    ),
    "tendon_forces": (
        world(
            LINKS
            + """<body pos='0 0 1.1'><geom name='w' size='.02'/></body><body pos='.1 .3 1'><joint axis='1 0 0'/>\
<geom name='v' type='cylinder' size='.03 .2'/>
      <site name='sd' pos='.1 0 .1'/></body><site name='se' pos='.5 .5 1.5'/>""",
            """<tendon><spatial name='t' range='.1 .2' stiffness='3 4 5' damping='.2 .1 .3' springlength='.1'
      frictionloss='.1'><site site='sb'/><geom geom='v'/><site site='sc'/><pulley divisor='2'/><site site='sd'/>\
<site site='sa'/><geom geom='w'/><site site='se'/><pulley divisor='3'/>
      <site site='sb'/><site site='sd'/></spatial><spatial name='u' range='3 4' armature='.3'><site site='sa'/>\
<site site='sd'/><site site='sc'/></spatial>
      <spatial name='x'><site site='sb'/><site site='se'/></spatial><fixed name='y' stiffness='4'><joint joint='jb' coef='2'/>\
</fixed></tendon>
      <equality><tendon tendon1='x' tendon2='u' polycoef='.1 .7 .3 .2 .1'/><tendon tendon1='t'/></equality><actuator>\
<motor tendon='t' gear='2' damping='.2'/>
      <position tendon='u' kp='3' armature='.1'/></actuator><sensor>"""
            + "".join(f"<force site='{s}'/><torque site='{s}'/>" for s in ("sa", "sb", "sc", "sd"))
            + "</sensor>",
            EXACT,
        ),
        "",
    ),
    **{
        f"exact_{cone}_{jacobian}": (
            world(
                BALLS.format(floor="", one="condim='1'", two="condim='4'")
                + LINKS.replace('axis="0 1 0"', 'axis="0 1 0" range="5 6" frictionloss="1"').replace(
                    'pos="0 .5 1"', 'pos="3 .5 1"'
                ),
                "<equality><weld body1='b' body2='c'/></equality>",
                f"<option cone='{cone}' jacobian='{jacobian}' impratio='3' tolerance='1e-14'><flag "
                "diagexact='enable'/></option>",
            ),
            "",
        )
        for cone, jacobian in (("pyramidal", "sparse"), ("elliptic", "dense"))
    },
    "side_sites": (
        world(
            "".join(
                f"""<geom name='g{k}' type='{kind}' size='.1 .2' pos='{k} 0 0' euler='{turn}'/>\
<site name='s{k}' pos='{k + 0.01 * k - 0.1} .2 .03'/>"""
                + "".join(
                    f"""<body pos='{k + x} {y} {z}'><joint type='slide' axis='1 2 3'/>\
<geom size='.01' contype='0' conaffinity='0'/><site name='e{k}_{n}'/></body>"""
                    for n, (x, y, z) in enumerate(
                        (
                            (-0.3, 0.02, 0),
                            (0.3, 0.05, 0.1),
                            (-0.25, 0.3, -0.05),
                            (0.2, -0.2, 0.02),
                            (0.05, -0.3, 0),
                            (-0.1, -0.35, 0.1),
                        )
                    )
                )
                for k, (kind, turn) in enumerate(
                    (("sphere", "0 0 0"), ("cylinder", "5 10 0"), ("sphere", "30 0 0"), ("cylinder", "80 10 0"))
                )
            ),
            "<tendon>"
            + "".join(
                f"""<spatial stiffness='3'><site site='e{k}_{i}'/><geom geom='g{k}' sidesite='s{k}'/><site site='e{k}_{j}'/>\
</spatial>"""
                for k in range(4)
                for i in range(6)
                for j in range(6)
                if i != j
            )
            + "</tendon>",
        ),
        "",
    ),
    # strings that nearly touch, or only just
    "grazing": (
        world(
            "".join(
                f"<geom name='g{k}' type='{kind}' size='.1 .5' pos='0 0 {k}'/><site name='s{k}' pos='{side} {k + 0.03}'/>"
                + "".join(
                    f"""<body pos='{x} {0.1 * (1 + sign * 10.0**-eps)} {k}'><joint type='slide' axis='0 1 0'/>\
<joint type='slide' axis='1 0 0'/><geom size='.01' contype='0' conaffinity='0'/>
      <site name='e{k}_{eps}_{sign}_{n}'/></body>"""
                    for eps in (3, 6, 9, 12)
                    for sign in (-1, 1)
                    for n, x in enumerate((-0.4, 0.7))
                )
                for k, (kind, side) in enumerate(GRAZED)
            ),
            "<tendon>"
            + "".join(
                f"<spatial stiffness='3'><site site='e{k}_{eps}_{sign}_0'/><geom geom='g{k}' {SIDES[k]}/><site "
                f"site='e{k}_{eps}_{sign}_1'/></spatial>"
                for k in range(len(GRAZED))
                for eps in (3, 6, 9, 12)
                for sign in (-1, 1)
            )
            + "</tendon>",
            "<option gravity='0 0 0'/>",
        ),
        "",
    ),
    **{
        f"{name}{end}": (world(LINKS, text, head), BLOCKS)
        for name, text in (("pids", PIDS), ("turns", TURNS), ("motors", MOTORS))
        for end, head in (("", ""), ("_rk4", "<option integrator='RK4'/>"), ("_full", "<option integrator='implicit'/>"))
    },
    "late_servos": (
        world(
            LINKS,
            """<actuator><pid joint="jb" kp="3" kv=".4" ki="2" nsample="3" delay=".004"/>
    <motor joint="jb" nsample="2" delay=".002"/>
      <orientation joint="ja" kp="3" kv=".4" nsample="4" delay=".0053" interp="linear"/>
        <pid joint="jb" input="pos vel ff" nsample="5" delay=".007" interp="cubic"
      velrange="-.3 .4"/></actuator>""",
        ),
        f"{BLOCKS} nhistory actuator_history actuator_historyadr",
    ),
    "discrete": (discrete(), ""),
    "discrete_coupled": (discrete(more=COUPLED), ""),
    "discrete_sparse": (discrete(more=COUPLED, options="jacobian='sparse' cone='elliptic'"), ""),
    "discrete_cg": (discrete(more=COUPLED, options="solver='CG'"), ""),
    "discrete_apart": (discrete(more=COUPLED, flags="<flag island='disable' damper='disable'/>"), ""),
    "discrete_resolved": (
        discrete(
            more=COUPLED, options="o_solref='.003 .7' o_solimp='.3 .97 .05 .5 2' cone='elliptic' impratio='3'", flags=OVERRIDE
        ),
        "",
    ),
    "discrete_unsafe": (
        discrete(
            more=COUPLED,
            options="o_solref='.001 1' o_solimp='.99 .9999 .001 .5 2'",
            flags="<flag override='enable' refsafe='disable' spring='disable'/>",
        ),
        "",
    ),
    "discrete_fluid": (
        discrete(STIFF.replace('mass="1"', 'mass="1" fluidshape="ellipsoid"'), options="density='100' viscosity='.5'"),
        "",
    ),
    **{
        f"late_plastic{end}": (world(YIELDING, YIELDED, head), PLASTIC)
        for end, head in (
            ("", ""),
            ("_rk4", "<option integrator='RK4'/>"),
            ("_full", "<option integrator='implicit' timestep='.01'/>"),
        )
    },
    "scaled_servos": (
        "<mujoco><worldbody><frame scale='2 2 2'>"
        + """<body pos='0 0 1'><joint name='s' type='slide' range='-1 1' stiffness='2' springyield='.1'/><geom size='.1'/>
      <site name='w'/><body pos='0 .1 1'><joint name='h' stiffness='2' springyield='10'/><geom size='.1'/><body pos='.2 0 .1'>
        <joint name='b' type='ball'/><geom size='.1' pos='.1 0 0'/>
      <site name='e' pos='.1 0 0'/></body></body></body>"""
        + """</frame></worldbody><actuator><pid joint='s' kp='3' kv='1' ki='2' imax='.5' slewmax='3' posrange='-1 1'\
 velrange='-2 2'
      input='pos vel ff' ffrange='-3 3'/><pid joint='h' kp='3' kv='1' ki='2' posrange='-1 1' dampratio='.3'/>\
<orientation joint='b' kp='2' kv='.3' forcerange='0 3'/>
      <orientation site='e' refsite='w' kp='2' dampratio='.3' forcerange='0 3'/></actuator></mujoco>""".replace(
            "kv='1' ki='2' posrange='-1 1' d", "ki='2' posrange='-1 1' d"
        ),
        f"{BLOCKS} jnt_springyield jnt_stiffness",
    ),
    "discrete_driven": (discrete(LINKS, DRIVES), ""),
    "last_face": (
        world(
            "".join(
                f"<body><freejoint/><geom name='b{k}' type='box' size='.1 .07 .12' pos='{pos}' euler='{turn}'/></body>"
                for k, (pos, turn) in enumerate(APART)
            )
            + "<geom name='a' type='box' size='.1 .07 .12'/>",
            "<sensor>"
            + "".join(
                f"<distance geom1='a' geom2='b{k}' cutoff='9'/><normal geom1='a' geom2='b{k}' cutoff='9'/>"
                for k in range(len(APART))
            )
            + "</sensor>",
            "<option><flag contact='disable'/></option>",
        ),
        "",
    ),
    "ahead": (fast(), ""),
    "ahead_elliptic": (
        fast("cone='elliptic'", "margin='.01' solref='.5 1'", "gap='.005' solref='-90 -2' solimp='.9 .99 .01'"),
        "",
    ),
    "ahead_discrete": (fast("integrator='discrete'", two="solref='.01 1'"), ""),
    "ahead_springless": (fast("", "solref='0 -4'", "solref='0 -4'"), ""),
    "ahead_listed": (
        fast(
            end="<contact><exclude body1='e' body2='f'/><pair geom1='g' geom2='h' solref='.4 1' margin='.002' "
            "condim='1'/></contact>"
        ),
        "",
    ),
    "adhesive_pyramid": (
        balls("adhesion='20' condim='4'", "adhesion='-3' margin='.05' condim='6'", "adhesion='7' gap='.06'", FELT),
        "geom_adhesion flg_adhesion",
    ),
    "adhesive_elliptic": (
        balls(
            "adhesion='20' gap='.1'",
            "adhesion='30' priority='1' condim='4'",
            "adhesion='7' condim='1'",
            FELT,
            "<option cone='elliptic' jacobian='sparse'/>",
        ),
        "",
    ),
    "adhesive_listed": (
        balls(
            "adhesion='20'",
            "name='g' adhesion='30'",
            "adhesion='7'",
            "<contact><pair geom1='g' geom2='floor' adhesion='50' gap='.2'/></contact>",
        ),
        "pair_adhesion",
    ),
    "adhesive_discrete": (
        balls(
            "adhesion='20'", "adhesion='30'", "adhesion='7' gap='.05'", head="<option integrator='discrete' iterations='500'/>"
        ),
        "",
    ),
    "surface_frictionless": (balls("surfacevel='.3 .2 .5 0 0 .4' condim='1'", "condim='1'"), "geom_surfacevel"),
}


def state(m, name):
    """(coordinates, velocities, controls) of a case, of a Model of either engine."""
    rng = np.random.default_rng(sum(map(ord, name)))
    turn = rng.normal(size=m.nv) * 0.03
    return turn * (name not in STILL), rng.normal(size=m.nv), rng.uniform(-0.5, 0.5, size=m.nu)


def measure(mj, m, d, name, fields):
    """{name: array} of all that is compared: compiled fields, the state, forward quantities, the next state."""
    found = {f"model.{n}": np.array(attrgetter(n)(m), float) for n in fields.split()}
    turn, speed, ctrl = state(m, name)
    q = np.array(d.qpos)
    mj.mj_integratePos(m, q, turn, 1.0)
    d.qpos, d.qvel = q, speed
    if m.nu == len(d.ctrl):
        d.ctrl[:] = ctrl
    mj.mj_forward(m, d)
    found |= {f"forward.{n}": np.array(getattr(d, n), float) for n in SMOOTH + ROWS + SOLVED}
    mj.mj_step(m, d)
    found |= {f"step.{n}": np.array(getattr(d, n), float) for n in ("qpos", "qvel", "act")}
    if name.startswith(LATE):
        for k in range(STEPS):
            d.ctrl[:] = np.sin(k * np.arange(1.0, 1.0 + m.nu))
            mj.mj_step(m, d)
            found |= {f"later{k}.{n}": np.array(getattr(d, n), float) for n in AFTER}
    return found


def packed(name, found):
    """{key: array} of what `measure` found, as two arrays: numbers of all fields, and how many each has."""
    return {
        name: np.concatenate([x.ravel() for x in found.values()]),
        f"{name}.count": np.array([x.size for x in found.values()]),
    }


def unpacked(records, name, fields):
    """What was packed, by the names that `measure` gives."""
    names = (
        [f"model.{n}" for n in fields.split()]
        + [f"forward.{n}" for n in SMOOTH + ROWS + SOLVED]
        + [f"step.{n}" for n in ("qpos", "qvel", "act")]
    )
    if name.startswith(LATE):
        names += [f"later{k}.{n}" for k in range(STEPS) for n in AFTER]
    parts = np.split(records[name], np.cumsum(records[f"{name}.count"])[:-1])
    return dict(zip(names, parts, strict=True))
