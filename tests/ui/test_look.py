"""The window's look at any size: texts fit or are shortened, no negative zeros, limits warn when they are exceeded."""

from types import SimpleNamespace

import pytest
from imgui_bundle import ImVec2, imgui, implot

import tumble as mj
from tests.ui.models import VARIETY
from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui import layout, overlay, plots, theme, widgets
from tumble.ui.context import without_place
from tumble.ui.panel.joint import beyond
from tumble.ui.panels import BY_NAME, SIDES, window_name

# text heights that the four menus and one button need
MENUS = 22.0


@pytest.mark.parametrize(
    "text,begin,end", [("panda0_finger_joint1", "...", "joint1"), ("Reload, keep the motion", "Reload, k", "...")]
)
def test_names_lose_their_beginning_and_phrases_their_end(gui, text, begin, end):
    def draw():
        width = imgui.calc_text_size(text).x
        short = widgets.shortened(text, 0.8 * width, width)
        return short, imgui.calc_text_size(short).x, width

    short, needed, width = gui.frame(draw)
    assert short.startswith(begin) and short.endswith(end) and "..." in short
    assert 0.6 * width < needed <= 0.8 * width


@pytest.mark.parametrize(
    "value,form,shown",
    [
        (-0.0004, "%.3f", "0.000"),
        (-0.0, "%.3f", "0.000"),
        (-0.0006, "%.3f", "-0.001"),
        (-1e-17, "%.6g", "-1e-17"),
        (-0.04, "%.1f", "0.0"),
        (0.0004, "%.3f", "0.000"),
        (-3.0, "%.0f", "-3"),
    ],
)
def test_no_negative_zero(value, form, shown):
    assert form % (widgets.plain(value, form) + 0.0) == shown


@pytest.mark.parametrize(
    "value,color", [(0.0, ""), (1.0, ""), (1.0005, ""), (1.003, "warn"), (-0.01, "warn"), (1.05, "bad"), (-3.0, "bad")]
)
def test_a_limit_that_holds_its_load_is_no_error(value, color):
    assert beyond(value, 0.0, 1.0) == color


@pytest.mark.parametrize("room", [60, 120, 200, 400])
def test_labels_of_button_rows_fit(gui, room, monkeypatch):
    """Two buttons that do not fit side by side are placed below each other."""
    seen = []
    monkeypatch.setattr(widgets, "button", lambda label, hint="", width=0.0, help="": seen.append((label, width)))
    labels = (("a", "Print model", True), ("b", "Quit", True), ("c", "Save XML", True))

    def draw():
        imgui.set_next_window_size(ImVec2(room, 200))
        imgui.begin("narrow")

        class Ctx:
            @staticmethod
            def tip(_action):
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


# ---- the window at any size ------------------------------------------------------------------------------------------------


@pytest.fixture
def stage(gui, tmp_path):
    m = mj.MjModel.from_xml_string(VARIETY)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    return Stage(gui, m, d, Config(tmp_path / "settings.json")).classic()


def resized(stage, width, height):
    imgui.get_io().display_size = ImVec2(width, height)
    return stage.frames(4)


def widths(name):
    return {side: imgui.internal.find_window_by_name(title).size.x for side, title in SIDES.items()}[name]


@pytest.mark.parametrize("width", [480, 700, 900])
def test_columns_give_way_to_the_view_and_come_back(stage, width):
    resized(stage, 1400, 900)
    before = widths("left"), widths("right")
    ctx = resized(stage, width, 450)
    assert max(widths("left"), widths("right")) <= layout.MOST_SIDE * width + 1
    assert ctx.view_rect[2] >= (1 - 2 * layout.MOST_SIDE) * width - 10
    resized(stage, 1400, 900)
    assert (widths("left"), widths("right")) == pytest.approx(before, abs=2)


def test_columns_follow_the_text_size(gui, stage):
    resized(stage, 2400, 1400)
    before = widths("left")
    theme.apply("dark", 150, 1.0, False)
    stage.frames(4)
    # text heights are whole pixels
    assert widths("left") == pytest.approx(1.5 * before, rel=0.04)


@pytest.mark.parametrize("percent", [100, 200, 300])
@pytest.mark.parametrize("width", [480, 700, 1360])
def test_nothing_in_the_bar_lies_over_something_else(gui, stage, monkeypatch, width, percent):
    """Items that do not fit into the bar are left out; play and pause stay."""
    theme.apply("dark", percent, 1.0, False)
    seen = []
    for name in ("button", "begin_combo", "begin_menu"):
        original = getattr(imgui, name)

        def call(label, *a, original=original):
            out = original(label, *a)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            if high.y < 2.4 * imgui.get_font_size():
                seen.append((label, low.x, high.x))
            return out

        monkeypatch.setattr(imgui, name, call)
    resized(stage, width, 900)
    last = seen[max(i for i, row in enumerate(seen) if row[0] == "File") :]
    row = sorted((low, high, label) for label, low, high in last)
    assert all(a[1] <= b[0] + 1 for a, b in zip(row, row[1:], strict=False)), row
    # menus, play and pause need this much
    if width > MENUS * theme.BASE_SIZE * percent / 100:
        assert row[-1][1] <= width
        assert any("##run" in label for _low, _high, label in row)


def test_a_small_view_has_no_room_for_figures(stage):
    for name in ("profiler", "info", "sensor"):
        stage.config[name] = True
    for width, height, figures in ((1400, 900, True), (800, 500, True), (480, 320, False)):
        ctx = resized(stage, width, height)
        assert bool(overlay.profiler_width(ctx)) == figures
        box = imgui.internal.find_window_by_name("##info")
        assert box.pos.x + box.size.x <= overlay.free_right(ctx) + 1, "beside the figures, inside the view"


@pytest.mark.parametrize(
    "height,names",
    [
        (60, ("counts", "convergence", "sizes", "times")),
        (22, ("counts", "sizes", "times")),
        (15, ("sizes", "times")),
        (9, ("times",)),
        (3, ("times",)),
    ],
)
def test_a_low_view_has_fewer_figures_rather_than_flat_ones(height, names):
    assert plots.profiler_figures(height) == names


def test_floating_windows_come_back_into_a_smaller_window(stage):
    stage.config["detached"] = ("joint", "physics")
    stage.config["panels"] = {"joint": True, "physics": True}
    resized(stage, 1400, 900)
    found = [imgui.internal.find_window_by_name(window_name(BY_NAME[name])) for name in ("joint", "physics")]
    assert found[0].pos.x != found[1].pos.x, "one does not hide the other"
    imgui.internal.set_window_pos(found[0], ImVec2(1000, 500))
    stage.frames(2)
    for width, height in ((700, 450), (480, 320)):
        resized(stage, width, height)
        for window in found:
            assert window.pos.x >= 0 and window.pos.x + window.size.x <= width + 1
            assert window.pos.y >= 0 and window.pos.y + window.size.y <= height + 1


@pytest.mark.parametrize(
    "labels,least,most", [((), 5, 5), (("a", "hip"), 5, 5), (("knee_angle_r_beta_translation2", "a"), 10, 20)]
)
def test_a_column_is_as_wide_as_its_longest_name(gui, labels, least, most):
    assert least <= gui.frame(lambda: widgets.label_column(labels)) <= most


@pytest.mark.parametrize("hidden", [ImVec2(0, 300), ImVec2(300, 0)])
def test_a_hidden_column_is_left_alone(gui, monkeypatch, hidden):
    """A column whose windows are all hidden has no size. It is assigned none, even if the window changes, and has its
    usual width when it returns.
    """
    node, given = SimpleNamespace(id_=1, size=hidden, parent_node=None), []
    monkeypatch.setattr(layout, "_node", lambda name: node if name == SIDES["left"] else None)
    monkeypatch.setattr(layout, "_column", lambda node: node)
    monkeypatch.setattr(layout.imgui.internal, "dock_builder_set_node_size", lambda _id, size: given.append(size.x))
    docked = layout.Docked()

    def fit(width):
        layout._fit(SimpleNamespace(work_size=ImVec2(width, 700)), docked)

    for width in (900, 800, 700):
        gui.frame(lambda width=width: fit(width))
    assert not given
    node.size = ImVec2(300, 700)
    gui.frame(lambda: fit(900))
    assert given and min(given) > 100


@pytest.mark.parametrize("width", [150, 300, 900])
def test_names_of_lines_are_over_a_plot_and_not_in_it(gui, monkeypatch, width):
    """However narrow a plot is, the names lie above it and within its width, and it keeps most of its height."""
    seen = {}
    begin = implot.begin_plot

    def begun(title, size, flags):
        seen.update(top=imgui.get_cursor_screen_pos().y, height=size.y, flags=flags)
        return begin(title, size, flags)

    monkeypatch.setattr(plots.implot, "begin_plot", begun)
    ctx = SimpleNamespace(theme=gui.theme, fonts=gui.fonts)
    names = ("total", "active", "changed", "a long name of a line that has no room", "updates")

    def draw():
        imgui.set_next_window_size(ImVec2(width, 400))
        imgui.begin("narrow")
        right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
        plots.key(ctx, names)
        seen.update(right=imgui.get_item_rect_max().x, most=right)
        if plots.figure(ctx, "Counts", (width - 20, 160), (0, 1), (0, 1), names):
            seen["plot"] = implot.get_plot_pos().y
            implot.end_plot()
        imgui.end()

    for _ in range(2):
        gui.frame(draw)
    assert seen["flags"] & implot.Flags_.no_legend and seen["plot"] >= seen["top"] and seen["right"] <= seen["most"] + 1
    assert seen["height"] > 0.4 * 160
