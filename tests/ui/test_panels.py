"""Every panel on an empty model, on a varied one and on a very large one: nothing fails, ids are unique, and edits reach the
named field."""

import math
from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui, implot

import tumble as mj
from tests.ui.models import EMPTY, VARIETY, crowd
from tests.ui.null import NullGui, Stage
from tumble.app import actions, commands
from tumble.app.config import Config
from tumble.app.loading import Failed
from tumble.render import scene as mjv
from tumble.ui import intents as I
from tumble.ui import plotting, sliders, widgets
from tumble.ui import theme as themes
from tumble.ui.context import Filters
from tumble.ui.panel import element, joint, physics, plot, visualization
from tumble.ui.panels import PANELS
from tumble.ui.theme import BASE_SIZE

XML = {"empty": EMPTY, "variety": VARIETY, "crowd": crowd(120)}
NAMES = [panel.name for panel in PANELS]
# letters are a whole number of pixels high
WHOLE = 0.6


@pytest.fixture(scope="module")
def models():
    return {name: mj.MjModel.from_xml_string(xml) for name, xml in XML.items()}


def stage(gui, models, name, tmp_path):
    m = models.get(name)
    d = mj.MjData(m) if m is not None else None
    if m is not None:
        for _ in range(5):
            mj.mj_step(m, d)
    made = Stage(gui, m, d, Config(tmp_path / "settings.json"))
    made.config["panels"] = dict.fromkeys(NAMES, True)
    for row in ("info", "profiler", "sensor"):
        made.config[row] = True
    return made


def errors(made):
    return [line.text for line in made.log.lines if line.level == "error"]


@pytest.mark.parametrize("name", ["none", "empty", "variety", "crowd"])
def test_the_whole_window(gui, models, tmp_path, name):
    made = stage(gui, models, name, tmp_path)
    made.frames(4)
    assert not errors(made)
    assert gui.vertices() > 1000
    made.config["help"] = made.config["palette"] = True
    made.frames(3)
    assert not errors(made)


@pytest.mark.parametrize("opened", [True, False])
def test_a_failed_panel_leaves_no_plot_open(gui, models, tmp_path, monkeypatch, opened):
    """A plot that fails, before or after it begins, is reported once; from then on, plots are drawn as before."""
    made = stage(gui, models, "variety", tmp_path)
    row = plotting.Plot("time", ("qpos[0]", "qvel[0]"))
    made.scratch.of(plotting.Plots).rows = (row,)
    made.sim.recorder.follow(plotting.channels((row,)))
    for _ in range(3):
        mj.mj_step(made.m, made.d)
        made.sim.recorder.sample()

    def fail(*_arguments):
        if opened:
            assert implot.begin_plot("##time")
        raise ValueError("no such channel")

    with monkeypatch.context() as patch:
        patch.setitem(plot.DRAW, "time", fail)
        made.panel("plot")
    assert len(errors(made)) == 1 and "no such channel" in errors(made)[0]
    for _ in range(3):
        made.panel("plot")
    assert len(errors(made)) == 1


@pytest.mark.parametrize("field", ["qpos", "qvel", "qacc", "qfrc_bias", "ctrl", "sensordata", "mocap_pos"])
def test_channels_of_the_model_before_are_named_by_index(models, field):
    """An element that the model lacks has no name. The unit of an element of qpos or qvel depends on its joint: it has none."""
    m, channel = models["variety"], f"{field}[99999]"
    assert plotting.title(m, channel) == channel
    assert field not in plotting.RATES or plotting.unit(m, channel) == ""


def written(made, monkeypatch, count=2):
    """Texts that are drawn during some frames."""
    seen = []
    original = imgui.text_unformatted
    with monkeypatch.context() as patch:
        patch.setattr(imgui, "text_unformatted", lambda text, *a: (seen.append(text), original(text, *a))[1])
        made.frames(count)
    assert not errors(made)
    return seen


def test_without_a_model_there_are_ways_to_one(gui, models, tmp_path, monkeypatch):
    """The button opens the dialog; a recent file is one click away."""
    made = stage(gui, models, "none", tmp_path)
    made.config["recent"] = ("/somewhere/arm.xml",)
    assert any("Tumble" in text for text in written(made, monkeypatch)) and any(
        "Drop a model" in text for text in written(made, monkeypatch)
    )
    for name, part, path in (
        ("button", "Open a model", ""),
        ("selectable", "/somewhere/arm.xml##recent", "/somewhere/arm.xml"),
    ):
        original = getattr(imgui, name)

        def pressed(label, *a, original=original, part=part, name=name):
            out = original(label, *a)
            return out if part not in label else True if name == "button" else (True, False)

        with monkeypatch.context() as patch:
            patch.setattr(imgui, name, pressed)
            made.intents.clear()
            made.frames(1)
        assert I.OpenFile(path) in made.intents


@pytest.mark.parametrize("panel", NAMES)
@pytest.mark.parametrize("name", ["none", "empty", "variety", "crowd"])
def test_each_panel(gui, models, tmp_path, name, panel):
    made = stage(gui, models, name, tmp_path)
    for _ in range(3):
        made.panel(panel)
    assert not errors(made)
    assert not made.intents, "drawing alone must not ask for anything"


@pytest.mark.parametrize("panel", NAMES)
def test_clicking_everywhere(gui, models, tmp_path, panel):
    """Click on a grid of points; every resulting intent can be carried out."""
    made = stage(gui, models, "variety", tmp_path)
    io = imgui.get_io()
    made.panel(panel)
    asked = []
    for y in range(30, 870, 24):
        for x in (40, 150, 250, 330, 385):
            for pressed in (True, False):
                io.add_mouse_pos_event(x, y)
                io.add_mouse_button_event(0, pressed)
                made.panel(panel)
            asked += made.intents
            # popups that a click opened are closed again by escape
            io.add_key_event(imgui.Key.escape, True)
            made.panel(panel)
            io.add_key_event(imgui.Key.escape, False)
            made.panel(panel)
            made.intents.clear()
    assert not errors(made)
    for intent in asked:
        if intent.target == "sim" and not isinstance(intent, I.SaveFile):
            commands.apply(made.sim, intent, lambda kind, value: None)
        else:
            assert type(intent) in (commands.TABLE if intent.target == "sim" else actions.TABLE)


def test_ids_are_unique(gui, models, tmp_path, monkeypatch):
    """ImGui reports two items with one id only under the mouse; here every id is checked."""
    made = stage(gui, models, "variety", tmp_path)
    seen: dict[tuple, int] = {}

    def watched(name):
        original = getattr(imgui, name)

        def call(label, *args, **kwargs):
            key = (imgui.get_id(label), imgui.internal.get_current_window().id_)
            seen[key] = seen.get(key, 0) + 1
            return original(label, *args, **kwargs)

        return call

    for name in (
        "button",
        "checkbox",
        "input_text",
        "slider_scalar",
        "slider_int",
        "begin_combo",
        "input_text_with_hint",
        "color_edit4",
    ):
        monkeypatch.setattr(imgui, name, watched(name))
    for panel in NAMES:
        seen.clear()
        made.panel(panel)
        assert not [key for key, count in seen.items() if count > 1], panel


# ---- every field is edited by its row ---------------------------------------------------------------------------------------


def drawn_with(made, panel, monkeypatch, name, answer):
    """Draw a panel while one type of widget simulates the user; return the resulting intents."""
    with monkeypatch.context() as patch:
        patch.setattr(sliders if name == "slider" else widgets, name, answer)
        patch.setattr(imgui, "tree_node_ex", opened(imgui.tree_node_ex))
        made.intents.clear()
        made.panel(panel)
    assert not errors(made)
    return [i for i in made.intents if isinstance(i, I.SetField)]


def opened(original):
    def call(label, flags=0):
        imgui.set_next_item_open(True)
        return original(label, flags)

    return call


def test_physics_rows_edit_their_fields(gui, models, tmp_path, monkeypatch):
    made = stage(gui, models, "variety", tmp_path)
    wanted = {name for name, *_ in (*physics.PHYSICAL, *physics.OVERRIDE) if np.shape(getattr(made.m.opt, name))}
    got = drawn_with(made, "physics", monkeypatch, "vector", lambda label, values, *a, **k: np.asarray(values) + 0.125)
    assert {i.path for i in got} == {f"opt.{name}" for name in wanted}
    scalars = {name for name, *_ in (*physics.PHYSICAL, *physics.OVERRIDE)} - wanted
    single = drawn_with(made, "physics", monkeypatch, "number", lambda label, value, *a, **k: value + 0.125)
    assert {i.path for i in single} >= {f"opt.{name}" for name in scalars} >= {"opt.density", "opt.viscosity", "opt.impratio"}
    for intent in [*got, *(i for i in single if i.path[4:] in scalars)]:
        before = np.array(getattr(made.m.opt, intent.path[4:]))
        commands.apply(made.sim, intent, lambda *_: None)
        np.testing.assert_allclose(getattr(made.m.opt, intent.path[4:]), before + 0.125)


def test_physics_tables_name_every_option(models):
    tabled = {r[0] for table in (physics.CHOICES, physics.ALGORITHM, physics.PHYSICAL, physics.OVERRIDE) for r in table}
    flags = {"disableflags", "enableflags", "disableactuator"}
    public = {
        n
        for n in dir(models["empty"].opt)
        if not n.startswith("_") and np.asarray(getattr(models["empty"].opt, n)).dtype.kind in "iuf"
    }
    assert tabled <= public and flags <= public
    assert public - tabled - flags <= {"size", "nbytes"}


def test_visualization_rows_edit_their_fields(gui, models, tmp_path, monkeypatch):
    made = stage(gui, models, "variety", tmp_path)
    rows = {path: kind for table in visualization.ROWS.values() for path, _label, kind in table}
    got = drawn_with(made, "visualization", monkeypatch, "number", lambda label, value, *a, **k: value + 0.25)
    assert {i.path for i in got} == {path for path, kind in rows.items() if kind in ("f", "v")}
    got = drawn_with(made, "visualization", monkeypatch, "color", lambda label, value, **k: [0.5] * len(value))
    assert {i.path for i in got} == {path for path, kind in rows.items() if kind == "c"}
    for intent in got:
        commands.apply(made.sim, intent, lambda *_: None)
        np.testing.assert_allclose(visualization.value_of(made.m, intent.path), 0.5)


def test_joint_sliders_move_their_joints(gui, models, tmp_path, monkeypatch):
    made = stage(gui, models, "variety", tmp_path)
    got = drawn_with(made, "joint", monkeypatch, "slider", lambda label, value, low, high, *a: 0.5 * (low + high))
    hinge, slide = (made.m.jnt_qposadr[mj.mj_name2id(made.m, mj.mjtObj.mjOBJ_JOINT, n)] for n in ("hinge", "slide"))
    assert {(i.path, int(i.index)): i.value for i in got} == {("d.qpos", hinge): 0.5, ("d.qpos", slide): 0.0}


def test_control_sliders_use_the_range(gui, models, tmp_path, monkeypatch):
    made = stage(gui, models, "variety", tmp_path)
    got = drawn_with(made, "control", monkeypatch, "slider", lambda label, value, low, high, *a: high)
    assert [(i.path, i.index, i.value) for i in got] == [("d.ctrl", 0, 5.0), ("d.ctrl", 1, 1.0)]


def test_more_than_two_hundred_sliders(gui, tmp_path):
    """Lists are not truncated: the last of 300 controls is reached by scrolling or by the filter."""
    m = mj.MjModel.from_xml_string(crowd(300))
    made = Stage(gui, m, mj.MjData(m), Config(tmp_path / "s.json"))
    made.scratch.of(Filters).texts["control"] = "m299"
    made.panel("control")
    assert not errors(made)


# --- flags -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind,table", [("vis", "mjVISSTRING"), ("render", "mjRNDSTRING")])
def test_rendering_shows_every_flag(gui, models, tmp_path, monkeypatch, kind, table):
    made = stage(gui, models, "variety", tmp_path)
    seen = []
    monkeypatch.setattr(widgets, "check_grid", lambda items, change, *a: seen.append((list(items), change)))
    made.panel("rendering")
    items, change = seen[0 if kind == "vis" else 1]
    assert [label.lower() for label, _on, _hint in items] == [row[0].lower() for row in getattr(mjv, table)]
    # names have one capital letter, but abbreviations keep theirs
    assert all(not word[0].isupper() for label, _on, _hint in items for word in label.split()[1:])
    made.intents.clear()
    change(3, True)
    assert made.intents == [I.SetVisFlag(3, True) if kind == "vis" else I.SetRenderFlag(3, True)]


# --- small functions ---------------------------------------------------------------------------------------------


def test_log_steps_walk_along_round_values():
    value, seen = 1e-3, []
    for _ in range(10):
        value = widgets.log_step(value, 1)
        seen.append(value)
    np.testing.assert_allclose(seen, [1.3e-3, 1.6e-3, 2e-3, 2.5e-3, 3.2e-3, 4e-3, 5e-3, 6.3e-3, 8e-3, 1e-2])
    for _ in range(10):
        value = widgets.log_step(value, -1)
    assert value == pytest.approx(1e-3)
    # from between two stops, a step goes to the next stop in its direction
    assert widgets.log_step(1.1, 1) == 1.3 and widgets.log_step(1.1, -1) == 1.0
    assert widgets.log_step(1e-16, -1, zero=True) == 0 and widgets.log_step(0, 1) > 0


@pytest.mark.parametrize("angles", [(0, 90, 0), (0, -90, 0), (0, 90, 40), (0, -90, -170), (180, 0, 0)])
def test_angles_that_were_typed_stay_as_typed(angles):
    """If the middle angle is 90 degrees, the first and last ones turn about one axis; the last one keeps its value."""
    again = np.degrees(joint.to_euler(joint.from_euler(np.radians(angles))))
    np.testing.assert_allclose(again, angles, atol=1e-4)


@pytest.mark.parametrize("angles", [(0, 0, 0), (0.3, -0.7, 2.1), (-3, 1.5, 0.1), (1, 0, -2)])
def test_angles_and_back(angles):
    q = joint.from_euler(np.array(angles, float))
    assert np.linalg.norm(q) == pytest.approx(1)
    again = joint.from_euler(joint.to_euler(q))
    assert abs(float(q @ again)) == pytest.approx(1)


def test_angles_about_fixed_axes():
    q = joint.from_euler([math.pi / 2, 0, math.pi / 2])
    w, v, z = q[0], q[1:], np.array([0.0, 0.0, 1.0])
    turned = z + 2 * np.cross(v, np.cross(v, z) + w * z)
    # x first: z goes to -y; then z: -y goes to x
    np.testing.assert_allclose(turned, [1, 0, 0], atol=1e-12)


def test_a_failing_panel_leaves_the_others_alone(gui, models, tmp_path, monkeypatch):
    from tumble.ui.panel import equality

    def broken(ctx):
        imgui.push_id("left open")
        imgui.begin_disabled(False)
        imgui.begin_group()
        raise RuntimeError("on purpose")

    monkeypatch.setattr(equality, "draw", broken)
    made = stage(gui, models, "variety", tmp_path)
    made.frames(3)
    assert errors(made) == ["panel equality: RuntimeError: on purpose"]
    assert imgui.get_style().alpha == 1.0


def test_a_load_error_is_shown_with_its_place(gui, models, tmp_path, monkeypatch):
    made = stage(gui, models, "variety", tmp_path)
    made.failure = Failed("x.xml", "unknown attribute 'siez'", "x.xml", 12, ("x.xml",))
    seen = written(made, monkeypatch, 3)
    assert any("x.xml:12" in text for text in seen) and any("unknown attribute 'siez'" in text for text in seen)
    # buttons that lead to the line of the error
    for part, wanted in (("Show in source", I.ShowPanel("source", True)), ("Open in editor", I.OpenEditor("x.xml", 12))):
        original = imgui.small_button
        with monkeypatch.context() as patch:
            patch.setattr(imgui, "small_button", lambda label, part=part: original(label) or part in label)
            made.intents.clear()
            made.frames(1)
        assert wanted in made.intents
    # the button that trusts a folder appears only for files that the model may not read
    assert not any("Trust" in text for text in seen)
    long = "/home/somebody/models/robots/a_hand_with_a_long_name/which_goes_on/and_on/hand"
    made.failure = Failed("x.xml", "it is outside 'x'", "x.xml", 12, ("x.xml",), outside=True, trusts=long)
    made.failure = replace(made.failure, wanted="/home/somebody/models/robots/parts/palm.stl")
    original = imgui.small_button
    with monkeypatch.context() as patch:
        patch.setattr(imgui, "small_button", lambda label: original(label) or "Trust" in label)
        made.intents.clear()
        made.frames(1)
    assert I.Trust() in made.intents
    seen = written(made, monkeypatch)
    assert any("outside its folder" in text for text in seen) and any("untrusted" in text for text in seen)
    assert len({text for text in seen if "which_goes_on" in text}) == 1, "the folder is named once"
    assert any(text.endswith("palm.stl, wanted by x.xml, line 12") for text in seen)
    made.failure = None
    assert not any("siez" in text for text in written(made, monkeypatch))


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("percent", [50, 100, 300])
def test_themes_and_sizes(models, tmp_path, theme, percent):
    gui = NullGui(theme, percent)
    try:
        made = stage(gui, models, "variety", tmp_path)
        made.frames(3)
        assert not errors(made)
        # the theme applies to the windows, and the size to the text
        back = imgui.get_style().color_(imgui.Col_.window_bg)
        assert (back.x + back.y + back.z > 1.5) == (theme == "light")
        assert gui.frame(imgui.get_font_size) == pytest.approx(BASE_SIZE * percent / 100, abs=WHOLE)
    finally:
        gui.close()


def test_spacing_has_room(models, tmp_path):
    heights = []
    for wide in (False, True):
        gui = NullGui()
        themes.apply("dark", 100, 1.0, wide)
        heights.append(gui.frame(imgui.get_frame_height_with_spacing))
        gui.close()
    assert heights[1] > heights[0] + 1


@pytest.mark.parametrize("size", [(480, 320), (3840, 2160)])
def test_small_and_large_windows(models, tmp_path, size):
    gui = NullGui(size=size)
    try:
        made = stage(gui, models, "variety", tmp_path)
        ctx = made.frames(4)
        assert ctx.view_rect[2] > 0 and ctx.view_rect[3] > 0
    finally:
        gui.close()


def clicked(made, monkeypatch, panel, text):
    """Intents from a click on the list row with this text."""
    original = imgui.selectable
    with monkeypatch.context() as patch:
        patch.setattr(imgui, "selectable", lambda label, *a: (label.partition("##")[0] == text, original(label, *a)[1]))
        made.intents.clear()
        made.panel(panel)
    return list(made.intents)


def test_history_goes_to_a_moment(gui, models, tmp_path, monkeypatch):
    made = stage(gui, models, "variety", tmp_path)
    for title in ("first", "second", "third", "fourth"):
        made.undo.push(I.Entry(title, (I.Recompute(),), (I.Recompute(),)))
    made.undo.back()
    for text, wanted in (
        ("Start", I.Undo(count=3)),
        ("first", I.Undo(count=2)),
        ("second", I.Undo(count=1)),
        ("fourth", I.Undo(redo=True, count=1)),
    ):
        assert clicked(made, monkeypatch, "history", text) == [wanted], text
    # the current value
    assert clicked(made, monkeypatch, "history", "third") == []
    made.undo.back()
    assert clicked(made, monkeypatch, "history", "fourth") == [I.Undo(redo=True, count=2)]


def test_a_pose_that_is_written_counts(gui, tmp_path, monkeypatch):
    """The compiler noted that the geom's pose is that of its body; a number written into its position must take effect."""
    m = mj.MjModel.from_xml_string("<mujoco><worldbody><body pos='1 0 0'><joint/><geom size='.1'/></body></worldbody></mujoco>")
    made = stage(gui, {"one": m}, "one", tmp_path)
    assert m.geom_sameframe[0] != mj.mjtSameFrame.mjSAMEFRAME_NONE
    made.config["workspace"] = "classic"
    made.view.select_element("geom", 0)
    rows, field = element.rows, "geom_pos"
    monkeypatch.setattr(element, "rows", lambda *which: [row for row in rows(*which) if row.field == field])
    monkeypatch.setattr(widgets, "vector", lambda *_a, **_k: np.array([0, 0.25, 0]))
    made.panel("element")
    assert made.intents
    for intent in made.intents:
        commands.apply(made.sim, intent, lambda kind, value: None)
    m, d = made.sim.loaded
    mj.mj_forward(m, d)
    assert d.geom_xpos[0] == pytest.approx([1, 0.25, 0])
