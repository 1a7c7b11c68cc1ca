"""Who may connect, and who may act. Viser checks neither: this is the only file that reaches into it below its public calls.

A connection names a token in its address. That of control may do everything, that of watching sees the same picture and changes nothing but its own
camera. Any other is closed before it is sent anything. Without tokens every connection may act that no foreign page has opened.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

# bytes of a token
TOKEN_BYTES = 24
# of RFC 6455: the server's policy forbids it
POLICY = 1008
# what a person can do with the scene and the panel, by the names of viser's messages. Others are not for us: uploads, and a share
# request, with which anybody who is connected could open this machine to the internet
ACTIONS = frozenset(("GuiUpdateMessage", "SceneNodeClickMessage", "SceneNodeDragMessage", "ScenePointerMessage", "TransformControlsUpdateMessage",
                     "TransformControlsDragStartMessage", "TransformControlsDragEndMessage"))
# and what concerns its own browser alone
OWN = frozenset(("ViewerCameraMessage", "GuiUpdateMessage"))
# of a control of the panel, what its person may set
CHANGES = frozenset(("value",))
Handler = Callable[[int, Any], Awaitable[None]]


class Gate:
    """Tokens of one server. `control` and `watch` are empty where none is wanted."""

    def __init__(self, tokens: bool = True) -> None:
        self.control = secrets.token_urlsafe(TOKEN_BYTES) if tokens else ""
        self.watch = secrets.token_urlsafe(TOKEN_BYTES) if tokens else ""
        self.acting: set[int] = set()
        self.refused = 0
        self.closed = False

    def guard(self, server: Any) -> None:
        """Stand before a ViserServer that has just been made."""
        inner = server._websock_server
        # awaited, before anything is sent
        inner.on_client_connect(partial(self._arrive, inner))
        inner.on_client_disconnect(self._leave)
        inner._handle_incoming_message = self._only(ACTIONS, inner._handle_incoming_message, self.acts)
        # whoever was quicker than this comes again
        inner.disconnect_all_clients()

    def role(self, path: str, origin: str, host: str) -> str:
        """`control`, `watch`, or nothing, by the address that was asked for and where the asking page comes from."""
        if self.closed:
            return ""
        if not self.control:
            # a page from elsewhere that a browser shows could otherwise act here
            return "control" if not origin or urlsplit(origin).netloc == host else ""
        token = parse_qs(urlsplit(path).query).get("token", [""])[0].encode()
        for role, wanted in (("control", self.control), ("watch", self.watch)):
            if hmac.compare_digest(token, wanted.encode()):
                return role
        return ""

    def acts(self, client: int) -> bool:
        """Whether a client may act."""
        return client in self.acting

    async def _arrive(self, inner: Any, connection: Any) -> None:
        live = inner._live_connections[connection.client_id]
        request = live.request
        role = self.role(request.path, request.headers.get("Origin", ""), request.headers.get("Host", ""))
        if not role:
            self.refused += 1
            await live.close(POLICY, "a token is wanted: use the address that the server printed")
            return
        if role == "control":
            self.acting.add(connection.client_id)
        connection._handle_incoming_message = self._only(OWN, connection._handle_incoming_message, lambda _client: True)

    async def _leave(self, connection: Any) -> None:
        self.acting.discard(connection.client_id)

    def _only(self, kinds: frozenset[str], handle: Handler, may: Callable[[int], bool]) -> Handler:
        """Messages of some kinds from those who may send them."""

        async def checked(client: int, message: Any) -> None:
            kind = type(message).__name__
            if kind not in kinds or not may(client):
                return
            if kind == "GuiUpdateMessage" and not CHANGES.issuperset(message.updates):
                return
            await handle(client, message)

        return checked
