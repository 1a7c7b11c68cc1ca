"""Makes OpenGL contexts with EGL only."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render.gl import only_egl

sys.modules[__name__] = only_egl
