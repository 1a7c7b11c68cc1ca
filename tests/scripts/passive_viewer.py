"""A script with its own loop shows its simulation in a window."""

import pathlib
import sys
import time

import tumble as mujoco
import tumble.viewer

MODEL = pathlib.Path(__file__).with_name("model.xml")


def pressed(keycode: int) -> None:
    print("key", keycode)


def main(seconds: float = 5.0) -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    with mujoco.viewer.launch_passive(model, data, key_callback=pressed, show_right_ui=False) as viewer:
        viewer.cam.distance = 4.0
        viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_JOINT] = 1
        viewer.set_texts((mujoco.mjtFontScale.mjFONTSCALE_150, mujoco.mjtGridPos.mjGRID_TOPLEFT, "time", "0"))
        while viewer.is_running() and data.time < seconds:
            begin = time.time()
            mujoco.mj_step(model, data)
            with viewer.lock():
                viewer.opt.geomgroup[0] = 1
            viewer.user_scn.ngeom = 0
            viewer.sync()
            time.sleep(max(0.0, model.opt.timestep - (time.time() - begin)))
        print(viewer.viewport.width > 0, viewer.perturb.select)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
