"""What `import mujoco` finds in the children of a process that runs on this engine: it makes itself the engine's `mujoco`."""

import importlib
import os
import sys

_folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# installed, assets lie inside the package; in a checkout beside it
_root = (
    os.path.dirname(_folder)
    if os.path.basename(_folder) == "tumble" and os.path.isfile(os.path.join(_folder, "names.py"))
    else _folder
)
try:
    importlib.import_module("tumble")
except ImportError:
    sys.path.append(_root)
# takes this module out of sys.modules
importlib.import_module("tumble.app.dropin").install()
importlib.import_module("mujoco")
