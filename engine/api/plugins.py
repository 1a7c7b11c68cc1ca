"""Plugins: registering them from Python, finding them, their configuration, and libraries of plugins.

A library is a Python file that registers plugins when it runs. MuJoCo's shared libraries are compiled against its
structs and cannot run here. Plugins that MuJoCo ships are built in.
"""

import importlib.util
import os
import pathlib
import sys

from ..core import plugin
from ..core.plugin import mjpPlugin
from ..core.report import FatalError, warn
from ..tables.compat_rows import FIRST, begun, bits, holds
from .signature import public

SHARED = (".so", ".dll", ".dylib")
# libraries of MuJoCo whose plugins are built in
BUILT_IN = ("actuator", "elasticity", "sdf_plugin", "sensor")
OWN = pathlib.Path(__file__).resolve().parents[1] / "plugins"


@public("plugin:o")
def mjp_registerPlugin(plugin_):
    """Register an mjpPlugin and return its slot; an equal description returns the same slot. FatalError if it is invalid."""
    return plugin.register(plugin_)


@public("plugin:o")
def mjp_defaultPlugin(plugin_):
    """Set all members of an mjpPlugin to their defaults."""
    plugin_.__init__()


@public()
def mjp_pluginCount():
    """Return the number of registered plugins."""
    return plugin.count()


@public("name:s")
def mjp_getPlugin(name):
    """Return (mjpPlugin, slot) of a name; (None, -1) if no such plugin is registered."""
    return plugin.find(name)


@public("slot:i")
def mjp_getPluginAtSlot(slot):
    """Return the mjpPlugin in a slot, or None."""
    return plugin.at(slot)


@public("m plugin_id:i attrib:s")
def mj_getPluginConfig(m, plugin_id, attrib):
    """Return a configuration attribute of a plugin instance as text; empty if it is not set, None for unknown instances or
    attributes."""
    return plugin.config(m, plugin_id, attrib)


def _library_name(path: str) -> str:
    """Return the name of a shared library without the platform's prefix and suffix."""
    stem = pathlib.Path(path).stem
    return stem[3:] if stem.startswith("lib") else stem


@public("path:s")
def mj_loadPluginLibrary(path):
    """Run a Python file that registers plugins. MuJoCo's own libraries are accepted, since their plugins are built in.

    FatalError for missing files, other shared libraries, and files whose code fails.
    """
    if not os.path.isfile(path):
        raise FatalError(f"Error loading plugin library '{path}': no such file")
    file = pathlib.Path(path).resolve()

    # built-in plugins need no loading
    if file.suffix in SHARED and _library_name(path) in BUILT_IN or file.parent == OWN:
        return
    if file.suffix != ".py":
        raise FatalError(
            f"Error loading plugin library '{path}': shared libraries are compiled against another engine's data layout and "
            "cannot be loaded; write the plugin in Python"
        )

    # run a Python file once
    name = f"tumble_plugin_{file.stem}_{abs(hash(str(file))):x}"
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, file)
    # the loader is never None for a .py file
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise FatalError(f"Error loading plugin library '{path}': {error}") from error


@public("directory:s")
def mj_loadAllPluginLibraries(directory):
    """Load all libraries of a folder: Python files whose names do not begin with an underscore, and shared libraries.

    A library that fails raises FatalError (3.4), or is skipped with a warning (`compat` 4.0 or later).
    """
    try:
        names = sorted(os.listdir(directory))
    except OSError as error:
        raise FatalError(f"Error loading plugin libraries of '{directory}': {error.strerror}") from error
    for name in names:
        if name.endswith(SHARED) or name.endswith(".py") and not name.startswith("_"):
            try:
                mj_loadPluginLibrary(os.path.join(directory, name))
            except FatalError as error:
                if not holds("library_skip", bits(begun() or FIRST)):
                    raise
                warn(str(error))


__all__ = [
    "mj_getPluginConfig",
    "mj_loadAllPluginLibraries",
    "mj_loadPluginLibrary",
    "mjpPlugin",
    "mjp_defaultPlugin",
    "mjp_getPlugin",
    "mjp_getPluginAtSlot",
    "mjp_pluginCount",
    "mjp_registerPlugin",
]
