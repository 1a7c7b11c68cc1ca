"""Exports scenes to USD files; `tumble.usd.exporter` is the same module."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render import usd

sys.modules[__name__] = sys.modules[__name__ + ".exporter"] = usd
