"""Opening files that somebody else may have put there: only regular files are opened.

A pipe without a writer would block the reader for ever, and a device such as /dev/zero never ends.
"""

import errno
import os
import stat
from typing import BinaryIO

# bytes of the largest file that is read
MAX_FILE = 1 << 31


def without_waiting(path, flags: int) -> int:
    """An opener for `open` that does not block on a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_regular(status: os.stat_result, most: float = MAX_FILE) -> None:
    """OSError unless the status is that of a regular file of at most `most` bytes."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it has {status.st_size} bytes, more than the limit of {most}")


def open_regular(path, most: float = MAX_FILE) -> BinaryIO:
    """Open a regular file for reading bytes. OSError if it is a pipe, a device, a folder, missing, or larger than `most` bytes.

    The open file itself is checked, so replacing the file between a check and the opening changes nothing.
    """
    file = open(path, "rb", opener=without_waiting)
    try:
        check_regular(os.fstat(file.fileno()), most)
    except OSError as error:
        file.close()
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    return file
