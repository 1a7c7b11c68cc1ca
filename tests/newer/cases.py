"""Models that use features or changes of later releases: loaded by 4.0.1 to record, and here with compat="4.0" to compare.

A case: text of the model, names of compiled fields that are compared besides the derived ones. `state` gives its motion.
"""

from operator import attrgetter

import numpy as np

from tests.newer.case_models import (
    BALLS,
    EXACT,
    HILLS,
    LAND,
    LINKS,
    PEBBLE,
    PRISM,
    SHEETS,
    SHORTCUTS,
    balls,
    world,
)
from tests.newer.flex_cases import FLEX_CASES
from tests.newer.new_cases import NEW_CASES

# compared in the order of the pipeline, at a random state: smooth quantities, then contacts and rows, then the solver's results
SMOOTH = (
    "xpos xquat xiquat geom_xquat site_xquat site_xpos ten_length actuator_length actuator_velocity cvel qfrc_bias "
    "qfrc_spring qfrc_damper qfrc_passive act_dot "
    "actuator_force qfrc_actuator qacc_smooth"
).split()
ROWS = "ncon nefc efc_pos efc_margin efc_vel efc_D efc_aref".split()
SOLVED = "qfrc_constraint qacc sensordata".split()

# cases that run for some steps, with different controls in each, and fields that are compared after each
LATE, STEPS, AFTER = "late", 12, ("actuator_force", "sensordata", "history", "plastic", "qfrc_spring")

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
    "field_margins": (world(HILLS, head=LAND + "<option ccd_tolerance='1e-10'/>"), ""),
    "flex_touch": (world(SHEETS), ""),
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
}
# what is new
CASES |= NEW_CASES | FLEX_CASES


def state(m, name):
    """(coordinates, velocities, controls) of a case, for a Model of either engine."""
    rng = np.random.default_rng(sum(map(ord, name)))
    turn = rng.normal(size=m.nv) * 0.03
    return turn * (name not in STILL), rng.normal(size=m.nv), rng.uniform(-0.5, 0.5, size=m.nu)


def measure(mj, m, d, name, fields):
    """{name: array} of everything compared: compiled fields, the state, forward quantities, the next state."""
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
    """Pack the results of `measure` into two arrays: numbers of all fields, and how many each has."""
    return {
        name: np.concatenate([x.ravel() for x in found.values()]),
        f"{name}.count": np.array([x.size for x in found.values()]),
    }


def unpacked(records, name, fields):
    """Unpack the arrays, by the names that `measure` gives."""
    names = (
        [f"model.{n}" for n in fields.split()]
        + [f"forward.{n}" for n in SMOOTH + ROWS + SOLVED]
        + [f"step.{n}" for n in ("qpos", "qvel", "act")]
    )
    if name.startswith(LATE):
        names += [f"later{k}.{n}" for k in range(STEPS) for n in AFTER]
    parts = np.split(records[name], np.cumsum(records[f"{name}.count"])[:-1])
    return dict(zip(names, parts, strict=True))
