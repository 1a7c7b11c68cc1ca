"""Names of the package that are found on first use, so that a simulation pays for nothing else: editing, pictures, tools."""
import importlib
import os
import sys

PACKAGE = __name__.partition(".")[0]

# beginning of a name: modules that may have it
PLACES = (
    (("MjSpec",), ("engine.spec.spec",)),
    (("MjStruct",), ("engine.api.binding",)),
    (("Mjs",), ("engine.spec.elements", "engine.spec.element", "engine.spec.fields", "engine.spec.vectors")),
    (("Mj",), ("engine.spec.vectors",)),
    (("from_zip", "to_zip"), ("engine.spec.archive",)),
    (("mj_getCache", "mj_setCache", "mj_clearCache"), ("engine.api.cache",)),
    (("mj_print", "mj_saveLastXML", "mj_saveXML", "mju_getXMLDependencies", "mj_saveModel"), ("engine.api.files", "engine.spec.save")),
    (("Mjv", "mjv_", "mj_printScene", "mj_printFormattedScene"), ("render.scene", "render.scene.printing")),
    (("MjrRect",), ("render.scene",)),
    (("Mjr", "mjr_"), ("render.gl.mjr",)),
    (("GLContext",), ("render.gl.context",)),
    (("Renderer",), ("render.offscreen",)),
    (("mju_rayFlex", "mju_raySkin"), ("engine.api.ray_surfaces",)),
    (("mj_load", "mjp", "mj_getPluginConfig"), ("engine.api.plugins", "engine.api.resources")),
    (("_realloc",), ("engine.api.private",)),
)
# modules of the reference's package that lie elsewhere here
MUJOCO_SUBMODULES = {"viewer": "app.passive", "renderer": "render.offscreen", "gl_context": "render.gl.context"}
MUJOCO_SUBMODULES |= {name: f"render.gl.only_{name}" for name in ("egl", "glfw", "osmesa")}
MUJOCO_SUBMODULES |= dict.fromkeys(("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_simulate", "_specs", "_structs"), PACKAGE)
OWN_SUBMODULES = ("minimize", "msh2obj", "rollout")
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# folders that scripts ask for; there are no headers here, and the shipped plugins need no loading
FIXED = {"HEADERS_DIR": os.path.join(_FOLDER, "include"), "PLUGINS_DIR": os.path.join(_FOLDER, "plugins"), "PLUGIN_HANDLES": []}


def resolve(name):
    """Value of a name that the package does not have yet."""
    if name in FIXED:
        return FIXED[name]
    if name in OWN_SUBMODULES or name in MUJOCO_SUBMODULES:
        return importlib.import_module(MUJOCO_SUBMODULES.get(name, f"{PACKAGE}.{name}"))
    for beginnings, modules in PLACES:
        if not name.startswith(beginnings):
            continue
        for place in modules:
            try:
                module = importlib.import_module(place)
            except ModuleNotFoundError as error:
                # a part that is not installed has none of the names; any other failure is to be seen
                if error.name and (place == error.name or place.startswith(error.name + ".")):
                    continue
                raise
            if name in module.__dict__:
                value = module.__dict__[name]
                setattr(sys.modules[PACKAGE], name, value)
                return value
    raise AttributeError(f"module {PACKAGE!r} has no attribute {name!r}")
