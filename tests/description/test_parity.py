"""Small models, compiled here and by the reference: all fields of both Models are equal."""

import mujoco
import numpy as np
import pytest

from tests.tolerance import SOLVE, difference
from tumble.engine import MjModel

from .models import FUSED, MODELS

CASES = MODELS | {"fused": FUSED}

# order of a hull's vertices and edges, and fields that only describe the file
SKIP = {
    "mesh_graph",
    "mesh_polyvert",
    "mesh_polyvertadr",
    "mesh_polynormal",
    "mesh_polyvertnum",
    "mesh_polymap",
    "mesh_polymapadr",
    "mesh_polymapnum",
    "names_map",
    "plugin",
}


def fields(m):
    """Names of a reference Model's arrays."""
    return [n for n in dir(m) if n[0] != "_" and n not in SKIP and isinstance(getattr(m, n), np.ndarray)]


@pytest.mark.parametrize("name", CASES)
def test_all_fields(name):
    reference, ours = mujoco.MjModel.from_xml_string(CASES[name]), MjModel.from_xml_string(CASES[name])
    assert bytes(ours.names) == bytes(reference.names)
    wrong = {}
    for field in fields(reference):
        gap = (
            difference(getattr(ours, field), getattr(reference, field))
            if np.shape(getattr(ours, field)) == np.shape(getattr(reference, field))
            else np.inf
        )
        if gap > SOLVE:
            wrong[field] = gap
    assert not wrong


@pytest.mark.parametrize("name", MODELS)
def test_options(name):
    reference, ours = mujoco.MjModel.from_xml_string(MODELS[name]), MjModel.from_xml_string(MODELS[name])
    for part in ("opt", "stat"):
        for field in (f for f in dir(getattr(reference, part)) if f[0] != "_"):
            expected = getattr(getattr(reference, part), field)
            if isinstance(expected, (int, float, np.ndarray)):
                assert difference(getattr(getattr(ours, part), field), expected) <= SOLVE, f"{part}.{field}"


def test_same_model_twice():
    first, second = (MjModel.from_xml_string(MODELS["links"]) for _ in range(2))
    for field in fields(mujoco.MjModel.from_xml_string(MODELS["links"])):
        np.testing.assert_array_equal(getattr(first, field), getattr(second, field))
