# %% [markdown]
# # Learning: a two-legged runner learns to run (PPO)
#
# `tumble.batch.vector.BatchEnv` is a vector environment of Gymnasium, so learning libraries can use it as it is. Here we write
# the algorithm ourselves, proximal policy optimization with numpy, so that you can see all of it. 64 runners learn at once.
#
# `python gait.py 60` learns for 60 rounds, which takes a minute or two, and saves the networks in `gait.npz`. `python gait.py
# gait.npz` opens the viewer and lets the runner run. You need `pip install tumble[gymnasium]`.

# %%
import sys
import time

import numpy as np

import tumble as mujoco
from tumble import viewer
from tumble.batch import uniform
from tumble.batch.vector import BatchEnv

# in a notebook, `sys.argv` holds Jupyter's arguments
ARGUMENT = next((word for word in sys.argv[1:] if word.isdecimal() or word.endswith(".npz")), "2")
ROUNDS = int(ARGUMENT) if ARGUMENT.isdecimal() else 0
RUNNERS, HORIZON, EPOCHS, PART = 64, 64, 8, 512
DISCOUNT, TRACE, CLIP = 0.99, 0.95, 0.2

LEG = """
<body name="{0}_thigh" pos="{1} 0 -0.05">
  <joint name="{0}_hip" range="-70 50"/><geom fromto="0 0 0 0 0 -0.22"/>
  <body name="{0}_shin" pos="0 0 -0.22">
    <joint name="{0}_knee" range="{2}"/><geom fromto="0 0 0 0 0 -0.22"/>
  </body>
</body>"""
XML = f"""
<mujoco>
  <compiler autolimits="true"/>
  <option timestep="0.004" integrator="implicitfast"/>
  <default>
    <geom type="capsule" size="0.035" density="800" friction="1" rgba="0.9 0.6 0.3 1"/>
    <joint axis="0 1 0" damping="1" armature="0.02" stiffness="10"/>
    <motor ctrlrange="-1 1" gear="35"/>
    <default class="root"><joint damping="0" armature="0" stiffness="0"/></default>
  </default>
  <worldbody>
    <light pos="0 -2 4" dir="0 0.4 -1" mode="trackcom"/>
    <geom type="plane" size="0 0 0.1" rgba="0.6 0.65 0.6 1"/>
    <body name="torso" pos="0 0 0.53">
      <joint name="x" class="root" type="slide" axis="1 0 0"/>
      <joint name="z" class="root" type="slide" axis="0 0 1"/>
      <joint name="pitch" class="root"/>
      <geom fromto="-0.25 0 0 0.25 0 0" size="0.05"/>
      {LEG.format("back", -0.22, "0 110")}
      {LEG.format("front", 0.22, "-110 0")}
    </body>
  </worldbody>
  <actuator>
    <motor joint="back_hip"/><motor joint="back_knee"/><motor joint="front_hip"/><motor joint="front_knee"/>
  </actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)

# %% [markdown]
# The runner observes all positions but its distance, and all velocities. The reward is its speed minus the effort of its
# motors; an episode ends when it falls on its back. Tumble compiles both functions.


# %%
def reward(m, d, i, reward, over):
    effort = 0.0
    for k in range(m.nu):
        effort += d.ctrl[k] * d.ctrl[k]
    reward[i] += 0.2 * (d.qvel[0] - 0.05 * effort)
    over[i] = abs(d.qpos[2]) > 1.6


def start(m, d, i, random):
    for k in range(3, m.nq):
        d.qpos[k] += 0.2 * uniform(random, i) - 0.1


# %% [markdown]
# A network with two hidden layers; the gradient of its parameters follows by the chain rule, from the last layer to the first.
# Adam makes the steps.


# %%
class Network:
    def __init__(self, rng, sizes, last):
        scale = [1.0] * (len(sizes) - 2) + [last]
        pairs = zip(sizes, sizes[1:], scale, strict=False)
        self.weights = [rng.normal(size=(a, b)) * s / np.sqrt(a) for a, b, s in pairs]
        self.shifts = [np.zeros(b) for b in sizes[1:]]
        # logarithms of the standard deviations of the actions, for the network that acts
        self.spread = np.full(sizes[-1], -0.7)
        self.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in self.parameters]
        self.count = 0

    @property
    def parameters(self):
        return [*self.weights, *self.shifts, self.spread]

    def __call__(self, x):
        self.layers = [x]
        for weight, shift in zip(self.weights[:-1], self.shifts[:-1], strict=True):
            self.layers.append(np.tanh(self.layers[-1] @ weight + shift))
        return self.layers[-1] @ self.weights[-1] + self.shifts[-1]

    def step(self, slope, rate, spread_slope=0.0):
        """Change the parameters to lower a cost, given its derivative with respect to the outputs."""
        weights, shifts = [], []
        for layer, weight in zip(self.layers[::-1], self.weights[::-1], strict=True):
            weights.append(layer.T @ slope)
            shifts.append(slope.sum(axis=0))
            slope = slope @ weight.T * (1 - layer**2)
        slopes = [*weights[::-1], *shifts[::-1], spread_slope + 0 * self.spread]
        size = np.sqrt(sum((s**2).sum() for s in slopes))
        self.count += 1
        for p, s, (first, second) in zip(self.parameters, slopes, self.moments, strict=True):
            s = s * min(1.0, 0.5 / (size + 1e-8))
            first += 0.1 * (s - first)
            second += 0.001 * (s * s - second)
            p -= rate * (first / (1 - 0.9**self.count)) / (np.sqrt(second / (1 - 0.999**self.count)) + 1e-5)


class Scale:
    """Running mean and variance of the observations."""

    def __init__(self, size):
        self.mean, self.variance, self.count = np.zeros(size), np.ones(size), 1e-4

    def learn(self, x):
        total, gap = self.count + len(x), x.mean(axis=0) - self.mean
        self.variance = (self.variance * self.count + x.var(axis=0) * len(x) + gap**2 * self.count * len(x) / total) / total
        self.mean, self.count = self.mean + gap * len(x) / total, total

    def __call__(self, x):
        return np.clip((x - self.mean) / np.sqrt(self.variance + 1e-6), -6, 6)


# %% [markdown]
# In a round, each runner takes 64 actions. From the rewards that follow and the predictions of the critic, we compute how much
# better than expected each action was (generalized advantage estimation). Then we make better actions more likely, but no
# action much more or less likely than it was. The environment ignores the first action after an episode, so we leave it out.

# %%
seen = model.nq + model.nv - 1
rng = np.random.default_rng(0)
actor, critic, scale = Network(rng, (seen, 64, 64, model.nu), 0.1), Network(rng, (seen, 64, 64, 1), 1.0), Scale(seen)


def likelihood(actions, mean):
    """Log-likelihood of actions, up to a constant; and their deviations from the mean, in standard deviations."""
    z = (actions - mean) / np.exp(actor.spread)
    return (-0.5 * z**2 - actor.spread).sum(axis=1), z


def play(env, found):
    """Act, and return what happened: observations, actions, likelihoods, advantages, returns."""
    rows, ignored = [], np.zeros(RUNNERS, bool)
    for _ in range(HORIZON):
        scale.learn(found[:, 1:].astype(float))
        x = scale(found[:, 1:])
        mean = actor(x)
        actions = mean + np.exp(actor.spread) * rng.normal(size=mean.shape)
        value = critic(x)[:, 0]
        found, gain, fallen, late, _ = env.step(np.clip(actions, -1, 1))
        rows.append((x, actions, likelihood(actions, mean)[0], value, gain, fallen | late, ~ignored))
        ignored = fallen | late

    advantage, after = np.zeros(RUNNERS), critic(scale(found[:, 1:]))[:, 0]
    batch = []
    for x, actions, likely, value, gain, over, counts in reversed(rows):
        advantage = gain + DISCOUNT * after * ~over - value + DISCOUNT * TRACE * advantage * ~over
        after = value
        batch.append([part[counts] for part in (x, actions, likely, advantage, advantage + value)])
    return found, np.mean([row[4] for row in rows]), [np.concatenate(parts) for parts in zip(*batch, strict=True)]


def improve(x, actions, likely, advantage, returns):
    """Make some steps of both networks."""
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(EPOCHS):
        for k in np.array_split(rng.permutation(len(x)), max(1, len(x) // PART)):
            now, z = likelihood(actions[k], actor(x[k]))
            ratio = np.exp(np.clip(now - likely[k], -20, 20))
            counts = np.where(advantage[k] > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            slope = -(counts * ratio * advantage[k])[:, None] / len(k)
            actor.step(slope * z / np.exp(actor.spread), 7e-4, (slope * (z**2 - 1)).sum(axis=0) - 0.001)
            critic.step(2 * (critic(x[k])[:, 0] - returns[k])[:, None] / len(k), 1e-3)


# %%
if ROUNDS:
    env = BatchEnv(model, RUNNERS, observe=("qpos", "qvel"), reward=reward, start=start, nstep=5, limit=400)
    found, _ = env.reset(seed=0)
    begin = time.perf_counter()
for r in range(1, ROUNDS + 1):
    found, gain, batch = play(env, found)
    improve(*batch)
    if r % 10 == 0 or r == ROUNDS:
        speed = found[:, model.nq].mean()
        print(f"round {r}: reward {gain:.2f}, speed {speed:.2f} m/s, after {time.perf_counter() - begin:.0f} s", flush=True)
if ROUNDS > 2:
    names = {f"p{k}": p for k, p in enumerate(actor.parameters)}
    np.savez("gait.npz", mean=scale.mean, variance=scale.variance, **names)
    env.close()

# %% [markdown]
# In the viewer, the network acts in every fifth step, as it did when it learned.


# %%
def act(m, d):
    if round(d.time / m.opt.timestep) % 5 == 0:
        d.ctrl[:] = np.clip(actor(scale(np.concatenate([d.qpos[1:], d.qvel])[None]))[0], -1, 1)


if not ROUNDS:
    stored = np.load(ARGUMENT)
    scale.mean, scale.variance = stored["mean"], stored["variance"]
    for k, parameter in enumerate(actor.parameters):
        parameter[:] = stored[f"p{k}"]
    mujoco.set_mjcb_control(act)
    viewer.launch(model)
