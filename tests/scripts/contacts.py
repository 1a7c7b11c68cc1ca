"""Contacts: which geoms touch, and with which force."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    while data.ncon == 0 and data.time < 2:
        mujoco.mj_step(model, data)
    mujoco.mj_step(model, data, 200)
    force = np.zeros(6)
    for k, contact in enumerate(data.contact):
        first, second = (mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, g) for g in contact.geom)
        mujoco.mj_contactForce(model, data, k, force)
        frame = contact.frame.reshape(3, 3)
        print(first, second, round(contact.dist, 5), (frame.T @ force[:3]).round(2), contact.geom1 < contact.geom2)
    pairs = {(int(a), int(b)) for a, b in data.contact.geom}
    distance = mujoco.mj_geomDistance(model, data, model.geom("box").id, model.geom("ball").id, 2.0, None)
    hit = np.zeros(1, np.int32)
    down = mujoco.mj_ray(model, data, [0, 0, 3], [0, 0, -1], None, 1, -1, hit)
    print(len(pairs), distance > 0, down, data.efc_force[: data.nefc].max(), model.geom(int(hit[0])).name)


if __name__ == "__main__":
    main()
