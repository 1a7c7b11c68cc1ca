"""Names of the package that are loaded on first use: rendering, the viewer, and the submodules of MuJoCo's package."""

import importlib
import os
from typing import Any

from . import engine  # pyright: ignore[reportAttributeAccessIssue]  (in a checkout it lies beside this folder)

PACKAGE = str(__package__)

# (prefixes of names, modules that may define names with these prefixes)
PLACES = (
    (("Mjv", "mjv_", "mj_printScene", "mj_printFormattedScene"), (".render.scene", ".render.scene.printing")),
    (("MjrRect",), (".render.scene",)),
    (("Mjr", "mjr_"), (".render.gl.mjr",)),
    (("GLContext",), (".render.gl.context",)),
    (("Renderer",), (".render.offscreen",)),
    (("show",), (".app.serving",)),
    (("help",), (".app.finding",)),
)
# submodules of MuJoCo's package that have a file in this folder
SUBMODULES = ("batch", "egl", "gl_context", "glfw", "minimize", "msh2obj", "osmesa", "renderer", "rollout", "viewer")
# Importing one of these selects PyOpenGL's platform, so `dir` lists only the one that the environment selects.
DRAWING = ("egl", "osmesa")
# submodules that MuJoCo's package lacks
OWN = ("debug", "studio")
# parts of MuJoCo's package; Tumble defines all their names here
PARTS = ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_simulate", "_specs", "_structs")
MUJOCO_SUBMODULES = {name: f"{PACKAGE}.{name}" for name in (*SUBMODULES, "cgl", "cgl.cgl", "usd", "usd.exporter")}
MUJOCO_SUBMODULES |= dict.fromkeys(PARTS, PACKAGE)

# names that are loaded on first use, for `dir` and stubs; a test checks that the modules above define them
LAZY = tuple(
    """
GLContext HEADERS_DIR MjByteVec MjCharVec MjDoubleVec MjFloatVec MjIntVec MjSpec MjStringVec MjStruct MjrContext MjrRect
MjsActuator MjsBody MjsCamera MjsCompiler MjsDefault MjsElement MjsEquality MjsExclude MjsFlex MjsFrame MjsGeom MjsHField
MjsJoint MjsKey MjsLight MjsMaterial MjVfs MjsMesh MjsNumeric MjsOrientation MjsPair MjsPlugin MjsSensor MjsSite MjsSkin
MjsTendon MjsTendonPath MjsText MjsTexture MjsTuple MjsWrap MjvCamera MjvFigure MjvGLCamera MjvGeom MjvLight MjvOption
MjvPerturb MjvScene PLUGINS_DIR PLUGIN_HANDLES Renderer from_zip import_model mj_clearCache mj_getCache mj_getCacheCapacity
mj_getCacheSize mj_getPluginConfig mj_loadAllPluginLibraries mj_loadPluginLibrary mj_mountVFS mj_unmountVFS mj_printData
mj_printFormattedData mj_printFormattedModel mj_printFormattedScene mj_printModel mj_printScene mj_printSchema mj_rayFlex
mj_saveLastXML mj_saveModel mj_saveXML mj_setCacheCapacity mjpPlugin mjpResourceProvider mjp_defaultPlugin mjp_getPlugin
mjp_getPluginAtSlot mjp_getResourceProvider mjp_getResourceProviderAtSlot mjp_findProvider mjp_getProviderAtSlot
mjp_providerCount mjp_registerProvider mjp_pluginCount mjp_registerPlugin mjp_registerResourceProvider
mjp_resourceProviderCount mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_drawPixels mjr_figure mjr_findRect
mjr_finish mjr_getError mjr_label mjr_maxViewport mjr_overlay mjr_readPixels mjr_rectangle mjr_render mjr_resizeOffscreen
mjr_restoreBuffer mjr_setAux mjr_setBuffer mjr_text mjr_uploadHField mjr_uploadMesh mjr_uploadTexture mju_getXMLDependencies
mju_rayFlex mju_raySkin mjv_addGeoms mjv_alignToCamera mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera
mjv_camera2GLCamera mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel mjv_cameraInRoom mjv_connector mjv_defaultCamera
mjv_defaultFigure mjv_defaultFreeCamera mjv_defaultOption mjv_defaultPerturb mjv_frustumHeight mjv_initGeom mjv_initPerturb
mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel mjv_movePerturb mjv_room2model mjv_select mjv_updateCamera
mjv_updateScene mjv_updateSkin help show to_zip
""".split()
)


def eager() -> dict:
    """Return {name: value} of the names that the engine defines when loaded."""
    return {name: getattr(engine, name) for name in engine.__all__} | {"__version__": engine.__version__}


def public() -> list[str]:
    """Return the names for `from tumble import *`."""
    return [
        *engine.__all__,
        *(name for name in SUBMODULES if name not in DRAWING or name == os.environ.get("MUJOCO_GL", "").lower().strip()),
    ]


def value(name: str) -> Any:
    """Return the value of a name of the package; load it if necessary."""
    return getattr(engine, name) if name in engine.__all__ else resolve(name)


def resolve(name: str) -> Any:
    """Load and return a name that the package does not define yet. Raise AttributeError if it does not exist."""
    if name == "MUJOCO_SUBMODULES":
        return MUJOCO_SUBMODULES
    if name in MUJOCO_SUBMODULES:
        try:
            # imported late: the viewer takes 0.3 s to load
            return importlib.import_module(MUJOCO_SUBMODULES[name])
        except OSError as error:
            # only macOS has CGL: elsewhere `import tumble.cgl` works, but `tumble.cgl` as an attribute does not
            raise AttributeError(f"module {PACKAGE!r} has no attribute {name!r}: {error}") from None

    # names of rendering and the viewer, then of the engine
    for beginnings, modules in PLACES:
        if not name.startswith(beginnings):
            continue
        for place in modules:
            try:
                # Imported late: scenes take 0.1 s and drawing 0.4 s to load, which a simulation does not need.
                module = importlib.import_module(place, PACKAGE)
            except ModuleNotFoundError as error:
                # skip a submodule that is not installed, but report any other failure
                if error.name and (PACKAGE + place == error.name or (PACKAGE + place).startswith(error.name + ".")):
                    continue
                raise
            if name in module.__dict__:
                return module.__dict__[name]
    try:
        return getattr(engine, name)
    except AttributeError:
        raise AttributeError(f"module {PACKAGE!r} has no attribute {name!r}") from None
