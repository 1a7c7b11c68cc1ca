"""The menus of the bar fit into a window of 680 pixels without scrolling, and so do their submenus."""

import pytest
from imgui_bundle import ImVec2, imgui

import tumble as mj
from tests.app.models import PENDULUM
from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui import showmenu, toolbar

WIDTH, HEIGHT = 1088, 680


@pytest.fixture
def stage(gui, tmp_path):
    m = mj.MjModel.from_xml_string(PENDULUM)
    return Stage(gui, m, mj.MjData(m), Config(tmp_path / "settings.json"))


@pytest.mark.parametrize("title", ["File", "Edit", "Simulate", "View", "Panels", "Help"])
def test_menus_fit_a_low_window(stage, monkeypatch, title):
    imgui.get_io().display_size = ImVec2(WIDTH, HEIGHT)
    begin, places, seen = imgui.begin_menu, {}, {}

    def opened(label, enabled=True):
        out = begin(label, enabled)
        # an open menu is the current window now; its row is the last item of the one before only while it is closed
        if out:
            window = imgui.internal.get_current_window()
            seen[label] = window.scroll_max.y, window.pos.y + window.size.y, window.content_size.y
        else:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            places[label] = 0.5 * (low.x + high.x), 0.5 * (low.y + high.y)
        return out

    for module in (toolbar, showmenu):
        monkeypatch.setattr(module.imgui, "begin_menu", opened)

    def frames(count=3):
        for _ in range(count):
            stage.gui.frame(lambda: toolbar.draw(stage.context()))

    def click(label):
        imgui.get_io().add_mouse_pos_event(*places[label])
        frames(2)
        for down in (True, False):
            imgui.get_io().add_mouse_button_event(0, down)
            frames(2)

    frames()
    bar = set(places)
    assert title in bar
    click(title)
    assert title in seen
    for inner in sorted(set(places) - bar):
        click(inner)
    assert len(seen) > (4 if title in ("View", "Panels") else 0), seen.keys()
    for label, (scroll, low, height) in seen.items():
        assert not scroll and low <= HEIGHT and height > 10, label
