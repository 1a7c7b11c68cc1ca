"""Graphics contexts without a window, under the name that scripts know."""
import importlib
import sys

sys.modules[__name__] = importlib.import_module("render.gl.context")
