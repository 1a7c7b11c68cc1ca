"""The engine's warnings appear in the status bar, the console and over the view, with the names of the affected elements."""

from tests.app.models import PENDULUM

# a spring that is too stiff for a time step of 2 ms
STIFF = PENDULUM.replace('limited="true"/>', 'limited="true" stiffness="1e7" springref="90"/>', 1)


def test_an_unstable_model_says_so(make_viewer):
    """Automatic resets would make the model look motionless, so the joint is named. The box leads to the doctor, and resets
    can be switched off.
    """
    viewer = make_viewer(STIFF)
    viewer.until(lambda r: r.get("trouble") and r["trouble"][3] > 1, 300.0, "nothing is said")
    row = viewer.fresh()
    assert row["trouble"][:2] == ["joint", 0] and "swing" in row["trouble"][2] and row["running"]
    said = [text for level, text in row["log"] if level == "warning"]
    assert said and "swing" in said[0] and len(said) < 8, "once, and again at ten, a hundred, a thousand times"
    viewer.until(lambda r: r["boxes"].get("trouble"), what="no box over the view")
    x, y, w, h = viewer.row()["boxes"]["trouble"]
    # its first button
    viewer.click(x + 40, y + h - 16)
    viewer.until(lambda r: r["windows"].get("doctor"), what="the box leads to the doctor")
    found = viewer.until(lambda r: r["doctor"]["cause"], 120.0, "the doctor finds nothing")["doctor"]
    assert found["cause"] == ["spring", "joint", 0] and found["helped"]
    assert row["marks"] and viewer.row()["running"], "it goes on meanwhile"


def test_it_stops_before_the_reset(make_viewer):
    viewer = make_viewer(STIFF, stop_unstable=True)
    row = viewer.until(lambda r: r.get("trouble") and not r["running"], 300.0, "it goes on")
    assert "swing" in row["message"] and viewer.fresh()["time"] >= 0
    viewer.key("backspace")
    viewer.until(lambda r: r["trouble"] is None and not r["message"])


def test_without_automatic_reset_the_joint_is_named(make_viewer):
    viewer = make_viewer(STIFF.replace('timestep="0.002"/>', 'timestep="0.002"><flag autoreset="disable"/></option>'))
    row = viewer.until(lambda r: r.get("message"), 300.0, "it goes on")
    assert "joint swing" in row["message"] and not row["running"]
