"""Compiles an MjSpec to an MjModel: the stages in order.

reads  tendon: wrap
"""

import functools
import time
from collections.abc import Callable, Sequence
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core import logs, report
from ...core.arena import tell_unasked
from ...core.model import MjModel
from ...core.options import MjOption, MjVisual
from ...machine.garbage import Held, no_collection
from ...tables.compat_rows import holds, kept
from ...tables.enums import mjtEnableBit
from ..elements import signature
from ..elements.keyframes import KEYED, order_of
from ..elements.spec import MjSpec, set_times, setting
from ..files.providers import ARCHIVES
from ..files.resources import Files
from ..language.errors import SpecError
from . import (
    actuator,
    bvh,
    contacts,
    custom,
    equality,
    frames,
    fuse,
    history,
    inertia,
    repeat,
    sensors,
    tendon,
    texture,
    timing,
)
from .constants import constants
from .materials import materials
from .name_buffers import name_buffer, path_buffer
from .pack import pack
from .plugins import resolve_plugins
from .resolve import Compilation, resolve
from .scaling import is_scaled, scaled
from .sizes import check_room, sizes
from .structure import elements
from .timing import ASSETS, TEXTURE, TOTAL, timed

MIN_MASS = 1e-15
DEFAULTS = SimpleNamespace(opt=MjOption(), vis=MjVisual())
# defaults that later releases changed: (name of the change, struct of the Model, field, new default)
LATER = (
    ("sleep_speed", attrgetter("opt"), "sleep_tolerance", 1e-3),
    ("bv_hidden", attrgetter("vis"), "global__bvactive", 0),
    ("headlight_auto", attrgetter("vis"), "headlight__active", 2),
)


# (type of element, stage that processes it); skipped for models without such elements
ON_BODIES = (("joint", frames.joints), ("site", frames.sites), ("camera", frames.cameras), ("light", frames.lights))
REFERRING = (
    ("pair", contacts.pairs),
    ("exclude", contacts.excludes),
    ("equality", equality.equalities),
    ("tendon", tendon.tendons),
    ("actuator", actuator.actuators),
)
TREE = ("body", "joint", "geom", "site", "camera", "light")
MEASURING = (("sensor", sensors.sensors), ("numeric", custom.numerics), ("tuple", custom.tuples))


# Garbage collection is paused, because almost all new objects are kept.
# Numeric warnings are off, because absurd sizes overflow before a check reports them.
@no_collection()
@np.errstate(all="ignore")
def compile_spec(spec: MjSpec, files: Files | None = None) -> MjModel:
    """Compile a spec into a new Model. The spec itself changes only where compiling fills in values (see `remember`).

    `files`: the source of files; by default the spec's own, or its assets and the file system. SpecError at the first fault.
    """
    start = time.perf_counter()
    # with files of its own, a spec is compiled only once
    asked = None if files or spec.files else repeat.begin(spec)
    m = repeat.known(spec, asked)
    if m is not None:
        spec.remember(m.signature)
        timer = timing.new_timer()
    else:
        told, source = report.count(), files or spec.files or spec.open_files()
        m, timer = _compiled(spec, source)
        repeat.remember(spec, asked, m, source.seen if source.repeatable and report.count() == told else None)
    m.storage.held = Held(spec, seen=True)
    timer[TOTAL] = time.perf_counter() - start
    if logs.is_asked(logs.COMPILING):
        logs.mju_message(logs.MjLogMessage(logs.INFO, logs.COMPILING, "compile time (ms)", timing.text(timer)))
    set_times(spec, timer)
    return m


def _compiled(spec: MjSpec, files: Files) -> tuple[MjModel, np.ndarray]:
    """Return the model of a spec, and the seconds that the parts of its compilation took."""
    try:
        own = in_size(spec)
        with ARCHIVES.during_load():
            c = front(own, files)
            m = back(c)
        if own is not spec:
            settle(spec, own, m.signature)
    except MemoryError as error:
        raise SpecError(f"not enough memory for this model: {error}") from None
    return m, c.timer


def in_size(spec: MjSpec) -> Any:
    """Return the spec. If it has scaling frames, return a copy in which the contents of these frames have their final sizes."""
    return scaled(spec) if is_scaled(spec) else spec


def settle(spec: MjSpec, own: MjSpec, value: int) -> None:
    """Copy the values that compiling filled in, from a scaled copy to the original spec."""
    for kind in TREE:
        for e, copy in zip(spec.items(kind), own.items(kind), strict=True):
            e.index = copy.index
    spec.key_order = order_of(spec)
    spec.remember(value)


def front(spec: MjSpec, files: Files, model: bool = True) -> Compilation:
    """Run all stages on tables. Return a Compilation whose columns contain ids, poses and inertias.

    Without `model`, results that only `back` reads are left out.
    """

    if spec.attached:
        raise SpecError("cannot compile child spec if attached by reference to a parent spec")
    c = Compilation(spec, files, model)

    resolve(c)
    materials(c)
    _assets(c)
    _tree(c)
    if c.fuse:
        fuse.fuse(c)
    frames.free_bodies(c)
    _deformables(c)
    _textures(c)
    _references(c)
    if c.discard:
        # imported late, which saves 3 ms for models without meshes
        from .discard import discard_visual

        discard_visual(c)

    inertia.check_moving(c)
    if model:
        elements(c)
        name_buffer(c)
        path_buffer(c)
    return c


def back(c: Compilation) -> MjModel:
    """Create the Model of a Compilation."""
    m = _make_model(c)
    constants(c, m)
    custom.rest_keys(m)
    remember(c, m)
    m.trust(True)
    return m


def _assets(c: Compilation) -> None:
    """Compile meshes and height fields; flexes, skins and textures follow later."""
    c.meshes, c.flexes, c.textures, c.hfield_data = [], [], [], []
    c.mesh_pack = c.flex_pack = c.skin_pack = {"sizes": {}, "fields": {}}
    if c.mesh.n:
        # imported late, which saves 3 ms for models without meshes
        from .mesh import compile_meshes

        with timed(c.timer, ASSETS):
            compile_meshes(c)
    if c.hfield.n:
        with timed(c.timer, ASSETS):
            texture.hfields(c)


def _textures(c: Compilation) -> None:
    if c.texture.n:
        with timed(c.timer, ASSETS), timed(c.timer, TEXTURE):
            texture.textures(c)


def _tree(c: Compilation) -> None:
    """Compile everything in the kinematic tree."""
    frames.frames(c)
    frames.bodies(c)
    frames.geoms(c)
    frames.geom_boxes(c)
    frames.into_body(c, c.geom)
    inertia.geom_masses(c)
    inertia.body_inertias(c)
    inertia.place_bodies(c)
    inertia.fluid_coefficients(c)
    if c.model or c.fuse or c.discard:
        bvh.body_trees(c)
    _run(c, ON_BODIES)
    frames.joint_counts(c)
    inertia.shift_rest(c)


def _run(c: Compilation, stages: Sequence[tuple[str, Callable[..., Any]]]) -> None:
    """Run the compilation stage of each element type that has elements."""
    for kind, stage in stages:
        if kind in c.filled and getattr(c, kind).n:
            stage(c)


def _deformables(c: Compilation) -> None:
    """Compile flexes and skins."""
    if c.flex.n or c.skin.n:
        # imported late, which saves 0.9 ms for models without deformables
        from . import flex, skin

        if c.flex.n:
            flex.compile_flexes(c)
        if c.skin.n:
            skin.compile_skins(c)


def _references(c: Compilation) -> None:
    """Compile everything outside the kinematic tree that refers to elements of the tree by name."""
    _run(c, REFERRING)
    resolve_plugins(c)
    _run(c, MEASURING)
    history.histories(c)


def _make_model(c: Compilation) -> MjModel:
    """Allocate the Model and fill its fields."""

    counts = sizes(c)
    check_room(counts)
    m = MjModel.of(counts, setting(c.spec, "option"), setting(c.spec, "visual"), "tex_data")

    later_defaults(c, m)
    if c.spec.raw["memory"] == -1 and c.spec.raw["nstack"] == -1:
        tell_unasked(m)
    m.signature = signature.of_tables(c)
    m.compat_bits, m.nhistory = kept(c.compat_bits), c.histories.kept
    pack(c, m)
    custom.keys(c, m)

    # scale all masses
    total = c.spec.compiler.raw["settotalmass"]
    if total > 0:
        if holds("visual_mass", c.compat_bits):
            report.warn(
                "compiler attribute 'settotalmass' is deprecated: scale masses and densities in the model, "
                "or call mj_setTotalmass and mj_setConst"
            )
        scale = max(MIN_MASS, total / max(MIN_MASS, float(np.add.reduce(m.body_mass[1:]))))
        m.body_mass[1:] *= scale
        m.body_inertia[1:] *= scale
    # indices are derived from names and counts, so the Model needs no validation
    m.storage.trusted = m.storage.fresh = True
    return m


@functools.cache
def defaults_of(compat_bits: int) -> SimpleNamespace:
    """Return the default options and visual settings (opt, vis) of the release that a set of changes belongs to."""
    found = SimpleNamespace(opt=MjOption(), vis=MjVisual())
    for change, struct, field, value in LATER:
        if holds(change, compat_bits):
            setattr(struct(found), field, value)
    if holds("multiccd_on", compat_bits):
        found.opt.enableflags |= mjtEnableBit.mjENBL_MULTICCD
    return found


def later_defaults(c: Compilation, m: MjModel) -> None:
    """Set options that were not given to the defaults of the selected release."""
    for change, struct, field, value in LATER:
        if (
            holds(change, c.compat_bits)
            and field not in c.spec.given
            and getattr(struct(m), field) == getattr(struct(DEFAULTS), field)
        ):
            setattr(struct(m), field, value)
    if holds("multiccd_on", c.compat_bits) and "multiccd" not in c.spec.given:
        m.opt.enableflags |= mjtEnableBit.mjENBL_MULTICCD


def remember(c: Compilation, m: MjModel) -> None:
    """Store in the spec the values that compiling fills in: ids, order of pairs, types of wrapped shapes, the signature."""
    spec = c.spec
    if c.fuse or c.discard:
        for kind in c.ids.keys() & c.filled:
            for e in spec.items(kind):
                e.index = -1
    for kind in c.filled:
        for i, e in enumerate(getattr(c, kind).elems):
            e.index = i
    for kind in c.filled & {"pair", "exclude"}:
        spec.parts[kind] = list(getattr(c, kind).elems)
    for e, rows in zip(c.tendon.elems, c.tendon.wrap):
        for w, (kind, *_) in zip(e.wraps, rows):
            w.raw["type"] = kind
    spec.key_order = tuple(getattr(c, kind).elems for kind in KEYED) if c.key.n else None
    spec.remember(m.signature)
