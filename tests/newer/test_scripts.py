"""Scripts produce the numbers and texts that were recorded with 4.0.1."""

import pathlib

import numpy as np
import pytest

import tumble

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
    found = {f"{name}.{key}": np.array(value) for key, value in SCRIPTS[name](tumble, load).items()}
    assert found.keys() == {key for key in RECORDS if key.startswith(f"{name}.")}
    for key, value in found.items():
        recorded = RECORDS[key]
        if recorded.dtype.kind in "US":
            assert value.tolist() == recorded.tolist(), key
        else:
            assert value.shape == recorded.shape, (key, value.shape, recorded.shape)
            here, wanted = np.nan_to_num(value.astype(float)), np.nan_to_num(recorded.astype(float))
            worst, size = np.abs(here - wanted).max(initial=0), max(1, np.abs(wanted).max(initial=0))
            assert worst < limit * size, f"{key}\n{value}\n{recorded}"
