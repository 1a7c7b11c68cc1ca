"""A viewer in a separate process on its own X server, driven by real key and mouse events.

The events go through the X test extension, so they take the same path as a user's. The viewer's state is read from its
trace and from screenshots.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from Xlib import XK, X, Xatom, display
from Xlib.ext import xtest
from Xlib.protocol import event

from tests.app import prepared

ROOT = Path(__file__).resolve().parents[2]
SCREEN = (1280, 860)
# kernels that are not cached yet are compiled at the first start
FIRST_START = 300.0
# Seconds for any action of a warm viewer. On a loaded machine, a software rasterizer draws a picture in two seconds, each event
# may need one, and forty of them may be waiting.
PATIENT = 300.0
# spread events over a few frames, as a hand would
PAUSE = 0.016
# seconds between the keys of a text, so that no key is lost
FAST = 0.003
# in place of a model: start as without arguments
START = "start"

KEYSYMS = {
    "space": "space",
    "backspace": "BackSpace",
    "delete": "Delete",
    "tab": "Tab",
    "esc": "Escape",
    "left": "Left",
    "right": "Right",
    "pageup": "Prior",
    "up": "Up",
    "down": "Down",
    "home": "Home",
    "end": "End",
    "enter": "Return",
    "ctrl": "Control_L",
    "shift": "Shift_L",
    "alt": "Alt_L",
    "[": "bracketleft",
    "]": "bracketright",
    "=": "equal",
    "-": "minus",
    ",": "comma",
    ".": "period",
    "/": "slash",
    ";": "semicolon",
    "'": "apostrophe",
    "`": "grave",
    "\\": "backslash",
    "_": "underscore",
}
# chords that type characters without a key of their own
TYPED = {" ": "space", "<": "shift+,", ">": "shift+.", "!": "shift+1", "_": "shift+-"}


class XServer:
    """Xvfb on a free display."""

    def __init__(self, screen: tuple[int, int] = SCREEN) -> None:
        program = shutil.which("Xvfb")
        if not program:
            raise RuntimeError("Xvfb is not installed (Debian: apt install xvfb)")
        read, write = os.pipe()
        self.process = subprocess.Popen(
            [
                program,
                "-displayfd",
                str(write),
                "-screen",
                "0",
                f"{screen[0]}x{screen[1]}x24",
                "+extension",
                "GLX",
                "+extension",
                "XTEST",
                "-nolisten",
                "tcp",
                "-noreset",
            ],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        # Number and line end are written separately, and the server ends if the second one is not read.
        text = ""
        while not text.endswith("\n") and select.select([read], [], [], 20)[0] and (part := os.read(read, 16).decode()):
            text += part
        os.close(read)
        if not text.strip():
            self.process.kill()
            raise RuntimeError("Xvfb did not start")
        self.name = f":{text.strip()}"
        # Switch key repeat off: on a loaded machine, the time between press and release may be long enough for a repetition.
        shown = display.Display(self.name)
        shown.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
        shown.sync()
        shown.close()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)


class Viewer:
    """One running viewer."""

    def __init__(
        self, server: XServer, folder: Path, model: str = "", settings: dict | None = None, size: Sequence[int] = (1200, 800)
    ) -> None:
        self.folder, self.server, self.model = folder, server, model
        self.trace, self.settings = folder / "trace.jsonl", folder / "settings.json"
        # tests judge the pictures of their models, without the floor and lights that a view would add
        self.settings.write_text(json.dumps({"window": list(size), "stage": "off", **(settings or {})}))
        self.trace.unlink(missing_ok=True)
        env = dict(
            os.environ,
            DISPLAY=server.name,
            TUMBLE_CONFIG=str(self.settings),
            LIBGL_ALWAYS_SOFTWARE="1",
            PYTHONPATH=os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        )
        self.errors = open(folder / "stderr.txt", "w+", encoding="utf-8")
        self.process = self.begin(["view", "--trace", str(self.trace), *([] if model == START else [model or "--empty"])], env)
        self._offset, self._rows = 0, [{}]
        self._display = display.Display(server.name)
        self._root = self._display.screen().root

    def begin(self, arguments: list[str], env: dict[str, str]) -> subprocess.Popen | prepared.Process:
        """Start the process."""
        command = [sys.executable, *self.command(), *arguments]
        return subprocess.Popen(command, cwd=self.folder, env=env, stdout=self.errors, stderr=self.errors)

    @staticmethod
    def command() -> list[str]:
        """Return the arguments of Python that start a viewer."""
        return ["-m", "tumble"]

    def kept(self) -> dict[str, Any]:
        """The settings stored in the file."""
        return json.loads(self.settings.read_text())

    # ---- observation ---------------------------------------------------------------------------------------------------------

    def row(self) -> dict[str, Any]:
        """The newest sample."""
        if self.trace.exists():
            with open(self.trace, encoding="utf-8") as file:
                file.seek(self._offset)
                for line in file:
                    if not line.endswith("\n"):
                        # the viewer is still writing this line; the next read gets the rest
                        break
                    self._offset += len(line.encode())
                    self._rows.append(json.loads(line))
        return self._rows[-1]

    @property
    def rows(self) -> list[dict[str, Any]]:
        self.row()
        return self._rows[1:]

    def until(self, condition: Callable[[dict], Any], seconds: float = PATIENT, what: str = "") -> dict[str, Any]:
        """Wait until the newest sample meets a condition."""
        end = time.monotonic() + seconds
        while True:
            row = self.row()
            if row and condition(row):
                return row
            assert self.process.poll() is None, f"the viewer ended:\n{self.output()}"
            assert time.monotonic() < end, f"{what or 'nothing'} after {seconds} s; last: {row}\n{self.output()}"
            time.sleep(0.02)

    def reported(self, text: str) -> dict[str, Any]:
        """Wait until the console has a text. Notices with the same text vanish after some seconds."""
        return self.until(lambda r: any(text in line for _level, line in r["log"]), what=f"{text!r} in the console")

    def started(self) -> dict[str, Any]:
        """Wait for the first picture that moves."""
        return self.until(lambda r: r.get("time", 0) > 0.05 and r["frame"] > 5, FIRST_START, "no motion")

    def fresh(self) -> dict[str, Any]:
        """Return a sample that is taken after this call."""
        count = len(self.rows)
        self.until(lambda r: len(self._rows) > count + 1)
        return self._rows[-1]

    def pictures(self, count: int = 2) -> dict[str, Any]:
        """Wait for frames that begin after this call, or until the window rests. They show the effects of earlier input."""
        row = self.row()
        first = row["frame"]
        while True:
            last, row = row["frame"], self.fresh()
            if row["frame"] > first + count and not row["inbox"] or row["frame"] == last:
                return row

    def output(self) -> str:
        self.errors.flush()
        return (self.folder / "stderr.txt").read_text(errors="replace")[-4000:]

    def picture(self) -> np.ndarray:
        """(h, w, 3) bytes of the upper left part of the screen, which the window covers."""
        geometry = self.window().get_geometry()
        origin = self._root.translate_coords(self.window(), 0, 0)
        raw = self._root.get_image(origin.x, origin.y, geometry.width, geometry.height, X.ZPixmap, 0xFFFFFFFF)
        return np.asarray(Image.frombytes("RGB", (geometry.width, geometry.height), raw.data, "raw", "BGRX"))

    def view(self) -> np.ndarray:
        """The 3D view's part of the picture."""
        x, y, w, h = (int(v) for v in self.row()["rect"])
        return self.picture()[y : y + h, x : x + w]

    def center(self) -> tuple[int, int]:
        """The middle of the 3D view."""
        x, y, w, h = self.row()["rect"]
        return int(x + w / 2), int(y + h / 2)

    def window(self) -> Any:
        """The viewer's top-level window."""
        for child in self._root.query_tree().children:
            if "Tumble" in (child.get_wm_name() or "") or any(
                "Tumble" in (c.get_wm_name() or "") for c in child.query_tree().children
            ):
                return child
        raise AssertionError(f"no window\n{self.output()}")

    # ---- user actions --------------------------------------------------------------------------------------------------------

    def _send(self, kind: int, detail: int, x: int = 0, y: int = 0, pause: float = PAUSE) -> None:
        xtest.fake_input(self._display, kind, detail, x=x, y=y)
        self._display.sync()
        time.sleep(pause)

    def _code(self, key: str) -> int:
        symbol = XK.string_to_keysym(
            KEYSYMS.get(key.lower(), key.upper() if key.lower().startswith("f") and key[1:].isdigit() else key.lower())
        )
        assert symbol, key
        return self._display.keysym_to_keycode(symbol)

    def hold(self, *keys: str, pause: float = PAUSE) -> None:
        for key in keys:
            self._send(X.KeyPress, self._code(key), pause=pause)

    def let_go(self, *keys: str, pause: float = PAUSE) -> None:
        for key in reversed(keys):
            self._send(X.KeyRelease, self._code(key), pause=pause)

    def key(self, chord: str, pause: float = PAUSE) -> None:
        """Press a chord such as `ctrl+l`."""
        keys = chord.split("+")
        self.hold(*keys, pause=pause)
        self.let_go(*keys, pause=pause)

    def write(self, text: str) -> None:
        """Type a text, faster than a hand would."""
        for letter in text:
            self.key(TYPED.get(letter, letter), FAST)

    def resize(self, width: int, height: int) -> None:
        """Resize the window, in pixels."""
        self.window().configure(width=width, height=height)
        self._display.sync()

    def lose_focus(self) -> None:
        """Give the keyboard to another window."""
        self._root.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        self._display.sync()
        time.sleep(PAUSE)

    def take_focus(self) -> None:
        """Give the keyboard back to the viewer's window."""
        self.window().set_input_focus(X.RevertToParent, X.CurrentTime)
        self._display.sync()
        time.sleep(PAUSE)

    def move(self, x: float, y: float) -> None:
        self._send(X.MotionNotify, 0, int(x), int(y))

    def button(self, button: int, down: bool) -> None:
        """1 left, 2 middle, 3 right, 4 and 5 wheel."""
        self._send(X.ButtonPress if down else X.ButtonRelease, button)

    def click(self, x: float, y: float, button: int = 1, times: int = 1) -> None:
        self.move(x, y)
        for _ in range(times):
            self.button(button, True)
            self.button(button, False)

    def press(self, ending: str, part: str = "buttons") -> None:
        """Click a button or a row of a menu by the end of its label, once later pictures show it at the same place: menus and
        boxes that fit their contents get their places in their first pictures.
        """
        spot, end = None, time.monotonic() + PATIENT
        while True:
            row, last = self.pictures(), spot
            spot = next((place for label, place in row[part].items() if label.endswith(ending)), None)
            if spot and spot == last:
                break
            assert time.monotonic() < end, f"no {ending!r} in {list(row[part])}\n{self.output()}"
        x, y, w, h = spot
        self.click(x + 0.5 * w, y + 0.5 * h)

    def newer(self, act: Callable[[], Any]) -> dict[str, Any]:
        """Do something that loads a model; wait for this model."""
        before = self.fresh()["generation"]
        act()
        return self.until(lambda r: r["generation"] > before and not r["loading"], what="a newer model")

    def drag(
        self,
        dx: float,
        dy: float,
        button: int = 1,
        keys: Sequence[str] = (),
        start: tuple[float, float] | None = None,
        release: bool = True,
        steps: int = 8,
    ) -> None:
        """Drag from a point of the view, by default its middle."""
        x, y = start or self.center()
        self.move(x, y)
        self.hold(*keys)
        self.button(button, True)
        for i in range(1, steps + 1):
            self.move(x + dx * i / steps, y + dy * i / steps)
        if release:
            self.button(button, False)
            self.let_go(*keys)

    def drop(self, *paths: Path | str) -> bool:
        """Drag files onto the window."""
        return drop(self.server.name, self.window(), [str(p) for p in paths])

    def close(self) -> int:
        """End the viewer; return the exit status."""
        end = time.monotonic() + FIRST_START
        while not self.row() and self.process.poll() is None and time.monotonic() < end:
            # a window that is not open yet receives no keys
            time.sleep(0.05)
        if self.process.poll() is None:
            self.key("ctrl+q")
            for _ in range(5):
                try:
                    self.process.wait(5)
                    break
                except subprocess.TimeoutExpired:
                    # the viewer asks about unsaved texts; discard them
                    self.key("d")
            else:
                self.process.kill()
                self.process.wait(10)
        self._display.close()
        self.errors.close()
        return self.process.returncode


class PreparedViewer(Viewer):
    """A Viewer that is forked from a process with everything imported, which saves most of the start-up time."""

    def begin(self, arguments: list[str], env: dict[str, str]) -> prepared.Process:
        return prepared.start([*self.command(), *arguments], self.folder, env, self.errors)


def drop(server: str, target: Any, paths: Sequence[str], timeout: float = 10.0) -> bool:
    """Act as the source of a drag (XDND 5): offer a list of files, drop it on `target`, wait for the confirmation."""
    d = display.Display(server)
    screen, atom = d.screen(), d.intern_atom
    source = screen.root.create_window(-100, -100, 10, 10, 0, screen.root_depth, X.InputOutput, X.CopyFromParent)
    target = d.create_resource_object("window", target.id)
    uris, copy = atom("text/uri-list"), atom("XdndActionCopy")
    source.set_selection_owner(atom("XdndSelection"), X.CurrentTime)
    body = "".join("file://" + urllib.parse.quote(os.path.abspath(p)) + "\r\n" for p in paths).encode()
    geometry, origin = target.get_geometry(), screen.root.translate_coords(target, 0, 0)
    spot = origin.x + geometry.width // 2 << 16 | origin.y + geometry.height // 2

    def tell(kind: str, data: list[int]) -> None:
        target.send_event(event.ClientMessage(window=target, client_type=atom(kind), data=(32, data)), event_mask=0)
        d.flush()

    tell("XdndEnter", [source.id, 5 << 24, uris, 0, 0])
    tell("XdndPosition", [source.id, 0, spot, X.CurrentTime, copy])
    end, dropped = time.monotonic() + timeout, False
    try:
        while time.monotonic() < end:
            if not d.pending_events():
                select.select([d.fileno()], [], [], 0.05)
                continue
            e = d.next_event()
            if e.type == X.SelectionRequest:
                serve(e, uris, body, atom)
                d.flush()
            elif e.type == X.ClientMessage and e.client_type == atom("XdndStatus") and not dropped:
                if not e.data[1][1] & 1:
                    return False
                tell("XdndDrop", [source.id, 0, X.CurrentTime, 0, 0])
                dropped = True
            elif e.type == X.ClientMessage and e.client_type == atom("XdndFinished"):
                return True
        return False
    finally:
        source.destroy()
        d.close()


def serve(request: Any, uris: int, body: bytes, atom: Callable[[str], int]) -> None:
    """Answer requests for the dragged data."""
    place = request.property or request.target
    if request.target == uris:
        request.requestor.change_property(place, uris, 8, body)
    elif request.target == atom("TARGETS"):
        request.requestor.change_property(place, Xatom.ATOM, 32, [uris])
    else:
        place = X.NONE
    request.requestor.send_event(
        event.SelectionNotify(
            time=request.time, requestor=request.requestor, selection=request.selection, target=request.target, property=place
        )
    )
