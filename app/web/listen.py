"""The server's socket and its connections. They limit what clients may send, how much, and how fast.

Viser opens its socket inside a thread, where an error leaves the caller waiting forever, and accepts whatever a client sends.
Here, viser's server gets a socket that already listens, and a connection class that checks. Only this file and `gate.py`
use private parts of viser.
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
# Error codes for a port that another server uses.
TAKEN = (errno.EADDRINUSE,) if os.name == "posix" else (errno.EADDRINUSE, errno.EACCES)
# Close codes of WebSocket connections (RFC 6455): policy violation, try again later, protocol error.
POLICY, LATER, PROTOCOL = 1008, 1013, 1002
# protocol version that the web pages of the installed viser use
VERSION = f"viser-v{viser.__version__}"
WRONG_TOKEN = "a token is missing: use the address that the server printed"
WRONG_NAME = "wrong host name: use the address that the server printed, or a token\n"
# Maximum number of clients, and of connections that have not become clients yet.
MOST_CLIENTS, MOST_ARRIVING = 32, 64
# Maximum size of a message in bytes. The largest message that browsers send has 300 bytes.
MOST_BYTES = 1 << 16
# Messages per second that a client may send without being slowed down, and number of messages that it may send at once.
RATE, BURST = 250.0, 500.0
# Seconds between checks of a busy server, and seconds after which a client that reads nothing is dropped.
WAIT, SLOW = 0.02, 10.0
# seconds that a client has for closing its connection
GOODBYE = 3.0
# headers that may occur only once in a request
SINGLE = ("Host", "Origin", "Upgrade", "Accept-Encoding")


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address at `port`, or at the next free port if `port` is taken.

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

    # Try IPv4 addresses first, because tunnels and scripts that use localhost mean 127.0.0.1.
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
    """Return a socket of the given address family that listens on an address."""
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Allow a port to be reused immediately. On Windows, this option would let two servers share a port, so use the
        # exclusive one.
        option = socket.SO_REUSEADDR if os.name == "posix" else getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        made.setsockopt(socket.SOL_SOCKET, option, 1)
        made.bind(address)
        made.listen(MOST_ARRIVING)
    except BaseException:
        made.close()
        raise
    return made


class Door:
    """Replaces viser's listening address: a socket that already listens, and the rules for who may connect."""

    def __init__(self, gate: Gate, listener: socket.socket) -> None:
        self.gate, self.listener = gate, listener
        # connections that have not become clients yet, in the order of arrival
        self.arriving: dict[Connection, None] = {}
        self.clients: set[Connection] = set()

    def serve(self, handler: Any, page: Any, **settings: Any) -> Any:
        """Start a WebSocket server on our socket, with our limits. This replaces `websockets.asyncio.server.serve`."""
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
        """Return the response to an HTTP request, or None to accept it as a WebSocket connection."""
        many = {name: request.headers.get_all(name) for name in SINGLE}
        if any(len(values) > 1 for values in many.values()) or not many["Host"]:
            return self._refuse(connection, http.HTTPStatus.BAD_REQUEST, "a header is missing or repeated\n")
        host, origin = many["Host"][0], "".join(many["Origin"])
        if not self.gate.control and not self.gate.serves(host):
            return self._refuse(connection, http.HTTPStatus.FORBIDDEN, WRONG_NAME)
        if many["Upgrade"] != ["websocket"]:
            try:
                return page(connection, request)
            except (OSError, ValueError):
                # The requested path is not a valid file name.
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
        """Accept a connection that is allowed."""
        if not connection.role:
            self.gate.refused += 1
            await connection.close(POLICY, WRONG_TOKEN)
        elif len(self.clients) >= MOST_CLIENTS:
            self.gate.refused += 1
            await connection.close(LATER, f"{MOST_CLIENTS} browsers are connected already")
        elif connection.subprotocol != VERSION:
            await connection.close(PROTOCOL, "the page is from another version of viser: reload it")
        else:
            self.arriving.pop(connection, None)
            self.clients.add(connection)
            await handler(connection)


class Connection(sockets.ServerConnection):
    """A connection whose client must send and read at reasonable rates. `role`: `control`, `watch`, or empty if it is
    rejected.
    """

    def __init__(self, door: Door, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.door, self.role = door, ""
        self._queued = 0
        self._credit, self._refilled = BURST, time.monotonic()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        arriving = self.door.arriving
        arriving[self] = None
        # If there are too many new connections, drop the oldest one, because it has not sent a request yet.
        if len(arriving) > MOST_ARRIVING:
            oldest = next(iter(arriving))
            del arriving[oldest]
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.arriving.pop(self, None)
        self.door.clients.discard(self)
        super().connection_lost(exc)

    async def recv(self, decode: bool | None = None) -> Any:
        """Return the next well-formed message, once the client may send one and the server has capacity."""
        while True:
            # Let the last message be processed before the limits are checked, so that its requests are counted.
            await asyncio.sleep(0)
            raw = await super().recv(decode)
            await self._pace()
            while self.door.gate.busy():
                await asyncio.sleep(WAIT)
            if isinstance(raw, bytes) and sound(raw):
                return raw

    async def _pace(self) -> None:
        """Wait so that the client sends at most RATE messages per second, apart from a burst."""
        now = time.monotonic()
        self._credit = min(BURST, self._credit + (now - self._refilled) * RATE) - 1
        self._refilled = now
        if self._credit < 0:
            await asyncio.sleep(-self._credit / RATE)

    async def send(self, message: Any, text: bool | None = None) -> None:
        """Send a message; drop a client that has read nothing for a while."""
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
        """Return the number of sent bytes that have left this process."""
        return self._queued - self.transport.get_write_buffer_size()


class Strangers(logging.Handler):
    """Counts connections that did not send valid HTTP, instead of logging them. Errors of the server itself are logged."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(logging.WARNING)
        self.gate = gate

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == "opening handshake failed":
            self.gate.refused += 1
        else:
            logging.getLogger("tumble.web").handle(record)


# --- subclasses of viser's classes that use our objects in place of some globals ---------------------------------------


def seeing(function: Any, **names: Any) -> Any:
    """Return a copy of a function in which some global names refer to other objects."""
    names = {**function.__globals__, **names}
    made = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def with_names(module: Any, **names: Any) -> types.SimpleNamespace:
    """Return a stand-in for a module, with some of its names replaced."""
    return types.SimpleNamespace(**{**vars(module), **names})


def _serve(handler: Any, door: Door, _port: int, process_request: Any, **settings: Any) -> Any:
    return door.serve(handler, process_request, **settings)


_asyncio = types.SimpleNamespace(server=with_names(sockets, serve=_serve))


class _Websockets(infra.WebsockServer):
    _background_worker = seeing(infra.WebsockServer._background_worker, websockets=with_names(websockets, asyncio=_asyncio))


class _Viser(viser.ViserServer):
    __init__ = seeing(viser.ViserServer.__init__, infra=with_names(infra, WebsockServer=_Websockets))


def viser_server(gate: Gate, listener: socket.socket) -> viser.ViserServer:
    """Return a ViserServer that uses a listening socket and is protected by a gate."""
    made: Any = _Viser
    gate.address = listener.getsockname()[0]
    server = made(host=Door(gate, listener), port=listener.getsockname()[1], verbose=False)
    gate.guard(server)
    return server
