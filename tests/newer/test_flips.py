"""Each silent change of a step matters in some model: with it switched off alone, 4.0 gives other numbers."""

from typing import Any

import numpy as np
import pytest

import tumble
from tumble.engine.tables import compat_rows

from .cases import CASES, measure
from .sleep import MODELS, simulate

FALL = "<mujoco><option {}/>{}<worldbody><geom type='plane' size='3 3 .1'/>{}</worldbody>{}</mujoco>"
FREE = "<body pos='{}' euler='{}'><freejoint/><geom {}/></body>"
CAPSULE = "type='capsule' size='.05 .2'"
# simulations for changes that no case shows: {name: (model, steps, what is set before a step)}
OWN: dict[str, tuple[str, int, dict[int, list[tuple[str, Any, float]]]]] = {
    "capsules": (
        FALL.format("", "", FREE.format("0 0 .05", "0 90 0", CAPSULE) + FREE.format(".1 0 .149", "0 90 0", CAPSULE), ""),
        20,
        {},
    ),
    "stone": (
        FALL.format(
            "",
            "<asset><mesh name='s' scale='.1 .1 .1' "
            "vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 0 -1.3 -1 0 0 1 -1.2 0 -1'/></asset>",
            FREE.format("0 0 .09", "1 2 0", "type='mesh' mesh='s'"),
            "",
        ),
        20,
        {},
    ),
    "beyond": (
        FALL.format(
            "integrator='implicitfast'",
            "",
            "<body pos='0 0 1'><joint name='j'/><geom size='.1' pos='.2 0 0'/></body>",
            "<actuator><general joint='j' gaintype='affine' gainprm='1 0 -3' ctrlrange='-.1 .1'/></actuator>",
        ),
        20,
        {0: [("ctrl", 0, 2.0)]},
    ),
    "turned": (
        FALL.format(
            "",
            "",
            "<body name='b' pos='0 0 1' euler='10 20 30'><flexcomp name='f' type='grid' dim='2' count='3 3 1' mass='1' "
            "spacing='.1 .1 .1'><contact selfcollide='none'/><elasticity young='1e4' thickness='.01' elastic2d='stretch'/>"
            "</flexcomp></body>",
            "",
        ),
        20,
        {0: [("qvel", 0, 1.0)]},
    ),
}
RUNS: dict[str, tuple[str, int, dict[int, list[tuple[str, Any, float]]]]] = OWN | MODELS
# changes that no step of these models shows: drawing, functions that only scripts call, and rare ones; other tests of the
# folder show all but the last
ELSEWHERE = {
    "principal_up": "pictures of cameras",
    "frustum_shown": "frustums of cameras",
    "uv_shapes": "textures",
    "scene_full": "scenes without room",
    "fd_awake": "mjd_transitionFD",
    "slope_rows": "mjd_inverseFD",
    "round_away": "mju_round",
    "turn_escapes": "mju_mat2Rot",
    "lost_rows": "mju_cholFactor; where Newton's Hessian loses a pivot, results have no digits to compare",
    "library_skip": "mj_loadAllPluginLibraries",
    "field_lengths": "rays that meet signed distance fields of plugins",
    "shared_dofs": "the number of stored entries of Jacobians",
    "inside_mass": "insidesite sensors",
    "trace_scale": "no model here has another number of iterations when the solvers' tolerance is scaled otherwise",
}
STEPPED = [row.name for row in compat_rows.ROWS if row.where == "step" and row.name not in ELSEWHERE]


def numbers(m: Any, name: str) -> np.ndarray:
    """Return the compared numbers of a case or a simulation, in one array."""
    d = tumble.MjData(m)
    if name in RUNS:
        return simulate(tumble, m, d, *RUNS[name][1:]).ravel()
    return np.concatenate([x.ravel() for x in measure(tumble, m, d, name, "").values()])


@pytest.fixture(scope="module")
def shown():
    """{change of a step: a model that has other numbers without it}."""
    left = set(STEPPED)
    found = {}
    for name in (*RUNS, *CASES):
        m = tumble.MjModel.from_xml_string((RUNS.get(name) or CASES[name])[0], compat="4.0")
        held, before = m.compat_bits, numbers(m, name)
        for change in sorted(left):
            m.compat_bits = held & ~compat_rows.bit(change)
            # A release without the change may refuse what the model does.
            try:
                after = numbers(m, name)
            except (tumble.FatalError, ValueError):
                found[change] = name
                continue
            if after.shape != before.shape or not np.array_equal(after, before, equal_nan=True):
                found[change] = name
        left -= set(found)
        if not left:
            break
    return found


@pytest.mark.parametrize("change", STEPPED)
def test_without_one_change_some_model_differs(change, shown):
    assert change in shown


def test_exceptions_are_changes_of_steps():
    assert all(compat_rows.ROWS[compat_rows.PLACE[name]].where == "step" and reason for name, reason in ELSEWHERE.items())
