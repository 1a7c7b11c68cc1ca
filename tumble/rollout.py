"""Trajectories from many initial states."""
import sys

from .engine import rollout

sys.modules[__name__] = rollout
