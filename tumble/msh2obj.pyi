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
    """The contents of an MSH file: positions and normals (n, 3), texture coordinates (n, 2) with v upward, faces (k, 3)."""
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
    """Convert an MSH file, given by its path, to the text of an OBJ file."""

def main(arguments: Sequence[str] | None = None) -> None:
    """Convert a file given on the command line."""
