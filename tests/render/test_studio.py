"""Studio pictures, tested by properties that they must have: shadows, corners, lens, metals, transparency, tiles. Needs EGL or
OSMesa, but no GPU; fails without them.
"""

import numpy as np
import pytest

import tumble as mj
from tumble.studio import PLAIN, Look, Studio

W, H = 240, 160
SMALL = 16
# tolerance of a mean of bytes over some pixels: rounding, and the remaining noise of a few pictures
NOISE = 4.0
# fraction of pixels in which a picture that is split into tiles may show the neighboring surface: at edges, the last digits of
# the projection decide
EDGES = 1e-3

# a slab on two posts above a floor, light straight from above; the slab's shadow falls from 1 m, that of the low tile beside it
# from 1 cm
SHADOWS = """<mujoco><statistic center="0 0 0" extent="3"/><visual>
    <headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/><map znear=".01"/></visual>
 <worldbody><light pos="0 0 4" dir="0 0 -1" directional="true" diffuse=".8 .8 .8"/>
 <geom type="plane" size="4 4 .1" rgba="1 1 1 1"/>
 <geom type="box" pos="-1 0 1" size=".5 .5 .01" rgba="1 0 0 1"/><geom type="box" pos="1 0 .02" size=".5 .5 .01" rgba="0 0 1 1"/>
 <camera name="below" pos="0 -4 .4" xyaxes="1 0 0 0 .1 1" fovy="45"/></worldbody></mujoco>"""
# a wall on a floor, in uniform light only
CORNER = """<mujoco><statistic center="0 0 0" extent="3"/><visual>
    <headlight ambient=".5 .5 .5" diffuse="0 0 0" specular="0 0 0"/></visual>
 <worldbody><geom type="plane" size="4 4 .1" rgba="1 1 1 1"/><geom type="box" pos="0 .1 .5" size="2 .1 .5" rgba="1 0 0 1"/>
 <camera name="front" pos="0 -5 3" xyaxes="1 0 0 0 .5 .85" fovy="40"/></worldbody></mujoco>"""
# three thin bars: near, in the middle, far
LENS = """<mujoco><statistic center="0 0 0" extent="3"/><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>
    </visual><worldbody>
 <geom type="box" pos="-.3 -1.2 0" size=".01 .01 1"/><geom type="box" pos="0 0 0" size=".01 .01 1"/>
   <geom type="box" pos="1 4 0" size=".02 .01 2"/>
 <camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="45"/></worldbody></mujoco>"""
METAL = """<mujoco><visual><headlight ambient=".2 .2 .2" diffuse=".2 .2 .2"/></visual>
 <asset><material name="metal" rgba="1 .5 .1 1" metallic="1" roughness=".2"/>
   <material name="paint" rgba="1 .5 .1 1" metallic="0" roughness=".2"/>
 <material name="old" rgba="1 .5 .1 1"/></asset>
 <worldbody><light pos="0 -3 3" dir="0 1 -1" directional="true" diffuse=".6 .6 .6" specular="1 1 1"/>
 <geom pos="-1 0 0" size=".4" material="metal"/><geom pos="0 0 0" size=".4" material="paint"/>
   <geom pos="1 0 0" size=".4" material="old"/>
 <camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="35"/></worldbody></mujoco>"""


def taken(xml, camera, look, width=W, height=H):
    """A picture as numbers (height, width, 3 or 4)."""
    m = mj.MjModel.from_xml_string(xml)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with Studio(m) as studio:
        studio.update_scene(d, camera)
        return studio.picture(width, height, look).astype(float)


def penumbra(row):
    """Count the pixels of a row of grays that are neither lit nor dark."""
    share = (row - row.min()) / (row.max() - row.min())
    return int(((share > 0.1) & (share < 0.9)).sum())


def test_shadows_soften_with_the_distance():
    """A shadow is sharp near its caster and wide below a high one. It is always hard if the light is a point."""
    high, low = (
        SHADOWS.replace('pos="-1 0 1"', f'pos="0 0 {z}"')
        .replace('pos="1 0 .02"', 'pos="9 0 .02"')
        .replace('name="below" pos="0 -4 .4" xyaxes="1 0 0 0 .1 1"', 'name="below" pos="0 -2.5 .5" xyaxes="1 0 0 0 .2 1"')
        for z in (0.9, 0.02)
    )
    soft, hard = Look(samples=64, environment=0.0, softness=6.0), Look(samples=64, environment=0.0, softness=0.0)
    # a row of the floor in front of the slab's shadow, across both of its edges
    widths = {}
    for name, xml, look in (("high", high, soft), ("low", low, soft), ("hard", high, hard)):
        image = taken(xml.replace('rgba="1 0 0 1"', 'rgba="1 1 1 1"'), "below", look)[:, :, 0]
        row = image[int(np.argmin(image[H // 2 + 8 :, W // 2])) + H // 2 + 8]
        widths[name] = penumbra(row)
    assert widths["high"] > 3 * max(widths["low"], widths["hard"], 1)


def test_light_of_the_surroundings_does_not_reach_corners():
    """The floor is darker at the foot of the wall than far from it. Without the effect it is uniform. The open floor is equally
    bright in both.
    """
    with_, without = (
        taken(CORNER, "front", Look(samples=32, environment=share))[:, W // 2 - 20 : W // 2 + 20, 2] for share in (1.0, 0.0)
    )
    # the wall is red
    floor = [k for k in range(H // 2, H) if with_[k].min() > 10]
    corner, far = with_[floor[1]].mean(), with_[floor[-10:]].mean()
    assert corner < 0.7 * far and (np.diff([with_[k].mean() for k in floor[1::8]]) > -NOISE).all()
    assert abs(without[floor[1:]].mean(1) - without[-10:].mean()).max() < NOISE
    assert far == pytest.approx(without[-10:].mean(), rel=0.15)


def test_the_lens_blurs_what_is_not_in_focus():
    """The bar in focus, by default the middle one, stays the same; the others become wide and faint."""

    def steepest(image, low, high):
        return np.abs(np.diff(image[H // 2, low:high, 0])).max()

    sharp, middle, near = (
        taken(LENS, "front", Look(samples=24, **more)) for more in ({}, {"aperture": 0.2}, {"aperture": 0.2, "focus": 1.8})
    )
    place = {name: slice(at - 14, at + 15) for name, at in (("near", 89), ("middle", 120), ("far", 148))}
    for name, part in place.items():
        before, after, other = (steepest(image, part.start, part.stop) for image in (sharp, middle, near))
        assert before > 30, name
        assert after > 0.7 * before if name == "middle" else after < 0.6 * before, name
        assert (other > 0.7 * before) == (name == "near"), name


def test_metals_reflect_in_their_colour():
    """Reflections in a metal have its color, brighter above than below. Highlights of paint are white. A material without
    settings looks the same as before.
    """
    image = taken(METAL, "front", Look(samples=16))
    # the centers of neighboring balls are 63 pixels apart
    metal = image[H // 2 - 18 : H // 2 + 19, W // 2 - 63 - 12 : W // 2 - 63 + 13]
    dull = metal[metal.max(2) < 250]
    assert (dull[:, 2] < 0.35 * dull[:, 0] + NOISE).mean() > 0.95
    assert metal[:5, :, 0].mean() > 1.2 * metal[-5:, :, 0].mean()
    paint = image[:, W // 2 - 26 : W // 2 + 27].reshape(-1, 3)
    assert paint.min(1).max() > 200
    plain, old = (
        taken(METAL.replace(' metallic="1" roughness=".2"', "").replace(' metallic="0" roughness=".2"', ""), "front", PLAIN),
        taken(METAL, "front", PLAIN),
    )
    assert np.abs(plain - old)[:, 2 * W // 3 + 4 :].max() <= NOISE
    assert np.abs(plain - old)[:, : W // 3].max() > 10 * NOISE


GLASS = CORNER.replace('rgba="1 0 0 1"', 'rgba=".2 .8 .3 .5"')


@pytest.mark.parametrize("xml", [LENS, GLASS], ids=["opaque", "glass"])
def test_a_transparent_picture_lies_on_any_background(xml):
    """A transparent picture composited over black equals the picture in front of black. Empty pixels have alpha 0."""
    look = Look(samples=16, environment=0.0, ground=False)
    before = taken(xml, "front", look)
    cut = taken(xml, "front", Look(samples=16, environment=0.0, ground=False, transparent=True))
    alpha = cut[:, :, 3:] / 255
    assert np.abs(alpha * cut[:, :, :3] - before).max() <= NOISE
    assert (alpha == 0).any() and (cut[alpha[:, :, 0] == 0] == 0).all()
    assert alpha.max() == 1 if xml is LENS else 0.4 < np.median(alpha[alpha > 0]) < 0.8


def test_tiles_make_one_picture():
    m = mj.MjModel.from_xml_string(METAL)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with Studio(m) as studio:
        studio.update_scene(d, "front")
        whole = studio.picture(W, H, Look(samples=4, aperture=0.1))
        parts = studio._photographer.picture(studio.scene, W, H, Look(samples=4, aperture=0.1), side=100)
    assert (np.abs(whole.astype(int) - parts).max(2) > NOISE).mean() <= EDGES


def test_what_scripts_take_is_as_before():
    """The scene and the renderer are unchanged afterwards."""
    m = mj.MjModel.from_xml_string(METAL)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with mj.Renderer(m, H, W) as renderer:
        renderer.update_scene(d, "front")
        wanted = renderer.render()
    with Studio(m) as studio:
        studio.update_scene(d, "front")
        first = studio.picture(W, H, PLAIN)
        studio.picture(SMALL, SMALL, Look(samples=2, aperture=0.5, transparent=True, ground=False))
        assert (studio.picture(W, H, PLAIN) == first).all()
    with mj.Renderer(m, H, W) as renderer:
        renderer.update_scene(d, "front")
        assert (renderer.render() == wanted).all()


@pytest.mark.parametrize(
    "row,value", [("samples", 0), ("softness", 90.0), ("aperture", -0.1), ("environment", float("nan")), ("focus", -1.0)]
)
def test_what_is_out_of_range_is_said(row, value):
    with pytest.raises(ValueError, match=row):
        Look(**{row: value})
