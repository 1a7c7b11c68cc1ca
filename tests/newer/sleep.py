"""Models whose parts fall asleep and wake in a simulation, and what is compared with the records of 4.0.1 during it."""

from __future__ import annotations

from typing import Any

import numpy as np

SLEEP = '<option {}sleep_tolerance=".1" {}><flag sleep="enable" energy="enable"/></option>'
FLOOR = '<geom type="plane" size="5 5 .01"/>'
STRIP = """<body name="{0}" pos="{1}"><flexcomp name="{0}" type="grid" dim="{2}" count="{3}" spacing=".05 .05 .05" radius=".01"
 mass="1"><edge equality="true" solref=".15 .2"/>{4}</flexcomp></body>"""
BALL = '<body name="{0}" pos="{1}"><freejoint/><geom name="{0}" size=".05"/><site name="{0}"/></body>'
CUBE = '<body name="{0}" pos="{1}"><freejoint/><geom type="box" size=".05 .05 .05"/></body>'
SWING = """<body name="{0}" pos="{1}"><joint name="{0}" axis="0 1 0" {2}/><geom type="box" size=".02 .02 .1" pos="0 0 -.1"/>
<site name="{0}" pos="0 0 -.2"/></body>"""
HAND = '<body name="hand" mocap="true" pos="{}"><geom {}/></body>'
ABOVE = BALL.format("d", "2 2 1.5")
OBSERVED = "".join(
    f"<{kind} objtype='body' objname='a' nsample='4' {late}/>"
    for late in ("", "delay='.006'", "interval='.01'", "delay='.005' interval='.008'")
    for kind in ("framepos", "framelinvel")
)


def world(*bodies: str, more: str = "", fast: str = 'integrator="implicitfast" viscosity="2" ', rest: str = "") -> str:
    """Return a model in which everything that can may fall asleep."""
    return f"<mujoco>{SLEEP.format(fast, rest)}<worldbody>{''.join(bodies)}</worldbody>{more}</mujoco>"


def strip(name: str, pos: str, dim: int = 1, count: str = "3 1 1", more: str = "") -> str:
    """Return a flex whose edges keep their length."""
    return STRIP.format(name, pos, dim, count, more)


# {name: (model, steps, {step: [(field, index, value), ...]})}: fields are set before a step
MODELS: dict[str, tuple[str, int, dict[int, list[tuple[str, Any, float]]]]] = {
    "strip_ball": (world(FLOOR, strip("f", "0 0 .01"), BALL.format("b", "0 .01 .5")), 420, {}),
    "cloth": (world(FLOOR, strip("f", "0 0 .01", 2, "3 3 1", "<contact selfcollide='sap'/>")), 120, {100: [("qvel", 5, 0.5)]}),
    "strips": (world(FLOOR, strip("f", "0 0 .01"), strip("g", "0 .005 .25")), 300, {}),
    "strip_hand": (
        world(FLOOR, HAND.format("0 0 .3", "size='.04'"), strip("f", "0 0 .01")),
        260,
        {150 + k: [("mocap_pos", (0, 2), 0.3 - 0.004 * k)] for k in range(1, 80)},
    ),
    "strip_plane": (
        world(HAND.format("0 0 0", "type='plane' size='5 5 .1'"), strip("f", "0 0 .02")),
        220,
        {150: [("mocap_pos", (0, 2), 0.005)]},
    ),
    "hand": (
        world(FLOOR, HAND.format("0 0 .5", "size='.04'"), CUBE.format("b", "0 0 .05")),
        230,
        {130 + k: [("mocap_pos", (0, 2), 0.5 - 0.006 * k)] for k in range(1, 80)},
    ),
    "hand_weld": (
        world(
            FLOOR,
            HAND.format("2 0 .5", "size='.04' contype='0' conaffinity='0'"),
            CUBE.format("b", "0 0 .05"),
            more="<equality><weld body1='hand' body2='b' active='false'/></equality>",
        ),
        200,
        {150: [("eq_active", 0, 1)]},
    ),
    "plane": (world(HAND.format("0 0 0", "type='plane' size='5 5 .1'"), BALL.format("b", ".01 0 .1")), 120, {}),
    "energy": (
        world(FLOOR, SWING.format("a", "0 0 1", "stiffness='3 1 2' damping='2' springref='20'"), ABOVE, fast=""),
        150,
        {},
    ),
    "momentum": (
        world(
            FLOOR,
            "<body name='base'><geom size='.1' pos='0 0 3'/>",
            SWING.format("a", "0 0 1", "stiffness='3' damping='2' springref='20'"),
            SWING.format("b", "1 0 1", "damping='.01'"),
            "</body>",
            fast="",
            more="<sensor><subtreelinvel body='base'/><subtreeangmom body='base'/></sensor>",
        ),
        150,
        {0: [("qpos", 1, 0.6)]},
    ),
    "history": (
        world(FLOOR, BALL.format("a", "0 0 .05"), ABOVE, fast="", more=f"<sensor>{OBSERVED}</sensor>"),
        150,
        {0: [("qvel", 0, 0.03)], 100: [("qvel", 0, -0.5)]},
    ),
    "springy_tendon": (
        world(
            FLOOR,
            SWING.format("a", "0 0 1", "damping='2'"),
            SWING.format("b", "1 0 1", "damping='2'"),
            fast="",
            more="<tendon><spatial stiffness='0 3'><site site='a'/><site site='b'/></spatial></tendon>",
        ),
        40,
        {},
    ),
    "start": (
        world(
            FLOOR, CUBE.format("a", "0 0 .049").replace("<body", "<body sleep='init'"), CUBE.format("b", "0 0 .148"), fast=""
        ),
        20,
        {},
    ),
    "rk4": (world(SWING.format("a", "0 0 1", "damping='1'"), fast="", rest="integrator='RK4'"), 12, {0: [("qpos", 0, 0.4)]}),
    "sticky": (
        world(FLOOR, BALL.format("a", "0 0 .05").replace("size", "adhesion='2' gap='.01' size"), ABOVE, fast=""),
        330,
        {},
    ),
}
FIELDS = "qpos qvel qacc tree_asleep body_awake sensordata energy qfrc_spring qfrc_passive flexvert_xpos".split()
COUNTS = ("ncon", "nefc", "ntree_awake")
# steps between two comparisons
EVERY = 7


def run(mj: Any, m: Any, d: Any, name: str) -> np.ndarray:
    """Return the compared numbers of a simulation of a model here by either engine, one row for each compared step."""
    return simulate(mj, m, d, *MODELS[name][1:])


def simulate(mj: Any, m: Any, d: Any, steps: int, events: dict[int, list[tuple[str, Any, float]]]) -> np.ndarray:
    """Return the compared numbers of a simulation, one row for each compared step."""
    rows = []
    for k in range(steps):
        for field, index, value in events.get(k, ()):
            getattr(d, field)[index] = value
        mj.mj_step(m, d)
        if k % EVERY == 0:
            values = [np.ravel(getattr(d, n)).astype(float) for n in FIELDS] + [[float(getattr(d, n)) for n in COUNTS]]
            rows.append(np.concatenate(values))
    return np.array(rows)
