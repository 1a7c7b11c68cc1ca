"""Pictures without a window, under the name that scripts know; the renderer provides them."""
import importlib
import sys

sys.modules[__name__] = importlib.import_module("render.offscreen")
