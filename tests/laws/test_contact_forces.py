"""Laws of contact forces: depth at rest, cones of every dimension, action and reaction, sums reported by sensors and bodies."""

import numpy as np
import pytest

import tumble
from tests.tolerance import ITER, ROUND, close

GRAVITY = 9.81
BALL = """
<mujoco>
  <option timestep="0.002" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="{condim}"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1" mass="{mass}" condim="{condim}" solref="{solref}" solimp="{solimp}"
      solmix="1e6"/></body>
  </worldbody>
</mujoco>"""
# the remaining speed after the settling time, divided by the stiffness, adds to the depth
SETTLED = 1e-6


def load(xml):
    m = tumble.MjModel.from_xml_string(xml)
    return m, tumble.MjData(m)


def impedance(solimp, r):
    """Impedance at depth r: from d0 to d1 over the width, by two power curves that meet at the midpoint."""
    d0, d1, width, middle, power = solimp
    x = min(1.0, abs(r) / width)
    y = x**power / middle ** (power - 1) if x <= middle else 1 - (1 - x) ** power / (1 - middle) ** (power - 1)
    return d0 + y * (d1 - d0)


def depth_at_rest(solref, solimp):
    """Return the depth at which reference acceleration and regularization balance gravity: (1 - d) / d g = k d r, by bisection.
    It does not depend on the mass.
    """
    d1 = solimp[1]
    k = 1 / (d1 * solref[0] * solref[1]) ** 2 if solref[0] > 0 else -solref[0] / d1**2
    low, high = 0.0, 1.0
    for _ in range(100):
        r = (low + high) / 2
        d = impedance(solimp, r)
        low, high = (r, high) if (1 - d) / d * GRAVITY > k * d * r else (low, r)
    return r


@pytest.mark.parametrize(("condim", "cone"), [(1, "pyramidal"), (3, "elliptic"), (6, "elliptic")])
@pytest.mark.parametrize("solref", [(0.02, 1), (0.05, 0.7), (-400, -30)])
@pytest.mark.parametrize("solimp", [(0.9, 0.9, 0.001, 0.5, 2), (0.7, 0.95, 0.02, 0.3, 3), (0.5, 0.99, 0.05, 0.5, 1)])
def test_depth_at_rest(solref, solimp, condim, cone):
    text = {"solref": " ".join(map(str, solref)), "solimp": " ".join(map(str, solimp)), "condim": condim, "cone": cone}
    expected = depth_at_rest(solref, solimp)
    for mass in (0.01, 50):
        m, d = load(BALL.format(mass=mass, **text))
        tumble.mj_step(m, d, 3000)
        assert np.abs(d.qvel).max() < SETTLED
        close(d.contact.dist[0] / expected, -1, 1e-3, f"depth {expected:.3g} with mass {mass}")


SLOPE = """
<mujoco>
  <option timestep="0.002" cone="{cone}" impratio="3"/>
  <default><geom condim="{condim}" friction="{friction}"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" euler="8 5 0"/>
    <body name="box" pos="0 0 .12"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="ball" pos=".5 0 .08"><freejoint/><geom size=".1"/></body>
    <body name="rod" pos="0 .6 .05"><freejoint/><geom type="capsule" size=".1 .2" euler="0 90 0"/></body>
    <body name="rider" pos=".02 .01 .31"><freejoint/><geom name="rider" type="box" size=".09 .09 .09"/>
      <site name="pad" type="box" size=".2 .2 .2"/></body>
  </worldbody>
  <sensor><touch site="pad"/></sensor>
</mujoco>"""


def sliding(cone, condim, friction="0.6 0.02 0.003"):
    m, d = load(SLOPE.format(cone=cone, condim=condim, friction=friction))
    d.qvel[:] = 0.7 * np.random.default_rng(1).normal(size=m.nv)
    for _ in range(12):
        tumble.mj_step(m, d, 10)
        tumble.mj_forward(m, d)
        yield m, d


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_every_part_of_friction_stays_in_the_cone(cone, condim):
    force, seen = np.zeros(6), 0
    for m, d in sliding(cone, condim):
        for k in range(d.ncon):
            tumble.mj_contactForce(m, d, k, force)
            assert force[0] >= 0 and (force[condim:] == 0).all()
            part = force[1:condim] / d.contact.friction[k][: condim - 1]
            size = np.abs(part).sum() if cone == "pyramidal" else np.linalg.norm(part)
            assert size <= force[0] * (1 + 1e-9) + 1e-9
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_action_is_reaction(cone, condim):
    """Internal forces add up to zero: the force on the floor equals that on all bodies together, with torques about a point."""
    largest = 0.0
    for m, d in sliding(cone, condim):
        tumble.mj_rnePostConstraint(m, d)
        wrench, force = np.zeros((m.nbody, 6)), np.zeros(6)
        for k in range(d.ncon):
            tumble.mj_contactForce(m, d, k, force)
            frame = d.contact.frame[k].reshape(3, 3)
            f, t = frame.T @ force[:3], frame.T @ force[3:]
            for g, sign in zip(d.contact.geom[k], (-1, 1), strict=True):
                b = m.geom_bodyid[g]
                arm = d.contact.pos[k] - d.subtree_com[m.body_rootid[b]]
                wrench[b] += sign * np.concatenate([t + np.cross(arm, f), f])
        size = max(1.0, np.abs(wrench).max())
        largest = max(largest, size)
        close(d.cfrc_ext[1:] / size, wrench[1:] / size, ROUND * 100, "external forces on bodies")
        close(wrench[:, 3:].sum(axis=0) / size, np.zeros(3), ROUND, "sum of all forces")
        # joint space has the same force: a free body's first three constraint forces are its contact forces
        for b in range(1, m.nbody):
            close(d.qfrc_constraint[m.body_dofadr[b] :][:3] / size, wrench[b, 3:] / size, ITER, "constraint force")
    assert largest > 30


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_touch_is_the_sum_of_normal_forces(cone):
    force, felt = np.zeros(6), 0
    for m, d in sliding(cone, 3):
        total = 0.0
        for k in range(d.ncon):
            if m.geom("rider").id in d.contact.geom[k]:
                tumble.mj_contactForce(m, d, k, force)
                total += force[0]
        close(d.sensordata[0], total, ROUND * max(1, total), "touch")
        felt += total > 0
    assert felt > 5


def test_a_sliding_box_decelerates_by_friction_alone():
    """A sliding box decelerates by mu g, up to the softness of the contact."""
    friction = 0.4
    m, d = load(SLOPE.replace('euler="8 5 0"', "").format(cone="elliptic", condim=3, friction=f"{friction} 0 0"))
    for name in ("ball", "rod", "rider"):
        d.qpos[m.joint(m.body(name).jntadr[0]).qposadr[0] + 2] += 50
    tumble.mj_step(m, d, 500)
    d.qvel[:6] = 3, 0, 0, 0, 0, 0
    tumble.mj_step(m, d, 50)
    begin = d.qvel[0]
    tumble.mj_step(m, d, 200)
    close((begin - d.qvel[0]) / 0.4, friction * GRAVITY, 0.01 * GRAVITY, "deceleration")
    assert d.qvel[0] > 0.5
