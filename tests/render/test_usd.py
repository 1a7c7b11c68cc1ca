"""Scenes as USD files, where usd-core is installed."""

import numpy as np
import pytest

import tumble

pytest.importorskip("pxr.Usd")
XML = """<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="m" texture="t"/>
<mesh name="tetra" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3"/></asset><worldbody><light pos="0 0 3"/>
  <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
<geom type="plane" size="1 1 .1" material="m"/><body name="b" pos="0 0 1"><freejoint/><geom name="ball" size=".1"/>
  <geom type="capsule" size=".1 .2"/>
<geom type="ellipsoid" size=".1 .2 .3"/><geom type="cylinder" size=".1 .2"/><geom type="box" size=".1 .2 .3"/>
  <geom type="mesh" mesh="tetra"/>
<site name="s"/><site name="e" pos="0 0 .5"/></body></worldbody><tendon><spatial><site site="s"/><site site="e"/></spatial>
  </tendon></mujoco>"""


def test_a_falling_ball_moves_in_the_file(tmp_path):
    from pxr import Usd, UsdGeom

    from tumble.usd.exporter import USDExporter

    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    exporter = USDExporter(m, output_directory_root=str(tmp_path), camera_names=["side"], verbose=False)
    heights = []
    for _ in range(3):
        tumble.mj_step(m, d, 20)
        exporter.update_scene(d)
        heights.append(float(d.geom("ball").xpos[2]))
    exporter.add_light(pos=[1, 2, 3], intensity=5)
    exporter.add_camera(pos=[1, 2, 3], rotation_xyz=[0, 0, 0])
    exporter.save_scene("usda")
    stage = Usd.Stage.Open(str(tmp_path / "mujoco_usdpkg" / "frames" / "frame_3.usda"))
    ball = UsdGeom.Xformable(stage.GetPrimAtPath("/World/Mesh_Xform_ball_id1_geom"))
    found = [ball.ComputeLocalToWorldTransform(t).ExtractTranslation()[2] for t in range(3)]
    assert np.array_equal(np.float32(found), np.float32(heights)) and found[2] < found[0]
    assert (tmp_path / "mujoco_usdpkg" / "assets" / "texture_0.png").exists() and "Camera_side" in exporter.usd
