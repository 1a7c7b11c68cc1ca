"""Sweeps: every case equals a run of a model with the same numbers, wherever it is computed."""

import csv
import math
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import tumble
from tumble.app.__main__ import main
from tumble.engine.batch.sweeps import Between, cases_of, read_values, sweep

MODEL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="pole" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body>
    <body name="ball" pos="1 0 .3"><freejoint name="free"/><geom name="ball" size=".1"/><site name="top" pos="0 0 .1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="up" qpos="-1.5 1 0 .3 1 0 0 0"/></keyframe>
</mujoco>"""
DURATION, INTERVAL = 0.1, 0.02


@pytest.fixture(scope="module")
def model():
    return tumble.MjModel.from_xml_string(MODEL)


def run(model, **more):
    vary = {
        "opt.timestep": [0.001, 0.002],
        "body:ball.mass": [1.0, 5.0],
        "joint:hinge.qvel": [0.0, 2.0],
        "actuator:motor.ctrl": [0.3],
    }
    return sweep(
        model,
        more.pop("vary", vary),
        duration=DURATION,
        interval=INTERVAL,
        record=("energy", "qpos", "sensor:angle", "site:top.xpos"),
        **more,
    )


def alone(timestep, mass, velocity, control):
    """The same case, computed directly."""
    m = tumble.MjModel.from_xml_string(MODEL)
    m.opt.timestep = timestep
    m.opt.enableflags |= tumble.mjtEnableBit.mjENBL_ENERGY
    m.body("ball").mass = mass
    d = tumble.MjData(m)
    tumble.mj_setConst(m, d)
    tumble.mj_resetData(m, d)
    d.joint("hinge").qvel, d.actuator("motor").ctrl = velocity, control
    tumble.mj_forward(m, d)
    rows = []
    for k in range(round(DURATION / INTERVAL) + 1):
        if k:
            tumble.mj_step(m, d, round(INTERVAL / timestep))
        rows.append(np.concatenate([d.energy, d.qpos, d.sensor("angle").data, d.site("top").xpos]))
    return np.array(rows)


def test_a_case_is_a_run_with_its_numbers(model):
    r = run(model)
    assert len(r.failed) == 8 and np.isnan(r.failed).all() and not r.errors
    for k in range(8):
        expected = alone(
            *(r.values[n][k] for n in ("opt.timestep", "body:ball.mass", "joint:hinge.qvel", "actuator:motor.ctrl"))
        )
        assert np.array_equal(np.concatenate([x[k] for x in r.records.values()], axis=1), expected)
    assert model.opt.timestep == 0.002 and model.body("ball").mass != 5, "the caller's model is as it was"


def test_the_same_bits_from_workers(model):
    here = run(model)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        there = run(model, cluster=executor)
    assert all(np.array_equal(here.records[n], there.records[n]) for n in here.records)
    assert all(np.array_equal(here.values[n], there.values[n]) for n in here.values)


def test_keyframes_and_all_elements_of_a_kind(model):
    r = run(model, vary={"geom:*.friction": [0.1, 2.0]}, key=0)
    assert r.records["qpos"][0, 0, 0] == -1.5
    assert len(r.failed) == 2


def test_values():
    assert read_values("1,2.5") == [1, 2.5] and read_values("0:1:3") == [0, 0.5, 1]
    assert np.allclose(read_values("1:100:3:log"), [1, 10, 100])
    assert read_values("1..2") == Between(1, 2) and read_values("1..2:log") == Between(1, 2, True)
    for text in ("", "a", "1:2", "1:2:0", "2..1", "0..1:log", "1:2:3:4"):
        with pytest.raises(ValueError, match="not a list"):
            read_values(text)


def test_what_is_random_follows_from_the_seed():
    vary = {"a": [1.0, 2.0], "b": Between(3.0, 4.0)}
    first, again, other = cases_of(vary, 5, 1), cases_of(vary, 5, 1), cases_of(vary, 5, 2)
    assert first.shape == (10, 2) and np.array_equal(first, again) and not np.array_equal(first, other)
    assert (first[:, 1] >= 3).all() and (first[:, 1] < 4).all() and len(set(first[:, 1])) == 10
    assert np.array_equal(cases_of(vary, 7, 1)[:5, 0], first[:5, 0])


def test_a_case_that_is_lost_says_when(model):
    # a spring that is much too stiff for the step
    r = run(model, vary={"jnt_stiffness[0]": [0.0, -1e9]})
    assert math.isnan(r.failed[0]) and 0 < r.failed[1] <= DURATION
    assert np.isfinite(r.records["qpos"][0]).all() and np.isnan(r.records["qpos"][1, -1]).all()


@pytest.mark.parametrize(
    "name, text",
    [
        ("opt.timestap", "timestep"),
        ("geom:flor.friction", "flor"),
        ("geom:floor.type", "built"),
        ("nonsense", "not the name"),
        ("geom:floor.friction\\[3\\]", "3 numbers"),
        ("thing:a.b", "thing"),
        ("joint:hinge.xaxis", "varied"),
    ],
)
def test_names_that_mean_nothing(model, name, text):
    with pytest.raises((ValueError, KeyError), match=text):
        run(model, vary={name.replace("\\", ""): [1.0]})


def test_the_command(model, tmp_path, capsys):
    path, out = tmp_path / "m.xml", tmp_path / "out.csv"
    path.write_text(MODEL)
    command = [
        "sweep",
        str(path),
        "--vary",
        "opt.timestep=.001,.002",
        "--record",
        "energy,sensor:angle",
        "--duration",
        ".1",
        "--interval",
        ".05",
    ]
    assert main([*command, "--out", str(out)]) == 0
    with open(out, newline="") as file:
        rows = [*csv.reader(file)]
    assert rows[0] == ["case", "opt.timestep", "time", "energy[0]", "energy[1]", "sensor:angle"] and len(rows) == 1 + 2 * 3
    assert "energy last" in capsys.readouterr().out
    assert main([*command, "--out", str(tmp_path / "out.npz")]) == 0
    kept = np.load(tmp_path / "out.npz")
    assert kept["energy"].shape == (2, 3, 2) and np.array_equal(kept["vary opt.timestep"], [0.001, 0.002])
    for more, said in (
        (["--out", "x.doc"], "cannot write .doc"),
        (["--vary", "opt.timestep"], "NAME=VALUES"),
        (["--vary", "opt.nothing=1"], "opt.nothing"),
    ):
        assert main([*command, *more]) == 2
        assert said in capsys.readouterr().err


def test_packages_of_some_sweeps(tmp_path, monkeypatch, capsys):
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert main(["sweep", str(path), "--vary", "opt.timestep=.001", "--record", "qpos", "--plot", str(tmp_path / "x.png")]) == 2
    assert "tumble[plot]" in capsys.readouterr().err


def test_curves(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    assert (
        main(
            [
                "sweep",
                str(path),
                "--vary",
                "opt.timestep=.001,.002",
                "--record",
                "qpos,energy",
                "--duration",
                ".1",
                "--plot",
                str(tmp_path / "x.png"),
            ]
        )
        == 0
    )
    assert (tmp_path / "x.png").stat().st_size > 1000


def test_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    assert (
        main(
            [
                "sweep",
                str(path),
                "--vary",
                "opt.timestep=.001,.002",
                "--record",
                "qpos",
                "--duration",
                ".1",
                "--out",
                str(tmp_path / "x.parquet"),
            ]
        )
        == 0
    )
    assert parquet.read_table(tmp_path / "x.parquet").num_rows == 2 * 101
