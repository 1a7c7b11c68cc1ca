"""The view without a window: hiding and fading, elements, cameras as text, geoms of a script, stereo."""

import re

import numpy as np
import pytest

import tumble as mj
from tests.app.models import CUBE, PENDULUM
from tumble.app.gestures import CTRL, LEFT, MIDDLE, RIGHT, SHIFT, Gestures, Rect
from tumble.app.looks import GHOST_ALPHA, Looks
from tumble.app.view import View
from tumble.render import scene as mjv

# the text has three decimals
SHOWN_DECIMALS = 6e-4
TREE = """<mujoco><worldbody><light/><geom name="floor" type="plane" size="1 1 .1"/>
 <body name="a"><freejoint/><geom name="ga" size=".1"/><geom name="skin" size=".1" contype="0" conaffinity="0"/>
   <site name="sa"/>
  <body name="b" pos="0 0 .5"><joint name="j"/><geom name="gb" size=".1"/></body></body>
 <body name="c" pos="1 0 0"><freejoint/><geom name="gc" size=".1"/></body></worldbody></mujoco>"""


def view_of(xml):
    m = mj.MjModel.from_xml_string(xml)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    intents = []
    view = View(intents.append)
    view.adopt(m, d, align=True)
    return view


def shown(view):
    """Names of the model geoms in the draw list, with their alpha."""
    scn = view.update()
    rows = scn.geom
    return {
        mj.mj_id2name(view.m, mj.mjtObj.mjOBJ_GEOM, int(rows.objid[i])): float(rows.rgba[i, 3])
        for i in range(scn.ngeom)
        if rows.objtype[i] == int(mj.mjtObj.mjOBJ_GEOM)
    }


def body(view, name):
    return mj.mj_name2id(view.m, mj.mjtObj.mjOBJ_BODY, name)


def test_hidden_faded_and_shown_again():
    view = view_of(TREE)
    assert set(shown(view)) == {"floor", "ga", "skin", "gb", "gc"}
    view.looks.set("hide", "body", body(view, "a"))
    assert set(shown(view)) == {"floor", "gb", "gc"}
    view.looks.set("ghost", "body", body(view, "a"))
    now = shown(view)
    assert now["ga"] == pytest.approx(GHOST_ALPHA) and now["gb"] == 1
    view.looks.set("show", "body", body(view, "a"))
    assert shown(view)["ga"] == 1


def test_only_and_all_below():
    view = view_of(TREE)
    view.looks.set("only", "body", body(view, "a"), subtree=True)
    assert set(shown(view)) == {"ga", "skin", "gb"}
    view.looks.set("focus", "geom", mj.mj_name2id(view.m, mj.mjtObj.mjOBJ_GEOM, "gc"))
    assert {n for n, alpha in shown(view).items() if alpha == 1} == {"gc"}
    view.looks.geoms_only("collision")
    assert set(shown(view)) == {"floor", "ga", "gb", "gc"}
    view.looks.geoms_only("visual")
    assert set(shown(view)) == {"floor", "skin", "gb", "gc"}
    assert view.looks.only == "visual"
    view.looks.set("show", "geom", 0)
    assert view.looks.only == "", "a single change ends the choice"
    view.looks.clear()
    assert len(shown(view)) == 5


def test_labels_move_with_their_geoms():
    view = view_of(TREE)
    view.opt.label = int(mj.mjtLabel.mjLABEL_GEOM)
    view.looks.set("hide", "geom", 0)
    scn = view.update()
    assert [scn.geoms[i].label for i in range(4)] == ["ga", "skin", "gb", "gc"]


def test_a_click_passes_through_what_is_hidden():
    view = view_of(CUBE)
    view.update()
    view.pick("select", 0.5, 0.5)
    assert view.selected == 1
    view.select(0)
    view.looks.set("hide", "body", 1)
    view.pick("select", 0.5, 0.5)
    assert view.selected == 0


def test_looks_outlive_a_reload_by_name():
    view = view_of(TREE)
    view.looks.set("hide", "geom", mj.mj_name2id(view.m, mj.mjtObj.mjOBJ_GEOM, "gc"))
    m = mj.MjModel.from_xml_string(TREE.replace('<geom name="ga"', '<geom name="new" size=".05"/><geom name="ga"'))
    view.adopt(m, mj.MjData(m), align=False)
    assert "gc" not in shown(view) and "new" in shown(view)


def test_an_element_selects_its_body():
    view = view_of(TREE)
    view.select_element("joint", 1)
    assert view.selected == body(view, "b") and view.element == ("joint", 1)
    view.select_element("site", 0)
    assert view.selected == body(view, "a")
    view.select_parent()
    assert view.element == ("body", 0)


def test_modes_of_empty_kinds():
    looks = Looks(mj.MjModel.from_xml_string("<mujoco/>"))
    looks.set("hide", "body", 0)
    assert looks.mode("body", 0) == 0 and not looks.any


def test_copied_camera_looks_the_same():
    view = view_of(PENDULUM)
    view.cam.azimuth, view.cam.elevation = 40.0, -25.0
    view.update()
    before = view.scn.camera[0]
    pos, forward, up = (np.array(getattr(before, n), float) for n in ("pos", "forward", "up"))
    pos = 0.5 * (pos + np.array(view.scn.camera[1].pos, float))
    text = view.camera_element()
    assert re.fullmatch(r'<camera pos="[-\d. ]+" xyaxes="[-\d. ]+"/>', text)
    m = mj.MjModel.from_xml_string(PENDULUM.replace("<worldbody>", f"<worldbody>{text}"))
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    np.testing.assert_allclose(d.cam_xpos[0], pos, atol=SHOWN_DECIMALS)
    mat = d.cam_xmat[0].reshape(3, 3)
    np.testing.assert_allclose(-mat[:, 2], forward, atol=3 * SHOWN_DECIMALS)
    np.testing.assert_allclose(mat[:, 1], up, atol=3 * SHOWN_DECIMALS)


def test_geoms_of_a_script_are_drawn_last():
    view = view_of(CUBE)
    count = view.update().ngeom
    view.user_scene = mjv.MjvScene(view.m, 10)
    mjv.mjv_initGeom(
        view.user_scene.geoms[0], mj.mjtGeom.mjGEOM_SPHERE, [0.3, 0, 0], [1, 2, 3], np.eye(3).ravel(), [1, 0, 1, 0.5]
    )
    view.user_scene.geoms[0].label = "mine"
    view.user_scene.ngeom = 1
    scn = view.update()
    assert scn.ngeom == count + 1
    last = scn.geoms[count]
    np.testing.assert_allclose(last.pos, [1, 2, 3])
    np.testing.assert_allclose(last.rgba, [1, 0, 1, 0.5])
    assert last.label == "mine" and last.type == int(mj.mjtGeom.mjGEOM_SPHERE)


def picture(view, width=320, height=160):
    from tumble.render.gl.context import GLContext
    from tumble.render.gl.image import ImageRenderer

    context = GLContext(width, height)
    context.make_current()
    renderer = ImageRenderer(view.m, None)
    image = np.array(renderer.rgb(view.scn, width, height))
    renderer.close()
    context.free()
    return image


def test_stereo_shows_two_eyes():
    """Side by side, the halves show the same cube from two positions."""
    view = view_of(CUBE)
    view.stereo = int(mj.mjtStereo.mjSTEREO_SIDEBYSIDE)
    view.m.vis.global_.ipd = 0.3
    view.update()
    image = picture(view).astype(int)
    red = image[..., 0] > 60 + image[..., 1]
    left, right = red[:, :160], red[:, 160:]
    assert left.any() and right.any()
    centers = [np.nonzero(half)[1].mean() for half in (left, right)]
    assert centers[0] > centers[1] + 2, "the nearer thing lies further right for the left eye"


def test_a_border_is_drawn():
    view = view_of(CUBE)
    view.update()
    view.scn.framewidth, view.scn.framergb = 6, [0, 1, 0]
    image = picture(view)
    assert (image[:5, :, 1] > 250).all() and (image[:, :5, 1] > 250).all() and image[80, 160, 1] < 200


@pytest.mark.parametrize("aspect,share", [(2.0, 1.0), (1.0, 1.0), (0.8, 1.25), (0.05, 2.5)])
def test_a_narrow_view_steps_back(aspect, share):
    """The free camera frames the model for any shape of the view; in a narrow strip the model need not shrink to a dot."""
    view = view_of(TREE)
    usual = mjv.MjvCamera()
    mjv.mjv_defaultFreeCamera(view.m, usual)
    view.aspect = aspect
    view.align()
    assert view.cam.distance == pytest.approx(share * usual.distance)


def test_frame_fills_the_view_with_what_is_selected():
    view = view_of(TREE)
    assert not view.frame(False), "nothing is selected"
    view.select(body(view, "c"))
    assert view.frame(False)
    np.testing.assert_allclose(view.cam.lookat, view.d.geom("gc").xpos)
    near = view.cam.distance
    # its radius fills half of the height, with some margin
    assert 0.1 < near * np.sin(np.radians(view.m.vis.global_.fovy) / 2) < 0.13
    view.select(body(view, "a"))
    view.frame(False)
    # the camera frames the body with the bodies attached to it, without the floor
    np.testing.assert_allclose(view.cam.lookat, [0, 0, 0.25])
    assert view.frame(True) and view.cam.distance > near


def test_a_model_on_a_huge_ground_does_not_open_as_a_speck():
    ground = '<geom type="box" size="400 400 .1" pos="0 0 -.2"/>'
    view = view_of(TREE.replace('<geom name="floor" type="plane" size="1 1 .1"/>', ground))
    assert view.cam.distance < 5 and abs(view.cam.lookat[2]) < 1
    # the model's own view is one key away
    view.align()
    assert view.cam.distance > 100
    # if the ground has a usual size, the model's own view is used
    usual = view_of(TREE)
    kept = usual.cam.distance
    usual.align()
    assert usual.cam.distance == kept


GESTURES = [(button, mods) for button in (LEFT, RIGHT, MIDDLE) for mods in (0, SHIFT)] + [
    (button, mods) for button in (LEFT, RIGHT) for mods in (CTRL, CTRL | SHIFT)
]
MOUSE = {LEFT: ("mjMOUSE_ROTATE_V", "mjMOUSE_ROTATE_H"), RIGHT: ("mjMOUSE_MOVE_V", "mjMOUSE_MOVE_H")}


def simulate(view, button, mods, dx, dy, height):
    """MuJoCo's simulate for a drag by (dx, dy) pixels, y down: its camera and pull afterwards."""
    reference = pytest.importorskip("mujoco")
    own = reference.MjModel.from_xml_string(TREE)
    data = reference.MjData(own)
    reference.mj_forward(own, data)
    scn, cam, pert = reference.MjvScene(own, 100), reference.MjvCamera(), reference.MjvPerturb()
    cam.azimuth, cam.elevation, cam.distance, cam.lookat[:] = (
        view.cam.azimuth,
        view.cam.elevation,
        view.cam.distance,
        view.cam.lookat,
    )
    pert.select, pert.localpos[:] = view.pert.select, view.pert.localpos
    category = int(reference.mjtCatBit.mjCAT_ALL)
    reference.mjv_updateScene(own, data, reference.MjvOption(), pert, cam, category, scn)
    names = MOUSE.get(button, ("mjMOUSE_ZOOM", "mjMOUSE_ZOOM"))
    action = int(getattr(reference.mjtMouse, names[bool(mods & SHIFT)]))
    if mods & CTRL:
        reference.mjv_initPerturb(own, data, scn, pert)
        reference.mjv_movePerturb(own, data, action, dx / height, dy / height, scn, pert)
    else:
        reference.mjv_moveCamera(own, action, dx / height, dy / height, scn, cam)
    return np.concatenate([[cam.azimuth, cam.elevation, cam.distance], cam.lookat, pert.refpos, pert.refquat])


def state_of(view):
    cam, pert = view.cam, view.pert
    return np.concatenate([[cam.azimuth, cam.elevation, cam.distance], cam.lookat, pert.refpos, pert.refquat])


@pytest.mark.parametrize("way", [(30, 0), (-30, 0), (0, 30), (0, -30)])
@pytest.mark.parametrize("button,mods", GESTURES)
def test_each_gesture_goes_the_way_it_goes_in_simulate(button, mods, way):
    view = view_of(TREE)
    view.cam.azimuth, view.cam.elevation = 60.0, -35.0
    view.select(body(view, "a"))
    view.cam.lookat[:] = view.d.xpos[body(view, "a")]
    view.update()
    gestures = Gestures(view)
    gestures.rect = rect = Rect(0, 0, 600, 400)
    view.aspect = rect.w / rect.h
    theirs = simulate(view, button, mods, *way, rect.h)
    gestures.press(button, mods, 300, 200, 1.0)
    before = state_of(view)
    gestures.move(mods, 300 + way[0], 200 + way[1])
    ours, theirs = state_of(view) - before, theirs - before
    if not mods & CTRL:
        # nothing is pulled
        ours, theirs = ours[:6], theirs[:6]
    assert np.abs(ours).max() > 1e-3 or button == MIDDLE and way[0]
    if button == LEFT and not mods & CTRL:
        # the angles equal simulate's; the point under the cursor stays there
        np.testing.assert_allclose(ours[:3], theirs[:3], atol=1e-12)
        at = view.pivot.point
        np.testing.assert_allclose(seen(view, at), (0.5, 0.5), atol=1e-9)
        assert np.linalg.norm(at - view.d.xpos[body(view, "a")]) == pytest.approx(0.1)
    elif button == RIGHT:
        # the direction is simulate's; the length keeps the point under the cursor
        np.testing.assert_allclose(ours / np.linalg.norm(ours), theirs / np.linalg.norm(theirs), atol=0.1)
        assert 0.5 < np.linalg.norm(ours) / np.linalg.norm(theirs) < 2.5
    else:
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_an_orbit_goes_around_the_look_at_point_where_nothing_is():
    view = view_of(TREE)
    view.cam.elevation = -5.0
    view.update()
    gestures = Gestures(view)
    gestures.rect = Rect(0, 0, 600, 400)
    lookat = view.cam.lookat.copy()
    gestures.press(LEFT, 0, 300, 4, 1.0)
    gestures.move(0, 360, 30)
    assert view.pivot is None and view.cam.azimuth != 90.0
    np.testing.assert_array_equal(view.cam.lookat, lookat)


def seen(view, point):
    """(x, y) of a point as fractions of the next picture, y up."""
    view.update()
    return view.lens().project(np.asarray(point))


@pytest.mark.parametrize("orthographic", [0, 1])
@pytest.mark.parametrize("elevation", [-80.0, -35.0, 10.0])
@pytest.mark.parametrize("mods", [0, SHIFT])
def test_a_pan_keeps_the_point_under_the_cursor(orthographic, elevation, mods):
    if mods and elevation > 0:
        pytest.skip("a level plane that is seen from below, or at its edge, is not what one pans in")
    view = view_of(TREE)
    view.m.vis.global_.orthographic = orthographic
    if orthographic:
        view.m.vis.global_.fovy = 2.0
    view.cam.elevation, view.aspect = elevation, 1.5
    view.update()
    gestures = Gestures(view)
    gestures.rect = Rect(0, 0, 600, 400)
    point = view.d.geom("gc").xpos
    x, y = seen(view, point)
    start = 600 * x, 400 * (1 - y)
    view.looks.set("hide", "geom", mj.mj_name2id(view.m, mj.mjtObj.mjOBJ_GEOM, "floor"))
    gestures.press(RIGHT, mods, *start, 1.0)
    anchor = None
    for i in range(1, 9):
        to = start[0] + 11 * i, start[1] - 7 * i
        gestures.move(mods, *to)
        anchor = view.grip.anchor
        at = seen(view, anchor)
        np.testing.assert_allclose((600 * at[0], 400 * (1 - at[1])), to, atol=1e-6)
    # the grabbed point is on the surface of the body
    assert np.linalg.norm(anchor - point) == pytest.approx(0.1)


@pytest.mark.parametrize("notches", [1.0, -2.0, 0.25])
def test_the_wheel_zooms_to_what_is_under_the_cursor(notches):
    view = view_of(TREE)
    view.aspect = 1.5
    point = view.d.geom("gc").xpos
    at, before = seen(view, point), float(view.cam.distance)
    view.move_camera("wheel", 0.0, 0.02 * notches, *at)
    assert (view.cam.distance < before) == (notches > 0)
    np.testing.assert_allclose(seen(view, point), at, atol=1e-9)


def test_a_tracking_camera_waits_while_its_body_is_pulled():
    view = view_of(TREE)
    view.select(body(view, "c"))
    view.set_camera(1)
    view.update()
    lookat = view.cam.lookat.copy()
    view.begin_perturb("translate")
    view.d.subtree_com[body(view, "c")] += (0.2, 0.1, 0.0)
    view.update()
    np.testing.assert_allclose(view.cam.lookat, lookat)
    view.end_perturb()
    view.update()
    while view.gliding:
        view.update()
    np.testing.assert_allclose(view.cam.lookat, view.d.subtree_com[body(view, "c")])


@pytest.mark.parametrize(("kind", "field"), [("FIXED", "fixedcamid"), ("TRACKING", "trackbodyid")])
@pytest.mark.parametrize("index", [-1, 0, 7])
def test_a_camera_that_the_model_lacks_becomes_free(kind, field, index):
    """Undo may restore a camera of an earlier model; if this model lacks it, the camera becomes free."""
    view = view_of(TREE)
    known = index == 0 and kind == "TRACKING"
    view.cam.type = int(mj.mjtCamera[f"mjCAMERA_{kind}"])
    setattr(view.cam, field, index)
    assert view.update() is not None
    assert (view.cam.type == mj.mjtCamera.mjCAMERA_FREE) != known
