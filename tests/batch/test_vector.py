"""BatchEnv behaves like gymnasium's vector environments: spaces, seeds, episodes that end and restart; its checkers pass."""

import importlib

import numpy as np
import pytest

import tumble as mj
from tests.batch.scripts import CART
from tumble.batch import uniform

gymnasium = pytest.importorskip("gymnasium")
vector = importlib.import_module("tumble.batch.vector")

NUM, LIMIT = 6, 20


def upright(m, d, i, reward, terminated):
    reward[i] += 1.0
    terminated[i] = 1 if abs(d.qpos[1]) > 0.15 else 0


def begin(m, d, i, random):
    d.qpos[1] = 0.1 * uniform(random, i)


def made(nthread=2, num=NUM):
    return vector.BatchEnv(
        mj.MjModel.from_xml_string(CART),
        num,
        ("qpos", "qvel", "site:tip.xpos"),
        upright,
        begin,
        nstep=2,
        limit=LIMIT,
        nthread=nthread,
    )


def test_the_module_is_the_same_under_both_names():
    assert vector is importlib.import_module("tumble.engine.batch.vector")
    assert vector.__spec__.parent == vector.__package__


def play(env, steps=60):
    first, info = env.reset(seed=5)
    rng, found = np.random.default_rng(0), [first]
    for _ in range(steps):
        found.extend(env.step(rng.uniform(-1, 1, env.action_space.shape).astype(np.float32))[:4])
    return found


def test_it_is_a_vector_environment():
    env = made()
    seen, info = env.reset(seed=1)
    assert isinstance(env, gymnasium.vector.VectorEnv) and seen in env.observation_space and info == {}
    seen, reward, terminated, truncated, _ = env.step(np.zeros(env.action_space.shape, np.float32))
    assert seen in env.observation_space and reward.shape == terminated.shape == truncated.shape == (NUM,)
    assert terminated.dtype == truncated.dtype == bool and (reward == 2).all()
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP


def test_a_seed_repeats_everything_on_any_number_of_threads():
    for x, y in zip(play(made()), play(made(3)), strict=True):
        assert (x == y).all()


def test_episodes_end_and_begin_anew():
    env = made()
    env.reset(seed=2)
    push, over, ends = np.full(env.action_space.shape, 1, np.float32), np.zeros(NUM, bool), 0
    for _ in range(3 * LIMIT):
        seen, reward, terminated, truncated, _ = env.step(push)
        # the step after an end only restarts
        assert (reward[over] == 0).all() and (env.batch.time[over] == 0).all() and (reward[~over] > 0).all()
        over = terminated | truncated
        ends += over.sum()
    assert ends > NUM


def test_gymnasiums_wrappers_take_it():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(made())
    env.reset(seed=0)
    infos = [env.step(env.action_space.sample() * 0)[4] for _ in range(2 * LIMIT)]
    assert any("episode" in info for info in infos)


class One(gymnasium.Env):
    """The only simulation of a vector environment, in the form that gymnasium's checker takes."""

    def __init__(self):
        self.env = made(num=1)
        self.action_space, self.observation_space = self.env.single_action_space, self.env.single_observation_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.env.reset(seed=seed, options=options)[0][0], {}

    def step(self, action):
        seen, reward, terminated, truncated, _ = self.env.step(np.asarray(action, np.float32)[None])
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasiums_checker_passes():
    importlib.import_module("gymnasium.utils.env_checker").check_env(One(), skip_render_check=True)
