"""Builds the scene of a frame: runs the table of generators, then sets cameras, lights and surfaces.

The table's order determines the order of the geoms, and thus their segmentation ids.
"""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from ...engine.api.entries import Argument, enter, integer
from ...engine.calls import compiled as calls
from ...engine.core import report
from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.core.owner import visit
from ...engine.tables.compat_rows import holds
from ...engine.tables.enums import mjtLightType, mjtVisFlag, mjtWarning
from . import bodies, decor
from .abstract import MAXLIGHT, MjvScene
from .camera import head_in_model, mjv_updateCamera
from .decor_plugin import draw_plugins
from .emit import DECOR, STATIC, Build
from .options import MjvCamera, MjvOption, MjvPerturb
from .record_arrays import located, record
from .surfaces import update_flexes, update_skins

V_STATIC, V_SKIN = int(mjtVisFlag.mjVIS_STATIC), int(mjtVisFlag.mjVIS_SKIN)
DIRECTIONAL, SPOT = int(mjtLightType.mjLIGHT_DIRECTIONAL), int(mjtLightType.mjLIGHT_SPOT)

# Generators of the model's own shapes.
BODIES = (bodies.flexes, bodies.skins, bodies.geoms, bodies.sites)
HEADLIGHT_BULB, HEADLIGHT_RANGE = 0.02, 10
LIGHT_FIELDS = ("type", "texid", "castshadow", "bulbradius", "intensity", "range", "ambient", "diffuse", "specular")


def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: SupportsIndex, scn: MjvScene) -> None:
    """Append the geoms of a state to the scene; a scene can combine several states. `catmask`: a sum of mjtCatBit values."""
    catmask = int(catmask)
    if not opt.flags[V_STATIC]:
        catmask &= ~STATIC
    c = Build(m, d, opt, pert if pert is not None else MjvPerturb(), catmask, scn)
    for generate in BODIES + decor.ALWAYS:
        generate(c)
    if catmask & DECOR:
        for generate in decor.TABLE:
            generate(c)


def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Set the scene's lights: the headlight at the camera, then the model's active lights."""
    n, head = 0, m.vis.headlight
    if head.active:
        light = scn.lights[0]
        light.reset()
        light.id, light.headlight, light.texid, light.type = -1, 1, -1, DIRECTIONAL
        light.bulbradius, light.range = HEADLIGHT_BULB, HEADLIGHT_RANGE
        light.pos, light.dir, _ = head_in_model(scn)
        light.ambient, light.diffuse, light.specular = head.ambient, head.diffuse, head.specular
        n = 1

    # Copy as many of the model's active lights as fit; only spot lights have attenuation and a cone, which may fade.
    ids = np.flatnonzero(m.light_active)[: MAXLIGHT - n] if m.nlight else ()
    at, rows = slice(n, n + len(ids)), scn.light
    if len(ids):
        rows.id[at], rows.pos[at], rows.dir[at], rows.headlight[at] = ids, d.light_xpos[ids], d.light_xdir[ids], 0
        for k in LIGHT_FIELDS:
            rows.__dict__[k][at] = getattr(m, "light_" + k)[ids]
        spot = np.asarray(m.light_type)[ids] == SPOT
        rows.attenuation[at] = np.where(spot[:, None], m.light_attenuation[ids], 0)
        for k in ("exponent", "cutoff", "softness"):
            # A model of MuJoCo itself, which may be drawn too, has no softness.
            if (values := getattr(m, "light_" + k, None)) is not None:
                rows.__dict__[k][at] = np.where(spot, values[ids], 0)
    scn.nlight = at.stop if len(ids) else n


def mjv_updateScene(
    m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera | None, catmask: SupportsIndex, scn: MjvScene
) -> None:
    """Rebuild the whole scene from a state: geoms, GL cameras, lights, flex and skin surfaces.

    pert may be None. If not all geoms fit, status becomes 1, and Data counts a warning for a full geom buffer.
    """
    if located(opt, pert, cam):
        # Now that the addresses are known, the compiled function may be able to do the update.
        mjv_updateScene(m, d, opt, pert, cam, catmask, scn)
        return
    # Wait until other threads have stopped stepping this Data, and make them wait during the update.
    with visit(d, "mjv_updateScene"):
        scn.ngeom = scn.status = 0
        scn.geom.label.clear()
        if m.nplugin:
            draw_plugins(m, d, opt, scn)
        mjv_addGeoms(m, d, opt, pert, catmask, scn)
        mjv_updateCamera(m, d, cam, scn)
        mjv_makeLights(m, d, scn)

        # Update the vertices of flexes and skins, then warn if geoms did not fit.
        if any(opt.flags[k] for k in bodies.V_FLEX):
            update_flexes(m, d, opt, scn)
        if opt.flags[V_SKIN]:
            update_skins(m, d, opt, scn)
        if scn.status and holds("scene_full", int(getattr(m, "compat_bits", 0))):
            scn.say_full()
        elif scn.status:
            warn_full(d, scn.maxgeom)


mjv_updateScene = enter(
    mjv_updateScene,
    (
        Argument("m", calls.MODEL),
        Argument("d", calls.DATA),
        record("opt", MjvOption),
        record("pert", MjvPerturb, optional=True),
        record("cam", MjvCamera),
        integer("catmask"),
        record("scn", MjvScene),
    ),
    ".render.scene.kernels:?scene(m, d, opt, pert, cam, catmask, scn)",
    short=True,
)


def warn_full(d: MjData, maxgeom: int) -> None:
    """Count, in Data, a warning that the geom buffer is full; report the first one."""
    w = d.warning[int(mjtWarning.mjWARN_VGEOMFULL)]
    if not w.number:
        report.tell(int(mjtWarning.mjWARN_VGEOMFULL), maxgeom, d.time)
    w.number += 1
    w.lastinfo = maxgeom
