"""A client of the web server without a browser: it speaks viser's protocol and keeps the part of the scene that a
browser would know.

A frame is two lengths (of the packed text before and after compression), zstd of msgpack {messages, binaryBufferLengths},
and arrays at multiples of 8 bytes, to which {__binary_index, dtype} in the messages refer.
"""

import time
from urllib.parse import parse_qs, urlsplit

import msgspec
import numpy as np
import viser
import zstandard
from viser import _messages
from websockets.sync.client import connect

# seconds to wait for an event that should be quick, on a busy machine
SOON = 20.0
CAMERA = dict(
    wxyz=(1.0, 0.0, 0.0, 0.0),
    position=(0.0, -3.0, 1.0),
    fov=0.8,
    image_height=500,
    image_width=800,
    near=0.01,
    far=100.0,
    look_at=(0.0, 0.0, 0.0),
    up_direction=(0.0, 0.0, 1.0),
)


def socket_address(url):
    """Return the address to which the page connects."""
    parts = urlsplit(url)
    return parse_qs(parts.query).get("websocket", [f"ws://{parts.netloc}/"])[0]


class Probe:
    """One connection. `nodes`: {name: properties}, `gui`: {uuid: (kind, properties)}."""

    def __init__(self, url, **headers):
        # While a simulation runs, many unread messages come before the answer to a close: do not wait for it.
        self.socket = connect(
            socket_address(url), subprotocols=[f"viser-v{viser.__version__}"], max_size=None, close_timeout=0.5, **headers
        )
        self.nodes, self.gui, self.bindings, self.count = {}, {}, {}, 0

    def hello(self):
        """A browser's first message: the pose of its camera."""
        self.send(_messages.ViewerCameraMessage(**CAMERA))
        return self

    def send(self, message):
        self.socket.send(msgspec.msgpack.encode(message.as_serializable_dict()))

    def take(self, seconds):
        """Read messages for some seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                frame = self.socket.recv(timeout=left)
            except TimeoutError:
                return
            self.read(frame)

    def wait(self, happened):
        """Read until a condition holds."""
        end = time.monotonic() + SOON
        while not happened():
            assert time.monotonic() < end, "it did not happen"
            self.take(0.1)

    def read(self, frame):
        size = int.from_bytes(frame[8:16], "little")
        rows = msgspec.msgpack.decode(
            zstandard.ZstdDecompressor().decompress(frame[16 : 16 + size], max_output_size=int.from_bytes(frame[:8], "little"))
        )
        buffers, at = [], 16 + size
        for length in rows["binaryBufferLengths"]:
            at += -at % 8
            buffers.append(frame[at : at + length])
            at += length
        for message in rows["messages"]:
            self.apply(filled(message, buffers))

    def apply(self, message):
        self.count += 1
        kind, name = message["type"], message.get("name")
        if kind.startswith("Gui") and "uuid" in message and "props" in message:
            self.gui[message["uuid"]] = (kind, dict(message["props"], value=message.get("value")))
        elif kind == "GuiUpdateMessage" and message["uuid"] in self.gui:
            self.gui[message["uuid"]][1].update(message["updates"])
        elif kind in ("RemoveSceneNodeMessage", "GuiRemoveMessage"):
            self.nodes.pop(name, None)
        elif kind == "SceneNodeUpdateMessage" and name in self.nodes:
            self.nodes[name].update(message["updates"])
        elif kind in ("SetPositionMessage", "SetOrientationMessage") and name in self.nodes:
            self.nodes[name].update({k: v for k, v in message.items() if k in ("position", "wxyz")})
        elif name is not None and "props" in message:
            self.nodes[name] = dict(message["props"], type=kind)

    def instances(self):
        """Return all visible instances of all shapes: positions (n, 3), scales (n, 3)."""
        found = [
            [node[k].reshape(-1, 3) for k in ("batched_positions", "batched_scales")]
            for node in self.nodes.values()
            if "batched_positions" in node
        ]
        at, scale = (
            (np.concatenate(rows) if rows else np.zeros((0, 3)) for rows in zip(*found)) if found else (np.zeros((0, 3)),) * 2
        )
        return at[scale.any(1)], scale[scale.any(1)]

    def text(self):
        """The text at the top of the panel."""
        return next(
            (
                props.get("_markdown") or props.get("content") or ""
                for kind, props in self.gui.values()
                if kind == "GuiMarkdownMessage"
            ),
            "",
        )

    def control(self, title):
        """Return the uuid of the control with a title."""
        return next(uuid for uuid, (_kind, props) in self.gui.items() if props.get("label") == title)

    def set(self, title, value):
        self.send(_messages.GuiUpdateMessage(self.control(title), {"value": value}))

    def press(self, word):
        """Press a button of the row that runs, pauses, steps and resets."""
        self.set("", word)

    def close(self):
        self.socket.close()


def filled(value, buffers):
    """Return a message with its arrays inserted."""
    if isinstance(value, dict):
        if "__binary_index" in value:
            return np.frombuffer(buffers[value["__binary_index"]], value["dtype"])
        return {k: filled(v, buffers) for k, v in value.items()}
    return [filled(v, buffers) for v in value] if isinstance(value, list) else value
