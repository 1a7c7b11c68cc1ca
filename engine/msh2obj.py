"""Legacy binary MSH meshes as Wavefront OBJ text: `python -m engine.msh2obj -i mesh.msh -o mesh.obj`.

`msh_to_obj(file)` is the text; `Msh.create(file)` the arrays, with texture coordinates that point up as in OBJ files.
"""
import argparse
import dataclasses
import pathlib

import numpy as np

from .geom.mesh_read import MeshError, read_msh


@dataclasses.dataclass(frozen=True)
class Msh:
    """Arrays of an MSH file: positions (n, 3), normals (n or 0, 3), texture coordinates (n or 0, 2), faces (m, 3) of vertex numbers."""
    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file):
        """Read a file. FileNotFoundError if it is not there, ValueError if its sizes are wrong."""
        file = pathlib.Path(file)
        if not file.exists():
            raise FileNotFoundError(f"{file} does not exist.")
        try:
            raw = read_msh(file.read_bytes(), True)
        except MeshError as error:
            raise ValueError(f"{file}: {error}") from None
        none = np.zeros((0, 3), np.float32)
        texcoord = np.zeros((0, 2), np.float32) if raw.texcoord is None else raw.texcoord.copy()
        texcoord[:, 1] = 1 - texcoord[:, 1]
        return Msh(raw.vert.astype(np.float32), none if raw.normal is None else raw.normal, texcoord,
                   raw.face)


def msh_to_obj(msh_file):
    """OBJ text of an MSH file. A corner of a face has one number: of its position, texture coordinate and normal."""
    msh = Msh.create(msh_file)
    # a corner names only what the file has
    form = "{0}" + ("/{0}" if len(msh.vertex_texcoords) else "/" if len(msh.vertex_normals) else "") + ("/{0}" if len(msh.vertex_normals) else "")
    lines = [f"{key} " + " ".join(map(str, row)) for key, rows in (("v", msh.vertex_positions), ("vn", msh.vertex_normals), ("vt", msh.vertex_texcoords))
             for row in rows.tolist()]
    lines += ["f " + " ".join(form.format(i) for i in face) for face in (msh.face_vertex_indices + 1).tolist()]
    return "\n".join(lines) + "\n"


def main():
    """Convert one file to another."""
    parser = argparse.ArgumentParser(description="Convert a legacy MSH file to an OBJ file.")
    parser.add_argument("-i", "--input", required=True, help="the MSH file")
    parser.add_argument("-o", "--output", required=True, help="the OBJ file")
    args = parser.parse_args()
    pathlib.Path(args.output).write_text(msh_to_obj(args.input), encoding="utf-8")


if __name__ == "__main__":
    main()
