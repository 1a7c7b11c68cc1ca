"""The page in a headless Chromium: it shows the scene, a click selects, a drag pulls, and a watcher's clicks do nothing.

The processor draws only a few pictures a second, so waiting takes time.
"""

import io
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("viser", reason="the extra `web` is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import sync_playwright

import tumble
from tumble import viewer
from tumble.ui import intents as I

BROWSER = next((path for name in ("chromium-headless-shell", "chromium", "google-chrome") if (path := shutil.which(name))), "")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not BROWSER, reason="Chromium is not installed")]
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
WIDTH, HEIGHT = 800, 560
# seconds, because pictures come slowly
SOON = 150.0
MODELS = sorted((Path(__file__).resolve().parents[2] / "assets/models").glob("*.xml"))
# fraction of the area beside the panel that a scene paints; words on an empty page cover a tenth
PAINTED, WORDS = 0.25, 0.1
# messages a second that look like motion, and seconds over which they are counted
UPDATES, COUNTED = 30.0, 5.0
XML = """
<mujoco>
  <visual><headlight ambient=".5 .5 .5"/><global azimuth="90" elevation="-10"/></visual>
  <statistic center="0 0 1" extent="1.5"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" rgba=".2 .3 .4 1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".3" rgba="1 0 0 1"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def served():
    with viewer.serve(tumble.MjModel.from_xml_string(XML), port=0, running=False) as handle:
        yield handle


def opened(chromium, url):
    page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.set_default_timeout(1000 * SOON)
    page.goto(url)
    return page


def pixels(page):
    """The picture, (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(page.screenshot(timeout=1000 * SOON))).convert("RGB")).astype(int)


def red(picture):
    """Center (x, y) of the red pixels, or None."""
    y, x = np.nonzero((picture[:, :, 0] > 120) & (picture[:, :, 1] < 80) & (picture[:, :, 2] < 80))
    return (float(x.mean()), float(y.mean())) if len(x) > 100 else None


def until(happened):
    end = time.monotonic() + SOON
    while not (found := happened()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.2)
    return found


def test_a_person_sees_selects_and_pulls(chromium, served):
    server = served._server
    page = opened(chromium, served.url)
    page.get_by_text("paused").wait_for()
    x, y = until(lambda: red(pixels(page)))
    page.mouse.click(x, y)
    page.get_by_text("geom ball of body ball").wait_for()
    server.host.post(I.SetField("opt.gravity", np.zeros(3)))
    server.host.post(I.SetRunning(True))
    page.keyboard.down("Shift")
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 11):
        page.mouse.move(x, y - 8 * k)
        time.sleep(0.1)
    until(lambda: server.host.sim.d.body("ball").xpos[2] > 1.1)
    page.mouse.up()
    page.keyboard.up("Shift")
    until(lambda: not server.view.perturbing)
    page.close()


def test_who_watches_presses_in_vain(chromium, served):
    one, two = opened(chromium, served.url), opened(chromium, served.watch_url)
    for page in (one, two):
        page.get_by_text("paused").wait_for()
    two.get_by_text("Step", exact=True).click()
    time.sleep(2.0)
    assert served._server.host.sim.d.time == 0
    one.get_by_text("Step", exact=True).click()
    until(lambda: served._server.host.sim.d.time > 0)
    one.close()
    two.close()


class Command:
    """`tumble serve` in a separate process."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tumble", "serve", *map(str, arguments), "--port", "0"], stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return re.search(r"http\S+", self.process.stdout.readline())[0]

    def __exit__(self, *_error):
        self.process.terminate()
        self.process.wait(SOON)


def painted(picture):
    """Return the fraction of the area beside the panel and below the page's notices that is not nearly white."""
    return float((picture[200:, :500].min(-1) < 240).mean())


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_command_shows_a_model(chromium, path):
    with Command(path) as url:
        page = opened(chromium, url)
        page.get_by_text("running", exact=True).wait_for()
        until(lambda: painted(pixels(page)) > PAINTED)
        page.close()


def test_two_browsers_see_thirty_updates_a_second(chromium):
    """Updates are counted as they arrive, because a browser without a graphics card cannot draw them all."""
    came = {}
    with Command(next(path for path in MODELS if path.stem == "humanoid")) as url:
        pages = [chromium.new_page() for _ in range(2)]
        for page in pages:
            came[page] = []
            page.on(
                "websocket",
                lambda socket, times=came[page]: socket.on("framereceived", lambda _data: times.append(time.perf_counter())),
            )
            page.goto(url)
            page.get_by_text("running", exact=True).wait_for()
        begin = time.perf_counter()
        until(lambda: pages[0].evaluate("1") and time.perf_counter() > begin + COUNTED)
        for page in pages:
            assert sum(begin < t <= begin + COUNTED for t in came[page]) >= UPDATES * COUNTED
            page.close()


def test_a_wrong_token_opens_nothing(chromium):
    with Command(MODELS[0]) as url:
        page = opened(chromium, url[:-6] + "abcdef")
        time.sleep(5.0)
        assert not page.get_by_text("running", exact=True).count() and painted(pixels(page)) < WORDS
        page.close()
