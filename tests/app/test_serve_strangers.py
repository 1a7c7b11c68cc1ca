"""Unknown, watching and slow clients of the web server are refused, made to wait or dropped, all without log entries."""

import contextlib
import gc
import logging
import os
import socket
import time

import numpy as np
import pytest

pytest.importorskip("viser", reason="the extra `web` is not installed")

import msgspec
import viser
from viser import _messages
from websockets.exceptions import ConnectionClosed

import tumble
from tests.app.browser import SOON, Probe
from tumble import viewer
from tumble.app.__main__ import main
from tumble.app.web import listen, serve
from tumble.app.web.gate import Gate
from tumble.app.web.wire import sound

XML = """
<mujoco>
  <worldbody>
    <body name="arm"><joint name="hinge" axis="0 1 0"/><geom name="arm" type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-2 2"/></actuator>
</mujoco>"""
# an address without a machine (RFC 5737), and a name without one (RFC 2606)
NOWHERE, NOBODY = "203.0.113.7", "nosuchhost.invalid"


@pytest.fixture
def silent(caplog, capfd):
    """Check that the test logs and prints nothing."""
    caplog.set_level(logging.WARNING)
    yield
    # failed tasks report when they are collected
    gc.collect()
    time.sleep(0.1)
    out, err = capfd.readouterr()
    assert (out, err, caplog.text) == ("", "", "")


@pytest.fixture
def running():
    with viewer.serve(tumble.MjModel.from_xml_string(XML), port=0, running=False) as handle:
        yield handle


def until(happened, what="it did not happen"):
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def connected(url):
    probe = Probe(url).hello()
    probe.wait(lambda: probe.text() and any(props.get("label") == "motor" for _kind, props in probe.gui.values()))
    return probe


def said(port, raw, seconds=SOON):
    """Return the server's answer to bytes, until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as end:
        with contextlib.suppress(ConnectionError):
            end.sendall(raw)
            if not raw.endswith(b"\r\n\r\n"):
                end.shutdown(socket.SHUT_WR)
            answer = b""
            while part := end.recv(65536):
                answer += part
            return answer
    return b""


# ---- addresses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "word"),
    [
        ({"host": NOWHERE, "port": 0}, NOWHERE),
        ({"host": NOBODY, "port": 0}, NOBODY),
        ({"host": "127.0.0.1:80"}, "127.0.0.1:80"),
        ({"host": ""}, "host"),
        ({"host": None}, "host"),
        ({"host": "a\0b"}, "a"),
        ({"host": "x" * 300}, "xxx"),
        ({"port": -1}, "-1"),
        ({"port": 65536}, "65536"),
        ({"port": 10**30}, "port"),
        ({"port": 80.5}, "80.5"),
        ({"port": "8080"}, "8080"),
        ({"port": True}, "True"),
        ({"port": None}, "None"),
    ],
)
def test_a_wrong_address_is_told_at_once(where, word):
    with pytest.raises((OSError, ValueError), match=word):
        viewer.serve(tumble.MjModel.from_xml_string(XML), **where)


def test_no_port_is_left():
    m = tumble.MjModel.from_xml_string(XML)
    with listen.listening("127.0.0.1", 65535), pytest.raises(OSError, match="port 65535"):
        viewer.serve(m, port=65535)


def test_a_taken_port_gives_way_to_the_next():
    with listen.listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with viewer.serve(tumble.MjModel.from_xml_string(XML), port=port) as handle:
            assert handle._server.port > port
            connected(handle.url).close()


@pytest.mark.parametrize(
    ("where", "status"), [(["--port", "99999"], 2), (["--host", NOBODY], 1), (["--host", NOWHERE], 1)], ids=str
)
def test_the_command_tells_it_before_it_compiles(where, status, tmp_path, capsys):
    """An impossible port is a wrong command line (status 2). An address may exist on another machine, so it gives status 1."""
    (tmp_path / "arm.xml").write_text(XML)
    assert main(["serve", str(tmp_path / "arm.xml"), *where]) == status
    assert where[1] in capsys.readouterr().err


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0"])
def test_names_and_all_addresses(host):
    with viewer.serve(tumble.MjModel.from_xml_string(XML), host=host, port=0) as handle:
        assert b"200 OK" in said(handle._server.port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")


# ---- strangers -----------------------------------------------------------------------------------------------------------

HERE = b"Host: localhost\r\n"
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)
REQUESTS = {
    "bytes": bytes(range(256)),
    "empty": b"",
    "line ends": b"\r\n\r\n",
    "method": b"POST / HTTP/1.1\r\n" + HERE + b"\r\n",
    "version": b"GET / HTTP/0.9\r\n\r\n",
    "long": b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
    "long name": b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\n" + HERE + b"\r\n",
    "headers": b"GET / HTTP/1.1\r\n" + HERE + b"A: b\r\n" * 1000 + b"\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + HERE + HERE + b"\r\n",
    "two upgrades": b"GET / HTTP/1.1\r\n" + HERE + b"Upgrade: a\r\nUpgrade: b\r\n\r\n",
    "two encodings": b"GET / HTTP/1.1\r\n" + HERE + b"Accept-Encoding: a\r\nAccept-Encoding: b\r\n\r\n",
    "zero": b"GET /%00 HTTP/1.1\r\n" + HERE + b"\r\n",
    "not utf-8": b"GET /%ff%fe HTTP/1.1\r\n" + HERE + b"\r\n",
    "up": b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + HERE + b"\r\n",
    "no key": b"GET / HTTP/1.1\r\n" + HERE + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "no version": b"GET /?token=\xff HTTP/1.1\r\n" + HERE + UPGRADE + b"\r\n",
    "brackets": b"GET //[/?token=a HTTP/1.1\r\nHost: [\r\nOrigin: http://[\r\n" + UPGRADE + b"\r\n",
}


@pytest.mark.parametrize("token", [True, False])
def test_requests_that_are_none_leave_no_trace(token, silent):
    with viewer.serve(tumble.MjModel.from_xml_string(XML), port=0, token=token) as handle:
        for raw in REQUESTS.values():
            assert b"root:" not in said(handle._server.port, raw)
        connected(handle.url).close()


def test_names_that_are_not_the_servers():
    """Pages of other sites whose names resolve to this machine are refused, although their Origin equals their Host."""
    gate = Gate(tokens=False, host="127.0.0.1")
    for name in (
        "evil.example",
        "evil.example.",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhostt",
        "",
        "[",
        "[::1",
        "0x7f.1",
        "a@localhost",
        "10.0.0.1",
    ):
        for host in (name, f"{name}:8080"):
            assert gate.role("/", f"http://{host}", host) == "", host
            assert gate.role("/", "", host) == "", host
    for host in ("127.0.0.1:8080", "localhost", "LOCALHOST:9000", "[::1]:8080", "127.0.0.2"):
        assert gate.role("/", f"http://{host}", host) == "control", host
        assert not any(gate.role("/", origin, host) for origin in ("http://evil.example", "null", "http://["))
    everywhere = Gate(tokens=False, host="0.0.0.0")
    for host in (socket.gethostname(), "localhost", "10.0.0.1:8080", "[fe80::1]:80"):
        assert everywhere.role("/", f"http://{host}", host) == "control"
    assert everywhere.role("/", "http://evil.example", "evil.example") == ""
    # such a page does not have the token, which is secret, so names do not matter
    assert (secret := Gate(host="127.0.0.1")).role(f"/?token={secret.watch}", "http://evil.example", "evil.example") == "watch"


def test_pages_are_not_served_under_other_names():
    with viewer.serve(tumble.MjModel.from_xml_string(XML), port=0, token=False) as handle:
        assert b" 403 " in said(handle._server.port, b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert b" 200 " in said(handle._server.port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")


# ---- messages ------------------------------------------------------------------------------------------------------------


def packed(kind, **fields):
    return msgspec.msgpack.encode({"type": kind, **fields})


CLICK = dict(
    name="/shapes/0.0", instance_index=0, ray_origin=(0, 0, 1), ray_direction=(0, 0, -1), screen_pos=(0.5, 0.5), modifier=None
)
WRONG = [
    b"",
    b"\xc1",
    bytes(300),
    b"\x91" * 5000,
    *map(msgspec.msgpack.encode, (3, [1], {}, {"type": [1]})),
    *map(packed, ("Message", "NoSuchMessage", "GuiUpdateMessage", "ShareUrlRequest")),
    packed("GuiUpdateMessage", uuid=3, updates={}),
    packed("GuiUpdateMessage", uuid="a", updates=[]),
    packed("ViewerCameraMessage", wxyz=(1, 2)),
    packed("FileTransferPart", part_index=0),
    *(
        packed("SceneNodeClickMessage", **CLICK | wrong)
        for wrong in ({"more": 1}, {"ray_origin": (0, 0)}, {"instance_index": "a"}, {"ray_origin": (0, 0, float("nan"))})
    ),
]


def test_what_is_well_formed():
    assert sound(packed("SceneNodeClickMessage", **CLICK)) and not any(map(sound, WRONG))


@pytest.mark.parametrize("acts", [True, False])
def test_malformed_messages_leave_no_trace(acts, running, silent):
    probe = connected(running.url if acts else running.watch_url)
    for raw in WRONG:
        probe.socket.send(raw)
    probe.socket.send("text")
    for title in ("motor", "Speed", "Keyframe", "History", "geom group 0", ""):
        for value in ("word", None, [1, 2], {"a": 1}, True, 10**18, -1e308, "x" * 5000):
            with contextlib.suppress(StopIteration):
                probe.set(title, value)
    # the connection still works
    probe.take(0.3)
    other = connected(running.url)
    other.set("motor", 1.5)
    probe.wait(lambda: probe.gui[probe.control("motor")][1]["value"] == 1.5)
    assert acts or running._server.host.sim.d.ctrl[0] in (0, 1.5)
    probe.close()
    other.close()


# ---- limits --------------------------------------------------------------------------------------------------------------


def test_clients_are_counted(running, monkeypatch, silent):
    monkeypatch.setattr(listen, "MOST_CLIENTS", 2)
    first, second = connected(running.url), connected(running.watch_url)
    with pytest.raises(ConnectionClosed) as closed:
        Probe(running.url).take(SOON)
    assert closed.value.rcvd.code == 1013
    first.close()
    until(lambda: len(running._server.gate.acting) == 0)
    connected(running.url).close()
    second.close()


def test_strangers_that_say_nothing_make_room(running, monkeypatch, silent):
    monkeypatch.setattr(listen, "MOST_ARRIVING", 4)
    idle = [socket.create_connection(("127.0.0.1", running._server.port), timeout=SOON) for _ in range(12)]
    # the oldest connections are closed, and a client with a token gets in
    assert idle[0].recv(1) == b"" if os.name != "nt" else True
    connected(running.url).close()
    for end in idle:
        end.close()


def test_a_message_that_is_too_large_ends_its_connection(running, silent):
    probe = connected(running.watch_url)
    with pytest.raises(ConnectionClosed) as closed:
        probe.socket.send(bytes(listen.MOST_BYTES + 1))
        probe.take(SOON)
    assert closed.value.rcvd.code == 1009
    connected(running.watch_url).close()


def test_wishes_wait_in_the_network(running, monkeypatch):
    """A busy server accepts a bounded number of messages, and handles all of them later."""
    monkeypatch.setattr(serve, "MOST_WAITING", 50)
    monkeypatch.setattr(listen, "RATE", 1e9)
    server = running._server
    probe = connected(running.url)
    free = time.monotonic() + 2.0
    server.later(lambda: time.sleep(max(0.0, free - time.monotonic())))
    most = 0
    for _ in range(500):
        probe.send(_messages.SceneNodeClickMessage("/shapes/0.0", 0, (0.0, 0.0, 3.0), (0.0, 0.0, -1.0), (0.5, 0.5), None))
        most = max(most, len(server.calls))
    while time.monotonic() < free - 0.2:
        most = max(most, len(server.calls))
        time.sleep(0.01)
    assert most <= 60
    probe.set("motor", 1.25)
    until(lambda: server.host.sim.d.ctrl[0] == 1.25)
    probe.close()


def test_a_client_is_slowed_down(running, monkeypatch):
    monkeypatch.setattr(listen, "RATE", 20.0)
    monkeypatch.setattr(listen, "BURST", 5.0)
    probe = connected(running.url)
    begin = time.monotonic()
    for k in range(25):
        probe.set("motor", k / 100)
    until(lambda: abs(running._server.host.sim.d.ctrl[0] - 0.24) < 1e-9)
    assert time.monotonic() > begin + 0.9
    probe.close()


def test_who_never_reads_is_dropped(running, monkeypatch, silent):
    # a busy machine must not keep the reader from reading for so long
    monkeypatch.setattr(listen, "SLOW", 3.0)
    server = running._server
    reader = connected(running.watch_url)
    path = running.watch_url.rpartition("/")[2].replace("%3F", "?").replace("%3D", "=")
    with socket.create_connection(("127.0.0.1", server.port), timeout=SOON) as deaf:
        protocol = f"Sec-WebSocket-Protocol: viser-v{viser.__version__}\r\n\r\n"
        deaf.sendall(f"GET /{path} HTTP/1.1\r\n".encode() + HERE + UPGRADE + protocol.encode())
        inner = server.server._websock_server
        until(lambda: len(inner._live_connections) == 2, "it was not let in")
        # more than the system's buffers hold
        for k in range(12):
            server.server.scene.add_mesh_simple(f"/large/{k}", np.zeros((200_000, 3), np.float32), np.zeros((10, 3), np.uint32))
        until(lambda: len(inner._live_connections) == 1, "it is still there")
    # a client that reads gets all of it
    reader.wait(lambda: sum(name.startswith("/large/") for name in reader.nodes) == 12)
    reader.close()
