"""Colors of browsers: Tumble corrects for what the page does to light and sky, so that greys look as in the window."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="the extra `web` is not installed")

from tumble import MjModel
from tumble.app.web.shapes import linear
from tumble.app.web.sky import ROWS, dome, gradient
from tumble.app.web.tone import GREY, encoded, strength, toned, untoned

SKY = """<mujoco><asset><texture type="skybox" builtin="gradient" rgb1="0 0 1" rgb2="1 1 1" width="32" height="192"/></asset>
</mujoco>"""


def test_tones_are_inverted():
    grey = np.linspace(0, 0.9, 50)
    np.testing.assert_allclose(encoded(toned(untoned(grey))), grey, atol=2e-3)
    np.testing.assert_allclose(linear(encoded(grey)), grey, atol=1e-12)


@pytest.mark.parametrize("light", (0.1, 0.5, 1.0, 1.5))
def test_a_grey_surface_looks_as_in_the_window(light):
    shown = encoded(toned(strength(light) * linear(np.array(GREY))))
    assert shown == pytest.approx(GREY * light, abs=2e-3)


def test_the_sky_has_the_colors_of_the_model():
    colors = gradient(MjModel.from_xml_string(SKY))
    assert colors.shape == (ROWS, 3)
    assert colors[0, 2] > 0.9 > 0.5 > colors[0, 0] and colors[-1].min() > 0.5
    assert dome(colors)[:4] == b"glTF"
    assert (gradient(MjModel.from_xml_string("<mujoco/>")) < 0.4).all()
