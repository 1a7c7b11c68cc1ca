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


def scene(bodies: str, memory: str = "-1") -> Load:
    """Return a function that loads a text."""
    text = HEAD.format(bodies=bodies, assets="", memory=memory)
    return lambda engine, number: engine.MjModel.from_xml_string(f"{text}<!-- {number} -->")


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
    """A cloth of about n vertices that falls."""
    side = max(2, round(np.sqrt(n)))
    return scene(
        f'<flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing=".05 .05 .05" pos="0 0 1" radius=".005" '
        'mass="1"><contact selfcollide="none"/><edge equality="true"/></flexcomp>',
        memory="1G",
    )


def ball(faces: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices and triangles of a sphere of about this number of triangles."""
    rows = max(3, round(np.sqrt(faces / 4)))
    turns = 2 * rows
    polar, around = np.linspace(0, np.pi, rows + 1)[1:-1], np.linspace(0, 2 * np.pi, turns + 1)[:-1]
    x, y, z = np.outer(np.sin(polar), np.cos(around)), np.outer(np.sin(polar), np.sin(around)), np.cos(polar)[:, None]
    sides = np.stack(np.broadcast_arrays(x, y, z), axis=-1).reshape(-1, 3)
    points = np.concatenate([[[0, 0, 1]], sides, [[0, 0, -1]]])

    # corners of the patches between two rows, and of the fans at the poles
    a = 1 + np.arange(len(sides)).reshape(rows - 1, turns)
    b = np.roll(a, -1, axis=1)
    parts = [np.stack([a[:-1], a[1:], b[1:]], -1), np.stack([a[:-1], b[1:], b[:-1]], -1)]
    parts += [np.stack([0 * a[0], a[0], b[0]], -1), np.stack([b[-1], a[-1], 0 * a[-1] + len(points) - 1], -1)]
    return 0.1 * points, np.concatenate([p.reshape(-1, 3) for p in parts])


def mesh(faces: int) -> Load:
    """A mesh on a floor, whose convex hull has all its vertices; a binary MSH file, since STL has at most 200,000 triangles."""
    points, triangles = ball(faces)
    body = f'{PLANE}<body pos="0 0 {0.1 - SUNK}"><freejoint/><geom type="mesh" mesh="ball"/></body>'
    text = HEAD.format(bodies=body, assets='<asset><mesh name="ball" file="ball.msh"/></asset>', memory="-1")

    def load(engine: Any, number: int) -> Any:
        fresh = points.astype("<f4")
        fresh[0, 0] = 1e-7 * number
        head = struct.pack("<4i", len(points), 0, 0, len(triangles))
        return engine.MjModel.from_xml_string(text, {"ball.msh": head + fresh.tobytes() + triangles.astype("<i4").tobytes()})

    return load


def pendulums(_n: int) -> Load:
    """A double pendulum, of which many worlds are stepped."""
    return chain(2)


# The reference refuses a chain of 2,000 bodies. It takes minutes to load a cloth of 6,400 vertices, for whose edges both
# engines keep a dense Jacobian of several GB, and many minutes to load a mesh of more than 400,000 triangles.
FAMILIES = (
    Family("chain", "bodies in a chain", (10, 30, 100, 300, 1000), chain),
    Family("tree", "bodies in a binary tree", (10, 30, 100, 300, 1000, 2000), tree),
    Family("boxes", "boxes on a floor", (25, 100, 400, 1600, 3200), boxes),
    Family("spheres", "spheres on a floor", (50, 200, 800, 3200, 8000), spheres),
    Family("feet", "contacts of one body", (4, 16, 64, 256), feet),
    Family("cloth", "vertices of a cloth", (100, 400, 1600, 3600), cloth),
    Family("worlds", "worlds in one call", (10, 100, 1000, 10000, 100000), pendulums, "worlds"),
    Family("mesh", "triangles of a mesh on a floor, a step", (100, 1000, 10000, 100000, 400000), mesh),
    Family("mesh load", "triangles of a mesh, loading", (100, 1000, 10000, 100000, 400000), mesh, "load"),
    Family("tree load", "bodies in a binary tree, loading", (10, 30, 100, 300, 1000, 2000), tree, "load"),
)
