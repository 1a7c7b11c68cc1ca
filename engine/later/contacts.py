"""Contact properties added after MuJoCo 3.4: adhesion and surface velocity, computed when they are read."""

from typing import Any

import numpy as np

from ..dynamics.adhesion import contact_adhesion
from ..machine.interpret import plain

_adhesion = plain(contact_adhesion)


def adhesion_of(d: Any) -> np.ndarray:
    """Return the adhesion of each contact."""
    m = d.model
    if not (m.geom_adhesion.any() or m.pair_adhesion.any()):
        return np.zeros(d.ncon)
    return np.array([_adhesion(m, d, k) for k in range(d.ncon)], np.float64)


def _surface(d: Any, geoms: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (velocity at points, angular velocity) of geom surfaces in the world; zeros where no geom is given."""
    given = d.model.geom_surfacevel[geoms] * (geoms >= 0)[:, None]
    mats = d.geom_xmat[geoms].reshape(-1, 3, 3)
    turn = np.einsum("nij,nj->ni", mats, given[:, 3:])
    return np.einsum("nij,nj->ni", mats, given[:, :3]) + np.cross(turn, points - d.geom_xpos[geoms]), turn


def surface_velocity_of(d: Any) -> np.ndarray:
    """Return the velocity of each contact's second surface relative to the first: along both tangents, and its rotation about
    the normal."""
    m, found = d.model, np.zeros((d.ncon, 3))
    if not d.ncon or not m.geom_surfacevel.any():
        return found
    v1, w1 = _surface(d, d.contact_geom[:, 0], d.contact_pos)
    v2, w2 = _surface(d, d.contact_geom[:, 1], d.contact_pos)
    frame = d.contact_frame.reshape(-1, 3, 3)
    found[:, 0] = np.einsum("ni,ni->n", frame[:, 1], v2 - v1)
    found[:, 1] = np.einsum("ni,ni->n", frame[:, 2], v2 - v1)
    found[:, 2] = np.einsum("ni,ni->n", frame[:, 0], w2 - w1)
    return found
