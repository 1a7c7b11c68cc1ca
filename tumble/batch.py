"""Simulates many worlds of one model."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .engine import batch

sys.modules[__name__] = batch
