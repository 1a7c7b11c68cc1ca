# %% [markdown]
# # Editing: models made by a program
#
# An `MjSpec` is a model that can still be changed. Elements are added, changed, copied from other models and removed; `compile`
# makes the model that is stepped, `to_xml` the file.

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
# A chain, each link in the one before, with a motor on every joint.

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
# Another model is attached at a frame; its names get a prefix. The state of what was there is kept by `recompile`.

# %%
humanoid = mujoco.MjSpec.from_file(located("humanoid"))
frame = spec.worldbody.add_frame(pos=[0, 1.5, 0])
spec.attach(humanoid, prefix="h_", frame=frame)
model, data = spec.recompile(model, data)
print(f"{model.nbody} bodies and {model.nu} actuators at {data.time:.2f} s")
assert data.time > 0.9 and model.body("h_head").id > 0

# %% [markdown]
# What is not wanted goes, with all that refers to it. The file is like any other.

# %%
for k in reversed(range(LINKS - 2, LINKS)):
    spec.delete(spec.body(f"link{k}"))
model = spec.compile()
print(f"{model.nbody} bodies, {len(spec.to_xml().splitlines())} lines of XML")
assert model.nu == LINKS - 2 + 24
