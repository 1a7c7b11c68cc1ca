"""Imports extension modules of large packages without the rest of the package.

`scipy.spatial` loads 200 modules for one compiled file that makes hulls: 0.4 s in each process that compiles a mesh.
"""

import importlib
import importlib.machinery
import importlib.util
import sys
import threading
from types import ModuleType

# protects imports, because several threads may need the same module first
_LOCK = threading.RLock()


def extension(name: str, *needs: str) -> ModuleType:
    """Return the extension module `name`. `needs`: other extension modules that `name` imports.

    The packages of these modules are executed only when one of the packages' attributes is first read. If this is not
    possible, import the packages as usual.
    """
    with _LOCK:
        try:
            for one in (*needs, name):
                if one not in sys.modules:
                    _load(one)
        except ImportError:
            return importlib.import_module(name)
        return sys.modules[name]


def _load(name: str) -> None:
    """Load an extension module into a package that may not have been executed yet."""
    package, _, last = name.rpartition(".")
    folders = _package(package)
    spec = importlib.machinery.PathFinder.find_spec(name, folders)
    if spec is None or not isinstance(spec.loader, importlib.machinery.ExtensionFileLoader):
        raise ImportError(f"{name} is not an extension module")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    setattr(sys.modules[package], last, module)


def _package(name: str) -> list[str]:
    """Return the folders of a package. If it is not imported yet, put it into sys.modules for later execution."""
    # importing the outer package may import this package as well
    spec = importlib.util.find_spec(name)
    if name in sys.modules:
        return list(sys.modules[name].__path__)
    if spec is None or spec.loader is None or spec.submodule_search_locations is None:
        raise ImportError(f"{name} is not a package")
    folders = list(spec.submodule_search_locations)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return folders
