"""`<size memory>`: contacts, rows and islands that do not fit into MuJoCo's arena are left out here as well, with the same
counts.
"""

import copy
import json
import os
import pickle

import mujoco
import pytest

import tumble
from tests.app.driver import ROOT
from tests.parity import arena
from tumble.engine.core.arena import asked

CONTACTFULL, CNSTRFULL = int(mujoco.mjtWarning.mjWARN_CONTACTFULL), int(mujoco.mjtWarning.mjWARN_CNSTRFULL)
STEPS = 5
FLOOR = '<geom type="plane" size="5 5 .1"/>'
BOXES = "".join(f'<body pos="{i} 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for i in range(3))
PAIRS = "".join(
    f'<body pos="{0.3 * i} 0 .1"><freejoint/><geom size=".1"/><geom pos=".1 0 0" size=".1"/><geom pos="0 .1 0" '
    'size=".1"/></body>'
    for i in range(4)
)
CLOTH = (
    '<flexcomp name="f" type="grid" count="4 4 1" spacing=".1 .1 .1" radius=".02" dim="2" pos="0 0 .01"><edge equality="true"/>'
    "</flexcomp>"
)
WORLD = (
    '<mujoco><size memory="{memory}"/><option solver="{solver}" jacobian="{jacobian}" integrator="{integrator}"/>'
    "<worldbody>{body}</worldbody></mujoco>"
)
BODIES = {"boxes": FLOOR + BOXES, "trees": PAIRS, "cloth": FLOOR + CLOTH}
COUNTS = ("ncon", "nefc", "ne", "nf", "nl", "nisland", "parena", "maxuse_con", "maxuse_efc")


@pytest.fixture(autouse=True)
def quiet():
    """Discard the reference's warnings."""
    mujoco.set_mju_user_warning(lambda text: None)
    yield
    mujoco.set_mju_user_warning(None)


def reference(text):
    """`counts` of the reference, in a separate process, because it may write beyond its arena. None if it fails."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(into, json.dumps(counts(mujoco, text)).encode())
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out) as file:
        found = file.read()
    os.waitpid(child, 0)
    return {n: tuple(x) if isinstance(x, list) else x for n, x in (json.loads(found) or {}).items()} if found else None


def counts(lib, text):
    """The counts after a few steps; nothing if the reference's scratch does not fit."""
    m = lib.MjModel.from_xml_string(text)
    d = lib.MjData(m)
    try:
        for _ in range(STEPS):
            lib.mj_step(m, d)
    except mujoco.FatalError as error:
        assert "stack overflow" in str(error)
        return {}
    found = {n: int(getattr(d, n)) for n in COUNTS}
    return found | {
        n: (d.warning[k].number, d.warning[k].lastinfo) for n, k in (("contacts", CONTACTFULL), ("rows", CNSTRFULL))
    }


@pytest.mark.parametrize(
    "solver, jacobian, integrator",
    [("Newton", "dense", "Euler"), ("PGS", "dense", "Euler"), ("CG", "sparse", "RK4"), ("Newton", "sparse", "implicitfast")],
)
@pytest.mark.parametrize("body", BODIES)
def test_counts_are_the_reference_s(body, solver, jacobian, integrator):
    def text(memory):
        return WORLD.format(memory=memory, solver=solver, jacobian=jacobian, integrator=integrator, body=BODIES[body])

    m = mujoco.MjModel.from_xml_string(text("10M"))
    d = mujoco.MjData(m)
    for _ in range(STEPS):
        mujoco.mj_step(m, d)
    compared = dropped = 0
    for share in (1.2, 1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4):
        wanted = reference(text(int(share * d.maxuse_arena)))
        if wanted:
            assert counts(tumble, text(int(share * d.maxuse_arena))) == wanted
            compared += 1
            dropped += wanted["contacts"][0] + wanted["rows"][0] > 0
    assert compared >= 2 and dropped >= 1


@pytest.mark.parametrize("name", ["dominoes", "humanoid"])
def test_counts_of_models_of_the_gallery(name):
    rows = arena.compare(f"{ROOT}/assets/models/{name}.xml")
    assert len(rows) >= 3 and any(arena.leaves_out(wanted) for _, wanted, _ in rows)
    assert [arena.verdict(wanted, found) for _, wanted, found in rows] == [""] * len(rows)


def test_the_sweep_of_a_flex_leaves_less_room_for_contacts(tmp_path):
    """Elements of a sheet that are near each other request room for contacts while the sweep's own lists are on the stack."""
    sheet = (
        '<flexcomp name="f" type="grid" count="16 16 1" spacing=".05 .05 .05" radius=".001" dim="2"><contact '
        'selfcollide="sap"/>'
        '<edge equality="true"/></flexcomp>'
    )
    path = tmp_path / "sheet.xml"
    path.write_text(f'<mujoco><option solver="CG" integrator="implicitfast"/><worldbody>{sheet}</worldbody></mujoco>')
    rows = arena.compare(str(path))
    assert any(arena.leaves_out(wanted) for _, wanted, _ in rows)
    assert not any(arena.verdict(wanted, found) for _, wanted, found in rows)
    assert all(wanted[arena.APART] == found[arena.APART] for _, wanted, found in rows)


def test_the_arena_counts_where_the_model_gives_one():
    free = tumble.MjModel.from_xml_string(f"<mujoco><worldbody>{FLOOR}{BOXES}</worldbody></mujoco>")
    given = tumble.MjModel.from_xml_string(f'<mujoco><size memory="30K"/><worldbody>{FLOOR}{BOXES}</worldbody></mujoco>')
    assert not asked(free) and not tumble.MjData(free).limit_arena
    d = tumble.MjData(given)
    assert asked(given) and d.limit_arena
    tumble.mj_step(given, d)
    assert (d.ncon, d.warning[CONTACTFULL].number) == (4, 2)
    for other in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert other.limit_arena and other.parena == d.parena
    # the limit can be switched off
    d.limit_arena = False
    d.memory_limit = 1 << 20
    tumble.mj_resetData(given, d)
    tumble.mj_step(given, d)
    assert not d.limit_arena and not copy.copy(d).limit_arena
    assert (d.ncon, d.parena, d.warning[CONTACTFULL].number) == (12, 0, 0)


def test_growth_and_repeated_steps_warn_once():
    """A first step that grows its buffers is run several times, and counts dropped elements once."""
    text = (
        '<mujoco><size memory="200K"/><worldbody>'
        + "".join(f'<body pos="{k * 1e-3} 0 3"><freejoint/><geom size=".5"/></body>' for k in range(30))
        + "</worldbody></mujoco>"
    )
    wanted = reference(text)
    assert wanted and wanted["contacts"][0] + wanted["rows"][0] > 0
    assert counts(tumble, text) == wanted


SMALL = {
    "free body": ("200", '<body><freejoint/><geom size=".1"/></body>', ""),
    "chains": (
        "1680",
        "".join(
            f'<body pos="{i} 0 0"><joint/><geom size=".1"/><body pos="0 0 1"><joint axis="1 0 0"/><geom size=".1"/>'
            "</body></body>"
            for i in range(8)
        ),
        "",
    ),
    "Runge-Kutta": (
        "24140",
        "".join(f'<body pos="{i} 0 0"><freejoint/><geom size=".1"/></body>' for i in range(30)),
        'integrator="RK4"',
    ),
}


@pytest.mark.parametrize("memory, body, option", SMALL.values(), ids=SMALL)
def test_memory_that_no_step_fits_into_is_refused(memory, body, option):
    def text(count):
        return f'<mujoco><size memory="{count}"/><option {option}/><worldbody>{body}</worldbody></mujoco>'

    for lib in (mujoco, tumble):
        with pytest.raises(ValueError, match="memory"):
            lib.MjModel.from_xml_string(text(memory))
        lib.MjModel.from_xml_string(text(int(memory) + 1000))


RESTING = (
    '<mujoco><option><flag sleep="enable"/></option><worldbody>{floor}<body name="a" sleep="init" pos="0 0 .09">'
    '<freejoint/><geom size=".1"/>'
    '</body><body name="b" pos="0 0 {z}"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
)


def test_a_tree_that_cannot_sleep_at_first_is_refused():
    for lib in (mujoco, tumble):
        with pytest.raises(ValueError, match="sleep='init'(.|\n)*ody 'a'"):
            lib.MjModel.from_xml_string(RESTING.format(floor=FLOOR, z=0.28))
        m = lib.MjModel.from_xml_string(RESTING.format(floor=FLOOR, z=2))
        d = lib.MjData(m)
        assert (d.tree_asleep[0], d.ncon, d.nefc, d.maxuse_con) == (0, 1, 0, 1)
