"""`tumble render` and `tumble info`: pictures, distances, films, and clear words when something is missing."""

import numpy as np
import pytest
from PIL import Image

from tests.app.models import CUBE, PENDULUM
from tumble.app import render
from tumble.app.__main__ import main


@pytest.fixture
def cube(tmp_path):
    (tmp_path / "cube.xml").write_text(CUBE)
    return str(tmp_path / "cube.xml")


def run(*words):
    return main(["render", *map(str, words)])


def test_pictures_of_every_kind(cube, tmp_path):
    out = tmp_path / "a.png"
    assert run(cube, out, "--size", "80x60", "--azimuth", 90, "--elevation", 0, "--distance", 2) == 0
    image = np.asarray(Image.open(out)).astype(int)
    assert image.shape == (60, 80, 3) and image[30, 40, 0] > 2 * image[30, 40, 1] and image[2, 2].sum() < image[30, 40].sum()
    # the near face of the cube stands 0.35 before the centre
    assert run(cube, tmp_path / "d.npy", "--size", "80x60", "--azimuth", 90, "--elevation", 0, "--distance", 2, "--depth") == 0
    depth = np.load(tmp_path / "d.npy")
    assert depth.shape == (60, 80) and depth[30, 40] == pytest.approx(1.65, abs=1e-3) and depth[0, 0] > 10
    assert run(cube, tmp_path / "d.png", "--size", "80x60", "--depth") == 0
    assert run(cube, tmp_path / "s.png", "--size", "80x60", "--segmentation") == 0
    colors = np.asarray(Image.open(tmp_path / "s.png")).reshape(-1, 3)
    assert len(np.unique(colors, axis=0)) == 2


def test_films(cube, tmp_path):
    assert run(cube, tmp_path / "f.gif", "--size", "64x48", "--duration", 0.2, "--fps", 20) == 0
    assert Image.open(tmp_path / "f.gif").size == (64, 48)
    assert run(cube, tmp_path / "f_%02d.png", "--size", "64x48", "--duration", 0.2, "--fps", 20) == 0
    assert sorted(p.name for p in tmp_path.glob("f_*.png")) == [f"f_{k:02d}.png" for k in range(4)]


def test_time_and_keyframes(tmp_path):
    path = tmp_path / "p.xml"
    path.write_text(PENDULUM)
    for name, extra in (("a", ()), ("b", ("--key", "up")), ("c", ("--time", "0.5", "--camera", "side"))):
        assert run(path, tmp_path / f"{name}.png", "--size", "80x60", *extra) == 0
    a, b, c = (np.asarray(Image.open(tmp_path / f"{n}.png")).astype(int) for n in "abc")
    assert np.abs(a - b).max() > 50 and np.abs(a - c).max() > 50


@pytest.mark.parametrize("words,text", [(("a.txt",), ".txt"), (("a.png", "--duration", "1"), "frame_%04d"), (("a.png", "--size", "0x3"), "640x480"),
                                        (("a.png", "--camera", "nobody"), "camera 'nobody'"), (("a.gif", "--fps", "0"), "positive"),
                                        (("no/such/folder/a.png",), "folder")])
def test_mistakes_are_one_clear_line(cube, tmp_path, monkeypatch, capsys, words, text):
    monkeypatch.chdir(tmp_path)
    assert run(cube, *words) == 2
    error = capsys.readouterr().err
    assert error.startswith("tumble: ") and text in error and error.count("\n") == 1


def test_films_need_ffmpeg(monkeypatch):
    monkeypatch.setattr(render, "ffmpeg", lambda: "")
    with pytest.raises(render.RenderError, match="ffmpeg"):
        render.kind_of("a.mp4", True)


def test_info_names_what_is_unhealthy(tmp_path, capsys):
    path = tmp_path / "bad.xml"
    path.write_text('<mujoco><compiler angle="radian"/><worldbody><body name="b"><joint name="j" range="1 2" limited="true"/>'
                    '<geom size=".1"/></body></worldbody></mujoco>')
    assert main(["info", str(path)]) == 0
    out = capsys.readouterr().out
    assert "nbody 2" in out and "warning: joint j: starts at 0, outside its range 1 .. 2" in out
