"""The web server, tested by a client without a browser: the scene it receives equals the engine's, tokens and roles are
enforced, and nothing remains afterwards.
"""

import gc
import math
import threading
import time
import weakref

import numpy as np
import pytest

pytest.importorskip("viser", reason="the extra `web` is not installed")

from viser import _messages
from websockets.exceptions import ConnectionClosed

import tumble
from tests.app.browser import SOON, Probe
from tests.tolerance import SCALE
from tumble import viewer
from tumble.app.serving import Film
from tumble.ui import intents as I

XML = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="floor" texture="t" texrepeat="4 4"/>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
    <hfield name="hills" nrow="3" ncol="3" size=".5 .5 .2 .1" elevation="0 1 0  1 2 1  0 1 0"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>
    <geom name="floor" type="plane" size="3 3 .1" material="floor"/>
    <geom type="hfield" hfield="hills" pos="2 2 0"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".1" rgba="1 0 0 1"/><site name="s" pos=".1 0 0"/></body>
    <body name="box" pos="1 0 1" euler="10 20 30"><freejoint/><geom name="box" type="box" size=".1 .2 .3" rgba="0 1 0 .5"/>\
</body>
    <body name="arm" pos="-1 0 1"><joint name="hinge" range="-90 90" axis="0 1 0"/>
      <geom name="arm" type="capsule" size=".05" fromto="0 0 0 .5 0 0"/><geom type="cylinder" size=".05 .1" pos=".5 0 0"/>
      <geom type="ellipsoid" size=".05 .1 .02" pos=".2 0 .2"/><geom type="mesh" mesh="wedge" pos="0 0 .3"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-2 2"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0  1 0 2 1 0 0 0  .3"/></keyframe>
</mujoco>"""
# tolerance of positions in 32 bits
TOLERANCE = 1e-6 * SCALE


@pytest.fixture
def served():
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    with viewer.serve(m, d, port=0) as handle:
        yield handle


@pytest.fixture
def running():
    with viewer.serve(tumble.MjModel.from_xml_string(XML), port=0, running=False) as handle:
        yield handle


def until(happened):
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def connected(url):
    probe = Probe(url).hello()
    probe.wait(lambda: len(probe.instances()[0]) > 3 and probe.text())
    # let the remaining messages about the previous scene arrive
    probe.take(0.3)
    return probe


def nearest(rows, point):
    return float(np.abs(rows - point).sum(1).min())


def places_of(scn):
    """Positions of the shapes of a scene: a capsule is a cylinder and two balls."""
    rows, places = scn.geom, []
    for i in range(scn.ngeom):
        axis = rows.mat[i].reshape(3, 3)[:, 2] * rows.size[i, 2]
        capsule = int(rows.type[i]) == tumble.mjtGeom.mjGEOM_CAPSULE
        places += [rows.pos[i] + axis, rows.pos[i], rows.pos[i] - axis] if capsule else [rows.pos[i]]
    return places


def shown_are(rows, places):
    return len(rows) == len(places) and all(nearest(rows, place) < TOLERANCE for place in places)


def test_poses_on_the_wire_are_those_of_the_scene(served):
    server = served._server
    m, d = server.host.own.loaded
    probe = connected(served.url)
    for height in (1.0, 1.5):
        d.qpos[2], d.qpos[-1] = height, height
        tumble.mj_forward(m, d)
        served.sync()
        probe.wait(lambda: nearest(probe.instances()[0], d.geom("ball").xpos) < TOLERANCE)
        # the whole scene, and nothing else; the server's thread may still be updating it
        probe.wait(lambda: shown_are(probe.instances()[0], places_of(server.view.scn)))
    probe.close()


def test_turns_and_sizes_on_the_wire(served):
    m, d = served._server.host.own.loaded
    probe = connected(served.url)
    sized = [node for node in probe.nodes.values() if "batched_wxyzs" in node]
    box = next(node for node in sized if np.allclose(node["batched_scales"].reshape(-1, 3)[0], (0.1, 0.2, 0.3)))
    mat = np.zeros(9)
    tumble.mju_quat2Mat(mat, box["batched_wxyzs"].astype(float))
    assert np.allclose(mat, d.geom("box").xmat, atol=TOLERANCE)
    assert box["batched_colors"].reshape(-1, 3).tolist() == [[0, 255, 0]] and np.allclose(box["batched_opacities"], 0.5)
    # the floor has a picture
    assert any(node["type"] == "BatchedGlbMessage" and bytes(node["glb_data"])[:4] == b"glTF" for node in probe.nodes.values())
    probe.close()


def test_nothing_is_sent_while_nothing_moves(running):
    probe = connected(running.url)
    probe.take(1.0)
    before = probe.count
    probe.take(1.5)
    assert probe.count - before < 5
    probe.close()


def test_a_wrong_token_sees_nothing(served):
    for url in (served.url[:-4] + "abcd", f"http://127.0.0.1:{served._server.port}/"):
        probe = Probe(url)
        with pytest.raises(ConnectionClosed) as closed:
            probe.take(SOON)
        assert closed.value.rcvd.code == 1008 and not probe.nodes and not probe.gui
    assert served._server.gate.refused == 2 and not served._server.gate.acting


def test_without_tokens_pages_from_elsewhere_are_refused():
    with viewer.serve(tumble.MjModel.from_xml_string(XML), port=0, token=False, running=False) as handle:
        assert "token" not in handle.url and handle.url == handle.watch_url
        probe = Probe(handle.url, origin="http://evil.example")
        with pytest.raises(ConnectionClosed):
            probe.take(SOON)
        probe = Probe(handle.url, origin=handle.url.rstrip("/")).hello()
        probe.wait(lambda: len(probe.instances()[0]) > 0)
        probe.close()


def test_who_watches_changes_nothing(running):
    server = running._server
    actor, watcher = connected(running.url), connected(running.watch_url)
    watcher.press("Run")
    watcher.set("motor", 1.5)
    watcher.take(0.5)
    assert not server.host.status.peek().running and server.host.sim.d.ctrl[0] == 0
    actor.set("motor", 1.5)
    until(lambda: server.host.sim.d.ctrl[0] == 1.5)
    # the watcher sees the new value, too
    watcher.wait(lambda: abs(watcher.gui[watcher.control("motor")][1]["value"] - 1.5) < 1e-9)
    actor.press("Run")
    until(lambda: server.host.sim.d.time > 0.1)
    # a client can neither open this machine to the internet nor change what a control is
    asked = []
    server.server.request_share_url = lambda *arguments: asked.append(arguments)
    actor.send(_messages.ShareUrlRequest())
    actor.send(_messages.GuiUpdateMessage(actor.control("motor"), {"update_cb": []}))
    actor.press("Pause")
    until(lambda: not server.host.status.peek().running)
    assert asked == []
    actor.set("motor", -2.0)
    until(lambda: server.host.sim.d.ctrl[0] == -2)
    actor.close()
    watcher.close()


def test_controls(running):
    host = running._server.host
    probe = connected(running.url)
    probe.set("hinge", 0.5)
    until(lambda: abs(host.sim.d.qpos[-1] - 0.5) < 1e-9)
    # out of range, and NaN
    probe.set("motor", 99.0)
    until(lambda: host.sim.d.ctrl[0] == 2)
    probe.set("motor", math.nan)
    probe.set("Keyframe", "up")
    until(lambda: host.sim.d.qpos[2] == 2)
    probe.press("Reset")
    until(lambda: host.sim.d.qpos[2] == 1)
    assert host.sim.d.ctrl[0] in (0, 2)
    probe.press("Step")
    until(lambda: host.sim.d.time > 0)
    probe.set("Speed", "50 %")
    until(lambda: host.status.peek().speed == 13)
    probe.set("geom group 0", False)
    probe.wait(lambda: len(probe.instances()[0]) < 3)
    probe.set("Plot", "energy")
    probe.press("Run")
    probe.wait(lambda: any(kind == "GuiUplotMessage" for kind, _props in probe.gui.values()))
    probe.close()


def dragged(server, probe, geom, phase, to, button="right", keys="cmd/ctrl"):
    """A drag of a geom, as the page reports it."""
    node, index = next(
        (one.name, int(np.flatnonzero(hit)[0]))
        for rows in server.stage.nodes.values()
        for one in rows
        if (hit := (one.kind == tumble.mjtObj.mjOBJ_GEOM) & (one.index == geom)).any()
    )
    grip = tuple(server.view.d.geom_xpos[geom].tolist())
    probe.send(
        _messages.SceneNodeDragMessage(
            phase=phase,
            name=node,
            instance_index=index,
            start_position=grip,
            start_screen_pos=(0.5, 0.5),
            end_position=to,
            end_screen_pos=(0.6, 0.5),
            button=button,
            modifier=keys,
        )
    )


def test_clicks_select_and_drags_pull(running):
    server = running._server
    host, view = server.host, server.view
    probe = connected(running.url)
    arm = int(tumble.mj_name2id(view.m, tumble.mjtObj.mjOBJ_GEOM, "arm"))
    node = next(
        one
        for rows in server.stage.nodes.values()
        for one in rows
        if (one.index == arm).any() and (one.kind == tumble.mjtObj.mjOBJ_GEOM).any()
    )
    probe.send(
        _messages.SceneNodeClickMessage(
            node.name, int(np.flatnonzero(node.index == arm)[0]), (0.0, 0.0, 3.0), (0.0, 0.0, -1.0), (0.5, 0.5), None
        )
    )
    probe.wait(lambda: "geom **arm** of body **arm**" in probe.text())
    host.post(I.SetRunning(True))
    ball = int(tumble.mj_name2id(view.m, tumble.mjtObj.mjOBJ_GEOM, "ball"))
    dragged(server, probe, ball, "start", (0.0, 0.0, 1.0))
    until(lambda: view.perturbing)
    for _ in range(20):
        dragged(server, probe, ball, "update", (0.0, 0.5, 2.0))
        time.sleep(0.05)
    until(lambda: host.sim.d.body("ball").xpos[1] > 0.2)
    dragged(server, probe, ball, "update", (math.nan, 0.0, 1e300))
    probe.close()
    # a client that disconnects releases what it was pulling
    until(lambda: not view.perturbing and not host.sim.d.xfrc_applied.any())
    assert np.isfinite(host.sim.d.qpos).all()


def test_two_persons_do_not_pull_at_once(running):
    server = running._server
    one, two = connected(running.url), connected(running.url)
    dragged(server, one, 2, "start", (0.0, 0.0, 1.0))
    until(lambda: server.hands.puller is not None)
    first = server.hands.puller
    dragged(server, two, 3, "start", (1.0, 0.0, 1.0))
    two.take(0.3)
    assert server.hands.puller == first and server.view.selected == 1
    dragged(server, two, 3, "end", (1.0, 0.0, 1.0))
    dragged(server, one, 2, "end", (0.0, 0.0, 1.0))
    until(lambda: server.hands.puller is None)
    one.close()
    two.close()


def settled(rows: list, quiet: float = 0.2) -> None:
    """Wait until nothing has been appended for a while."""
    count, since = -1, 0.0
    while len(rows) != count or time.monotonic() < since + quiet:
        if len(rows) != count:
            count, since = len(rows), time.monotonic()
        time.sleep(0.01)


def test_a_script_that_is_paused_waits(served):
    m, d = served._server.host.own.loaded
    probe = connected(served.url)
    tumble.mj_step(m, d)
    served.sync()
    probe.press("Pause")
    time.sleep(0.3)
    steps = []

    def script():
        while served.is_running():
            tumble.mj_step(m, d)
            served.sync()
            steps.append(d.time)

    thread = threading.Thread(target=script)
    thread.start()
    until(lambda: not served._server.host.status.peek().running)
    settled(steps)
    count = len(steps)
    time.sleep(0.3)
    assert len(steps) == count
    probe.press("Run")
    until(lambda: len(steps) > count + 5)
    probe.close()
    served.close()
    thread.join(SOON)
    assert not thread.is_alive()


def test_deformable_bodies_move():
    m = tumble.MjModel.from_xml_string("""<mujoco><worldbody>
      <flexcomp name="f" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01" pos="0 0 1"/></worldbody>\
</mujoco>""")
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    with viewer.serve(m, d, port=0) as handle:
        probe = Probe(handle.url).hello()
        probe.wait(lambda: "/flex/0" in probe.nodes)
        for _ in range(100):
            tumble.mj_step(m, d)
        handle.sync()
        low, high = d.flexvert_xpos[:, 2].min(), d.flexvert_xpos[:, 2].max()
        probe.wait(lambda: abs(probe.nodes["/flex/0"]["vertices"].reshape(-1, 3)[:, 2].max() - high) < 0.02)
        heights = probe.nodes["/flex/0"]["vertices"].reshape(-1, 3)[:, 2]
        # the shell is as far from the vertices as its radius
        assert heights.min() >= low - 0.011 and heights.max() <= high + 0.011
        probe.close()


def test_nothing_is_left_behind():
    m = tumble.MjModel.from_xml_string(XML)
    before = threading.active_count()
    for _ in range(3):
        handle = viewer.serve(m, port=0)
        probe = connected(handle.url)
        server = weakref.ref(handle._server)
        handle.close()
        handle.close()
        probe.close()
        assert not handle.is_running()
        del handle, probe
    until(lambda: threading.active_count() <= before + 1)
    gc.collect()
    until(lambda: gc.collect() is not None and server() is None)


def test_trajectories(tmp_path):
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    states, size = [], tumble.mj_stateSize(m, tumble.mjtState.mjSTATE_FULLPHYSICS)
    for _ in range(50):
        tumble.mj_step(m, d)
        state = np.zeros(size)
        tumble.mj_getState(m, d, state, tumble.mjtState.mjSTATE_FULLPHYSICS)
        states.append(state)
    states = np.array(states)
    path = tmp_path / "run.npz"
    np.savez(path, time=states[:, 0], qpos=states[:, 1 : 1 + m.nq])
    for source in (states, states[:, 1 : 1 + m.nq], str(path), {"state": states[None]}):
        with viewer.serve(m, trajectory=source, port=0, running=False) as handle:
            probe = connected(handle.url)
            probe.set("History", 0)
            ball = states[-1, 1:4]
            probe.wait(lambda: nearest(probe.instances()[0], ball) < TOLERANCE)
            probe.press("Run")
            until(lambda: handle._server.host.moment < 49)
            probe.close()


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (np.zeros((3, 2)), r"shape \(3, 2\)"),
        (np.zeros((0, 15)), "no frame"),
        (np.full((2, 15), np.nan), "not a finite number"),
        ({"time": [0]}, "qpos"),
        ({"qpos": np.zeros((2, 15)), "time": [1, 0]}, "time decreases at frame 1"),
        ({"qpos": np.zeros((2, 15)), "ctrl": np.zeros((2, 5))}, "ctrl"),
    ],
)
def test_what_is_no_trajectory_is_told(source, word):
    with pytest.raises(ValueError, match=word):
        viewer.serve(tumble.MjModel.from_xml_string(XML), trajectory=source, port=0)


def test_notebooks():
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    handle = tumble.show(m, d)
    page = handle._repr_html_()
    assert page.startswith("<iframe") and f"token={handle._server.gate.control}" in page
    handle.close()
    film = tumble.show(m, np.tile(m.qpos0, (5, 1)), dt=0.1)
    assert isinstance(film, Film) and "__VISER_EMBED_DATA__" in film.html and film._repr_html_().startswith("<iframe srcdoc=")


def test_what_is_no_model_is_told():
    with pytest.raises(ValueError, match="model"):
        viewer.serve(3)
    with pytest.raises(ValueError, match="data"):
        viewer.serve(tumble.MjModel.from_xml_string(XML), 3)
