"""A model built and changed in code: MjSpec."""

import pathlib

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")


def leg(spec: mujoco.MjSpec, body: mujoco.MjsBody, name: str, x: float) -> mujoco.MjsBody:
    child = body.add_body(name=name, pos=[x, 0, -0.1])
    child.add_joint(name=f"{name}_hip", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0], range=[-45, 45])
    child.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, -0.3], size=[0.02, 0, 0], rgba=[1, 0, 0, 1])
    motor = spec.add_actuator(name=f"{name}_motor", target=f"{name}_hip", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.set_to_position(kp=20.0)
    motor.ctrlrange = [-1, 1]
    return child


def main() -> None:
    spec = mujoco.MjSpec()
    spec.modelname = "biped"
    spec.option.timestep = 0.002
    spec.compiler.degree = 1
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 0.1], material="grey")
    spec.add_material(name="grey", rgba=[0.5, 0.5, 0.5, 1])
    trunk = spec.worldbody.add_body(name="trunk", pos=[0, 0, 0.6])
    trunk.add_freejoint(name="root")
    geom = trunk.add_geom(size=[0.1, 0.1, 0.1], type=mujoco.mjtGeom.mjGEOM_BOX)
    geom.mass = 3
    geom.pos[2] = 0.05
    for name, x in (("left", -0.1), ("right", 0.1)):
        leg(spec, trunk, name, x)
    site = trunk.add_site(name="imu")
    spec.add_sensor(name="acc", type=mujoco.mjtSensor.mjSENS_ACCELEROMETER, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="imu")
    key = spec.add_key(name="high")
    key.qpos = [0, 0, 1, 1, 0, 0, 0, 0, 0]
    model = spec.compile()
    data = mujoco.MjData(model)
    other = mujoco.MjSpec.from_file(str(MODEL))
    other.body("pole").first_geom().rgba = [0, 1, 0, 1]
    for joint in other.joints:
        joint.damping = 0.5
    frame = spec.worldbody.add_frame(pos=[0, 1, 0])
    spec.attach(other, prefix="cart_", frame=frame)
    model, data = spec.recompile(model, data)
    print(model.nbody, model.bind(site).id, [b.name for b in spec.bodies], len(spec.to_xml()) > 100)
    spec.delete(spec.body("left"))
    assert spec.compile().nu == 2


if __name__ == "__main__":
    main()
