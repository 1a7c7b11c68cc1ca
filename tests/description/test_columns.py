"""The columns that each compiler stage declares in its docstring, compared with those it uses."""

import ast
import collections
import functools
import pathlib
import re
import sys

import numpy as np
import pytest

from tests.description.models import MODELS
from tumble.engine.description import compile as room
from tumble.engine.description.compile import columns, resolve, table
from tumble.engine.description.spec import MjSpec

FOLDER = pathlib.Path(room.__file__).parent
FILES = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in ("__init__", "table", "columns"))
# files that read columns for others
HELPERS = table.__file__, columns.__file__
# columns that a table has without any stage
OWN = {"kind", "elems", "n", "rows", "raws", "body", "frame", "places", "blocks", "addresses", "touched", "plain", "cls"}
WORDS = ("adds", "reads")


class Recorder(table.Table):
    """A table that records which file of the compiler sets and reads which of its columns."""

    seen: dict = {}

    def __setattr__(self, name, value):
        file = _caller()
        if file and name not in OWN and name not in self.rows:
            self.seen[file, "adds"].add((self.kind, name))
        super().__setattr__(name, value)

    def __getattribute__(self, name):
        get = object.__getattribute__
        if name[0] != "_" and name not in OWN and name in get(self, "__dict__") and name not in get(self, "rows"):
            file = _caller()
            if file:
                get(self, "seen")[file, "reads"].add((get(self, "kind"), name))
        return get(self, name)


def _caller():
    """The file of the compiler that reads a table; None for other files. Reordering rows does not count."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename in HELPERS:
        if frame.f_code.co_name == "take":
            return None
        frame = frame.f_back
    path = pathlib.Path(frame.f_code.co_filename)
    return path.stem if path.parent == FOLDER else None


def declared(file):
    """{word: {(kind, column)}} of a file's docstring: lines such as `adds   joint: nq nv; body: dofnum`."""
    text = ast.get_docstring(ast.parse((FOLDER / f"{file}.py").read_text())) or ""
    found = {}
    for word in WORDS:
        match = re.search(rf"^{word} +(.*(?:\n {{4,}}.*)*)", text, re.M)
        rows = [r.split(":") for r in match[1].split(";")] if match else ()
        found[word] = {(kind.strip(), c) for kind, columns in rows for c in columns.split()}
    return found


# fused bodies, visual elements left out; every kind of element at least once
FUSED = """<mujoco><compiler fusestatic="true" discardvisual="true"/><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  <hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 1 0 1"/></asset>
  <worldbody><geom type="hfield" hfield="h"/><body name="b"><joint name="j"/><geom size=".1"/>
    <geom type="mesh" mesh="m" contype="0" conaffinity="0"/>
  <body pos="0 0 1"><geom size=".1"/><camera/><light/><site/></body></body></worldbody><sensor><jointpos joint="j"/></sensor>
    </mujoco>"""
DEFORMABLE = """<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody><deformable>
  <flex name="f" dim="1" body="b b" vertex="0 0 0 1 0 0" element="0 1"/><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
  <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>"""


@pytest.fixture(scope="module")
def used():
    """{(file, word): {(kind, column)}} over all models."""
    seen = Recorder.seen = collections.defaultdict(set)
    patch = pytest.MonkeyPatch()
    patch.setattr(resolve, "Table", Recorder)
    patch.setattr(resolve, "empty_tables", functools.cache(resolve.empty_tables.__wrapped__))
    try:
        for xml in (*MODELS.values(), FUSED, DEFORMABLE):
            MjSpec.from_string(xml).compile()
    finally:
        patch.undo()
    # a file need not declare that it reads its own columns
    for file in FILES:
        seen[file, "reads"] -= seen[file, "adds"]
    return seen


@pytest.mark.parametrize("file", FILES)
def test_stages_say_which_columns_they_add_and_read(file, used):
    said = declared(file)
    for word in WORDS:
        assert said[word] == used[file, word], word


def test_many_elements_have_the_numbers_that_few_have():
    """Columns of many elements are gathered by another method, which gives the same bits for zeros of either sign, NaN,
    arrays and integers.
    """
    values = [(0.0, 0.0, 0.0), (-0.0, 0.0, 0.0), np.array([1.0, 2.0, 3.0]), (1, 2, 3), (np.nan, 0.0, 1.0)]
    spec = MjSpec()
    elements = [spec.worldbody.add_geom() for _ in range(2 * table.MANY)]
    for k, e in enumerate(elements):
        e.raw["pos"] = values[k * len(values) // len(elements)]
        e.raw["margin"], e.raw["gap"] = (-0.0 if k % 2 else 0.0), 0.5
    many = table.Table("geom", elements, type(elements[0]))
    few = [table.Table("geom", [e], type(e)) for e in elements]
    assert not many.given("friction") and many.given("pos") and many.given("gap")
    for name in ("pos", "margin", "gap", "friction", "type", "contype"):
        assert getattr(many, name).tobytes() == np.concatenate([getattr(one, name) for one in few]).tobytes(), name
    kept = many.gap.copy()
    many.take(list(range(0, 2 * table.MANY, 2)))
    assert many.given("gap") and not many.given("friction") and many.gap.tobytes() == kept[::2].tobytes()
