"""A script's additions to a viewer: values, plots, marks, received events, and how all of them are drawn."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from imgui_bundle import imgui

import tumble as mj
from tests.app.models import PENDULUM
from tests.ui.null import Stage
from tumble.app.additions import Additions
from tumble.app.config import Config
from tumble.app.insets import colored, gray
from tumble.render import scene as mjv
from tumble.ui import script_panels, sliders, widgets
from tumble.ui.board import CAMERA_KINDS, Board, Hit, run
from tumble.ui.shapes import LABEL


@pytest.fixture
def board():
    return Board()


@pytest.fixture
def stage(gui, tmp_path):
    m = mj.MjModel.from_xml_string(PENDULUM)
    return Stage(gui, m, mj.MjData(m), Config(tmp_path / "s.json"))


def everything(board):
    """One control of each type."""
    return {
        "slider": board.add_slider("kp", 0, 10, 3),
        "checkbox": board.add_checkbox("on", True),
        "choice": board.add_choice("gait", ("walk", "run")),
        "button": board.add_button("Go"),
        "text": board.add_text("State", "well"),
        "plot": board.add_plot("error", ("a", "b")),
        "image": board.add_image("eye", np.zeros((4, 6, 3), np.uint8)),
        "camera": board.add_camera(-1, "depth"),
    }


def shown(stage, board, count=3):
    """Draw the panels for some frames; in the first one, the view is still unknown."""

    def frame():
        ctx = stage.context()
        ctx.board, ctx.view_rect = board, (0.0, 0.0, 1400.0, 900.0)
        script_panels.draw(ctx)
        return ctx

    for _ in range(count):
        ctx = stage.gui.frame(frame)
    assert not [line.text for line in stage.log.lines]
    return ctx


def test_every_control_is_drawn(stage, board):
    made = everything(board)
    board.add_panel("Other").add_text("", "more")
    made["plot"].append(0.0, 1.0, 2.0)
    ctx = shown(stage, board)
    assert set(ctx.seen.script) == {item.title for panel in board.panels for item in panel.items}
    assert set(script_panels.DRAW) >= {type(item) for item in made.values()}
    for name in ("###script Script", "###script Other"):
        assert imgui.internal.find_window_by_id(imgui.internal.im_hash_str(name)) is not None


def test_what_the_person_does_is_the_value_and_calls(stage, board, monkeypatch):
    """The widget's value changes at once; the function is called only when the script's thread handles it."""
    heard = []
    slider = board.add_slider("kp", 0, 10, 3, heard.append)
    box, button = board.add_checkbox("on", False, heard.append), board.add_button("Go", lambda: heard.append("go"))
    for name, answer in (("slider", lambda *a, **k: 7.5), ("toggle", lambda *a, **k: True), ("button", lambda *a, **k: True)):
        monkeypatch.setattr(sliders if name == "slider" else widgets, name, answer)
    shown(stage, board, 2)
    assert (slider.value, box.value, button.clicks, heard) == (7.5, True, 1, [])
    assert list(run(board)) == [] and heard == [7.5, True, "go"] and not board.calls


def test_a_function_that_fails_does_not_stop_the_next(board):
    heard = []
    board.on_click(lambda hit: 1 / 0)
    board.on_click(heard.append)
    hit = Hit("geom", 1, 1, (0.0, 0.0, 0.0), "left")
    assert board.say("click", hit)
    errors = list(run(board))
    assert [type(e) for e in errors] == [ZeroDivisionError] and heard == [hit]


def test_keys_belong_to_the_script(board):
    heard = []
    board.on_key("ctrl+k", lambda: heard.append("k"))
    assert not board.pressed("K") and board.pressed("Ctrl+K") and list(run(board)) == [] and heard == ["k"]
    with pytest.raises(ValueError, match="no such chord"):
        board.on_key("Ctrl+Nonsense", print)
    with pytest.raises(TypeError):
        board.on_click("no function")


@pytest.mark.parametrize(
    "call",
    [
        lambda b: b.add_slider("x", 1, 1),
        lambda b: b.add_camera(0, "sound"),
        lambda b: b.add_image("i", np.zeros((4, 4))),
        lambda b: b.add_image("i", np.zeros((4, 4, 3))),
        lambda b: b.add_points([[np.nan, 0, 0]]),
        lambda b: b.add_labels([[0, 0, 0]], ["a", "b"]),
        lambda b: b.add_arrows([[0, 0, 0]], np.zeros((2, 3))),
        lambda b: b.add_plot("p", ("a",)).append(0, 1, 2),
    ],
)
def test_what_makes_no_sense_is_refused(board, call):
    with pytest.raises(ValueError):
        call(board)


def test_plots_keep_the_newest(board):
    plot = board.add_plot("p", ("a", "b"), samples=10)
    for k in range(57):
        plot.append(0.1 * k, k, -k)
    np.testing.assert_array_equal(plot.curves()[1], np.arange(47, 57))
    plot.clear()
    assert plot.curves().shape == (3, 0)


def test_marks_are_geoms_of_the_scene(board, stage):
    """Points, line pieces, arrows and texts come after the model's geoms, at the script's positions and styles; hidden
    or removed ones do not appear.
    """
    stage.view.board = board
    before = stage.view.update().ngeom
    dots = board.add_points(np.arange(12.0).reshape(4, 3), size=0.3, rgba=(1, 0, 0, 0.5))
    board.add_lines(np.arange(12.0).reshape(4, 3))
    board.add_lines(np.arange(12.0).reshape(4, 3), strip=False)
    arrow = board.add_arrows([[0, 0, 0]], [[0, 0, 2]])
    board.add_labels([[1, 2, 3]], "here")
    scn = stage.view.update()
    assert scn.ngeom - before == 4 + 3 + 2 + 1 + 1
    rows = scn.geom
    np.testing.assert_array_equal(rows.pos[before : before + 4], np.arange(12).reshape(4, 3))
    assert rows.transparent[before] == 1 and rows.size[before, 0] == np.float32(0.3)
    last = scn.ngeom - 1
    assert rows.type[last] == LABEL and rows.label[last] == "here" and rows.pos[last].tolist() == [1, 2, 3]
    assert rows.size[last - 1, 2] == 2
    arrow.place([[0, 0, 0]], [[0, 0, 5]], width=0.1)
    dots.visible = False
    scn = stage.view.update()
    assert scn.ngeom - before == 7 and scn.geom.size[scn.ngeom - 2].tolist() == pytest.approx([0.1, 0.1, 5])
    for mark in board.marks:
        mark.remove()
    assert stage.view.update().ngeom == before and not board.marks


def test_two_threads_lose_nothing(board):
    """No item is lost when two threads add and remove items at once."""

    def work(name):
        for k in range(300):
            item = board.add_text(f"{name}{k}", "")
            if k % 3:
                item.remove()

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(board.home.items) == 200


def test_additions_follow_the_window(board):
    """Functions are called with the model and data of the simulation: after a change of the model, and between pictures."""
    called, view = [], SimpleNamespace(element=("body", 0), m=None, ready=False, board=None)
    sim = SimpleNamespace(m="m", d="d", lock=threading.RLock())
    failed, host = [], SimpleNamespace(sim=sim, passive=False)
    parts = SimpleNamespace(
        view=view,
        host=host,
        board=None,
        activity=SimpleNamespace(wake=lambda: None),
        messages=SimpleNamespace(failed=lambda error: failed.append(str(error))),
    )
    additions = Additions(parts)
    additions.follow()
    additions.attach(board)
    board.on_load(lambda: called.append(("load", board.m, board.d)))
    board.on_frame(lambda: called.append(("frame", board.m)))
    additions.follow()
    assert not called and not any(board.eye[1]), "there is no model yet"
    view.m = "m"
    for _ in range(2):
        additions.follow()
    assert called == [("load", "m", "d"), ("frame", "m")], "a load is answered first"
    assert (board.m, board.d) == (None, None), "a Board keeps no model alive"

    board.on_frame(lambda: 1 / 0)
    additions.follow()
    assert failed == ["division by zero"]

    # a script that answers late gets no second call for the same event
    host.passive = True
    for _ in range(3):
        additions.follow()
    assert len(board.calls) == 2
    additions.detach()
    assert parts.board is None and board.look is None and not board.calls


def test_nothing_is_left_after_closing(board):
    everything(board)
    board.add_points([[0, 0, 0]])
    board.on_click(print)
    board.on_key("K", print)
    board.clear()
    assert not (board.panels or board.marks or board.listeners or board.keys or board.calls)


def test_depths_and_numbers_as_pictures():
    """Near is bright, far dark, nothing black; each object has one color, the background has none."""
    far = gray(np.array([[1.0, 2.0], [3.0, np.inf]], np.float32))
    assert far[0, 0, 0] == 255 > far[0, 1, 0] > far[1, 0, 0] > 0 == far[1, 1, 0]
    assert not gray(np.full((2, 2), np.inf)).any()
    m = mj.MjModel.from_xml_string(PENDULUM)
    d, scn = mj.MjData(m), mjv.MjvScene(m, 100)
    mj.mj_forward(m, d)
    mjv.mjv_updateScene(m, d, mjv.MjvOption(), None, mjv.MjvCamera(), int(mj.mjtCatBit.mjCAT_ALL), scn)
    picture = colored(scn, np.array([[-1, 0], [1, 0]]))
    assert not picture[0, 0].any() and (picture[0, 1] == picture[1, 1]).all() and not (picture[0, 1] == picture[1, 0]).all()
    assert CAMERA_KINDS == ("colour", "depth", "segmentation")
