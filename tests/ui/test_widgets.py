"""Every widget of every panel is operated: it has the described effect on the described field, and nothing fails."""

import copy
import math
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui

import tumble as mj
from tests.ui.models import EMPTY, VARIETY, mesh_robot, pile
from tests.ui.null import NullGui, Stage
from tests.ui.robot import Robot
from tumble.app import actions, commands
from tumble.app.config import Config
from tumble.render import scene as mjv
from tumble.ui import icons, sliders
from tumble.ui import intents as I
from tumble.ui.context import Filters
from tumble.ui.panel import physics, watch
from tumble.ui.panels import PANELS, SIDES
from tumble.ui.tips import TIPS
from tumble.ui.widgets import log_step

NAMES = [panel.name for panel in PANELS]
HUMANOID = Path(__file__).resolve().parents[2] / "assets" / "models" / "humanoid.xml"
# panels whose every widget is operated, on every model
MODELS = {
    "empty": lambda: EMPTY,
    "variety": lambda: VARIETY,
    "humanoid": HUMANOID.read_text,
    "mesh robot": mesh_robot,
    "pile": lambda: pile(100),
}
# number of widgets of one type that are operated in one panel: of a hundred equal ones the first are enough
WORKED = {"pile": 30}
# fraction of a slider's length: half of the drag, which stays inside the frame
PIXEL = 0.05


@pytest.fixture(scope="module")
def models():
    return {name: mj.MjModel.from_xml_string(make()) for name, make in MODELS.items()}


@pytest.fixture
def hand(models, tmp_path, monkeypatch):
    """hand(panel, model) -> a Robot on that panel."""
    made = []

    def make(panel, model="variety", **settings):
        gui = NullGui(size=(520, 6100))
        made.append(gui)
        # edits of the model are part of the tested functions
        m = copy.copy(models[model]) if isinstance(model, str) else model
        d = mj.MjData(m)
        mj.mj_step(m, d)
        stage = Stage(gui, m, d, Config(tmp_path / "settings.json"))
        for name, value in settings.items():
            stage.config[name] = value
        return Robot(stage, panel, monkeypatch)

    yield make
    for gui in made:
        gui.close()


def errors(robot):
    return [line.text for line in robot.stage.log.lines if line.level == "error"]


def carry_out(robot, intents):
    """Check that everything that a widget requests can be carried out."""
    for intent in intents:
        if intent.target == "sim" and not isinstance(intent, I.SaveFile):
            commands.apply(robot.stage.sim, intent, lambda *_: None)
        else:
            assert type(intent) in (commands.TABLE if intent.target == "sim" else actions.TABLE)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("panel", NAMES)
def test_every_widget_of_every_panel(hand, panel, model):
    """Click, drag or open each widget; the resulting intents can be carried out."""
    robot = hand(panel, model)
    for kind in (
        "tree_node_ex",
        "tree_node",
        "button",
        "small_button",
        "checkbox",
        "slider_scalar",
        "slider_int",
        "begin_combo",
        "selectable",
    ):
        for index in range(min(WORKED.get(model, 1000), len(robot.all(kind)))):
            items = robot.all(kind)
            if index >= len(items):
                break
            item = items[index]
            asked = robot.slide(item, 0.7) if kind.startswith("slider") else robot.click(item)
            carry_out(robot, asked)
            robot.key(imgui.Key.escape)
            assert not errors(robot), (kind, item.label)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("panel", NAMES)
def test_no_two_widgets_share_an_id(hand, panel, model):
    robot = hand(panel, model)
    assert not errors(robot)
    seen = {}
    for item in robot.items:
        # an open drop-down list is recorded twice
        assert seen.setdefault((item.window, item.ident), item) is item or item.w == 0, (item, seen[item.window, item.ident])


# ---- numbers -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_joint_sliders(hand, share):
    robot = hand("joint")
    m, sliders = robot.stage.m, robot.all("slider_scalar")
    hinge, slide = (int(m.joint(n).qposadr[0]) for n in ("hinge", "slide"))
    for item, address, (low, high) in zip(sliders, (hinge, slide), ((-1, 2), (-1, 1)), strict=True):
        got = robot.slide(item, share)[-1]
        assert (got.path, got.index) == ("d.qpos", address)
        assert got.value == pytest.approx(low + share * (high - low), abs=PIXEL * (high - low))
        carry_out(robot, [got])
        assert robot.stage.d.qpos[address] == got.value


def test_joint_sliders_rest_while_it_runs(hand):
    """Values that the simulation writes cannot be dragged; the same drag moves the joint when it is paused."""
    robot = hand("joint")
    item = robot.all("slider_scalar")[0]
    for running in (True, False):
        robot.stage.sim.running = running
        robot.frame()
        assert bool(robot.slide(item, 0.9)) != running
        reset = next(b for b in robot.all("button") if icons.UNDO in b.label)
        assert bool(robot.click(reset)) != running


def test_control_sliders(hand):
    robot = hand("control")
    for i, (item, (low, high)) in enumerate(zip(robot.all("slider_scalar"), ((-3, 5), (-1, 1)), strict=True)):
        got = robot.slide(item, 0.75)[-1]
        assert (got.path, got.index) == ("d.ctrl", i) and got.value == pytest.approx(
            low + 0.75 * (high - low), abs=PIXEL * (high - low)
        )


def test_a_slider_follows_the_mouse_and_takes_typed_values(hand):
    robot = hand("control")
    item = robot.all("slider_scalar")[0]
    # typed values may exceed the ends
    typed = robot.type(item, "7.25")
    assert typed[-1] == I.SetField("d.ctrl", 7.25, 0)


def test_typed_numbers_are_committed_clamped_and_given_up(hand):
    robot = hand("physics")
    fields = [i for i in robot.all("input_text") if i.label == "##tolerance"]
    assert robot.type(fields[0], "3e-5") == [I.SetField("opt.tolerance", 3e-5)]
    assert robot.type(fields[0], "9")[-1].value == 1, "clamped to its range"
    assert robot.type(fields[0], "0.5", imgui.Key.escape) == [], "escape gives up"
    # leaving the field commits
    robot.type(fields[0], "2e-4", None)
    robot.press(5, robot.size[1] - 5)
    robot.frame()
    assert robot.stage.intents[-1] == I.SetField("opt.tolerance", 2e-4)


def test_every_physics_row(hand):
    """Type into each number, click each stepper, choose from each list: the option of that name changes."""
    robot = hand("physics")
    opt = robot.stage.m.opt
    for name, _label, items in physics.CHOICES:
        got = robot.pick(robot.find(f"##{name}"), 1 if int(getattr(opt, name)) == 0 else 0)
        assert [i.path for i in got] == [f"opt.{name}"] and 0 <= got[0].value < len(items)
    for name, _label, kind, low, high in physics.ALGORITHM:
        value = 7 if kind == "i" else 0.003
        got = robot.type(robot.find(f"##{name}"), str(value))[-1]
        assert got == I.SetField(f"opt.{name}", value), name
        if kind != "i":
            got = robot.click(robot.find(f"+##{name}"))
            assert got[0].path == f"opt.{name}" and got[0].value == pytest.approx(
                min(high, log_step(float(getattr(opt, name)), 1))
            )
            assert low <= got[0].value


def test_every_integer_slider(hand):
    robot = hand("rendering")
    for name, high in (("bvh_depth", 20), ("flex_layer", 10)):
        got = robot.slide(robot.find(f"##{name}"), 0.5)[-1]
        assert isinstance(got, I.SetViewOption) and got.name == name and abs(got.value - high / 2) <= 1


def test_parts_of_a_section_open_and_close(hand):
    """A click on a separator shows its section, a second one hides it again."""
    robot = hand("physics")
    for title, inside in (
        ("Physical parameters", "##gravity0"),
        ("Contact override", "##o_margin"),
        ("Algorithmic parameters", "##tolerance"),
    ):
        there = any(i.label == inside for i in robot.items)
        for wanted in (not there, there):
            robot.click(robot.find(title, "tree_node_ex"))
            assert any(i.label == inside for i in robot.items) == wanted, title


def test_history_slider_scrubs(hand):
    robot = hand("simulation")
    sim = robot.stage.sim
    for _ in range(20):
        sim.single_step()
    robot.frame()
    got = robot.slide(robot.find("##history"), 0.5)[-1]
    assert isinstance(got, I.Scrub) and abs(got.position + 10) <= 1


# ---- checks, choices, buttons ------------------------------------------------------------------------------------------------


def test_every_check_box(hand):
    """The bit of a box is set by the first click and cleared by the second."""
    robot = hand("physics")
    opt = robot.stage.m.opt
    for field, labels in (("disableflags", mj.mjDISABLESTRING), ("enableflags", mj.mjENABLESTRING)):
        for bit, label in enumerate(labels):
            before = int(getattr(opt, field))
            boxes = [i for i in robot.all("checkbox") if i.text == label]
            carry_out(robot, robot.click(boxes[0]))
            assert int(getattr(opt, field)) == before ^ 1 << bit, label
            carry_out(robot, robot.click(boxes[0]))
            assert int(getattr(opt, field)) == before


@pytest.mark.parametrize("table,intent", [("mjVISSTRING", I.SetVisFlag), ("mjRNDSTRING", I.SetRenderFlag)])
def test_every_flag_box(hand, table, intent):
    robot = hand("rendering")
    for index, row in enumerate(getattr(mjv, table)):
        got = robot.click(next(i for i in robot.all("checkbox") if i.text.lower() == row[0].lower()))
        assert len(got) == 1 and isinstance(got[0], intent) and got[0].index == index


def test_every_choice(hand):
    robot = hand("rendering")
    for label, rows, make in (
        ("camera", 3, lambda k: I.SetCamera(k)),
        ("label", len(mjv.mjLABELSTRING), lambda k: I.SetViewOption("label", k)),
        ("frame", len(mjv.mjFRAMESTRING), lambda k: I.SetViewOption("frame", k)),
    ):
        for k in range(1, rows):
            assert robot.pick(robot.find(f"##{label}"), k) == [make(k)]
    assert robot.click(robot.find("Side by side")) == [I.SetSetting("stereo", True)]
    assert robot.click(robot.find("Classic")) == [I.SetSetting("lighting", "classic")]


def test_group_toggles(hand):
    robot = hand("group")
    buttons = robot.all("button")
    kinds = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")
    assert len(buttons) == 6 * len(kinds)
    for k, item in enumerate(buttons):
        assert robot.click(item) == [I.SetGroup(kinds[k // 6], k % 6, k % 6 > 2)]
    robot = hand("physics")
    robot.click(robot.find("Actuator group enable"))
    groups = [i for i in robot.all("button") if i.label in "012345"]
    for k, item in enumerate(groups):
        assert robot.click(item) == [I.SetBit("disableactuator", 1 << k, True)]
    assert len(groups) == 6


def test_equality_checks(hand):
    robot = hand("equality")
    (box,) = robot.all("checkbox")
    assert robot.click(box) == [I.SetField("d.eq_active", 1, 0)]


def test_options_reach_their_settings(hand):
    robot = hand("option")
    for label, name in (
        ("Help", "help"),
        ("Info", "info"),
        ("Profiler", "profiler"),
        ("Sensor plot", "sensor"),
        ("Vertical sync", "vsync"),
        ("Reload on save", "auto_reload"),
        ("Keep motion", "keep_state"),
        ("Adapt quality", "adaptive"),
    ):
        assert robot.click(robot.find(label)) == [I.SetSetting(name, not robot.stage.config[name])]
    for label, name in (("Pause update", "pause_update"), ("Busy wait", "busy_wait")):
        assert robot.click(robot.find(label)) == [I.SetLoop(name, True)]
    assert robot.click(robot.find("Light")) == [I.SetSetting("theme", "light")]
    assert robot.click(robot.find("Wide")) == [I.SetSetting("spacing", "wide")]
    assert robot.pick(robot.find("##font"), 0) == [I.SetSetting("font", 50)]


def test_joint_rows_go_back_to_the_start(hand):
    robot = hand("joint")
    d = robot.stage.d
    d.qpos[:] += 0.1
    for item in [b for b in robot.all("button") if icons.UNDO in b.label]:
        carry_out(robot, robot.click(item))
    quats = slice(3, 7)
    np.testing.assert_allclose(d.qpos, robot.stage.m.qpos0)
    np.testing.assert_allclose(d.qpos[quats], [1, 0, 0, 0])


def test_ball_and_free_joints_have_widgets(hand):
    robot = hand("joint")
    fields = [i for i in robot.all("input_text") if i.label.startswith(("##pos", "##rot"))]
    assert len(fields) == 9, "three positions, and three angles each"
    got = robot.type(fields[0], "1.5")[-1]
    assert got.path == "d.qpos" and got.value[0] == 1.5
    got = robot.type(fields[3], "90")[-1]
    carry_out(robot, [got])
    assert robot.stage.d.qpos[3] == pytest.approx(math.cos(math.pi / 4), abs=1e-3)
    assert np.linalg.norm(robot.stage.d.qpos[3:7]) == pytest.approx(1)


# ---- elements ----------------------------------------------------------------------------------------------------------------


def test_element_fields_are_written_where_they_are_read(hand):
    robot = hand("element")
    robot.stage.config["workspace"] = "classic"
    robot.stage.view.select_element("body", 1)
    robot.frame()
    label = next(i for i in robot.all("input_text") if i.label == "##v00")
    got = robot.type(label, "0.5")[-1]
    before = np.array(getattr(robot.stage.m, got.path[2:]))
    assert got.path == "m.body_pos" and got.index == slice(1, 2)
    carry_out(robot, [got])
    assert robot.stage.m.body_pos[1, 0] == 0.5
    robot.stage.m.body_pos[:] = before


@pytest.mark.parametrize("kind", ["body", "joint", "geom", "site", "camera", "light", "actuator", "sensor", "equality", "key"])
def test_every_kind_shows_its_fields(hand, kind):
    robot = hand("element")
    robot.stage.view.select_element(kind, 0)
    robot.frame()
    assert not errors(robot)
    from tumble.ui.panel.element import rows

    table = rows(robot.stage.m, kind, 0)
    names = {row.field for row in table}
    wanted = {
        "body": ("body_mass", "xpos", "cvel"),
        "joint": ("jnt_range", "qpos", "qvel", "dof_damping"),
        "geom": ("geom_size", "geom_xpos"),
        "actuator": ("actuator_gear", "ctrl", "actuator_force"),
        "sensor": ("sensor_type", "sensordata"),
        "equality": ("eq_data", "eq_active"),
        "site": ("site_pos", "site_xpos"),
        "camera": ("cam_fovy", "cam_xpos"),
        "light": ("light_diffuse", "light_xdir"),
        "key": ("key_qpos",),
    }
    assert names >= set(wanted[kind])


def test_explorer_selects_hides_and_finds(hand):
    robot = hand("explorer")
    m = robot.stage.m
    robot.stage.scratch.of(Filters).texts["explorer"] = "hinge"
    robot.frame()
    row = next(i for i in robot.all("tree_node_ex") if "hinge" in i.label)
    assert robot.click(row)[0] == I.SelectElement("joint", int(m.joint("hinge").id))
    robot.stage.scratch.of(Filters).texts["explorer"] = "geom 1"
    robot.frame()
    eye = next(i for i in robot.all("button") if "##eyegeom1" in i.label)
    assert I.SetLook("ghost", "geom", 1) in robot.click(eye)
    assert robot.click(robot.find("Collision")) == [I.SetLook("collision")]


def test_long_names_and_many_rows_are_all_there(hand):
    robot = hand("explorer", mj.MjModel.from_xml_string(pile(260)))
    robot.stage.scratch.of(Filters).texts["explorer"] = "thing259"
    robot.frame()
    assert [i for i in robot.all("tree_node_ex") if "thing259" in i.label]
    robot = hand("explorer")
    long = "a_body_with_a_name_that_is_longer_than_forty_characters"
    robot.stage.scratch.of(Filters).texts["explorer"] = long
    robot.frame()
    # the row shows both ends of the name, as much as fits; its tooltip shows the whole name
    [row] = robot.all("tree_node_ex")
    begin, _, end = row.text.removesuffix("   (body)").partition("...")
    assert long.startswith(begin) and long.endswith(end) and len(begin + end) > 40
    imgui.get_io().add_mouse_pos_event(row.x, row.y)
    for _ in range(90):
        robot.frame()
    assert long in robot.tooltips


def test_health_selects(hand):
    robot = hand("health")
    assert any(isinstance(i, I.SelectElement) for i in robot.click(robot.all("selectable")[0]))


# ---- watch, tooltips, sections -----------------------------------------------------------------------------------------------


def test_watch_reads_any_field(hand):
    robot = hand("watch")
    ctx = robot.stage.context()
    m, d = robot.stage.m, robot.stage.d
    for text, value in (
        ("qpos", d.qpos),
        ("d.qvel[2]", d.qvel[2]),
        ("m.body_mass", m.body_mass),
        ("opt.gravity[2]", -9.81),
        ("ncon", d.ncon),
        ("xpos[1,2]", d.xpos[1, 2]),
        ("m.geom_type", m.geom_type),
        ("stat.extent", m.stat.extent),
        ("vis.map.force", m.vis.map.force),
    ):
        np.testing.assert_allclose(np.ravel(watch.read(ctx, text)), np.ravel(value))
    for text, wrong in (
        ("nothing", "no such field"),
        ("qpos[999]", "no such index"),
        ("_rows", "no such field"),
        ("qpos[x]", "no such index"),
    ):
        assert watch.read(ctx, text) == wrong


def test_tooltips_say_what_it_does_and_name_the_chord(hand):
    robot = hand("rendering")
    item = next(i for i in robot.all("checkbox") if i.text == "Convex hull")
    imgui.get_io().add_mouse_pos_event(item.x - 0.4 * item.w, item.y)
    for _ in range(60):
        robot.frame()
        if robot.tooltips:
            break
    assert f"{TIPS['vis.Convex Hull']}\nH" in robot.tooltips


@pytest.fixture
def window(gui, models, tmp_path):
    m = models["variety"]
    made = Stage(gui, m, mj.MjData(m), Config(tmp_path / "settings.json"))
    made.frames(3)
    return made


def header_at(made, title):
    """Center of a section's title in its side window."""
    spots = {}
    original = imgui.collapsing_header

    def seen(label, *args):
        out = original(label, *args)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        spots[label] = (0.5 * (low.x + high.x), 0.5 * (low.y + high.y))
        return out

    imgui.collapsing_header = seen
    try:
        made.frames(1)
    finally:
        imgui.collapsing_header = original
    return next(spot for label, spot in spots.items() if title in label)


def test_sections_open_together_by_a_double_click(window):
    window.classic().frames(2)
    io = imgui.get_io()
    io.add_mouse_pos_event(*header_at(window, "File"))
    window.frames(1)
    window.intents.clear()
    for _ in range(2):
        for down in (True, False):
            io.add_mouse_button_event(0, down)
            window.frames(1)
    left = {p.name for p in PANELS if p.side == "left"}
    assert {i.name for i in window.intents if isinstance(i, I.ShowPanel)} == left


def test_panels_scroll(window):
    window.classic()
    window.config["panels"] = dict.fromkeys(NAMES, True)
    window.frames(2)
    side = imgui.internal.find_window_by_name(SIDES["left"])
    imgui.get_io().add_mouse_pos_event(side.pos.x + 30, side.pos.y + 300)
    window.frames(1)
    imgui.get_io().add_mouse_wheel_event(0, -3)
    window.frames(3)
    assert side.scroll.y > 0


@pytest.mark.parametrize(("width", "low", "high"), [(60, -3.0, 3.0), (90, 0.0, 120.0), (240, -1.57, 3.14)])
def test_the_number_of_a_slider_stands_still_and_above_its_handle(gui, width, low, high):
    """For all values, the number has the same room and decimals, and its text ends at the same position."""
    seen, texts = [], []

    def draw(value):
        imgui.set_next_window_pos(imgui.get_main_viewport().pos)
        imgui.set_next_window_size((400, 300))
        imgui.begin("sliders")
        imgui.set_next_item_width(width)
        sliders.slider("s", value, low, high, "%.3f")
        bar = sliders._LAST[0]
        seen.append((*sliders._PLACED, bar.left, bar.right))
        imgui.end()

    real = sliders.plain

    def noted(value, form):
        texts.append((value, form % real(value, form)))
        return real(value, form)

    sliders.plain = noted
    try:
        for value in np.linspace(low, high, 9):
            for _ in range(2):
                gui.frame(lambda value=value: draw(value))
    finally:
        sliders.plain = real
    assert len(set(seen[2:])) == 1
    first, last, left, right = seen[-1]
    assert left <= first < last <= right
    decimals = {len(text.partition(".")[2]) for value, text in texts[-4:]}
    assert len(decimals) == 1


def test_watch_takes_names_and_says_what_its_numbers_are(hand):
    ctx = hand("watch").stage.context()
    m, d = ctx.m, ctx.d
    hinge, slide = (int(m.joint(name).qposadr[0]) for name in ("hinge", "slide"))
    assert watch.read(ctx, "qpos[hinge]").tolist() == [d.qpos[hinge]] and watch.read(ctx, "d.qpos[slide]").tolist() == [
        d.qpos[slide]
    ]
    assert (
        watch.read(ctx, "qvel[ball]").size == 3
        and watch.read(ctx, "ctrl[push]").size == 1
        and watch.read(ctx, "sensordata[angle]").size == 1
    )
    body = "a_body_with_a_name_that_is_longer_than_forty_characters"
    assert watch.read(ctx, f"xpos[{body}]").tolist() == d.body(body).xpos.tolist()
    assert watch.titles(ctx, f"xpos[{body}]", 3) == [f"{body} ({axis})" for axis in "xyz"]
    assert watch.titles(ctx, "qpos[hinge]", 1) == ["hinge"] and watch.titles(ctx, "qpos", m.nq)[:2] == ["free (x)", "free (y)"]
    assert watch.read(ctx, "qpos[nobody]") == "no such index"
    assert watch.titles(ctx, "energy", 2) == ["", ""]
