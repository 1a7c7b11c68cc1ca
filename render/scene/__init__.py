"""The abstract scene: what to draw, without graphics calls. This package reads the engine's Model and Data, and writes an
`MjvScene`.

    record_arrays.py  records as a structure of arrays     abstract.py MjvScene, MjvGeom, MjvLight, MjvGLCamera
    options.py    flag, label, frame tables; MjvOption, MjvCamera, MjvPerturb        figure.py   MjvFigure
    build.py      updateScene: runs the generators         emit.py     blocks of geoms, connectors, frames
    bodies.py     geoms, sites, flexes, skins              decor*.py   joints, contacts, tendons, frames, labels ...
    surfaces.py   triangles of flexes and skins            label_texts.py   label texts
    camera.py     cameras and mouse                        interact.py perturbation        pick.py   the object under the cursor
    tessellate.py unit shapes and model shapes as triangles      simplify.py   large meshes with fewer triangles
    kernels.py    compiled generators for the most common geoms (calls.py finds them by name)

All functions work on whole arrays, without Python loops over geoms. They accept any objects with the attributes of Model and
Data.
"""

from .abstract import MjvGeom, MjvGLCamera, MjvLight, MjvScene
from .build import mjv_addGeoms, mjv_makeLights, mjv_updateScene
from .camera import (
    mjv_alignToCamera,
    mjv_averageCamera,
    mjv_camera2GLCamera,
    mjv_cameraFrame,
    mjv_cameraFrustum,
    mjv_cameraInModel,
    mjv_cameraInRoom,
    mjv_frustumHeight,
    mjv_model2room,
    mjv_moveCamera,
    mjv_room2model,
    mjv_updateCamera,
)
from .emit import mjv_connector, mjv_initGeom
from .figure import MjvFigure, mjv_defaultFigure
from .interact import mjv_applyPerturbForce, mjv_applyPerturbPose, mjv_initPerturb, mjv_moveModel, mjv_movePerturb
from .options import (
    FRAMES,
    LABELS,
    RND_FLAGS,
    VIS_FLAGS,
    MjrRect,
    MjvCamera,
    MjvOption,
    MjvPerturb,
    mjFRAMESTRING,
    mjLABELSTRING,
    mjRNDSTRING,
    mjv_defaultCamera,
    mjv_defaultFreeCamera,
    mjv_defaultOption,
    mjv_defaultPerturb,
    mjVISSTRING,
)
from .pick import mjv_select
from .surfaces import mjv_updateSkin

__all__ = [
    "MjrRect",
    "FRAMES",
    "LABELS",
    "MjvCamera",
    "MjvFigure",
    "MjvGLCamera",
    "MjvGeom",
    "MjvLight",
    "MjvOption",
    "MjvPerturb",
    "MjvScene",
    "RND_FLAGS",
    "VIS_FLAGS",
    "mjFRAMESTRING",
    "mjLABELSTRING",
    "mjRNDSTRING",
    "mjVISSTRING",
    "mjv_addGeoms",
    "mjv_alignToCamera",
    "mjv_applyPerturbForce",
    "mjv_applyPerturbPose",
    "mjv_averageCamera",
    "mjv_camera2GLCamera",
    "mjv_cameraFrame",
    "mjv_cameraFrustum",
    "mjv_cameraInModel",
    "mjv_cameraInRoom",
    "mjv_connector",
    "mjv_defaultCamera",
    "mjv_defaultFigure",
    "mjv_defaultFreeCamera",
    "mjv_defaultOption",
    "mjv_defaultPerturb",
    "mjv_frustumHeight",
    "mjv_initGeom",
    "mjv_initPerturb",
    "mjv_makeLights",
    "mjv_model2room",
    "mjv_moveCamera",
    "mjv_moveModel",
    "mjv_movePerturb",
    "mjv_room2model",
    "mjv_select",
    "mjv_updateCamera",
    "mjv_updateScene",
    "mjv_updateSkin",
]
