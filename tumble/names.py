"""Names of the package that are found on first use: what is drawn, the viewer, and the reference's submodules."""
import importlib

from . import engine

PACKAGE = __package__

# beginning of a name: modules that may have it
PLACES = (
    (("Mjv", "mjv_", "mj_printScene", "mj_printFormattedScene"), (".render.scene", ".render.scene.printing")),
    (("MjrRect",), (".render.scene",)),
    (("Mjr", "mjr_"), (".render.gl.mjr",)),
    (("GLContext",), (".render.gl.context",)),
    (("Renderer",), (".render.offscreen",)),
)
# submodules of the reference's package that are files of this folder
SUBMODULES = ("egl", "gl_context", "glfw", "minimize", "msh2obj", "osmesa", "renderer", "rollout", "viewer")
# parts of the reference's package that all have their names here
PARTS = ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_simulate", "_specs", "_structs")
MUJOCO_SUBMODULES = {name: f"{PACKAGE}.{name}" for name in SUBMODULES} | dict.fromkeys(PARTS, PACKAGE)


def eager():
    """{name: value} of what the engine has from the start."""
    return {name: getattr(engine, name) for name in engine.__all__} | {"__version__": engine.__version__}


def public():
    """Names for `from tumble import *`."""
    return [*engine.__all__, *SUBMODULES]


def resolve(name):
    """Value of a name that the package does not have yet; AttributeError if there is none."""
    if name == "MUJOCO_SUBMODULES":
        return MUJOCO_SUBMODULES
    if name in MUJOCO_SUBMODULES:
        return importlib.import_module(MUJOCO_SUBMODULES[name])
    for beginnings, modules in PLACES:
        if not name.startswith(beginnings):
            continue
        for place in modules:
            try:
                module = importlib.import_module(place, PACKAGE)
            except ModuleNotFoundError as error:
                # a part that is not installed has none of the names; any other failure is to be seen
                if error.name and (PACKAGE + place == error.name or (PACKAGE + place).startswith(error.name + ".")):
                    continue
                raise
            if name in module.__dict__:
                return module.__dict__[name]
    try:
        return getattr(engine, name)
    except AttributeError:
        raise AttributeError(f"module {PACKAGE!r} has no attribute {name!r}") from None
