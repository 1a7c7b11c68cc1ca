"""Pictures and tables are written in a thread: the caller does not wait, names are taken at once, failures are reported."""

import threading
import time

import numpy as np
from PIL import Image

from tumble.app.display import write_picture
from tumble.app.exports import Exports

# seconds for a thread to write a small file, on a loaded machine
PATIENT = 30.0


def finished(exports, count):
    """The next files that are complete, and their errors."""
    rows, end = [], time.monotonic() + PATIENT
    while len(rows) < count and time.monotonic() < end:
        rows += exports.finished()
        time.sleep(0.01)
    return rows


def test_the_caller_does_not_wait_and_the_name_is_taken(tmp_path):
    gate, woken, exports = threading.Event(), [], Exports(lambda: woken.append(1))

    def slow(file):
        gate.wait(PATIENT)
        file.write(b"late")

    exports.begin(str(tmp_path / "a.bin"), slow)
    exports.begin(str(tmp_path / "b.bin"), lambda file: file.write(b"next"))
    assert exports.busy and exports.finished() == [] and not woken
    assert (tmp_path / "a.bin").exists() and (tmp_path / "b.bin").exists()
    gate.set()
    assert finished(exports, 2) == [(str(tmp_path / "a.bin"), ""), (str(tmp_path / "b.bin"), "")]
    assert (tmp_path / "a.bin").read_bytes() == b"late" and (tmp_path / "b.bin").read_bytes() == b"next"
    assert len(woken) == 2 and not exports.busy
    exports.close()


def test_failures_are_reported_and_the_next_file_is_written(tmp_path):
    exports = Exports()

    def broken(_file):
        raise OSError(28, "No space left on device")

    exports.begin(str(tmp_path / "no" / "a.png"), broken)
    exports.begin(str(tmp_path / "b.png"), broken)
    exports.begin(str(tmp_path / "c.png"), lambda file: file.write(b"c"))
    rows = finished(exports, 3)
    assert [error for _path, error in rows] == ["No such file or directory", "No space left on device", ""]
    exports.close()


def test_files_are_complete_when_the_window_has_closed(tmp_path):
    exports = Exports()
    exports.begin(str(tmp_path / "a.bin"), lambda file: [time.sleep(0.2), file.write(b"all")])
    exports.close()
    assert (tmp_path / "a.bin").read_bytes() == b"all"


def test_pictures_have_the_format_of_their_suffix(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 4), np.uint8)
    for name, kind in (("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.webp", "WEBP"), ("a", "PNG")):
        with open(tmp_path / name, "wb") as file:
            write_picture(pixels, name, file)
        with Image.open(tmp_path / name) as picture:
            assert picture.format == kind and picture.size == (30, 20)
            if kind == "PNG":
                np.testing.assert_array_equal(np.asarray(picture), pixels)
