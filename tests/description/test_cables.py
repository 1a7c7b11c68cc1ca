"""Cables: their points, and the differences of points, are single-precision numbers."""

import mujoco
import numpy as np
import pytest

import tumble

# tolerance for numbers of order 1
LAST_BITS = 4 * np.finfo(float).eps
CURVES = [
    'curve="s cos(s) sin(s)" size="1.3 .1 2"',
    'curve="cos(s) s 0" size=".7 .3 1.7" quat="1 .2 -.3 .4"',
    'vertex=".1 .2 .3  .4 .7 .31  1.1 .9 .77  1.3 1.4 .6  2.2 1.37 .123"',
]


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("offset", ["0 0 0", ".1 .7 123.4"])
def test_frames_are_those_of_the_reference(curve, offset):
    """Positions and lengths of pieces agree in all bits; the trigonometry of rotations rounds in the last bit."""
    count = "" if "vertex" in curve else 'count="17 1 1"'
    text = f"""<mujoco><worldbody><composite prefix="c" type="cable" {count} {curve} offset="{offset}" initial="free">
      <joint kind="main" damping=".1"/><geom type="capsule" size=".01"/></composite></worldbody></mujoco>"""
    m, ref = tumble.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    assert np.array_equal(m.body_pos, ref.body_pos)
    for name in ("body_quat", "geom_pos", "geom_size", "body_mass", "body_inertia"):
        assert np.abs(getattr(m, name) - getattr(ref, name)).max() <= LAST_BITS, name
