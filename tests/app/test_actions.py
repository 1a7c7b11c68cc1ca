"""Requests take effect: flags, groups and modes reach the draw list and the settings; switches reach the window."""

from types import SimpleNamespace

import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tumble.app import actions
from tumble.app.config import Config
from tumble.app.simulation import Simulation
from tumble.app.view import View
from tumble.app.worker import Worker
from tumble.render import scene as mjv
from tumble.ui import element_names, layout
from tumble.ui import intents as I
from tumble.ui.context import Scratch

# one element of each type in group 4, one in group 0
KINDS = """<mujoco><worldbody>
  <body name="a"><joint name="j0" group="0"/><joint name="j4" type="slide" group="4"/><geom name="g0" size=".1"/>\
<geom name="g4" size=".1" group="4"/>
    <site name="s0"/><site name="s4" pos="0 0 .3" group="4"/></body>
  <body name="b" pos="1 0 0"><geom size=".1"/><site name="t0"/><site name="t4" pos="0 0 .3"/></body></worldbody>
  <tendon><spatial name="t0"><site site="s0"/><site site="t0"/></spatial><spatial name="t4" group="4"><site site="s0"/>\
<site site="t4"/></spatial></tendon>
  <actuator><motor name="m0" joint="j0"/><motor name="m4" joint="j4" group="4"/></actuator>
  </mujoco>"""
SHOWN = {"geom": (), "site": (), "tendon": (), "joint": ("Joint",), "actuator": ("Actuator",)}


class Window:
    def __init__(self):
        self.vsync = []

    def set_vsync(self, on):
        self.vsync.append(on)


def session(xml, path):
    """The part of a session that actions on the view need."""
    view = View(lambda intent: None)
    if xml:
        m = mj.MjModel.from_xml_string(xml)
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        view.adopt(m, d, align=True)
        view.update()
    return SimpleNamespace(
        config=Config(path / "s.json"),
        view=view,
        window=Window(),
        host=None,
        scratch=Scratch(),
        document=SimpleNamespace(failure="something"),
    )


def flag(label):
    return [row[0] for row in mjv.mjVISSTRING].index(label)


def drawn(s):
    """Count the items of each object type in the draw list."""
    scn = s.view.update()
    counts = {}
    for i in range(scn.ngeom):
        kind = int(scn.geoms[i].objtype)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


@pytest.mark.parametrize("kind", SHOWN)
def test_groups_show_and_hide_their_kind(tmp_path, kind):
    """When group 4, which is off at first, is switched on for a type, its element of this type appears, and no other one."""
    s = session(KINDS, tmp_path)
    for label in SHOWN[kind]:
        actions.apply(s, I.SetVisFlag(flag(label), True))
    number = int(getattr(mj.mjtObj, f"mjOBJ_{kind.upper()}"))
    before = drawn(s)
    actions.apply(s, I.SetGroup(kind, 4))
    after = drawn(s)
    assert after[number] > before[number] and {k: v for k, v in after.items() if k != number} == {
        k: v for k, v in before.items() if k != number
    }
    actions.apply(s, I.SetGroup(kind, 4, False))
    assert drawn(s) == before
    actions.apply(s, I.SetGroup(kind, 0, False))
    assert drawn(s).get(number, 0) < before[number]
    assert s.config["groups"] == {}, "flags last as long as their window"


def test_tree_depth_is_that_of_the_boxes(tmp_path):
    """Neighboring tree depths draw different boxes."""
    bodies = "".join(f'<geom size=".05" pos="{0.3 * i} 0 {0.1 * (i % 3)}"/>' for i in range(8))
    s = session(f"<mujoco><worldbody><body>{bodies}<freejoint/></body></worldbody></mujoco>", tmp_path)
    actions.apply(s, I.SetVisFlag(flag("Body Tree"), True))
    sizes = {}
    for depth in (0, 1, 2):
        actions.apply(s, I.SetViewOption("bvh_depth", depth))
        scn = s.view.update()
        sizes[depth] = {tuple(round(float(x), 5) for x in (*scn.geoms[i].pos, *scn.geoms[i].size)) for i in range(scn.ngeom)}
        assert int(s.view.opt.bvh_depth) == depth
    assert sizes[0] != sizes[1] != sizes[2]


def test_modes_go_round(tmp_path):
    s = session(PENDULUM, tmp_path)
    for name, rows in (("label", mjv.mjLABELSTRING), ("frame", mjv.mjFRAMESTRING)):
        seen = []
        for _ in rows:
            actions.apply(s, I.SetViewOption(name, cycle=len(rows)))
            seen.append(int(getattr(s.view.opt, name)))
            assert s.config[name] == 0
        assert seen == [*range(1, len(rows)), 0]


def test_effects_reach_the_scene(tmp_path):
    s = session(PENDULUM, tmp_path)
    for index in range(len(mjv.mjRNDSTRING)):
        before = int(s.view.update().flags[index])
        actions.apply(s, I.SetRenderFlag(index))
        assert int(s.view.update().flags[index]) == 1 - before
    assert s.config["render_flags"] == {}


def test_switches_reach_the_window(tmp_path):
    s = session("", tmp_path)
    actions.apply(s, I.SetSetting("vsync"))
    actions.apply(s, I.SetSetting("vsync"))
    assert s.window.vsync == [False, True]
    for _ in range(99):
        actions.apply(s, I.SetSetting("font_step", 1))
    assert s.config["font"] == 300
    actions.apply(s, I.SetSetting("info"))
    assert s.document.failure is None, "info takes an old error away"
    actions.apply(s, I.SetSetting("layout", ""))
    assert s.scratch.of(layout.Wanted).preset


def test_panels_open_alone_and_side_by_side(tmp_path):
    s = session("", tmp_path)
    s.config["right"] = False
    actions.apply(s, I.ShowPanel("physics", True, only=True))
    opened = s.config["panels"]
    assert opened["physics"] and not opened["joint"] and s.config["right"]
    assert "explorer" not in opened, "the other side stays"
    actions.apply(s, I.ShowPanel("physics"))
    assert not s.config["panels"]["physics"]
    actions.apply(s, I.DetachPanel("watch"))
    assert s.config["detached"] == ("watch",) and s.config["panels"]["watch"]
    actions.apply(s, I.DetachPanel("watch"))
    assert s.config["detached"] == ()


def test_busy_waiting_never_sleeps():
    """Between two steps the thread sleeps, unless busy waiting is requested."""
    m = mj.MjModel.from_xml_string(PENDULUM)
    sim = Simulation()
    sim.adopt(m, mj.MjData(m))
    worker = Worker(sim)
    waits = [worker._turn() for _ in range(30)]
    assert max(waits) > 0
    worker.post(I.SetLoop("busy_wait", True))
    worker._turn()
    assert {worker._turn() for _ in range(30)} == {0.0} and sim.running
    sim.running = False
    assert worker._turn() > 0, "paused it rests all the same"


def test_elements_of_the_model_before_are_not_selected(tmp_path):
    """A selection by a click or an undo may arrive after the model changed. It is ignored if the model lacks the element."""
    s = session(KINDS, tmp_path)
    actions.apply(s, I.SelectElement("geom", 1))
    chosen = s.view.element
    for kind, size in element_names.KINDS.items():
        for index in (getattr(s.view.m, size), 1000, -1):
            actions.apply(s, I.SelectElement(kind, index))
            actions.apply(s, I.SelectElement(kind, index, toggle=True))
    actions.apply(s, I.SelectBody(s.view.m.nbody))
    assert s.view.element == chosen == ("geom", 1)
