"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene


class Msh:
    """The contents of an MSH file.

    vertex_positions, vertex_normals: float32 (n, 3)
    vertex_texcoords: float32 (n, 2), v upward
    face_vertex_indices: int32 (k, 3)
    """
    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray
    @staticmethod
    def create(file: str | IO[bytes]) -> Msh:
        """Read an MSH file. Raise FileNotFoundError if it does not exist, ValueError if it is shorter than its header
        says.
        """
    def __init__(self, vertex_positions: np.ndarray, vertex_normals: np.ndarray, vertex_texcoords: np.ndarray, face_vertex_indices: np.ndarray) -> None: ...

def msh_to_obj(msh_file: str) -> str:
    """Convert an MSH file to the text of an OBJ file. Errors are those of `Msh.create`.

    msh_file: path of the file
    """

def main(arguments: Sequence[str] | None = None) -> None:
    """Convert a file given on the command line."""
