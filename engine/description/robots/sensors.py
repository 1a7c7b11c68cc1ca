"""Gazebo's sensors in URDF and SDF files, and the sensors of MJCF that replace them."""

from ..language.xmltree import Node
from .pieces import Quat, Sensor, Vec
from .words import Words, text_of

# {Gazebo's type: types of MuJoCo's sensors}
SENSORS = {
    "imu": ("ACCELEROMETER", "GYRO", "FRAMEQUAT"),
    "magnetometer": ("MAGNETOMETER",),
    "force_torque": ("FORCE", "TORQUE"),
    "contact": ("CONTACT",),
    "bumper": ("CONTACT",),
    "ray": ("RANGEFINDER",),
    "lidar": ("RANGEFINDER",),
    "gpu_ray": ("RANGEFINDER",),
    "gpu_lidar": ("RANGEFINDER",),
    "sonar": ("RANGEFINDER",),
}
CAMERAS = ("camera", "depth", "depth_camera", "rgbd", "rgbd_camera", "wideanglecamera")
# Gazebo's camera, if the file does not describe it.
FOV, PIXELS = 1.047, (640, 480)
# largest number of pixels on a side
MOST_PIXELS = 1 << 15


def read_sensor(node: Node, link: str, pose: tuple[Vec, Quat], words: Words) -> Sensor | None:
    """Return the sensor of an element. Report a sensor of an unknown type, and return None."""
    kind, name = node.attrs.get("type", ""), node.attrs.get("name", "") or "sensor"
    found = Sensor(kind, name, link, *pose, {}, node)

    def number(*path: str) -> float:
        text = text_of(node, *path)
        return words.numbers(node, f"<{path[-1]}>", text, 1)[0] if text else 0.0

    if kind in CAMERAS:
        found.values["fov"] = number("camera", "horizontal_fov") or FOV
        size = (number("camera", "image", side) for side in ("width", "height"))
        found.values["size"] = tuple(
            int(min(x, MOST_PIXELS)) if x > 0 else default for x, default in zip(size, PIXELS, strict=True)
        )
    elif kind not in SENSORS:
        words.report.add("unsupported", node, f"sensor '{name}' of type '{kind}'", "it is not used")
        return None

    # A scanner becomes the ray along its axis, because each ray needs a site.
    scan = next((at for tag in ("ray", "lidar") if (at := node.first(tag)) is not None), None)
    rays = 1.0
    for side in ("horizontal", "vertical"):
        text = text_of(scan, "scan", side, "samples")
        rays *= max(words.numbers(node, "<samples>", text, 1)[0], 1.0) if text else 1.0
    if rays > 1 and SENSORS.get(kind) == ("RANGEFINDER",):
        words.report.add("unsupported", node, f"sensor '{name}' has {rays:g} rays", "the ray along its x axis is used")
    return found
