"""The bundled models: each runs, moves, and behaves as on the reference; names, pictures and page match the table."""

import mujoco
import numpy as np
import pytest
from PIL import Image

import tumble
from tests.tolerance import ROUND, difference
from tumble import pictures
from tumble.app.__main__ import main
from tumble.ui import page
from tumble.ui.examples import ASSETS, BY_NAME, EXAMPLES, PICTURE, located
from tumble.ui.health import check

MODELS = pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
SECONDS, SAMPLE = 10.0, 0.1
# speed limit of these models in meters or radians per second, and their least motion in the first second
FASTEST, MOVED = 60.0, 0.05
# number of steps compared with the reference; a disturbance of the initial positions by rounding; and the factor by which the
# engines may differ more than this disturbance grows
STEPS, SHAKEN, APART = 100, 1e-13, 300
# maximum bytes of a model's file with its meshes, and of a picture
LARGEST, LARGEST_PICTURE = 24_000, 20_000


@pytest.fixture
def loaded(example):
    m = tumble.MjModel.from_xml_path(example.path)
    return m, tumble.MjData(m)


@MODELS
def test_it_runs_ten_seconds(example, loaded):
    m, d = loaded
    assert not getattr(m, "compile_warning", "")
    start, moved = d.qpos.copy(), 0.0
    for k in range(round(SECONDS / SAMPLE)):
        tumble.mj_step(m, d, round(SAMPLE / m.opt.timestep))
        assert np.isfinite(d.qpos).all() and np.abs(d.qvel).max() < FASTEST, k
        moved = max(moved, np.abs(d.qpos - start).max() if d.time < 1 else 0.0)
    # a warning counts bad states; each resets the time
    assert d.time == pytest.approx(SECONDS, abs=0.1) and not any(w.number for w in d.warning)
    assert moved > MOVED


@MODELS
def test_nothing_is_likely_to_make_trouble(example, loaded):
    assert not [f.text for f in check(loaded[0]) if f.level != "info"]


@MODELS
def test_the_reference_does_the_same(example):
    ref, m = mujoco.MjModel.from_xml_path(example.path), tumble.MjModel.from_xml_path(example.path)
    theirs, shaken, ours = mujoco.MjData(ref), mujoco.MjData(ref), tumble.MjData(m)
    assert (m.nq, m.nv, m.nu, m.ngeom, m.ntendon) == (ref.nq, ref.nv, ref.nu, ref.ngeom, ref.ntendon)
    shaken.qpos += SHAKEN * np.random.default_rng(1).normal(size=ref.nq)
    for _ in range(STEPS):
        mujoco.mj_step(ref, theirs)
        mujoco.mj_step(ref, shaken)
        tumble.mj_step(m, ours)
    bound = max(APART * difference(shaken.qpos, theirs.qpos), 1000 * ROUND)
    assert difference(ours.qpos, theirs.qpos) <= bound


@MODELS
def test_it_is_small_and_has_a_picture(example):
    assert len(open(example.path, "rb").read()) < LARGEST and len(open(example.picture, "rb").read()) < LARGEST_PICTURE
    with Image.open(example.picture) as image:
        assert image.size == PICTURE
        # something is visible
        assert np.asarray(image).std() > 15
    assert page.picture(example.picture) is not None


def test_every_model_has_a_row():
    assert {p.stem for p in (ASSETS / "models").glob("*.xml")} == set(BY_NAME) and len(BY_NAME) == len(EXAMPLES) >= 15


def test_the_page_is_that_of_the_table():
    assert pictures.PAGE.read_text() == pictures.page()
    assert pictures.CHART.read_text() == pictures.chart()


def test_names_stand_for_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert located("rope") == BY_NAME["rope"].path and located("rope.xml") == "rope.xml"
    assert main(["compile", "cradle", "out.xml"]) == 0 and (tmp_path / "out.xml").exists()
    assert main(["info", "muscles"]) == 0 and "no problems found" in capsys.readouterr().out
    # a file of that name takes precedence
    (tmp_path / "rope").write_text("<mujoco/>")
    assert located("rope") == "rope"
    assert main(["view", "domino"]) == 2 and "the example 'dominoes'" in capsys.readouterr().err
