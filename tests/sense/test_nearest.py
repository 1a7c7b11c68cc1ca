"""Distance sensors of bodies find the nearest of all pairs of geoms, though most pairs are not measured."""

import numpy as np
import pytest

import tumble

KINDS = ("sphere", "capsule", "box", "ellipsoid", "cylinder")


def body(rng, name, count):
    geoms = "".join(
        f'<geom type="{KINDS[k % len(KINDS)]}" size="{a} {b} {c}" pos="{x} {y} {z}" euler="{u} {v} {w}"/>'
        for k, ((a, b, c), (x, y, z), (u, v, w)) in enumerate(
            zip(
                rng.uniform(0.01, 0.08, (count, 3)),
                rng.normal(size=(count, 3)) * 0.3,
                rng.uniform(0, 360, (count, 3)),
                strict=True,
            )
        )
    )
    return f'<body name="{name}"><freejoint/>{geoms}</body>'


@pytest.mark.parametrize("apart", [0.0, 0.7, 3.0])
@pytest.mark.parametrize("cutoff", [0.05, 1.0, 10.0])
def test_bodies_are_as_far_apart_as_their_nearest_geoms(apart, cutoff):
    rng = np.random.default_rng(7)
    pair = f'body1="one" body2="other" cutoff="{cutoff}"'
    m = tumble.MjModel.from_xml_string(
        f"<mujoco><worldbody>{body(rng, 'one', 12)}{body(rng, 'other', 17)}</worldbody>"
        f"<sensor><distance {pair}/><fromto {pair}/></sensor></mujoco>"
    )
    d = tumble.MjData(m)
    for _ in range(5):
        d.qpos[:] = rng.normal(size=m.nq) * 0.2
        d.qpos[7] += apart
        tumble.mj_forward(m, d)
        best, points, found = cutoff, np.zeros(6), np.zeros(6)
        for g in range(12):
            for h in range(12, 29):
                x = tumble.mj_geomDistance(m, d, g, h, cutoff, found)
                if x < best:
                    best, points = x, found.copy()
        # the cutoff limits depths, too
        assert d.sensordata[0] == max(best, -cutoff)
        assert np.array_equal(d.sensordata[1:], points)
