"""A browser shows what the window shows: the same shapes in the same places and colors, on all examples.

There is no browser here: the picture is drawn from the messages that the server sends.
"""

from pathlib import Path

import pytest

pytest.importorskip("viser", reason="the extra `web` is not installed")

import tumble
from tests.app.browser_picture import OF_ALL, compared

MODELS = sorted((Path(__file__).resolve().parents[2] / "assets/models").glob("*.xml"))
# Boxes of one shape that differ by their look only: without a texture, with a cube texture, with flat ones, transparent.
KINDS = """<mujoco><asset>
<texture name="cube" type="cube" builtin="flat" width="8" height="8" rgb1="1 0 0"/>
<texture name="flat" type="2d" builtin="flat" width="8" height="8" rgb1="0 1 0"/>
<material name="cube" texture="cube"/><material name="flat" texture="flat"/><material name="plain" rgba="0 0 1 1"/>
</asset><visual><global elevation="-60"/></visual><statistic center="0 0 0" extent="1"/><worldbody>{}</worldbody></mujoco>"""
LOOKS = ("", 'rgba="1 1 0 1"', 'rgba="1 0 1 .4"', 'material="cube"', 'material="flat"', 'material="plain"')


def same(m, d):
    tumble.mj_forward(m, d)
    _ours, _theirs, share, wrong = compared(m, d)
    assert not wrong and share > OF_ALL, (share, wrong)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_browser_shows_what_the_window_shows(path):
    m = tumble.MjModel.from_xml_path(str(path))
    d = tumble.MjData(m)
    for _ in range(20):
        tumble.mj_step(m, d)
    same(m, d)


def test_shapes_that_share_a_key_are_all_there():
    boxes = "".join(
        f'<geom type="{kind}" size=".08 .08 .08" pos="{0.2 * (k % 6) - 0.5} {0.2 * (k // 6) - 0.2} 0" {look}/>'
        for k, (kind, look) in enumerate((kind, look) for kind in ("box", "sphere", "cylinder") for look in LOOKS)
    )
    m = tumble.MjModel.from_xml_string(KINDS.format(boxes))
    same(m, tumble.MjData(m))
