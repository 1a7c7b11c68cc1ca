"""Converts old binary MSH meshes to Wavefront OBJ: `python -m tumble.msh2obj -i mesh.msh -o mesh.obj`."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .engine import msh2obj

if __name__ == "__main__":
    msh2obj.main()
sys.modules[__name__] = msh2obj
