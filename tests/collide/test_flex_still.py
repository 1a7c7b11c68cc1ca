"""The search for contacts within a flex is skipped while its vertices have moved too little for any. That changes no result."""

import numpy as np
import pytest

import tumble
from tests.tolerance import ROUND
from tumble.engine.collide import flex_still
from tumble.engine.core import debug
from tumble.engine.machine.interpret import interpreted

RADIUS = 0.01
FLEX = """<mujoco><option gravity="0 0 0"/><worldbody>
  <flexcomp name="f" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1" radius="{radius}" mass="1">
    <contact selfcollide="sap" internal="false"/></flexcomp>
</worldbody></mujoco>"""
COUNTS = {1: "12 1 1", 2: "6 6 1", 3: "4 4 3"}
FIELDS = ("dist", "pos", "frame", "elem", "vert", "flex")


def flex(dim, radius=RADIUS):
    m = tumble.MjModel.from_xml_string(FLEX.format(dim=dim, count=COUNTS[dim], radius=radius))
    return m, tumble.MjData(m)


def kept(d):
    return dict(zip(("slack", "reach", "skipped", "wait", "pause"), d.array("flex_still")[0].tolist(), strict=True))


def contacts(m, d):
    tumble.mj_fwdPosition(m, d)
    return d.ncon, [getattr(d.contact, name).tobytes() for name in FIELDS]


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_contacts_are_those_of_a_search(dim):
    """A flex is bent until it touches itself, and back, in steps of any size; each state is compared with a new Data."""
    m, d = flex(dim)
    rng, skipped, touched, before = np.random.default_rng(dim), 0, 0, 0
    tumble.mj_forward(m, d)
    rest = d.flexvert_xpos.copy()
    # angles of a strip that rolls up, slowly and then fast, and unrolls at once
    angles = [*np.linspace(0, 0.3, 40), *np.linspace(0.3, 9, 30), *np.linspace(9, 0.2, 5), *np.full(10, 0.2)]
    for angle in angles:
        turn = angle / (np.ptp(rest[:, 0]) or 1) * (rest[:, 0] - rest[0, 0])
        size = np.ptp(rest[:, 0]) / max(angle, 1e-9)
        rolled = np.column_stack([np.sin(turn) * (size + rest[:, 2]), rest[:, 1], (1 - np.cos(turn)) * size + rest[:, 2]])
        moved = rolled - rest + rng.normal(size=3) + rng.normal(size=rest.shape) * 1e-3
        d.qpos[:] = moved.ravel()
        alone = tumble.MjData(m)
        alone.qpos[:] = d.qpos
        assert contacts(m, d) == contacts(m, alone)
        skipped, before = skipped + (kept(d)["skipped"] > before), kept(d)["skipped"]
        touched += d.ncon > 0
    # boxes of tetrahedra that fill a solid overlap, so nothing is known about them
    assert skipped > 5 or dim == 3
    assert touched > 5


def test_a_flex_at_rest_is_not_searched():
    m, d = flex(2)
    tumble.mj_forward(m, d)
    assert 0 < kept(d)["slack"] <= 0.1 and kept(d)["skipped"] == 0
    with debug.interpreted("collide_flex"):
        tumble.mj_forward(m, d)
    assert kept(d)["skipped"] == 1
    # a translation leaves distances as they are
    d.qpos[:] = np.tile([3.0, -2.0, 5.0], m.nq // 3)
    tumble.mj_forward(m, d)
    assert kept(d)["skipped"] == 2


def test_a_vertex_that_moves_half_the_slack_ends_the_rest():
    m, d = flex(2)
    tumble.mj_forward(m, d)
    slack = kept(d)["slack"]
    d.qpos[-1] = 0.49 * slack
    tumble.mj_forward(m, d)
    assert kept(d)["skipped"] == 1
    d.qpos[-1] = 0.51 * slack
    tumble.mj_forward(m, d)
    assert kept(d)["skipped"] == 1 and kept(d)["wait"] == flex_still.SHORTEST - 1


def test_an_edited_radius_counts_at_once():
    m, d = flex(2)
    tumble.mj_forward(m, d)
    assert d.ncon == 0 and kept(d)["slack"] > 0
    m.flex_radius[0] = 0.08
    tumble.mj_forward(m, d)
    fresh = tumble.MjData(m)
    tumble.mj_forward(m, fresh)
    assert d.ncon == fresh.ncon > 0


def test_examinations_that_do_not_pay_wait():
    m, d = flex(2)
    rng, examined = np.random.default_rng(0), 0
    for k in range(400):
        d.qpos[:] = rng.normal(size=m.nq) * 0.02
        tumble.mj_forward(m, d)
        examined += kept(d)["wait"] == kept(d)["pause"] and kept(d)["skipped"] == 0
    # pauses of 16, 32, 64, 128, 256 steps
    assert examined <= 6


def triangles():
    rng = np.random.default_rng(2)
    for _ in range(300):
        a, b = rng.normal(size=(2, 3, 3))
        b = b * rng.choice([0.1, 1, 3]) + rng.normal(size=3) * rng.choice([0, 1, 4])
        if rng.random() < 0.5:
            a[:, 2], b[:, 2] = 0, rng.normal() * rng.choice([0, 0.1])
        yield a, b


def test_gaps_are_never_larger_than_distances():
    """The gap along the tested directions is at most the distance of any two points of the triangles."""
    gap, positive = interpreted(flex_still.gap_of_sides), 0
    grid = np.array([(i, j, 8 - i - j) for i in range(9) for j in range(9 - i)]) / 8
    for a, b in triangles():
        found = gap(*map(tuple, a), *map(tuple, b))
        distance = np.linalg.norm((grid @ a)[:, None] - (grid @ b)[None], axis=2).min()
        assert found <= distance + ROUND
        positive += found > 0
    assert positive > 50
    flat = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0)]
    assert gap(*flat, (0.0, 5.0, 0.0), (1.0, 5.0, 0.0), (0.0, 6.0, 0.0)) == flex_still.NEVER
