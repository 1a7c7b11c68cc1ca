"""Height fields against every convex shape."""

import mujoco
import numpy as np
import pytest

from tests.oracle import load_pair

from .scenes import MESHES, SIZES, differences, turn

ROUNDING = 1e-12


def field_scene(kind, margin, flags):
    heights = " ".join(f"{x:.4f}" for x in np.random.default_rng(0).uniform(0, 1, 120))
    shape = f'type="{kind}" size="{SIZES[kind]}"' if kind in SIZES else f'type="mesh" mesh="{kind}"'
    return f"""<mujoco><option><flag {flags}/></option>{MESHES}<asset>\
<hfield name="h" nrow="12" ncol="10" size="1.2 1.5 .4 .2" elevation="{heights}"/></asset><worldbody>
      <geom type="hfield" hfield="h" pos=".1 -.1 .2" euler="10 5 20"/>
      <body><freejoint/><geom {shape} margin="{margin}"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("margin", "flags"), [(0, ""), (0.03, ""), (0.03, "nativeccd='disable'")])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "tetra", "prism"])
def test_field_against_shape(kind, margin, flags):
    ref, ref_data, m, d = load_pair(field_scene(kind, margin, flags))
    rng, contacts = np.random.default_rng(1), 0
    for _ in range(60):
        ref_data.qpos[:3] = rng.uniform((-1.5, -1.8, -0.1), (1.5, 1.8, 1))
        ref_data.qpos[3:] = turn(rng)
        mujoco.mj_kinematics(ref, ref_data)
        mujoco.mj_comPos(ref, ref_data)
        mujoco.mj_collision(ref, ref_data)
        contacts += ref_data.ncon
        for name, error in differences(ref_data, m, d).items():
            assert error <= ROUNDING, name
    assert contacts > 60
