"""Models of any size, for `growth`: each family has one number that grows."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

HEAD = '<mujoco><option timestep=".002"/><size memory="{memory}"/>{assets}<worldbody>{bodies}</worldbody></mujoco>'
PLANE = '<geom type="plane" size="0 0 1"/>'
LINK = '<joint axis="0 1 0" damping=".1"/><geom size=".02" mass=".1" contype="0" conaffinity="0"/>'
# bodies overlap the floor by this, so that they touch it from the first step on
SUNK = 1e-4
SPACING = 0.3


# returns a model of an engine; a new number makes it a model that was never loaded before
Load = Callable[[Any, int], Any]


@dataclass(frozen=True)
class Family:
    """A row: what grows, the sizes, a function that returns how to load the model of a size, and what is measured."""

    name: str
    grows: str
    sizes: tuple[int, ...]
    make: Callable[[int], Load]
    # "step", "load", or "worlds": steps of many worlds in one call
    measures: str = "step"


def scene(bodies: str, assets: str = "", memory: str = "-1", files: dict[str, bytes] | None = None) -> Load:
    """Return how to load a text. Files begin with 80 bytes that mean nothing."""
    text = HEAD.format(bodies=bodies, assets=assets, memory=memory)

    def load(engine: Any, number: int) -> Any:
        fresh = {name: b"%80d" % number + data[80:] for name, data in (files or {}).items()}
        return engine.MjModel.from_xml_string(f"{text}<!-- {number} -->", fresh)

    return load


def chain(n: int) -> Load:
    """Bodies one below the other, a hinge each. Texts cannot be nested so deeply, so a program makes them."""

    def load(engine: Any, _number: int) -> Any:
        spec = engine.MjSpec()
        spec.option.timestep = 0.002
        body = spec.worldbody
        for _ in range(n):
            body = body.add_body(pos=[0, 0, -0.1])
            body.add_joint(type=engine.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0], damping=0.1)
            body.add_geom(size=[0.02, 0, 0], mass=0.1, contype=0, conaffinity=0)
        return spec.compile()

    return load


def tree(n: int) -> Load:
    """Bodies of a binary tree, a hinge each."""

    def branch(k: int) -> str:
        inner = "".join(branch(c) for c in (2 * k, 2 * k + 1) if c <= n)
        return f'<body pos="{0.1 * (k & 1) - 0.05} 0 -.1">{LINK}{inner}</body>'

    return scene(branch(1))


def grid(n: int, height: float, geom: str) -> str:
    """Free bodies on a level grid."""
    side = int(np.ceil(np.sqrt(n)))
    return "".join(
        f'<body pos="{SPACING * (k % side)} {SPACING * (k // side)} {height}"><freejoint/>{geom}</body>' for k in range(n)
    )


def boxes(n: int) -> Load:
    """Boxes at rest on a floor, four contacts each."""
    return scene(PLANE + grid(n, 0.1 - SUNK, '<geom type="box" size=".1 .1 .1"/>'), memory="4G")


def spheres(n: int) -> Load:
    """Spheres at rest on a floor, a contact each."""
    return scene(PLANE + grid(n, 0.1 - SUNK, '<geom size=".1"/>'), memory="4G")


def feet(n: int) -> Load:
    """One body that stands on n spheres."""
    side = int(np.ceil(np.sqrt(n)))
    geoms = "".join(f'<geom size=".05" pos="{0.11 * (k % side)} {0.11 * (k // side)} 0"/>' for k in range(n))
    return scene(f'{PLANE}<body pos="0 0 {0.05 - SUNK}"><freejoint/>{geoms}</body>', memory="1G")


def cloth(n: int) -> Load:
    """A cloth of about n vertices, held at its corners by nothing: it falls."""
    side = max(2, round(np.sqrt(n)))
    return scene(
        f'<flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing=".05 .05 .05" pos="0 0 1" radius=".005" '
        'mass="1"><contact selfcollide="none"/><edge equality="true"/></flexcomp>',
        memory="1G",
    )


def ball(faces: int) -> bytes:
    """A sphere of about this number of triangles, as binary STL."""
    rows = max(3, round(np.sqrt(faces / 4)))
    turns = 2 * rows
    polar, around = np.linspace(0, np.pi, rows + 1), np.linspace(0, 2 * np.pi, turns + 1)[:-1]
    x, y, z = (np.outer(np.sin(polar), np.cos(around)), np.outer(np.sin(polar), np.sin(around)), np.cos(polar)[:, None])
    points = np.stack(np.broadcast_arrays(x, y, z), axis=-1)
    points[0], points[-1] = (0, 0, 1), (0, 0, -1)
    a, b = points[:-1], points[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    # the triangles at the poles have two corners in common
    upper, lower = np.stack([a, b, c], axis=2)[:-1], np.stack([a, c, d], axis=2)[1:]
    triangles = np.concatenate([upper.reshape(-1, 9), lower.reshape(-1, 9)])
    record = np.zeros(len(triangles), [("numbers", "<f4", 12), ("end", "<u2")])
    record["numbers"][:, 3:] = 0.1 * triangles
    return bytes(80) + struct.pack("<I", len(triangles)) + record.tobytes()


def mesh(faces: int) -> Load:
    """A mesh on a floor, whose convex hull has all its vertices."""
    return scene(
        f'{PLANE}<body pos="0 0 {0.1 - SUNK}"><freejoint/><geom type="mesh" mesh="ball"/></body>',
        '<asset><mesh name="ball" file="ball.stl"/></asset>',
        files={"ball.stl": ball(faces)},
    )


def pendulums(_n: int) -> Load:
    """A double pendulum, of which many worlds are stepped."""
    return chain(2)


# the reference takes no chain of 2,000 bodies
FAMILIES = (
    Family("chain", "bodies in a chain", (10, 30, 100, 300, 1000), chain),
    Family("tree", "bodies in a binary tree", (10, 30, 100, 300, 1000, 2000), tree),
    Family("boxes", "boxes on a floor", (25, 100, 400, 1600, 3200), boxes),
    Family("spheres", "spheres on a floor", (50, 200, 800, 3200, 8000), spheres),
    Family("feet", "contacts of one body", (4, 16, 64, 256), feet),
    Family("cloth", "vertices of a cloth", (100, 400, 1600, 6400, 20000), cloth),
    Family("worlds", "worlds in one call", (10, 100, 1000, 10000, 100000), pendulums, "worlds"),
    Family("mesh", "triangles of a mesh on a floor, a step", (100, 1000, 10000, 100000, 1000000, 2000000), mesh),
    Family("mesh load", "triangles of a mesh, loading", (100, 1000, 10000, 100000, 1000000, 2000000), mesh, "load"),
    Family("tree load", "bodies in a binary tree, loading", (10, 30, 100, 300, 1000, 2000), tree, "load"),
)
