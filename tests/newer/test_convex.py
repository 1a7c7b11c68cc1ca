"""Contacts of convex shapes are those of 4.0.1, see record_convex: distances, places and their order."""

import pathlib

import numpy as np

import tumble

from .convex import contacts

RECORD = np.load(pathlib.Path(__file__).parent / "convex.npz")
CLOSE = 1e-7
# shares of pairs with the same number of contacts, and with the same contacts; equal edges and corners are a matter of rounding
COUNTED, SAME = 0.98, 0.93


def load(compat):
    return lambda text: tumble.MjModel.from_xml_string(text, compat=compat)


def test_pairs():
    assert str(RECORD["version"]) == "4.0.1"
    wanted, found = RECORD["contacts"], contacts(tumble, load("4.0"))
    touching = np.isfinite(wanted[..., 0, 0]) | np.isfinite(found[..., 0, 0])
    counted = (np.isfinite(wanted[..., 0]) == np.isfinite(found[..., 0])).all(-1)
    same = counted & (np.nan_to_num(np.abs(wanted - found)) < CLOSE).all((-1, -2))
    assert touching.sum() > 100 and counted[touching].mean() >= COUNTED
    assert same[touching].mean() >= SAME, same[touching].mean()


def test_older_pairs_differ():
    """The record tells releases apart."""
    wanted, found = RECORD["contacts"], contacts(tumble, load("3.4"))
    assert np.nanmax(np.abs(wanted - found)) > CLOSE
