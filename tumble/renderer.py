"""Renders images without a window."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render import offscreen

sys.modules[__name__] = offscreen
