"""Nonlinear least squares with box bounds."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .engine import minimize

sys.modules[__name__] = minimize
