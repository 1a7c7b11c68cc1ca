"""Import options agree in the three places that declare them: `import_model`, the options that it passes on, the window."""

import dataclasses
import inspect

import tumble as mj
from tumble.app.robots import OPTIONS, keywords, usable
from tumble.engine.description.robots.importing import Options

PARAMETERS = dict(inspect.signature(mj.import_model).parameters)
# Parameters that concern the call and not the robot, and one that is applied after the import.
APART = {"path", "inside", "exclude_overlaps"}
# Names of the window that are parts of a parameter: shapes of single meshes, and pairs that do not collide.
PARTS = {"own": "fit", "exclude": "exclude_overlaps"}
# a usable value of each option of the window
VALUES = {
    "arguments": {"height": "2"},
    "fit": "box",
    "own": {"part.stl": "hull"},
    "exclude": [["one", "two"]],
    "density": 7850.0,
    "scale": 0.001,
    "free": True,
    "actuators": "position",
}


def test_an_import_passes_on_all_its_options():
    passed = {field.name for field in dataclasses.fields(Options)}
    assert passed - set(PARTS) == PARAMETERS.keys() - APART


def test_options_of_the_window_are_parameters_of_an_import():
    assert VALUES.keys() == OPTIONS.keys()
    assert {PARTS.get(name, name) for name in OPTIONS} <= PARAMETERS.keys()
    assert usable(VALUES) == VALUES
    inspect.signature(mj.import_model).bind("robot.urdf", **keywords(VALUES))


def test_unusable_values_are_ignored():
    wrong = {"fit": "ball", "own": {"a": "ball"}, "exclude": ["ab"], "density": -1, "scale": True, "free": 1, "actuators": "x"}
    assert usable(wrong | {"arguments": {"a": 1}, "unknown": 1}) == {}
