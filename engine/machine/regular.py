"""Opens files from untrusted sources: only regular files.

A pipe without a writer would block the reader forever, and a device such as /dev/zero never ends.
"""

import errno
import os
import stat
from typing import BinaryIO

# largest file that is read, in bytes
MAX_FILE = 1 << 31


def without_waiting(path: str | os.PathLike[str], flags: int) -> int:
    """Open a path without blocking on a pipe; an opener for `open`."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_regular(status: os.stat_result, most: float = MAX_FILE) -> None:
    """Raise OSError unless the status is that of a regular file with at most `most` bytes."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it has {status.st_size} bytes, more than the limit of {most}")


def open_regular(path: str | os.PathLike[str], most: float = MAX_FILE) -> BinaryIO:
    """Open a regular file for reading bytes. OSError if it is a pipe, a device, a folder, missing, or larger than
    `most` bytes.

    The check uses the open file, so replacing the file between check and opening has no effect.
    """
    file = open(path, "rb", opener=without_waiting)
    try:
        check_regular(os.fstat(file.fileno()), most)
    except OSError as error:
        file.close()
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    return file
