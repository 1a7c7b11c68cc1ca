"""The server's socket, and the connections on it: what strangers may send, how much, how fast.

Viser opens its socket inside a thread, where an error leaves the caller waiting for ever, and takes whatever a client sends.
Here viser's server gets a socket that listens already, and connections of a class that checks. No other file than this one
and `gate.py` reaches into viser below its public calls.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import asyncio
import errno
import http
import logging
import os
import socket
import time
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import viser
import websockets
import websockets.exceptions
from viser import infra
from websockets.asyncio import server as sockets
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import State

from .gate import Gate
from .wire import sound

LAST_PORT = 65535
# errors of a port that another server has; Windows names it so, too
TAKEN = (errno.EADDRINUSE,) if os.name == "posix" else (errno.EADDRINUSE, errno.EACCES)
# codes of RFC 6455: forbidden by the server's policy; come back later; another protocol
POLICY, LATER, PROTOCOL = 1008, 1013, 1002
# what pages of this viser speak
VERSION = f"viser-v{viser.__version__}"
WRONG_TOKEN = "a token is wanted: use the address that the server printed"
WRONG_NAME = "this server answers to other names: use the address that it printed, or a token\n"
# clients at a time, and connections that are not clients yet
MOST_CLIENTS, MOST_ARRIVING = 32, 64
# bytes of a message: the largest that a browser sends has 300
MOST_BYTES = 1 << 16
# messages a second of a client that is not slowed down, and how many it may send at once
RATE, BURST = 250.0, 500.0
# seconds between two looks whether a busy server can go on, and after which a client that reads nothing is dropped
WAIT, SLOW = 0.02, 10.0
# seconds in which a client may say goodbye
GOODBYE = 3.0
# headers of which a request has one at most
SINGLE = ("Host", "Origin", "Upgrade", "Accept-Encoding")


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address: at `port`, or at the next free one if that is taken.

    ValueError for a port out of range or an empty host, OSError where this machine has no such address or no port is free.
    """
    if isinstance(port, bool) or not isinstance(port, (int, np.integer)) or not 0 <= port <= LAST_PORT:
        raise ValueError(f"`port` must be a number from 0 to {LAST_PORT}: got {port!r}")
    if not isinstance(host, str) or not host.strip():
        raise ValueError(f"`host` must be a name or an address of this machine: got {host!r}")

    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise OSError(f"cannot listen at {host!r}: no such name or address ({error})") from None

    # the older addresses first: tunnels and scripts mean 127.0.0.1 by localhost
    families = sorted({(family != socket.AF_INET, family, where) for family, _type, _proto, _name, where in found})
    failed: list[OSError] = []
    for attempt in range(port, LAST_PORT + 1) if port else (0,):
        failed = []
        for _order, family, where in families:
            try:
                return opened(family, (where[0], attempt, *where[2:]))
            except OSError as error:
                failed.append(error)
        if not any(error.errno in TAKEN for error in failed):
            break

    raise OSError(failed[0].errno, f"cannot listen at {host!r}, port {port}: {failed[0].strerror}")


def opened(family: int, address: tuple[Any, ...]) -> socket.socket:
    """Return a socket that listens at an address of a family."""
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        # a port that was in use a moment ago is free; on Windows the same option would let two servers share one
        option = socket.SO_REUSEADDR if os.name == "posix" else getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        made.setsockopt(socket.SOL_SOCKET, option, 1)
        made.bind(address)
        made.listen(MOST_ARRIVING)
    except BaseException:
        made.close()
        raise
    return made


class Door:
    """Stands in the place of viser's address: a socket that listens, and who may come in."""

    def __init__(self, gate: Gate, listener: socket.socket) -> None:
        self.gate, self.listener = gate, listener
        # in the order in which they came
        self.arriving: dict[Connection, None] = {}
        self.clients: set[Connection] = set()

    def serve(self, handler: Any, page: Any, **settings: Any) -> Any:
        """In the place of `websockets.asyncio.server.serve`: its socket is here, and its limits."""
        log = logging.Logger("tumble.web")
        log.addHandler(Strangers(self.gate))
        settings |= dict(max_size=MOST_BYTES, close_timeout=GOODBYE, logger=log)
        answers: Any = dict(
            handler=partial(self._handle, handler),
            process_request=partial(self._request, page),
            create_connection=partial(Connection, self),
        )
        return sockets.serve(sock=self.listener, **answers, **settings)

    def _request(self, page: Any, connection: Connection, request: Request) -> Response | None:
        """Answer an HTTP request, or let it become a connection."""
        many = {name: request.headers.get_all(name) for name in SINGLE}
        if any(len(values) > 1 for values in many.values()) or not many["Host"]:
            return self._refuse(connection, http.HTTPStatus.BAD_REQUEST, "a header is missing, or there twice\n")
        host, origin = many["Host"][0], "".join(many["Origin"])
        if not self.gate.control and not self.gate.serves(host):
            return self._refuse(connection, http.HTTPStatus.FORBIDDEN, WRONG_NAME)
        if many["Upgrade"] != ["websocket"]:
            try:
                return page(connection, request)
            except (OSError, ValueError):
                # a path that no file can have
                return self._refuse(connection, http.HTTPStatus.NOT_FOUND, "NOT FOUND\n")
        connection.role = self.gate.role(request.path, origin, host)
        offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol"))
        if not connection.role and VERSION not in (word.strip() for word in offered.split(",")):
            return self._refuse(connection, http.HTTPStatus.FORBIDDEN, WRONG_TOKEN)
        return None

    def _refuse(self, connection: Connection, status: http.HTTPStatus, text: str) -> Response:
        self.gate.refused += 1
        body = text.encode()
        headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), "Connection": "close"}
        return Response(status, status.phrase, Headers(headers), body)

    async def _handle(self, handler: Callable[[Any], Any], connection: Connection) -> None:
        """Let a connection in that may come in."""
        if not connection.role:
            self.gate.refused += 1
            await connection.close(POLICY, WRONG_TOKEN)
        elif len(self.clients) >= MOST_CLIENTS:
            self.gate.refused += 1
            await connection.close(LATER, f"{MOST_CLIENTS} browsers are connected already")
        elif connection.subprotocol != VERSION:
            await connection.close(PROTOCOL, "the page is of another version of viser: load it again")
        else:
            self.arriving.pop(connection, None)
            self.clients.add(connection)
            await handler(connection)


class Connection(sockets.ServerConnection):
    """A connection whose client sends and reads in reasonable ways. `role`: `control`, `watch` or nothing."""

    def __init__(self, door: Door, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.door, self.role = door, ""
        self._queued = 0
        self._credit, self._refilled = BURST, time.monotonic()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        arriving = self.door.arriving
        arriving[self] = None
        # strangers that say nothing make room for those that come later
        if len(arriving) > MOST_ARRIVING:
            oldest = next(iter(arriving))
            del arriving[oldest]
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.arriving.pop(self, None)
        self.door.clients.discard(self)
        super().connection_lost(exc)

    async def recv(self, decode: bool | None = None) -> Any:
        """The next message that is well-formed, as soon as the client may send one and the server can do with more."""
        while True:
            # what the last message asks for comes first, and counts
            await asyncio.sleep(0)
            raw = await super().recv(decode)
            await self._pace()
            while self.door.gate.busy():
                await asyncio.sleep(WAIT)
            if isinstance(raw, bytes) and sound(raw):
                return raw

    async def _pace(self) -> None:
        """Wait until the client has sent RATE messages a second, but for a burst."""
        now = time.monotonic()
        self._credit = min(BURST, self._credit + (now - self._refilled) * RATE) - 1
        self._refilled = now
        if self._credit < 0:
            await asyncio.sleep(-self._credit / RATE)

    async def send(self, message: Any, text: bool | None = None) -> None:
        """Send a message; a client that has read nothing for a while is dropped."""
        sending = asyncio.ensure_future(super().send(message, text))
        self._queued += len(message)
        try:
            while True:
                gone = self._gone()
                await asyncio.wait((sending,), timeout=SLOW)
                if sending.done():
                    return sending.result()
                if self._gone() <= gone and self.state is State.OPEN:
                    self.transport.abort()
        finally:
            sending.cancel()

    def _gone(self) -> int:
        """Bytes that were sent and have left this process."""
        return self._queued - self.transport.get_write_buffer_size()


class Strangers(logging.Handler):
    """Counts requests that were no HTTP; the log keeps the server's own errors."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(logging.WARNING)
        self.gate = gate

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == "opening handshake failed":
            self.gate.refused += 1
        else:
            logging.getLogger("tumble.web").handle(record)


# --- viser's classes, which find our names under theirs ----------------------------------------------------------


def seeing(function: Any, **names: Any) -> Any:
    """Return a copy of a function that finds other objects under some of its global names."""
    names = {**function.__globals__, **names}
    made = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def with_names(module: Any, **names: Any) -> types.SimpleNamespace:
    """A module's names, some of them replaced."""
    return types.SimpleNamespace(**{**vars(module), **names})


def _serve(handler: Any, door: Door, _port: int, process_request: Any, **settings: Any) -> Any:
    return door.serve(handler, process_request, **settings)


_asyncio = types.SimpleNamespace(server=with_names(sockets, serve=_serve))


class _Websockets(infra.WebsockServer):
    _background_worker = seeing(infra.WebsockServer._background_worker, websockets=with_names(websockets, asyncio=_asyncio))


class _Viser(viser.ViserServer):
    __init__ = seeing(viser.ViserServer.__init__, infra=with_names(infra, WebsockServer=_Websockets))


def viser_server(gate: Gate, listener: socket.socket) -> viser.ViserServer:
    """A ViserServer on a socket, behind a gate."""
    made: Any = _Viser
    gate.address = listener.getsockname()[0]
    server = made(host=Door(gate, listener), port=listener.getsockname()[1], verbose=False)
    gate.guard(server)
    return server
