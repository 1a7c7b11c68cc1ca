"""Planes against solids given by support functions: depths equal those of the solids' own collision functions, and the contacts
support the solid.
"""

import numpy as np
import pytest

import tumble
from tumble.engine.collide.manifold import DIST, NORMAL, POS, ROW
from tumble.engine.core import stages

from .scenes import SIZES, pair_scene, turn

# lowest points of round solids are found by square roots
ROUNDING = 1e-12
# corners found for tilted directions are as deep, up to the tilt
FLAT = 1e-9
COUNT = 40
SOLIDS = [kind for kind in SIZES if kind != "plane"]


def rows(m, d, margin):
    """Contacts of the plane (geom 0) and the solid (geom 1): distances, positions, normals."""
    d.poison("manifold")
    count = stages.call("collide_plane_solid", m, d, 0, 1, margin)
    found = np.asarray(d.manifold)[: ROW * count].reshape(count, ROW)
    return found[:, DIST], found[:, POS : POS + 3], found[:, NORMAL : NORMAL + 3]


@pytest.mark.parametrize("kind", SOLIDS)
def test_depth_is_that_of_the_solids_own_function(kind):
    m = tumble.MjModel.from_xml_string(pair_scene("plane", kind))
    d, rng, touching = tumble.MjData(m), np.random.default_rng(1), 0
    for _ in range(COUNT):
        d.qpos[:] = [0, 0, rng.uniform(0, 0.5), *turn(rng)]
        tumble.mj_forward(m, d)
        own = [c.dist for c in d.contact]
        dist, place, normal = rows(m, d, 0.0)
        assert (len(dist) > 0) == (len(own) > 0)
        if own:
            touching += 1
            assert abs(dist.min() - min(own)) < ROUNDING and (normal == [0, 0, 1]).all()
            # halfway between the surfaces
            assert np.abs(place[:, 2] - dist / 2).max() < ROUNDING
    assert touching > COUNT / 4


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_a_flat_side_is_a_base(kind):
    m = tumble.MjModel.from_xml_string(pair_scene("plane", kind))
    d, half = tumble.MjData(m), float(SIZES[kind].split()[-1])
    for angle in np.linspace(0, np.pi, 9):
        d.qpos[:] = [0, 0, half - 0.01, np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
        tumble.mj_forward(m, d)
        dist, place, _ = rows(m, d, 0.0)
        assert len(dist) >= 3 and np.abs(dist + 0.01).max() < FLAT
        # the center is above the triangle or quadrangle of the contacts: no half plane strictly contains all of them
        flat = place[:, :2] - d.qpos[:2]
        assert all((flat @ [np.cos(a), np.sin(a)]).max() > -FLAT for a in np.linspace(0, 2 * np.pi, 36))


def test_a_round_solid_touches_at_one_point_and_margin_counts():
    m = tumble.MjModel.from_xml_string(pair_scene("plane", "sphere"))
    d = tumble.MjData(m)
    d.qpos[:] = [0, 0, 0.35, 1, 0, 0, 0]
    tumble.mj_forward(m, d)
    assert len(rows(m, d, 0.04)[0]) == 0
    dist, _, _ = rows(m, d, 0.06)
    assert len(dist) == 1 and abs(dist[0] - 0.05) < ROUNDING
