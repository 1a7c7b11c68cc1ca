"""Settings for images of render.studio: one row per setting, which the command line, scripts and panels read."""

from dataclasses import Field, dataclass, field, fields
from typing import Any

FARTHEST = 1e6


def row(default: Any, low: float, high: float, text: str) -> Any:
    """Return the dataclass field of a setting: its default, minimum, maximum and description."""
    return field(default=default, metadata={"low": low, "high": high, "text": text})


@dataclass(frozen=True)
class Look:
    """Settings of an image, for the command line, scripts and panels. ValueError if a value is out of its range.

    samples: number of pictures that are averaged, 1 to 4096; fewer are faster, more give a smoother image
    environment: fraction of the ambient light that comes from the sky, which leaves corners darker, 0 to 1
    softness: angular radius of the lights in degrees, 0 to 45; larger values make shadows softer
    aperture: width of the lens, relative to the focus distance, 0 to 1; 0: everything is sharp
    focus: focus distance in meters; 0: the distance of the object in the middle
    transparent: transparent background (an alpha channel) instead of the sky
    ground: draw the planes on which the model stands
    """

    samples: int = row(64, 1, 4096, "number of pictures that are averaged; fewer are faster, more give a smoother image")
    environment: float = row(
        1.0, 0.0, 1.0, "fraction of the ambient light that comes from the sky, which leaves corners darker"
    )
    softness: float = row(1.5, 0.0, 45.0, "angular radius of the lights, in degrees; larger values make shadows softer")
    aperture: float = row(0.0, 0.0, 1.0, "width of the lens, relative to the focus distance; 0: everything is sharp")
    focus: float = row(0.0, 0.0, FARTHEST, "focus distance, in metres; 0: the distance of the object in the middle")
    transparent: bool = row(False, 0, 1, "transparent background (an alpha channel) instead of the sky")
    ground: bool = row(True, 0, 1, "draw the planes on which the model stands")

    def __post_init__(self) -> None:
        for setting in fields(self):
            value, (low, high) = getattr(self, setting.name), (setting.metadata[k] for k in ("low", "high"))
            if not low <= value <= high:
                raise ValueError(f"{setting.name} is {value:g}, it must be {low:g} to {high:g}")


# Settings without light from the sky: antialiased edges and hard shadows, as in the viewer.
PLAIN = Look(samples=16, environment=0.0, softness=0.0)
# Choices for screenshots: the view as shown in the viewer, or an image from the studio.
LOOKS: dict[str, Look | None] = {"view": None, "studio": Look(), "cut out": Look(transparent=True, ground=False)}


def settings() -> tuple[Field, ...]:
    """Return the settings: the dataclass fields of Look."""
    return fields(Look)
