"""Overlays of the view: texts and numbers equal those of the model and the clock."""

import numpy as np
import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tests.ui.models import EMPTY, VARIETY
from tests.ui.null import NullGui, Stage
from tumble.app.config import Config
from tumble.app.keymap import Keymap
from tumble.render import scene as mjv
from tumble.ui import overlay, plots, telemetry
from tumble.ui.context import Overlays

INF = float("inf")


@pytest.fixture
def made(tmp_path):
    gui = NullGui()

    def make(xml):
        m = mj.MjModel.from_xml_string(xml)
        d = mj.MjData(m)
        d.timing = 1
        return Stage(gui, m, d, Config(tmp_path / "s.json"))

    yield make
    gui.close()


@pytest.mark.parametrize(
    "wanted,measured,text",
    [
        (100, None, ""),
        (100, 0.99, ""),
        (100, 0.5, "(50 %)"),
        (50, 0.5, "50 %"),
        (50, 0.3, "50 % (30 %)"),
        (INF, 123.4, "max (12340 %)"),
        (1000, 4.0, "1000 % (400 %)"),
        (1, 0.012, "1 % (1.2 %)"),
    ],
)
def test_factor_and_pause_texts(wanted, measured, text):
    """The measured factor is updated as soon as it differs by more than a tenth from the requested one."""
    assert overlay.factor_text(wanted, measured) == text


def texts_of(stage, monkeypatch):
    seen = []
    from imgui_bundle import imgui

    original = imgui.text_unformatted
    monkeypatch.setattr(imgui, "text_unformatted", lambda text, *a: (seen.append(text), original(text, *a)))
    stage.frames(2)
    assert not [line.text for line in stage.log.lines if line.level == "error"]
    return seen


def test_pause_shows_the_time_of_a_past_state(made, monkeypatch):
    stage = made(PENDULUM)
    for _ in range(30):
        stage.sim.single_step()
    stage.sim.history.restore(stage.m, stage.d, -2)
    assert stage.d.time > 0.01
    assert any(f"PAUSE  at {stage.d.time:.2f} s" in text for text in texts_of(stage, monkeypatch))


def test_a_banner_while_loading(made, monkeypatch):
    stage = made(PENDULUM)
    original = stage.context

    def context():
        ctx = original()
        ctx.loading = "big.xml: compiling kernels, 3 of 9"
        return ctx

    stage.context = context
    assert "Loading big.xml: compiling kernels, 3 of 9" in texts_of(stage, monkeypatch)


def test_help_names_every_chord_and_gesture(made):
    ctx = made(PENDULUM).gui.frame(made(PENDULUM).context)
    rows = [(what, how) for _title, group in overlay.help_groups(ctx) for what, how in group]
    shown = " ".join(how for _what, how in rows)
    keys = Keymap()
    for action in keys.actions.values():
        # runs of numbers share a line that names the first and the last
        if action.chord and not action.id.startswith("group."):
            assert action.chord in shown, action.id
    assert "0 .. 5" in shown and "Shift+0 .. Shift+5" in shown
    for gesture in ("Orbit", "Zoom", "Select a body", "Pull the selected body", "Open a model"):
        assert gesture in [what for what, _how in rows]
    # a changed key is in Help at once
    ctx.keys.rebind("info", "Ctrl+9")
    assert "Ctrl+9" in " ".join(how for _t, group in overlay.help_groups(ctx) for _w, how in group)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_help_columns_hold_everything_and_are_balanced(made, count):
    stage = made(PENDULUM)
    groups = overlay.help_groups(stage.gui.frame(stage.context))
    columns = overlay.help_columns(groups, count)
    assert len(columns) == count
    flat = [line for column in columns for line in column if line[0]]
    assert flat == [line for title, rows in groups for line in ((title, ""), *rows)]
    heights = [len(column) for column in columns]
    assert max(heights) - min(heights[:-1] or heights) <= 2
    assert not [column for column in columns if column[-1][0] and not column[-1][1]], "no title at the foot"


def test_info_names_what_simulate_names(made):
    stage = made(PENDULUM)
    m = stage.m
    m.opt.enableflags |= int(mj.mjtEnableBit.mjENBL_ENERGY) | int(mj.mjtEnableBit.mjENBL_FWDINV)
    for _ in range(400):
        mj.mj_step(m, stage.d)
    ctx = stage.gui.frame(stage.context)
    rows = dict(overlay.info_rows(ctx))
    assert set(rows) >= {"Time", "Size", "CPU", "Solver", "FPS", "Memory", "Energy", "FwdInv", "Islands"}
    assert rows["Time"] == "0.800 s" and rows["Size"] == f"{stage.d.nefc}  ({stage.d.ncon} con)"
    assert float(rows["Energy"]) == pytest.approx(float(np.sum(stage.d.energy)), abs=1e-3)


def test_profiler_rows(made):
    stage = made(PENDULUM)
    for _ in range(300):
        mj.mj_step(stage.m, stage.d)
        stage.telemetry.sample(stage.m, stage.d)
    m, d = stage.m, stage.d
    assert telemetry.sizes(m, d)[:3] == (m.nv, m.nbody, d.nefc)
    ((counts, costs),) = telemetry.solver_rows(m, d)
    assert len(counts) == len(costs) == d.solver_niter[0] and (counts[:, 0] == d.nefc).all()
    times = stage.telemetry.times[-1]
    assert 0 < times[0] and times[1:].sum() == pytest.approx(times[0], rel=0.01), "parts add up to the whole"
    stage.config["profiler"] = True
    stage.frames(2)


def drawn(stage, monkeypatch, name):
    """(label, xs, ys) of the data plotted by one of ImPlot's functions in the next frames."""
    seen = []
    original = getattr(plots.implot, name)

    def look(label, xs, *more):
        seen.append((label, np.array(xs), np.array(more[0])))
        return original(label, xs, *more)

    with monkeypatch.context() as patch:
        patch.setattr(plots.implot, name, look)
        stage.frames(2)
    assert not [line.text for line in stage.log.lines if line.level == "error"]
    return seen


def test_the_profiler_shows_its_four_figures(made, monkeypatch):
    stage = made(PENDULUM)
    for _ in range(300):
        mj.mj_step(stage.m, stage.d)
        stage.telemetry.sample(stage.m, stage.d)
    assert not drawn(stage, monkeypatch, "plot_line"), "off"
    stage.config["profiler"] = True
    lines = {}
    for label, _xs, ys in drawn(stage, monkeypatch, "plot_line"):
        # one name may be in two figures
        lines.setdefault(label, []).append(ys)
    assert {*telemetry.SIZE_ROWS, *telemetry.TIME_ROWS, *telemetry.COUNT_ROWS, *telemetry.COST_ROWS} <= set(lines)
    # the newest is at the right
    assert any(ys[-1] == stage.m.nv and len(ys) > 190 for ys in lines[telemetry.SIZE_ROWS[0]])
    assert any(len(ys) > 190 and ys[-1] > 0 for ys in lines[telemetry.TIME_ROWS[0]])
    assert any(len(ys) == stage.d.solver_niter[0] for ys in lines[telemetry.COUNT_ROWS[0]])


def test_sensor_bars_are_the_values(made, monkeypatch):
    """Bars show the sensors' values, scaled by the cutoff if there is one, with a color for each type."""
    stage = made(VARIETY.replace('<jointpos joint="slide"/>', '<jointpos joint="slide" cutoff="0.5"/>'))
    d = stage.d
    d.qpos[stage.m.joint("hinge").qposadr[0]] = 0.75
    d.qpos[stage.m.joint("slide").qposadr[0]] = 0.25
    mj.mj_forward(stage.m, d)
    assert not drawn(stage, monkeypatch, "plot_bars"), "off"
    stage.config["sensor"] = True
    bars = {label: (xs, ys) for label, xs, ys in drawn(stage, monkeypatch, "plot_bars")}
    assert set(bars) == {"jointpos", "framepos"}
    np.testing.assert_allclose(bars["jointpos"][1], [0.75, 0.5])
    np.testing.assert_allclose(bars["framepos"][1], d.sensordata[2:5])
    assert bars["framepos"][0].tolist() == [2, 3, 4]


def test_sensor_groups(made):
    groups = plots.sensor_groups(made(VARIETY).m)
    assert [(kind, len(addresses)) for kind, addresses, _ in groups] == [("jointpos", 2), ("framepos", 3)]
    assert plots.sensor_groups(made(EMPTY).m) == []


def test_texts_figures_and_images_of_a_script(made, monkeypatch):
    stage = made(PENDULUM)
    figure = mjv.MjvFigure()
    mjv.mjv_defaultFigure(figure)
    figure.title = "mine"
    figure.linepnt[0] = 3
    figure.linedata[0][:6] = [0, 0, 1, 1, 2, 4]
    overlays = Overlays(figures=[(mjv.MjrRect(10, 10, 200, 150), figure)], texts=[(None, 1, "left text", "right text")])
    original = stage.context

    def context():
        ctx = original()
        ctx.overlays = overlays
        return ctx

    stage.context = context
    [(label, xs, ys)] = drawn(stage, monkeypatch, "plot_line")[:1]
    assert xs.tolist() == [0, 1, 2] and ys.tolist() == [0, 1, 4]
    seen = texts_of(stage, monkeypatch)
    assert "left text" in seen and "right text" in seen
    # spaces in a title do not make two plots equal, and an unknown position falls back to the first
    overlays.texts = [(300, 99, "far away", None)]
    assert "far away" in texts_of(stage, monkeypatch)
