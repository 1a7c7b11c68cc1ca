"""Models that use what later releases added or changed: loaded by 4.0.1, which records, and here with compat="4.0", which is compared.

A case: text of the model, names of compiled fields that are compared besides what follows from them. What moves them: `state`.
"""
import numpy as np

# compared in the order of the pipeline, at a random state: smooth quantities, then those of contacts and rows, then what the solver finds
SMOOTH = ("xpos xquat site_xpos ten_length actuator_length actuator_velocity cvel qfrc_bias qfrc_spring qfrc_damper qfrc_passive act_dot "
          "actuator_force qfrc_actuator qacc_smooth").split()
ROWS = "ncon nefc efc_pos efc_margin efc_vel efc_D efc_aref".split()
SOLVED = "qfrc_constraint qacc sensordata".split()

LINKS = """<body name="a" pos="0 0 1"><joint name="ja" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="sa" pos=".3 0 0"/>
  <body name="b" pos=".3 0 0"><joint name="jb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/><site name="sb" pos=".3 .1 0"/></body></body>
  <body name="c" pos="0 .5 1"><freejoint/><geom type="box" size=".1 .05 .07"/><site name="sc" pos=".1 .1 0" euler="10 20 30"/></body>"""
BALLS = """<geom name="floor" type="plane" size="2 2 .1" {floor}/>
  <body pos="0 0 .13"><freejoint/><geom size=".1" {one}/></body><body pos=".23 0 .12"><freejoint/><geom size=".1" {two}/></body>
  <body pos="0 .26 .15"><freejoint/><geom type="box" size=".1 .1 .1" {two}/></body>"""


def world(text, more="", head=""):
    return f"<mujoco>{head}<worldbody>{text}</worldbody>{more}</mujoco>"


def balls(floor="", one="", two="", more="", head=""):
    return world(BALLS.format(floor=floor, one=one, two=two), more, head)


CASES = {
    # silent changes
    "connect_bodies": (world(LINKS, "<equality><connect body1='b' body2='c' anchor='.3 .1 0'/></equality>"), ""),
    "connect_sites": (world(LINKS, "<equality><connect site1='sb' site2='sc'/></equality>"), ""),
    "weld_bodies": (world(LINKS, "<equality><weld body1='b' body2='c' anchor='.1 .2 0' torquescale='.7'/></equality>"), ""),
    "weld_sites": (world(LINKS, "<equality><weld site1='sb' site2='sc'/></equality>"), ""),
    "margins": (balls("margin='.01' gap='.02'", "margin='.04' gap='.03'", "margin='.02'"), "geom_margin geom_gap body_margin"),
    "margin_negative": (balls("", "margin='-.01' gap='.05'", "gap='.1'"), "geom_margin geom_gap"),
    "margin_override": (balls("margin='.01' gap='.02'", "margin='.04' gap='.03'", "",
                              head="<option o_margin='.05'><flag override='enable'/></option>"), ""),
    "margin_pair": (world("""<geom name="f" type="plane" size="1 1 .1"/><body pos="0 0 .12"><freejoint/><geom name="g" size=".1"/></body>""",
                          "<contact><pair geom1='f' geom2='g' margin='.03' gap='.04'/></contact>"), "pair_margin pair_gap"),
}


def state(m, name):
    """(coordinates, velocities, controls) of a case, of a Model of either engine."""
    rng = np.random.default_rng(sum(map(ord, name)))
    return rng.normal(size=m.nv) * 0.03, rng.normal(size=m.nv), rng.uniform(-0.5, 0.5, size=m.nu)


def measure(mj, m, d, name, fields):
    """{name: array} of all that is compared: compiled fields, the state, forward quantities, the next state."""
    found = {f"model.{n}": np.array(getattr(m, n), float) for n in fields.split()}
    turn, speed, ctrl = state(m, name)
    q = np.array(d.qpos)
    mj.mj_integratePos(m, q, turn, 1.0)
    d.qpos, d.qvel = q, speed
    if m.nu == len(d.ctrl):
        d.ctrl[:] = ctrl
    mj.mj_forward(m, d)
    found |= {f"forward.{n}": np.array(getattr(d, n), float) for n in SMOOTH + ROWS + SOLVED}
    mj.mj_step(m, d)
    return found | {f"step.{n}": np.array(getattr(d, n), float) for n in ("qpos", "qvel", "act")}


def packed(name, found):
    """{key: array} of what `measure` found, as two arrays: numbers of all fields, and how many each has."""
    return {name: np.concatenate([x.ravel() for x in found.values()]), f"{name}.count": np.array([x.size for x in found.values()])}


def unpacked(records, name, fields):
    """What was packed, by the names that `measure` gives."""
    names = [f"model.{n}" for n in fields.split()] + [f"forward.{n}" for n in SMOOTH + ROWS + SOLVED] + [f"step.{n}" for n in ("qpos", "qvel", "act")]
    parts = np.split(records[name], np.cumsum(records[f"{name}.count"])[:-1])
    return dict(zip(names, parts, strict=True))
