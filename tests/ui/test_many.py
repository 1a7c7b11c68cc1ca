"""No silent limits: five hundred joints with names of two hundred letters are all listed and reachable, and cost no more than
the visible ones.
"""

import pytest
from imgui_bundle import imgui

import tumble as mj
from tests.ui.null import NullGui, Stage
from tests.ui.robot import Robot
from tumble.app.config import Config
from tumble.ui import intents as I
from tumble.ui import search
from tumble.ui.context import Filters
from tumble.ui.panel import explorer

COUNT = 500
# number of lines of a panel of this height, with a margin for the line above and below
TALL, IN_SIGHT = 600, 60


def long(kind, i):
    """A name of 200 letters that differs from the others only at its end."""
    return f"{kind}_{'n' * 200}"[: 200 - 5] + f"_{i:04d}"


def text(count=COUNT):
    """Half of the bodies are in the world, half form a chain."""
    part = (
        '<body name="{b}" pos="{x} 0 0"><joint name="{j}" type="slide" range="-1 1" limited="true"/><geom name="{g}" '
        'size=".1"/>'
    )
    parts = [
        part.format(b=long("body", i), j=long("joint", i), g=long("geom", i), x=0.3 * (i < count // 2)) for i in range(count)
    ]
    flat = "".join(p + "</body>" for p in parts[: count // 2])
    deep = "".join(parts[count // 2 :]) + "</body>" * (count - count // 2)
    drives = "".join(f'<motor name="{long("motor", i)}" joint="{long("joint", i)}"/>' for i in range(count))
    return (
        f'<mujoco><option><flag contact="disable"/></option><worldbody>{flat}{deep}</worldbody>'
        f"<actuator>{drives}</actuator></mujoco>"
    )


@pytest.fixture(scope="module")
def model():
    return mj.MjModel.from_xml_string(text())


@pytest.fixture
def hand(model, tmp_path, monkeypatch):
    gui = NullGui(size=(520, TALL + 40))

    def make(panel):
        return Robot(Stage(gui, model, mj.MjData(model), Config(tmp_path / "s.json")), panel, monkeypatch, (460, TALL))

    yield make
    gui.close()


def test_the_tree_makes_only_what_is_in_sight(hand, model):
    robot = hand("explorer")
    stage = robot.stage
    opened = explorer._opened(stage.context())
    opened.update(f"body {long('body', i)}" for i in range(COUNT))
    opened.update(f"list {kind}" for kind in explorer.LISTS)
    robot.frame()
    rows = explorer.lines(stage.context())
    # bodies with joints and geoms, actuators, the world, and the headings of lists
    assert {(r.kind, r.i) for r in rows} >= {(k, i) for k in ("joint", "geom", "actuator") for i in range(COUNT)}
    assert len([r for r in rows if r.kind == "body"]) == COUNT + 1 and max(r.depth for r in rows) == COUNT // 2 + 1
    assert 10 < len(robot.all("tree_node_ex")) < IN_SIGHT
    assert explorer.lines(stage.context()) is rows, "made once"


@pytest.mark.parametrize("kind, i", [("joint", COUNT - 1), ("geom", 0), ("body", 3), ("actuator", COUNT // 2)])
def test_what_is_selected_elsewhere_comes_into_sight(hand, kind, i):
    robot = hand("explorer")
    robot.stage.view.select_element(kind, i)
    for _ in range(3):
        robot.frame()
    ending = f"##{kind}{i}"
    [row] = [item for item in robot.all("tree_node_ex") if item.label.endswith(ending)]
    assert 0 < row.y < TALL
    # shortened, but its distinguishing end is kept
    number = i - 1 if kind == "body" else i
    assert row.text.endswith(f"_{number:04d}") and len(row.text) < 200


def test_opening_and_closing_by_the_arrow(hand):
    robot = hand("explorer")
    before = len(explorer.lines(robot.stage.context()))
    row = next(item for item in robot.all("tree_node_ex") if item.label.endswith("##body1"))
    for wanted in (before + 2, before):
        robot.press(row.x - 0.5 * row.w + 0.4 * row.h, row.y)
        robot.frame()
        assert len(explorer.lines(robot.stage.context())) == wanted


def test_bodies_stay_open_over_a_reload(hand, model):
    robot = hand("explorer")
    explorer._opened(robot.stage.context()).add(f"body {long('body', 7)}")
    robot.frame()
    stage = robot.stage
    stage.m = mj.MjModel.from_xml_string(text(40))
    stage.d = mj.MjData(stage.m)
    stage.view.adopt(stage.m, stage.d, align=False)
    robot.frame()
    assert ("joint", 7) in {(r.kind, r.i) for r in explorer.lines(stage.context())}


@pytest.mark.parametrize("panel, kind", [("joint", "joint"), ("control", "motor")])
def test_the_last_slider_is_reached_by_its_name(hand, model, panel, kind):
    """The filter leaves one row, and its slider moves its own element."""
    robot = hand(panel)
    assert len(robot.all("slider_scalar")) < IN_SIGHT
    robot.stage.scratch.of(Filters).texts[panel] = long(kind, COUNT - 1)
    robot.frame()
    [slider] = robot.all("slider_scalar")
    intents = [i for i in robot.slide(slider, 0.75) if isinstance(i, I.SetField)]
    wanted = int(model.jnt_qposadr[COUNT - 1]) if panel == "joint" else COUNT - 1
    assert intents and {i.index for i in intents} == {wanted}


# ---- the palette -------------------------------------------------------------------------------------------------------------


def palette(robot, words):
    """The palette alone, with a typed text."""
    stage = robot.stage
    stage.config["palette"] = True
    press(stage)
    stage.scratch.of(Filters).texts["palette"] = words
    press(stage)
    return stage


def press(stage, *keys):
    """Frames of the palette with keys pressed in between."""
    io = imgui.get_io()

    def draw():
        ctx = stage.context()
        ctx.view_rect = (0, 0, 500, TALL)
        search.draw(ctx)

    for key in keys or (None,):
        for down in (True, False):
            if key is not None:
                io.add_key_event(key, down)
            stage.gui.frame(draw)


def test_the_palette_finds_the_last_of_many_and_looks_once(hand, monkeypatch):
    robot = hand("watch")
    stage = palette(robot, "0499 joint")
    hits, more = search.find(stage.context(), "0499 joint")
    assert [h[3] for h in hits[:1]] == [I.SelectElement("joint", COUNT - 1, True)] and more == 0
    with monkeypatch.context() as patch:
        patch.setattr(search, "rank", lambda *_: pytest.fail("searched again"))
        press(stage)
    stage.intents.clear()
    press(stage, imgui.Key.enter)
    assert I.SelectElement("joint", COUNT - 1, True) in stage.intents and I.SetSetting("palette", False) in stage.intents


def test_the_palette_says_how_many_more_there_are(hand):
    stage = palette(hand("watch"), "nnn")
    hits, more = search.find(stage.context(), "nnn")
    assert len(hits) == search.SHOWN and more == 4 * COUNT - search.SHOWN


def test_keys_go_through_the_palette_beyond_what_is_in_sight(hand):
    stage = palette(hand("watch"), "nnn")
    stage.intents.clear()
    press(stage, *[imgui.Key.down_arrow] * 3, *[imgui.Key.page_down] * 4, imgui.Key.up_arrow, imgui.Key.enter)
    row = search.find(stage.context(), "nnn")[0][2 + 4 * search.PAGE]
    assert row[3] in stage.intents


def test_a_changed_key_is_shown_in_the_palette(hand):
    robot = hand("watch")
    stage = palette(robot, "reset")
    stage.config["palette"] = False
    press(stage)
    stage.keys.rebind("reset", "Ctrl+7")
    palette(robot, "reset")
    assert any(row[2] == "Ctrl+7" for row in search.find(stage.context(), "reset")[0])
