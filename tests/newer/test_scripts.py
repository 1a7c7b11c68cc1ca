"""Scripts produce the numbers and texts that were recorded with 4.0.1."""

import pathlib

import numpy as np
import pytest

import tumble

from .records import check
from .scripts import SCRIPTS

RECORDS = dict(np.load(pathlib.Path(__file__).parent / "scripts.npz"))
# sums in another order; for pictures: one of 64 columns and rounding to 8 bits, where curved shapes are cut into flat pieces
SUMS, COLUMN = 1e-9, 0.03
PICTURES = ("wrapped_textures",)


def load(text):
    return tumble.MjModel.from_xml_string(text, compat="4.0")


def test_records_are_of_the_oracle():
    assert str(RECORDS["version"]) == "4.0.1" and {key.split(".")[0] for key in RECORDS} == {*SCRIPTS, "version"}


@pytest.fixture
def of_later():
    """Load everything as in 4.0."""
    setattr(tumble, "compat", "4.0")
    yield
    setattr(tumble, "compat", None)


@pytest.mark.usefixtures("of_later")
@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name):
    if name in PICTURES:
        try:
            tumble.Renderer(load("<mujoco/>"), 10, 10).close()
        except Exception as error:
            pytest.skip(f"no context of OpenGL: {error}")
    limit = COLUMN if name in PICTURES else SUMS
    check(name, SCRIPTS[name](tumble, load), RECORDS, limit)
