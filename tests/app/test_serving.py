"""Without the extra `web`, a request for a browser reports what to install."""

import sys

import pytest

import tumble
from tumble import viewer
from tumble.app.__main__ import main

BALL = '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'


@pytest.fixture(params=["viser", "rich", "trimesh"])
def lacking(request, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("tumble.app.web.")]:
        monkeypatch.delitem(sys.modules, name)
    # importing it fails as if it were not installed
    for name in ("viser", "rich", "trimesh") if request.param == "viser" else (request.param,):
        monkeypatch.setitem(sys.modules, name, None)


def test_what_is_missing_is_told(lacking, tmp_path, capsys):
    m = tumble.MjModel.from_xml_string(BALL)
    for call in (lambda: viewer.serve(m), lambda: tumble.show(m, tumble.MjData(m))):
        with pytest.raises(ImportError, match=r"pip install 'tumble\[web\]'"):
            call()
    (tmp_path / "ball.xml").write_text(BALL)
    assert main(["serve", str(tmp_path / "ball.xml")]) == 1
    assert "pip install 'tumble[web]'" in capsys.readouterr().err
