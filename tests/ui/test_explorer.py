"""The tree of a large model: only visible rows are made, all rows can be reached, and an element selected elsewhere becomes
visible.
"""

import pytest

import tumble as mj
from tests.ui.models import VARIETY, pile
from tests.ui.null import NullGui, Stage
from tests.ui.robot import Robot
from tumble.app.config import Config
from tumble.ui.panel import explorer

COUNT = 400
# height of the panel, in pixels: a few dozen rows
SIZE = 460, 500


@pytest.fixture
def hand(tmp_path, monkeypatch):
    made = []

    def make(xml):
        gui = NullGui(size=(600, 700))
        made.append(gui)
        m = mj.MjModel.from_xml_string(xml)
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        return Robot(Stage(gui, m, d, Config(tmp_path / "settings.json")), "explorer", monkeypatch, SIZE)

    yield make
    for gui in made:
        gui.close()


def rows(robot):
    return [item.text for item in robot.all("tree_node_ex")]


def test_only_rows_in_sight_are_made(hand):
    robot = hand(pile(COUNT))
    lines = explorer.lines(robot.stage.context())
    assert len([line for line in lines if line.kind == "body"]) == COUNT + 1
    assert 10 < len(rows(robot)) < 60


def test_what_is_selected_elsewhere_comes_into_sight_once(hand):
    robot = hand(pile(COUNT))
    robot.stage.view.select_element("geom", COUNT - 30)
    for _ in range(3):
        robot.frame()
    shown = rows(robot)
    assert f"geom {COUNT - 30}" in shown, "below its body, which was opened for it"
    assert any(f"thing{COUNT - 31}" in text for text in shown)


def test_rows_open_and_close_at_their_arrow_and_stay_open_in_an_edited_model(hand):
    robot = hand(VARIETY)
    before = rows(robot)

    def arrow():
        item = next(i for i in robot.all("tree_node_ex") if "longer_than_forty" in i.text)
        robot.press(item.x - 0.5 * item.w + 0.4 * item.h, item.y)
        robot.frame()

    arrow()
    assert "joint  free" in rows(robot) and len(rows(robot)) > len(before)
    stage = robot.stage
    stage.m = mj.MjModel.from_xml_string(VARIETY.replace('size=".1"', 'size=".2"'))
    stage.view.adopt(stage.m, stage.d, align=False)
    robot.frame()
    assert "joint  free" in rows(robot)
    arrow()
    assert rows(robot) == before


def test_a_list_opens_by_a_click_anywhere(hand):
    robot = hand(VARIETY)
    assert "push" not in rows(robot)
    robot.click(robot.find("Actuators (2)"))
    assert "push" in rows(robot) and "actuator 1" in rows(robot)


def test_nobody_is_called_by_his_kind_twice(hand):
    robot = hand(pile(3))
    robot.stage.scratch.of(explorer.Tree).opened |= {f"body thing{i}" for i in range(3)}
    robot.frame()
    assert {"geom 1", "joint 0", "light 0"} <= set(rows(robot))
