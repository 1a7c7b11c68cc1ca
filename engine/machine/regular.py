"""Opens files from untrusted sources, but only if they are regular files.

A pipe without a writer would block the reader forever, and reading a device such as /dev/zero would never end.
"""

import errno
import os
import stat
from typing import BinaryIO

# largest file that is read, in bytes
MAX_FILE = 1 << 31


def without_waiting(path: str | os.PathLike[str], flags: int) -> int:
    """Open a path, without blocking if it is a pipe. This function is meant for the argument `opener` of `open`."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_regular(status: os.stat_result, most: float = MAX_FILE) -> None:
    """Raise OSError unless `status` describes a regular file of at most `most` bytes."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it has {status.st_size} bytes, more than the limit of {most}")


def open_regular(path: str | os.PathLike[str], most: float = MAX_FILE) -> BinaryIO:
    """Open a regular file for reading bytes. Raise OSError if it is missing, a pipe, a device, a folder, or larger than
    `most` bytes.

    The check is made on the open file, so replacing the path in between has no effect.
    """
    file = open(path, "rb", opener=without_waiting)
    try:
        check_regular(os.fstat(file.fileno()), most)
    except OSError as error:
        file.close()
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    return file
