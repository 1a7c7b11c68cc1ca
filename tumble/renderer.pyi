"""Written by `python -m tumble.stubs`; not to be edited."""
import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt


from . import Renderer as Renderer
from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

