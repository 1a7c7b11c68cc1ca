"""Selecting and pulling bodies in a browser. As in the window, a click selects, and a drag with Ctrl or Shift pulls.

Events arrive in viser's threads, but `View` belongs to the serving thread. So the event handlers use `later` to call functions
there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import engine as mj
from ...render.scene.interact import body_point
from ...render.scene.rotate import axis_quat, mul_quat, normalize, quat_mat
from ...ui.element_names import BODY_OF, exists, name
from ..view import View

# Types of objects that a click can select.
SELECTABLE = {
    int(getattr(mj.mjtObj, f"mjOBJ_{kind.upper()}")): kind
    for kind in ("body", "geom", "site", "joint", "camera", "light", "tendon", "actuator")
}
# Drags that pull: mouse button, held key, and whether the pull rotates the body.
DRAGS = (("left", "cmd/ctrl", True), ("right", "cmd/ctrl", False), ("left", "shift", False))
# Rotation for a drag over the whole height of the picture.
TURN = 2 * math.pi
# Highlight color of the selection, and its share when mixed with the original color.
MARK, MARKED = np.array((1.0, 0.75, 0.1), np.float32), 0.45
# Drags to larger values, in metres or in picture sizes, are rejected as invalid.
FAR = 1e6


class Hands:
    """Selection and pulls in one view. `later(function, *arguments)` schedules a call on the serving thread. `acts(client)`
    returns whether a client has control.
    """

    def __init__(self, view: View, later: Callable[..., None], acts: Callable[[int], bool]) -> None:
        self.view, self.later, self.acts = view, later, acts
        # The client that is dragging, and the body's orientation at the start of the drag.
        self.puller: int | None = None
        self._quat = np.array((1.0, 0.0, 0.0, 0.0))

    def attach(self, instances: Any) -> None:
        """Make a node of the scene clickable and draggable."""
        node = instances.node

        # viser runs this coroutine on its event loop, in the order of the events.
        async def clicked(event: Any) -> None:
            if self.acts(event.client_id):
                self.later(self.click, instances, event.instance_index, event.ray_origin, event.ray_direction)

        node.on_click(clicked)
        for button, keys, turns in DRAGS:
            node.on_drag(button, modifier=keys)(self._dragged(instances, turns))

    def _dragged(self, instances: Any, turns: bool) -> Callable[[Any], Any]:
        async def dragged(event: Any) -> None:
            if not self.acts(event.client_id):
                return
            over = np.subtract(event.end_screen_pos, event.start_screen_pos)
            self.later(
                self.drag,
                event.client_id,
                instances,
                event.instance_index,
                event.phase,
                np.asarray(event.start_position, float),
                np.asarray(event.end_position, float),
                over,
                np.asarray(event.client.camera.wxyz) if turns else None,
            )

        return dragged

    def owner(self, instances: Any, index: int | None) -> tuple[str, int]:
        """Return (kind, id) of the element that an instance shows. Return the world if the instance is not part of the
        model.
        """
        if isinstance(instances.kind, str):
            return instances.kind, instances.index
        if index is None or not 0 <= index < len(instances.kind):
            return "body", 0
        kind, number = SELECTABLE.get(int(instances.kind[index]), ""), int(instances.index[index])
        return (kind, number) if exists(self.view.m, kind, number) else ("body", 0)

    def click(self, instances: Any, index: int | None, origin: Any, direction: Any) -> None:
        """Select the element under the pointer. If it is the world, clear the selection."""
        ray = np.array((*origin, *direction), float)
        if self.view.m is None or not sound(ray):
            return
        kind, number = self.owner(instances, index)
        self.view.select_element(kind, number)

    def drag(
        self,
        client: int,
        instances: Any,
        index: int | None,
        phase: str,
        grip: np.ndarray,
        to: np.ndarray,
        over: np.ndarray,
        camera: np.ndarray | None,
    ) -> None:
        """Process a drag that started at the point `grip` and has reached the point `to`. `over`: its motion on the screen, in
        picture sizes. `camera`: the camera's quaternion, for drags that rotate.
        """
        view = self.view
        # Reject invalid values from the network, and drags while another client is pulling.
        if (
            view.m is None
            or view.d is None
            or not sound(grip)
            or not sound(to)
            or not sound(over)
            or self.puller not in (None, client)
        ):
            return

        if phase == "start":
            kind, number = self.owner(instances, index)
            body = self._body(kind, number)
            view.select(body, grip, number if kind == "flex" else -1, number if kind == "skin" else -1)
            view.element = (kind, number)
            if body and view.begin_perturb("rotate" if camera is not None else "translate"):
                self.puller, self._quat = client, view.pert.refquat.copy()
        elif self.puller == client:
            if phase == "end":
                self.drop(client)
            else:
                self._pull(to, over, camera)

    def _body(self, kind: str, number: int) -> int:
        if kind in BODY_OF:
            return int(getattr(self.view.m, BODY_OF[kind])[number])
        return number if kind == "body" else 0

    def _pull(self, to: np.ndarray, over: np.ndarray, camera: np.ndarray | None) -> None:
        view, pert = self.view, self.view.pert
        assert view.d is not None
        if camera is None:
            at = body_point(view.d, int(pert.select), pert.localpos)
            pert.refselpos, pert.refpos = to, view.d.xipos[int(pert.select)] + to - at
        else:
            # In the camera's frame, z points forward and y down. A motion of the mouse to the right rotates about the axis that
            # points up.
            axis, length = normalize(quat_mat(camera) @ np.array((over[1], -over[0], 0.0)))
            pert.refquat = mul_quat(axis_quat(axis, -TURN * length), self._quat)
        view.send_perturb()

    def drop(self, client: int) -> None:
        """End the pull of a client that has released the mouse or disconnected."""
        if self.puller == client:
            self.puller = None
            self.view.end_perturb()

    def mark(self, scn: Any) -> None:
        """Highlight the selection."""
        rows = self.view.selected_rows()
        if len(rows):
            rgba = scn.geom.rgba
            rgba[rows, :3] = (1 - MARKED) * rgba[rows, :3] + MARKED * MARK

    def text(self) -> str:
        """Return a description of the selected element."""
        view = self.view
        kind, number = view.element
        if view.m is None or (kind, number) == ("body", 0):
            return "nothing (click to select)"
        words = f"{kind} **{plain(name(view.m, kind, number))}**"
        body = self._body(kind, number)
        return words if kind == "body" or not body else f"{words} of body **{plain(name(view.m, 'body', body))}**"


def sound(values: np.ndarray) -> bool:
    """Return whether values from the network are finite and plausible."""
    return bool(np.isfinite(values).all() and np.abs(values).max() < FAR)


def plain(text: str) -> str:
    """Return a name with the special characters of Markdown and HTML escaped."""
    return "".join(f"&#{ord(letter)};" if not (letter.isalnum() or letter in " .") else letter for letter in text)
