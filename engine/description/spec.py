"""MjSpec with all its methods: those of the classes in `elements`, and those implemented in higher layers.

`METHODS` is the table: class, method name, function. The first argument of each function is the object itself, except for
functions that create a spec.
"""

from ..core.model import MjModel
from .archive import from_zip, to_zip
from .compile.constants import check_inertia
from .compile.driver import compile_spec
from .compile.recompile import recompile
from .compile.sensors import data_size
from .copyback import copy_back
from .elements import mesh_shapes
from .elements.attach import attach_body_to_frame, attach_body_to_site, attach_child, attach_frame_to_body
from .elements.dedup import dedup_assets
from .elements.edit import body_to_frame, copy_spec, delete
from .elements.elements import MjsBody, MjsFrame, MjsMesh, MjsSensor, MjsSite
from .elements.spec import MjSpec
from .encode import encode
from .files.resources import Files
from .files.vfs import MjVfs, contents_of
from .flexes import make_flex
from .read.parse import spec_from_file, spec_from_string
from .reduce import adopt_inertial, discard_visual, fuse_static
from .save import mj_saveXML
from .write.mjcf import write_mjcf


def to_xml(spec: MjSpec) -> str:
    """Return the canonical MJCF text of the compiled spec; SpecError if it cannot be compiled."""
    return write_mjcf(spec)


def to_file(spec: MjSpec, file: str) -> None:
    """Write the text of `to_xml` to a file; FatalError if that fails."""
    mj_saveXML(spec, file)


def compile(spec: MjSpec, *, vfs: MjVfs | None = None) -> MjModel:
    """Return a new MjModel; SpecError at the first error. `vfs`: an MjVfs in which files are searched first."""
    files = None
    if vfs is not None:
        contents, mounts = contents_of(vfs, spec.assets)
        files = Files(contents, spec.inside, mounts=mounts)
    m = compile_spec(spec, files)
    check_inertia(spec, m)
    return m


METHODS = (
    (MjSpec, "from_file", staticmethod(spec_from_file)),
    (MjSpec, "from_string", staticmethod(spec_from_string)),
    (MjSpec, "from_zip", staticmethod(from_zip)),
    (MjSpec, "to_zip", to_zip),
    (MjSpec, "to_xml", to_xml),
    (MjSpec, "to_file", to_file),
    (MjSpec, "encode", encode),
    (MjSpec, "copy", copy_spec),
    (MjSpec, "copy_back", copy_back),
    (MjSpec, "delete", delete),
    (MjSpec, "dedup_assets", dedup_assets),
    (MjSpec, "adopt_inertial", adopt_inertial),
    (MjSpec, "discard_visual", discard_visual),
    (MjSpec, "fuse_static", fuse_static),
    (MjSpec, "attach", attach_child),
    (MjSpec, "compile", compile),
    (MjSpec, "recompile", recompile),
    (MjsBody, "attach_frame", attach_frame_to_body),
    (MjsBody, "make_flex", make_flex),
    (MjsBody, "to_frame", body_to_frame),
    (MjsFrame, "attach_body", attach_body_to_frame),
    (MjsSite, "attach_body", attach_body_to_site),
    (MjsSensor, "get_data_size", data_size),
    *(
        (MjsMesh, name, getattr(mesh_shapes, name))
        for name in (
            "make_sphere",
            "make_hemisphere",
            "make_cone",
            "make_supersphere",
            "make_supertorus",
            "make_wedge",
            "make_plate",
            "make_grid",
            "make_box",
            "make_cylinder",
            "make_ellipsoid",
            "make_square",
            "make_disc",
        )
    ),
)

for _class, _name, _function in METHODS:
    setattr(_class, _name, _function)
