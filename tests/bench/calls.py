"""The calls that control scripts make most often, compared with MuJoCo: both engines alternate in one process; processor time.

    python -m tests.bench.calls [WORD ...] [--rounds N] [--renderer]

WORD: only calls whose text contains one of these. Each call is a statement in the names that `names_of` makes; a round
runs it for about two milliseconds in each engine. Rows marked ~ are shown but not part of the mean: there physics or
pictures outweigh the call.
"""

import argparse
import gc
import os
import pathlib
import statistics
import time
import timeit

import mujoco
import numpy as np

import tumble

HUMANOID = pathlib.Path(__file__).resolve().parents[2] / "assets" / "models" / "humanoid.xml"
PENDULUM = """<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"/>\
<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/>
  <site name="tip" pos="0 0 -.5"/></body></worldbody></mujoco>"""
# seconds for which a statement runs in a round
SLICE = 2e-3
# calls before the measurement: compiled code is used after a function was called some times
WARM = 100
# geoms of the large scene
MANY = 10_000

# measured statements, one a line; `m`, `d` are the humanoid's, `pm`, `pd` a pendulum's, `sm`, `sd` those of a large scene
CALLS = """
  mj_kinematics(m, d)
  mj_comPos(m, d)
  mj_kinematics(pm, pd)
  mj_forward(pm, pd)
  mj_step(pm, pd)
  mj_resetData(pm, pd)
  d.time
  d.qpos
  d.ctrl[:] = ctrl
  d.ctrl = ctrl
  d.time = 0.0
  m.opt.timestep
  m.nv
  d.ncon
  d.contact[0].geom1
  d.contact[0].pos
  d.body("chest").xpos
  d.joint("knee_right").qpos
  d.sensor(0).data
  m.geom("floor").id
  m.actuator("knee_right").ctrlrange
  m.body(3).name
  mj_name2id(m, BODY, "chest")
  mj_id2name(m, BODY, 3)
  mj_jac(m, d, jacp, jacr, point, 3)
  mj_jacBody(m, d, jacp, jacr, 3)
  mj_jacBodyCom(m, d, jacp, None, 3)
  mj_jacSite(pm, pd, pjac, None, 0)
  mj_differentiatePos(m, qvel, 0.01, qpos, d.qpos)
  mj_integratePos(m, qpos, qvel, 0.0)
  mj_stateSize(m, FULL)
  mj_getState(m, d, state, FULL)
  mj_setState(m, d, state, FULL)
  mj_geomDistance(m, d, 3, 5, 1.0, fromto)
  mj_ray(m, d, point, ray, None, 1, -1, geomid)
  mj_contactForce(m, d, 0, six)
  mj_objectVelocity(m, d, BODY, 3, six, 0)
  mj_mulM(m, d, out, qvel)
  mj_fullM(m, full, d.qM)
  mj_solveM(m, d, rows, other)
  mju_mulQuat(q3, q1, q2)
  mju_mat2Quat(q3, mat)
  mju_quat2Mat(nine, q1)
  mju_rotVecQuat(v3, v1, q1)
  mju_negQuat(q3, q1)
  mju_subQuat(v3, q1, q2)
  mju_quat2Vel(v3, q1, 0.1)
  mju_normalize4(q3)
  mjv_initGeom(geom, SPHERE, size, point, nine, rgba)
  mjv_connector(geom, CAPSULE, 0.1, point, ray)
~ copy.copy(d)
~ mj_forward(m, d)
~ mjv_updateScene(m, d, option, perturb, camera, 7, scene)
~ mjv_updateScene(sm, sd, option, perturb, camera, 7, large)
"""


def crowd(count):
    """A model with a number of spheres."""
    side = int(np.ceil(np.sqrt(count)))
    geoms = "".join(f'<geom size=".01" pos="{0.1 * (k % side)} {0.1 * (k // side)} 1"/>' for k in range(count))
    return f"<mujoco><worldbody>{geoms}</worldbody></mujoco>"


def names_of(engine):
    """The objects that statements name, in states with contacts."""
    import copy

    rng = np.random.default_rng(0)
    m = engine.MjModel.from_xml_path(str(HUMANOID))
    d = engine.MjData(m)
    # touching the floor, far from flying away
    for _ in range(300):
        engine.mj_step(m, d)
    pm, sm = engine.MjModel.from_xml_string(PENDULUM), engine.MjModel.from_xml_string(crowd(MANY))
    pd, sd = engine.MjData(pm), engine.MjData(sm)
    engine.mj_forward(pm, pd)
    engine.mj_forward(sm, sd)
    full, scene = int(engine.mjtState.mjSTATE_FULLPHYSICS), engine.MjvScene(m, 1000)
    quats = rng.normal(size=(2, 4))
    quats /= np.linalg.norm(quats, axis=1)[:, None]
    mat = np.zeros(9)
    engine.mju_quat2Mat(mat, quats[0])
    state = np.zeros(engine.mj_stateSize(m, full))
    engine.mj_getState(m, d, state, full)
    own = {
        "m": m,
        "d": d,
        "pm": pm,
        "pd": pd,
        "sm": sm,
        "sd": sd,
        "copy": copy,
        "FULL": full,
        "BODY": engine.mjtObj.mjOBJ_BODY,
        "SPHERE": engine.mjtGeom.mjGEOM_SPHERE,
        "CAPSULE": engine.mjtGeom.mjGEOM_CAPSULE,
        "ctrl": np.zeros(m.nu),
        "state": state,
        "jacp": np.zeros((3, m.nv)),
        "jacr": np.zeros((3, m.nv)),
        "pjac": np.zeros((3, pm.nv)),
        "point": np.array([0.1, 0.2, 1.5]),
        "ray": np.array([0.1, 0, -1.0]),
        "geomid": np.zeros(1, np.int32),
        "six": np.zeros(6),
        "fromto": np.zeros(6),
        "qpos": d.qpos.copy(),
        "qvel": rng.normal(size=m.nv),
        "out": np.zeros(m.nv),
        "full": np.zeros((m.nv, m.nv)),
        "rows": np.zeros((1, m.nv)),
        "other": rng.normal(size=(1, m.nv)),
        "q1": quats[0],
        "q2": quats[1],
        "q3": quats[0].copy(),
        "v1": np.array([1.0, 2, 3]),
        "v3": np.zeros(3),
        "mat": mat,
        "nine": np.zeros(9),
        "size": np.full(3, 0.1),
        "rgba": np.ones(4, np.float32),
        "scene": scene,
        "geom": scene.geoms[0],
        "large": engine.MjvScene(sm, MANY + 1000),
        "option": engine.MjvOption(),
        "perturb": engine.MjvPerturb(),
        "camera": engine.MjvCamera(),
    }
    return {n: getattr(engine, n) for n in dir(engine) if n.startswith("mj")} | own


def timer(statement, names):
    """Return (timer, runs per round)."""
    made = timeit.Timer(statement, timer=time.process_time, globals=names)
    # one-time work
    made.timeit(WARM)
    count = 1
    while (seconds := made.timeit(count)) < SLICE / 4:
        count *= 4
    return made, max(1, round(count * SLICE / seconds))


def compare(statement, theirs, own, rounds):
    """(reference, own): microseconds a call, the least of many rounds in turns."""
    made = [timer(statement, names) for names in (theirs, own)]
    found = [[t.timeit(count) / count * 1e6 for t, count in made] for _ in range(rounds)]
    return [min(times) for times in zip(*found, strict=True)]


def report(rows, rounds, theirs, own):
    """Print a line for each row, and the ratios of the rows that count."""
    ratios = {}
    for counts, statement in rows:
        a, b = compare(statement, theirs, own, rounds)
        print(f"{'' if counts else '~ '}{statement[:58]:60s}{a:10.3f}{b:10.3f}{b / a:8.2f}", flush=True)
        if counts:
            ratios[statement] = b / a
    return ratios


def update_scene(rounds, words):
    """The line of `Renderer.update_scene`, if pictures can be drawn."""
    if words and not any(w in "Renderer.update_scene" for w in words):
        return
    both = []
    for engine in (mujoco, tumble):
        m = engine.MjModel.from_xml_path(str(HUMANOID))
        d = engine.MjData(m)
        engine.mj_forward(m, d)
        both.append({"renderer": engine.Renderer(m, 32, 32), "d": d})
    report([(False, "renderer.update_scene(d)")], rounds, *both)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--renderer", action="store_true", help="also Renderer.update_scene, which needs OpenGL")
    options = parser.parse_args()
    if options.renderer and "MUJOCO_GL" not in os.environ and "DISPLAY" not in os.environ:
        parser.error("--renderer without a display needs MUJOCO_GL=egl")
    rows = [(line[0] == " ", line[2:]) for line in CALLS.strip("\n").splitlines()]
    rows = [row for row in rows if not options.words or any(w in row[1] for w in options.words)]
    gc.disable()
    print(f"{'':60s}{'reference':>10s}{'here':>10s}{'ratio':>8s}   (us, least of {options.rounds} rounds)")
    ratios = report(rows, options.rounds, names_of(mujoco), names_of(tumble))
    if ratios:
        worst = max(ratios, key=ratios.__getitem__)
        print(
            f"geometric mean of {len(ratios)} ratios: {statistics.geometric_mean(ratios.values()):.2f}; worst "
            f"{ratios[worst]:.2f}: {worst}"
        )
    if options.renderer:
        update_scene(options.rounds, options.words)


if __name__ == "__main__":
    main()
