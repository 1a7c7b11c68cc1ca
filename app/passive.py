"""The calls of `mujoco.viewer`: launch, launch_from_path, launch_passive and its Handle.

Passive means that the script steps. The viewer has a copy of Data. `Handle.sync` updates the copy, and transfers the user's
changes (sliders, flags, pulls, reset) to the script's Data. Pausing in the window blocks the script inside `sync`; a step in
the window lets it run one round. With a `loader`, Reload in the window calls it again. `Handle.m` and `Handle.d` are then the
new Model and Data, so a script that supports reloading should step those.

A script's additions to its Handle, a Board of `ui.board`, are shown beside the viewer's own panels. The script's thread calls
the callbacks of these additions inside `sync`. All windows are drawn by one thread, or inside `sync` on systems that allow
windows only in the main thread.

Positions of figures and images are in pixels from the window's lower left corner, as for `Handle.viewport`.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from ..render.scene.record_arrays import Records
from ..ui.board import (  # noqa: F401
    Adding,
    Board,
    Button,
    CameraItem,
    Checkbox,
    Choice,
    Hit,
    ImageItem,
    Item,
    Mark,
    Panel,
    PlotItem,
    Slider,
    Text,
    run,
)
from .boot import open_viewer
from .config import Config
from .loading import Loader
from .passive_host import PassiveHost
from .serving import Film, Served, serve  # noqa: F401
from .simulation import Simulation
from .view import MAXGEOM
from .window import Window
from .windows import Viewer, Windows
from .worker import Worker

LoaderType = Callable[[], tuple[mj.MjModel, mj.MjData]]
KeyCallbackType = Callable[..., None]
# a loaded machine needs a minute for its first window
START_SECONDS = 180.0


class Handle(Board):
    """A script's access to an open viewer. It is also a context manager, which closes the viewer at its end."""

    def __init__(self, host: PassiveHost, viewer: Viewer, user_scn: Any) -> None:
        super().__init__()
        self._host, self._viewer, self._user_scn = host, viewer, user_scn
        self._flags, self._shown = user_scn.flags.tobytes(), []

    @property
    def _view(self) -> Any:
        return self._viewer.session.view

    @property
    def cam(self) -> Any:
        """The camera; writing to it moves the view."""
        return self._view.cam

    @property
    def opt(self) -> Any:
        """The visual options."""
        return self._view.opt

    @property
    def perturb(self) -> Any:
        """The selected body, and the force with which the mouse pulls it."""
        return self._view.pert

    pert = perturb

    @property
    def user_scn(self) -> Any:
        """A scene for the script's own geoms, which are drawn after the model's."""
        return self._user_scn

    @property
    def m(self) -> Any:
        """The displayed MjModel. It differs from the initial one if a loader has replaced it."""
        return self._host.given[0]

    @property
    def d(self) -> Any:
        """The script's MjData. It differs from the initial one if a loader has replaced it."""
        return self._host.given[1]

    @property
    def viewport(self) -> Any:
        """The 3D view's rectangle in the window, in pixels."""
        return self._viewer.viewport()

    def is_running(self) -> bool:
        """Return whether the window is open."""
        return not self._host.closed.is_set()

    def close(self) -> None:
        """Close the window and wait for it."""
        self._viewer.close()

    def lock(self) -> Any:
        """Return a lock. While the script holds it and writes, the window does not read."""
        return self._host.own.lock if self.is_running() else contextlib.nullcontext()

    def sync(self, state_only: bool = False) -> None:
        """Exchange data with the window: show the script's state, and receive the user's changes. Call the callbacks of
        controls. Wait while the user has paused the simulation. Do nothing after the window is closed.

        state_only: copy only the state (mjSTATE_INTEGRATION) to the window, which computes the rest
        """
        if not self.is_running():
            return
        flags, own = self._view.render_flags, self._user_scn.flags
        if own.tobytes() != self._flags or flags != self._shown:
            self._exchange_flags(flags, own)
        # The window draws this copy of the geoms, even if the script changes them before the next call.
        self._view.user_scene = Geoms(self._user_scn) if self._user_scn.ngeom else None
        if self.calls:
            self._host.answer()
        self._host.sync(state_only, self._view.pert)
        if self._host.turn is not None:
            self._host.turn()

    def _exchange_flags(self, flags: list[int], own: Any) -> None:
        """Copy effect flags that the script has changed to the window, and flags that the user has changed to the script."""
        before = np.frombuffer(self._flags, own.dtype)
        for i, value in enumerate(own.tolist()):
            if value != before[i]:
                flags[i] = int(value)
        own[:] = flags
        self._flags, self._shown = own.tobytes(), list(flags)

    # --- assets and overlays ------------------------------------------------------------------------------------

    def update_hfield(self, hfieldid: int) -> None:
        """Show the new heights of a height field. Return after the window has uploaded them."""
        self._update("hfield", hfieldid, self.m.nhfield)

    def update_mesh(self, meshid: int) -> None:
        """Show the new vertices of a mesh."""
        self._update("mesh", meshid, self.m.nmesh)

    def update_texture(self, texid: int) -> None:
        """Show the new pixels of a texture."""
        self._update("texture", texid, self.m.ntex)

    def _update(self, kind: str, index: int, count: int) -> None:
        if self.is_running() and 0 <= index < count:
            self._viewer.call(lambda session: getattr(session.display.renderer, f"update_{kind}")(index))

    def set_figures(self, viewports_figures: Any) -> None:
        """Draw figures over the window. The figures are copied.

        viewports_figures: a pair (viewport, MjvFigure), or a list of pairs; viewport: an MjrRect in pixels
        """
        self._viewer.overlays.figures = [
            (copy.copy(viewport), copy.copy(figure)) for viewport, figure in as_list(viewports_figures)
        ]

    def clear_figures(self) -> None:
        """Remove all figures."""
        self._viewer.overlays.figures = []

    def set_texts(self, texts: Any) -> None:
        """Show one (font, gridpos, left text, right text) tuple, or a list of them. None selects the default value.

        texts: font is a mjtFontScale, gridpos a mjtGridPos
        """
        self._viewer.overlays.texts = [tuple(row) for row in as_list(texts)]

    def clear_texts(self) -> None:
        """Remove all overlay texts."""
        self._viewer.overlays.texts = []

    def set_images(self, viewports_images: Any) -> None:
        """Show images over the window. ValueError for other images.

        viewports_images: a pair (viewport, image), or a list of pairs; viewport: an MjrRect in pixels; image: uint8 (height,
            width, 3), top row first, of the viewport's size
        """
        rows = as_list(viewports_images)
        for viewport, image in rows:
            if image.shape[:2] != (viewport.height, viewport.width):
                raise ValueError(
                    f"image shape {image.shape[:2]} does not match that of its viewport, {(viewport.height, viewport.width)}"
                )
            if image.ndim != 3 or image.shape[2] != 3:
                raise ValueError(f"image must have 3 channels (height, width, 3), got {image.shape}")
            if image.dtype.itemsize != 1:
                raise ValueError(f"image must be uint8, got {image.dtype}")
        self._viewer.overlays.images = [(copy.copy(viewport), np.array(image, np.uint8)) for viewport, image in rows]

    def clear_images(self) -> None:
        """Remove all images."""
        self._viewer.overlays.images = []

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


class Geoms:
    """A copy of a scene's geoms, in the form that MjvScene.append needs."""

    def __init__(self, scn: Any) -> None:
        self.ngeom = int(scn.ngeom)
        self.geom = Records(mjv.MjvGeom, self.ngeom)
        self.geom.copy_rows(slice(0, self.ngeom), scn.geom, slice(0, self.ngeom))


def as_list(rows: Any) -> list:
    """Return a list of tuples, given either such a list or a single tuple."""
    return [rows] if isinstance(rows, tuple) else list(rows)


def key_adapter(callback: KeyCallbackType | None) -> KeyCallbackType | None:
    """Adapt a key callback to the viewer. A callback with one parameter receives only presses; with three, (key, action,
    modifiers), also releases.
    """
    if callback is None:
        return None
    try:
        count = len([p for p in inspect.signature(callback).parameters.values() if p.default is p.empty])
    except (TypeError, ValueError):
        count = 1
    if count >= 3:
        return callback
    return lambda key, action, _mods: callback(key) if action == 1 else None


def make_session(host: Any, loader: Loader | None, left: bool, right: bool) -> Any:
    """Create a window and its session in the calling thread; return the session."""
    config = Config()
    # Override the user's settings for this window, without storing the script's choice.
    for side, shown in (("left", left), ("right", right)):
        if not shown:
            config.override(side, False)
    window = Window("Tumble", config["window"], maximized=config["maximized"])
    # Import the renderer here, because scripts without a viewer need not wait 0.6 s for it. It also determines the OpenGL
    # platform.
    from .opening import on_host

    return on_host(window, config, host, loader)


def from_script(loader: LoaderType) -> Callable[..., tuple[Any, Any, Any, str]]:
    """Wrap a script's loader, so that it can be called like the loader of model files."""

    def compile_(_path: str, _progress: Any = None) -> tuple[Any, Any, Any, str]:
        m, d = loader()
        return m, d, mj.MjData(m), ""

    return compile_


def launch_passive(
    model: mj.MjModel,
    data: mj.MjData,
    *,
    key_callback: KeyCallbackType | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    loader: LoaderType | None = None,
    own_thread: bool = sys.platform != "darwin",
) -> Handle:
    """Open a viewer on a script's Model and Data, and return at once. The script steps and calls `sync`. Several viewers can be
    open at a time. ValueError for arguments of other types, RuntimeError if the window does not open.

    key_callback: called with the code of each pressed key, or with (key, action, modifiers) if it has three parameters
    show_left_ui, show_right_ui: whether the panels on this side are shown
    loader: called when the user reloads; returns a new (model, data), which are then `Handle.m` and `Handle.d`
    own_thread: False: draw the window inside `sync`, which one thread must then call often. This is for systems that allow
        windows only in the main thread, and the default there (macOS).
    """
    if not isinstance(model, mj.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {type(model)}")
    if not isinstance(data, mj.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {type(data)}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")

    host = PassiveHost(model, data)
    user_scn = mjv.MjvScene(model, MAXGEOM)
    source = Loader(from_script(loader)) if loader else None
    viewer = Viewer(host, partial(make_session, host, source, show_left_ui, show_right_ui), key_adapter(key_callback))
    handle = Handle(host, viewer, user_scn)
    host.board = viewer.board = handle

    # On systems that allow windows only in the main thread, the script's `sync` draws the window.
    if own_thread:
        Windows.show(viewer)
        if not viewer.ready.wait(START_SECONDS):
            raise RuntimeError("the viewer did not start in time")
    else:
        viewer.open(inside=True)
        host.turn = viewer.turn

    if viewer.error:
        raise viewer.error

    return handle


def launch(
    model: mj.MjModel | None = None,
    data: mj.MjData | None = None,
    *,
    loader: LoaderType | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    board: Board | None = None,
) -> None:
    """Open a viewer that steps the simulation; return when the user closes it. ValueError for a loader together with a model or
    data, or for data without a model.

    model: the model, or a loader; None: a viewer without a model
    data: its state; None: the initial state
    loader: function that returns a new (model, data); Reload calls it again
    show_left_ui, show_right_ui: whether the panels on this side are shown
    board: a Board with controls and marks to show. Its callbacks are called between steps
    """
    if callable(model):
        if data is not None:
            raise ValueError("mjData should not be specified when an mjModel loader is used")
        # The first argument is a loader, not a model.
        model, loader = None, cast(LoaderType, model)

    if data is not None and model is None:
        raise ValueError("mjData is specified but mjModel is not")
    if model is not None and loader is not None:
        raise ValueError("model and loader are both specified")

    compile_ = from_script(
        loader or (lambda: (cast(mj.MjModel, model), data if data is not None else mj.MjData(cast(mj.MjModel, model))))
    )
    worker = Worker(Simulation())
    worker.start()
    given = model is not None or loader is not None
    source = Loader(compile_) if given else Loader()
    session = make_session(worker, source, show_left_ui, show_right_ui)
    if board is not None:
        session.additions.attach(board)
    if given:
        source.request("model")
    session.run()


def launch_from_path(path: str) -> None:
    """Open a viewer that steps the simulation of a model file; return when the user closes it.

    path: an MJCF or URDF file, or a binary model; the viewer shows errors in it
    """
    open_viewer(path)
