"""`tumble serve`, `viewer.serve` and `tumble.show`: simulations in browsers and notebooks. The server needs the package viser,
and is imported on first use.
"""

from __future__ import annotations

import argparse
import html
import os
import sys
import time
from typing import Any

from .. import engine as mj
from .__main__ import late
from .told import fail, opened

HERE, PORT = "127.0.0.1", 8080
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# height of the frame in a notebook, in pixels
HEIGHT = 500
MISSING = "serving to browsers needs viser, which is not installed: pip install 'tumble[web]'"
# seconds between checks whether the server is still running
LOOK = 0.2


class Served:
    """A running server, as scripts see it. As a context manager, it closes the server at its end. In a notebook, it displays
    the scene.

    server: the server; `serve` creates it
    """

    def __init__(self, server: Any) -> None:
        self._server = server

    @property
    def url(self) -> str:
        """The address for browsers that may control the simulation."""
        return self._server.url

    @property
    def watch_url(self) -> str:
        """The address for browsers that may only watch."""
        return self._server.watch_url

    def sync(self, state_only: bool = False) -> None:
        """Show the script's state and apply changes from browsers. Wait while a browser has paused the simulation. A server
        that steps the simulation itself needs no call.

        state_only: as for `Handle.sync`
        """
        self._server.sync(state_only)

    def is_running(self) -> bool:
        """Return whether the server runs."""
        return self._server.is_running()

    def close(self) -> None:
        """Stop the server and its threads."""
        self._server.close()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.url)}" width="100%" height="{HEIGHT}" style="border:none"></iframe>'


class Film:
    """A trajectory as one HTML page, which a notebook displays without a server.

    page: text of the page; `tumble.show` creates it
    """

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: str) -> None:
        """Write the page to a file. OSError if that fails."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{HEIGHT}" style="border:none"></iframe>'


def serve(
    model: mj.MjModel,
    data: mj.MjData | None = None,
    *,
    host: str = HERE,
    port: int = PORT,
    token: bool = True,
    steps: bool | None = None,
    trajectory: Any = None,
    dt: float | None = None,
    running: bool = True,
) -> Served:
    """Show a simulation in browsers, at the `url` of the returned object. This needs the package viser (extra `web`);
    ImportError without it. ValueError for wrong arguments, OSError if this machine lacks the address.

    data: the state that the script steps, calling `sync`, as with `launch_passive`; None: a thread steps in real time
    host: address to listen on; by default this machine only
    port: port to listen on, or the next free one; 0: any
    token: whether addresses contain a secret; without one, everyone who can connect may control the simulation
    steps: whether a thread steps `data`; None: only without `data`
    trajectory: played instead of a simulation: an .npz or .csv file, an array of positions (n, nq) or of states from
        `mj_getState` (n, nstate), or a mapping with `qpos` (n, nq) and any of `time`, `qvel`, `act`, `ctrl`, `mocap_pos`,
        `mocap_quat`, each (n, ...)
    dt: seconds between rows of a trajectory without times
    running: whether the simulation runs at first
    """
    if not isinstance(model, mj.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {type(model)}")
    if data is not None and not isinstance(data, mj.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {type(data)}")
    web = load()
    owner = web.serving(model, data, data is None if steps is None else steps, trajectory, dt, running)
    try:
        return Served(web.Server(owner, host, port, token))
    except BaseException:
        owner.stop()
        raise


def show(model: mj.MjModel, source: Any = None, *, dt: float | None = None) -> Served | Film:
    """Show a model in a notebook: a live scene, or a player of a trajectory. Needs viser (extra `web`); ImportError without it.

    source: an MjData whose state is shown and updated by `sync()`; None for a simulation that steps by itself; or a
        trajectory as for `viewer.serve`, which becomes a page that needs no server and stays in the notebook
    dt: seconds between rows of a trajectory without times
    """
    if source is None or isinstance(source, mj.MjData):
        return serve(model, source, port=0)
    if not isinstance(model, mj.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {type(model)}")
    return Film(load().film(model, source, dt))


def load() -> Any:
    """Return the module of the server. If packages are missing, raise ImportError that says what to install."""
    try:
        return late("web.serve")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("viser", "rich", "trimesh"):
            raise ImportError(MISSING) from None
        raise


def command(options: argparse.Namespace) -> int:
    """Serve until Ctrl+C."""
    if options.play and not os.path.isfile(options.play):
        fail(f"no such file: {options.play}", 1)
    try:
        # Check the address before compiling the model's kernels.
        load().listening(options.host, options.port).close()
    except (ImportError, ValueError, OSError) as error:
        fail(str(error), 1)

    with opened(options.model) as (m, d, warning, _seconds):
        if warning:
            print(f"tumble: {warning}", file=sys.stderr)
        try:
            served = serve(
                m,
                d,
                host=options.host,
                port=options.port,
                token=not options.no_token,
                steps=True,
                trajectory=options.play or None,
                running=not options.pause,
            )
        except (ImportError, ValueError, OSError) as error:
            fail(str(error), 1)
        with served:
            tell(served, options)
            while served.is_running():
                time.sleep(LOOK)

    return 0


def tell(served: Served, options: argparse.Namespace) -> None:
    """Print the addresses and security warnings."""
    print(f"control:  {served.url}", flush=True)
    if not options.no_token:
        print(f"watch:    {served.watch_url}", flush=True)
    if options.no_token:
        print("tumble: without a token, everyone who can reach this address controls the simulation", file=sys.stderr)
    if options.host not in LOOPBACK:
        print(
            "tumble: other machines can connect, and the connection is not encrypted: use a tunnel (ssh -L) where that matters",
            file=sys.stderr,
        )


COMMANDS = {"serve": command}
