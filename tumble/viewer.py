"""The viewer for scripts: launch, launch_passive."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .app import passive

sys.modules[__name__] = passive
