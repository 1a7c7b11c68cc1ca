"""Tumble's engine. (`import engine as mujoco` runs scripts written for the `mujoco` package.)

    core < math < geom < dynamics < collide < constraint < solve < sense < step < spec < plugins < api

XML -> spec (elements, defaults, compile stages) -> MjModel (constant) -> step (a table of stages) -> MjData
"""
from . import api, core
from .api.mju_misc import *  # noqa: F403
from .api.mju_quat import *  # noqa: F403
from .api.mju_solve import *  # noqa: F403
from .api.mju_vector import *  # noqa: F403
from .api.names import mj_id2name, mj_name2id
from .api.simulate import *  # noqa: F403
from .api.state import *  # noqa: F403
from .api.warm import warmup
from .core.consts import *  # noqa: F403
from .core.data import MjData
from .core.enums import *  # noqa: F403
from .core.model import MjModel
from .core.options import MjOption, MjStatistic, MjVisual
from .core.report import FatalError, UnexpectedError
from .spec import bind as _bind
from .spec.spec import MjSpec

__version__ = "3.4.0"


def mj_version():
    """Version of the reference whose interface and numbers this engine has."""
    return mjVERSION_HEADER  # noqa: F405


def mj_versionString():
    """The same as text."""
    return __version__


__all__ = ["FatalError", "MjData", "MjModel", "MjOption", "MjSpec", "MjStatistic", "MjVisual", "UnexpectedError", "api", "core", "mj_id2name",
           "mj_name2id", "mj_version", "mj_versionString", "warmup"]
