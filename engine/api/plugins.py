"""Libraries of plugins. Those of the reference are compiled against its structs and cannot run here; the shipped plugins are built in."""
import os

from ..core.report import FatalError
from .signature import public

LIBRARY = (".so", ".dll", ".dylib")


def _refuse(path):
    raise FatalError(f"{path}: plugin libraries are compiled against another engine's data layout and cannot be loaded; "
                     "write the plugin in Python")


@public("path:s")
def mj_loadPluginLibrary(path):
    """Load a library of plugins: always an error, since none fits this engine."""
    if not os.path.exists(path):
        raise FatalError(f"Error loading plugin library '{path}': no such file")
    _refuse(path)


@public("directory:s")
def mj_loadAllPluginLibraries(directory):
    """Load all libraries of a folder: an error if there is one."""
    for name in sorted(os.listdir(directory)):
        if name.endswith(LIBRARY):
            _refuse(os.path.join(directory, name))


__all__ = ["mj_loadAllPluginLibraries", "mj_loadPluginLibrary"]
