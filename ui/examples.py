"""The included models. Menu, panel, command line, manual pages and tests use this table."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent / "assets"


@dataclass(frozen=True)
class Example:
    """`name` is used on the command line; `seconds` is the simulation time of its picture."""

    name: str
    title: str
    text: str
    seconds: float

    @property
    def path(self) -> str:
        """The model's file."""
        return str(ASSETS / "models" / f"{self.name}.xml")

    @property
    def picture(self) -> str:
        """The file of its picture, in the size PICTURE; `python -m tumble.pictures` draws it again."""
        return str(ASSETS / "models" / "pictures" / f"{self.name}.jpg")


# width and height of a picture
PICTURE = 256, 180

EXAMPLES = (
    Example("humanoid", "Humanoid", "30 degrees of freedom and a motor on each hinge; it has not learned to stand", 0.45),
    Example("stairs", "Legs on stairs", "six half-round legs at one speed climb stairs and come down again", 3.4),
    Example("arm", "Arm and gripper", "servos on tendons follow metronomes: a cube is picked up and put down for ever", 1.1),
    Example("hand", "Hand with tendons", "a crankshaft pulls strings over the knuckles, springs open the fingers", 1.0),
    Example("car", "Car", "springs, dampers, steering and a differential on a track of humps", 4.2),
    Example("cloth", "Cloth", "a silk square falls over a turning globe", 2.0),
    Example("softbody", "Soft bodies", "blocks of jelly that marbles fall on", 0.75),
    Example("rope", "Rope", "a skipping rope between two cranks", 2.4),
    Example("dominoes", "Dominoes", "more than a hundred of them on a spiral, asleep once they lie", 2.6),
    Example("gears", "Gear train", "teeth that touch: signed distance fields, no constraint ties the wheels", 0.8),
    Example("conveyor", "Conveyor", "parcels on four roller conveyors in a ring", 3.0),
    Example("muscles", "Muscles", "six muscles wrap around shoulder and elbow and turn a wheel", 0.7),
    Example("cradle", "Newton's cradle", "hard contacts without loss pass a blow through five balls", 0.5),
    Example("towers", "Sleeping towers", "towers sleep at no cost until a ball wakes them", 2.4),
    Example("sensors", "Sensors and cameras", "range finders, scales, accelerometer, gyro and cameras", 1.2),
)
BY_NAME = {example.name: example for example in EXAMPLES}


def located(model: str) -> str:
    """Return the path of the example with that name, unless a file has the same name; other texts are returned as paths."""
    return BY_NAME[model].path if model in BY_NAME and not os.path.exists(model) else model
