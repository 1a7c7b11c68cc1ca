"""Not to be run: every marked line has a mistake that type checkers must report, and no other line has one."""

import tumble as mujoco
import tumble.viewer

model = mujoco.MjModel.from_xml_path("model.xml")
data = mujoco.MjData(model)
mujoco.mj_stepp(model, data)  # wrong: no such function
mujoco.mj_step(model)  # wrong: an argument is missing
mujoco.mj_step(data, model)  # wrong: arguments are swapped
mujoco.mj_jacBody(model, data, None, None)  # wrong: an argument is missing
mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, 3)  # wrong: a number for a name
print(data.qposs)  # wrong: no such field
print(model.opt.timesteps)  # wrong: no such option
print(model.vis.map.fogg)  # wrong: no such member
print(mujoco.mjtGeom.mjGEOM_BALL)  # wrong: no such member
print(model.body("cart").masss)  # wrong: no such attribute
print(data.contact[0].distance)  # wrong: no such member
model.nq = 3  # wrong: a size cannot be set
model.opt.timestep = "fast"  # wrong: a text for a number
spec = mujoco.MjSpec()
spec.worldbody.add_geom(tipe=mujoco.mjtGeom.mjGEOM_BOX)  # wrong: no such keyword
spec.worldbody.add_body(pos=[0, 0, 1]).add_joint(type=3)  # wrong: a number for an enumeration
spec.compile(model)  # wrong: too many arguments
renderer = mujoco.Renderer(model, 240, 320, True, 2.0, 1)  # wrong: a number for the name of the lighting
mujoco.viewer.launch_passive(model)  # wrong: an argument is missing
mujoco.viewer.launch_passive(model, data).synch()  # wrong: no such method
mujoco.set_mjcb_control(3)  # wrong: not a function
