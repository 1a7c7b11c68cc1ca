# %% [markdown]
# # Robots: an arm from URDF picks up a cube
#
# We import an arm from a URDF file, add a gripper, a table and a cube, find joint angles by inverse kinematics, and let the
# arm carry the cube from one mark to another.

# %%
import pathlib
import tempfile

import numpy as np
from PIL import Image

import tumble as mujoco

# %% [markdown]
# The base of the arm turns, and three more joints keep the hand upright. Use the path of your own robot's file in the same
# way. With `actuators="position"`, each joint gets a servo with gains for the inertia that it moves.

# %%
# name of the link, its length, mass; name of its joint, axis, distance from the joint before, range
ROWS = (
    ("base", 0.10, 2.0, "turn", "0 0 1", 0.0, 3.1),
    ("upper", 0.30, 1.5, "shoulder", "0 1 0", 0.10, 2.0),
    ("fore", 0.28, 1.0, "elbow", "0 1 0", 0.30, 2.6),
    ("hand", 0.08, 0.4, "wrist", "0 1 0", 0.28, 2.6),
)
urdf, parent = '<robot name="picker"><link name="stand"/>', "stand"
for name, length, mass, joint, axis, distance, reach in ROWS:
    round_, across = mass * length**2 / 12 + 1e-4, mass * 6e-4
    urdf += f"""
    <link name="{name}">
      <inertial><origin xyz="0 0 {length / 2}"/><mass value="{mass}"/>
        <inertia ixx="{round_}" iyy="{round_}" izz="{across}" ixy="0" ixz="0" iyz="0"/></inertial>
      <visual><origin xyz="0 0 {length / 2}"/><geometry><cylinder radius=".03" length="{length}"/></geometry></visual>
    </link>
    <joint name="{joint}" type="revolute"><origin xyz="0 0 {distance}"/><parent link="{parent}"/><child link="{name}"/>
      <axis xyz="{axis}"/><limit lower="{-reach}" upper="{reach}" effort="80" velocity="3"/></joint>"""
    parent = name
file = pathlib.Path(tempfile.mkdtemp()) / "picker.urdf"
file.write_text(urdf + "</robot>")

spec = mujoco.import_model(file, actuators="position")
print([a.name for a in spec.actuators], "repairs:", len(spec.import_report.entries))

# %% [markdown]
# The imported model is an `MjSpec`, so we add to it what the file does not have: two fingers with a servo each, a table with
# two marks, and a cube. Controllers of real arms compensate gravity; `gravcomp` does so here.

# %%
for name, *_ in ROWS:
    spec.body(name).gravcomp = 1
hand = spec.body("hand")
hand.add_site(name="grip", pos=[0, 0, 0.13])
for name, side in (("left", 1), ("right", -1)):
    finger = hand.add_body(name=name, pos=[0, 0.05 * side, 0.11])
    finger.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, -side, 0], range=[0, 0.04], damping=5, armature=0.1)
    finger.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.015, 0.006, 0.04], mass=0.05, friction=[1.5, 0.05, 0.001], condim=4,
        rgba=[0.2, 0.22, 0.25, 1],
    )  # fmt: skip
    spec.add_actuator(
        name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, biastype=mujoco.mjtBias.mjBIAS_AFFINE,
        gainprm=[400] + 9 * [0], biasprm=[0, -400] + 8 * [0],
    )  # fmt: skip

FROM, TO = np.array([0.35, 0.22]), np.array([0.35, -0.22])
world = spec.worldbody
world.add_light(pos=[0.5, -0.5, 1.5], dir=[-0.2, 0.4, -1])
spec.visual.headlight.ambient = [0.4, 0.4, 0.4]
spec.add_texture(
    name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
    rgb1=[0.8, 0.85, 0.9], rgb2=[0.5, 0.6, 0.7], width=64, height=384,
)  # fmt: skip
world.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], rgba=[0.75, 0.7, 0.62, 1])
for at, color in ((FROM, [0.3, 0.5, 0.8, 1]), (TO, [0.3, 0.7, 0.4, 1])):
    world.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.06, 0.001, 0], pos=[*at, 0.001], rgba=color, contype=0, conaffinity=0
    )
cube = world.add_body(name="cube", pos=[*FROM, 0.025])
cube.add_freejoint()
cube.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.025] * 3, mass=0.1, rgba=[0.9, 0.35, 0.2, 1], condim=4)
spec.option.timestep, spec.option.integrator = 0.002, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
model = spec.compile()
data = mujoco.MjData(model)

# %% [markdown]
# Inverse kinematics: which joint angles bring the grip to a point, with the fingers down? `mj_jacSite` says how the grip moves
# with each joint. Damped least squares turn the error into a small change of the angles, until the error is small.

# %%
site, arm = model.site("grip").id, slice(0, 4)
scratch = mujoco.MjData(model)


def angles_for(point, guess):
    """The angles at which the grip is at a point."""
    scratch.qpos[:] = data.qpos
    scratch.qpos[arm] = guess
    jac, turn = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    for _ in range(100):
        mujoco.mj_fwdPosition(model, scratch)
        down = np.cross(scratch.site_xmat[site].reshape(3, 3)[:, 2], [0, 0, -1])
        error = np.concatenate([point - scratch.site_xpos[site], down])
        mujoco.mj_jacSite(model, scratch, jac, turn, site)
        J = np.vstack([jac, turn])[:, arm]
        scratch.qpos[arm] += J.T @ np.linalg.solve(J @ J.T + 1e-4 * np.eye(6), error)
    assert np.linalg.norm(error[:3]) < 1e-3, "the point is out of reach"
    return scratch.qpos[arm].copy()


# %% [markdown]
# The task is a list of points, each with a height and whether the gripper is closed there. Between two points, the targets of
# the servos change at a constant rate.

# %%
HIGH, LOW = 0.2, 0.03
TASK = (
    (FROM, HIGH, 0),
    (FROM, LOW, 0),
    (FROM, LOW, 1),
    (FROM, HIGH, 1),
    (TO, HIGH, 1),
    (TO, LOW, 1),
    (TO, LOW, 0),
    (TO, HIGH, 0),
)
ready = angles_for(np.array([0.35, 0, 0.25]), np.array([0, 0.3, 1.6, 1.2]))
data.qpos[arm] = data.ctrl[arm] = ready
pixels = None
with mujoco.Renderer(model, 240, 320) as renderer:
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = [0.2, 0, 0.2], 1.3, 150, -20
    now, was_closed = ready, 0
    for where, height, closed in TASK:
        goal = angles_for(np.array([*where, height]), now)
        for s in np.linspace(0, 1, 350):
            data.ctrl[arm] = now + (goal - now) * min(1.0, 1.2 * s)
            data.ctrl[4:] = 0.04 * (was_closed + (closed - was_closed) * s)
            mujoco.mj_step(model, data)
        now, was_closed = goal, closed
        x, y, z = data.body("cube").xpos
        print(f"{data.time:3.1f} s: the cube is at {x:.2f}, {y:+.2f}, {z:.2f} m")
        if (where is TO) and height == HIGH and closed:
            renderer.update_scene(data, camera)
            pixels = renderer.render()
gap = np.linalg.norm(data.body("cube").xpos[:2] - TO)
print(f"the cube lies {1000 * gap:.0f} mm from the middle of the mark")
assert gap < 0.03 and data.body("cube").xpos[2] < 0.03

# %% [markdown]
# The arm above the second mark:

# %%
Image.fromarray(pixels)
