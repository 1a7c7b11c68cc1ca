"""Pictures, depth and segmentation of a scene with additional geoms of the script."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    option = mujoco.MjvOption()
    mujoco.mjv_defaultOption(option)
    option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = True
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    camera.distance, camera.azimuth = 3.0, 90
    camera.lookat[:] = [0, 0, 0.5]
    with mujoco.Renderer(model, height=120, width=160) as renderer:
        renderer.update_scene(data, camera="side", scene_option=option)
        scene = renderer.scene
        scene.ngeom += 1
        mujoco.mjv_initGeom(
            scene.geoms[scene.ngeom - 1],
            mujoco.mjtGeom.mjGEOM_SPHERE,
            [0.1, 0, 0],
            [0, 0, 1],
            np.eye(3).flatten(),
            [1, 0, 0, 1],
        )
        pixels = renderer.render()
        renderer.enable_depth_rendering()
        renderer.update_scene(data, camera)
        depth = renderer.render()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, camera=model.camera("side").id)
        segments = renderer.render()
    print(pixels.shape, pixels.dtype, depth.min() > 0, np.unique(segments[:, :, 0]).size)


if __name__ == "__main__":
    main()
