"""Makes meshes from the zero level set of a plugin's signed distance field."""

from typing import Any

import numpy as np

from ...core import plugin
from ...geom.mesh_read import MeshError, Raw
from ..elements.element import Element
from ..elements.elements import compile_error
from .plugins import attribute_text, instance_of
from .resolve import Compilation

# sum, over the three axes, of the numbers of grid cells
GRID = 300.0


def field_config(c: Compilation, e: Element) -> Any:
    """Return (plugin, attribute strings) of a mesh that is made from a distance field."""
    owner = c.plugin.elems[instance_of(c, e)]
    found, _, text = attribute_text(owner)
    if found.sdf_staticdistance is None or found.sdf_aabb is None:
        raise compile_error(e, f"plugin '{found.name}' has no sdf_staticdistance or no sdf_aabb, so it cannot make a mesh")
    return found, [t.decode() for t in text.split(b"\0")[:-1]]


def field_mesh(c: Compilation, e: Element) -> Raw:
    """Return the surface of a distance field as an uncompiled mesh, by marching cubes over the field's box."""
    if any(x != 1 for x in e.raw["scale"]):
        raise MeshError("scale cannot be combined with a signed distance field")
    found, texts = field_config(c, e)
    attributes, box = np.zeros(max(1, len(found.attributes))), np.zeros(6)
    try:
        if found.sdf_attribute is not None:
            found.sdf_attribute(attributes[: len(found.attributes)], found.attributes, texts)
        found.sdf_aabb(box, attributes[: len(found.attributes)])
        source = _surface(found, attributes, box)
    except ValueError as error:
        raise MeshError(f"plugin '{found.name}': {error}") from error
    # the mesh has the frame of the field
    source.fixed_frame = True
    return source


def _surface(found: Any, attributes: np.ndarray, box: np.ndarray) -> Raw:
    # imported late, which saves 1.4 ms for models without such meshes
    from ...geom.marching import march_cubes, sample_field

    # make a grid over the box
    half = box[3:]
    if not (np.isfinite(box).all() and (half > 0).all()):
        raise ValueError(f"sdf_aabb gives a box without a size: {box.tolist()}")
    shape = np.floor(GRID / half.sum() * half).astype(int) + 1
    if (shape < 2).any():
        raise ValueError(f"the box of sdf_aabb is too thin: {box.tolist()}")

    grid = np.zeros(tuple(shape[::-1]), np.float32)
    address = plugin.address_of_code(found.sdf_staticdistance)
    if address:
        sample_field(address, attributes.ctypes.data, box.ctypes.data, *map(int, shape), grid.ctypes.data)
    else:
        axes = [box[k] - half[k] + 2 * half[k] * np.arange(shape[k]) / (shape[k] - 1) for k in range(3)]
        for k, z in enumerate(axes[2]):
            for j, y in enumerate(axes[1]):
                grid[k, j] = [
                    found.sdf_staticdistance(np.array((x, y, z)), attributes[: len(found.attributes)]) for x in axes[0]
                ]

    vert, normal, face = march_cubes(grid)
    scaled = 2 * half * vert.astype(np.float64) / (shape - 1) + box[:3] - half
    source = Raw(scaled.astype(np.float32).astype(np.float64), face)
    source.normal = normal
    return source
