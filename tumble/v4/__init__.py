"""The interface of the newest MuJoCo release that Tumble knows: `import tumble.v4 as mujoco` runs scripts written for 4.0.

Names, members, enumeration values and field shapes are those of that release (`tumble.engine.tables.face_rows` lists them), and
models are loaded with its changes unless their files name another release. `import tumble` keeps the interface of 3.4. Both
share the engine, and `tumble run --compat 4.0 script.py` gives scripts the newer interface.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import importlib as _importlib
from collections.abc import Sequence  # noqa: F401
from typing import IO, Any, TypeAlias, Union  # noqa: F401  (names of that package)

import numpy as _np

from .. import late as _names
from ..engine.later import calls as _calls
from ..engine.later import data as _data
from ..engine.later import model as _model
from ..engine.later import options as _options
from ..engine.later import states as _states
from ..engine.later import structs as _structs
from ..engine.tables import face_rows as _rows
from ..engine.tables.later_enums import CLASSES as _ENUMS

__version__ = mujoco_version = _rows.VERSION
MJTNUM_DTYPE = _np.float64
_GAINED, _LOST = _rows.changed("-")
# Submodules with files in this folder; all others are the same in both interfaces.
_OWN = ("minimize", "renderer", "rollout", "viewer")
MUJOCO_SUBMODULES = _names.MUJOCO_SUBMODULES | {name: f"{__name__}.{name}" for name in _OWN}
MUJOCO_SUBMODULES |= {name: __name__ for name, target in _names.MUJOCO_SUBMODULES.items() if target == _names.PACKAGE}
MUJOCO_SUBMODULES["rendering"] = f"{__name__}.renderer"

MjModel, MjData, MjOption = _model.MjModel, _data.MjData, _options.MjOption
_FIXED = (
    {"MjContact": _data.MjContact}
    | _ENUMS
    | _rows.CONSTANTS
    | _calls.FUNCTIONS
    | _structs.CLASSES
    | {name: getattr(_states, name) for name in _states.__all__}
)


# {name that is loaded on first use: module that defines it}
_LATE = {"MjSpec": f"{_names.PACKAGE}.engine.later.specs", "Renderer": f"{__name__}.renderer"}
_LATE["MjvLight"] = _LATE["MjvScene"] = f"{_names.PACKAGE}.render.scene.abstract"
_RENAMED = {"MjvLight": "LaterLight", "MjvScene": "LaterScene"}


def _load(module: str) -> Any:
    """Import a submodule when one of its names is first used."""
    # Imported late: the modules for editing take 0.03 s and those for drawing 0.4 s to load; a simulation needs neither.
    return _importlib.import_module(module)


def __getattr__(name: str) -> Any:
    if name in _FIXED:
        value = _FIXED[name]
    elif name in _OWN or name in MUJOCO_SUBMODULES:
        return _load(MUJOCO_SUBMODULES[name])
    elif name in _LOST or name.startswith("__") and name != "__all__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    elif name == "__all__":
        return [n for n in __dir__() if not n.startswith("_")]
    elif name in _LATE:
        value = getattr(_load(_LATE[name]), _RENAMED.get(name, name))
    else:
        value = _names.value(name)
        if callable(value) and not isinstance(value, type):
            value = _calls.wrapped(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    own = {n for n in globals() if not n.startswith("_")}
    theirs = {*_names.public(), *_names.LAZY} - _LOST
    return sorted({*own, *theirs, *_FIXED, *_OWN, *_LATE, "__version__"} - {"annotations"})
