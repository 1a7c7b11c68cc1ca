"""The switch for silent changes of later releases: where it is given, what wins, and that
nothing of it is seen unless it is used.
"""

import copy
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tumble
from tumble.engine.core import binary
from tumble.engine.tables import compat_rows
from tumble.engine.tables.schema import SCHEMAS

MODEL = (
    "<mujoco>{}<worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .099'><freejoint/><geom size='.1'/></body>"
    "</worldbody></mujoco>"
)
ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(text="", **kwargs):
    return tumble.MjModel.from_xml_string(MODEL.format(text), **kwargs)


@pytest.fixture
def everything():
    """A function that chooses a release for all models, until the test is over."""
    yield lambda version: setattr(tumble, "compat", version)
    tumble.compat = None


def test_argument_wins_over_choice_over_file(everything):
    file = "<compiler compat='3.9'/>"
    assert (load().compat, load(file).compat, load(file, compat="4.0").compat) == ("3.4", "3.9", "4.0")
    everything("3.5")
    assert (load().compat, load(file).compat, load(file, compat="4.0").compat) == ("3.5", "3.5", "4.0")


@pytest.mark.parametrize("version", ["3.3", "4.1", "newest", "", 4.0])
def test_unknown_releases_are_errors(version):
    with pytest.raises(ValueError, match="compat"):
        compat_rows.key(version)
    with pytest.raises(ValueError, match="compat"):
        load(compat=version)


def test_releases_hold_all_changes_before_them():
    held = [compat_rows.bits(f"3.{k}") for k in range(4, 18)] + [compat_rows.bits("4.0")]
    assert held[0] == 0 and held[-1] == (1 << len(compat_rows.ROWS)) - 1
    assert all(a & b == a for a, b in zip(held, held[1:]))
    for row in compat_rows.ROWS:
        assert compat_rows.holds(row.name, compat_rows.bits(row.version)) and row.where in ("compile", "step") and row.sentence
        assert f'"{row.name}"' in CODE, f"nothing asks {row.name}"


CODE = "\n".join(p.read_text() for room in ("engine", "render") for p in (ROOT / room).rglob("*.py"))


def test_it_is_kept_wherever_a_model_goes(tmp_path):
    m = load(compat="3.9")
    binary.save_model(m, tmp_path / "m.mjb")
    again = [copy.copy(m), pickle.loads(pickle.dumps(m)), binary.load_model(tmp_path / "m.mjb")]
    assert [x.compat for x in again] == ["3.9"] * 3
    spec = tumble.MjSpec.from_string(MODEL.format("<compiler compat='3.9'/>"))
    assert tumble.MjModel.from_xml_string(spec.to_xml()).compat == "3.9"


def test_nothing_is_seen_of_it_by_default():
    m = load()
    ours = {f.name for f in SCHEMAS["MjModel"].fields.values() if f.ours}
    assert not ours & set(dir(m)) and not ours & set(m._all_fields)
    state = m.__getstate__()
    assert not ours & {*state["arrays"], *state["scalars"]}
    out = np.empty(binary.model_size(m), np.uint8)
    binary.write_model(m, out)
    assert not [name for name in ours if name.encode() in out.tobytes()]
    assert "compat" not in tumble.MjSpec.from_string(MODEL.format("")).to_xml()


def test_command_line():
    """Of the releases that the command line takes every one is known."""
    done = subprocess.run(
        [sys.executable, "-m", "tumble", "info", "--compat", "3.3", "humanoid"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2 and "--compat" in done.stderr
    from tumble.app.__main__ import RELEASES

    assert [compat_rows.key(r) for r in RELEASES] == sorted(compat_rows.key(r) for r in RELEASES)
