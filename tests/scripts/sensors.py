"""Sensors by name, and their numbers in sensordata."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def read(model: mujoco.MjModel, data: mujoco.MjData, name: str) -> np.ndarray:
    sensor = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SENSOR, name)
    begin, count = model.sensor_adr[sensor], model.sensor_dim[sensor]
    return data.sensordata[begin : begin + count]


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 5)
    mujoco.mj_forward(model, data)
    for i in range(model.nsensor):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SENSOR, i)
        kind = mujoco.mjtSensor(model.sensor_type[i]).name
        print(f"{name:8} {kind:28} {read(model, data, name)}")
        assert np.array_equal(read(model, data, name), data.sensor(name).data)
    assert np.allclose(data.sensor("tip").data, data.site("tip").xpos)
    print(mujoco.mju_type2Str(mujoco.mjtObj.mjOBJ_SENSOR), model.sensor("felt").noise[0])


if __name__ == "__main__":
    main()
