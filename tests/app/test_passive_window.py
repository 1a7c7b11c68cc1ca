"""Objects that a script draws over a passive viewer's window appear at their positions; user actions reach the script."""

import os
import textwrap
import time

import numpy as np
import pytest
from PIL import Image
from Xlib import XK, X, display
from Xlib.ext import xtest

from tests.app import prepared
from tests.app.driver import ROOT
from tests.app.models import PENDULUM
from tumble.app.config import Config
from tumble.app.passive import launch, launch_passive

# seconds until a loaded machine has drawn the script's changes
SLOW = 20.0
# megabytes that several closed windows may still take; each took 15 to 25 until it was garbage collected
GROWN = 40
BEGIN = """
import sys, time
import numpy as np
import mujoco
import mujoco.viewer
m = mujoco.MjModel.from_xml_string(open("model.xml").read())
d = mujoco.MjData(m)
def show(words):
    # a few frames, then the test may look
    for _ in range(12):
        v.sync()
        time.sleep(0.05)
    print(words, flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def script(server, tmp_path):
    """run(text) -> a Running script."""
    made = []

    def run(text):
        (tmp_path / "model.xml").write_text(PENDULUM)
        (tmp_path / "script.py").write_text(BEGIN + textwrap.dedent(text))
        env = dict(
            os.environ,
            DISPLAY=server.name,
            TUMBLE_CONFIG=str(tmp_path / "s.json"),
            PYTHONPATH=str(ROOT),
            LIBGL_ALWAYS_SOFTWARE="1",
        )
        with open(tmp_path / "err", "w") as errors:
            made.append(Running(server, prepared.talk(["-m", "tumble", "run", "script.py"], tmp_path, env, errors)))
        made[-1].errors = tmp_path / "err"
        return made[-1]

    yield run
    for r in made:
        r.process.kill()
        r.display.close()


class Running:
    """A script that prints a word when the test may check, and continues at a line of input."""

    def __init__(self, server, process):
        self.process, self.display, self.errors = process, display.Display(server.name), None

    def until(self, word):
        line = self.process.stdout.readline()
        assert line.startswith(word), f"{line!r}\n{self.errors.read_text()}"
        return line.split()[1:]

    def go(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def window(self):
        """Return the window with the title, searched below the frames of the window manager."""
        stack = [self.display.screen().root]
        while stack:
            w = stack.pop()
            if "Tumble" in (w.get_wm_name() or ""):
                return w
            stack += w.query_tree().children
        raise AssertionError("no window")

    def picture(self):
        """(h, w, 3) of the window, bottom row first, like the script's pictures."""
        w, root = self.window(), self.display.screen().root
        g, o = w.get_geometry(), root.translate_coords(w, 0, 0)
        raw = root.get_image(o.x, o.y, g.width, g.height, X.ZPixmap, 0xFFFFFFFF)
        return np.asarray(Image.frombytes("RGB", (g.width, g.height), raw.data, "raw", "BGRX"))[::-1].astype(int)

    def shown(self, condition):
        """Return the picture once it meets a condition, or the last one after SLOW seconds."""
        end = time.monotonic() + SLOW
        while not condition(seen := self.picture()) and time.monotonic() < end:
            time.sleep(0.1)
        return seen

    def key(self, name, *held):
        """Press and release, with other keys held."""
        codes = [self.display.keysym_to_keycode(XK.string_to_keysym(n)) for n in (*held, name)]
        for kind, order in ((X.KeyPress, codes), (X.KeyRelease, codes[::-1])):
            for code in order:
                xtest.fake_input(self.display, kind, code)
                self.display.sync()
                time.sleep(0.02)


def test_images_figures_and_geoms_are_where_the_script_says(script):
    """The window shows an image pixel by pixel, a figure in its colors and a sphere of user_scn, until they are cleared."""
    r = script("""
    v = mujoco.viewer.launch_passive(m, d, show_left_ui=False, show_right_ui=False)
    view = v.viewport
    image = np.zeros((40, 60, 3), np.uint8)
    image[:20, :, 0], image[20:, :, 2] = 255, 255
    v.set_images((mujoco.MjrRect(view.left + 30, view.bottom + 50, 60, 40), image))
    fig = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(fig)
    fig.figurergba[:] = [0, 1, 0, 1]
    fig.linepnt[0] = 2
    fig.linedata[0, :4] = [0, 0, 1, 1]
    v.set_figures([(mujoco.MjrRect(view.left + 200, view.bottom + 100, 150, 120), fig)])
    fig.figurergba[:] = [1, 1, 1, 1]
    mujoco.mjv_initGeom(v.user_scn.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE, [0.3, 0, 0], v.cam.lookat, np.eye(3).ravel(), [1,\
 0, 1, 1])
    v.user_scn.ngeom = 1
    v.user_scn.geoms[0].emission = 1
    v.user_scn.flags[mujoco.mjtRndFlag.mjRND_SKYBOX] = 0
    v.sync()
    v.user_scn.ngeom = 0
    time.sleep(0.6)
    view = v.viewport
    print("drawn", view.left, view.bottom, view.width, view.height, flush=True)
    sys.stdin.readline()
    v.clear_images(); v.clear_figures(); v.set_texts((None, None, "Hello", None))
    show("cleared")
    v.close()
    v.sync()
    print("closed", v.is_running(), flush=True)
    """)
    x, y, w, h = (int(t) for t in r.until("drawn"))
    seen = r.shown(lambda p: (p[y + 72 : y + 89, x + 31 : x + 89] == [255, 0, 0]).all())
    assert y + h <= seen.shape[0] and x + w <= seen.shape[1] and w > 300
    assert (seen[y + 72 : y + 89, x + 31 : x + 89] == [255, 0, 0]).all(), "upper half of the image"
    assert (seen[y + 51 : y + 69, x + 31 : x + 89] == [0, 0, 255]).all(), "lower half of the image"
    green = (seen[y + 100 : y + 220, x + 200 : x + 350] == [0, 255, 0]).all(2)
    assert green.mean() > 0.1, "the figure as it was when it was set"
    middle = seen[y + h // 2, x + w // 2]
    assert middle[0] > 200 and middle[2] > 200 and middle[1] < 120, "the geom as it was at the last sync"
    r.go()
    r.until("cleared")
    after = r.shown(
        lambda p: (
            not (p[y + 72 : y + 89, x + 31 : x + 89] == [255, 0, 0]).all()
            and (p[y + h - 60 : y + h, x : x + 150].min(2) > 180).sum() > 20
        )
    )
    assert (
        not (after[y + 72 : y + 89, x + 31 : x + 89] == [255, 0, 0]).all()
        and not (after[y : y + h, x : x + w] == [0, 255, 0]).all(2).any()
    )
    assert (after[y + h - 60 : y + h, x : x + 150].min(2) > 180).sum() > 20, "text in the upper left corner"
    r.go()
    assert r.until("closed") == ["False"]
    assert r.process.wait(30) == 0 and "Traceback" not in r.errors.read_text()


def test_keys_pulls_and_assets(script):
    """A pull by the script applies a force until it ends. Updates of assets that do not exist do nothing. The key callback
    gets presses and releases.
    """
    r = script("""
    heard = []
    v = mujoco.viewer.launch_passive(m, d, key_callback=lambda key, action, mods: heard.append((key, action)))
    with v.lock():
        v.perturb.select, v.perturb.active = 1, int(mujoco.mjtPertBit.mjPERT_TRANSLATE)
        v.perturb.refselpos[:] = d.xpos[1] + [0, 5, 0]
        v.perturb.scale = v.perturb.localmass = 1
    v.sync()
    assert abs(d.xfrc_applied[1]).max() > 0
    v.perturb.active = 0
    v.sync()
    assert abs(d.xfrc_applied[1]).max() == 0
    v.update_mesh(-1), v.update_texture(10**6), v.update_hfield(0)
    show("ready")
    end = time.time() + 20
    while len(heard) < 2 and time.time() < end:
        v.sync()
        time.sleep(0.02)
    show("pressed " + repr(sorted(heard)).replace(" ", ""))
    v.close()
    """)
    r.until("ready")
    r.key("k")
    r.go()
    assert r.until("pressed") == ["[(75,0),(75,1)]"]
    r.go()
    assert r.process.wait(30) == 0, r.errors.read_text()


def test_a_scripts_choice_of_panels_is_not_saved(tmp_path):
    """Panels hidden by a script are shown again next time; panels hidden by the user stay hidden."""
    path = tmp_path / "s.json"
    c = Config(path)
    c.override("left", False)
    assert not c["left"]
    c["right"] = False
    c.save()
    again = Config(path)
    assert again["left"] and not again["right"]


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: launch_passive(None, None), "`model` is not"),
        (lambda: launch(data=1), "mjData is specified but mjModel is not"),
        (lambda: launch(lambda: None, 1), "should not be specified when"),
        (lambda: launch(1, loader=lambda: None), "both specified"),
    ],
)
def test_wrong_arguments(call, match):
    with pytest.raises(ValueError, match=match):
        call()


def test_a_script_that_owns_the_loop_is_paused_stepped_and_reloaded(script):
    """Reload gives the script a model of another size and keeps it running. If the loader fails, a message says so. While
    paused, the script runs one round for each step.
    """
    r = script("""
    import threading
    count, said = 0, []
    XML = open("model.xml").read()
    BIG = XML.replace('<body name="arm" pos="0 0 2">', '<body name="extra" pos="-1 0 3"><joint name="new" type="slide"/>'
                      '<geom size="0.1"/></body><body name="arm" pos="0 0 2">')
    def loader():
        global count
        count += 1
        if count == 2:
            raise RuntimeError("not today")
        m = mujoco.MjModel.from_xml_string(BIG if count == 1 else XML)
        return m, mujoco.MjData(m)
    def listen():
        for line in sys.stdin:
            said.append(line)
    threading.Thread(target=listen, daemon=True).start()
    v = mujoco.viewer.launch_passive(m, d, loader=loader)
    print("ready", flush=True)
    rounds = 0
    while v.is_running():
        mujoco.mj_step(v.m, v.d)
        v.sync()
        rounds += 1
        if said:
            said.clear()
            print("state", rounds, v.m.nq, count, v._viewer.session.document.failure is not None, flush=True)
        time.sleep(0.002)
    print("over", rounds, flush=True)
    """)

    def state():
        r.go()
        rounds, nq, loads, failed = r.until("state")
        return int(rounds), int(nq), int(loads), failed == "True"

    def until(condition):
        for _ in range(200):
            now = state()
            if condition(now):
                return now
            time.sleep(0.05)
        raise AssertionError(f"{now}\n{r.errors.read_text()}")

    r.until("ready")
    first = state()
    for wanted in ((9, 1, False), (9, 2, True), (8, 3, False)):
        r.key("l", "Control_L")
        now = until(lambda s, wanted=wanted: s[1:] == wanted)
        assert now[0] > first[0]
    r.key("space")
    time.sleep(1.0)
    # the current round ends, then there is one for each step
    r.go()
    for _ in range(4):
        r.key("Right")
        time.sleep(0.3)
    stepped, *_rest = r.until("state")
    r.key("q", "Control_L")
    over = int(r.until("over")[0])
    assert int(stepped) < over <= int(stepped) + 5, "paused, time passes by steps alone"
    assert r.process.wait(30) == 0


@pytest.mark.parametrize("dropped", [True, False])
def test_closed_windows_are_freed(script, dropped):
    """A closed window leaves nothing to the garbage collector, whether or not the script drops its handle; data that
    the script may still read stays.
    """
    r = script(f"""
        import gc
        from tumble.app.session import Session
        from tumble.app.view import View
        from tumble.engine.machine.systems import resident_memory
        gc.collect()
        gc.disable()
        sizes, handles = [], []
        for k in range(6):
            with mujoco.viewer.launch_passive(m, d, own_thread=k % 3 > 0) as v:
                v.cam.distance = 3.5
                v.sync()
            assert not v.is_running() and v.cam.distance == 3.5 and v.viewport.width > 100
            v.sync()
            v.close()
            if not {dropped}:
                handles.append(v)
            del v
            sizes.append(resident_memory() >> 20)
        alive = [sum(type(o) is kind for o in gc.get_objects()) for kind in (View, Session)]
        print("freed", *alive, sizes[-1] - sizes[1], flush=True)
        """)
    views, sessions, grown = map(int, r.until("freed"))
    assert (views, sessions) == ((0, 0) if dropped else (6, 6))
    # a handle that the script holds keeps its scene alive
    assert grown < (GROWN if dropped else 2 * GROWN)
