"""Makes OpenGL contexts with GLFW only."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render.gl import only_glfw

sys.modules[__name__] = only_glfw
