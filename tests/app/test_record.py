"""Films are written picture by picture, in step with the simulation, and without blocking other work."""

import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image

from tests.app.models import PENDULUM
from tumble.app import film, record
from tumble.app.film import FilmError, open_film
from tumble.app.record import WAITING, Recorder

needs_ffmpeg = pytest.mark.skipif(not film.ffmpeg(), reason="ffmpeg is not installed")
# compression changes colours by this much of 255
LOSSY = 40


def flat(value, shape=(48, 64, 3)):
    return np.full(shape, value, np.uint8)


def decoded(path, size):
    """Return all pictures of a film."""
    raw = subprocess.run(
        [film.ffmpeg(), "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, size[1], size[0], 3)


# ---- writers -------------------------------------------------------------------------------------------------------------


@needs_ffmpeg
@pytest.mark.parametrize("suffix", film.VIDEOS)
def test_videos_hold_every_picture(tmp_path, suffix):
    """Odd widths and heights are extended to even ones, and a picture that is added n times occurs n times."""
    out = open_film(str(tmp_path / f"a{suffix}"), 20, (47, 63, 3), live=True)
    for value, times in ((0, 1), (128, 3), (250, 2)):
        out.add(flat(value, (47, 63, 3)), times)
    out.close()
    pictures = decoded(tmp_path / f"a{suffix}", (64, 48))
    assert len(pictures) == 6
    levels = pictures[:, 20, 20].astype(int).mean(1)
    assert np.abs(levels - [0, 128, 128, 128, 250, 250]).max() < LOSSY


@pytest.mark.parametrize("fps", [10, 30, 50, 100])
def test_a_gif_is_in_time_and_in_colour(tmp_path, fps):
    """A GIF lasts as long as its pictures, and its colors are right. An unchanged picture is stored once."""
    path = tmp_path / "a.gif"
    out = open_film(str(path), fps, (48, 64, 3))
    for k in range(fps):
        out.add(np.concatenate([flat((4 * k) % 256, (24, 64, 3)), flat(200, (24, 64, 3))]))
    out.add(flat(30), fps)
    out.close()
    image = Image.open(path)
    shown = []
    for k in range(image.n_frames):
        image.seek(k)
        shown.append(image.info["duration"])
        last = np.asarray(image.convert("RGB"))
        if k == 0:
            np.testing.assert_allclose(last[40, 10], 200, atol=8)
    assert sum(shown) == pytest.approx(2000, abs=20) and min(shown) >= 20
    np.testing.assert_allclose(last[10, 10], 30, atol=8)
    assert image.n_frames <= fps + 1 and image.info["loop"] == 0


def test_a_gif_of_grey_levels(tmp_path):
    out = open_film(str(tmp_path / "a.gif"), 20, (8, 8))
    for value in (0, 90, 255):
        out.add(np.full((8, 8), value, np.uint8))
    out.close()
    image = Image.open(tmp_path / "a.gif")
    for k, value in enumerate((0, 90, 255)):
        image.seek(k)
        assert (np.asarray(image.convert("L")) == value).all()


def test_refusals_say_why(tmp_path, monkeypatch):
    with pytest.raises(FilmError, match="no folder"):
        open_film(str(tmp_path / "gone" / "a.gif"), 20, (8, 8, 3))
    with pytest.raises(FilmError, match="use .gif"):
        open_film(str(tmp_path / "a.avi"), 20, (8, 8, 3))
    if os.path.exists("/dev/full"):
        full = film.Gif("/dev/full", 20)
        with pytest.raises(FilmError, match="the disk is full"):
            for k in range(2000):
                full.add(np.random.default_rng(k).integers(0, 255, (64, 64, 3), np.uint8))
    # ffmpeg that crashes, and ffmpeg on a full disk
    for words, text in (
        ("nonsense: no such codec", "no such codec"),
        ("av_interleaved: No space left on device", "the disk is full"),
    ):
        program = tmp_path / "ffmpeg"
        program.write_text(
            f"#!{sys.executable}\nimport sys\nsys.stdin.buffer.read(1000)\nsys.stderr.write('{words}\\nmore\\n')\nsys.exit(1)\n"
        )
        program.chmod(0o755)
        monkeypatch.setattr(film, "ffmpeg", lambda program=program: str(program))
        out = open_film(str(tmp_path / "a.mp4"), 20, (480, 640, 3))
        with pytest.raises(FilmError, match=text):
            for _ in range(50):
                out.add(flat(1, (480, 640, 3)))
            out.close()
        out.close()
    monkeypatch.setattr(film, "ffmpeg", lambda: "")
    with pytest.raises(FilmError, match="needs ffmpeg"):
        open_film(str(tmp_path / "a.mp4"), 20, (8, 8, 3))


# ---- the recorder --------------------------------------------------------------------------------------------------------


class Slow:
    """A slow writer that remembers its pictures."""

    def __init__(self, seconds=0.0):
        self.seconds, self.got, self.closed = seconds, [], False

    def add(self, image, times=1):
        time.sleep(self.seconds)
        self.got += [int(image[0, 0, 0])] * times

    def close(self):
        self.closed = True


@pytest.fixture
def writer(monkeypatch):
    made = Slow()
    monkeypatch.setattr(record, "open_film", lambda *_args, **_more: made)
    return made


def feed(recorder, times, speed=1.0, patient=True):
    """Record pictures numbered by their index in `times`; `patient` gives the writer the time that it needs."""
    for k, t in enumerate(times):
        if recorder.due(t, speed):
            recorder.add(np.full((4, 4, 3), k))
        while patient and recorder._queue.full():
            time.sleep(0.001)


def test_a_second_of_film_is_a_second_of_simulation(writer):
    """A film lasts as long as its simulation, whether pictures are drawn more often or less often than it needs them."""
    for step in (1 / 240, 1 / 30, 0.1):
        writer.got = []
        recorder = Recorder("x.mp4", 30)
        feed(recorder, np.arange(0, 2 + 1e-9, step))
        assert recorder.join(10) and not recorder.error
        assert len(writer.got) == recorder.count == 61 and writer.closed
        # at any time, the film shows the first picture drawn at or after that time
        times = np.array(writer.got) * step
        wanted = np.arange(61) / 30
        assert (times - wanted > -1e-6).all() and (times - wanted).max() < step + 1e-6


def test_pauses_resets_and_fast_motion(writer):
    recorder = Recorder("x.mp4", 10)
    feed(recorder, [5.0, 5.0, 5.0, 5.5, 0.0, 0.0, 0.5])
    assert recorder.seconds == pytest.approx(1.0)
    feed(recorder, [0.5, 20.5], speed=10.0)
    assert recorder.seconds == pytest.approx(3.0), "faster than real time the film shows what is seen"
    recorder.join(10)
    assert len(writer.got) == 31 and not recorder.due(99.0)


def test_nobody_waits_for_the_writer(writer):
    """A writer slower than the drawing loses pictures, not time, and the film keeps its length."""
    writer.seconds = 0.05
    recorder = Recorder("x.mp4", 100)
    longest = 0.0
    for k in range(200):
        begin = time.perf_counter()
        feed(recorder, [k / 100], patient=False)
        longest = max(longest, time.perf_counter() - begin)
    assert longest < 0.04 and recorder.left_out > 100
    assert recorder.join(WAITING * 0.05 + 10)
    assert len(writer.got) == recorder.count >= 1 and "too slow" in recorder.text


def test_a_window_that_changes_its_size(writer):
    small, large = record.fitted(flat(9, (2, 8, 3)), (4, 4, 3)), record.fitted(flat(7, (9, 9, 3)), (4, 4, 3))
    assert (small[[0, 3]] == 0).all() and (small[1:3] == 9).all() and (large == 7).all()


def test_an_error_ends_the_film(tmp_path):
    recorder = Recorder(str(tmp_path / "gone" / "x.gif"), 30)
    feed(recorder, [0.0])
    assert recorder.done.wait(10) and "no folder" in recorder.text and not recorder.due(1.0)
    nothing = Recorder(str(tmp_path / "y.gif"), 30)
    assert nothing.join(10) and "Nothing was recorded" in nothing.text and not (tmp_path / "y.gif").exists()


def test_names_are_free(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "ffmpeg", lambda: "")
    assert record.free_name(str(tmp_path)).endswith("recording_01.gif")
    (tmp_path / "recording_01.gif").touch()
    assert record.free_name(str(tmp_path)).endswith("recording_02.gif")


# ---- the window ----------------------------------------------------------------------------------------------------------


def filmed(viewer, name, seconds=0.6):
    """Record some simulated seconds by the key; return (path, length of the film as counted)."""
    viewer.key("ctrl+r")
    begin = viewer.until(lambda r: r["recording"] and r["recording"][0] > 0)
    path = viewer.folder / name
    assert begin["recording"][1] == str(path)
    row = viewer.until(lambda r: r["time"] > begin["time"] + seconds)
    viewer.key("ctrl+r")
    viewer.until(lambda r: r["recording"] is None)
    viewer.reported(f"Saved {path}")
    return path, row["time"] - begin["time"]


@needs_ffmpeg
def test_a_film_of_the_view_and_of_the_window(make_viewer):
    viewer = make_viewer(PENDULUM, info=True)
    viewer.started()
    path, seconds = filmed(viewer, "recording_01.mp4")
    _x, _y, w, h = (int(v) for v in viewer.row()["rect"])
    even = w + w % 2, h + h % 2
    pictures = decoded(path, even)
    # the last samples before and after the keys are frames apart
    assert abs(len(pictures) / 30 - seconds) < 0.6 and len(pictures) > 12
    assert pictures.std() > 5, "there is something to see"
    viewer.close()
    again = make_viewer.again(viewer, record_panels=True)
    again.started()
    path, _seconds = filmed(again, "recording_02.mp4")
    assert decoded(path, (1200, 800)).shape[1:] == (800, 1200, 3)
    # closing the window completes a film
    again.key("ctrl+r")
    again.until(lambda r: r["recording"] and r["recording"][0] > 5)
    assert again.close() == 0
    assert len(decoded(again.folder / "recording_03.mp4", (1200, 800))) > 5


def test_without_ffmpeg_it_is_a_gif(make_viewer, monkeypatch, tmp_path):
    if film.ffmpeg() and not shutil.which("ffmpeg"):
        pytest.skip("ffmpeg comes as a package")
    monkeypatch.setenv("PATH", str(tmp_path))
    viewer = make_viewer(PENDULUM)
    viewer.started()
    path, seconds = filmed(viewer, "recording_01.gif")
    image = Image.open(path)
    # a slow machine repeats pictures, which a GIF joins to one
    assert image.n_frames > 1 and image.size[0] == int(viewer.row()["rect"][2])


def test_a_folder_that_is_not_there(make_viewer):
    viewer = make_viewer(PENDULUM, record_folder="/no/such/folder")
    viewer.started()
    viewer.key("ctrl+r")
    row = viewer.until(lambda r: "Cannot record" in r["notice"])
    assert "/no/such/folder" in row["notice"] and row["recording"] is None and row["running"]
