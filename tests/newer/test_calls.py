"""Functions that later releases added, and calls that they changed."""
import numpy as np
import pytest

import tumble

SHAPES = "".join(f"<geom type='{kind}' size='1 1 1' {more}/>" for kind, more in (
    ("plane", ""), ("hfield", "hfield='h'"), ("sphere", ""), ("capsule", ""), ("ellipsoid", ""), ("cylinder", ""), ("box", ""), ("mesh", "mesh='p'")))
ALL = ("<mujoco><asset><mesh name='p' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
       f"<worldbody>{SHAPES}</worldbody></mujoco>")
# of 4.0.1, by the order of the shapes above: with several contacts of convex pairs, and without
MANY = """0 0 1 2 1 4 4 4   0 0 50 50 50 50 50 50   1 50 1 1 1 1 1 1   2 50 1 2 1 2 4 2   1 50 1 1 1 1 1 1   4 50 1 2 1 4 4 4   4 50 1 4 1 4 8 4   4 50 1 2 1 4 4 4"""
FEW = """0 0 1 2 1 4 4 4   0 0 50 50 50 50 50 50   1 50 1 1 1 1 1 1   2 50 1 2 1 1 4 1   1 50 1 1 1 1 1 1   4 50 1 1 1 1 1 1   4 50 1 4 1 1 8 1   4 50 1 1 1 1 1 1"""
MULTICCD = int(tumble.mjtEnableBit.mjENBL_MULTICCD)
SLEEPY = "<mujoco><option><flag sleep='enable'/></option><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.mark.parametrize(("compat", "counts"), [("4.0", MANY), ("3.4", FEW)])
def test_most_contacts_of_a_pair(compat, counts):
    m = tumble.MjModel.from_xml_string(ALL, compat=compat)
    assert bool(m.opt.enableflags & MULTICCD) == (compat == "4.0")
    found = [tumble.mj_maxContact(m, a, b, -1) for a in range(m.ngeom) for b in range(m.ngeom)]
    assert found == [int(n) for n in counts.split()]
    with pytest.raises(tumble.FatalError):
        tumble.mj_maxContact(m, 0, m.ngeom, 0)


def test_a_symmetric_matrix_from_its_lower_triangle():
    m = tumble.MjModel.from_xml_string(SLEEPY.replace("<geom", "<geom pos='.1 .2 .3'"))
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    full, found = np.zeros((m.nv, m.nv)), np.ones((m.nv, m.nv))
    tumble.mj_fullM(m, full, d.qM)
    tumble.mju_sym2dense(found, d.M, m.M_rownnz, m.M_rowadr, m.M_colind)
    assert np.array_equal(full, found) and np.abs(full - np.diag(np.diag(full))).max() > 0
    with pytest.raises(TypeError, match="square"):
        tumble.mju_sym2dense(np.zeros((2, 3)), d.M, m.M_rownnz, m.M_rowadr, m.M_colind)


def test_options_are_assigned_in_place():
    m, other = (tumble.MjModel.from_xml_string(SLEEPY) for _ in range(2))
    other.opt.timestep, other.vis.map.znear, other.stat.extent = 0.5, 0.25, 7.0
    kept = m.opt, m.vis, m.stat
    m.opt, m.vis, m.stat = other.opt, other.vis, other.stat
    assert kept == (m.opt, m.vis, m.stat) and (kept[0].timestep, kept[1].map.znear, kept[2].extent) == (0.5, 0.25, 7.0)


def test_differences_are_refused_if_trees_may_fall_asleep():
    for compat, refused in (("3.4", False), ("4.0", True)):
        m = tumble.MjModel.from_xml_string(SLEEPY, compat=compat)
        d, A = tumble.MjData(m), np.zeros((12, 12))
        if refused:
            with pytest.raises(tumble.FatalError, match="sleeping"):
                tumble.mjd_transitionFD(m, d, 1e-6, 0, A, None, None, None)
        else:
            tumble.mjd_transitionFD(m, d, 1e-6, 0, A, None, None, None)
            assert A[0, 0] == pytest.approx(1)


def test_normals_of_polygons_are_those_of_their_outlines():
    """The normal of a polygon is along the sum of the areas that its edges span, which its first corners give only if it is flat to rounding."""
    ring = [(round(np.cos(k), 3), round(np.sin(k), 3)) for k in np.arange(9) * 2 * np.pi / 9]
    points = " ".join(f"{x} {y} {z + 1e-5 * x * x}" for z in (0, 1) for x, y in ring)
    xml = f"<mujoco><asset><mesh name='p' vertex='{points}'/></asset><worldbody><geom type='mesh' mesh='p'/></worldbody></mujoco>"
    off = {}
    for compat in ("3.4", "4.0"):
        m = tumble.MjModel.from_xml_string(xml, compat=compat)
        assert m.mesh_polyvertnum.max() > 3
        off[compat] = 0.0
        for k in range(m.nmeshpoly):
            corners = m.mesh_vert[m.mesh_polyvert[m.mesh_polyvertadr[k]:][:m.mesh_polyvertnum[k]]].astype(float)
            area = np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0]).sum(0)
            off[compat] = max(off[compat], np.abs(area / np.linalg.norm(area) - m.mesh_polynormal[k]).max())
    assert off["4.0"] < SINGLE < off["3.4"]


# what vertices in single precision leave
SINGLE = 1e-6
