"""Scenes of two shapes in random and in special poses, and the comparison of all contact rows with the reference."""

import mujoco
import numpy as np

from tests.mirror import mirror
from tumble.engine.core import stages

SIZES = {
    "plane": "1 1 .1",
    "sphere": ".3",
    "capsule": ".2 .4",
    "ellipsoid": ".2 .3 .4",
    "cylinder": ".25 .3",
    "box": ".2 .3 .25",
}
RING = " ".join(f"{0.3 * np.cos(a):.6f} {0.3 * np.sin(a):.6f} {z}" for z in (-0.2, 0.2) for a in np.arange(7) * 2 * np.pi / 7)
MESHES = f"""<asset><mesh name="prism" vertex="{RING}"/>
  <mesh name="tetra" vertex="-.3 -.2 -.2  .4 0 -.2  -.1 .4 -.2  0 .1 .4"/>
  <mesh name="brick" vertex="-.2 -.3 -.25  .2 -.3 -.25  -.2 .3 -.25  .2 .3 -.25  -.2 -.3 .25  .2 -.3 .25  -.2 .3 .25  .2 .3\
 .25"/>
</asset>"""
ROWS = (
    "dist pos frame includemargin friction solref solreffriction solimp mu H dim geom flex elem vert exclude efc_address"
).split()


def pair_scene(first, second, margin=0.0, option="", flags=""):
    """Two bodies of one geom each; a plane is fixed, the rest is free."""

    def body(kind):
        shape = f'type="{kind}" size="{SIZES[kind]}"' if kind in SIZES else f'type="mesh" mesh="{kind}"'
        joint = "" if kind == "plane" else "<freejoint/>"
        return f'<body>{joint}<geom {shape} margin="{margin}" gap="{margin / 4}"/></body>'

    assets = MESHES if not {first, second} <= set(SIZES) else ""
    return f"""<mujoco><option {option}><flag {flags}/></option>{assets}<worldbody>{body(first)}{body(second)}</worldbody>\
</mujoco>"""


def turn(rng):
    """A quaternion: any, none, or about an axis by quarter turns or any angle."""
    kind = rng.integers(4)
    if kind == 0:
        q = rng.normal(size=4)
        return q / np.linalg.norm(q)
    angle = 0.0 if kind == 1 else rng.integers(4) * np.pi / 2 if kind == 2 else rng.uniform(0, 7)
    q = np.zeros(4)
    q[0], q[1 + rng.integers(3)] = np.cos(angle / 2), np.sin(angle / 2)
    return q


def poses(ref, ref_data, count, seed=0):
    """Set count states in turn: far, near, touching, deep, concentric, aligned."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        for a in range(0, ref.nq, 7):
            place = rng.normal(size=3) * rng.choice([0, 0.05, 0.2, 0.4, 0.6])
            place = np.round(place / 0.05) * 0.05 if rng.random() < 0.3 else place
            ref_data.qpos[a : a + 7] = [*(place if a or ref.nq == 7 else np.zeros(3)), *turn(rng)]
        mujoco.mj_kinematics(ref, ref_data)
        mujoco.mj_comPos(ref, ref_data)
        mujoco.mj_collision(ref, ref_data)
        yield


def differences(ref_data, m, d):
    """Largest difference of each field of the contact rows; the stage runs on the reference's poses with poisoned rows."""
    mirror(ref_data, d)
    d.poison("manifold", *(f"contact_{n}" for n in ROWS))
    stages.call("collision", m, d)
    assert d.ncon == ref_data.ncon
    if not d.ncon:
        return {}
    assert np.array_equal(d.contact_geom, ref_data.contact.geom)
    return {
        n: float(
            np.abs(
                np.asarray(getattr(d, f"contact_{n}"), float).ravel() - np.asarray(getattr(ref_data.contact, n), float).ravel()
            ).max()
        )
        for n in ROWS
    }
