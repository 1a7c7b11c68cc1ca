"""The default workspace: room for the view, columns that fold, an inspector of the selection, an axis of seconds."""

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from tests.ui.null import NullGui, Stage
from tests.ui.test_look import VARIETY
from tumble import engine as mj
from tumble.app.config import SETTINGS, Config
from tumble.app.state_history import History
from tumble.ui import layout, panels, rail, scope, theme
from tumble.ui.arithmetic import joined, round_step, round_ticks
from tumble.ui.context import Filters
from tumble.ui.panel import settings
from tumble.ui.timeline import Axis

TREE = """<mujoco><worldbody>
  <body name="a"><joint name="ja"/><geom size=".1"/>
    <body name="b"><joint name="jb"/><geom size=".1"/><site name="sb"/></body></body>
  <body name="c"><joint name="jc"/><geom size=".1"/><site name="sc"/></body>
</worldbody>
<tendon><spatial name="t"><site site="sb"/><site site="sc"/></spatial></tendon>
<actuator><motor name="ma" joint="ja"/><motor name="mb" joint="jb"/><motor name="mt" tendon="t"/><motor name="mc" site="sc"/>
</actuator></mujoco>"""


@pytest.fixture
def stage(tmp_path):
    gui = NullGui()
    m = mj.MjModel.from_xml_string(VARIETY)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    yield Stage(gui, m, d, Config(tmp_path / "settings.json"))
    gui.close()


def resized(stage, width, height, percent=100):
    theme.apply("dark", percent, 1.0, False)
    imgui.get_io().display_size = ImVec2(width, height)
    return stage.frames(5)


@pytest.mark.parametrize("size,percent,least", [((1088, 680), 100, 0.6), ((1920, 1080), 100, 0.65), ((800, 560), 100, 0.6)])
def test_the_view_has_most_of_the_window(stage, size, percent, least):
    ctx = resized(stage, *size, percent)
    assert ctx.view_rect[2] >= least * size[0]


def test_columns_fold_into_a_rail_and_open_over_the_view(stage):
    """Columns fold in small windows and with large text, open over the view, and return as columns in large windows."""
    for size, percent, folded in (
        ((1088, 680), 100, []),
        ((800, 560), 100, ["left"]),
        ((800, 560), 200, ["left", "right"]),
        ((1600, 900), 100, []),
    ):
        ctx = resized(stage, *size, percent)
        assert [side for side in rail.FOLDED if rail.folded(ctx, side)] == folded
        for side in folded:
            stage.scratch.of(rail.Opened).side = side
            stage.frames(2)
            over = imgui.internal.find_window_by_name(f"##over_{side}")
            assert over.active and over.size.x <= size[0] and over.size.y > 0.4 * size[1]
        stage.scratch.of(rail.Opened).side = ""


def test_sections_of_the_inspector_follow_the_selection(stage):
    ctx = stage.frames()
    assert "element" not in [panel.name for panel in panels.inspector(ctx, set())]
    stage.view.select_element("geom", 1)
    ctx = stage.frames()
    found = [panel.name for panel in panels.inspector(ctx, set())]
    assert found[:2] == ["element", "selection"] and "joint" in found
    assert "joint" not in [panel.name for panel in panels.inspector(ctx, {"joint"})]


NODE = "DockNode ID=0x0000000{} Parent=0x0000000{} SizeRef=10,10"
DAMAGED = {
    "a third child": ("{0}", "{0}\n  " + NODE.format(9, 1)),
    "an only child": ("{1}\n", ""),
    "its own parent": ("{1}", NODE.format(9, 9)),
    "a parent that comes later": ("{0}", "  DockNode ID=0x00000008 Parent=0x00000009\n{0}"),
    "an id that occurs twice": ("{1}", "{0}"),
    "a negative size": ("SizeRef=", "SizeRef=-"),
    "an endless size": ("SizeRef=", "SizeRef=9999999"),
    "no size": ("SizeRef=", "SizeRef=x"),
    "two centers": ("{1}", "{1} CentralNode=1"),
    "a split center": ("Split=X", "Split=X CentralNode=1"),
    "a node that is not split": (" Split=X", ""),
    "many windows": ("[Docking]", "[Window][x]\nPos=1,1\n" * 10000 + "[Docking]"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_layouts_are_not_used(stage, name):
    """ImGui would end the program with most of them, at each start, or never return."""
    stage.frames(4)
    text = imgui.save_ini_settings_to_memory()
    assert layout.is_sound(text)
    rows = text.split("[Docking][Data]\n")[1].splitlines()
    leaves = [row for row in rows if " Split=" not in row and "CentralNode" not in row]
    old, new = (part.replace("{0}", leaves[0]).replace("{1}", leaves[1]) for part in DAMAGED[name])
    damaged = text.replace(old, new, 1)
    assert damaged != text and not layout.is_sound(damaged)


@pytest.mark.parametrize("preset", layout.PRESETS)
def test_every_layout_of_our_own_is_used(stage, preset):
    stage.scratch.of(layout.Wanted).preset = preset
    stage.config["workspace"] = layout.PRESETS[preset].workspace
    stage.frames(4)
    text = imgui.save_ini_settings_to_memory()
    assert layout.is_sound(text) and layout.is_sound(text.replace(" Pos=", " Pos=-"))


def test_every_section_has_a_place_in_both_workspaces():
    for panel in panels.PANELS:
        if panel.side != "window":
            assert panels.column(panel, "classic") == panel.side
            placed = panel.name in panels.OF_SELECTION + panels.OF_MODEL + panels.OF_PROGRAM
            assert placed, panel.name


def test_lists_are_of_the_selected_body_and_what_is_below_it():
    m = mj.MjModel.from_xml_string(TREE)
    inside = scope.below(m, 1)
    assert inside.tolist() == [False, True, True, False]
    assert [scope.of_joint(m, j) for j in range(3)] == [[1], [2], [3]]
    assert [sorted(scope.of_control(m, i)) for i in range(4)] == [[1], [2], [2, 3], [3]]


def test_the_axis_knows_places_and_times():
    axis = Axis(10.0, 210.0, 101, 51, 2.0, 7.0)
    for index in range(101):
        assert axis.index(axis.x(index)) == index
    assert axis.index(-1e9) == 0 and axis.index(1e9) == 100
    assert axis.time(49) is None and axis.time(50) == 2.0 and axis.time(100) == pytest.approx(7.0)
    # states before the reset have no time of their own; the nearest one is the beginning of the present run
    assert axis.nearest_time(0) == axis.nearest_time(49) == 2.0 and axis.nearest_time(75) == axis.time(75)
    for time in np.linspace(2, 7, 11):
        assert axis.time(axis.index(axis.of_time(time))) == pytest.approx(time, abs=0.06)
    assert axis.of_time(1.9) is None and axis.of_time(7.1) is None
    ticks = list(axis.ticks(30.0))
    places = [x for _time, x in ticks]
    assert len(ticks) > 1 and min(np.diff(places)) >= 29.9 and places[0] >= axis.x(50)


@pytest.mark.parametrize("least", [1e-6, 0.003, 0.1, 0.21, 1.0, 3.3, 5.0, 99.0])
def test_steps_are_round(least):
    step = round_step(least)
    assert least * (1 - 1e-6) <= step <= 2.5 * least
    assert round(step / 10 ** np.floor(np.log10(step) + 1e-9)) in (1, 2, 5)


def test_history_knows_the_run_since_the_last_reset():
    m = mj.MjModel.from_xml_string(VARIETY)
    d, history = mj.MjData(m), History(m)
    for time in (0.0, 0.1, 0.2, 0.0, 0.1):
        d.time = time
        history.add(m, d)
    assert history.run == 2 and history.span == (0.0, 0.1)
    # back before the reset: the run before it is the newest one
    history.restore(m, d, -3)
    d.time = 0.25
    history.add(m, d)
    assert history.run == 3 and history.span == (0.0, 0.25)
    history.clear()
    assert history.run == 0 and history.span == (0.0, 0.0)


def test_every_setting_that_is_listed_exists_and_is_found(stage):
    rows = {row.name: row for row in SETTINGS}
    listed = [name for group in settings.SECTIONS.values() for name, _help in group]
    assert len(listed) == len(set(listed)) and set(listed) <= set(rows)
    for name in listed:
        stage.scratch.of(Filters).texts["settings"] = rows[name].title
        stage.panel("settings")
    assert not stage.log.lines


@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_ticks_are_few_round_and_inside(most):
    """Ticks use at least half of the allowed number, from tiny to huge ranges; a constant has one tick, at its value."""
    rng = np.random.default_rng(most)
    for low, width in zip(
        rng.normal(size=200) * 10.0 ** rng.integers(-6, 6, 200), 10.0 ** rng.uniform(-3, 6, 200), strict=True
    ):
        found = round_ticks(low, low + width, most)
        assert len(found) <= most and all(low - 1e-6 * width <= x <= low + width * (1 + 1e-6) for x in found)
        assert len(found) >= most // 2
        steps = np.diff(found)
        assert not len(steps) or np.ptp(steps) < 1e-6 * width
    assert round_ticks(3.0, 3.0, most) == [3.0]


def test_numbers_that_do_not_fit_have_fewer_digits():
    """Numbers get the most digits that fit, or the fewest if nothing fits. Numbers that fit keep all digits."""
    values = [0.123456789, -2.5, 1e-9]
    for room in range(5, 40):
        text = joined(values, lambda text, room=room: len(text) <= room, (6, 4, 2))
        words = [float(word) for word in text.split()]
        digits = 6 if room >= len("0.123457 -2.5 1e-09") else 4 if room >= len("0.1235 -2.5 1e-09") else 2
        assert words == [float(f"{x:.{digits}g}") for x in values], (room, text)


@pytest.mark.parametrize("percent", [90, 100, 110, 120, 150, 175])
def test_no_line_of_pixels_is_left_between_bars_and_view(stage, percent):
    """Bars and view meet at whole pixels. Pixels between them would keep their old contents."""
    ctx = resized(stage, 1088, 680, percent)
    edges = []
    for name in ("##MainMenuBar", "##timeline", "##status"):
        bar = imgui.internal.find_window_by_name(name)
        edges += [bar.pos.y, bar.pos.y + bar.size.y]
    assert all(edge == round(edge) for edge in (*edges, *ctx.view_rect))
    assert ctx.view_rect[1] <= edges[1] and edges[-1] == 680
