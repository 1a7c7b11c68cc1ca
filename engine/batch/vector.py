"""A `gymnasium.vector.VectorEnv` over a Batch, for reinforcement learning. Needs gymnasium (extra `gymnasium`); `from
tumble.batch import vector`.

def reward(m, d, i, reward, terminated):            # compiled, after each step of simulation i
    reward[i] += 1.0
    terminated[i] = 1 if abs(d.qpos[1]) > 0.2 else 0

env = vector.BatchEnv(model, 64, observe=("qpos", "qvel"), reward=reward, limit=500)
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.model import MjModel
from ..tables.enums import mjtStage
from .batch import Batch

try:
    gymnasium: Any = importlib.import_module("gymnasium")
except ModuleNotFoundError:
    # gymnasium is optional: without it, making an environment raises an error
    gymnasium = None
_Base: Any = gymnasium.vector.VectorEnv if gymnasium else object
_VEL = int(mjtStage.mjSTAGE_VEL)


class BatchEnv(_Base):
    """num_envs simulations of a model, as a vector environment. Actions are the controls, limited to `ctrlrange` for
    actuators with limits.

    observe: names as for Batch.observe, float32. reward(m, d, i, reward, terminated): adds to reward[i] and sets
    terminated[i] after each simulation step. start(m, d, i, random): randomizes the initial state after a reset, with
    `uniform(random, i)`. nstep: simulation steps for each action. limit: actions after which an episode is truncated.
    `batch` is the Batch. Finished episodes restart in the next call of step, whose action is ignored (gymnasium's
    AutoresetMode.NEXT_STEP). The same seed gives the same results.
    """

    def __init__(
        self,
        model: MjModel,
        num_envs: int,
        observe: Sequence[str],
        reward: Callable[..., Any],
        start: Callable[..., Any] | None = None,
        nstep: int = 1,
        limit: int = 1000,
        nthread: int = 0,
    ) -> None:
        if gymnasium is None:
            raise ModuleNotFoundError("vector environments need gymnasium: pip install gymnasium")

        # make the batch; set the attributes that gymnasium requires
        self.batch = Batch(model, num_envs, nthread)
        self.num_envs, self.nstep, self.limit = num_envs, nstep, limit
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP, "render_modes": []}
        self.render_mode = None

        # arrays that the functions write to
        self._seen = self.batch.observe(*observe, dtype=np.float32)
        self._reward, self._terminated = np.zeros(num_envs), np.zeros(num_envs, bool)
        self._count, self._over = np.zeros(num_envs, np.int64), np.zeros(num_envs, bool)
        self.batch.after_step(reward, self._reward, self._terminated)
        if start is not None:
            self.batch.at_reset(start, self.batch.random)

        # spaces of actions and observations
        limited = model.actuator_ctrllimited.astype(bool)
        low, high = (
            np.where(limited, model.actuator_ctrlrange[:, k], sign * np.inf).astype(np.float32) for k, sign in ((0, -1), (1, 1))
        )
        box, repeat = gymnasium.spaces.Box, gymnasium.vector.utils.batch_space
        self.single_action_space = box(low, high, dtype=np.float32)
        self.single_observation_space = box(-np.inf, np.inf, (self._seen.shape[1],), np.float32)
        self.action_space = repeat(self.single_action_space, num_envs)
        self.observation_space = repeat(self.single_observation_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Restart all episodes; a seed also restarts the random sequences."""
        super().reset(seed=seed)
        if seed is not None:
            self.batch.seed(seed)
        self._count[:], self._over[:] = 0, False
        self.batch.reset(stage=_VEL)
        return self._seen.copy(), {}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Return (observations, rewards, terminated, truncated, infos) after one action in each simulation."""
        again = self._over.copy()
        self._reward[:], self._terminated[:] = 0.0, False
        self.batch.ctrl = actions
        if again.any():
            self.batch.reset(again, stage=_VEL)
        if not again.all():
            self.batch.step(~again, self.nstep, _VEL)

        # end episodes at their termination condition or at the time limit
        self._count += 1
        self._count[again] = 0
        truncated = (self._count >= self.limit) & ~self._terminated
        self._over = self._terminated | truncated
        return self._seen.copy(), self._reward.copy(), self._terminated.copy(), truncated, {}
