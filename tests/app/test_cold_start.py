"""The first start on a machine: the model is on the screen, and can be viewed, while its kernels are compiled."""

import pytest

from tests.app.models import PENDULUM

# seconds on a machine that runs other tests at the same time, where compiling takes minutes
SEEN_SECONDS = 60.0
# minimum rotation of the view by a drag, in degrees
TURNED = 5.0


@pytest.fixture
def cold(monkeypatch, tmp_path):
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))


def test_a_model_is_seen_before_anything_is_compiled(cold, make_whole_viewer):
    viewer = make_whole_viewer(PENDULUM)
    row = viewer.until(lambda r: r.get("generation") == 1 and r.get("compiling"), SEEN_SECONDS, "the model")
    done, total, _left, holding, fault = row["compiling"]
    assert holding and not fault and done < total
    # the simulation should run, but waits for kernels
    assert row["running"] and row["time"] == 0.0
    viewer.drag(120, 30)
    viewer.until(lambda r: abs(r["azimuth"] - row["azimuth"]) > TURNED, what="the camera")
    assert viewer.row()["panel_errors"] == 0 and viewer.close() == 0
