"""Signed distance fields of meshes against analytic shapes and each other."""

import mujoco
import numpy as np
import pytest

from tests.oracle import load_pair

from .scenes import MESHES, SIZES, differences, turn

# slopes outside an octree are finite differences with a step of 1e-8: they magnify rounding
FINITE_DIFFERENCE = 1e-6


def field_scene(kind):
    shape = f'type="{kind}" size="{SIZES[kind]}"' if kind in SIZES else 'type="sdf" mesh="prism"'
    return f"""<mujoco>{MESHES}<worldbody><body><freejoint/><geom {shape}/></body>
      <body><freejoint/><geom type="sdf" mesh="brick"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("kind", ["sphere", "box", "capsule", "ellipsoid", "cylinder", "sdf"])
def test_shape_against_field(kind):
    ref, ref_data, m, d = load_pair(field_scene(kind))
    rng, contacts = np.random.default_rng(3), 0
    for _ in range(25):
        ref_data.qpos[:3] = rng.normal(size=3) * 0.3
        ref_data.qpos[3:7], ref_data.qpos[10:14] = turn(rng), turn(rng)
        mujoco.mj_kinematics(ref, ref_data)
        mujoco.mj_comPos(ref, ref_data)
        mujoco.mj_collision(ref, ref_data)
        contacts += ref_data.ncon
        for name, error in differences(ref_data, m, d).items():
            assert error <= FINITE_DIFFERENCE, name
    assert contacts > 200
