"""Logging as in releases since 3.10: the receivers of warnings, and of messages about topics that are enabled.

A message goes to the log handler if there is one, else to the old warning handler, else to the terminal and the log file as
MjLogConfig says.
"""

import datetime
import os
import sys
from collections.abc import Callable
from typing import Any

from ..tables.enums import mjtLogLevel, mjtLogTopic
from ..tables.values import read_integer

INFO, WARNING = mjtLogLevel.mjLOG_INFO, mjtLogLevel.mjLOG_WARNING
COMPILING = mjtLogTopic.mjTOPIC_TIME_CMP
# longest name of a log file, in bytes
MAX_PATH = 1023
# topics that have messages
TOLD = 1 << COMPILING - 1


class MjLogMessage:
    """A message: level (mjtLogLevel), topic (mjtLogTopic), subject (one line), body (more lines, or None), timestamp (whether
    to write the time)."""

    __slots__ = ("level", "topic", "subject", "body", "func", "file", "line", "timestamp")

    def __init__(
        self, level: int = INFO, topic: int = 0, subject: str = "", body: str | None = None, timestamp: bool = True
    ) -> None:
        self.level, self.topic, self.subject, self.body, self.timestamp = (
            mjtLogLevel(level),
            mjtLogTopic(topic),
            str(subject),
            body,
            bool(timestamp),
        )
        # not used: set only for locations in MuJoCo's own sources
        self.func = self.file = None
        self.line = 0

    @property
    def text(self) -> str:
        """Subject and body as one text."""
        return self.subject if self.body is None else f"{self.subject}\n{self.body}"


class MjLogConfig:
    """The destinations of messages that no handler receives: logto_console, logto_file, logfile. topics: bits 1 << (topic - 1)
    to enable.
    """

    __slots__ = ("logto_console", "logto_file", "logfile", "topics")

    def __init__(self) -> None:
        self.logto_console, self.logto_file, self.logfile, self.topics = True, True, "MUJOCO_LOG.TXT", 0

    def _copy(self) -> "MjLogConfig":
        new = MjLogConfig()
        for name in self.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    @staticmethod
    def get() -> "MjLogConfig":
        """Return a copy of the current configuration."""
        return _STATE["config"]._copy()

    def set(self) -> None:
        """Use this configuration. ValueError for a topic that has no messages in Tumble (steps, sleep), or for a log file name
        that is too long.
        """
        topics = read_integer(self.topics, 0, (1 << mjtLogTopic.mjNTOPIC) - 1)
        unknown = [topic.name for topic in mjtLogTopic if topic and (topics & ~TOLD) >> topic - 1 & 1]
        if unknown:
            raise ValueError(f"MjLogConfig: Tumble has no messages about {unknown[0]}")
        if len(os.fspath(self.logfile).encode()) > MAX_PATH:
            raise ValueError(f"MjLogConfig: the name of the log file has more than {MAX_PATH} bytes")
        _STATE["config"] = self._copy()


_STATE: dict[str, Any] = {"config": MjLogConfig(), "handler": None}


def mju_setLogHandler(handler: Callable[[MjLogMessage], Any] | None) -> Any:
    """Set the function that receives all messages (MjLogMessage), None to remove it. Returns the previous one. Errors
    are not messages."""
    if handler is not None and not callable(handler):
        raise TypeError("mju_setLogHandler(): incompatible function arguments: handler: a function or None is expected")
    before, _STATE["handler"] = _STATE["handler"], handler
    return before


def mju_message(msg: MjLogMessage) -> None:
    """Send a message. Messages of a topic other than mjTOPIC_NONE are written only if MjLogConfig.topics enables it."""
    if not isinstance(msg, MjLogMessage):
        raise TypeError(f"mju_message(): incompatible function arguments: msg: needs an MjLogMessage, got {type(msg).__name__}")
    handler = _STATE["handler"]
    if handler is not None:
        handler(msg)
        return
    config = _STATE["config"]
    if msg.topic and not config.topics >> msg.topic - 1 & 1:
        return
    kind = msg.level.name[len("mjLOG_") :]
    if config.logto_file and config.logfile:
        append(config.logfile, f"{kind} {now()}: {msg.text}" if msg.timestamp else f"{kind}: {msg.text}")
    if config.logto_console:
        print(f"{kind}: {msg.text}\n", file=sys.stdout if msg.level == INFO else sys.stderr, flush=True)


def mju_info(topic: int, msg: str) -> None:
    """Send a message about a topic (mjtLogTopic)."""
    mju_message(MjLogMessage(INFO, topic, msg))


def is_asked(topic: int) -> bool:
    """Return whether anything receives messages about a topic."""
    return _STATE["handler"] is not None or bool(_STATE["config"].topics >> topic - 1 & 1)


def handled() -> bool:
    """Return whether a handler receives all messages."""
    return _STATE["handler"] is not None


def config() -> "MjLogConfig":
    """Return the current configuration."""
    return _STATE["config"]


def now() -> str:
    """Return the time in the format of log files."""
    return datetime.datetime.now().strftime("%a %b %d %H:%M:%S %Y")


def append(path: str | os.PathLike[str], text: str) -> None:
    """Append lines to a log file; report a failure on the terminal."""
    try:
        with open(path, "a", encoding="utf-8") as f:
            f.write(f"{text}\n\n")
    except OSError as error:
        print(f"cannot write {os.path.abspath(path)}: {error}", file=sys.stderr)


__all__ = ["MjLogConfig", "MjLogMessage", "mju_info", "mju_message", "mju_setLogHandler"]
