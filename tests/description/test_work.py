"""The work of loading, counted instead of timed: function calls for small models, and files read."""

import os
import pathlib
import sys

import numpy as np
import pytest

import tumble
from tests.bench.loading import HUMANOID, PENDULUM
from tumble.engine.description.files import resources

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = (
    (0, 1, 3),
    (0, 3, 2),
    (4, 6, 7),
    (4, 7, 5),
    (0, 4, 5),
    (0, 5, 1),
    (2, 3, 7),
    (2, 7, 6),
    (0, 2, 6),
    (0, 6, 4),
    (1, 5, 7),
    (1, 7, 3),
)
# limits for calls of Python and C functions: a tenth above the counts when these tests were written
MOST = {"pendulum": 2330, "humanoid": 12550, "pendulum, compile": 2000, "humanoid, compile": 5300, "pendulum, to_xml": 1950}


def calls(function):
    """Count the function calls of a call that is not the first."""
    function()
    count = 0

    def note(frame, event, arg):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


def edited(text):
    spec = tumble.MjSpec.from_string(text)

    def compile_again():
        spec.geoms[-1].size[0] *= 1.01
        spec.compile()

    return compile_again


CASES = {
    "pendulum": lambda: lambda: tumble.MjModel.from_xml_string(PENDULUM),
    "humanoid": lambda: lambda: tumble.MjModel.from_xml_path(str(HUMANOID)),
    "pendulum, compile": lambda: edited(PENDULUM),
    "humanoid, compile": lambda: edited(HUMANOID.read_text()),
    "pendulum, to_xml": lambda: tumble.MjSpec.from_string(PENDULUM).to_xml,
}


@pytest.mark.parametrize("name", MOST)
def test_small_models_take_few_calls(name):
    assert calls(CASES[name]()) < MOST[name]


MESHED = """<mujoco><asset><mesh file="cube.obj"/></asset><worldbody><body><geom type="mesh" mesh="cube"/></body></worldbody>\
</mujoco>"""


def write_cube(path, size):
    """A cube as an OBJ file whose length is the same for every one-digit size."""
    path.write_text(
        "".join("v " + " ".join(f"{size * x:.3f}" for x in v) + "\n" for v in CUBE)
        + "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in SIDES)
    )


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A model file with a mesh file; names of the files that are opened."""
    (tmp_path / "model.xml").write_text(MESHED)
    write_cube(tmp_path / "cube.obj", 1)
    opened = []
    read = resources.Files.read
    monkeypatch.setattr(
        resources.Files, "read", lambda self, path: (opened.append(os.path.basename(path)), read(self, path))[1]
    )
    return tmp_path / "model.xml", opened


def volume(path):
    return tumble.MjModel.from_xml_path(str(path)).body_mass[1]


def test_a_file_that_is_the_same_is_not_read_again(model, monkeypatch):
    path, opened = model
    monkeypatch.setattr(resources, "SETTLED", -(10**18))
    first = volume(path)
    assert "cube.obj" in opened
    opened.clear()
    assert volume(path) == first and opened == ["model.xml"]


def test_a_file_that_was_written_just_now_is_read_again(model):
    path, _ = model
    first = volume(path)
    times = os.stat(path.parent / "cube.obj")
    write_cube(path.parent / "cube.obj", 2)
    # keep the file's length and time, so that only its contents change
    os.utime(path.parent / "cube.obj", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert volume(path) == pytest.approx(8 * first)


def test_a_file_that_has_changed_is_read_again(model, monkeypatch):
    path, _ = model
    monkeypatch.setattr(resources, "SETTLED", -(10**18))
    first = volume(path)
    new = pathlib.Path(path.parent / "new.obj")
    write_cube(new, 2)
    new.replace(path.parent / "cube.obj")
    assert volume(path) == pytest.approx(8 * first)


def test_default_classes_keep_what_they_began_with():
    spec = tumble.MjSpec.from_string("""<mujoco><default><geom group="1"/><default class="a"><default class="b">
    <geom group="3"/></default></default>
      </default><worldbody><body><geom class="a" size="1"/></body></worldbody></mujoco>""")
    spec.default.geom.group = 4
    a, b = spec.find_default("a"), spec.find_default("b")
    a.geom.rgba = np.ones(4)
    assert (a.geom.group, b.geom.group) == (1, 3) and b.geom.rgba[0] != 1
    below = spec.add_default("c", a)
    a.geom.group = 2
    assert below.geom.group == 1 and spec.bodies[1].add_geom(below).group == 1


def test_a_later_section_does_not_change_classes_of_an_earlier_one():
    spec = tumble.MjSpec.from_string(
        """<mujoco><default><default class="a"/></default><default><geom group="2"/></default></mujoco>"""
    )
    assert spec.find_default("a").geom.group == 0 and spec.default.geom.group == 2
