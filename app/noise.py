"""Ornstein-Uhlenbeck noise on the controls."""

from __future__ import annotations

import math

import numpy as np

from .. import engine as mj


class ControlNoise:
    """Pulls every control toward a target and adds random noise.

    In a step of length h, the control decays toward its target with a time constant of `rate` seconds, and normally distributed
    noise is added. The noise is scaled so that the standard deviation of the control is `std` times half the control range (1
    if there is no range). The target is the middle of the range, or the control of keyframe `key`.
    """

    def __init__(self, m: mj.MjModel, seed: int | None = None) -> None:
        self.std = 0.0
        self.rate = 0.0
        self._rng = np.random.default_rng(seed)
        limited = np.asarray(m.actuator_ctrllimited, bool)
        low, high = np.asarray(m.actuator_ctrlrange).reshape(-1, 2).T
        self._middle = np.where(limited, 0.5 * (low + high), 0.0)
        self._half = np.where(limited, 0.5 * (high - low), 1.0)
        self._low = np.where(limited, low, -np.inf)
        self._high = np.where(limited, high, np.inf)

    @property
    def active(self) -> bool:
        return self.std > 0 and self._half.size > 0

    def apply(self, m: mj.MjModel, d: mj.MjData, key: int = -1) -> None:
        """Advance `d.ctrl` by one step."""
        decay = math.exp(-m.opt.timestep / self.rate) if self.rate > 0 else 0.0
        target = m.key_ctrl[key] if 0 <= key < m.nkey else self._middle
        kick = self.std * math.sqrt(1 - decay * decay) * self._half * self._rng.standard_normal(self._half.size)
        np.clip(decay * d.ctrl + (1 - decay) * target + kick, self._low, self._high, out=d.ctrl)
