"""How it looks at any size: texts fit or are shortened, no negative zeros, limits warn when they are exceeded."""

import pytest
from imgui_bundle import ImVec2, imgui

from tests.ui.null import NullGui
from ui import widgets
from ui.context import without_place
from ui.panel.joint import beyond


@pytest.fixture
def gui():
    made = NullGui()
    yield made
    made.close()


@pytest.mark.parametrize("text,begin,end", [("panda0_finger_joint1", "panda0", "joint1"), ("Reload, keep the motion", "Reload, k", "...")])
def test_names_lose_their_middle_and_phrases_their_end(gui, text, begin, end):
    def draw():
        width = imgui.calc_text_size(text).x
        short = widgets.shortened(text, 0.8 * width, width)
        return short, imgui.calc_text_size(short).x, width

    short, needed, width = gui.frame(draw)
    assert short.startswith(begin) and short.endswith(end) and "..." in short
    assert 0.6 * width < needed <= 0.8 * width


@pytest.mark.parametrize("value,form,shown", [(-0.0004, "%.3f", "0.000"), (-0.0, "%.3f", "0.000"), (-0.0006, "%.3f", "-0.001"),
                                              (-1e-17, "%.6g", "-1e-17"), (-0.04, "%.1f", "0.0"), (0.0004, "%.3f", "0.000"), (-3.0, "%.0f", "-3")])
def test_no_negative_zero(value, form, shown):
    assert form % (widgets.plain(value, form) + 0.0) == shown


@pytest.mark.parametrize("value,color", [(0.0, ""), (1.0, ""), (1.0005, ""), (1.003, "warn"), (-0.01, "warn"), (1.05, "bad"), (-3.0, "bad")])
def test_a_limit_that_holds_its_load_is_no_error(value, color):
    assert beyond(value, 0.0, 1.0) == color


@pytest.mark.parametrize("room", [60, 120, 200, 400])
def test_labels_of_button_rows_fit(gui, room, monkeypatch):
    """Where two buttons do not fit side by side they go below each other."""
    seen = []
    monkeypatch.setattr(widgets, "button", lambda label, hint="", width=0.0, help="": seen.append((label, width)))
    labels = (("a", "Print model", True), ("b", "Quit", True), ("c", "Save XML", True))

    def draw():
        imgui.set_next_window_size(ImVec2(room, 200))
        imgui.begin("narrow")

        class Ctx:
            @staticmethod
            def hint(_action):
                return ""

        widgets.button_row(Ctx, labels)
        needed = [imgui.calc_text_size(label.partition("##")[0]).x for label, _width in seen[-3:]]
        imgui.end()
        return needed, imgui.get_style().window_padding.x

    needed, padding = gui.frame(draw)
    widths = [width for _label, width in seen[-3:]]
    assert all(w >= n or w >= room - 2 * padding - 1 for w, n in zip(widths, needed, strict=True))
    assert len(set(widths)) == 1


def test_a_message_is_told_without_its_place():
    text = "a/b.xml, line 113, column 7, element 'body': unrecognized attribute 'nmae'"
    assert without_place(text) == "element 'body': unrecognized attribute 'nmae'"
    assert without_place("no such file") == "no such file"
