"""Actions are undone and redone: in any order, state and settings return to their values."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tests.app.test_actions import session
from tumble.app import actions, commands, undo, undo_rows
from tumble.app.simulation import Simulation
from tumble.ui import intents as I

ACTIONS = 10_000


class Desk:
    """A session and a simulation, without threads: intents take the same path as in the window."""

    def __init__(self, path):
        self.s = session(PENDULUM, path)
        self.s.undo, self.s.messages = undo.Undo(), SimpleNamespace(note=lambda *a, **k: None)
        self.s.host = SimpleNamespace(post=self.simulate)
        m = mj.MjModel.from_xml_string(PENDULUM)
        self.sim = Simulation(running=False)
        self.sim.adopt(m, mj.MjData(m))

    def simulate(self, intent):
        with self.sim.lock:
            commands.apply(self.sim, intent, lambda kind, value: self.s.undo.push(value) if kind == "done" else None)

    def do(self, intent):
        if intent.target == "sim":
            self.simulate(intent)
            return
        entry = undo_rows.entry_of(self.s, intent)
        actions.apply(self.s, intent)
        if entry is not None:
            self.s.undo.push(entry)

    def picture(self):
        """Return everything that actions change."""
        s, sim = self.s, self.sim
        state = np.empty(sim.history.size)
        mj.mj_getState(sim.m, sim.d, state, mj.mjtState.mjSTATE_INTEGRATION)
        looks = {kind: rows.tobytes() for kind, rows in s.view.looks.modes.items()}
        return (
            state.tobytes(),
            sim.speed,
            sim.noise.std,
            sim.noise.rate,
            sim.m.opt.disableflags,
            sim.m.opt.timestep,
            sim.m.body_mass.tobytes(),
            sim.m.key_qpos.tobytes(),
            bytes(s.view.opt.flags),
            tuple(s.view.render_flags),
            bytes(s.view.opt.geomgroup),
            s.view.opt.label,
            looks,
            s.view.camera,
            s.view.cam.distance,
            s.config["theme"],
            s.config["font"],
            s.config["panels"],
            s.config["detached"],
        )


def random_intent(rng, sim):
    kinds = (
        lambda: I.SetVisFlag(rng.randrange(20)),
        lambda: I.SetRenderFlag(rng.randrange(8)),
        lambda: I.SetGroup("geom", rng.randrange(6)),
        lambda: I.SetViewOption("label", cycle=17),
        lambda: I.SetSetting("theme", rng.choice(("dark", "light"))),
        lambda: I.SetSetting("info"),
        lambda: I.SetSetting("font_step", rng.choice((-1, 1))),
        lambda: I.ShowPanel(rng.choice(("physics", "state", "console"))),
        lambda: I.DetachPanel(rng.choice(("physics", "joint"))),
        lambda: I.SetCamera(rng.randrange(4)),
        lambda: I.Align(),
        lambda: I.SetLook(rng.choice(("hide", "ghost", "show", "only")), "body", rng.randrange(1, 3)),
        lambda: I.SetLook("clear"),
        lambda: I.SetField("d.qpos", rng.random(), rng.randrange(8)),
        lambda: I.SetField("d.ctrl", rng.random(), 0),
        lambda: I.SetField("opt.timestep", rng.choice((0.001, 0.002, 0.004))),
        lambda: I.SetField("m.body_mass", rng.random(), 1),
        lambda: I.SetBit("disableflags", 1 << rng.randrange(10), rng.random() < 0.5),
        lambda: I.Reset(),
        lambda: I.LoadKey(0),
        lambda: I.SaveKey(0),
        lambda: I.SetSpeed(notches=rng.choice((-1, 1))),
        lambda: I.SetNoise(std=rng.random()),
        lambda: I.ClearControls(),
        lambda: I.ResetJoint(rng.randrange(2)),
    )
    return rng.choice(kinds)()


@pytest.mark.parametrize("seed", [1, 2])
def test_random_actions_are_taken_back_and_repeated(tmp_path, seed, monkeypatch):
    """Whatever was done, undoing all of it restores the initial state bit for bit, and redoing all of it the final one."""
    monkeypatch.setattr(undo, "MOST", ACTIONS)
    desk, rng = Desk(tmp_path), random.Random(seed)
    first = desk.picture()
    for k in range(ACTIONS // 2):
        desk.do(random_intent(rng, desk.sim))
        if k % 50 == 49:
            # undo and redo some actions in between
            for redo in (False,) * 7 + (True,) * rng.randrange(8):
                desk.do(I.Undo(redo))
    last, count = desk.picture(), len(desk.s.undo.done)
    assert count > ACTIONS // 8
    desk.do(I.Undo(count=count))
    assert not desk.s.undo.done and desk.picture() == first
    desk.do(I.Undo(redo=True, count=count))
    assert desk.picture() == last


def test_a_drag_of_a_slider_is_one_thing(tmp_path):
    desk = Desk(tmp_path)
    for value in np.linspace(0, 1, 50):
        desk.do(I.SetField("d.ctrl", float(value), 0))
    assert len(desk.s.undo.done) == 1 and desk.s.undo.done[0].title == "ctrl of drive = 1"
    desk.do(I.Undo())
    assert desk.sim.d.ctrl[0] == 0
    desk.do(I.Undo(redo=True))
    assert desk.sim.d.ctrl[0] == 1


def test_a_pull_is_one_thing(tmp_path):
    desk = Desk(tmp_path)
    before = desk.picture()
    for x in (1.0, 1.5, 2.0):
        desk.do(
            I.Perturb(
                {"select": 2, "active": 1, "refpos": np.array([x, 0, 3]), "refselpos": np.array([x, 0, 3]), "localmass": 1.0}
            )
        )
        desk.sim.single_step()
    desk.do(I.Perturb({"active": 0}))
    pulled = desk.picture()
    assert pulled != before and [e.title for e in desk.s.undo.done] == ["box pulled"]
    desk.do(I.Undo())
    assert desk.picture() == before
    desk.do(I.Undo(redo=True))
    assert desk.picture() == pulled


def test_another_model_keeps_what_belongs_to_the_view(tmp_path):
    desk = Desk(tmp_path)
    desk.do(I.SetSetting("theme", "light"))
    desk.do(I.SetField("d.ctrl", 1.0, 0))
    desk.s.undo.changed("/a/old.xml", "/a/new.xml")
    assert [e.title for e in desk.s.undo.done] == ["Theme: light", "new.xml opened"]
    assert desk.s.undo.done[-1].back == (I.OpenFile("/a/old.xml"),)


def test_a_scope_is_taken_back_by_itself(tmp_path):
    """Undoing the simulation restores it although the view was changed later, and leaves the view unchanged. Then the view is
    undone."""
    desk = Desk(tmp_path)
    label, mass = desk.s.view.opt.label, float(desk.sim.m.body_mass[1])
    desk.do(I.SetField("m.body_mass", 2 * mass, 1))
    desk.do(I.SetViewOption("label", 3))
    desk.do(I.Undo(scope="simulation"))
    assert desk.sim.m.body_mass[1] == mass and desk.s.view.opt.label == 3
    desk.do(I.Undo(scope="simulation"))
    assert desk.s.view.opt.label == 3 and len(desk.s.undo.done) == 1, "there is nothing more of it"
    desk.do(I.Undo(redo=True, scope="simulation"))
    assert desk.sim.m.body_mass[1] == 2 * mass
    desk.do(I.Undo(scope="view"))
    assert desk.s.view.opt.label == label and desk.sim.m.body_mass[1] == 2 * mass
    patch = I.Entry("edit", (I.PatchText("a.xml", (), 0, 0),), ())
    assert undo.scope_of(patch) == "edit"
