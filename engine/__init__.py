"""Tumble's engine: parsing, compiling and stepping models. Its public interface is the package `tumble`.

Each folder imports only folders to its left:

    tables < machine < core < calls < math < geom < dynamics < collide < constraint < solve < sense < step < description <
    plugins < api < later, batch

XML -> description (elements, defaults, compile stages) -> MjModel (constant) -> step (a table of stages) -> MjData
"""

import importlib as _importlib
import os as _os
from typing import Any as _Any

from . import api, core
from .api.callbacks import *  # noqa: F403
from .api.derivatives import *  # noqa: F403
from .api.lazy import resolve
from .api.mju_misc import *  # noqa: F403
from .api.mju_quat import *  # noqa: F403
from .api.mju_solve import *  # noqa: F403
from .api.mju_vector import *  # noqa: F403
from .api.name_lookup import *  # noqa: F403
from .api.history import *  # noqa: F403
from .api.newer import *  # noqa: F403
from .api.rays import *  # noqa: F403
from .api.simulate import *  # noqa: F403
from .api.state import *  # noqa: F403
from .api.structs import *  # noqa: F403
from .api.support import *  # noqa: F403
from .api.warm import warmup
from .tables.consts import *  # noqa: F403
from .core.data import MjData
from .tables.enums import *  # noqa: F403
from .core.logs import *  # noqa: F403
from .core.model import MjModel
from .core.options import MjOption, MjStatistic, MjVisual
from .core.owner import DataInUse
from .core.report import FatalError, UnexpectedError
from .calls.waiting import watch as _watch
from .tables.validate import InvalidModel, validate
from .api import loading as _loading
from .description import bind as _bind

_watch()
if _os.environ.get("TUMBLE_INTERPRET"):
    _importlib.import_module(".core.debug", __name__).from_environment(_os.environ["TUMBLE_INTERPRET"])

__version__ = "3.4.0"


def __getattr__(name: str) -> _Any:
    return resolve(name)


__all__ = [n for n in dir() if n.startswith(("mj", "Mj", "set_mj", "get_mj"))]
__all__ += ["DataInUse", "FatalError", "InvalidModel", "UnexpectedError", "validate", "warmup"]
