"""Pictures without a window."""
import sys

from .render import offscreen

sys.modules[__name__] = offscreen
