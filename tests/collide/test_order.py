"""Whole scenes: which pairs are tried, their order and parameters, and growth of the storage for contacts."""

import contextlib

import mujoco
import numpy as np
import pytest

from tests.mirror import mirror
from tests.oracle import load_pair
from tumble import debug
from tumble.engine.core import stages

from .scenes import differences

HEAP = """<mujoco><option timestep=".004"/><worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/><geom type="box" size=".3 .3 .1" pos="0 0 .1" priority="1"
    friction=".4 .01 .002"/>
  {bodies}</worldbody>{extra}</mujoco>"""
LIMB = """<body pos="{x} {y} {z}" euler="{e} {e} 20"><freejoint/>
  <geom type="capsule" size=".05" fromto="-.15 0 0 .15 0 0" condim="{dim}" solmix="{mix}" margin=".01" gap=".004"/>
  <geom name="head{i}" type="sphere" size=".08" pos=".15 0 0" solref="{ref}" friction="{mix} .02 .001" contype="3"/>
  <body pos="-.15 0 0"><joint axis="0 1 0"/><geom name="hand{i}" type="box" size=".05 .06 .07" pos="-.1 0 0"
    solimp=".8 .9 .01"/>
    <geom type="sphere" size=".06" pos="-.2 0 0" conaffinity="2" condim="6"/></body></body>"""
PAIRS = """<contact><exclude body1="world" body2="{b}"/>
  <pair geom1="floor" geom2="head1" friction=".5 .6 .01 .02 .03" solref=".03 .7" condim="6" margin=".02" gap=".01"/>
  <pair geom1="hand0" geom2="head2" solreffriction=".05 1" condim="4"/><pair geom1="head0" geom2="floor" condim="1"/>
    </contact>"""


def heap(count=6, extra=""):
    rng = np.random.default_rng(3)
    limbs = "".join(
        LIMB.format(
            i=i,
            x=rng.uniform(-0.2, 0.2),
            y=rng.uniform(-0.2, 0.2),
            z=0.3 + 0.15 * i,
            e=rng.uniform(0, 90),
            dim=(1, 3, 4)[i % 3],
            mix=(1, 0.3, 0)[i % 3],
            ref=(".02 1", "-100 -10", ".01 .8")[i % 3],
        )
        for i in range(count)
    )
    return HEAP.format(bodies=limbs, extra=extra)


def settle(ref, ref_data, m, d, steps=200, every=20):
    """Compare along a simulation; return the number of contacts seen."""
    seen = 0
    for k in range(steps):
        mujoco.mj_step(ref, ref_data)
        if k % every == 0:
            mujoco.mj_fwdPosition(ref, ref_data)
            contacts = ref_data.ncon
            mujoco.mj_collision(ref, ref_data)
            seen += contacts
            assert all(e == 0 for e in differences(ref_data, m, d).values())
            assert np.array_equal(d.bvh_active, ref_data.bvh_active)
    return seen


@pytest.mark.parametrize("flag", ["", "filterparent='disable'", "midphase='disable'", "override='enable'"])
def test_heap_of_limbs(flag):
    override = 'o_margin=".03" o_solref=".04 .9" o_friction="1 .9 .02 .01 .01"' if "override" in flag else ""
    assert settle(*load_pair(heap(extra=f"<option {override}><flag {flag}/></option>"))) > 60


def test_explicit_pairs_and_exclusions():
    scene = (
        heap(extra=PAIRS.format(b="limb"))
        .replace("<freejoint/>", "<freejoint/>", 1)
        .replace("<body pos", '<body name="limb" pos', 1)
    )
    ref, ref_data, m, d = load_pair(scene)
    assert ref.npair == 3 and ref.nexclude == 1
    assert settle(ref, ref_data, m, d) > 50


@pytest.mark.parametrize("flag", ["contact", "constraint"])
def test_disabled(flag):
    ref, ref_data, m, d = load_pair(heap(extra=f"<option><flag {flag}='disable'/></option>"))
    mujoco.mj_forward(ref, ref_data)
    mirror(ref_data, d)
    stages.call("collision", m, d)
    assert d.ncon == 0


def test_storage_grows_and_the_stage_can_run_again():
    balls = "".join(
        f'<body pos="{0.1 * (i % 8)} {0.1 * (i // 8)} .05"><freejoint/><geom size=".06"/></body>' for i in range(64)
    )
    ref, ref_data, m, d = load_pair(f'<mujoco><worldbody><geom type="plane" size="5 5 .1"/>{balls}</worldbody></mujoco>')
    mujoco.mj_forward(ref, ref_data)
    d.reserve({**d.capacities, "ncon_cap": 1, "nbroad_cap": 1})
    for n in "geom_xpos", "geom_xmat", "xipos", "ximat":
        d.array(n)[...] = getattr(ref_data, n)
    stages.call("collision", m, d)
    assert d.ncon == ref_data.ncon > 100
    assert d.capacities["ncon_cap"] >= d.ncon
    assert np.array_equal(d.contact_geom, ref_data.contact.geom)
    assert np.array_equal(d.contact_pos, ref_data.contact.pos)


def test_listed_pairs_have_the_contacts_of_the_broad_phase():
    ref, ref_data, m, d = load_pair(
        heap(extra=PAIRS.format(b="limb"))
        .replace("<freejoint/>", "<freejoint/>", 1)
        .replace("<body pos", '<body name="limb" pos', 1)
    )
    for _ in range(150):
        mujoco.mj_step(ref, ref_data)
    mirror(ref_data, d)
    stages.call("collision", m, d)
    names = "contact_dist contact_pos contact_frame contact_geom".split()
    first, listed = {n: np.array(getattr(d, n)) for n in names}, d.nbroad
    # the list of touching pairs alone, in sorted order, gives the same contacts
    bodies = m.geom_bodyid[d.contact_geom]
    touching = sorted({(min(a, b) << 16) + max(a, b) for a, b in bodies.tolist()})
    assert 0 < len(touching) < listed
    for change in contextlib.nullcontext(), debug.interpreted("collide_pairs"):
        with change:
            for n in names:
                d.array(n)[...] = -1
            d.array("broad_pair")[: len(touching)], d.nbroad, d.ncon = touching, len(touching), 0
            stages.call("collide_pairs", m, d)
            assert all(np.array_equal(x, getattr(d, n)) for n, x in first.items())


def test_same_bits_on_every_run():
    ref, ref_data, m, d = load_pair(heap())
    for _ in range(150):
        mujoco.mj_step(ref, ref_data)
    mirror(ref_data, d)
    stages.call("collision", m, d)
    first = {n: np.array(getattr(d, n)) for n in ("contact_dist", "contact_pos", "contact_frame", "contact_geom")}
    stages.call("collision", m, d)
    assert all(np.array_equal(x, getattr(d, n)) for n, x in first.items())
