"""The table of the included models, which menu, panel, command line, manual pages and tests use."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent / "assets"


@dataclass(frozen=True)
class Example:
    """An included model. `name` is its name on the command line; `seconds` is the simulation time that its picture shows."""

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
        """The file with a picture of the model. Its size is PICTURE; `python -m tumble.pictures` renders it again."""
        return str(ASSETS / "models" / "pictures" / f"{self.name}.jpg")


# width and height of the models' pictures
PICTURE = 256, 180

EXAMPLES = (
    Example("humanoid", "Humanoid", "30 degrees of freedom and a motor on each hinge; without a controller, it falls", 0.45),
    Example("stairs", "Legs on stairs", "A robot with six half-round legs climbs stairs and comes down again", 3.4),
    Example(
        "arm",
        "Arm and gripper",
        "An arm picks up a cube and puts it down, again and again; servos on tendons follow oscillators",
        1.1,
    ),
    Example("hand", "Hand with tendons", "A crankshaft pulls strings that bend the fingers, and springs open them", 1.0),
    Example("car", "Car", "A car with springs, dampers, steering and a differential on a bumpy track", 4.2),
    Example("cloth", "Cloth", "A square of silk falls onto a turning globe", 2.0),
    Example("softbody", "Soft bodies", "Marbles fall on blocks of jelly", 0.75),
    Example("rope", "Rope", "A skipping rope between two cranks", 2.4),
    Example("dominoes", "Dominoes", "More than a hundred dominoes on a spiral; fallen ones go to sleep and cost no time", 2.6),
    Example("gears", "Gear train", "Wheels drive each other only by their teeth, which are signed distance fields", 0.8),
    Example("conveyor", "Conveyor", "Parcels move on four roller conveyors in a ring", 3.0),
    Example("muscles", "Muscles", "Six muscles of an arm turn a wheel", 0.7),
    Example(
        "cradle", "Newton's cradle", "An impact passes through five balls, because their hard contacts lose no energy", 0.5
    ),
    Example("towers", "Sleeping towers", "Towers of blocks sleep and cost no time until a ball wakes them", 2.4),
    Example("sensors", "Sensors and cameras", "Range finders, scales, accelerometer, gyro and cameras", 1.2),
)
BY_NAME = {example.name: example for example in EXAMPLES}


def located(model: str) -> str:
    """Return the path of an example, given its name. Return any other text, and names of existing files, unchanged."""
    return BY_NAME[model].path if model in BY_NAME and not os.path.exists(model) else model
