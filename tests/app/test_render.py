"""`tumble render` and `tumble info`: pictures, distances, films, and clear messages when something is missing."""

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
    # the near face of the cube is 0.35 before the center
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


@pytest.mark.parametrize(
    "words,text",
    [
        (("a.txt",), ".txt"),
        (("a.png", "--duration", "1"), "frame_%04d"),
        (("a.png", "--size", "0x3"), "640x480"),
        (("a.png", "--camera", "nobody"), "camera 'nobody'"),
        (("a.gif", "--fps", "0"), "positive"),
        (("no/such/folder/a.png",), "folder"),
    ],
)
def test_mistakes_are_one_clear_line(cube, tmp_path, monkeypatch, capsys, words, text):
    monkeypatch.chdir(tmp_path)
    # a missing folder is not an error in the command line itself
    assert run(cube, *words) == (1 if text == "folder" else 2)
    error = capsys.readouterr().err
    assert error.startswith("tumble: ") and text in error and error.count("\n") == 1


def test_films_need_ffmpeg(monkeypatch):
    monkeypatch.setattr(render, "ffmpeg", lambda: "")
    with pytest.raises(render.RenderError, match="ffmpeg"):
        render.kind_of("a.mp4", True)


def test_info_names_what_is_unhealthy(tmp_path, capsys):
    path = tmp_path / "bad.xml"
    path.write_text(
        '<mujoco><compiler angle="radian"/><worldbody><body name="b"><joint name="j" range="1 2" limited="true"/>'
        '<geom size=".1"/></body></worldbody></mujoco>'
    )
    assert main(["info", str(path)]) == 0
    out = capsys.readouterr().out
    assert "1 body" in out and "warning: joint j: starts at 0, outside its range 1 .. 2" in out


def test_pictures_of_the_studio(cube, tmp_path):
    """Each option of the studio alone selects it, and a transparent picture has an alpha channel."""
    size = ("--size", "64x48")
    for k, words in enumerate(
        (["--studio", "--samples", 4], ["--aperture", 0.1, "--samples", 2], ["--transparent", "--no-ground", "--samples", 2])
    ):
        out = tmp_path / f"{k}.png"
        assert run(cube, out, *size, *words) == 0
        image = np.asarray(Image.open(out))
        assert image.shape == (48, 64, 4 if "--transparent" in words else 3)
    assert image[0, 0, 3] == 0 and image[..., 3].max() == 255
    assert (
        run(
            cube, tmp_path / "f_%02d.png", *size, "--transparent", "--no-ground", "--samples", 1, "--duration", 0.1, "--fps", 20
        )
        == 0
    )
    assert np.asarray(Image.open(tmp_path / "f_01.png")).shape == (48, 64, 4)


@pytest.mark.parametrize(
    "words,text",
    [
        (["a.jpg", "--transparent"], "transparent background needs .png"),
        (["a.png", "--samples", "0"], "--samples is 0, it must be 1 to 4096"),
        (["a.png", "--studio", "--depth"], "not allowed with"),
        (["a.npy", "--aperture", "1", "--depth"], "have no light"),
        (["a.png", "--turntable"], "--turntable is for films"),
        (["a.gif", "--path", "0", "--duration", "1"], "at least two cameras"),
        (["a.gif", "--path", "0,nowhere", "--duration", "1"], "no camera 'nowhere'"),
    ],
)
def test_what_the_studio_cannot_do_is_told(tmp_path, capsys, words, text):
    (tmp_path / "two.xml").write_text(CAMERAS)
    assert run(tmp_path / "two.xml", tmp_path / words[0], *words[1:]) == 2
    assert text in " ".join(capsys.readouterr().err.split())


CAMERAS = """<mujoco><worldbody><light pos="0 0 3"/><geom type="box" size=".2 .2 .2" rgba="1 0 0 1"/>
    <geom pos=".4 0 0" size=".1" rgba="0 1 0 1"/>
 <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1" fovy="40"/><camera name="side" pos="2 0 0" xyaxes="0 1 0 0 0 1"
   fovy="60"/></worldbody></mujoco>"""


def test_a_turntable_closes_its_circle(tmp_path):
    """After a quarter of the film, the camera has turned by a quarter, even if the simulation does not run."""
    (tmp_path / "two.xml").write_text(CAMERAS)
    size = ("--size", "64x48", "--elevation", "0", "--distance", "2")
    assert (
        run(
            tmp_path / "two.xml",
            tmp_path / "f_%d.png",
            *size,
            "--azimuth",
            90,
            "--turntable",
            "--freeze",
            "--duration",
            1,
            "--fps",
            8,
        )
        == 0
    )
    for k in range(8):
        assert run(tmp_path / "two.xml", tmp_path / "one.png", *size, "--azimuth", 90 + 45 * k) == 0
        assert (np.asarray(Image.open(tmp_path / f"f_{k}.png")) == np.asarray(Image.open(tmp_path / "one.png"))).all()


def test_a_path_begins_and_ends_at_its_cameras(tmp_path):
    (tmp_path / "two.xml").write_text(CAMERAS)
    size = ("--size", "64x48")
    assert (
        run(tmp_path / "two.xml", tmp_path / "f_%d.png", *size, "--path", "front,side", "--freeze", "--duration", 1, "--fps", 5)
        == 0
    )
    film = [np.asarray(Image.open(tmp_path / f"f_{k}.png")).astype(int) for k in range(5)]
    for name, image in (("front", film[0]), ("side", film[-1])):
        assert run(tmp_path / "two.xml", tmp_path / "one.png", *size, "--camera", name) == 0
        # rotations are converted to quaternions, which loses the last digits
        assert (np.abs(image - np.asarray(Image.open(tmp_path / "one.png"))).max(2) > 2).mean() < 0.01
    assert all(np.abs(a - b).max() > 30 for a, b in zip(film, film[1:], strict=False))
