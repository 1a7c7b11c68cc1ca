"""Pairs of convex shapes in random poses, and their contacts."""

import numpy as np

KINDS = {"box": ".1 .15 .2", "cylinder": ".1 .2", "capsule": ".08 .2", "ellipsoid": ".1 .15 .2", "mesh": ""}
CORNERS = "-.1 -.1 -.1 .12 -.1 -.1 -.1 .15 -.1 .1 .1 -.12 -.08 -.1 .1 .1 -.1 .13 -.1 .1 .1 .1 .12 .1"
TURNS = np.array([[1, 0, 0, 0], [0.7071, 0.7071, 0, 0], [0.7071, 0, 0.7071, 0], [0.5, 0.5, 0.5, 0.5]])
# poses of each pair, and contacts at most
TRIALS, MOST = 16, 8


def model(one, two):
    """Text of a model of two shapes."""
    shapes = ['type="mesh" mesh="m"' if k == "mesh" else f'type="{k}" size="{KINDS[k]}"' for k in (one, two)]
    bodies = "".join(f"<body><geom {shape}/><freejoint/></body>" for shape in shapes)
    return f'<mujoco><asset><mesh name="m" vertex="{CORNERS}"/></asset><worldbody>{bodies}</worldbody></mujoco>'


def pose(rng, trial):
    """qpos of both bodies: any pose, or sides that face each other."""
    turns = rng.normal(size=(2, 4))
    place = rng.normal(size=3)
    place *= rng.uniform(0.1, 0.33) / np.linalg.norm(place)
    if trial % 3:
        turns[0] = TURNS[0] + rng.normal(size=4) * (0.02 if trial % 3 == 1 else 0.001)
        turns[1] = TURNS[rng.integers(4)] + rng.normal(size=4) * 0.01
        place = np.eye(3)[rng.integers(3)] * rng.uniform(0.15, 0.38) * rng.choice([-1, 1]) + rng.normal(size=3) * 0.03
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    return np.concatenate([np.zeros(3), turns[0], place, turns[1]])


def contacts(mj, load):
    """(pairs, trials, contacts, 4): distances and places of contacts, NaN beyond the last."""
    found = []
    for i, one in enumerate(KINDS):
        for two in list(KINDS)[i:]:
            m, rng = load(model(one, two)), np.random.default_rng(i)
            d, rows = mj.MjData(m), np.full((TRIALS, MOST, 4), np.nan)
            for trial in range(TRIALS):
                d.qpos[:] = pose(rng, trial)
                mj.mj_kinematics(m, d)
                mj.mj_collision(m, d)
                for k, con in enumerate(list(d.contact)[:MOST]):
                    rows[trial, k] = con.dist, *con.pos
            found.append(rows)
    return np.array(found)
