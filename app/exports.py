"""Writes pictures and tables in a thread, because compressing a large picture would block the window for up to a second."""

from __future__ import annotations

import csv
import io
import os
import queue
import threading
from collections.abc import Callable
from typing import IO, Any

import numpy as np

from ..ui.plotting import title, unit
from .channels import Queue

# When the window closes, wait this many seconds for the last files.
SECONDS = 20.0
# number of rows of a table that are written at a time
PART = 1000
# A function that writes to a file, which is open in binary mode.
Write = Callable[[IO[bytes]], object]


class Exports:
    """Files that are being written, in order. `finished` returns those that are complete."""

    def __init__(self, wake: Callable[[], object] = lambda: None) -> None:
        self._wake = wake
        self._wanted: queue.Queue[tuple[str, IO[bytes], Write] | None] = queue.Queue()
        self._done: Queue[tuple[str, str]] = Queue()
        self._thread: threading.Thread | None = None
        self._count = 0

    @property
    def busy(self) -> bool:
        """Whether a file is incomplete, or its completion has not been reported yet."""
        return self._count > 0

    def begin(self, path: str, write: Write) -> None:
        """Create a file at once, so that its name is taken, and let the thread write it."""
        self._count += 1
        try:
            file = open(path, "wb")
        except OSError as error:
            self._done.put((path, error.strerror or str(error)))
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="exports", daemon=True)
            self._thread.start()
        self._wanted.put((path, file, write))

    def finished(self) -> list[tuple[str, str]]:
        """Return (absolute path, error) of the files finished since the last call. The error is empty if all went well."""
        rows = self._done.drain() if self._count else []
        self._count -= len(rows)
        return [(os.path.abspath(path), error) for path, error in rows]

    def close(self) -> None:
        """Wait for the files that are being written."""
        if self._thread is not None:
            self._wanted.put(None)
            self._thread.join(SECONDS)

    def _run(self) -> None:
        while (item := self._wanted.get()) is not None:
            path, file, write = item
            error = ""
            try:
                with file:
                    write(file)
            except (OSError, ValueError) as found:
                error = getattr(found, "strerror", None) or str(found)
            self._done.put((path, error))
            self._wake()


def table(m: Any, samples: Any) -> tuple[list[str], np.ndarray]:
    """Return all samples as a table, with the heads of its columns: the time, and a column for each channel, with units."""
    count = samples.block.count
    heads = [
        "time (s)",
        *(title(m, channel) + (f" ({unit(m, channel)})" if unit(m, channel) else "") for channel in samples.channels),
    ]
    return heads, np.column_stack([samples.block.times[:count], samples.block.values[:, :count].T])


def write_csv(heads: list[str], rows: np.ndarray, file: IO[bytes]) -> None:
    """Write a table as CSV."""
    with io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(heads)
        # A part at a time, so that other threads can run in between.
        for part in range(0, len(rows), PART):
            writer.writerows(rows[part : part + PART].tolist())
