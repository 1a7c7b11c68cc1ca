"""Pictures of scripts equal MuJoCo's: shapes, textures, shadows, mirrors, fog, and everything that mixes colors between
vertices.

The reference draws in a separate process, because two renderers in one disturb each other. Needs EGL, like the other
tests of this folder.
"""

import json
import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest

from tests.oracle import load_pair
from tumble.render.gl.lighting import LIGHTING
from tumble.render.offscreen import Renderer

W, H = 160, 120
# mean of absolute differences of 8-bit colours: the reference rounds once for every source with a shadow
MEAN = 0.35
# fraction of pixels with a channel that differs by more than OFF: single ones at the borders of shadows
OFF, SHARE = 24, 0.002

HEAD = """<mujoco><statistic extent="3" center="0 0 .5"/><visual>\
<headlight ambient=".1 .1 .1" diffuse=".2 .2 .2" specular=".3 .3 .3"/>
  <global azimuth="130" elevation="-25"/>{visual}</visual><asset>
  <texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="64"/>
  <texture name="grid" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".6 .7 .8" width="64" height="64" mark="edge"\
 markrgb="1 1 1"/>
  <texture name="cube" type="cube" builtin="checker" rgb1=".9 .3 .2" rgb2=".2 .3 .9" width="32" height="32"/>
  <material name="grid" texture="grid" texrepeat="2 3" texuniform="true" {floor}/>
  <material name="cube" texture="cube" specular=".9" shininess=".8" texuniform="true"/>
  <material name="glow" rgba=".2 .6 .3 1" emission=".6" specular="1" shininess=".1"/>
  <mesh name="gem" vertex="0 0 .5 .3 0 0 0 .3 0 -.3 0 0 0 -.3 0 0 0 -.4"/>
  <hfield name="hill" nrow="6" ncol="5" size=".6 .5 .3 .1" elevation="0 1 2 1 0 1 3 4 2 0 0 2 5 2 1 0 1 2 1 0 0 0 1 0 0 0 0 0\
 0 0"/></asset>
 <worldbody>{lights}<geom type="plane" size="{plane}" material="grid"/>"""
THINGS = """<geom size=".3" pos="-.9 0 .4" material="cube"/><geom type="capsule" size=".15 .3" pos="-.2 .2 .6" euler="20 40 0"\
 material="grid"/>
  <geom type="cylinder" size=".2 .3" pos=".5 .5 .5" euler="30 0 0" rgba=".8 .7 .2 1"/>
  <geom type="box" size=".3 .2 .2" pos=".8 -.5 .5" euler="10 20 30" material="cube"/>
  <geom type="ellipsoid" size=".3 .2 .1" pos="-.3 -.8 .4" material="glow"/>\
<geom type="mesh" mesh="gem" pos=".2 -.6 .9" rgba=".7 .5 .8 1"/>"""
SPOT = """<light pos="1.5 1 2.5" dir="-.4 -.3 -1" cutoff="60" exponent="6" attenuation=".7 .1 .05" diffuse=".8 .7 .6"
    specular=".6 .6 .6"/>"""
SUN = """<light type="directional" pos="0 -1 4" dir=".2 .3 -1" diffuse=".4 .4 .5" ambient=".1 .1 .1" castshadow="{cast}"/>"""


def world(things, lights=SPOT + SUN.format(cast="true"), visual="", floor="", plane="3 3 .1"):
    """Text of a model."""
    return HEAD.format(visual=visual, floor=floor, lights=lights, plane=plane) + things + "</worldbody></mujoco>"


WORLDS = {
    "shapes": world(THINGS),
    "coarse": world(THINGS, visual='<quality numslices="7" numstacks="5" numquads="2" shadowsize="512"/>'),
    "unlit by the sun": world(THINGS, SPOT),
    "sun without shadow": world(THINGS, SUN.format(cast="false")),
    "no lights": world(THINGS, "", '<quality shadowsize="0"/>').replace("<headlight ", '<headlight active="0" '),
    "nine lights": world(
        THINGS, "".join(f'<light pos="{k - 4} 0 2" dir="0 0 -1" cutoff="30" diffuse=".5 .{k} .5"/>' for k in range(9))
    ),
    "mirror": world(THINGS, floor='reflectance=".4"'),
    "mirror box": world(THINGS + '<geom type="box" size=".5 .5 .1" pos="0 1 .3" rgba=".4 .4 .5 1" material="shiny"/>').replace(
        "</asset>", '<material name="shiny" reflectance=".6"/></asset>'
    ),
    "endless": world(
        THINGS, plane="0 0 .1", visual='<map haze=".5" fogstart="2" fogend="8"/><rgba haze=".8 .5 .3 1" fog=".7 .8 .9 1"/>'
    ),
    "long floor": world(THINGS, plane="4 0 .3"),
    "clear": world(
        THINGS.replace("<geom ", '<geom rgba="1 1 1 .4" ', 2) + '<geom size=".25" pos="-.6 .1 .5" rgba="0 0 1 .5"/>'
        '<geom type="box" size=".2 .2 .2" pos="0 0 .3" rgba="1 0 0 .5"/><geom size=".25" pos=".3 .2 .5" rgba="0 1 0 .5"/>'
    ),
    "rays": world(
        THINGS + "".join(f'<body><site name="s{k}" pos="{0.3 * k - 1} -1.2 1.2" zaxis="0 .5 -1"/></body>' for k in range(7))
    ).replace("</mujoco>", "<sensor>" + "".join(f'<rangefinder site="s{k}"/>' for k in range(7)) + "</sensor></mujoco>"),
    "holes": world(THINGS + '<geom type="box" size=".6 .6 .02" pos="0 0 1.2" material="net"/>').replace(
        "</asset>",
        '<texture name="net" type="2d" builtin="checker" rgb1="1 1 0" rgb2="0 1 1" width="8" height="8" nchannel="4"/>'
        '<material name="net" texture="net"/></asset>',
    ),
    "hill": world('<geom type="hfield" hfield="hill" pos="0 0 .3" rgba=".5 .7 .4 1"/>'),
    "twice": world(
        '<geom type="box" size=".5 .5 .3" pos="0 0 .3" rgba="1 0 0 1"/><geom size=".1" pos="0 0 1"/>'
        '<geom type="box" size=".5 .5 .3" pos="0 0 .3" rgba="0 1 0 1"/>'
    ),
    "cloth": world(
        '<flexcomp name="f" type="grid" count="6 6 1" spacing=".2 .2 .2" pos="0 0 .7" dim="2" radius=".02" rgba=".8 .5 .2 1">'
        '<contact selfcollide="none"/></flexcomp><geom size=".3" pos="0 0 .5"/>'
    ),
}
SHOT = "out[name] = r.render()"
SCRIPT = (
    """
import json, sys
import mujoco, numpy as np
out = {}
for name, text in json.load(sys.stdin).items():
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with mujoco.Renderer(m, HEIGHT, WIDTH) as r:
        r.update_scene(d)
        SHOT
np.savez(sys.argv[1], **out)
""".replace("HEIGHT", str(H))
    .replace("WIDTH", str(W))
    .replace("SHOT", SHOT)
)


def oracle(worlds, path, script=SCRIPT):
    """Arrays that the reference's Renderer makes of some models."""
    env = {k: v for k, v in os.environ.items() if k != "PYOPENGL_PLATFORM"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        input=json.dumps(worlds),
        text=True,
        capture_output=True,
        env=dict(env, MUJOCO_GL="egl"),
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    with np.load(path) as found:
        return {name: found[name].astype(int) for name in worlds}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    return oracle(WORLDS, tmp_path_factory.mktemp("oracle") / "pictures.npz")


def ours(text, lighting, segments=False):
    ref, data, _, _ = load_pair(text)
    mujoco.mj_forward(ref, data)
    with Renderer(ref, H, W, lighting=lighting) as r:
        r.update_scene(data)
        if segments:
            r.enable_segmentation_rendering()
        return r.render().astype(int)


@pytest.mark.parametrize("name", WORLDS)
def test_picture_equals_the_reference(name, pictures):
    """Colours agree everywhere but in single pixels at borders."""
    got = np.abs(ours(WORLDS[name], "classic") - pictures[name])
    assert got.mean() < MEAN, "mean difference"
    assert (got.max(-1) > OFF).mean() < SHARE, "pixels that differ"


@pytest.mark.parametrize("seed", range(3))
def test_coinciding_surfaces_show_the_same_one(seed, tmp_path):
    """If faces of boxes lie in a common plane, the last bit of depth decides which one a pixel shows, as in the reference."""
    rng = np.random.default_rng(seed)
    boxes = "".join(
        f'<geom type="box" size="{rng.uniform(0.1, 0.4):.2f} {rng.uniform(0.1, 0.4):.2f} .2" pos="{x:.2f} {y:.2f} .3"/>'
        for x, y in rng.uniform(-1, 1, (20, 2))
    )
    text = world(f'<body euler="{10 * seed} 25 40">{boxes}</body>')
    found = oracle({"boxes": text}, tmp_path / "ids.npz", SCRIPT.replace(SHOT, "r.enable_segmentation_rendering(); " + SHOT))[
        "boxes"
    ]
    got = ours(text, "classic", True)
    assert len(np.unique(found[..., 0])) > 8, "many boxes are seen"
    assert (got != found).any(-1).mean() < SHARE


def test_light_at_pixels_is_another_look(pictures):
    """On an endless floor the two looks differ by far more than the classic one does from the reference."""
    assert np.abs(ours(WORLDS["endless"], "pixel") - pictures["endless"]).mean() > 3 * MEAN


def test_lighting_can_be_replaced():
    """A renderer whose lighting is changed back and forth draws the same as one made with that lighting."""
    text = WORLDS["endless"]
    ref, data, _, _ = load_pair(text)
    mujoco.mj_forward(ref, data)
    with Renderer(ref, H, W) as r:
        r.update_scene(data)
        for name in ("classic", "pixel", "classic"):
            r._gl.renderer.lighting = LIGHTING[name]
            assert (r.render() == ours(text, name)).all(), name


def test_unknown_lighting_names_the_choices():
    ref, _, _, _ = load_pair(WORLDS["shapes"])
    with pytest.raises(ValueError, match="classic"):
        Renderer(ref, 20, 20, lighting="candle")
