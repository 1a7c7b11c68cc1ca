"""Films, written frame by frame: through ffmpeg if it is installed, otherwise as a GIF or as numbered pictures.

`open_film(path, fps, shape)` returns a writer with `add(image, times)` and `close()`. Frames are not kept in memory, so a
film can have any length. Failures raise FilmError with the reason.
"""

from __future__ import annotations

import errno
import functools
import io
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any

import numpy as np

from ..engine.machine.systems import APART

VIDEOS = (".mp4", ".mkv", ".webm", ".mov")
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
NUMBERED = re.compile(r"%0?\d*d")
NO_FFMPEG = "needs ffmpeg, which is not installed (Debian: apt install ffmpeg; or pip install imageio-ffmpeg)"
# GIF counts time in hundredths of a second. Players slow down frames that are shorter than two hundredths.
GIF_FPS = 50.0


class FilmError(ValueError):
    """A film cannot be written; the text gives the reason."""


def ffmpeg() -> str:
    """Return the path of ffmpeg, from the system or the `imageio-ffmpeg` package; empty if it is missing."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        return import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        return ""


def check_folder(path: str) -> None:
    """Raise FilmError if a file cannot be created at this path."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FilmError(f"there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise FilmError(f"the folder {folder} cannot be written to")


def open_film(path: str, fps: float, shape: tuple[int, ...], live: bool = False) -> Any:
    """Return a writer for frames of the given shape, (h, w, 3) or (h, w) bytes. `live` reduces processor load, at the cost of
    file size.
    """
    suffix = os.path.splitext(path)[1].lower()
    check_folder(path)
    if suffix == ".gif":
        return Gif(path, fps)
    if NUMBERED.search(os.path.basename(path)) and suffix in PICTURES:
        return Sequence(path)
    if suffix not in VIDEOS:
        raise FilmError(
            f"cannot write a film as {suffix or 'a file without suffix'}; use .gif, frame_%04d.png, {', '.join(VIDEOS)}"
        )
    if not ffmpeg():
        raise FilmError(f"{suffix} {NO_FFMPEG}; write a .gif or frame_%04d.png instead")
    return Video(path, fps, shape, live)


def reason(error: OSError) -> str:
    """Return the operating system's reason for an error, in a few words."""
    return {errno.ENOSPC: "the disk is full", errno.EACCES: "no permission", errno.EROFS: "the disk cannot be written to"}.get(
        error.errno or 0, error.strerror or str(error)
    )


def guarded(method: Callable) -> Callable:
    """Wrap a method, so that it raises FilmError for errors of the operating system."""

    @functools.wraps(method)
    def call(self: Any, *args: Any) -> Any:
        try:
            return method(self, *args)
        except OSError as error:
            raise FilmError(f"{self.path}: {reason(error)}") from error

    return call


class Video:
    """Pipes raw frames to ffmpeg, which completes the file even if this program crashes."""

    def __init__(self, path: str, fps: float, shape: tuple[int, ...], live: bool) -> None:
        self.path, self.count = path, 0
        height, width = shape[:2]
        quick = ["-preset", "veryfast"] if live and not path.lower().endswith(".webm") else []
        quick += ["-deadline", "realtime", "-cpu-used", "8"] if live and path.lower().endswith(".webm") else []

        # Codecs need even width and height.
        command = [
            ffmpeg(),
            "-y",
            "-loglevel",
            "error",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24" if len(shape) == 3 else "gray",
            "-s",
            f"{width}x{height}",
            "-r",
            f"{fps:g}",
            "-i",
            "-",
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            *quick,
            "-pix_fmt",
            "yuv420p",
            os.path.join(".", path),
        ]
        try:
            # In its own session, ffmpeg does not receive the Ctrl+C that is meant for this program.
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
                creationflags=APART,
            )
        except OSError as error:
            raise FilmError(f"ffmpeg does not start: {reason(error)}") from error

        assert self.process.stdin is not None
        self.pipe = self.process.stdin

    def add(self, image: np.ndarray, times: int = 1) -> None:
        data = np.ascontiguousarray(image).tobytes()
        try:
            for _ in range(times):
                self.pipe.write(data)
                self.count += 1
        except BrokenPipeError:
            self.count = 0
            self.close()

    def close(self) -> None:
        if self.process.poll() is not None and self.pipe.closed:
            return
        _out, errors = self.process.communicate()
        if self.process.returncode or not self.count:
            lines = errors.decode(errors="replace").strip().splitlines() or [f"exit status {self.process.returncode}"]
            # The first line of ffmpeg's output names the cause; the other lines are consequences.
            full = next((line for line in lines if "No space left" in line), "")
            raise FilmError(f"{self.path}: the disk is full" if full else f"ffmpeg: {lines[0]}")


class Gif:
    """A GIF, written frame by frame, with 256 colours per frame. A repeated frame is stored only once, with a longer
    duration.
    """

    def __init__(self, path: str, fps: float) -> None:
        self.path, self.count, self.fps = path, 0, fps
        self._file: IO[bytes] | None = None
        self._waiting: Any = None
        self._times = self._begin = 0

    @guarded
    def add(self, image: np.ndarray, times: int = 1) -> None:
        if self._waiting is not None and self._times / self.fps >= 1 / GIF_FPS:
            self._store()
        if self._waiting is None:
            self._waiting = image
        self._times += times
        self.count += times

    def _store(self) -> None:
        """Write the pending frame, with the time for which it is shown."""
        if self._file is None:
            self._file = open(self.path, "wb")
            height, width = self._waiting.shape[:2]
            self._file.write(b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + b"\x70\0\0")
            # the extension that makes players repeat the film
            self._file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
        # Round the frame's start and end, not its duration, so that rounding errors do not accumulate.
        first, last = (round(100 * n / self.fps) for n in (self._begin, self._begin + self._times))
        self._file.write(
            b"\x21\xf9\x04\0" + min(last - first, 0xFFFF).to_bytes(2, "little") + b"\0\0" + gif_picture(self._waiting)
        )
        self._begin += self._times
        self._waiting, self._times = None, 0

    @guarded
    def close(self) -> None:
        if self._waiting is not None:
            self._store()
        if self._file is not None:
            self._file.write(b";")
            self._file.close()
            self._file = None


def gif_picture(image: np.ndarray) -> bytes:
    """Return the GIF blocks of one frame with its own palette. They are taken from a GIF that contains only this frame."""
    from PIL import Image

    picture = Image.fromarray(image)
    if picture.mode == "RGB":
        picture = picture.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    picture.save(out, "GIF")
    data = out.getvalue()
    size = data[10] & 7
    at = 13 + 3 * (2 << size)
    table = data[13:at]
    # Skip the extensions that Pillow writes before the picture.
    while data[at] == 0x21:
        at += 2
        while data[at]:
            at += 1 + data[at]
        at += 1
    return data[at : at + 9] + bytes([0x80 | size]) + table + data[at + 10 : -1]


class Sequence:
    """Writes each frame to a picture file; the files are numbered from 0."""

    def __init__(self, path: str) -> None:
        self.path, self.count = path, 0

    @guarded
    def add(self, image: np.ndarray, times: int = 1) -> None:
        from PIL import Image

        for _ in range(times):
            Image.fromarray(image).save(self.path % self.count)
            self.count += 1

    def close(self) -> None:
        """Do nothing, because each picture is a complete file."""
