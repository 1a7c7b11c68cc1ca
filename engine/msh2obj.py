"""Old binary MSH meshes as Wavefront OBJ. Run `python -m tumble.msh2obj -i mesh.msh -o mesh.obj`.

An MSH file begins with four int32: numbers of vertices, normals, texture coordinates and faces; their float32 rows follow, and
the int32 vertex triples of the faces. Normals and texture coordinates belong to the vertices of the same number.
"""

import argparse
import dataclasses
import pathlib

import numpy as np

HEADER = 4 * 4
# part -> numbers in a row; all are 4 bytes wide
PARTS = (
    ("vertex_positions", 3, np.float32, "vertices"),
    ("vertex_normals", 3, np.float32, "normals"),
    ("vertex_texcoords", 2, np.float32, "texcoords"),
    ("face_vertex_indices", 3, np.int32, "faces"),
)


@dataclasses.dataclass(frozen=True)
class Msh:
    """The contents of an MSH file: (n, 3) positions and normals, (n, 2) texture coordinates with v upward, (k, 3) faces."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file) -> "Msh":
        """Read a file. FileNotFoundError if there is none, ValueError if it is shorter than it says."""
        file = pathlib.Path(file)
        if not file.exists():
            raise FileNotFoundError(f"{file} does not exist.")
        raw = file.read_bytes()
        if len(raw) < HEADER:
            raise ValueError(f"{file} has {len(raw)} bytes, an MSH file begins with {HEADER}")
        at, found = HEADER, {}
        for count, (name, width, dtype, what) in zip(np.frombuffer(raw, np.int32, 4).tolist(), PARTS, strict=True):
            size = 4 * width * max(count, 0)
            if count < 0 or at + size > len(raw):
                raise ValueError(f"Invalid number of {what}: {count} in {file}, which has {len(raw)} bytes")
            found[name] = np.frombuffer(raw, dtype, width * count, at).reshape(-1, width).copy()
            at += size
        # OBJ counts v from below, MSH from above
        found["vertex_texcoords"][:, 1] = 1 - found["vertex_texcoords"][:, 1]
        return Msh(**found)


def msh_to_obj(msh_file) -> str:
    """Text of the OBJ file for an MSH file (a path)."""
    msh = Msh.create(msh_file)
    lines = []
    for key, rows in (("v", msh.vertex_positions), ("vn", msh.vertex_normals), ("vt", msh.vertex_texcoords)):
        lines += [" ".join([key, *map(str, row)]) for row in rows]
    # a corner has the same number in all three lists, as far as they exist
    textured, smooth = len(msh.vertex_texcoords) > 0, len(msh.vertex_normals) > 0
    corner = "{0}/{0}" if textured else "{0}"
    if smooth:
        corner += "/{0}" if textured else "//{0}"
    lines += ["f " + " ".join(corner.format(k + 1) for k in row) for row in msh.face_vertex_indices.tolist()]
    return "\n".join(lines) + "\n"


def main(arguments=None) -> None:
    """Convert one file."""
    parser = argparse.ArgumentParser(description="Convert an MSH mesh to OBJ.")
    parser.add_argument("-i", "--input", required=True, help="MSH file to read")
    parser.add_argument("-o", "--output", required=True, help="OBJ file to write")
    given = parser.parse_args(arguments)
    pathlib.Path(given.output).write_text(msh_to_obj(pathlib.Path(given.input)))
