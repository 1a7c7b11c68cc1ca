"""The mouse in the 3D view: the meaning of drags, clicks and the wheel. This module needs no OpenGL.

Left orbits about the point under the cursor, right pans, middle and wheel zoom; Shift switches to the horizontal plane. Ctrl
pulls the selected body: left rotates, right translates; a left click with Ctrl selects one more. A right click opens a menu. A
left double click selects, a right one sets the look-at point, and Ctrl+right tracks. Alt swaps left and right. A drag that
starts in the view owns the mouse until the button is released.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

LEFT, RIGHT, MIDDLE = 0, 1, 2
SHIFT, CTRL, ALT = 1, 2, 4
DOUBLE_CLICK = 0.25
DOUBLE_CLICK_PIXELS = 6
WHEEL_STEP = 0.02


class Target(Protocol):
    """Target of gestures: the view."""

    def grab(self, action: str, x: float, y: float) -> None: ...
    def move_camera(self, action: str, dx: float, dy: float, x: float, y: float) -> None: ...
    def begin_perturb(self, mode: str) -> bool: ...
    def move_perturb(self, action: str, dx: float, dy: float, x: float, y: float) -> None: ...
    def end_perturb(self) -> None: ...
    def pick(self, mode: str, x: float, y: float) -> None: ...
    def forget_click(self) -> None: ...
    @property
    def perturbing(self) -> bool: ...
    @property
    def selected(self) -> int: ...


@dataclass
class Rect:
    """The 3D view in window coordinates, y down."""

    x: float = 0.0
    y: float = 0.0
    w: float = 1.0
    h: float = 1.0

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h


class Gestures:
    """Turns press, move, release and wheel events into calls of a target."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.rect = Rect()
        self.buttons: set[int] = set()
        self.dragging = False
        # The current drag action, and whether this may still be a click: one button, and hardly any motion.
        self._action, self._single = "", False
        self._at = (0.0, 0.0)
        self._click = (-1, -1.0, 0.0, 0.0)
        # Distance that the mouse moved since the press, relative to the view's height.
        self._way, self._mods = 0.0, 0
        # The last click: button and position as a fraction of the view, y up.
        self.click: tuple[int, float, float] | None = None

    @staticmethod
    def effective(button: int, mods: int) -> int:
        """Return the effective button; Alt swaps left and right, for touchpads with one button."""
        return {LEFT: RIGHT, RIGHT: LEFT}.get(button, button) if mods & ALT else button

    def press(self, button: int, mods: int, x: float, y: float, now: float, since: float | None = None) -> bool:
        """Handle a button press. Return True if it is in the view. `now`: the time of processing; `since`: the earliest time at
        which the press may have happened.
        """
        if not self.rect.contains(x, y):
            return False
        self._single = not self.buttons
        self.buttons.add(button)
        self.dragging, self._action = True, ""
        self._at, self._way, self._mods = (x, y), 0.0, mods
        # Cancel the pending effect of an earlier click.
        self.target.forget_click()
        button = self.effective(button, mods)
        last, when, px, py = self._click
        near = abs(x - px) <= DOUBLE_CLICK_PIXELS and abs(y - py) <= DOUBLE_CLICK_PIXELS
        double = last == button and (now if since is None else since) - when < DOUBLE_CLICK and near
        self._click = (-1 if double else button, now, x, y)
        if double and button != MIDDLE:
            self._double(button, mods, x, y)
        elif mods & CTRL and button in (LEFT, RIGHT) and self.target.selected > 0 and not self.target.perturbing:
            self.target.begin_perturb("translate" if button == RIGHT else "rotate")
        return True

    def _double(self, button: int, mods: int, x: float, y: float) -> None:
        self.target.end_perturb()
        if button == LEFT and mods & CTRL:
            # The first click has added the element.
            return
        mode = "select" if button == LEFT else "track" if mods & CTRL else "lookat"
        self.target.pick(mode, *self._share(x, y))

    def _share(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the window as a fraction of the view, y up."""
        return (x - self.rect.x) / self.rect.w, 1 - (y - self.rect.y) / self.rect.h

    def move(self, mods: int, x: float, y: float, held: Collection[int] | None = None) -> bool:
        """Handle a mouse motion. Return True while a drag continues. `held`: the buttons that the system reports as
        down.
        """
        if self.dragging and held is not None and not self.buttons <= set(held):
            # The release was lost; another program may have received it.
            self.cancel()
        if not self.dragging:
            return False
        dx, dy = (x - self._at[0]) / self.rect.h, (y - self._at[1]) / self.rect.h
        self._way += abs(dx) + abs(dy)
        action = self._meant(mods)
        if action != self._action:
            self._action = action
            self.target.grab(action, *self._share(*self._at))
        self._at = (x, y)
        if dx or dy:
            move = self.target.move_perturb if self.target.perturbing else self.target.move_camera
            move(action, dx, dy, *self._share(x, y))
        return True

    def _meant(self, mods: int) -> str:
        """Return the action for the current buttons and modifiers."""
        held = {self.effective(b, mods) for b in self.buttons}
        plane = "h" if mods & SHIFT else "v"
        return "move_" + plane if RIGHT in held else "rotate_" + plane if LEFT in held else "zoom"

    def release(self, button: int) -> bool:
        """Handle a button release: a pull ends, and the drag ends with the last button."""
        was = self.dragging
        self.buttons.discard(button)
        if was:
            self.target.end_perturb()
        self.dragging, self._action = bool(self.buttons), ""
        moved = self._way * self.rect.h > DOUBLE_CLICK_PIXELS
        if moved:
            # A drag is not the first half of a double click, even if slow frames make its press seem recent.
            self._click = (-1, -1.0, 0.0, 0.0)
        clicked = was and self._single and not moved
        if clicked:
            self.click = button, *self._share(*self._at)
        # A click with Ctrl selects one more element.
        if clicked and self.effective(button, self._mods) == LEFT and self._mods == CTRL and self._click[0] == LEFT:
            self.target.pick("add", *self._share(*self._at))
        # A single right click opens a menu for the element under the mouse.
        if clicked and button == RIGHT and not self._mods and self._click[0] == RIGHT:
            self.target.pick("menu", *self._share(*self._at))
        return was

    def wheel(self, x: float, y: float, dy: float) -> bool:
        """Zoom to the point under the cursor, like a drag over 2 % of the view's height."""
        if not self.rect.contains(x, y):
            return False
        self.target.move_camera("wheel", 0.0, WHEEL_STEP * dy, *self._share(x, y))
        # A drag that continues after zooming holds the point that is now under the cursor.
        self._action = ""
        return True

    def cancel(self) -> None:
        """Stop gestures because the window lost the mouse or its model."""
        if self.dragging:
            self.target.end_perturb()
        self.buttons.clear()
        self.dragging, self._action = False, ""
