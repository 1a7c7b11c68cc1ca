"""Converts old binary MSH meshes to Wavefront OBJ. Run `python -m tumble.msh2obj -i mesh.msh -o mesh.obj`.

An MSH file begins with four int32: the numbers of vertices, normals, texture coordinates and faces. The float32 rows of the
first three follow, then the vertex indices of each face (three int32). Normals and texture coordinates belong to the vertex
with the same index.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

HEADER = 4 * 4
# (part, numbers per row, type, name in errors); all numbers have 4 bytes
PARTS = (
    ("vertex_positions", 3, np.float32, "vertices"),
    ("vertex_normals", 3, np.float32, "normals"),
    ("vertex_texcoords", 2, np.float32, "texcoords"),
    ("face_vertex_indices", 3, np.int32, "faces"),
)


@dataclasses.dataclass(frozen=True)
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
    def create(file: Any) -> Msh:
        """Read an MSH file. Raise FileNotFoundError if it does not exist, ValueError if it is shorter than its header
        says."""
        file = pathlib.Path(file)
        if not file.exists():
            raise FileNotFoundError(f"{file} does not exist.")
        raw = file.read_bytes()
        if len(raw) < HEADER:
            raise ValueError(f"{file} has {len(raw)} bytes, but the header of an MSH file has {HEADER}")
        at, found = HEADER, {}
        for count, (name, width, dtype, what) in zip(np.frombuffer(raw, np.int32, 4).tolist(), PARTS, strict=True):
            size = 4 * width * max(count, 0)
            if count < 0 or at + size > len(raw):
                raise ValueError(f"Invalid number of {what}: {count} in {file}, which has {len(raw)} bytes")
            found[name] = np.frombuffer(raw, dtype, width * count, at).reshape(-1, width).copy()
            at += size
        # v points up in OBJ, down in MSH
        found["vertex_texcoords"][:, 1] = 1 - found["vertex_texcoords"][:, 1]
        return Msh(**found)


def msh_to_obj(msh_file: Any) -> str:
    """Convert an MSH file to the text of an OBJ file. Errors are those of `Msh.create`.

    msh_file: path of the file
    """
    msh = Msh.create(msh_file)
    lines = []
    for key, rows in (("v", msh.vertex_positions), ("vn", msh.vertex_normals), ("vt", msh.vertex_texcoords)):
        lines += [" ".join([key, *map(str, row)]) for row in rows]
    # a face corner has the same index in all lists that exist
    textured, smooth = len(msh.vertex_texcoords) > 0, len(msh.vertex_normals) > 0
    corner = "{0}/{0}" if textured else "{0}"
    if smooth:
        corner += "/{0}" if textured else "//{0}"
    lines += ["f " + " ".join(corner.format(k + 1) for k in row) for row in msh.face_vertex_indices.tolist()]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Convert a file given on the command line."""
    parser = argparse.ArgumentParser(description="Convert an MSH mesh to OBJ.")
    parser.add_argument("-i", "--input", required=True, help="MSH file to read")
    parser.add_argument("-o", "--output", required=True, help="OBJ file to write")
    given = parser.parse_args(arguments)
    pathlib.Path(given.output).write_text(msh_to_obj(pathlib.Path(given.input)))
