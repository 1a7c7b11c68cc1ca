"""MjSpec → MjModel: the ordered stages."""

import numpy as np

from ...core.enums import mjtDisableBit, mjtEnableBit
from ..elements import signature
from ..language.errors import SpecError
from . import bvh as c_bvh
from . import frames as c_frames
from . import inertia as c_inertia
from . import links as c_links
from . import pack as c_pack
from . import resolve as c_resolve
from . import sensors as c_sensors
from . import texture as c_texture
from .plugins import resolve_plugins

NO_CONTACT, SLEEP = int(mjtDisableBit.mjDSBL_CONTACT), int(mjtEnableBit.mjENBL_SLEEP)
NO_OTHER_FORCES = sum(int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("FRICTIONLOSS", "CONTACT", "SPRING", "DAMPER", "GRAVITY", "ACTUATION"))

# bytes of a Model or Data, bytes of the reference's arena, steps of a pull that finds a length range
MAX_BYTES, MAX_ARENA, MAX_PULL = 1 << 32, 1 << 46, 100_000


# absurd sizes overflow on the way to the checks that name them
@np.errstate(all="ignore")
def compile_spec(spec, files):
    """A new Model. Leaves the spec as it is, except for what compiling decides: see `remember`."""
    try:
        m = back(front(spec, files))
    except MemoryError as error:
        raise SpecError(f"not enough memory for this model: {error}") from None
    m._extra["spec"] = spec
    return m


def front(spec, files):
    """All stages on tables: a Compilation whose columns hold ids, poses and inertias."""
    if spec.attached:
        raise SpecError("cannot compile child spec if attached by reference to a parent spec")
    c = c_resolve.Compilation(spec, files)
    c_resolve.resolve(c)
    c_links.materials(c)
    meshes(c)
    c_texture.hfields(c)
    tree(c)
    if c.fuse:
        from .fuse import fuse
        fuse(c)
    links(c)
    c_inertia.check_moving(c)
    c_pack.prepare(c)
    return c


def back(c):
    """The Model of a Compilation."""
    m = make_model(c)
    constants(c, m)
    remember(c, m)
    return m


def remember(c, m):
    """Note in the spec what only compiling tells: ids, the order of pairs, shapes that tendons wrap around, the signature."""
    spec = c.spec
    if c.fuse or c.discard:
        for kind in c.ids:
            for e in spec.items(kind):
                e.index = -1
    for kind in c.ids:
        for i, e in enumerate(getattr(c, kind).elems):
            e.index = i
    for kind in ("pair", "exclude"):
        spec.parts[kind] = list(getattr(c, kind).elems)
    for e, rows in zip(c.tendon.elems, c.tendon.wrap):
        for w, (kind, *_) in zip(e.wraps, rows):
            w.raw["type"] = kind
    spec.remember(m.signature)


def meshes(c):
    """Meshes, and later flexes and skins: what has vertices."""
    c.meshes, c.flexes = [], []
    c.mesh_pack = c.flex_pack = c.skin_pack = {"sizes": {}, "fields": {}}
    if c.mesh.n:
        from .mesh import compile_meshes
        compile_meshes(c)


def tree(c):
    """Everything that stands in the kinematic tree."""
    c_frames.frames(c)
    c_frames.bodies(c)
    c_frames.geoms(c)
    c_frames.geom_boxes(c)
    c_frames.into_body(c, c.geom)
    c_inertia.geom_masses(c)
    c_inertia.body_inertias(c)
    c_inertia.place_bodies(c)
    c_inertia.fluid_coefficients(c)
    c_bvh.body_trees(c)
    c_frames.joints(c)
    c_frames.sites(c)
    c_frames.cameras(c)
    c_frames.lights(c)
    c_inertia.shift_rest(c)


def links(c):
    """Everything that refers to elements of the tree."""
    if c.flex.n:
        from .flex import compile_flexes
        compile_flexes(c)
    if c.skin.n:
        from .skin import compile_skins
        compile_skins(c)
    c_texture.textures(c)
    c_links.pairs(c)
    c_links.excludes(c)
    c_links.equalities(c)
    c_links.tendons(c)
    c_links.actuators(c)
    resolve_plugins(c)
    c_sensors.sensors(c)
    c_links.numerics(c)
    c_links.tuples(c)
    if c.discard:
        from .fuse import discard_visual
        discard_visual(c)


def make_model(c):
    """Allocate and fill."""
    from ...core.model import MjModel
    sizes = c_pack.sizes(c)
    check_room(sizes)
    m = MjModel(**sizes)
    m.opt, m.vis = c.spec.option, c.spec.visual
    m.signature = signature.of_tables(c)
    c_pack.pack(c, m)
    c_links.keys(c, m)
    total = c.spec.compiler.raw["settotalmass"]
    if total > 0:
        scale = max(1e-15, total / max(1e-15, float(np.add.reduce(m.body_mass[1:]))))
        m.body_mass[1:] *= scale
        m.body_inertia[1:] *= scale
    return m


def check_room(sizes):
    """SpecError if a Model and its Data were too large, with the array that is to blame."""
    from ...core.data import MjData
    from ...core.model import MjModel
    if sizes["narena"] > MAX_ARENA:
        raise SpecError(f"the memory of {sizes['narena']} bytes is beyond what can be addressed")
    for cls in (MjModel, MjData):
        count = cls.plan.bytes([sizes.get(n, 0) for n in cls.schema.sizes])
        if count > MAX_BYTES:
            worst, most = cls.plan.largest([sizes.get(n, 0) for n in cls.schema.sizes])
            raise SpecError(f"{cls.__name__} would take {count / 2**30:.3g} GiB, {most / 2**30:.3g} of them for "
                            f"'{worst}'; the limit is {MAX_BYTES / 2**30:.3g} GiB")


def constants(c, m):
    """What kinematics at the reference pose determines, then the statistics that the model itself gives."""
    from ...core.data import MjData
    from ...core.plugin import PluginError
    from ...step.setconst import set_const
    from ..elements.elements import compile_error
    spec = c.spec
    # contacts and sleep have no part in the constants
    flags = m.opt.disableflags, m.opt.enableflags
    m.opt.disableflags |= NO_CONTACT
    m.opt.enableflags &= ~SLEEP
    try:
        d = MjData(m)
    except PluginError as error:
        raise compile_error(c.plugin.elems[error.instance], str(error)) from error
    set_const(m, d)
    spring_damper(c, m)
    length_ranges(c, m, d)
    m.opt.disableflags, m.opt.enableflags = flags
    stat = spec.stat
    for name in ("meaninertia", "meanmass", "meansize", "extent"):
        value = getattr(stat, name)
        if not np.isnan(value):
            setattr(m.stat, name, value)
    if not np.isnan(stat.center[0]):
        m.stat.center[:] = stat.center


def spring_damper(c, m):
    """Joint stiffness and damping from a time constant and a damping ratio."""
    j = c.joint
    if not j.n:
        return
    for i in np.flatnonzero((j.springdamper > 0).all(1)):
        timeconst, ratio = j.springdamper[i]
        dofs = slice(int(j.dofadr[i]), int(j.dofadr[i] + j.nv[i]))
        inertia = j.nv[i] / max(1e-15, float(m.dof_invweight0[dofs].sum()))
        m.jnt_stiffness[i] = inertia / max(1e-15, timeconst * timeconst * ratio * ratio)
        m.dof_damping[dofs] = 2 * inertia / max(1e-15, timeconst)


def length_ranges(c, m, d):
    """Actuator length ranges by simulation, where the compiler's options ask for it."""
    options = c.spec.compiler.LRopt.raw
    kinds = (m.actuator_gaintype == 2) | (m.actuator_biastype == 2), (m.actuator_gaintype == 3) | (m.actuator_biastype == 3)
    wanted = {0: np.zeros(m.nu, bool), 1: kinds[0], 2: kinds[0] | kinds[1], 3: np.ones(m.nu, bool)}[options["mode"]]
    if options["useexisting"]:
        wanted = wanted & ~(m.actuator_lengthrange[:, 0] < m.actuator_lengthrange[:, 1])
    if not wanted.any():
        return
    from ...core.report import FatalError
    from ...step.length_range import set_length_range
    step = options["timestep"] if options["timestep"] > 0 else m.opt.timestep
    if not options["inttotal"] <= MAX_PULL * step:
        raise SpecError(f"lengthrange: inttotal {options['inttotal']:g} is more than {MAX_PULL} steps of {step:g}")
    # nothing but the pull itself moves the model
    saved = m.opt.timestep, m.opt.disableflags
    m.opt.disableflags = NO_OTHER_FORCES
    if options["timestep"] > 0:
        m.opt.timestep = options["timestep"]
    try:
        for i in np.flatnonzero(wanted):
            try:
                set_length_range(m, d, int(i), c.spec.compiler.LRopt)
            except FatalError as error:
                raise SpecError(str(error), c.actuator.elems[i].place) from None
    finally:
        m.opt.timestep, m.opt.disableflags = saved
