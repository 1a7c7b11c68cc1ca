"""Makes OpenGL contexts without a visible window."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render.gl import context

sys.modules[__name__] = context
