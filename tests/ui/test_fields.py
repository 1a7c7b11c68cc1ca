"""Fields have tooltips in the element, state and watch panels and in the palette, with the texts of their tables."""

import pytest
from imgui_bundle import imgui

import tumble as mj
from tests.ui.models import VARIETY
from tests.ui.null import NullGui, Stage
from tests.ui.robot import Robot
from tumble.app.config import Config
from tumble.engine.tables.schema import SCHEMAS, SIZE_DOCS
from tumble.ui import search
from tumble.ui.context import Filters
from tumble.ui.fields import about

REST = 90


@pytest.fixture
def hand(tmp_path, monkeypatch):
    """hand(panel) -> a Robot on that panel."""
    guis = []

    def make(panel):
        guis.append(NullGui(size=(520, 6100)))
        m = mj.MjModel.from_xml_string(VARIETY)
        return Robot(Stage(guis[-1], m, mj.MjData(m), Config(tmp_path / "settings.json")), panel, monkeypatch)

    yield make
    for gui in guis:
        gui.close()


def under_mouse(robot, x, y):
    """Tooltips while the mouse rests at a position."""
    imgui.get_io().add_mouse_pos_event(x, y)
    for _ in range(REST):
        robot.frame()
        if robot.tooltips:
            break
    return robot.tooltips


def doc(struct, name):
    return SCHEMAS[struct].fields[name].doc.split()


def test_words_of_a_tooltip():
    assert about("m.geom_size").startswith("geom_size   ngeom x 3   m\n")
    assert about("m.geom_size").split()[-len(doc("MjModel", "geom_size")) :] == doc("MjModel", "geom_size")
    assert "written by kinematics" in about("xpos") and "m/s or rad/s" in about("d.qvel[3]")
    assert about("opt.gravity") == about("m.opt.gravity") and "gravitational acceleration" in about("opt.gravity")
    assert "fogend" in about("vis.map.fogend") and about("m.vis.global_.fovy").startswith("global.fovy")
    assert SIZE_DOCS["ngeom"] in about("m.ngeom") and not about("nothing") and not about("m.nothing.at_all")


@pytest.mark.parametrize(
    "struct, prefix", [("MjModel", "m."), ("MjData", "d."), ("MjOption", "opt."), ("MjStatistic", "stat.")]
)
def test_every_field_has_a_tooltip(struct, prefix):
    for f in SCHEMAS[struct].fields.values():
        assert f.doc.split()[-1] in about(prefix + f.name), f.name


def test_the_element_panel_explains_its_fields(hand):
    robot = hand("element")
    robot.stage.view.select_element("body", 1)
    # a field that is looked for is shown at once
    robot.stage.scratch.of(Filters).texts["element"] = "body_pos"
    robot.frame()
    item = next(i for i in robot.all("input_text") if i.label == "##v00")
    found = under_mouse(robot, 20, item.y)
    assert found and found[0] == about("m.body_pos")


def test_watch_explains_what_it_shows(hand):
    robot = hand("watch")
    [box] = robot.all("input_text_with_hint")
    assert about("qpos") in under_mouse(robot, box.x, box.y)


def test_state_explains_the_component(hand):
    robot = hand("state")
    first = next(i for i in robot.all("input_text"))
    assert any(about("qpos") in text for text in under_mouse(robot, 20, first.y))


def test_the_palette_explains_fields(hand):
    robot = hand("watch")
    stage = robot.stage
    stage.config["palette"] = True
    io = imgui.get_io()

    def draw():
        ctx = stage.context()
        ctx.view_rect = (0, 0, 500, 600)
        search.draw(ctx)

    robot.tooltips.clear()
    io.add_mouse_pos_event(-1, -1)
    for _ in range(2):
        stage.gui.frame(draw)
    stage.scratch.of(Filters).texts["palette"] = "geom_friction"
    robot.items.clear()
    stage.gui.frame(draw)
    row = next(i for i in robot.all("selectable") if i.text == "m.geom_friction")
    io.add_mouse_pos_event(row.x, row.y)
    for _ in range(REST):
        stage.gui.frame(draw)
    assert about("m.geom_friction") in robot.tooltips
