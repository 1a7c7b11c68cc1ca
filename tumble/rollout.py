"""Computes trajectories from many initial states."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .engine import rollout

sys.modules[__name__] = rollout
