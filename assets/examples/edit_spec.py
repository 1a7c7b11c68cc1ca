# %% [markdown]
# # Editing: build models in a program
#
# An `MjSpec` is a model that you can still change. You can add, change, copy and remove elements. `compile` returns the model
# to step, and `to_xml` the text of the file.

# %%
import tumble as mujoco
from tumble.ui.examples import located

LINKS, LENGTH = 8, 0.12

spec = mujoco.MjSpec()
spec.modelname = "tentacle"
spec.option.timestep = 0.002
spec.worldbody.add_light(pos=[0, 0, 3])
spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1])

# %% [markdown]
# First we make a chain. Each link is a child of the link before, and each joint has a servo.

# %%
body = spec.worldbody.add_body(name="base", pos=[0, 0, 1.2])
for k in range(LINKS):
    body = body.add_body(name=f"link{k}", pos=[LENGTH if k else 0, 0, 0])
    joint = body.add_joint(name=f"joint{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, k % 2 == 0, k % 2], damping=0.05)
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=[0, 0, 0, LENGTH, 0, 0],
        size=[0.03 - 0.002 * k, 0, 0],
        rgba=[0.9, 0.3 + 0.08 * k, 0.3, 1],
    )
    servo = spec.add_actuator(name=f"servo{k}", target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    servo.set_to_position(kp=2.0)
model = spec.compile()
data = mujoco.MjData(model)
mujoco.mj_step(model, data, 500)
print(f"{model.nbody} bodies, tip at {data.body(f'link{LINKS - 1}').xpos.round(2)}")

# %% [markdown]
# Then we attach another model at a frame. Its names get a prefix. `recompile` keeps the state of the elements that were there
# before.

# %%
humanoid = mujoco.MjSpec.from_file(located("humanoid"))
frame = spec.worldbody.add_frame(pos=[0, 1.5, 0])
spec.attach(humanoid, prefix="h_", frame=frame)
model, data = spec.recompile(model, data)
print(f"{model.nbody} bodies and {model.nu} actuators at {data.time:.2f} s")
assert data.time > 0.9 and model.body("h_head").id > 0

# %% [markdown]
# Finally we delete elements. Other elements that refer to them are deleted, too. You can save the result as an ordinary file.

# %%
for k in reversed(range(LINKS - 2, LINKS)):
    spec.delete(spec.body(f"link{k}"))
model = spec.compile()
print(f"{model.nbody} bodies, {len(spec.to_xml().splitlines())} lines of XML")
assert model.nu == LINKS - 2 + 24
