"""Remembered planes save the search for contacts of geoms that are apart. They change no result."""

import numpy as np
import pytest

import tumble as mj

SHAPES = (
    'type="box" size=".1 .06 .08"',
    'type="cylinder" size=".08 .1"',
    'type="ellipsoid" size=".1 .07 .05"',
    'type="capsule" size=".05 .08"',
    'type="mesh" mesh="wedge"',
    'type="mesh" mesh="pebble"',
)
STATE = mj.mjtState.mjSTATE_INTEGRATION
STEPS = 400
# Any plane between the cylinders separates them; the search starts along the line of their centers.
NORMAL = 0.1


def heap(count, rng, margin=0.0):
    """Return a model of convex bodies that fall into a bowl, and roll over each other there."""
    bodies = (
        f'<body pos="{x:.17g} {y:.17g} {0.2 + 0.12 * i:.17g}" euler="{90 * x:.17g} {90 * y:.17g} {40 * i}"><freejoint/>'
        f'<geom {SHAPES[i % len(SHAPES)]} margin="{margin}"/></body>'
        for i, (x, y) in enumerate(rng.uniform(-0.15, 0.15, (count, 2)))
    )
    walls = (
        f'<geom type="plane" size="1 1 1" pos="{-x} {-y} 0" zaxis="{x} {y} .5"/>' for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    points = rng.normal(size=(60, 3))
    pebble = points / np.linalg.norm(points, axis=1, keepdims=True) * (0.1, 0.08, 0.06)
    return f"""<mujoco><asset><mesh name="wedge" vertex="-.1 -.08 -.05  .1 -.08 -.05  0 .1 -.05  0 0 .09"/>
<mesh name="pebble" vertex="{" ".join(map(repr, pebble.ravel().tolist()))}"/></asset>
<worldbody><geom type="plane" size="1 1 1"/>{"".join(walls)}{"".join(bodies)}</worldbody></mujoco>"""


@pytest.mark.parametrize("margin", [0.0, 0.01])
@pytest.mark.parametrize("seed", range(3))
def test_results_do_not_depend_on_what_is_remembered(seed, margin):
    """One Data makes all steps. Before every tenth step, a new Data, which remembers nothing, gets its state. After the step,
    both have the same results, bit for bit.
    """
    m = mj.MjModel.from_xml_string(heap(12, np.random.default_rng(seed), margin))
    d, state = mj.MjData(m), np.zeros(mj.mj_stateSize(m, STATE))
    touched = 0
    for step in range(STEPS):
        fresh = mj.MjData(m) if step % 10 == 0 else None
        if fresh is not None:
            mj.mj_getState(m, d, state, STATE)
            mj.mj_setState(m, fresh, state, STATE)
            mj.mj_step(m, fresh)
        mj.mj_step(m, d)
        if fresh is not None:
            assert d.ncon == fresh.ncon and np.array_equal(d.qpos, fresh.qpos) and np.array_equal(d.qacc, fresh.qacc), step
            assert [tuple(c.geom) for c in d.contact] == [tuple(c.geom) for c in fresh.contact]
        touched = max(touched, d.ncon)
    assert touched > 10 and not d.warning_number.any()


def remembered(d, g1, g2):
    return any(row.tolist() == [g1, g2] for row in d.array("apart_geoms"))


def test_a_plane_is_remembered_while_geoms_are_apart():
    """The boxes around two upright cylinders overlap, the cylinders do not: their plane is remembered until they touch."""
    body = '<body pos="{0} {0} 0"><freejoint/><geom type="cylinder" size=".1 .2"/></body>'
    m = mj.MjModel.from_xml_string(f"<mujoco><worldbody>{body.format(0)}{body.format(0.16)}</worldbody></mujoco>")
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    assert d.ncon == 0 and remembered(d, 0, 1)
    k = d.array("apart_geoms").tolist().index([0, 1])
    assert np.allclose(d.array("apart_normal")[k], [-np.sqrt(0.5), -np.sqrt(0.5), 0], rtol=0, atol=NORMAL)
    d.qpos[7:9] = 0.14
    mj.mj_forward(m, d)
    assert d.ncon > 0 and not remembered(d, 0, 1)
