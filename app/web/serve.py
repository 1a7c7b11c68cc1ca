"""The server that shows a simulation in browsers, with a thread that updates the clients."""

# pyright: reportMissingImports=false
from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import numpy as np
import rich

from ... import engine as mj
from ...ui.element_names import names
from ..channels import Queue
from ..host import Host
from ..passive import PassiveHost
from ..simulation import Simulation
from ..snapshot import Snapshot
from ..trajectory import TrajectoryError, given
from ..view import View
from ..worker import Worker
from . import sky
from .gate import Gate
from .hands import Hands
from .lights import Lights
from .listen import listening, viser_server
from .panel import Panel
from .player import Player
from .stage import Stage

HERE = "127.0.0.1"
# Cosine of the angle between view direction and vertical, above which a view has no horizon.
STEEP = 0.999
# Pictures per second of a live scene (enough for 30 on a busy machine) and of a film; seconds between updates of the panel's
# values.
RATE, FPS, NUMBERS = 40.0, 30.0, 0.2
# Maximum number of pictures of a film, which is kept in memory.
MOST_PICTURES = 100_000
# checks for new clients per second while no client is connected
IDLE = 5.0
# seconds to wait for a thread to end
PATIENCE = 5.0
FREE = "free"
# Maximum number of queued client requests. Further requests wait in the network.
MOST_WAITING = 1000
# A half turn about x converts cameras: the model's look along -z with y up, the browsers' along z with y down.
HALF_TURN = np.diag((1.0, -1.0, -1.0))


class Server:
    """Serves the simulation of a host. Clients at `url` may control it, clients at `watch_url` only watch. Without tokens, both
    addresses are the same.
    """

    def __init__(self, host: Host, listen: str = HERE, port: int = 0, tokens: bool = True) -> None:
        self.host, self.listen = host, listen
        # Open the socket before viser starts, because after an error inside viser, the caller would wait forever.
        listener = listening(listen, port)
        self.calls: Queue[Callable[[], None]] = Queue()
        self.gate = Gate(tokens, listen, lambda: max(len(self.calls), len(host.inbox)) > MOST_WAITING)
        self.view = View(host.post)
        self.hands = Hands(self.view, self.later, self.gate.acts)
        self.snapshot = Snapshot()
        self.stage: Stage | None = None
        self.panel: Panel | None = None
        self.lights: Lights | None = None
        self.error: BaseException | None = None
        self.frames = 0
        self._cameras: dict[int, int] = {}
        self._boxes: dict[int, Any] = {}
        self._shown = 0.0
        self._over = threading.Event()
        self.server: Any = quietly(lambda: viser_server(self.gate, listener))
        self.server.on_client_connect(partial(self._soon, self._arrived))
        self.server.on_client_disconnect(partial(self._soon, self._left))
        self.server.gui.configure_theme(dark_mode=True, control_width="small", show_logo=False, show_share_button=False)
        self.server.gui.main_panel.dock_right()
        self._thread = threading.Thread(target=self._run, name="browsers", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port in use. It differs from the requested port if that was taken."""
        return int(self.server.get_port())

    @property
    def url(self) -> str:
        """The address for clients that may control the simulation."""
        return self._address(self.gate.control)

    @property
    def watch_url(self) -> str:
        """The address for clients that may only watch."""
        return self._address(self.gate.watch)

    def _address(self, token: str) -> str:
        name = socket.gethostname() if self.listen in ("0.0.0.0", "::") else self.listen
        place = f"{f'[{name}]' if ':' in name else name}:{self.port}"
        return f"http://{place}/" + (f"?websocket=ws://{place}/{quote(f'?token={token}', safe='?=')}" if token else "")

    def later(self, function: Callable[..., None], *arguments: Any) -> None:
        """Schedule a call of a function on the serving thread, before its next picture."""
        self.calls.put(partial(function, *arguments))

    async def _soon(self, function: Callable[[Any], None], client: Any) -> None:
        self.later(function, client)

    def sync(self, state_only: bool) -> None:
        """Exchange data once between the browsers and a script that steps the simulation."""
        if self.is_running() and isinstance(self.host, PassiveHost):
            self.host.sync(state_only)

    def is_running(self) -> bool:
        """Return whether the server runs."""
        return not self._over.is_set() and self._thread.is_alive()

    def close(self) -> None:
        """Close the connections and threads, including the simulation's own thread if there is one. Repeated calls have no
        effect.
        """
        if self._over.is_set():
            return
        self._over.set()
        self.gate.closed = True
        self.calls.ring()
        if threading.current_thread() is not self._thread:
            self._thread.join(PATIENCE)
        quietly(self.server.stop)
        self.host.stop()

    # --- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over.is_set():
            begin = time.perf_counter()
            try:
                self._turn(begin)
            except Exception as error:
                # After a failed picture or request, continue, and show the error to users.
                self.error = error
                if self.panel is not None:
                    self.panel.message = f"{type(error).__name__}: {error}"
            if self.server.get_clients():
                self._over.wait(max(0.0, begin + 1 / RATE - time.perf_counter()))
            else:
                # A new client wakes this thread through the queue.
                self.calls.wait(1 / IDLE)

    def _turn(self, now: float) -> None:
        for call in self.calls.drain():
            call()
        sim, view = self.host.sim, self.view
        if sim.m is not None and sim.m is not view.m:
            self._adopt(sim.m)
        if view.m is None:
            return
        for kind, value in self.host.replies.drain():
            if kind in ("error", "failed") and self.panel is not None:
                self.panel.message = str(value).splitlines()[-1]
        if isinstance(self.host, PassiveHost):
            self.host.catch_up()
        self.snapshot.take(sim)
        self.picture()
        if now - self._shown > NUMBERS and self.panel is not None:
            self._shown = now
            self.panel.refresh(view.d, self.host.status.peek(), len(self.server.get_clients()))

    def picture(self) -> None:
        """Send the scene of the latest copy of Data to all browsers."""
        scn = self.view.update()
        assert self.stage is not None and self.lights is not None
        self.hands.mark(scn)
        self.lights.show(scn)
        self.stage.show(scn)
        for client, camera in list(self._cameras.items()):
            self._look(client, camera)
        self.frames += 1

    def _adopt(self, m: mj.MjModel) -> None:
        d = mj.MjData(m)
        self.snapshot.adopt(m, d)
        self.snapshot.take(self.host.sim)
        self.view.adopt(m, d, align=True)
        self.server.scene.reset()
        self.server.scene.set_up_direction("+z")
        self.stage = Stage(self.server, m, self.hands.attach)
        self.lights = Lights(self.server, m)
        sky.add(self.server, m)
        self.panel = Panel(
            self.server.gui, m, d, self.view, self.hands, self.host.post, self.later, isinstance(self.host, Player)
        )
        first_look(self.server, self.view)
        for client in self.server.get_clients().values():
            self._arrived(client)

    # --- cameras ------------------------------------------------------------------------------------------------

    def _arrived(self, client: Any) -> None:
        """Give a new client its own list of cameras, because each client can use another camera."""
        self._left(client, gone=False)
        if self.view.m is None or not self.view.m.ncam:
            return
        words = (FREE, *names(self.view.m, "camera"))
        box = client.gui.add_dropdown("Camera", words, initial_value=FREE)
        self._boxes[client.client_id] = box

        async def chosen(event: Any) -> None:
            if event.client is not None and box.value in words:
                self.later(self._choose, client.client_id, words.index(box.value) - 1)

        box.on_update(chosen)

    def _choose(self, client: int, camera: int) -> None:
        self._cameras.pop(client, None)
        if camera >= 0:
            self._cameras[client] = camera

    def _left(self, client: Any, gone: bool = True) -> None:
        self._cameras.pop(client.client_id, None)
        box = self._boxes.pop(client.client_id, None)
        if gone:
            self.hands.drop(client.client_id)
        elif box is not None:
            box.remove()

    def _look(self, client: int, camera: int) -> None:
        """Set a client's camera to one of the model's cameras."""
        m, d = self.view.m, self.view.d
        browser = self.server.get_clients().get(client)
        if browser is None or m is None or d is None:
            return
        turned = np.asarray(d.cam_xmat[camera]).reshape(3, 3) @ HALF_TURN
        quat = np.zeros(4)
        mj.mju_mat2Quat(quat, turned.ravel())
        with browser.atomic():
            browser.camera.position, browser.camera.wxyz = np.asarray(d.cam_xpos[camera]), quat
            browser.camera.fov = float(np.radians(m.cam_fovy[camera]))


def serving(
    model: mj.MjModel, data: mj.MjData | None, steps: bool, trajectory: Any, dt: float | None, running: bool = True
) -> Host:
    """Return the host that advances the simulation: a player for a trajectory, a thread, or the script that owns the data."""
    if trajectory is not None:
        player = Player(model, given(model, trajectory, dt))
        player.sim.running = running
        player.start()
        return player
    if not steps:
        assert data is not None
        return PassiveHost(model, data)
    sim = Simulation()
    sim.adopt(model, data if data is not None else mj.MjData(model), running)
    sim.initial_speed()
    worker = Worker(sim)
    worker.start()
    return worker


def film(model: mj.MjModel, trajectory: Any, dt: float | None) -> str:
    """Return a trajectory as an HTML page that plays it without a server, with `FPS` pictures per second."""
    rows = given(model, trajectory, dt)
    if rows.duration * FPS > MOST_PICTURES:
        raise TrajectoryError(f"a film of {rows.duration:g} s is too long: at most {MOST_PICTURES / FPS:.0f} s are possible")
    d, view = mj.MjData(model), View(lambda intent: None)
    rows.show(model, d, 0)
    view.adopt(model, d, align=True)
    gate = Gate()
    # This server only records, so reject all clients.
    gate.closed = True
    server = quietly(lambda: viser_server(gate, listening(HERE, 0)))

    try:
        server.scene.set_up_direction("+z")
        stage, lights = Stage(server, model), Lights(server, model)
        first_look(server, view)
        record = server.get_scene_serializer()
        for k in range(int(rows.duration * FPS) + 1):
            rows.show(model, d, rows.at(k / FPS))
            scn = view.update()
            lights.show(scn)
            stage.show(scn)
            record.insert_sleep(1 / FPS)
        return record.as_html()
    finally:
        quietly(server.stop)


def first_look(server: Any, view: View) -> None:
    """Set the initial view of new clients: the model's camera, or a camera that shows everything."""
    scn = view.update()
    m = view.m
    assert m is not None
    position, forward, up = (np.asarray(getattr(scn.camera[0], k), float) for k in ("pos", "forward", "up"))
    first = server.initial_camera
    distance = float(view.cam.distance) or float(m.stat.extent)
    first.position, first.look_at = position, position + distance * forward
    # Use the world's up direction, unless the camera looks almost straight up or down and thus has no horizon.
    first.up = (0.0, 0.0, 1.0) if abs(forward[2]) < STEEP else up
    first.fov = float(np.radians(m.vis.global_.fovy))


def quietly(call: Callable[[], Any]) -> Any:
    """Call a function of viser without its printed output, because the address that viser prints does not work."""
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        return call()
    finally:
        console.quiet = before
