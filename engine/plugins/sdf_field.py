"""Functions shared by the built-in signed distance fields: instance data, gradients by finite differences, descent paths.

Descent paths are recorded in the last collision in which the field was the second geom; mjVIS_SDFITER draws them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.plugin import mjpPlugin, number
from ..core.stages import instance_data
from ..machine.jit import inline, stage
from ..machine.lang import array_at, invoke_field, longs_at, store
from ..tables.enums import mjtPluginCapabilityBit

STEP = 1e-8
# cells of an instance's data: address of the field function (as integer), counts, attributes, ends of descent paths, points
ADDRESS, PATHS, POINTS, ATTRIBUTES, ENDS = 0, 1, 2, 3, 9
MAX_PATHS, MAX_POINTS = 1000, 26010
FIRST_POINT = ENDS + MAX_PATHS
CELLS = FIRST_POINT + 3 * MAX_POINTS


@inline
def field(address, x, y, z):
    """Return the value of an instance's field, given the address of the instance's data."""
    return invoke_field(longs_at(address, 1)[ADDRESS], x, y, z, address + 8 * ATTRIBUTES)


@inline
def remember(address, x, y, z):
    """Append a point to the newest descent path."""
    p = array_at(address, CELLS)
    count, paths = int(p[POINTS]), int(p[PATHS])
    if paths > 0 and count < MAX_POINTS:
        store(p, FIRST_POINT + 3 * count, (x, y, z))
        p[POINTS] = count + 1.0
        p[ENDS + paths - 1] = count + 1.0


@stage("fMDifff")
def sdf_distance(m, d, instance, x, y, z):
    """reads the instance's data; returns the distance of a point in the geom's frame."""
    return field(instance_data(m, d, instance), x, y, z)


@stage("vMDifffi")
def sdf_gradient(m, d, instance, x, y, z, out):
    """reads the instance's data; writes 3 numbers at address `out`: the gradient, by finite differences."""
    p = instance_data(m, d, instance)
    remember(p, x, y, z)
    here = field(p, x, y, z)
    store(
        array_at(out, 3),
        0,
        (
            (field(p, x + STEP, y, z) - here) / STEP,
            (field(p, x, y + STEP, z) - here) / STEP,
            (field(p, x, y, z + STEP) - here) / STEP,
        ),
    )


@stage("vMDii")
def sdf_new_path(m, d, instance, bit):
    """reads the instance's data; starts to record a new descent path in this data."""
    p = array_at(instance_data(m, d, instance), ENDS + MAX_PATHS)
    k = int(p[PATHS])
    if k < MAX_PATHS:
        p[ENDS + k] = p[POINTS]
        p[PATHS] = k + 1.0


@stage("vMDii")
def sdf_no_paths(m, d, instance, whole):
    """reads the instance's data; clears the recorded descent paths."""
    p = array_at(instance_data(m, d, instance), ENDS)
    p[PATHS] = p[POINTS] = 0.0


def paths(data: np.ndarray) -> list[np.ndarray]:
    """Return the points (n, 3) of each recorded descent path."""
    count = int(data[PATHS])
    ends = data[ENDS : ENDS + count].astype(int)
    points = data[FIRST_POINT:].reshape(-1, 3)
    return [points[a:b] for a, b in zip((0, *ends[:-1]), ends, strict=False)]


def copy(dest: Any, m: Any, src: Any, instance: int) -> None:
    """Copy the recorded descent paths, so that a copied Data is drawn with the same paths."""
    a, b = dest.plugin_object(instance), src.plugin_object(instance)
    used = FIRST_POINT + 3 * int(b[POINTS])
    a[:used] = b[:used]


def make(
    name: str,
    defaults: dict[str, float],
    static: Any,
    box: Callable[[Any], Sequence[float]],
    gradient: Any = sdf_gradient,
    traced: bool = True,
) -> mjpPlugin:
    """Return a plugin for a signed distance field.

    defaults: attributes and their defaults. static: stage of the field. box(attributes): half sizes of a box around it. traced:
    record descent paths.
    """
    keys = tuple(defaults)

    # Define the plugin's functions.
    def attribute(values: Any, names: Sequence[str], texts: Sequence[str]) -> None:
        for k, (key, text) in enumerate(zip(names, texts, strict=True)):
            try:
                values[k] = float(text) if text.strip() else defaults[key]
            except ValueError:
                raise ValueError(f"invalid attribute value for '{key}'") from None

    def aabb(out: Any, attributes: Any) -> None:
        out[:3], out[3:] = 0, box(attributes)

    def init(m: Any, d: Any, instance: int) -> np.ndarray:
        data = np.zeros(CELLS if traced else ENDS)
        data[:1].view(np.int64)[0] = static.address
        data[ATTRIBUTES : ATTRIBUTES + len(keys)] = [number(m, instance, key, defaults[key]) for key in keys]
        return data

    traces = {"compute": sdf_new_path, "reset": sdf_no_paths, "copy": copy} if traced else {}
    return mjpPlugin(
        name,
        keys,
        mjtPluginCapabilityBit.mjPLUGIN_SDF,
        nstate=0,
        init=init,
        sdf_distance=sdf_distance,
        sdf_gradient=gradient,
        sdf_staticdistance=static,
        sdf_attribute=attribute,
        sdf_aabb=aabb,
        **traces,
    )
