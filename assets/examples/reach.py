# %% [markdown]
# # Biomechanics: muscles move a hand along a circle
#
# Six muscles move an arm with two joints. More muscles than joints: many activations give the same motion. In each step, we
# compute the torques that the motion needs, and then the smallest activations whose muscle forces give these torques.

# %%
import numpy as np
from scipy.optimize import lsq_linear

import tumble as mujoco

XML = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast" gravity="0 0 0"/>
  <default>
    <geom contype="0" conaffinity="0" density="1000"/><joint axis="0 0 1" damping="0.2" limited="true"/>
    <site size="0.005"/><muscle ctrlrange="0 1" force="40" timeconst="0.01 0.02"/>
  </default>
  <worldbody>
    <site name="s1" pos="-0.04 0.12 0"/><site name="s2" pos="-0.04 -0.12 0"/>
    <geom name="shoulder" type="cylinder" size="0.04 0.02" pos="0 0 0"/><site name="side1" pos="0 0.06 0"/>
    <site name="side2" pos="0 -0.06 0"/>
    <body name="upper">
      <joint name="shoulder" range="-60 120"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/>
      <site name="u1" pos="0.15 0.03 0"/><site name="u2" pos="0.15 -0.03 0"/>
      <geom name="elbow" type="cylinder" size="0.03 0.02" pos="0.3 0 0"/>
      <site name="side3" pos="0.3 0.05 0"/><site name="side4" pos="0.3 -0.05 0"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" range="0 150"/>
        <geom type="capsule" size="0.016" fromto="0 0 0 0.3 0 0"/>
        <site name="l1" pos="0.1 0.02 0"/><site name="l2" pos="0.1 -0.02 0"/><site name="hand" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="shoulder_flexor"><site site="s1"/><geom geom="shoulder" sidesite="side1"/><site site="u1"/></spatial>
    <spatial name="shoulder_extensor"><site site="s2"/><geom geom="shoulder" sidesite="side2"/><site site="u2"/></spatial>
    <spatial name="elbow_flexor"><site site="u1"/><geom geom="elbow" sidesite="side3"/><site site="l1"/></spatial>
    <spatial name="elbow_extensor"><site site="u2"/><geom geom="elbow" sidesite="side4"/><site site="l2"/></spatial>
    <spatial name="both_flexor">
      <site site="s1"/><geom geom="shoulder" sidesite="side1"/><site site="u1"/><geom geom="elbow" sidesite="side3"/>
      <site site="l1"/>
    </spatial>
    <spatial name="both_extensor">
      <site site="s2"/><geom geom="shoulder" sidesite="side2"/><site site="u2"/><geom geom="elbow" sidesite="side4"/>
      <site site="l2"/>
    </spatial>
  </tendon>
  <actuator>
    <muscle name="shoulder_flexor" tendon="shoulder_flexor"/><muscle name="shoulder_extensor" tendon="shoulder_extensor"/>
    <muscle name="elbow_flexor" tendon="elbow_flexor"/><muscle name="elbow_extensor" tendon="elbow_extensor"/>
    <muscle name="both_flexor" tendon="both_flexor"/><muscle name="both_extensor" tendon="both_extensor"/>
  </actuator>
</mujoco>
"""

# %% [markdown]
# The force of a muscle depends on where its length lies in its range. We move the joints through their limits to find the
# ranges, and store them in the model.

# %%
spec = mujoco.MjSpec.from_string(XML)
spec.compiler.LRopt.mode = mujoco.mjtLRMode.mjLRMODE_NONE
model = spec.compile()
data = mujoco.MjData(model)
lengths = []
for first in np.linspace(*model.jnt_range[0], 40):
    for second in np.linspace(*model.jnt_range[1], 40):
        data.qpos[:] = first, second
        mujoco.mj_fwdPosition(model, data)
        lengths.append(data.actuator_length.copy())
for muscle, shortest, longest in zip(spec.actuators, np.min(lengths, axis=0), np.max(lengths, axis=0), strict=True):
    muscle.lengthrange = shortest, longest
    print(f"{muscle.name:18} {shortest:.3f} to {longest:.3f} m")
model = spec.compile()
data = mujoco.MjData(model)
hand = model.site("hand").id

# %% [markdown]
# The hand follows a circle once a second. We choose an acceleration of the hand that reduces its error, find joint
# accelerations that produce it, and compute the torques for them from the equation of motion.

# %%
CENTER, RADIUS, TURNS = np.array([0.3, 0.25]), 0.08, 1.0


def wanted(t):
    """Position, velocity and acceleration of the target."""
    w = 2 * np.pi * TURNS
    along, across = np.array([np.cos(w * t), np.sin(w * t)]), np.array([-np.sin(w * t), np.cos(w * t)])
    return CENTER + RADIUS * along, RADIUS * w * across, -RADIUS * w * w * along


def torques():
    """The joint torques that bring the hand back to its path."""
    jac = np.zeros((3, model.nv))
    mujoco.mj_jacSite(model, data, jac, None, hand)
    x, v, a = wanted(data.time)
    J = jac[:2]
    acceleration = a + 400 * (x - data.site_xpos[hand, :2]) + 40 * (v - J @ data.qvel)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, M, data.qM)
    return M @ np.linalg.lstsq(J, acceleration, rcond=1e-3)[0] + data.qfrc_bias - data.qfrc_passive


# %% [markdown]
# A muscle's force is a passive force plus its activation times a gain, which depends on its length and velocity. Least squares
# find activations between 0 and 1; a small weight on the activations chooses the smallest ones.


# %%
def excitations(torque):
    """Muscle activations for the torques."""
    zero, full = np.zeros(model.nu), np.zeros(model.nu)
    for k in range(model.nu):
        args = data.actuator_length[k], data.actuator_velocity[k], model.actuator_lengthrange[k], model.actuator_acc0[k]
        zero[k] = mujoco.mju_muscleBias(args[0], args[2], args[3], model.actuator_biasprm[k, :9])
        full[k] = mujoco.mju_muscleGain(*args, model.actuator_gainprm[k, :9])
    moment = np.array([data.actuator(k).moment for k in range(model.nu)])
    arms = np.vstack([moment.T * full, 0.05 * np.eye(model.nu)])
    return lsq_linear(arms, np.concatenate([torque - moment.T @ zero, np.zeros(model.nu)]), (0, 1)).x


data.qpos[:] = 0.3, 1.9
errors, used = [], []
mujoco.mj_forward(model, data)
while data.time < 2:
    mujoco.mj_step1(model, data)
    data.ctrl[:] = excitations(torques())
    mujoco.mj_step2(model, data)
    errors.append(np.linalg.norm(data.site_xpos[hand, :2] - wanted(data.time)[0]))
    used.append(data.act.copy())
    if len(errors) % 250 == 0:
        print(f"{data.time:.1f} s: the hand is {1000 * errors[-1]:4.1f} mm from the target, activations {data.act.round(2)}")
late = np.array(errors[len(errors) // 2 :])
print(f"in the second half at most {1000 * late.max():.1f} mm; mean activations {np.mean(used, axis=0).round(2)}")
assert late.max() < 0.02
