"""Functions in the loop of steps, compiled or not; ends and restarts; random numbers; observations."""

import warnings
from typing import Any

import numpy as np
import pytest

import tumble as mj
from tests.batch.scripts import CART
from tumble import batch
from tumble.batch import normal, uniform

NSIM, STEPS, LIMIT = 24, 300, 0.08


@pytest.fixture(scope="module")
def cart():
    return mj.MjModel.from_xml_string(CART)


def balance(m, d, i, gains):
    d.ctrl[0] = -gains[i, 0] * d.qpos[1]


def score(m, d, i, reward, ended):
    reward[i] += 1.0 - d.qpos[1] * d.qpos[1]
    ended[i] = 1 if abs(d.qpos[1]) > LIMIT else 0


def start(m, d, i, random):
    d.qpos[1] = 0.1 * uniform(random, i) + 0.001 * normal(random, i)


def drive(b, gains):
    """States, rewards and observations of a run with all kinds of functions."""
    b.seed(3)
    reward, ended = np.zeros(b.nsim), np.zeros(b.nsim, bool)
    b.before_step(balance, gains)
    b.after_step(score, reward, ended)
    b.at_reset(start, b.random)
    b.restart(ended)
    seen = b.observe("qpos", "sensor:angle", "site:tip.xpos", "joint:hinge.qvel")
    b.reset()
    b.step(nstep=STEPS, stage=int(mj.mjtStage.mjSTAGE_VEL))
    return b.state.copy(), reward, seen


def test_functions_run_compiled_and_alike_on_any_number_of_threads(cart):
    gains = np.random.default_rng(0).normal(size=(NSIM, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error", batch.SlowFunction)
        results = [
            drive(batch.Batch(cart, nsim, nthread), gains[:nsim].copy()) for nsim, nthread in ((NSIM, 1), (NSIM, 3), (5, 2))
        ]
    for other in results[1:]:
        for x, y in zip(results[0], other, strict=True):
            assert (x[: len(y)] == y).all()


def test_functions_do_what_a_loop_in_python_does(cart):
    gains = np.random.default_rng(0).normal(size=(NSIM, 2)) * 3
    state, reward, seen = drive(batch.Batch(cart, NSIM, 2), gains)
    b = batch.Batch(cart, NSIM)
    b.seed(3)
    assert (b.random == batch.Batch(cart, NSIM).random).sum() == 0, "a seed of its own"
    total, again = np.zeros(NSIM), 0
    b.at_reset(start, b.random)
    b.reset()
    for _ in range(STEPS):
        b.ctrl[:, 0] = -gains[:, 0] * b.qpos[:, 1]
        b.step()
        total += 1.0 - b.qpos[:, 1] * b.qpos[:, 1]
        ended = abs(b.qpos[:, 1]) > LIMIT
        again += ended.sum()
        if ended.any():
            b.reset(ended, stage=0)
    assert again > 0 and (b.state[:, :5] == state[:, :5]).all() and (total == reward).all()
    assert (seen[:, :2] == b.qpos).all() and (seen[:, 2] == b.qpos[:, 1]).all() and seen.flags.c_contiguous


def test_a_function_that_cannot_be_compiled_says_so(cart):
    def slow(m, d, i, gains):
        d.ctrl[0] = float(str(-gains[i, 0] * d.qpos[1]))

    gains = np.ones((4, 1))
    one, two = batch.Batch(cart, 4, 2), batch.Batch(cart, 4, 2)
    one.qvel[:] = two.qvel[:] = 0.2
    with pytest.warns(batch.SlowFunction, match="slow is called through the interpreter"):
        one.before_step(slow, gains)
    kept = two.before_step(balance, gains)
    one.step(nstep=20)
    two.step(nstep=20)
    assert (one.state == two.state).all()
    two.remove(kept)
    two.ctrl = 5
    two.step()
    assert (two.bind("ctrl") == 5).all()


def test_an_error_in_a_function_reaches_the_caller(cart):
    b = batch.Batch(cart, 4)
    with pytest.warns(batch.SlowFunction):
        b.after_step(lambda m, d, i: {}[str(i)])
    with pytest.raises(KeyError):
        b.step()


def test_random_numbers_are_uniform_and_normal(cart):
    def draw(m, d, i, random, out):
        out[i, 0] = uniform(random, i)
        out[i, 1] = normal(random, i)

    n = 20000
    b, out = batch.Batch(cart, n), np.zeros((n, 2))
    b.seed(1)
    b.at_reset(draw, b.random, out)
    b.reset(stage=0)
    # five standard errors
    assert abs(out[:, 0].mean() - 0.5) < 5 / np.sqrt(12 * n) and 0 <= out[:, 0].min() and out[:, 0].max() < 1
    assert (
        abs(out[:, 1].mean()) < 5 / np.sqrt(n)
        and abs(out[:, 1].var() - 1) < 5 * np.sqrt(2 / n)
        and len(np.unique(out)) == 2 * n
    )


def test_observations_of_float32_and_their_errors(cart):
    b = batch.Batch(cart, 3)
    x = b.observe("qvel", "body:pole.xpos", dtype=np.float32)
    b.qvel, places = 0.5, b.body("pole").xpos
    b.step(stage=3)
    assert (
        x.dtype == np.float32
        and (x[:, :2] == b.bind("qvel").astype(np.float32)).all()
        and (x[:, 2:] == places.astype(np.float32)).all()
    )
    assert (np.from_dlpack(x) == x).all() and np.shares_memory(np.from_dlpack(x), x)
    for name, error in (
        ("nope", ValueError),
        ("body:pole.nope", ValueError),
        ("thing:pole.xpos", ValueError),
        ("body:nobody.xpos", KeyError),
        ("ncon", TypeError),
    ):
        with pytest.raises(error):
            b.observe(name)


def test_arrays_that_functions_cannot_see(cart):
    b = batch.Batch(cart, 3)
    wrong: tuple[Any, ...] = np.zeros((3, 2))[:, 0], np.zeros(3, complex), [1, 2, 3]
    for x in wrong:
        with pytest.raises(TypeError):
            b.before_step(balance, x)
    with pytest.raises(ValueError, match="ended"):
        b.restart(np.zeros(2, bool))
