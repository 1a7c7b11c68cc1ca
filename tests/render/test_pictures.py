"""Pictures: objects of the scene appear in the image where they should be. Needs EGL or OSMesa, but no GPU; fails without
them."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.oracle import load_pair
from tumble.render.offscreen import Renderer

ROOM = """<mujoco><statistic extent="2" center="0 0 .5"/><asset>
  <texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="64"/>
  <texture name="grid" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".2 .3 .4" width="64" height="64"/>
  <material name="grid" texture="grid" texrepeat="1 1" texuniform="true" reflectance=".3"/></asset>
 <worldbody><light pos="0 0 4" castshadow="true"/><geom name="floor" type="plane" size="0 0 .1" material="grid"/>
  <body pos="0 0 1"><freejoint/><geom name="ball" type="sphere" size=".3" rgba="1 0 0 1"/></body>
  <camera name="top" pos="0 0 4"/></worldbody></mujoco>"""
SIZE = 120
WHITE = 8


@pytest.fixture(scope="module")
def room():
    ref, data, _, _ = load_pair(ROOM)
    mujoco.mj_forward(ref, data)
    with Renderer(ref, SIZE, SIZE) as r:
        yield ref, data, r


def test_segmentation_and_distance_of_a_ball_from_above(room):
    """The ball covers a disk of the radius that perspective gives it; its top is 4 - 1.3 m away, the floor 4 m."""
    ref, data, r = room
    r.update_scene(data, "top")
    r.enable_segmentation_rendering()
    seg = r.render()
    r.enable_depth_rendering()
    depth = r.render()
    r.disable_depth_rendering()
    ball = seg[..., 0] == ref.geom("ball").id
    radius = np.sqrt(ball.sum() / np.pi)
    # silhouette of a sphere: tan of the half angle asin(r / distance)
    expected = np.tan(np.arcsin(0.3 / 3)) / np.tan(np.radians(ref.cam_fovy[0] / 2)) * SIZE / 2
    assert abs(radius - expected) < 0.7, "tessellation and pixels"
    assert abs(depth[SIZE // 2, SIZE // 2] - 2.7) < 3e-3, "half a pixel off the pole, tessellated"
    assert abs(depth[3, 3] - 4) < 1e-3
    assert (seg[..., 1] == int(mujoco.mjtObj.mjOBJ_GEOM)).all(), "the floor fills the rest"


def test_colours_shadow_and_sky(room):
    """The ball is red, its shadow is darker than the floor beside it, the sky is blue."""
    _, data, r = room
    r.update_scene(data, "top")
    top = r.render().astype(int)
    mid = top[SIZE // 2, SIZE // 2]
    assert mid[0] > mid[1] + 60 and mid[0] > mid[2] + 60
    cam = mujoco.MjvCamera()
    cam.lookat[:], cam.distance, cam.azimuth, cam.elevation = (0, 0, 0.5), 4, 90, -15
    r.update_scene(data, cam)
    view = r.render().astype(int)
    assert view[2, SIZE // 2, 2] > view[2, SIZE // 2, 0] + 20, "sky"
    r.scene.flags[int(mujoco.mjtRndFlag.mjRND_SHADOW)] = 0
    plain = r.render().astype(int)
    r.scene.flags[int(mujoco.mjtRndFlag.mjRND_SHADOW)] = 1
    # without shadows, the sum of all lights is clamped to white before it is multiplied with the texture; with them, each light
    # separately is
    assert (plain - view).max() > 20 and (view - plain).max() <= WHITE, "shadows only darken"


def test_mirror_shows_the_ball_in_the_floor(room):
    """With reflection on there is red in the floor where the mirrored ball is."""
    _, data, r = room
    cam = mujoco.MjvCamera()
    cam.lookat[:], cam.distance, cam.azimuth, cam.elevation = (0, 0, 0), 5, 90, -20
    r.update_scene(data, cam)
    r.scene.flags[int(mujoco.mjtRndFlag.mjRND_REFLECTION)] = 1
    on = r.render().astype(int)
    r.scene.flags[int(mujoco.mjtRndFlag.mjRND_REFLECTION)] = 0
    off = r.render().astype(int)
    more = (on - off)[..., 0] > 10
    assert more.sum() > 20 and more[: SIZE // 2].sum() == 0, "the image lies below the horizon of the ball"


def test_close_twice_and_render_after_close():
    """Closing frees once; rendering afterwards is an error."""
    ref, data, _, _ = load_pair(ROOM)
    mujoco.mj_forward(ref, data)
    r = Renderer(ref, 20, 20)
    r.update_scene(data)
    r.close()
    r.close()
    with pytest.raises(RuntimeError, match="after close"):
        r.render()


def test_too_large_images_name_the_clause():
    """The message tells what to write in the model."""
    ref, _, _, _ = load_pair(ROOM)
    with pytest.raises(ValueError, match='offwidth="my_width"'):
        Renderer(ref, 100, 10000)


@pytest.mark.parametrize("camera", ["top", -1])
@pytest.mark.parametrize("state", ["never computed", "not a number", "infinite", "huge"])
def test_states_without_a_sensible_picture_are_drawn_all_the_same(room, state, camera):
    """With a camera without a direction, or a ball at NaN, the picture is meaningless, but no script fails."""
    ref, _, r = room
    data = mujoco.MjData(ref)
    if state != "never computed":
        data.qpos[:3] = {"not a number": np.nan, "infinite": np.inf, "huge": 1e30}[state]
        mujoco.mj_kinematics(ref, data)
        mujoco.mj_camlight(ref, data)
    r.update_scene(data, camera)
    assert r.render().shape == (SIZE, SIZE, 3)
    r.enable_segmentation_rendering()
    assert r.render().shape == (SIZE, SIZE, 2)
    r.disable_segmentation_rendering()


@pytest.mark.parametrize("size", ["2147483647", "-5"])
@pytest.mark.parametrize("kind", ["sphere", "box"])
def test_sizes_that_a_model_requests_are_limited(size, kind):
    """Without limits, they exhaust the memory, or end the process in the driver."""
    names = "shadowsize", "offsamples", "numslices", "numstacks", "numquads"
    quality = " ".join(f'{name}="{size}"' for name in names)
    ball = f'<geom type="{kind}" size=".3 .3 .3" rgba="1 0 0 1"/>'
    m = tumble.MjModel.from_xml_string(f"""<mujoco><visual><quality {quality}/></visual>
      <worldbody><light/><geom type="plane" size="2 2 1"/>{ball}</worldbody></mujoco>""")
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    with Renderer(m, 32, 32) as renderer:
        renderer.update_scene(d)
        assert np.ptp(renderer.render()) > 50
