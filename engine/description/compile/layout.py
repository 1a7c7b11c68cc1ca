"""What sizes depend on: names of elements and files, the elements of sparse matrices."""

from .names import name_buffer, path_buffer
from .structure import elements


def prepare(c) -> None:
    """All of it."""
    elements(c)
    name_buffer(c)
    path_buffer(c)
