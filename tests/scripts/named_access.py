"""Elements by name, models changed while they run, copies and files."""

import copy
import pathlib
import pickle
import tempfile

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    ball = model.geom("ball")
    ball.rgba = [1, 0, 0, 1]
    ball.friction[0] *= 2
    model.body("ball").mass *= 3
    mujoco.mj_setConst(model, data)
    data.joint("fall").qpos[:3] = [1, 0, 1]
    data.joint("fall").qvel = 0
    data.actuator("push").ctrl = 0.3
    mujoco.mj_step(model, data, 10)
    print(
        data.body("ball").xpos,
        data.geom("ball").xpos,
        model.joint("hinge").dofadr[0],
        model.jnt("slide").type[0] == mujoco.mjtJoint.mjJNT_SLIDE,
    )
    print(
        model.actuator(0).name,
        model.key("tilted").qpos.shape,
        model.names.split(b"\0")[0],
        model.stat.extent,
        model.vis.map.zfar,
    )
    other, again = copy.deepcopy(model), pickle.loads(pickle.dumps(model))
    assert np.array_equal(other.geom_rgba, again.geom_rgba) and other.body_mass[3] == model.body_mass[3]
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder) / "model.mjb")
        mujoco.mj_saveModel(model, file, None)
        assert mujoco.MjModel.from_binary_path(file).nbody == model.nbody
        mujoco.mj_saveLastXML(str(pathlib.Path(folder) / "model.xml"), model)
    try:
        mujoco.MjModel.from_xml_string("<mujoco><nothing/></mujoco>")
    except ValueError as error:
        print("refused:", str(error).splitlines()[0])


if __name__ == "__main__":
    main()
