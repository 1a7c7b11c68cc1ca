"""Contacts of convex shapes equal those of 4.0.1, see record_convex: distances, positions and their order."""

import pathlib

import numpy as np
import pytest

import tumble

from .convex import MARGIN, contacts, planes

RECORD = np.load(pathlib.Path(__file__).parent / "convex.npz")
CLOSE = 1e-7
# shares of pairs with the same number of contacts, and with the same contacts; equal edges and corners are a matter of rounding
COUNTED, SAME = 0.98, {"contacts": 0.93, "near": 0.9}


def load(compat):
    return lambda text: tumble.MjModel.from_xml_string(text, compat=compat)


def shares(wanted, found):
    """(pairs that touch, share of these with as many contacts, share with the same contacts)."""
    touching = np.isfinite(wanted[..., 0, 0]) | np.isfinite(found[..., 0, 0])
    counted = (np.isfinite(wanted[..., 0]) == np.isfinite(found[..., 0])).all(-1)
    same = counted & (np.nan_to_num(np.abs(wanted - found)) < CLOSE).all((-1, -2))
    return touching.sum(), counted[touching].mean(), same[touching].mean()


@pytest.mark.parametrize("name", ["contacts", "near"])
def test_pairs(name):
    assert str(RECORD["version"]) == "4.0.1"
    touching, counted, same = shares(RECORD[name], contacts(tumble, load("4.0"), MARGIN if name == "near" else 0.0))
    assert touching > 100 and counted >= COUNTED and same >= SAME[name], (counted, same)


def test_hulls_on_a_plane():
    touching, counted, same = shares(RECORD["planes"], planes(tumble, load("4.0")))
    assert touching > 30 and counted == same == 1, (counted, same)
    assert shares(RECORD["planes"], planes(tumble, load("3.4")))[2] < 0.9


def test_older_pairs_differ():
    """The record tells releases apart."""
    wanted, found = RECORD["contacts"], contacts(tumble, load("3.4"))
    assert np.nanmax(np.abs(wanted - found)) > CLOSE


@pytest.mark.parametrize("limit", [0.06, 0.3])
@pytest.mark.parametrize("shape", ["type='sphere' size='.07'", "type='box' size='.2 .1 .07'", "type='cylinder' size='.2 .07'"])
def test_distances_from_height_fields(shape, limit):
    """Above flat ground, a distance is the height of the lowest point, whatever the largest distance that counts."""
    zeros = " ".join("0" * 12)
    text = (
        f"<mujoco><asset><hfield name='h' nrow='3' ncol='4' size='1 1 .3 .2' elevation='{zeros}'/></asset><worldbody>"
        f"<geom type='hfield' hfield='h' pos='0 0 1'/><body pos='.1 .2 1.12'><freejoint/><geom {shape}/></body></worldbody>"
        "</mujoco>"
    )
    distances, ends = {}, np.zeros(6)
    for compat in ("3.4", "4.0"):
        m = tumble.MjModel.from_xml_string(text, compat=compat)
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        distances[compat] = tumble.mj_geomDistance(m, d, 0, 1, limit, ends)
    assert abs(distances["4.0"] - 0.05) < 1e-6 and abs(distances["3.4"] - 0.05) > 0.01
    assert abs(ends[2] - 1) < 1e-6 and abs(ends[5] - 1.05) < 1e-6
