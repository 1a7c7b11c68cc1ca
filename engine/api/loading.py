"""Methods and plugins that load their modules on first use: binary files, binding to elements of a spec, built-in plugins."""

from __future__ import annotations

from typing import Any

from ..core import plugin
from ..core.data import MjData
from ..core.model import MjModel
from .lazy import load


def from_binary_path(filename: Any, assets: Any = None) -> MjModel:
    """Return a model from a binary file that mj_saveModel wrote. The file may also be one of the assets {name: contents}."""
    return load(".api.files").from_binary_path(filename, assets)


def bind(self, specs: Any) -> Any:
    """Return the rows of an element, or of a sequence of elements, of the spec from which the model was compiled."""
    return load(".api.binding").bind(self, specs)


def bind_scalar(self, spec: Any) -> Any:
    """Return a view of the rows that belong to one element of the spec from which the model was compiled."""
    return load(".api.binding").bind_scalar(self, spec)


plugin.SHIPPED.append(lambda: load(".plugins"))
MjModel.from_binary_path = staticmethod(from_binary_path)
MjModel.bind = MjData.bind = bind
MjModel.bind_scalar = MjData.bind_scalar = bind_scalar
