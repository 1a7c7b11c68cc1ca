"""Edits of elements without a window: values shown by handles, text written to the file, edits that wait, and edits
that are refused or undone.
"""

import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tumble as mj
from tumble.app.editing import Editing
from tumble.app.undo import Undo
from tumble.engine.description.language.errors import SpecError
from tumble.engine.description.rewrite import origin
from tumble.ui import gizmo
from tumble.ui import intents as I
from tumble.ui.context import Scratch
from tumble.ui.panel import source

MODELS = Path(__file__).resolve().parents[2] / "assets/models"
# numbers are written with eight digits
WRITTEN = 1e-6
SCENE = """<mujoco>
  <worldbody>
    <!-- one -->
    <body name="a" pos="0 0 1"><freejoint/>
      <geom name="g" size=".1"/>
    </body>
    <replicate count="2" offset="1 0 0"><geom name="r" size=".1"/></replicate>
  </worldbody>
</mujoco>
"""


class Document:
    """Loads immediately, or on command."""

    def __init__(self, path):
        self.path, self.waiting, self.busy, self.loads, self.failure = str(path), False, False, 0, None
        self.watcher = SimpleNamespace(files=(), watch=lambda files: None)

    def load(self, path, keep_state=False):
        assert keep_state
        self.loads += 1

    def reload(self, keep_state=False):
        self.load(self.path, keep_state)


class Session:
    """The part of a session that edits need."""

    def __init__(self, path):
        self.notes, self.posing = [], False
        self.document, self.undo, self.scratch = Document(path), Undo(), Scratch()
        self.host, self.messages = (
            SimpleNamespace(passive=False, status=SimpleNamespace(peek=lambda: SimpleNamespace(posing=self.posing))),
            SimpleNamespace(note=lambda level, text, show=False: self.notes.append((level, text))),
        )
        self.snapshot = SimpleNamespace(m=None, d=None)
        self.editing = Editing(self.host, self.document, self.snapshot, self.undo, self.messages, self.scratch)
        self.show()

    def show(self):
        """Load the file, as the window does to display it."""
        self.snapshot.m = mj.MjModel.from_xml_path(self.document.path)
        self.snapshot.d = mj.MjData(self.snapshot.m)
        return self.snapshot.m

    def ask(self, intent):
        self.editing.ask(intent)
        return self.show()


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "m.xml").write_text(SCENE)
    return Session(tmp_path / "m.xml")


def text(session):
    return Path(session.document.path).read_text()


def id_of(m, kind, name):
    return mj.mj_name2id(m, getattr(mj.mjtObj, f"mjOBJ_{kind.upper()}"), name)


def test_each_edit_is_taken_back_and_done_again(scene):
    m = scene.snapshot.m
    texts = [text(scene)]
    for intent in (
        I.EditElement("geom", id_of(m, "geom", "g"), (("rgba", "1 0 0 1"), ("size", ".2"))),
        I.AddElement("body", 1, "site", (("size", ".05"),)),
        I.MoveElement("body", 1, (0.0, 0.0, 0.5), (1.0, 0, 0, 0)),
        I.ScaleElement("geom", id_of(m, "geom", "g"), (2.0, 1.0, 1.0)),
        I.AddElement("body", 0, "geom", (("size", ".05"),)),
        I.DeleteElement("body", 1),
    ):
        m = scene.ask(intent)
        texts.append(text(scene))
    assert len(set(texts)) == 7 and not [note for note in scene.notes if note[0] != "info"]
    assert (m.nbody, m.ngeom, m.nsite) == (1, 3, 0) and "<!-- one -->" in texts[-1]
    assert '<geom name="g" size=".2" rgba="1 0 0 1"/>' in texts[1] and '\n      <site size=".05"/>\n' in texts[2]
    assert '"a" pos="0 0 1.5"' in texts[3] and 'size="0.4" rgba="1 0 0 1"' in texts[4]
    for before in texts[-2::-1]:
        for intent in scene.undo.back().back:
            scene.editing.patch(intent)
        assert text(scene) == before
    for after in texts[1:]:
        for intent in scene.undo.again().again:
            scene.editing.patch(intent)
        assert text(scene) == after


def test_what_was_added_is_selected(scene):
    scene.ask(I.AddElement("body", 0, "geom", (("size", ".05"),)))
    kind, index = scene.editing.select()
    assert kind == "geom" and scene.snapshot.m.geom_size[index, 0] == 0.05 and scene.editing.select() is None


def test_an_edit_waits_for_the_model_of_the_one_before(scene):
    before = text(scene)
    scene.document.busy = True
    scene.editing.ask(I.EditElement("geom", id_of(scene.snapshot.m, "geom", "g"), (("size", ".2"),)))
    assert text(scene) == before and not scene.document.loads
    scene.document.busy = False
    scene.editing.follow()
    assert text(scene) == before.replace('"g" size=".1"', '"g" size=".2"') and scene.document.loads == 1


@pytest.mark.parametrize(
    "values, reason",
    [((("size", "x"),), "not a number"), ((("bulb", "1"),), "no attribute 'bulb'"), ((("type", "ball"),), "keyword 'ball'")],
)
def test_what_no_attribute_can_be_is_not_written(scene, values, reason):
    before = text(scene)
    scene.ask(I.EditElement("geom", 0, values))
    assert text(scene) == before and reason in scene.notes[-1][1] and not scene.undo.done


def test_copies_say_that_they_change_together(scene):
    m = scene.ask(I.EditElement("geom", id_of(scene.snapshot.m, "geom", "r1"), (("size", ".3"),)))
    assert [m.geom(name).size[0] for name in ("r0", "r1")] == [0.3, 0.3]
    assert "2 elements, because of <replicate>" in scene.notes[-1][1]


CLASSES = """<mujoco>
  <default>
    <geom rgba="1 0 0 1"/>
    <default class="skin"> <!-- what is seen -->
      <geom group='2' contype="0"/>
      <default class="hair"><geom size=".2"/></default>
    </default>
    <default class="bone"><joint damping="1"/></default>
  </default>
  <worldbody>
    <geom name="plain" size=".1"/>
    <body childclass="skin"><joint name="j" class="bone"/><geom name="a" size=".1"/><geom name="b" size=".1"/>\
<geom name="c" class="hair"/></body>
    <site name="s" class="bone"/>
  </worldbody>
</mujoco>
"""


def test_a_class_is_edited_where_it_stands(tmp_path):
    """Changing the class of a geom affects all geoms that use it, also through a subclass; its comment and the rest of
    the file are kept.
    """
    (tmp_path / "m.xml").write_text(CLASSES)
    scene = Session(tmp_path / "m.xml")
    m = scene.snapshot.m
    assert [len(origin.class_of(m, "geom", id_of(m, "geom", name)).ids) for name in ("plain", "a", "c")] == [4, 3, 1]
    assert origin.class_of(m, "joint", 0).shared == "bone"
    with pytest.raises(SpecError, match="no default class sets attributes of a site"):
        origin.class_of(m, "site", 0)
    m = scene.ask(I.EditElement("geom", id_of(m, "geom", "a"), (("group", "3"), ("margin", ".01")), shared=True))
    assert text(scene) == CLASSES.replace("<geom group='2' contype=\"0\"/>", '<geom group=\'3\' contype="0" margin=".01"/>')
    assert [int(m.geom(name).group[0]) for name in ("plain", "a", "b", "c")] == [0, 3, 3, 3]
    assert (
        "3 elements take it from the class 'skin'" in scene.notes[-1][1]
        and scene.undo.done[-1].title == "class skin: group = 3, margin = .01"
    )
    for intent in scene.undo.back().back:
        scene.editing.patch(intent)
    assert text(scene) == CLASSES
    m = scene.ask(I.EditElement("geom", id_of(m, "geom", "plain"), (("rgba", None),), shared=True))
    assert "<geom/>" in text(scene) and (m.geom("c").rgba == m.geom("plain").rgba).all() and m.geom("a").rgba[1] == 0.5


def test_a_text_that_was_changed_since_stays(scene):
    scene.ask(I.EditElement("geom", 0, (("size", ".3"),)))
    path = Path(scene.document.path)
    path.write_text(text(scene) + "<!-- mine -->\n")
    kept = text(scene)
    scene.editing.patch(scene.undo.back().back[0])
    assert text(scene) == kept and "changed since" in scene.notes[-1][1]


def test_unsaved_texts_and_scripts_are_left_alone(scene):
    before = text(scene)
    scene.scratch.of(source.Texts).panes = {scene.document.path: SimpleNamespace(changed=True)}
    scene.ask(I.EditElement("geom", 0, (("size", ".3"),)))
    assert "unsaved" in scene.notes[-1][1]
    scene.scratch.of(source.Texts).panes.clear()
    scene.host.passive = True
    scene.ask(I.EditElement("geom", 0, (("size", ".3"),)))
    assert "script" in scene.notes[-1][1] and text(scene) == before


def world(m, d, kind, index):
    return gizmo.pose(m, d, kind, index)


@pytest.mark.parametrize(
    "model, kind",
    [
        ("humanoid", "geom"),
        ("humanoid", "body"),
        ("humanoid", "joint"),
        ("hand", "site"),
        ("arm", "geom"),
        ("gears", "geom"),
        ("humanoid", "camera"),
        ("towers", "light"),
    ],
)
def test_what_is_dragged_is_where_it_was_put(tmp_path, model, kind):
    """In any state of the model, the element in the edited file is where the handles were released. Before the reload, so is
    the element in the running model.
    """
    shutil.copytree(MODELS, tmp_path / "models", ignore=shutil.ignore_patterns("pictures"))
    session = Session(tmp_path / f"models/{model}.xml")
    rng = np.random.default_rng(5)
    for _ in range(6):
        m = session.snapshot.m
        fitting = [
            i
            for i in range(getattr(m, {"body": "nbody", "camera": "ncam", "joint": "njnt"}.get(kind, f"n{kind}")))
            if movable(m, kind, i)
        ]
        index = fitting[rng.integers(len(fitting))]
        d = mj.MjData(m)
        d.qpos[7:] += 0.2 * rng.normal(size=max(0, m.nq - 7))
        mj.mj_forward(m, d)
        drag = gizmo.begin(m, d, kind, index, "move", world(m, d, kind, index))
        turn, flat = rng.normal(size=4), np.zeros(9)
        mj.mju_quat2Mat(flat, turn / np.linalg.norm(turn))
        drag.now[:3, :3] = flat.reshape(3, 3) @ drag.now[:3, :3]
        drag.now[:3, 3] += rng.uniform(-0.1, 0.1, 3)
        qpos = d.qpos.copy()
        for intent in gizmo.live(m, drag):
            owner, field = (m, intent.path[2:]) if intent.path[0] == "m" else (d, intent.path[2:])
            getattr(owner, field)[intent.index] = intent.value
        mj.mj_forward(m, d)
        reached = world(m, d, kind, index)
        meet(kind, reached, drag.now)
        before = text(session)
        fresh = session.ask(gizmo.result(m, drag))
        assert text(session) != before and [note for note in session.notes if note[0] != "info"] == []
        new = mj.MjData(fresh)
        new.qpos[:] = qpos
        mj.mj_forward(fresh, new)
        meet(kind, world(fresh, new, kind, index), drag.now)


def movable(m, kind, index):
    """Whether an element can be dragged and determines its own world pose."""
    if not gizmo.shown(m, "move", kind, index) or kind == "body" and gizmo.is_free(m, index):
        return False
    if kind == "joint":
        # a body's later joints turn its earlier ones
        return int(m.body_jntnum[m.jnt_bodyid[index]]) == 1
    modes = {"camera": "cam_mode", "light": "light_mode"}
    return kind not in modes or int(getattr(m, modes[kind])[index]) == 0


def meet(kind, found, wanted):
    """Whether poses are equal. For joints and lights only directions count, for round shapes only the visible form."""
    assert np.abs(found[:3, 3] - wanted[:3, 3]).max() < WRITTEN
    columns = slice(2, 3) if kind in ("joint", "light", "geom", "site") else slice(0, 3)
    assert np.abs(found[:3, columns] - wanted[:3, columns]).max() < WRITTEN


@pytest.mark.parametrize("orthographic", [0, 1])
def test_handles_are_where_the_element_is_seen(orthographic):
    """For bodies anywhere in the view, the object under the cursor at the handles' position is the body."""
    places = [(x, y, z) for x in (-0.6, 0, 0.5) for y in (-0.5, 0.1, 0.6) for z in (0, 0.4)]
    bodies = "".join(f'<body pos="{x} {y} {z}"><joint/><geom size=".02"/></body>' for x, y, z in places)
    m = mj.MjModel.from_xml_string(
        f'<mujoco><visual><global orthographic="{"false true".split()[orthographic]}" ipd=".1"/></visual>'
        f'<statistic center="0 0 .2" extent="1"/><worldbody>{bodies}</worldbody></mujoco>'
    )
    d, option, scene, rect = mj.MjData(m), mj.MjvOption(), mj.MjvScene(m, 100), (100.0, 50.0, 640.0, 480.0)
    mj.mj_forward(m, d)
    camera = mj.MjvCamera()
    mj.mjv_defaultFreeCamera(m, camera)
    camera.azimuth, camera.elevation, camera.distance = 120, -30, 2.5
    mj.mjv_updateScene(m, d, option, None, camera, mj.mjtCatBit.mjCAT_ALL, scene)
    ctx = SimpleNamespace(m=m, d=d, view_rect=rect, view=SimpleNamespace(scn=scene, aspect=rect[2] / rect[3]))
    for body in range(1, m.nbody):
        [(x, y)] = gizmo.on_screen(ctx, d.xpos[body][None])
        found = mj.mjv_select(
            m,
            d,
            option,
            rect[2] / rect[3],
            (x - rect[0]) / rect[2],
            1 - (y - rect[1]) / rect[3],
            scene,
            np.zeros(3),
            np.zeros((1, 1), np.int32),
            np.zeros((1, 1), np.int32),
            np.zeros((1, 1), np.int32),
        )
        assert found == body


def test_a_keyframe_of_the_state_on_screen_is_written(scene):
    """The first keyframe goes into a model without keyframes, the second beside the first. Undo removes each, byte for byte."""
    bare = "<mujoco>\n  <worldbody>\n    <body><freejoint/><geom size='.1'/></body>\n  </worldbody>\n</mujoco>\n"
    Path(scene.document.path).write_text(bare)
    texts = [text(scene)]
    for k in (1, 2):
        m = scene.show()
        scene.snapshot.d = d = mj.MjData(m)
        d.qpos[:3] += 0.125 * k
        state = np.array(d.qpos)
        scene.editing.add_key()
        texts.append(text(scene))
        m = scene.show()
        assert m.nkey == k and mj.mj_id2name(m, mj.mjtObj.mjOBJ_KEY, k - 1) == f"key{k}"
        np.testing.assert_allclose(m.key_qpos[k - 1], state, atol=1e-8)
    for before in texts[-2::-1]:
        for intent in scene.undo.back().back:
            scene.editing.patch(intent)
        assert text(scene) == before
    scene.host.passive = True
    scene.snapshot.d = mj.MjData(scene.show())
    scene.editing.add_key()
    assert scene.notes[-1][0] == "warning" and text(scene) == texts[0]
