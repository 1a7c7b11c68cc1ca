"""ImGui's backend for a glfw window. It passes key events and frame times to ImGui; ImGui's own OpenGL 3 renderer draws."""

from __future__ import annotations

from typing import Any

import glfw
from imgui_bundle import ImVec2, imgui

from .window import Window, WindowError

GLSL = "#version 330"
FIRST_FRAME, SHORTEST = 1 / 60, 1e-3
# The two clicks of a double click are at most this many seconds or frames apart. The limit in frames is for slow machines,
# where each press and each release takes a frame.
DOUBLE_CLICK, DOUBLE_CLICK_FRAMES, SINGLE_CLICK = 0.3, 4, 0.2
MODIFIERS = {
    "left_ctrl": "mod_ctrl",
    "right_ctrl": "mod_ctrl",
    "left_shift": "mod_shift",
    "right_shift": "mod_shift",
    "left_alt": "mod_alt",
    "right_alt": "mod_alt",
    "left_super": "mod_super",
    "right_super": "mod_super",
}
# Names of keys that differ between glfw and ImGui.
OTHERWISE = {
    "left": "left_arrow",
    "right": "right_arrow",
    "up": "up_arrow",
    "down": "down_arrow",
    "left_control": "left_ctrl",
    "right_control": "right_ctrl",
    **{str(n): f"_{n}" for n in range(10)},
    **{f"kp_{n}": f"keypad{n}" for n in range(10)},
    **{f"kp_{name}": f"keypad_{name}" for name in ("enter", "decimal", "divide", "multiply", "subtract", "add", "equal")},
}


def keys() -> dict[int, Any]:
    """Return {glfw key code: ImGui key} for the keys that both libraries have."""
    out = {}
    for name in (n[4:].lower() for n in dir(glfw) if n.startswith("KEY_")):
        key = getattr(imgui.Key, OTHERWISE.get(name, name), None)
        if key is not None:
            out[getattr(glfw, "KEY_" + name.upper())] = key
    return out


class Backend:
    """ImGui's current context in a window; the window's OpenGL context must be current."""

    def __init__(self, window: Window) -> None:
        self._window, self._keys, self._time = window, keys(), 0.0
        # seconds that the last frame took
        self._picture = FIRST_FRAME
        self._modifiers = {getattr(imgui.Key, key): getattr(imgui.Key, mod) for key, mod in MODIFIERS.items()}
        if not imgui.backends.opengl3_init(GLSL):
            raise WindowError("ImGui cannot draw: OpenGL's functions were not found")

    def begin(self, brief: bool = False) -> None:
        """Pass the window's size and the frame time to ImGui before a frame. `brief`: no time passes, so held keys do not
        repeat.
        """
        imgui.backends.opengl3_new_frame()
        io, size, pixels = imgui.get_io(), self._window.size, self._window.framebuffer
        io.display_size = ImVec2(*size)
        if all(size):
            io.display_framebuffer_scale = ImVec2(pixels[0] / size[0], pixels[1] / size[1])
        now = glfw.get_time()
        io.delta_time = SHORTEST if brief else max(now - self._time, SHORTEST) if self._time else FIRST_FRAME
        if not brief:
            self._time, self._picture = now, io.delta_time
        io.mouse_double_click_time = max(DOUBLE_CLICK, DOUBLE_CLICK_FRAMES * self._picture)
        # ImGui reports a single click after this delay, when it can no longer become a double click.
        if hasattr(io, "mouse_single_click_delay"):
            io.mouse_single_click_delay = io.mouse_double_click_time + SINGLE_CLICK

    def draw(self) -> None:
        """Draw ImGui's frame into the bound framebuffer."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())

    def key(self, number: int, down: bool) -> None:
        """Pass the press or release of a key to ImGui. `number` is glfw's key code."""
        key = self._keys.get(number)
        if key is None:
            return
        io = imgui.get_io()
        io.add_key_event(key, down)
        if key in self._modifiers:
            io.add_key_event(self._modifiers[key], down)

    @staticmethod
    def char(code: int) -> None:
        """Pass a typed character to ImGui."""
        imgui.get_io().add_input_character(code)

    @staticmethod
    def close() -> None:
        """Free ImGui's objects on the GPU."""
        imgui.backends.opengl3_shutdown()
