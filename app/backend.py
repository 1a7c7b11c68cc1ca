"""ImGui's two ends on a glfw window: keys and times go in, triangles go out through ImGui's own renderer for OpenGL 3."""

from __future__ import annotations

from typing import Any

import glfw
from imgui_bundle import ImVec2, imgui

from .window import Window, WindowError

GLSL = "#version 330"
FIRST_FRAME, SHORTEST = 1 / 60, 1e-3
# seconds between the clicks of a double click, and frames, where these take longer: a press and a release have one each
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
# glfw's name of a key -> ImGui's, where they differ
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
    """{glfw's number: ImGui's key} of all keys that both know."""
    out = {}
    for name in (n[4:].lower() for n in dir(glfw) if n.startswith("KEY_")):
        key = getattr(imgui.Key, OTHERWISE.get(name, name), None)
        if key is not None:
            out[getattr(glfw, "KEY_" + name.upper())] = key
    return out


class Backend:
    """ImGui's current context on a window; its OpenGL context must be current."""

    def __init__(self, window: Window) -> None:
        self._window, self._keys, self._time = window, keys(), 0.0
        # what the last picture took
        self._picture = FIRST_FRAME
        self._modifiers = {getattr(imgui.Key, key): getattr(imgui.Key, mod) for key, mod in MODIFIERS.items()}
        if not imgui.backends.opengl3_init(GLSL):
            raise WindowError("ImGui cannot draw: OpenGL's functions were not found")

    def begin(self, brief: bool = False) -> None:
        """Tell ImGui sizes and time, before its frame begins. `brief`: no time passes, so that no key that is down repeats."""
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
        # a single click is known to be one later than that, where ImGui tells them
        if hasattr(io, "mouse_single_click_delay"):
            io.mouse_single_click_delay = io.mouse_double_click_time + SINGLE_CLICK

    def draw(self) -> None:
        """Draw ImGui's frame into the bound framebuffer."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())

    def key(self, number: int, down: bool) -> None:
        """A key of glfw went down or up."""
        key = self._keys.get(number)
        if key is None:
            return
        io = imgui.get_io()
        io.add_key_event(key, down)
        if key in self._modifiers:
            io.add_key_event(self._modifiers[key], down)

    @staticmethod
    def char(code: int) -> None:
        """A character was typed."""
        imgui.get_io().add_input_character(code)

    @staticmethod
    def close() -> None:
        """Free what is on the GPU."""
        imgui.backends.opengl3_shutdown()
