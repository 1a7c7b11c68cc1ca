"""Names, texts, files and edits of later releases, compared with 4.0.1."""

import sys

import numpy as np
import pytest

import tumble
import tumble.v4 as newer
from tumble.batch import Batch

AT = '<mujoco><compiler compat="4.0"/>'
BALL = (
    "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
    "</worldbody></mujoco>"
)
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
# from 4.0.1: types of objects on the path of the attached tendon
PATH = [3, 4, 3]


def test_the_diagonal_has_its_later_name():
    m = tumble.MjModel.from_xml_string(BALL)
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    assert d.efc_diagA.size == d.nefc > 0 and np.shares_memory(d.efc_diagA, d.efc_diagApprox)
    assert not {"efc_diagA", "xiquat", "history"} & set(dir(d)) and not {"tendon_type", "cam_projection"} & set(dir(m))


def test_negative_signatures_are_errors():
    m = tumble.MjModel.from_xml_string(BALL)
    for call in (lambda: tumble.mj_stateSize(m, -1), lambda: tumble.mj_getState(m, tumble.MjData(m), np.zeros(0), -1)):
        with pytest.raises((TypeError, tumble.FatalError)):
            call()


def test_assets_of_scripts_need_names():
    for compat, name in (("3.4", "tri"), ("4.0", None)):
        spec = tumble.MjSpec.from_string(f"<mujoco><compiler compat='{compat}'/></mujoco>")
        mesh = spec.add_mesh(file="a/tri.obj")
        spec.assets = {"a/tri.obj": OBJ}
        if name is None:
            with pytest.raises(ValueError, match="needs a name"):
                spec.compile()
            mesh.name = name = "m"
        assert spec.compile().mesh(0).name == name


def test_attached_models_find_files_beside_them(tmp_path):
    (tmp_path / "c" / "me").mkdir(parents=True)
    (tmp_path / "c" / "me" / "m.obj").write_bytes(OBJ)
    (tmp_path / "c" / "child.xml").write_text(
        "<mujoco><compiler meshdir='me'/><asset><mesh name='m' file='m.obj'/></asset><worldbody><body name='b'><joint/>"
        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    )
    (tmp_path / "p.xml").write_text(
        "<mujoco><asset><model name='c' file='c/child.xml'/></asset><worldbody><attach model='c' body='b' "
        "prefix='x'/></worldbody></mujoco>"
    )
    assert tumble.MjModel.from_xml_path(str(tmp_path / "p.xml"), compat="4.0").nmeshvert == 4


def test_texts_of_sections():
    text = f"{AT}<custom><text name='a'><![CDATA[hello <b> & c]]></text><text name='b' data='x'/></custom></mujoco>"
    m = tumble.MjModel.from_xml_string(text)
    assert bytes(m.text_data) == b"hello <b> & c\0x\0"
    assert bytes(tumble.MjModel.from_xml_string(tumble.MjSpec.from_string(text).to_xml()).text_data) == bytes(m.text_data)
    assert bytes(tumble.MjModel.from_xml_string(text.replace("name='a'", "name='a' data='u'")).text_data) == b"u\0x\0"
    for empty in ("<text name='a'> plain </text>", "<text name='a'/>"):
        with pytest.raises(ValueError, match="data"):
            tumble.MjModel.from_xml_string(f"{AT}<custom>{empty}</custom></mujoco>")


def test_attached_tendons_keep_geoms_without_side_sites():
    child = (
        "<mujoco><asset><material name='M'/></asset><worldbody><body name='b'><joint/><geom name='g' size='.1'/>"
        "<site name='s' pos='.3 0 0'/></body>"
        "<site name='t' pos='-.3 .1 0'/></worldbody><tendon><spatial name='T' material='M'><site site='s'/><geom "
        "geom='g'/><site site='t'/></spatial></tendon></mujoco>"
    )
    found = {}
    for compat in ("3.4", "4.0"):
        parent = tumble.MjSpec.from_string(f"<mujoco><compiler compat='{compat}'/></mujoco>")
        parent.attach(tumble.MjSpec.from_string(child), prefix="x_", frame=parent.worldbody.add_frame())
        found[compat] = parent.compile()
    m = found["4.0"]
    assert (
        found["3.4"].ntendon == 0
        and m.ntendon == 1
        and list(m.wrap_type) == PATH
        and m.tendon(0).name == "x_T"
        and list(m.tendon_matid) == [0]
    )


def test_short_files_of_gmsh_are_errors():
    text = "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='f.msh' dim='2'/></worldbody></mujoco>"
    whole = b"$MeshFormat\n4.1 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n"
    for size in (0, 5, 12, 18, 21, 23, 25, len(whole)):
        with pytest.raises(ValueError):
            tumble.MjModel.from_xml_string(text, {"f.msh": whole[:size]})


# from 4.0.1: matrix, start, rotation, iterations
HALF = 2**-0.5
ROTATIONS = (
    (np.eye(3), (2, 0, 0, 0), (1, 0, 0, 0), 0),
    (np.eye(3), (0, 1, 0, 0), (1, 0, 0, 0), 1),
    (np.diag([1, -1, -1]), (1, 0, 0, 0), (0, 1, 0, 0), 1),
    (np.diag([-1, -1, 1]), (2, 0, 0, 0), (0, 0, 0, 1), 1),
    (np.diag([-1, -1, 1]), (0, 1, 0, 0), (0, 0, 0, 1), 1),
    (-np.eye(3), (1, 0, 0, 0), (0, 1, 0, 0), 1),
    (-np.eye(3), (0, 1, 0, 0), (0, 1, 0, 0), 0),
    (np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), (0, 1, 0, 0), (HALF, 0, 0, HALF), 1),
    (np.array([[0, -3, 0], [3, 0, 0], [0, 0, 3]]), (0, 1, 0, 0), (HALF, 0, 0, HALF), 1),
)
# sums in another order
ROUND = 1e-9


def test_rotations_leave_saddles():
    try:
        for matrix, start, wanted, count in ROTATIONS:
            tumble.compat = "4.0"
            quat = np.array(start, float)
            assert tumble.mju_mat2Rot(quat, matrix.ravel().astype(float)) == count, (matrix, start)
            assert min(np.abs(quat - wanted).max(), np.abs(quat + wanted).max()) < ROUND, (matrix, start, quat)
        tumble.compat = "3.4"
        quat = np.array([0.0, 1, 0, 0])
        assert tumble.mju_mat2Rot(quat, np.eye(3).ravel()) == 0 and list(quat) == [0, 1, 0, 0]
    finally:
        tumble.compat = None


def test_key_frames_describe_all_replicas():
    text = (
        "<mujoco><worldbody><replicate count='3' offset='1 0 0'><body><joint name='j'/><geom size='.1'/></body>"
        "</replicate></worldbody>"
        "<keyframe><key name='k' qpos='1 2 3'/><key/></keyframe></mujoco>"
    )
    m = tumble.MjModel.from_xml_string(text, compat="4.0")
    assert m.nkey == 2 and m.key_qpos.tolist() == [[1, 2, 3], [0, 0, 0]] and m.key(0).name == "k"
    with pytest.raises(ValueError, match="qpos"):
        tumble.MjModel.from_xml_string(text)


def test_elements_have_the_compiler_that_they_were_read_with():
    parent = tumble.MjSpec.from_string("<mujoco/>")
    child = tumble.MjSpec.from_string(
        "<mujoco><compiler angle='radian' eulerseq='zyx'/><worldbody><body name='b'><geom name='g' size='.1'/>"
        "</body></worldbody></mujoco>"
    )
    parent.attach(child, prefix="x_", frame=parent.worldbody.add_frame())
    found = parent.geom("x_g").compiler
    assert (bool(found.degree), "".join(found.eulerseq), bool(parent.compiler.degree)) == (False, "zyx", True)
    assert parent.worldbody.add_geom(size=[1, 0, 0]).compiler.degree


def test_moments_by_name_are_dense():
    """Moments by name are dense. Arrays of rows and contacts that do not exist yet are empty."""
    m = tumble.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='i'/><geom size='.1'/><body><joint name='j'/><geom size='.1'/></body>"
        "</body></worldbody>"
        "<actuator><motor name='a' joint='j' gear='3'/></actuator></mujoco>"
    )
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    assert d.actuator("a").moment.ravel().tolist() == [0, 3]
    assert not tumble.MjData(m).efc_J.size and not tumble.MjData(m).contact.dist.size


def test_islands_take_memory_in_proportion():
    """A chain of trees is one island, two chains are two; the search time grows with the trees, not with their pairs."""
    sizes = {}
    for count in (60, 240):
        bodies = "".join(f"<body name='b{k}' pos='{k} 0 0'><freejoint/><geom size='.1'/></body>" for k in range(count))
        ties = "".join(f"<connect body1='b{k}' body2='b{k + 1}' anchor='.5 0 0'/>" for k in range(count - 1) if k != 20)
        m = tumble.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody><equality>{ties}</equality></mujoco>")
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        assert d.nisland == 2 and np.array_equal(d.tree_island[: m.ntree], np.arange(m.ntree) > 20)
        sizes[count] = sum(d.array(f.name).nbytes for f in d.schema.arrays if f.dims[0] == "ntree")
    assert sizes[240] == 4 * sizes[60]


def test_paths_of_any_script(tmp_path):
    folder = tmp_path / "Größe 模型"
    folder.mkdir()
    (folder / "каркас.obj").write_bytes(OBJ)
    path = folder / "ロボット.xml"
    path.write_text(
        "<mujoco><asset><mesh name='m' file='каркас.obj'/></asset><worldbody><body><joint/><geom type='mesh' "
        "mesh='m'/></body></worldbody></mujoco>",
        "utf-8",
    )
    m = tumble.MjModel.from_xml_path(str(path))
    tumble.mj_saveModel(m, str(folder / "é.mjb"), None)
    assert m.nmeshvert == 4 and tumble.MjModel.from_binary_path(str(folder / "é.mjb")).nmeshvert == 4


def test_sums_of_forces_have_no_velocity():
    text = BALL.replace("</worldbody>", "</worldbody><sensor><contact data='found linvel' reduce='{}'/></sensor>")
    spec = tumble.MjSpec.from_string(text.format("maxforce"))
    assert list(tumble.MjModel.from_xml_string(spec.to_xml()).sensor_dim) == list(spec.compile().sensor_dim) == [4]
    with pytest.raises(ValueError, match="netforce"):
        tumble.MjModel.from_xml_string(text.format("netforce"))


def work(count):
    """Count the calls of functions that adding and naming a number of geoms takes."""
    calls = 0

    def note(frame, event, arg):
        nonlocal calls
        calls += event in ("call", "c_call")

    spec, before = tumble.MjSpec(), sys.getprofile()
    sys.setprofile(note)
    try:
        for k in range(count):
            spec.worldbody.add_geom(name=f"g{k}", size=[0.1, 0, 0])
    finally:
        sys.setprofile(before)
    assert spec.compile().ngeom == count
    return calls


def test_editing_takes_work_in_proportion():
    few, many = work(200), work(1600)
    assert many < 8 * few * MORE


# time that a growing table may take in addition
MORE = 1.2


def test_conflicts_of_settings_are_told():
    """Different settings of an attached model are reported if the compiler has `conflict`; otherwise they are ignored, as
    before. A refused model changes nothing.
    """
    told = []
    tumble.set_mju_user_warning(told.append)
    try:
        for policy, count in (("", 0), ("conflict='warning'", 1), ("conflict='merge'", 1)):
            told.clear()
            spec = tumble.MjSpec.from_string(
                f"<mujoco><compiler {policy}/><option iterations='7'/><worldbody><frame name='f'/></worldbody></mujoco>"
            )
            child = tumble.MjSpec.from_string(
                "<mujoco><option iterations='9' tolerance='1e-9'/><worldbody><body name='b'/></worldbody></mujoco>"
            )
            spec.frame("f").attach_body(child.body("b"), "x", "")
            assert len(told) == count and all(
                "iterations: parent has 7, child has 9" in text and "tolerance: parent has 1e-08 (default)" in text
                for text in told
            )
    finally:
        tumble.set_mju_user_warning(None)
    spec.compiler.conflict = 2
    with pytest.raises(ValueError, match="policy is 'error'\niterations: parent has 9, child has 11"):
        child = tumble.MjSpec.from_string("<mujoco><option iterations='11'/><worldbody><body name='b'/></worldbody></mujoco>")
        spec.frame("f").attach_body(child.body("b"), "y", "")
    assert spec.body("yb") is None and child.body("b").parent is child.worldbody and spec.compile().nbody == 2


# from 4.0.1: warnings after a forward evaluation and a step
WARNED = {"Euler": 2, "implicitfast": 3, "implicit": 3, "RK4": 5}


@pytest.mark.parametrize("integrator", WARNED)
def test_singular_inertias_are_warned_of(integrator):
    """Each factorization of a singular inertia counts one warning. It names the first dof whose pivot was raised."""
    m = tumble.MjModel.from_xml_string(
        f"<mujoco><option integrator='{integrator}'/><worldbody><body><joint/><joint/><geom size='.1' pos='.3 0 0'/></body>"
        "</worldbody></mujoco>",
        compat="4.0",
    )
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    warning = d.warning[tumble.mjtWarning.mjWARN_INERTIA]
    assert warning.number == 1 and warning.lastinfo == 0 and np.isfinite(d.qacc).all()
    tumble.mj_step(m, d)
    assert warning.number == WARNED[integrator]


def test_lost_pivots_leave_zeros():
    """A pivot that is raised has zeros below it, since 3.14."""
    start = np.array([[1e-16, 0.3, 0.2], [0.3, 4.0, 0.1], [0.2, 0.1, 3.0]])
    older, later = start.copy(), start.copy()
    assert tumble.mju_cholFactor(older, 1e-15) == 0 and older[1, 0] > 1
    # from 4.0.1
    assert newer.mju_cholFactor(later, 1e-15) == 2
    assert np.allclose(np.tril(later), [[1e-15**0.5, 0, 0], [0, 2, 0], [0, 0.05, 1.73132897]], atol=1e-8)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_newton_solves_without_lost_rows(jacobian):
    """With friction on three joints, two of which are almost parallel, forces are those of 4.0.1."""
    axes = "".join(f"<joint axis='{axis}' frictionloss='.1'/>" for axis in ("1 0 0", "1e-8 1 0", "0 1 0"))
    m = tumble.MjModel.from_xml_string(
        f"<mujoco><option jacobian='{jacobian}' gravity='0 0 0'/><worldbody><body>{axes}<inertial pos='0 0 0' mass='1' "
        "diaginertia='1 1 1'/></body></worldbody></mujoco>",
        compat="4.0",
    )
    d = tumble.MjData(m)
    d.qvel[:] = 0.1, 0.2, 0.3
    tumble.mj_forward(m, d)
    assert np.isfinite(d.qacc).all() and np.allclose(d.qfrc_constraint, (-0.1, 0, 0), atol=1e-8)


def test_singular_worlds_leave_their_lanes():
    """Worlds of a batch whose inertia is singular make the same steps and warnings as a Data on its own."""
    text = "<mujoco><worldbody><body><joint/><joint/><geom size='.1' pos='.3 0 0'/></body></worldbody></mujoco>"
    m = tumble.MjModel.from_xml_string(text, compat="4.0")
    batch, d = Batch(m, 2, nthread=1, lanes=True), tumble.MjData(m)
    batch.step(nstep=3)
    tumble.mj_step(m, d, 3)
    world = batch.get_data(1)
    assert np.array_equal(world.qpos, d.qpos) and world.warning[0].number == d.warning[0].number == 3
