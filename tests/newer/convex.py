"""Pairs of convex shapes in random poses, and their contacts."""

import numpy as np

KINDS = {"box": ".1 .15 .2", "cylinder": ".1 .2", "capsule": ".08 .2", "ellipsoid": ".1 .15 .2", "mesh": ""}
CORNERS = "-.1 -.1 -.1 .12 -.1 -.1 -.1 .15 -.1 .1 .1 -.12 -.08 -.1 .1 .1 -.1 .13 -.1 .1 .1 .1 .12 .1"
TURNS = np.array([[1, 0, 0, 0], [0.7071, 0.7071, 0, 0], [0.7071, 0, 0.7071, 0], [0.5, 0.5, 0.5, 0.5]])
# poses of each pair, and contacts at most
TRIALS, MOST = 16, 8
# margin of shapes that may be apart
MARGIN = 0.04


def model(one, two, margin=0.0):
    """Text of a model of two shapes."""
    shapes = ['type="mesh" mesh="m"' if k == "mesh" else f'type="{k}" size="{KINDS[k]}"' for k in (one, two)]
    bodies = "".join(f'<body><geom {shape} margin="{margin}"/><freejoint/></body>' for shape in shapes)
    return f'<mujoco><asset><mesh name="m" vertex="{CORNERS}"/></asset><worldbody>{bodies}</worldbody></mujoco>'


def pose(rng, trial, reach=0.33):
    """qpos of both bodies: any pose, or sides that face each other."""
    turns = rng.normal(size=(2, 4))
    place = rng.normal(size=3)
    place *= rng.uniform(0.1, reach) / np.linalg.norm(place)
    if trial % 3:
        turns[0] = TURNS[0] + rng.normal(size=4) * (0.02 if trial % 3 == 1 else 0.001)
        turns[1] = TURNS[rng.integers(4)] + rng.normal(size=4) * 0.01
        place = np.eye(3)[rng.integers(3)] * rng.uniform(0.15, 0.38) * rng.choice([-1, 1]) + rng.normal(size=3) * 0.03
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    return np.concatenate([np.zeros(3), turns[0], place, turns[1]])


def contacts(mj, load, margin=0.0):
    """(pairs, trials, contacts, 4): distances and positions of contacts, NaN beyond the last."""
    found = []
    for i, one in enumerate(KINDS):
        for two in list(KINDS)[i:]:
            m, rng = load(model(one, two, margin)), np.random.default_rng(i)
            d, rows = mj.MjData(m), np.full((TRIALS, MOST, 4), np.nan)
            for trial in range(TRIALS):
                d.qpos[:] = pose(rng, trial, 0.33 + 4 * margin)
                mj.mj_kinematics(m, d)
                mj.mj_collision(m, d)
                for k, con in enumerate(list(d.contact)[:MOST]):
                    rows[trial, k] = con.dist, *con.pos
            found.append(rows)
    return np.array(found)


# ---- hulls on a plane --------------------------------------------------------------------------------------------------
HULLS = 40


def hull(rng, k):
    """(corners, orientation, height) of a mesh: a bottom with equal heights and a smaller top, or any points."""
    if k % 4 == 0:
        return rng.normal(size=(20, 3)) * 0.2, rng.normal(size=4), 0.2
    angle = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 14)))
    rim = np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
    turn = np.concatenate([[1], rng.normal(size=2) * (0.002 if k % 2 else 0.03), [0]])
    return np.concatenate([0.2 * rim, 0.1 * rim + (0, 0, 0.3)]), turn, -0.01


def planes(mj, load):
    """(hulls, contacts, 4): the same for hulls on a plane."""
    rng, found = np.random.default_rng(3), np.full((HULLS, MOST, 4), np.nan)
    for k in range(HULLS):
        corners, turn, height = hull(rng, k)
        points = " ".join(f"{x:.7g}" for x in corners.ravel())
        m = load(
            f'<mujoco><asset><mesh name="m" vertex="{points}"/></asset><worldbody><geom type="plane" size="5 5 1"/><body>'
            f'<freejoint/><geom type="mesh" mesh="m" margin="{0.01 * (k % 2)}"/></body></worldbody></mujoco>'
        )
        d = mj.MjData(m)
        d.qpos[2], d.qpos[3:] = height, turn / np.linalg.norm(turn)
        mj.mj_kinematics(m, d)
        mj.mj_collision(m, d)
        for i, con in enumerate(list(d.contact)[:MOST]):
            found[k, i] = con.dist, *con.pos
    return found
