"""The picture inside a window: its background, and labels independent of its resolution. Needs EGL or OSMesa, but no GPU; fails
without them.
"""

import numpy as np
import pytest

import tumble as mj
from tumble.render.offscreen import Renderer

FLOOR = """<mujoco><statistic extent="2" center="0 0 .5"/><asset><material name="shiny" reflectance=".5"/></asset>
 <worldbody><light pos="0 0 4"/><geom name="floor" type="plane" size="2 2 .1" material="shiny" rgba=".3 .3 .3 1"/>
 <geom name="ball" pos="0 0 .6" size=".3" rgba="1 0 0 1"/></worldbody></mujoco>"""
W, H = 240, 160
BACKGROUND = (0.2, 0.4, 0.8)


@pytest.fixture(scope="module")
def made():
    m = mj.MjModel.from_xml_string(FLOOR)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with Renderer(m, H, W) as r:
        yield m, d, r


def picture(r, scale):
    """(H, W, 3) numbers of a pane at this resolution."""
    from tumble.render.gl.image import read_rgb
    from tumble.render.gl.pane import Pane
    from tumble.render.gl.targets import Target

    window, pane = Target(), Pane(r._gl.renderer)
    window.resize(W, H)
    pane.draw(r.scene, (0, 0, W, H), scale, window.fbo)
    out = read_rgb(window.fbo, W, H).astype(int)
    pane.close()
    window.free()
    return out


def test_the_background_shows_where_there_is_no_sky_and_nowhere_else(made):
    """The background shows neither in the floor, which mirrors only the model's geoms, nor in ids."""
    _m, d, r = made
    r.update_scene(d)
    black = picture(r, 1.0)
    r._gl.renderer.background = BACKGROUND
    blue = picture(r, 1.0)
    r._gl.renderer.background = (0.0, 0.0, 0.0)
    r.enable_segmentation_rendering()
    nothing = r.render()[..., 0] < 0
    r.disable_segmentation_rendering()
    inside = ~nothing
    for axis in (0, 1):
        # away from edges, which multisampling mixes
        inside &= np.roll(~nothing, 1, axis) & np.roll(~nothing, -1, axis)
    np.testing.assert_array_equal(blue[inside], black[inside])
    assert inside.sum() > 2000
    assert np.abs(blue[2, 2] - 255 * np.array(BACKGROUND)).max() <= 1 and black[2, 2].max() == 0


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_labels_are_as_large_at_any_resolution(made, scale):
    m, d, r = made
    option = mj.MjvOption()
    r.update_scene(d, scene_option=option)
    without = picture(r, scale)
    option.label = int(mj.mjtLabel.mjLABEL_GEOM)
    r.update_scene(d, scene_option=option)
    written = np.abs(picture(r, scale) - without).max(2) > 120
    rows = np.flatnonzero(written.any(1))
    # two names, 19 pixels high including descenders, one above the other
    assert written.any() and m.ngeom == 2
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > 3) + 1)
    assert all(8 <= len(run) <= 20 for run in runs), [len(run) for run in runs]


def test_the_last_image_can_be_copied_again(made):
    """The copy is scaled if its size differs. Before the first image there is nothing to copy."""
    from tumble.render.gl.image import read_rgb
    from tumble.render.gl.pane import Pane
    from tumble.render.gl.targets import Target

    _m, d, r = made
    r.update_scene(d)
    window, pane = Target(), Pane(r._gl.renderer)
    window.resize(W, H)
    assert not pane.again((0, 0, W, H), window.fbo)
    pane.draw(r.scene, (0, 0, W, H), 0.5, window.fbo)
    first = read_rgb(window.fbo, W, H).astype(int)
    r._gl.renderer.begin(window.fbo, 0, 0, W, H, (1.0, 1.0, 1.0))
    assert pane.again((0, 0, W, H), window.fbo)
    np.testing.assert_array_equal(read_rgb(window.fbo, W, H), first)
    assert pane.again((0, 0, W // 2, H // 2), window.fbo) and not pane.again((0, 0, 0, H), window.fbo)
    small = read_rgb(window.fbo, W // 2, H // 2).astype(int)
    assert np.abs(small - first.reshape(H // 2, 2, W // 2, 2, 3).mean((1, 3))).mean() < 4
    pane.close()
    window.free()


def test_a_model_that_is_uploaded_in_steps_looks_like_one_that_is_uploaded_at_once():
    """Textures and meshes may be uploaded in steps, cube textures face by face; the picture is the same as at once."""
    m = mj.MjModel.from_xml_string("""<mujoco><statistic extent="2" center="0 0 .5"/><asset>
     <texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="384"/>
     <texture name="flat" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
     <texture name="cube" type="cube" builtin="checker" rgb1="1 1 0" rgb2="0 1 0" width="64" height="64"/>
     <material name="flat" texture="flat" texrepeat="2 2"/><material name="cube" texture="cube"/>
     <mesh name="tet" vertex="0 0 0 .5 0 0 0 .5 0 0 0 .5"/></asset><worldbody><light pos="0 0 4"/>
     <geom type="plane" size="2 2 .1" material="flat"/><geom type="box" pos="0 0 .6" size=".3 .3 .3" material="cube"/>
     <geom type="mesh" mesh="tet" pos="-.7 0 .3" rgba="1 1 1 1"/></worldbody></mujoco>""")
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with Renderer(m, H, W) as r:
        r.update_scene(d)
        whole = r.render()
        renderer, steps = r._gl.renderer, 0
        renderer.upload(m, whole=False)
        assert renderer.waiting > 3
        while renderer.waiting:
            renderer.write(0.0)
            steps += 1
        assert steps >= 2 + 6
        np.testing.assert_array_equal(r.render(), whole)


def test_large_meshes_are_drawn_simplified_if_the_quality_says_so():
    """The picture hardly changes, with a tenth of the triangles. A mesh that is uploaded again is drawn as it is now."""
    from dataclasses import replace

    from tests.render.test_simplify import ball, grid
    from tumble.render.gl.assets import prepare

    vert, ind = grid(150, lambda u, v: ball(0.4 + 0.2 * u, 0.4 + 0.2 * v))
    points, faces = " ".join(map(str, vert[:, :3].ravel())), " ".join(map(str, ind))
    m = mj.MjModel.from_xml_string(f"""<mujoco><statistic extent="1" center="0 0 1"/>
     <asset><mesh name="ball" vertex="{points}" face="{faces}" inertia="shell" smoothnormal="true"/></asset>
     <worldbody><light pos="0 -2 4"/><geom type="mesh" mesh="ball" pos="0 0 1" rgba="1 .5 .2 1"/></worldbody></mujoco>""")
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with Renderer(m, H, W) as r:
        r.update_scene(d)
        renderer = r._gl.renderer
        renderer.upload(m, prepare(m, simple=True))
        full = r.render().astype(int)
        many = renderer.stats["triangles"]
        renderer.quality = replace(renderer.quality, triangles=6000)
        fewer = r.render().astype(int)
        assert renderer.stats["triangles"] < 0.4 * many
        assert np.abs(fewer - full).mean() < 1 and (full.max(2) > 0).sum() > 2000
        m.mesh_vert[:] *= 0.5
        renderer.update_mesh(0)
        assert renderer.stats["triangles"] < 0.4 * many
        small = r.render().astype(int)
        assert renderer.stats["triangles"] == many
        assert (small.max(2) > 0).sum() < 0.4 * (full.max(2) > 0).sum()
