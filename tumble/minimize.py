"""Nonlinear least squares."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .engine import minimize

sys.modules[__name__] = minimize
