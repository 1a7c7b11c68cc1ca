"""Makes OpenGL contexts with OSMesa only."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .render.gl import only_osmesa

sys.modules[__name__] = only_osmesa
