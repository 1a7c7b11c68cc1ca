"""The manual's page on growth shows the results that are kept; kept results say how they were measured."""

import json
import pathlib
from xml.etree import ElementTree

import numpy as np
import pytest

import tumble
from tests.bench import growth_page, keep
from tests.bench.growing import FAMILIES

KEPT = sorted(keep.RESULTS.glob("*/*.json"))
SMALL = 300


def test_the_page_and_its_charts_show_the_results():
    assert growth_page.PAGE.read_text(encoding="utf-8") == growth_page.page()
    assert growth_page.CHART.read_text(encoding="utf-8") == growth_page.chart()
    lines = [x for x in ElementTree.parse(growth_page.CHART).iter() if x.tag.endswith("polyline")]
    assert len(lines) == 4 * len(FAMILIES)


def test_the_exponent_is_the_slope():
    rows = [{"size": n, "tumble": 3e-6 * n**1.5} for n in (10, 100, 1000, 10000)]
    assert growth_page.exponent(rows, "tumble") == pytest.approx(1.5)


@pytest.mark.parametrize("path", KEPT, ids=lambda p: p.stem)
def test_kept_results_can_be_measured_again(path: pathlib.Path):
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["command"].startswith("python -m tests.bench.") and "/" not in found["command"]
    assert found["rows"] and found["processor"] and found["day"] and found["mujoco"]
    for row in found["rows"]:
        assert all(x > 0 for x in row.values() if isinstance(x, float))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_models_have_the_size_that_their_family_says(family):
    size = next(n for n in family.sizes if n >= min(SMALL, family.sizes[-1]) or n == family.sizes[-1])
    m = family.make(size)(tumble, 1)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    found = {
        "chain": m.nv,
        "tree": m.nv,
        "tree load": m.nv,
        "boxes": m.nbody - 1,
        "spheres": d.ncon,
        "feet": d.ncon,
        "cloth": m.nflexvert,
        "worlds": size,
        "mesh": m.nmeshface,
        "mesh load": m.nmeshface,
    }[family.name]
    assert 0.8 * size <= found <= 1.2 * size and np.isfinite(d.qpos).all()
