"""The viewer, under the name that scripts know; the application provides it."""
import importlib
import sys

sys.modules[__name__] = importlib.import_module("app.passive")
