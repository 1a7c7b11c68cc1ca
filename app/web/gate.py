"""Decides who may connect, and who may control the simulation.

A connection's address contains a token. The control token allows everything. The watch token shows the same picture and
allows only changes of the client's own camera. Other connections are closed before anything is sent. Without tokens, a
connection has control unless a page of another site opened it.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .wire import CLIENT_MESSAGES, SHARED_MESSAGES, fits

# length of a token in bytes
TOKEN_BYTES = 24
# the host name that browsers resolve to their own machine
LOCAL = "localhost"
Handler = Callable[[int, Any], Awaitable[None]]


class Gate:
    """Tokens and clients of one server. `control` and `watch` are empty if the server uses no tokens.

    `host`: the address that the server listens on. `busy` returns whether too many requests are queued; while it does, clients
    must wait.
    """

    def __init__(self, tokens: bool = True, host: str = LOCAL, busy: Callable[[], bool] = lambda: False) -> None:
        self.control = secrets.token_urlsafe(TOKEN_BYTES) if tokens else ""
        self.watch = secrets.token_urlsafe(TOKEN_BYTES) if tokens else ""
        self.host, self.busy = host, busy
        # the address on which the server actually listens
        self.address = host
        self.acting: set[int] = set()
        self.refused = 0
        self.closed = False

    def guard(self, server: Any) -> None:
        """Install filters for connections and messages in a ViserServer."""
        inner = server._websock_server
        inner.on_client_connect(partial(self._arrive, server))
        inner.on_client_disconnect(self._leave)
        shared = inner._handle_incoming_message
        inner._handle_incoming_message = self._only(SHARED_MESSAGES, shared, self.acts, lambda _client: server.gui)

    def role(self, path: str, origin: str, host: str) -> str:
        """Return the role of a client: `control`, `watch`, or an empty string if it is rejected. The role follows from a
        request's path and its headers Origin and Host.
        """
        if self.closed:
            return ""
        if not self.control:
            return "control" if self.serves(host) and (not origin or same_place(origin, host)) else ""
        token = parse_qs(path.partition("?")[2]).get("token", [""])[0].encode(errors="replace")
        for role, wanted in (("control", self.control), ("watch", self.watch)):
            if hmac.compare_digest(token, wanted.encode()):
                return role
        return ""

    def serves(self, host: str) -> bool:
        """Return whether a Host header names this server.

        Any name can be made to resolve to this machine, so a page of another site may arrive with its own name in Origin and
        Host (DNS rebinding). Literal addresses cannot be forged that way.
        """
        name = place(host)
        everywhere, local = self.host in ("0.0.0.0", "::"), is_loopback(self.host)
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            machine = socket.gethostname().lower()
            if name == LOCAL:
                return local or everywhere
            return name == self.host.lower() or not local and name in (machine, f"{machine}.local")
        return everywhere or name in (self.host, self.address) or local and address.is_loopback

    def acts(self, client: int) -> bool:
        """Return whether a client may control the simulation."""
        return client in self.acting

    async def _arrive(self, server: Any, connection: Any) -> None:
        client = connection.client_id
        live = server._websock_server._live_connections[client]
        if live.role == "control":
            self.acting.add(client)

        def own_controls(number: int) -> Any:
            browser = server.get_clients().get(number)
            return None if browser is None else browser.gui

        own = connection._handle_incoming_message
        connection._handle_incoming_message = self._only(CLIENT_MESSAGES, own, lambda _client: True, own_controls)

    async def _leave(self, connection: Any) -> None:
        self.acting.discard(connection.client_id)

    def _only(
        self, kinds: frozenset[str], handle: Handler, may: Callable[[int], bool], controls: Callable[[int], Any]
    ) -> Handler:
        """Wrap a message handler. It then handles only messages of these types, from clients that may send them, with values
        that the controls accept.
        """

        async def checked(client: int, message: Any) -> None:
            kind = type(message).__name__
            if kind in kinds and may(client) and (kind != "GuiUpdateMessage" or fits(controls(client), message)):
                await handle(client, message)

        return checked


def place(host: str) -> str:
    """Return the name or address in a Host header, without its port and brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        address, closed, _port = host[1:].partition("]")
        return address if closed else ""
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def is_loopback(host: str) -> bool:
    """Return whether an address on which a server listens can only be reached from this machine."""
    try:
        return host.lower() == LOCAL or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def same_place(origin: str, host: str) -> bool:
    """Return whether the Origin header (the page) and the Host header (the server) of a request name the same server."""
    try:
        return urlsplit(origin).netloc.lower() == host.strip().lower()
    except ValueError:
        return False
