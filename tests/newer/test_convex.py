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
