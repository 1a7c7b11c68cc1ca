"""Nonlinear least squares."""
import sys

from .engine import minimize

sys.modules[__name__] = minimize
