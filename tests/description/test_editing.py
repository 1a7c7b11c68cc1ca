"""Specs are edited as with the reference's package: the same edits compile to the same model, and are refused for the
same reasons.
"""

import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import tumble
from tests.tolerance import SOLVE, difference

from .edits import CHILD, EDITS, PARENT
from .test_parity import fields

LISTS = (
    "bodies joints geoms sites cameras lights frames flexes meshes skins hfields textures materials pairs excludes "
    "equalities tendons actuators "
    "sensors numerics texts tuples keys plugins"
).split()
PACKAGES = (tumble, mujoco)


@pytest.mark.filterwarnings("ignore:Attaching a child")
@pytest.mark.parametrize("name", EDITS)
def test_same_edits_same_model(name):
    ours, theirs = (EDITS[name](mj) for mj in PACKAGES)
    mine, reference = ours.compile(), theirs.compile()
    assert bytes(mine.names) == bytes(reference.names)
    assert mine.signature == reference.signature
    wrong = {}
    for field in fields(reference):
        a, b = getattr(mine, field), getattr(reference, field)
        if np.shape(a) != np.shape(b) or difference(a, b) > SOLVE:
            wrong[field] = a, b
    assert not wrong


@pytest.mark.filterwarnings("ignore:Attaching a child")
@pytest.mark.parametrize("name", sorted(set(EDITS) - {"fused"}))
def test_lists_and_ids(name):
    """The lists of elements have the reference's names, before and after compiling, and its ids afterwards."""
    ours, theirs = (EDITS[name](mj) for mj in PACKAGES)
    for compiled in (False, True):
        if compiled:
            ours.compile()
            theirs.compile()
        for what in LISTS:
            mine, reference = getattr(ours, what), getattr(theirs, what)
            assert [e.name for e in mine] == [e.name for e in reference], what
            if compiled:
                assert [e.id for e in mine] == [e.id for e in reference], what


@pytest.mark.filterwarnings("ignore:Attaching a child")
@pytest.mark.parametrize("name", EDITS)
def test_the_tree_hangs_together(name):
    """Each element knows its spec, body and frame in the body; default classes belong to the spec."""
    spec = EDITS[name](tumble)
    classes = set(map(id, spec.all_defaults()))
    for body in spec.bodies:
        for what in ("bodies", "joints", "geoms", "sites", "cameras", "lights", "frames"):
            for element in getattr(body, what):
                assert element.parent is body and element.spec is spec
                assert element.frame is None or any(element.frame is f for f in body.frames)
                assert id(element.classname) in classes
    for what in LISTS[7:]:
        assert all(element.spec is spec for element in getattr(spec, what))


STEPS, DEPTH = 20, 3000
RECOMPILE = """<mujoco><option timestep="0.002"><flag contact="disable"/></option><worldbody><body name="a"><joint name="j"/>
    <geom size=".1" pos=".2 0 0"/></body>
  <body name="b" pos="0 0 1"><freejoint name="f"/><geom size=".1"/></body><body name="m" mocap="true"><geom size=".1"/></body>
    </worldbody>
  <actuator><general name="act" joint="j" dyntype="integrator"/><motor name="mot" joint="j"/></actuator></mujoco>"""


def _recompiled(mj, change):
    spec = mj.MjSpec.from_string(RECOMPILE)
    m = spec.compile()
    d = mj.MjData(m)
    d.ctrl[:] = 0.3, 0.1
    d.mocap_pos[0] = 1, 2, 3
    mj.mj_step(m, d, STEPS)
    change(spec)
    return spec.recompile(m, d)


def _body_before(spec):
    body = spec.body("a").add_body(name="c")
    body.add_joint()
    body.add_geom(size=[0.1, 0, 0])


CHANGES = {
    "nothing": lambda spec: None,
    "a body before": _body_before,
    "a body less": lambda spec: spec.delete(spec.body("b")),
    "the last actuator less": lambda spec: spec.delete(spec.actuator("mot")),
    "another mocap body": lambda spec: spec.worldbody.add_body(name="n", mocap=True, pos=[5, 6, 7]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_recompile_keeps_the_state(change):
    (_, d), (_, reference) = (_recompiled(mj, CHANGES[change]) for mj in PACKAGES)
    assert d.time == pytest.approx(reference.time)
    for field in "qpos qvel act ctrl mocap_pos mocap_quat".split():
        assert difference(getattr(d, field), getattr(reference, field)) <= SOLVE, field


def test_recompile_keeps_controls_by_actuator():
    _, d = _recompiled(tumble, lambda spec: spec.delete(spec.actuator("act")))
    assert d.ctrl.tolist() == [0.1] and d.act.size == 0


# ---- refused edits: (name, function of package and spec)
def _set(path, value):
    def assign(mj, spec):
        *owners, last = path.split(".")
        target = spec
        for name in owners:
            target = getattr(target, name.removesuffix("[0]"))
            target = target[0] if name.endswith("[0]") else target
        setattr(target, last, value)

    return assign


def _add(what, **values):
    return lambda mj, spec: getattr(spec if hasattr(spec, what) else spec.body("arm"), what)(**values)


REFUSED = {
    "too few numbers": _set("geoms[0].pos", [1, 2]),
    "text for numbers": _set("geoms[0].pos", "abc"),
    "a number for an enum": _set("geoms[0].type", 2),
    "a fraction for an integer": _set("geoms[0].contype", 1.5),
    "too big an integer": _set("geoms[0].group", 2**40),
    "text for a number": _set("geoms[0].mass", "a"),
    "a number for text": _set("geoms[0].material", 3),
    "a number for a name": _set("geoms[0].name", 3),
    "a number for a list": _set("geoms[0].userdata", 3),
    "an unknown attribute": _set("geoms[0].colour", 3),
    "one number for three": _set("textures[0].rgb1", [1]),
    "a taken name": _set("geoms[0].name", "rod"),
    "a byte out of range": _set("compiler.degree", 300),
    "unknown keyword": _add("add_geom", colour=1),
    "keyword of wrong size": _add("add_geom", size=[1, 2]),
    "keyword of wrong type": _add("add_geom", pos="pos"),
    "enum keyword": _add("add_geom", type=6),
    "integer keyword": _add("add_geom", contype=1.5),
    "text keyword": _add("add_geom", material=4),
    "name keyword": _add("add_geom", name=4),
    "number keyword": _add("add_geom", mass="x"),
    "list keyword": _add("add_geom", userdata=""),
    "integers keyword": _add("add_mesh", userface=[1.5]),
    "texts keyword": _add("add_material", textures="abc"),
    "two orientations": _add("add_geom", axisangle=[1, 2, 3, 4], euler=[1, 2, 3]),
    "orientation of wrong size": _add("add_geom", zaxis=[1, 2]),
    "two inertia orientations": _add("add_body", iaxisangle=[1, 2, 3, 4], ieuler=[1, 2, 3]),
    "keyword of free joint": _add("add_freejoint", axis=[1, 0, 0]),
    "class that is none": lambda mj, spec: spec.body("arm").add_geom("thin"),
    "class for a texture": lambda mj, spec: spec.add_texture(spec.default),
    "index below zero": lambda mj, spec: spec.tuples[0].objprm[-1],
    "index beyond": lambda mj, spec: spec.materials[0].textures[10],
    "search for actuators": lambda mj, spec: spec.worldbody.find_all("actuator"),
    "search by number": lambda mj, spec: spec.body(3),
    "main class deleted": lambda mj, spec: spec.delete(spec.default),
    "number deleted": lambda mj, spec: spec.delete(3),
    "read copy flag": lambda mj, spec: spec.copy_during_attach,
    "element by itself": lambda mj, spec: mj.MjsGeom(),
    "default by itself": lambda mj, spec: mj.MjsDefault(),
    "base by itself": lambda mj, spec: mj.MjsElement(),
    "frame of another body": lambda mj, spec: spec.geom("loose").set_frame(spec.frame("shift")),
    "attached nowhere": lambda mj, spec: spec.attach(mj.MjSpec()),
    "attached twice at once": lambda mj, spec: spec.attach(mj.MjSpec(), site="end", frame="shift"),
    "attached to no site": lambda mj, spec: spec.attach(mj.MjSpec(), site="x"),
    "attached to no frame": lambda mj, spec: spec.attach(mj.MjSpec(), frame="x"),
    "attached to another's frame": lambda mj, spec: spec.attach(mj.MjSpec(), frame=mj.MjSpec.from_string(CHILD).frame("shift")),
    "joint in the world": lambda mj, spec: (spec.worldbody.add_joint(), spec.compile()),
    "repeated name": lambda mj, spec: (spec.add_text(name="t", data="y"), spec.compile()),
    "unknown reference": lambda mj, spec: (_set("sensors[0].objname", "x")(mj, spec), spec.compile()),
    "meshes of wrong parameters": lambda mj, spec: spec.add_mesh(name="q").make_sphere(9),
    "no axis": lambda mj, spec: mj.MjSpec.resolve_orientation(
        True, spec.compiler.eulerseq, spec.body("arm").add_geom(zaxis=[0, 0, 0]).alt
    ),
    "fault in XML": lambda mj, spec: mj.MjSpec.from_string("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>"),
    "missing file": lambda mj, spec: mj.MjSpec.from_file("nowhere.xml"),
    "not a zip": lambda mj, spec: mj.MjSpec.from_zip(__file__),
}
# errors whose texts equal the reference's
SAME_TEXT = (
    "unknown keyword",
    "keyword of wrong size",
    "keyword of wrong type",
    "enum keyword",
    "integer keyword",
    "text keyword",
    "name keyword",
    "number keyword",
    "list keyword",
    "integers keyword",
    "texts keyword",
    "two orientations",
    "orientation of wrong size",
    "two inertia orientations",
    "keyword of free joint",
    "index below zero",
    "index beyond",
    "search for actuators",
    "read copy flag",
    "attached nowhere",
    "attached twice at once",
    "attached to no site",
    "attached to no frame",
    "attached to another's frame",
    "a taken name",
    "repeated name",
    "main class deleted",
    "frame of another body",
    "joint in the world",
)


def _error(mj, name):
    with pytest.raises(Exception) as info:  # noqa: PT011
        REFUSED[name](mj, mj.MjSpec.from_string(CHILD))
    return info.value


@pytest.mark.parametrize("name", REFUSED)
def test_refused_alike(name):
    ours, theirs = (_error(mj, name) for mj in PACKAGES)
    kinds = (AttributeError, TypeError, IndexError, ValueError)
    assert [isinstance(ours, k) for k in kinds] == [isinstance(theirs, k) for k in kinds], f"{ours!r} for {theirs!r}"
    if name in SAME_TEXT:
        assert str(ours).split("\n")[0] == str(theirs).split("\n")[0]


def test_fields_and_defaults_of_all_structs():
    """Every field of every kind of element is there and starts with the reference's value."""
    for kind in "geom joint site camera light frame body".split():
        a, b = (getattr(mj.MjSpec().worldbody, f"add_{kind}")() for mj in PACKAGES)
        _same_fields(a, b)
    for kind in (
        "flex mesh skin hfield texture material pair exclude equality tendon actuator sensor numeric text tuple key plugin"
    ).split():
        a, b = (getattr(mj.MjSpec(), f"add_{kind}")() for mj in PACKAGES)
        _same_fields(a, b)
    _same_fields(*(mj.MjSpec().compiler for mj in PACKAGES))


def _same_fields(a, b):
    for name in (n for n in dir(type(b)) if not n.startswith("_")):
        assert hasattr(a, name), f"{type(a).__name__}.{name}"
        if name in ("signature", "id", "config", "plugin") or name.startswith(("first_", "next_")):
            continue
        mine, expected = getattr(a, name), getattr(b, name)
        if isinstance(expected, str | int | float):
            assert mine == expected or (mine != mine and expected != expected), (type(a).__name__, name, mine, expected)
        elif isinstance(expected, np.ndarray):
            assert mine.dtype == expected.dtype and difference(mine, expected) == 0, (type(a).__name__, name)
        elif hasattr(expected, "__len__") and hasattr(expected, "__getitem__"):
            assert list(mine) == list(expected), (type(a).__name__, name)


def test_classes_have_the_public_names():
    for name in (n for n in dir(mujoco._specs) if n.startswith("Mjs") or n == "MjSpec"):
        missing = {n for n in dir(getattr(mujoco._specs, name)) if not n.startswith("_")} - set(dir(getattr(tumble, name)))
        assert not missing, f"{name} has no {missing}"


# ---- identity and sharing
def test_attaching_moves_the_element_itself():
    parent, child = tumble.MjSpec.from_string(PARENT), tumble.MjSpec.from_string(CHILD)
    arm = child.body("arm")
    assert parent.frame("slot").attach_body(arm, "p_") is arm
    assert arm.name == "p_arm" and arm.parent is parent.body("trunk") and child.worldbody.bodies[0] is arm
    arm.pos = [7, 8, 9]
    assert parent.body("p_arm") is arm
    with pytest.raises(ValueError, match="cannot compile child spec"):
        child.compile()


def test_copying_leaves_the_child_alone():
    parent, child = tumble.MjSpec.from_string(PARENT), tumble.MjSpec.from_string(CHILD)
    parent.copy_during_attach = True
    new = parent.frame("slot").attach_body(child.body("arm"), "p_")
    assert new is not child.body("arm") and child.body("arm").name == "arm"
    assert child.compile().nu == 2 and [e.name for e in child.actuators] == ["push", "slow"]


def test_a_spec_is_attached_to_itself_as_a_copy_only():
    spec = tumble.MjSpec.from_string(CHILD)
    with pytest.raises(ValueError, match="copy_during_attach"):
        spec.worldbody.add_frame().attach_body(spec.body("arm"), "again_")
    assert spec.compile().nbody == 4


def test_arrays_are_views():
    spec = tumble.MjSpec()
    body = spec.worldbody.add_body(pos=[1, 2, 3])
    pos, userdata = body.pos, body.userdata
    pos[0] = 5
    body.pos = [6, 7, 8]
    assert pos.tolist() == [6, 7, 8] and len(userdata) == 0
    body.userdata = [1, 2]
    body.userdata[1] = 4
    assert list(body.userdata) == [1, 4]


def test_lists_can_be_walked_while_elements_go():
    spec = tumble.MjSpec.from_string(CHILD)
    for what in ("sensors", "pairs", "equalities", "actuators", "tendons", "tuples"):
        for element in getattr(spec, what):
            spec.delete(element)
        assert getattr(spec, what) == []


def test_the_given_copy_of_the_orientation_counts():
    spec = tumble.MjSpec()
    body = spec.worldbody.add_body(euler=[0, 0, 90])
    body.alt.euler[2] = 180
    np.testing.assert_allclose(spec.compile().body_quat[1], [0, 0, 0, 1], atol=1e-15)


def test_assets_come_along(tmp_path):
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    models = []
    for mj in PACKAGES:
        child = mj.MjSpec()
        child.assets = {"sub/cube.obj": cube}
        child.meshdir = "sub"
        child.add_mesh(name="cube", file="cube.obj")
        child.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="cube")
        parent = mj.MjSpec()
        parent.attach(child, frame=parent.worldbody.add_frame(), prefix="a-", suffix="-z")
        assert list(parent.assets) == ["sub/a-cube-z.obj"]
        models.append(parent.compile())
    assert models[0].nmeshvert == models[1].nmeshvert == 8


def test_files_of_a_child_lie_in_its_folder(tmp_path):
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    (tmp_path / "child" / "meshes").mkdir(parents=True)
    (tmp_path / "child" / "meshes" / "cube.obj").write_text(cube)
    (tmp_path / "child" / "m.xml").write_text(
        '<mujoco><compiler meshdir="meshes"/><asset><mesh name="c" file="cube.obj"/></asset><worldbody><body name="b">'
        '<geom type="mesh" mesh="c"/></body></worldbody></mujoco>'
    )
    parent = tumble.MjSpec()
    child = tumble.MjSpec.from_file(str(tmp_path / "child" / "m.xml"))
    parent.worldbody.add_frame().attach_body(child.body("b"), "x_")
    assert parent.compile().nmeshvert == 8
    assert tumble.MjModel.from_xml_string(parent.to_xml()).nmeshvert == 8


def test_zip_there_and_back(tmp_path):
    spec = tumble.MjSpec.from_string(CHILD)
    spec.to_zip(str(tmp_path / "model.zip"))
    again = tumble.MjSpec.from_zip(str(tmp_path / "model.zip"))
    assert again.compile().signature == spec.compile().signature


@pytest.mark.parametrize(
    "kind", ["body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "sensor", "material", "key"]
)
def test_bind_finds_the_rows(kind):
    spec = tumble.MjSpec.from_string(CHILD)
    m = spec.compile()
    for element in getattr(spec, {"body": "bodies"}.get(kind, kind + "s")):
        view = m.bind(element)
        assert view.id == element.id and view.name == element.name
    spec.worldbody.add_body()
    with pytest.raises(ValueError, match="Please recompile"):
        m.bind(element)


def test_long_chains_are_attached_copied_and_deleted():
    child = tumble.MjSpec()
    body = child.worldbody
    for _ in range(DEPTH):
        body = body.add_body(pos=[0, 0, 0.1])
        body.add_geom(size=[0.01, 0, 0])
    for deep in (False, True):
        parent = tumble.MjSpec()
        parent.copy_during_attach = deep
        parent.worldbody.add_frame().attach_body(child.copy().bodies[1], "x_")
        assert len(parent.bodies) == len(parent.copy().bodies) == DEPTH + 1
        parent.delete(parent.bodies[2])
        assert len(parent.geoms) == 1


@pytest.mark.filterwarnings("ignore:Attaching a child")
@pytest.mark.parametrize("name", sorted(set(EDITS) - {"files_as_data"}))
def test_saved_edits_compile_to_the_same_structure(name):
    spec = EDITS[name](tumble)
    m, again = spec.compile(), tumble.MjModel.from_xml_string(spec.to_xml())
    assert (again.nq, again.nv, again.nbody, again.ngeom, again.nu, again.nsensor, again.nkey) == (
        m.nq,
        m.nv,
        m.nbody,
        m.ngeom,
        m.nu,
        m.nsensor,
        m.nkey,
    )
    for field in "body_mass body_pos geom_size jnt_axis actuator_gear sensor_objid".split():
        assert difference(getattr(again, field), getattr(m, field)) <= SOLVE, field


KEYED = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/></body><body name="c" pos="1 0 0">
    <geom size=".1"/></body></worldbody>
  <keyframe><key name="k" qpos=".3"/></keyframe></mujoco>"""


@pytest.mark.parametrize(("gone", "expected"), (("c", [[0.3, 0]]), ("a", [[0]]), ("n", [[0.3]])))
@pytest.mark.parametrize("compiled", (False, True))
def test_keys_follow_their_elements(gone, expected, compiled):
    """Keys keep the values of remaining joints when bodies are added and deleted, in the reference only after compiling."""
    for mj in PACKAGES if compiled else (tumble,):
        spec = mj.MjSpec.from_string(KEYED)
        if compiled:
            spec.compile()
        body = spec.worldbody.add_body(name="n", pos=[1, 0, 0])
        body.add_joint()
        body.add_geom(size=[0.1, 0, 0])
        spec.delete(body if gone == "n" else spec.body(gone))
        assert spec.compile().key_qpos.tolist() == expected


@pytest.mark.parametrize("kind", ("tendon", "site", "joint", "body"))
def test_copies_leave_out_what_refers_to_deleted_elements(kind):
    counts = []
    for mj in PACKAGES:
        spec = mj.MjSpec.from_string(CHILD)
        name = {"tendon": "pull", "site": "end", "joint": "swing", "body": "hand"}[kind]
        for key in spec.keys:
            spec.delete(key)
        spec.delete(getattr(spec, kind)(name))
        again = spec.copy()
        counts.append([len(getattr(again, names)) for names in LISTS])
    assert counts[0] == counts[1]


def test_copies_keep_what_refers_to_tendons():
    """Copies keep equalities that refer to tendons, although equalities are listed before tendons."""
    for mj in PACKAGES:
        spec = mj.MjSpec.from_string(CHILD)
        spec.add_equality(name="e", type=mj.mjtEq.mjEQ_TENDON, objtype=mj.mjtObj.mjOBJ_TENDON, name1="pull", name2="rope")
        again = spec.copy()
        assert [len(getattr(again, names)) for names in LISTS] == [len(getattr(spec, names)) for names in LISTS]


def test_saving_needs_no_method_of_specs(tmp_path):
    """Scripts can save models, and copy changes back, without naming MjSpec."""
    code = f"""import tumble
for attribute, compat in (('', "4.0"), ('savecompiled="false"', "3.4")):
    m = tumble.MjModel.from_xml_string('<mujoco><compiler ' + attribute + '/><worldbody><geom size="1"/></worldbody>\
</mujoco>', compat=compat)
    tumble.mj_saveLastXML({str(tmp_path / "saved.xml")!r}, m)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (tmp_path / "saved.xml").exists()
