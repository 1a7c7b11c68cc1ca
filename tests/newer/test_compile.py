"""Errors and warnings of later compilers, and values kept when a spec is edited and saved: they equal those of 4.0.1, while
files for 3.4 load as before.
"""

import gc
import tracemalloc

import numpy as np
import pytest

import tumble

from .scripts import RESIZED, SIZED

BODY = (
    "<worldbody><site name='a'/><body><joint type='{kind}' name='j'/><geom size='.1'/><site name='b' pos='1 0 0'/>"
    "</body></worldbody>"
)
FIXED = BODY.format(kind="hinge") + "<tendon><fixed {more}><joint joint='j' coef='1'/>{again}</fixed></tendon>"
# models that 4.0.1 refuses and 3.4 loads
REFUSED = {
    "row": "<asset><hfield name='h' nrow='1' ncol='3' size='1 1 1 1' elevation='0 1 2'/></asset>",
    "ball": BODY.format(kind="ball") + "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>",
    "twice": FIXED.format(more="", again="<joint joint='j' coef='1'/>"),
    "armature": FIXED.format(more="armature='-1'", again=""),
    "pulley": BODY.format(kind="hinge")
    + "<tendon><spatial><site site='a'/><site site='b'/><pulley divisor='0'/><site site='a'/><site site='b'/>"
    "</spatial></tendon>",
    "radius": "<asset><mesh name='m' builtin='cone' params='4 1.5'/></asset>",
    "image": "<asset><texture name='t' type='2d' file='t.tex'/></asset>",
    "mass": "<compiler discardvisual='true' inertiafromgeom='true'/><worldbody><body><joint/><geom size='.1' contype='0' "
    "conaffinity='0'/><geom size='.2'/></body>"
    "</worldbody>",
}
IMAGE = {"t.tex": np.array([1, 1], np.int32).tobytes() + b"abc"}


def load(text, compat="4.0"):
    return tumble.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>", IMAGE, compat=compat)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_since(name):
    load(REFUSED[name], "3.4")
    with pytest.raises(ValueError):
        load(REFUSED[name])


def test_visual_geoms_without_mass_are_discarded():
    assert load(REFUSED["mass"].replace("inertiafromgeom='true'", "")).ngeom == 1
    assert load(REFUSED["mass"].replace("contype='0'", "mass='0' contype='0'")).ngeom == 1


def test_what_is_deprecated_is_told():
    told = []
    tumble.set_mju_user_warning(told.append)
    try:
        text = "<compiler settotalmass='3'/><worldbody><body><joint/><geom size='.1'/></body></worldbody>"
        assert load(text, "3.4").body_mass[1] == 3 and not told
        assert load(text).body_mass[1] == 3 and len(told) == 1 and "settotalmass" in told[0]
    finally:
        tumble.set_mju_user_warning(None)


def test_libraries_that_cannot_be_loaded_are_left_out(tmp_path):
    (tmp_path / "libx.so").write_bytes(b"no library")
    with pytest.raises(tumble.FatalError):
        tumble.mj_loadAllPluginLibraries(str(tmp_path))
    told = []
    tumble.set_mju_user_warning(told.append)
    setattr(tumble, "compat", "4.0")
    try:
        tumble.mj_loadAllPluginLibraries(str(tmp_path))
    finally:
        setattr(tumble, "compat", None)
        tumble.set_mju_user_warning(None)
    assert len(told) == 1 and "libx.so" in told[0]


# text, fields that the saved text must keep
SAVED = (
    (
        "<default><tendon armature='.2' actuatorfrclimited='true' actuatorfrcrange='-3 4'/></default>"
        + BODY.format(kind="hinge")
        + "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>",
        "tendon_armature tendon_actfrclimited tendon_actfrcrange",
    ),
    (
        "<asset><texture name='t' type='2d' builtin='flat' rgb1='1 0 0' nchannel='4' width='4' height='4'/></asset>",
        "tex_nchannel",
    ),
    (
        "<default><camera sensorsize='.1 .2' resolution='10 20' focal='.3 .4'/></default><worldbody><camera/>"
        "<camera resolution='10 20' sensorsize='.3 .2'/></worldbody>",
        "cam_sensorsize cam_resolution cam_intrinsic",
    ),
    (
        "<default><material><layer texture='t' role='rgb'/></material></default><asset><texture name='t' type='2d' "
        "builtin='flat' width='4' height='4'/>"
        "<texture name='u' type='2d' builtin='flat' width='4' height='4'/><material name='m'/><material name='n'>"
        "<layer texture='u' role='rgb'/>"
        "<layer texture='t' role='normal'/></material></asset>",
        "mat_texid",
    ),
    (
        "<extension><plugin plugin='mujoco.sensor.touch_grid'/></extension>"
        + BODY.format(kind="hinge")
        + "<sensor><plugin plugin='mujoco.sensor.touch_grid' "
        "objtype='site' objname='a' reftype='site' refname='b'><config key='size' value='7 7'/><config "
        "key='nchannel' value='1'/><config key='fov' value='45 45'/>"
        "<config key='gamma' value='0'/></plugin></sensor>",
        "sensor_objid sensor_refid sensor_reftype",
    ),
)


@pytest.mark.parametrize(("text", "fields"), SAVED)
def test_saved_texts_keep(text, fields):
    spec = tumble.MjSpec.from_string(f"<mujoco>{text}</mujoco>")
    m = spec.compile()
    again = tumble.MjModel.from_xml_string(spec.to_xml())
    for name in fields.split():
        assert getattr(m, name).size and np.array_equal(getattr(m, name), getattr(again, name)), name


def test_edits_of_classes_bodies_and_muscles():
    spec = tumble.MjSpec.from_string(
        "<mujoco><compiler compat='4.0'/><default><default class='a'><geom size='3'/></default></default>"
        "<worldbody><body name='a'>"
        "<body name='b'/></body></worldbody></mujoco>"
    )
    default = spec.find_default("a")
    assert default is not None
    spec.delete(default)
    again = spec.add_default("a", spec.default)
    assert again is not None and spec.find_default("a") is again and again.geom.size[0] == 0
    body = spec.body("a")
    assert (
        body.find_child("a") is None
        and body.find_child("b") is spec.body("b")
        and spec.worldbody.find_child("world") is spec.worldbody
    )
    drive = spec.add_actuator()
    drive.set_to_muscle()
    assert list(drive.dynprm[:2]) == [0.01, 0.04] and drive.gainprm[0] == 0.75


ATTACHED = (
    "<worldbody><body name='a'><joint/><geom size='.1'/></body><frame name='f'><geom name='g' size='.1'/>"
    "</frame>{more}</worldbody>"
)


def test_a_model_is_attached_to_itself_by_body_or_frame():
    assert load(ATTACHED.format(more="<body><attach frame='f' prefix='x_'/></body>")).geom("x_g").bodyid == 2
    for more in ("<attach frame='f' body='a' prefix='x_'/>", "<attach prefix='x_'/>", "<attach frame='q' prefix='x_'/>"):
        with pytest.raises(ValueError):
            load(ATTACHED.format(more=more))


def test_meshes_are_made_in_scripts():
    spec = tumble.MjSpec()
    for kind, more in (
        ("grid", ()),
        ("grid", (2,)),
        ("box", (2,)),
        ("cylinder", ()),
        ("ellipsoid", ()),
        ("square", ()),
        ("disc", ()),
    ):
        mesh = spec.add_mesh(name=f"{kind}{more}")
        flat = kind in ("square", "disc") or more == (2,) and kind == "grid"
        getattr(mesh, f"make_{kind}")([4, 3, 1 if flat else 2], [0.1, 0.2, 0.3], *more)
        assert len(mesh.uservert) > 12 and bool(len(mesh.userface)) == bool(more or flat), kind
    with pytest.raises(ValueError, match="dim"):
        spec.add_mesh(name="m").make_box([2, 2, 2], [1, 1, 1], 1)


# colors, textures and shadows of drawn elements, as 4.0.1 has them in its scene
LOOKS = """<mujoco><visual><headlight active="auto"/></visual><asset><texture name="t" type="2d" builtin="flat" width="4"
    height="4"/>
  <material name="m" texture="t" texrepeat="2 3" texuniform="true"/></asset><worldbody><light type="spot" softness=".3"/>
    <geom size=".1" material="m" castshadow="false"/>
  <geom size=".1" pos="1 0 0"/></worldbody></mujoco>"""


def test_scenes_carry_textures_and_shadows():
    spec = tumble.MjSpec.from_string(LOOKS)
    m = spec.compile()
    for model in (m, tumble.MjModel.from_xml_string(spec.to_xml())):
        assert model.geom_castshadow.tolist() == [0, 1] and model.vis.headlight.active == 2
        d = tumble.MjData(model)
        tumble.mj_forward(model, d)
        scene = tumble.MjvScene(model, 9)
        tumble.mjv_updateScene(model, d, tumble.MjvOption(), None, tumble.MjvCamera(), 7, scene)
        found = [(g.texid, g.texrepeat.tolist(), g.texuniform, g.castshadow) for g in scene.geoms[:2]]
        assert found == [(0, [2, 3], 1, 0), (-1, [0, 0], 0, 1)] and scene.lights[0].headlight
    assert abs(tumble.MjSpec.from_string(spec.to_xml()).lights[0].softness - 0.3) < 1e-6


def test_geoms_without_shadow_leave_light():
    """Below a box that casts no shadow, the floor is as bright as without the box."""
    text = """<mujoco><visual><headlight active="0"/></visual><worldbody><light pos="0 0 5" dir="0 0 -1" directional="true"/>\
<geom type="plane" size="3 3 .1"/>
      <geom type="box" size=".5 .5 .1" pos="0 0 2" castshadow="{}"/><camera pos="0 -4 1" xyaxes="1 0 0 0 .3 1"/></worldbody>\
</mujoco>"""
    levels = {}
    for cast in ("true", "false"):
        m = tumble.MjModel.from_xml_string(text.format(cast))
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        try:
            renderer = tumble.Renderer(m, 120, 160)
        except Exception as error:
            pytest.skip(f"no context of OpenGL: {error}")
        with renderer:
            renderer.update_scene(d, 0)
            levels[cast] = renderer.render().astype(int)
    darker = (levels["false"].sum(2) - levels["true"].sum(2)) > 30
    assert 20 < darker.sum() < 0.5 * darker.size


INPUTS = {
    "<general joint='j'/>": 0,
    "<general joint='j' input='pos'/>": 1,
    "<motor joint='j'/>": 0,
    "<position joint='j'/>": 1,
    "<velocity joint='j'/>": 2,
    "<intvelocity joint='j' actrange='0 1'/>": 2,
    "<cylinder joint='j'/>": 32,
    "<general joint='j' input='vel'/>": 2,
    "<general joint='j' input='pressure'/>": 32,
}


@pytest.mark.parametrize("text", INPUTS)
def test_what_a_control_is(text):
    """The inputs of controls equal those of 4.0.1, and are saved. Without `compat`, shortcuts do not declare any."""
    text = f"<mujoco>{BODY.format(kind='hinge')}<actuator>{text}</actuator></mujoco>"
    m = tumble.MjModel.from_xml_string(text, compat="4.0")
    assert m.actuator_ctrlspec.tolist() == [INPUTS[text.split("<actuator>")[1].split("</actuator>")[0]]]
    spec = tumble.MjSpec.from_string(text.replace("<mujoco>", "<mujoco><compiler compat='4.0'/>"))
    assert tumble.MjModel.from_xml_string(spec.to_xml()).actuator_ctrlspec.tolist() == m.actuator_ctrlspec.tolist()
    assert "input" not in tumble.MjSpec.from_string(text).to_xml() or "input" in text
    with pytest.raises(ValueError):
        load(BODY.format(kind="hinge") + "<actuator><general joint='j' input='ff'/></actuator>")


def test_equal_assets_become_one():
    child = """<mujoco><asset><mesh name="m" file="a.obj"/><mesh name="n" file="a.obj" scale="2 2 2"/>
    <texture name="t" type="2d" builtin="flat" width="4" height="4"/>
      <material name="w" texture="t"/></asset><worldbody><body name="b"><geom type="mesh" mesh="m" material="w"/>
        <geom type="mesh" mesh="n"/></body></worldbody></mujoco>"""
    spec = tumble.MjSpec.from_string("<mujoco/>")
    for k in range(3):
        spec.attach(tumble.MjSpec.from_string(child), prefix=f"c{k}_", frame=spec.worldbody.add_frame())
    assert (len(spec.meshes), len(spec.textures)) == (6, 3)
    # the results of 4.0.1
    assert (
        spec.dedup_assets() == 6
        and [e.name for e in (*spec.meshes, *spec.textures)] == ["c0_m", "c0_n", "c0_t"]
        and spec.dedup_assets() == 0
    )
    assert [g.meshname for g in spec.geoms] == ["c0_m", "c0_n"] * 3 and {
        name for e in spec.materials for name in e.textures if name
    } == {"c0_t"}


def test_parts_of_compiling_are_timed():
    rng = np.random.default_rng(3)
    points = " ".join(f"{x:.4f}" for x in rng.normal(size=900))
    spec = tumble.MjSpec.from_string(
        f"<mujoco><asset><mesh name='m' vertex='{points}'/><texture name='t' type='2d' builtin='checker' width='50' "
        "height='50'/></asset>"
        "<worldbody><geom type='sdf' mesh='m'/></worldbody></mujoco>"
    )
    assert spec.timer.shape == (int(tumble.mjtCTimer.mjNCTIMER),) and not spec.timer.any()
    spec.compile()
    found = {name: spec.timer[int(part)] for name, part in tumble.mjtCTimer.__members__.items() if name != "mjNCTIMER"}
    assert all(seconds > 0 for seconds in found.values()), found
    total, assets, texture = (found[f"mjCTIMER_{n}"] for n in ("TOTAL", "ASSETS", "TEXTURE"))
    assert total > assets > texture and assets > sum(x for name, x in found.items() if "MESH" in name)


FAILING = (
    "<extension><plugin plugin='mujoco.sensor.touch_grid'/></extension><worldbody><site name='s'/></worldbody>"
    "<sensor><plugin plugin='mujoco.sensor.touch_grid' "
    "objtype='site' objname='s'><config key='size' value='-7 7'/><config key='nchannel' value='1'/><config "
    "key='fov' value='45 45'/><config key='gamma' value='0'/>"
    "</plugin></sensor>",
    "<asset><mesh name='m' vertex='" + "0 0 0 " * 20000 + "'/></asset>",
    "<worldbody><geom size='.1'",
    "<asset><material name='m'><layer texture='t' role='none'/></material></asset>",
)


@pytest.mark.parametrize("text", FAILING, ids=range(len(FAILING)))
def test_compiling_in_vain_keeps_no_memory(text):
    def fail():
        with pytest.raises(ValueError):
            load(text)

    for _ in range(3):
        fail()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(10):
            fail()
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert kept < KEPT


# bytes that caches of the interpreter may take in ten rounds; one mesh of the list has 240 000
KEPT = 100_000


# names that 4.0 removed, and a word of the error
GONE = {
    "composite": "<worldbody><body><composite type='cable' curve='s' count='5 1 1' size='1' prefix='c'><geom type='capsule' "
    "size='.01'/></composite></body></worldbody>",
    "mujoco.elasticity.cable": "<extension><plugin plugin='mujoco.elasticity.cable'/></extension>",
    "internal": "<worldbody><flexcomp name='f' count='3 3 1' dim='2' radius='.01'><contact internal='true'/></flexcomp>"
    "</worldbody>",
    "vertcollide": "<worldbody><flexcomp name='f' count='3 3 1' dim='2' radius='.01'><contact vertcollide='true'/></flexcomp>"
    "</worldbody>",
}
CLOTH = (
    "<worldbody><body name='v'>{outer}<geom size='.1'/><body name='w'><geom size='.1'/><flexcomp name='f' count='3 3 "
    "1' dim='2' radius='.01' {more}>{pins}</flexcomp></body></body></worldbody>"
)


@pytest.mark.parametrize("word", GONE)
def test_what_was_removed(word):
    assert load(GONE[word], "3.4").nbody
    with pytest.raises(ValueError, match=f"'{word}' was removed in MuJoCo"):
        load(GONE[word])


def test_flexes_below_joints_are_pinned():
    """As in 4.0.1, a loose flex below a joint, also one of an ancestor, is an error. Pinned, rigid and radial ones are not."""
    for outer, more, pins, right in (
        ("", "", "", True),
        ("<joint/>", "", "", False),
        ("<joint/>", "", "<pin id='0'/>", True),
        ("<joint/>", "rigid='true'", "", True),
    ):
        text = CLOTH.format(outer=outer, more=more, pins=pins)
        assert load(text, "3.4").nflex == 1
        if right:
            assert load(text).nflex == 1
        else:
            with pytest.raises(ValueError, match="body 'v' has joints but no"):
                load(text)


def test_trees_that_cannot_sleep_at_first_start_awake():
    """A ball that is touched cannot start asleep. This was an error, and is now a warning."""
    text = (
        "<option><flag sleep='enable'/></option><worldbody><geom type='plane' size='1 1 1'/><body sleep='init' "
        "pos='0 0 .1'><freejoint/><geom size='.1'/></body>"
        "<body pos='0 0 .29'><freejoint/><geom size='.1'/></body></worldbody>"
    )
    with pytest.raises(ValueError, match="sleep='init'"):
        load(text, "3.4")
    told = []
    tumble.set_mju_user_warning(told.append)
    try:
        m = load(text)
        d = tumble.MjData(m)
        assert (d.tree_asleep < 0).all() and "sleep='init'" in told[-1] and len(told) == 1
        tumble.mj_resetData(m, d)
    finally:
        tumble.set_mju_user_warning(None)
    assert len(told) == 2 and load(text.replace("pos='0 0 .29'", "pos='0 0 3'")) is not None


def test_saving_says_what_it_cannot_say(tmp_path):
    """A changed mass that the saved text infers from geoms was lost. Now it is an error, and the file is unchanged."""
    text = "<compiler inertiafromgeom='true'/><worldbody><body><joint/><geom size='.1'/></body></worldbody>"
    path = tmp_path / "m.xml"
    for compat in ("3.4", "4.0"):
        m = load(text, compat)
        m.geom_size[0, 0] = 0.2
        tumble.mj_saveLastXML(str(path), m)
        saved = path.read_text()
        assert 'size="0.2"' in saved
        m.body_mass[1] = 7
        if compat == "3.4":
            tumble.mj_saveLastXML(str(path), m)
        else:
            with pytest.raises(tumble.FatalError, match="body_mass"):
                tumble.mj_saveLastXML(str(path), m)
            assert path.read_text() == saved


def test_scaled_frames_are_saved_in_size():
    """A saved text contains the scaled sizes. The spec keeps the written values and the ids of its compiled model, and
    compiles to the same model again.
    """
    spec = tumble.MjSpec.from_string(RESIZED.format("scale='2' massscale='3'"))
    m = spec.compile()
    again, anew = tumble.MjModel.from_xml_string(spec.to_xml()), spec.compile()
    for name in SIZED:
        # texts do not contain the width of tendons that are sums of joints
        if name not in ("mesh_vert", "geom_pos", "tendon_width"):
            assert np.allclose(getattr(again, name), getattr(m, name), 1e-9, 1e-9), name
        assert np.array_equal(getattr(anew, name), getattr(m, name)), name
    assert spec.frames[0].scale.tolist() == [2, 2, 2] and spec.geom("g").size[0] == 0.1 and spec.geom("g").id == m.geom("g").id
    assert m.bind(spec.geom("g")).size[0] == 0.2 and "massscale" not in spec.to_xml()


@pytest.mark.parametrize(
    ("frame", "word"),
    [
        ("scale='-1'", "positive"),
        ("massscale='-1'", "non-negative"),
        ("scale='1 2 3'", "anisotropic"),
        ("scale='1 2 3' scaling='geometry'", "does not support"),
        ("scale='2'", "plugins"),
    ],
)
def test_frames_that_cannot_scale(frame, word):
    text = (
        "<extension><plugin plugin='mujoco.sdf.torus'/></extension><asset><mesh name='m'><plugin "
        f"plugin='mujoco.sdf.torus'/></mesh></asset><worldbody><frame {frame}>"
        "<geom type='sdf' mesh='m'><plugin plugin='mujoco.sdf.torus'/></geom></frame></worldbody>"
    )
    with pytest.raises(ValueError, match=word):
        load(text)


def test_full_scenes_say_so_themselves():
    """As in 4.0.1, each full scene reports itself once, draws as many geoms as fit, and counts no warning."""
    m = load("<worldbody>" + "<geom size='.1'/>" * 20 + "</worldbody>")
    d, told = tumble.MjData(m), []
    tumble.mj_forward(m, d)
    tumble.set_mju_user_warning(told.append)
    try:
        for scene in (tumble.MjvScene(m, 5), tumble.MjvScene(m, 6)):
            for _ in range(2):
                tumble.mjv_updateScene(m, d, tumble.MjvOption(), None, tumble.MjvCamera(), 7, scene)
            assert scene.ngeom == scene.maxgeom == len(scene.geoms) and scene.status == 1
    finally:
        tumble.set_mju_user_warning(None)
    assert [text[-3:] for text in told] == [" 5.", " 6."] and not sum(w.number for w in d.warning)


SHEET = (
    "<flexcomp name='f' type='grid' dim='2' count='6 6 1' spacing='.1 .1 .1' radius='.01' {}><contact selfcollide='none' {}/>"
    "<elasticity young='{}' thickness='.01' elastic2d='{}'/></flexcomp>"
)
DISCRETE = "<option integrator='discrete' solver='CG'/><worldbody>{}</worldbody>"
TORUS = (
    "<extension><plugin plugin='mujoco.sdf.torus'/></extension><asset><mesh name='m'><plugin plugin='mujoco.sdf.torus'/></mesh>"
    "</asset><worldbody><geom type='sdf' mesh='m'><plugin plugin='mujoco.sdf.torus'/></geom>{}</worldbody>"
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DISCRETE.format(SHEET.format("", "", 1000, "both")), ("young", "3.11")),
        (DISCRETE.format(SHEET.format("", "", 1000, "bend")), ("young", "3.11")),
        (DISCRETE.format(SHEET.format("", "passive='true'", 0, "none")), ("passive", "3.12")),
        (
            "<worldbody><flexcomp name='f' type='direct' dim='2' point='0 0 0 1 0 0 0 1 0 0 0 1' dof='trilinear' "
            "element='0 2 1 0 1 3 0 3 2 1 2 3'><contact selfcollide='none'/>"
            "<elasticity young='9' thickness='.1' elastic2d='stretch'/></flexcomp></worldbody>",
            ("elastic2d", "3.8.1"),
        ),
        (TORUS.format(SHEET.format("", "", 0, "none")), ("contype", "3.6")),
        ("<worldbody>" + SHEET.format("material='a b'", "", 0, "none") + "</worldbody>", ("material", "4.0")),
    ],
)
def test_what_flexes_lack_is_named(text, words):
    """A feature of flexes in later releases that this package lacks raises an error with the flex, attribute and release."""
    with pytest.raises(ValueError, match="'f'") as caught:
        load(text)
    assert all(word in str(caught.value) for word in words), caught.value
