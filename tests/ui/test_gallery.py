"""Examples as pictures: a click on one opens it, in the panel and in the menu; links of the manual can be clicked where
they are drawn.
"""

import pytest
from imgui_bundle import ImVec2, imgui

from tests.ui.null import Stage
from tests.ui.robot import Robot
from tumble.app.config import Config
from tumble.ui import gallery, page, toolbar
from tumble.ui.examples import EXAMPLES
from tumble.ui.intents import OpenFile, ShowPanel
from tumble.ui.panel import manual

WIDTHS = (140, 420, 1200)


@pytest.fixture
def stage(gui, tmp_path):
    return Stage(gui, None, None, Config(tmp_path / "settings.json"))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_picture_opens_its_model(stage, monkeypatch, width):
    robot = Robot(stage, "examples", monkeypatch, (width, 4000))
    cells = robot.all("selectable")
    assert [c.label for c in cells] == [f"##{e.name}" for e in EXAMPLES]
    for cell, example in zip(cells, EXAMPLES, strict=True):
        # all lie inside the window, large enough to be recognizable
        assert 0 <= cell.x - 0.5 * cell.w and cell.x + 0.5 * cell.w <= width and cell.w > min(100, 0.7 * width)
        assert OpenFile(example.path) in robot.click(cell)


def test_its_tooltip_says_what_it_shows(stage, monkeypatch):
    robot = Robot(stage, "examples", monkeypatch)
    cell = robot.find("##gears")
    imgui.get_io().add_mouse_pos_event(cell.x, cell.y)
    for _ in range(60):
        robot.frame()
    assert any("signed distance" in text and "tumble gears" in text for text in robot.tooltips)


def test_textures_are_asked_for_once(stage):
    asked = []
    ctx = stage.context()
    ctx.texture = lambda key, pixels: asked.append((key, id(pixels))) or 1

    def draw():
        imgui.set_next_window_size(ImVec2(600, 900))
        imgui.begin("gallery")
        gallery.menu(ctx)
        imgui.end()

    for _ in range(2):
        stage.gui.frame(draw)
    # each frame passes the same arrays, so pictures are not uploaded again
    assert len(set(asked)) == len(EXAMPLES) and len(asked) == 2 * len(EXAMPLES)


def test_help_leads_to_the_manual(stage, monkeypatch):
    chosen = []
    monkeypatch.setattr(imgui, "menu_item", lambda label, *rest: (chosen.append(label) or False, False))
    monkeypatch.setattr(toolbar.widgets, "menu_row", lambda _icon, label, *rest: chosen.append(label) or label == "Manual")
    stage.gui.frame(lambda: (imgui.begin("help"), toolbar._help(stage.context()), imgui.end()))
    assert stage.intents == [ShowPanel("manual", True)] and len(chosen) == 5


def test_a_link_is_clicked(stage, monkeypatch):
    origin, original = ImVec2(), page.draw

    def seen(*args):
        nonlocal origin
        origin = imgui.get_cursor_screen_pos()
        original(*args)

    monkeypatch.setattr(page, "draw", seen)
    robot = Robot(stage, "manual", monkeypatch, (900, 1400))
    layout = stage.scratch.of(manual.Reading).layout[1]
    link = next(p for p in layout.pieces if p.link == "tutorial.md")
    robot.press(origin.x + link.x + 0.5 * link.w, origin.y + link.y + 0.5 * link.h)
    robot.frame()
    assert stage.scratch.of(manual.Reading).page == "tutorial.md"
    back = next(i for i in robot.items if i.kind == "button")
    robot.click(back)
    assert stage.scratch.of(manual.Reading).page == "README.md"
