"""Rows of joints and controls: many free joints take one row each, and muscles show what they do."""

import numpy as np
import pytest
from imgui_bundle import imgui

import tumble as mj
from tests.ui.null import NullGui, Stage
from tests.ui.robot import Robot
from tumble.app.config import Config
from tumble.ui import intents as I
from tumble.ui.panel import joint

BODIES = "".join(f'<body name="b{k}" pos="{k} 0 0"><freejoint/><geom size=".1"/></body>' for k in range(600))
MUSCLE = """<mujoco><worldbody><site name="a" pos="0 0 1"/><body><joint name="j" type="slide" axis="0 0 1"/><geom size=".1"/>
<site name="b"/></body></worldbody><tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
<actuator><motor name="motor" joint="j"/><muscle name="muscle" tendon="t" lengthrange=".2 2"/></actuator></mujoco>"""


@pytest.fixture
def hand(tmp_path, monkeypatch):
    gui = NullGui(size=(520, 760))

    def make(xml, panel):
        m = mj.MjModel.from_xml_string(xml)
        return Robot(Stage(gui, m, mj.MjData(m), Config(tmp_path / "s.json")), panel, monkeypatch, (460, 700))

    yield make
    gui.close()


def test_six_hundred_free_bodies_take_one_row_each(hand):
    robot = hand(f"<mujoco><worldbody>{BODIES}</worldbody></mujoco>", "joint")
    fields = [item for item in robot.all("input_text") if item.label == "##pos0"]
    tops = np.diff([item.y for item in fields])
    assert 15 < len(fields) < 40 and tops.min() > 10 and np.ptp(tops) < 1 and not robot.all("slider_scalar")
    assert robot.type(fields[2], "5 * 2")[-1] == I.SetField("d.qpos", pytest.approx([10, 0, 0]), slice(14, 17))
    # one of them is unfolded
    [first, *_] = [item for item in robot.all("button") if item.label == "##fold"]
    robot.click(first)
    robot.frame()
    assert [item for item in robot.all("input_text") if item.label == "##rot0"]
    assert robot.stage.scratch.of(joint.Unfolded).joints == {0}


def test_a_few_free_bodies_are_not_folded(hand):
    few = "".join(f'<body name="b{k}" pos="{k} 0 0"><freejoint/><geom size=".1"/></body>' for k in range(joint.MANY_FREE))
    robot = hand(f"<mujoco><worldbody>{few}</worldbody></mujoco>", "joint")
    assert len([item for item in robot.all("input_text") if item.label == "##rot0"]) == joint.MANY_FREE


def test_muscles_show_activation_and_length(hand, monkeypatch):
    said = []
    robot = hand(MUSCLE, "control")
    real = imgui.progress_bar
    monkeypatch.setattr(imgui, "progress_bar", lambda share, size, text: (said.append((share, text)), real(share, size, text)))
    d = robot.stage.d
    d.act[0] = 0.25
    mj.mj_forward(robot.stage.m, d)
    robot.frame()
    [(share, text)] = said
    assert share == 0.25 and text.startswith("0.25 active") and f"{d.actuator_length[1]:.3f} m" in text
    assert len(robot.all("slider_scalar")) == 2
