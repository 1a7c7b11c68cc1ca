"""Small problems that users ran into; each test states the right behavior."""

import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from imgui_bundle import imgui, implot

from tests.ui.null import NullGui
from tumble import engine as mj
from tumble.app import filming
from tumble.app.doctor.diagnose import Curve, Report
from tumble.app.document import Document
from tumble.engine.description.archive import from_zip
from tumble.ui import gizmo, plotting, sliders, theme, viewmenu
from tumble.ui.element_names import joint_names
from tumble.ui.panel import doctor

FOUR = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body pos="0 0 1"><geom size=".1"/><geom name="named" size=".1" pos="0 0 .3"/></body></worldbody></mujoco>"""


@pytest.fixture
def gui():
    made = NullGui()
    yield made
    made.close()


def test_a_session_log_is_no_model_and_says_so(tmp_path):
    path = tmp_path / "session.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("items.jsonl", "{}\n")
    with pytest.raises(ValueError, match=r"session log.*tumble replay"):
        from_zip(str(path))


@pytest.mark.parametrize("pixel,digits", [(0.0027, 3), (0.02, 2), (0.9, 1), (3.0, 0), (40.0, -1)])
def test_a_drag_is_written_in_decimals_of_a_pixel(pixel, digits):
    """A written move differs by at most half a pixel from the drag, and is exactly 0 along axes that were not moved."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        move = rng.uniform(-1, 1, 3) * 10 ** rng.uniform(-2, 2) * pixel * (rng.random(3) < 0.6) + 4.7683716e-08 * pixel
        out = gizmo.rounded(move, pixel)
        assert np.abs(out - move).max() <= 0.5 * pixel + 1e-12
        assert (out[np.abs(move) < 0.5 * pixel] == 0).all()
        assert np.allclose(out, np.round(out, digits), atol=1e-12)


def test_numbers_of_sliders_stay_while_ctrl_is_held(gui):
    """Only the slider under the mouse becomes a text field while Ctrl is held."""
    places = {}
    real = sliders._number

    def record(form, value, bar, limits):
        real(form, value, bar, limits)
        places[value] = tuple(sliders._PLACED)

    def draw():
        imgui.set_next_window_pos(imgui.get_main_viewport().pos)
        imgui.set_next_window_size((400, 300))
        imgui.begin("sliders")
        for value in (0.25, -0.5):
            imgui.set_next_item_width(200)
            sliders.slider(f"s{value}", value, -1.0, 1.0)
        imgui.end()

    sliders._number = record
    try:
        imgui.get_io().add_mouse_pos_event(900, 700)
        for _ in range(3):
            gui.frame(draw)
        before = dict(places)
        places.clear()
        imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
        for _ in range(3):
            gui.frame(draw)
    finally:
        sliders._number = real
    assert places == before and len(before) == 2


def test_a_constant_signal_is_not_drawn_on_the_frame(gui):
    """Plots leave a margin above and below the data that they fit."""
    theme.apply("dark", 100, 1.0, False)
    limits = []

    def draw():
        imgui.begin("plot")
        if implot.begin_plot("p"):
            fit = implot.AxisFlags_.auto_fit
            implot.setup_axes("", "", fit, fit)
            implot.plot_line("a", np.arange(5.0), np.array([0.0, 1.0, 0.0, 1.0, 0.5]))
            limits.append(implot.get_plot_limits())
            implot.end_plot()
        imgui.end()

    for _ in range(4):
        gui.frame(draw)
    assert limits[-1].y.min < -0.02 and limits[-1].y.max > 1.02
    assert limits[-1].x.min == pytest.approx(0.0) and limits[-1].x.max == pytest.approx(4.0)


def test_the_curves_of_the_doctor_fill_their_plot(gui, monkeypatch):
    """The axis of speeds is logarithmic, so its margins are factors and end just below the smallest value."""
    look, limits = theme.apply("dark", 100, 1.0, False), []
    end = implot.end_plot
    monkeypatch.setattr(doctor.implot, "end_plot", lambda: (limits.append(implot.get_plot_limits()), end()))
    times = np.linspace(0, 1, 50)
    report = Report(1.0, curve=Curve(times, np.where(times < 0.9, 0.01 + times, np.nan)))

    def draw():
        imgui.begin("doctor")
        doctor._curves(SimpleNamespace(theme=look), report)
        imgui.end()

    for _ in range(4):
        gui.frame(draw)
    assert 0.001 < limits[-1].y.min < 0.01 and 1e12 < limits[-1].y.max < 1e13


@pytest.mark.parametrize(
    "x,wanted",
    [
        ([], [(0, 0)]),
        ([0, 1, 2], [(0, 3)]),
        ([0, 1, 0, 1, 2, 0], [(0, 2), (2, 5), (5, 6)]),
        ([3, 3, 3], [(0, 3)]),
    ],
)
def test_episodes_end_where_time_goes_back(x, wanted):
    assert plotting.episodes(np.array(x, float)) == wanted


def test_many_episodes_are_bounded():
    x = np.tile([0.0, 1.0], 500)
    found = plotting.episodes(x)
    assert len(found) == 24 and found[-1] == (998, 1000)


def test_a_window_of_a_script_has_the_name_of_its_model():
    document = Document.__new__(Document)
    document.path, document.host = "/nowhere/model", SimpleNamespace(passive=True)
    for xml, title in (
        (FOUR.replace("<mujoco>", '<mujoco model="walker">'), "walker"),
        (FOUR, "MuJoCo Model"),
    ):
        assert document.title(mj.MjModel.from_xml_string(xml)) == title


def test_what_has_no_name_is_not_called_twice_by_its_kind(gui, monkeypatch):
    m = mj.MjModel.from_xml_string(FOUR)
    said = []
    monkeypatch.setattr(viewmenu.imgui, "text_colored", lambda _color, text: said.append(text))
    monkeypatch.setattr(viewmenu.widgets, "menu_row", lambda *_: False)
    monkeypatch.setattr(viewmenu.imgui.internal, "begin_menu_ex", lambda *_: False)
    monkeypatch.setattr(viewmenu.widgets, "trace", lambda _label: None)
    monkeypatch.setattr(viewmenu.plotting, "menu", lambda *_: None)
    monkeypatch.setattr(viewmenu.imgui, "separator", lambda: None)
    ctx = SimpleNamespace(m=m, theme={"accent": 0, "muted": 0}, emit=lambda _intent: None, passive=False)
    viewmenu._rows(ctx, 1, 1)
    viewmenu._rows(ctx, 1, 2)
    assert said[0] == "geom 1" and said[2] == "geom named"


def test_joints_without_a_name_are_called_by_their_body():
    m = mj.MjModel.from_xml_string("""<mujoco><worldbody>
      <body name="box"><freejoint/><geom size=".1"/></body>
      <body name="door"><joint/><joint name="own"/><joint/><geom size=".1"/></body></worldbody></mujoco>""")
    assert joint_names(m) == ["box", "door, joint 0", "own", "door, joint 2"]


def test_a_film_leaves_two_thirds_of_the_time_to_the_window(monkeypatch):
    """Recording takes a third of the time, however slow it is. It starts once the message about recording is visible."""
    now, taken = [0.0], []
    monkeypatch.setattr(filming, "clock", lambda: now[0])
    monkeypatch.setattr(filming, "check_folder", lambda _path: None)

    class Recorder:
        def __init__(self, path, fps):
            self.done, self.error = SimpleNamespace(is_set=lambda: False), ""

        def due(self, _time, _speed):
            return True

        def add(self, picture):
            taken.append(now[0])

    monkeypatch.setattr(filming, "Recorder", Recorder)
    film = filming.Filming({"record_fps": 30, "record_panels": False}, SimpleNamespace(note=lambda *_a, **_k: None))
    film.begin("x.mp4", True)

    def pixels(_panels):
        now[0] += 0.9

    spent = 0.0
    while now[0] < 60.0:
        begin = now[0]
        film.feed(False, begin, SimpleNamespace(speed=filming.SPEEDS.index(100), measured=1.0), pixels)
        spent += now[0] - begin
        now[0] += 0.02
    assert taken[0] > filming.FIRST and 0.25 < spent / now[0] < 0.36


def test_a_presentation_is_the_view_alone(make_viewer):
    """A presentation shows no bars; Escape or Undo ends it."""
    viewer = make_viewer(FOUR, window=[800, 560])
    viewer.started()
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write("layout present")
    viewer.until(lambda r: r["typed"] == "layout present")
    viewer.key("enter")
    viewer.until(lambda r: r["rect"] == [0, 0, 800, 560], what="bars")
    viewer.key("esc")
    viewer.until(lambda r: r["settings"]["bars"] and r["rect"][3] < 500 and "timeline" in r)
