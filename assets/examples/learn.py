# %% [markdown]
# # Learning: a car learns to drive around a track
#
# `tumble.batch` steps many copies of a model at once, and runs your own compiled functions in its loop. Here evolution
# strategies train a network that drives a car around a bumpy track as fast as possible. The network has 74 parameters. Each
# round tests random changes of the parameters and their opposites, and then moves the parameters towards the changes that made
# the car drive farther.
#
# `python learn.py 40` trains for 40 rounds and saves the network in `driver.npz`. `python learn.py driver.npz` opens the viewer
# and lets the network drive.

# %%
import importlib.util
import math
import sys
import time

import numpy as np

import tumble as mujoco
from tumble import viewer
from tumble.batch import Batch, uniform
from tumble.ui.examples import located

# in a notebook, `sys.argv` holds Jupyter's arguments
ARGUMENT = next((word for word in sys.argv[1:] if word.isdecimal() or word.endswith(".npz")), "2")
ROUNDS = int(ARGUMENT) if ARGUMENT.isdecimal() else 0
PAIRS, SECONDS, SPREAD, RATE, SEED = 24, 10.0, 0.1, 0.06, 1
# radius of the center line of the track, and how far a car may be from it
MIDDLE, WIDTH = 3.05, 0.85

model = mujoco.MjModel.from_xml_path(located("car"))
steps = round(SECONDS / model.opt.timestep)

# %% [markdown]
# The network has six inputs: where the car is across the track, two numbers for its direction, its speed along and across the
# track, and how fast it turns. It has eight hidden units and two outputs, the speed of the wheels and the steering angle.
# Tumble compiles these functions, so they read and write arrays element by element.

# %%
SEEN, HIDDEN = 6, 8
SIZE = HIDDEN * (SEEN + 1) + 2 * (HIDDEN + 1)


def drive(m, d, i, network, seen):
    x, y = d.qpos[0], d.qpos[1]
    r = math.sqrt(x * x + y * y) + 1e-6
    forward_x, forward_y = d.xmat[1, 0], d.xmat[1, 3]
    seen[i, 0] = (r - MIDDLE) / WIDTH
    seen[i, 1] = (forward_x * x + forward_y * y) / r
    seen[i, 2] = (forward_y * x - forward_x * y) / r
    seen[i, 3] = 0.5 * (forward_x * d.qvel[0] + forward_y * d.qvel[1])
    seen[i, 4] = 0.5 * d.qvel[5]
    seen[i, 5] = 0.5 * (d.qvel[0] * x + d.qvel[1] * y) / r
    speed, angle = network[i, SIZE - 2], network[i, SIZE - 1]
    for h in range(HIDDEN):
        total = network[i, h * (SEEN + 1) + SEEN]
        for k in range(SEEN):
            total += network[i, h * (SEEN + 1) + k] * seen[i, k]
        lit = math.tanh(total)
        speed += network[i, HIDDEN * (SEEN + 1) + h] * lit
        angle += network[i, HIDDEN * (SEEN + 2) + h] * lit
    d.ctrl[0] = 11.0 * math.tanh(speed)
    d.ctrl[1] = 0.6 * math.tanh(angle)
    d.ctrl[2] = d.ctrl[1]


def judge(m, d, i, driven, on_track):
    x, y = d.qpos[0], d.qpos[1]
    r = math.sqrt(x * x + y * y)
    if abs(r - MIDDLE) > WIDTH:
        on_track[i] = 0
    if on_track[i] == 1:
        driven[i] += (d.qvel[1] * x - d.qvel[0] * y) / r * m.opt.timestep


def start(m, d, i, random):
    d.qpos[0] += 0.4 * uniform(random, i) - 0.2
    d.qvel[1] = 0.5 * uniform(random, i)


# %% [markdown]
# Two copies of the car test each change of the parameters, one with the change and one with its opposite. The reward is the
# distance in metres that a copy drives before it leaves the track.

# %%
network, seen = np.zeros((2 * PAIRS, SIZE)), np.zeros((2 * PAIRS, SEEN))
driven, on_track = np.zeros(2 * PAIRS), np.ones(2 * PAIRS, np.int64)


def make(copies):
    """A batch of cars; each is driven by its row of `network`."""
    batch = Batch(model, copies)
    batch.before_step(drive, network, seen)
    batch.after_step(judge, driven, on_track)
    batch.at_reset(start, batch.random)
    batch.seed(SEED)
    return batch


def metres(batch, rows):
    """The distance that a car drives with each row of weights."""
    network[: len(rows)] = rows
    driven[:], on_track[:] = 0.0, 1
    batch.reset()
    batch.step(nstep=steps)
    return driven[: len(rows)].copy()


rng, curve, begin = np.random.default_rng(SEED), [], time.perf_counter()
weights, first, second = np.zeros(SIZE), np.zeros(SIZE), np.zeros(SIZE)
if ROUNDS:
    cars = make(2 * PAIRS)
for k in range(1, ROUNDS + 1):
    noise = rng.normal(size=(PAIRS, SIZE))
    found = metres(cars, weights + SPREAD * np.concatenate([noise, -noise]))
    # use the ranks of the results, not their sizes
    ranks = found.argsort().argsort() / (len(found) - 1) - 0.5
    slope = (ranks[:PAIRS] - ranks[PAIRS:]) @ noise / PAIRS
    first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
    weights += RATE * (first / (1 - 0.9**k)) / (np.sqrt(second / (1 - 0.99**k)) + 1e-8)
    curve.append((time.perf_counter() - begin, found.mean(), found.max()))
    if k % 5 == 0 or k == ROUNDS:
        print(f"round {k}: {found.mean():.1f} m, the best {found.max():.1f} m, after {curve[-1][0]:.0f} s", flush=True)
if ROUNDS:
    alone = metres(cars, np.tile(weights, (2 * PAIRS, 1)))
    print(f"without changes: {alone.mean():.1f} m from {len(alone)} places, the worst {alone.min():.1f} m")
if ROUNDS > 2:
    np.savez("driver.npz", network=weights, curve=curve)
if ROUNDS > 2 and importlib.util.find_spec("matplotlib"):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.subplots()
    seconds, mean, best = np.transpose(curve)
    axes.plot(seconds, best, label="the best of 48")
    axes.plot(seconds, mean, label="all")
    axes.set(xlabel="seconds of learning", ylabel=f"metres in {SECONDS:.0f} s")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig("driver.png", dpi=120)

# %% [markdown]
# In the viewer, the same function drives. Python calls it in each step as a control callback.

# %%
if not ROUNDS:
    network[0] = np.load(ARGUMENT)["network"]
    mujoco.set_mjcb_control(lambda m, d: drive(m, d, 0, network, seen))
    viewer.launch(model)
