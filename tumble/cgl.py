"""Makes OpenGL contexts with CGL only."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render.gl import only_cgl

sys.modules[__name__] = only_cgl
