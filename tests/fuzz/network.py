"""Random messages to the server of browsers: bytes, msgpack of anything, and its own messages with strange values.

They come from who may act and who only watches, requests from strangers. None of them leaves a line in the log.
"""

import contextlib
import dataclasses
import functools
import gc
import io
import logging
import socket
import typing

import msgspec
from viser import _messages
from websockets.exceptions import ConnectionClosed

import tumble
from tests.app.browser import Probe
from tests.fuzz import more
from tests.robust.test_trusted_models import MODELS
from tumble import viewer

# messages in a case
COUNT = 20
KINDS = [
    getattr(_messages, name)
    for name in (
        "GuiUpdateMessage",
        "SceneNodeClickMessage",
        "SceneNodeDragMessage",
        "ViewerCameraMessage",
        "TransformControlsUpdateMessage",
        "ShareUrlRequest",
        "FileTransferStartUpload",
        "FileTransferPart",
        "ScenePointerMessage",
        "GuiButtonHoldMessage",
        "GuiFormSubmitMessage",
    )
]


@functools.cache
def server():
    """One for all cases of a process."""
    return viewer.serve(tumble.MjModel.from_xml_string(MODELS[sorted(MODELS)[0]]), port=0)


def number(rng):
    return rng.choice((0.0, 1.0, -1.0, 0.5, 1e300, -1e300, float("nan"), float("inf"), rng.gauss(0, 1)))


def value(rng, name, probe):
    """For a field of a message: often one that fits."""
    if rng.random() < 0.15:
        return more.thing(rng)
    if name == "uuid":
        return rng.choice([*probe.gui, "none"])
    if name == "name":
        return rng.choice([*probe.nodes, "/none"])
    if name == "updates":
        return {
            rng.choice(("value", "value", "value", "label", "update_cb", "order")): rng.choice(
                (more.thing(rng), number(rng), "Run", True)
            )
        }
    if name in ("ray_origin", "ray_direction", "start_position", "end_position", "position", "look_at", "up_direction"):
        return tuple(number(rng) for _ in range(3))
    if name in ("screen_pos", "start_screen_pos", "end_screen_pos"):
        return (number(rng), number(rng))
    return {
        "wxyz": (number(rng),) * 4,
        "instance_index": rng.choice((None, 0, 1, -1, 10**6)),
        "phase": rng.choice(("start", "update", "end", "x")),
        "button": rng.choice(("left", "right")),
        "modifier": rng.choice((None, "cmd/ctrl", "shift")),
        "owner": "",
    }.get(name, more.thing(rng))


def message(rng, probe):
    """Bytes to send."""
    way = rng.random()
    if way < 0.05:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
    if way < 0.1:
        return packed(more.thing(rng))
    kind = rng.choice(KINDS)
    fields = [f.name for f in dataclasses.fields(kind) if f.name in typing.get_type_hints(kind)]
    return packed({"type": kind.__name__} | {name: value(rng, name, probe) for name in fields if rng.random() < 0.97})


def packed(thing):
    """Msgpack of anything that it can hold."""
    try:
        return msgspec.msgpack.encode(thing)
    except (TypeError, ValueError, OverflowError, UnicodeEncodeError):
        return b"\xc0"


# of a request; what makes it one for a connection
KEY = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
PARTS = (
    b"GET ",
    b"POST ",
    b"/",
    b"/?token=a",
    b"/%00%ff",
    b"//[",
    b" HTTP/1.1",
    b" HTTP/9",
    b"\r\n",
    b"\r\n",
    b"\r\n\r\n",
    b"Host: localhost",
    b"Host: [",
    b"Origin: http://[",
    b"Upgrade: websocket",
    b"Connection: Upgrade",
    KEY,
    b"Sec-WebSocket-Version: 13",
    b"Accept-Encoding: gzip",
    b"Sec-WebSocket-Protocol: viser-v0",
    b": ",
    b"\0",
    b"\xff",
    b"a" * 9000,
)
UPGRADE = (
    b"GET /?token=%b HTTP/1.1\r\nHost: %b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + KEY
    + b"\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def stranger(rng, port):
    """Bytes on a connection without a token, and the end of it."""
    raw = b"".join(rng.choices(PARTS, k=rng.randrange(1, 14)))
    if rng.random() < 0.3:
        raw = bytearray(UPGRADE % (raw[:50], raw[-50:]))
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as end, contextlib.suppress(ConnectionError):
        end.sendall(raw)
        end.shutdown(socket.SHUT_WR)
        while end.recv(65536):
            pass


@contextlib.contextmanager
def silence():
    """Nothing is logged or printed in the block; a task that failed says so when it is collected."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    logging.getLogger().addHandler(handler)
    try:
        with contextlib.redirect_stderr(out), contextlib.redirect_stdout(out):
            yield
            gc.collect(0)
    finally:
        logging.getLogger().removeHandler(handler)
    assert out.getvalue() == ""


def network(rng):
    """Messages of one connection, which may be closed for them; afterwards the server serves the next one,
    and the simulation's thread is alive.
    """
    handle = server()
    with silence():
        stranger(rng, handle._server.port)
        messages(rng, handle)


def messages(rng, handle):
    inner = handle._server
    watches = rng.random() < 0.3
    before = inner.host.sim.d.ctrl.copy()
    probe = Probe(handle.watch_url if watches else handle.url).hello()
    try:
        probe.wait(lambda: probe.nodes and probe.gui)
        for _ in range(COUNT):
            probe.socket.send(message(rng, probe))
        probe.take(0.05)
    except ConnectionClosed:
        pass
    finally:
        probe.close()
    again = Probe(handle.watch_url).hello()
    again.wait(lambda: again.nodes and again.gui)
    again.close()
    assert handle.is_running() and inner.host.is_alive()
    assert inner.server._share_tunnel is None
    # who watches has set nothing
    assert not watches or (inner.host.sim.d.ctrl == before).all()
