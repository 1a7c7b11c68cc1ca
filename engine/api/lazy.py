"""Names of the engine that are imported on first use, so that simulations do not pay for editing, files and tools."""

import importlib
import os
import sys
from types import ModuleType
from typing import Any

PACKAGE = str(__package__).rpartition(".")[0]

# (prefixes of names, modules that may define names with one of these prefixes)
PLACES = (
    (("MjSpec",), (".description.spec",)),
    (("import_model",), (".description.imports",)),
    (("MjStruct",), (".api.binding",)),
    (
        ("Mjs",),
        (
            ".description.spec",
            ".description.elements.elements",
            ".description.elements.element",
            ".description.language.fields",
            ".description.language.vectors",
        ),
    ),
    (("MjVfs",), (".description.files.vfs",)),
    (("mj_mountVFS", "mj_unmountVFS"), (".api.resources",)),
    (("Mj",), (".description.language.vectors",)),
    (("from_zip", "to_zip"), (".description.archive",)),
    (("mj_getCache", "mj_setCache", "mj_clearCache"), (".api.cache",)),
    (
        ("mj_print", "mj_saveLastXML", "mj_saveXML", "mju_getXMLDependencies", "mj_saveModel"),
        (".api.files", ".description.save"),
    ),
    (("mj_rayFlex", "mju_rayFlex", "mju_raySkin"), (".api.ray_surfaces",)),
    (("mj_load", "mjp", "mj_getPluginConfig"), (".api.plugins", ".api.resources")),
    (("_realloc", "_Mj"), (".api.private",)),
)
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Folder names that scripts read. There are no headers here, and built-in plugins need no loading.
FIXED = {"HEADERS_DIR": os.path.join(_FOLDER, "include"), "PLUGINS_DIR": os.path.join(_FOLDER, "plugins"), "PLUGIN_HANDLES": []}


def load(place: str) -> ModuleType:
    """Return a module of the engine by its name within the engine. It is imported late: the modelling language alone takes 0.03
    s.
    """
    # imported late: these take 0.01 to 0.1 s each, and simulating a model does not need them
    return importlib.import_module(place, PACKAGE)


def resolve(name: str) -> Any:
    """Return the value of a name that the package does not define yet. AttributeError if there is none."""
    if name in FIXED:
        return FIXED[name]
    for beginnings, modules in PLACES:
        if not name.startswith(beginnings):
            continue
        for place in modules:
            module = load(place)
            if name in module.__dict__:
                value = module.__dict__[name]
                setattr(sys.modules[PACKAGE], name, value)
                return value
    raise AttributeError(f"module {PACKAGE!r} has no attribute {name!r}")
