"""Tables of types that the code does not contain: parameters by name, results, attributes; and names that stubs omit.

Functions of the engine declare their parameters in the first line of their help. Annotations are used as written, and
fields come from the tables of fields. The tables in this file contain all other types. Writing stubs fails if a type is
found nowhere.
"""

INTS = "npt.NDArray[np.int32]"


def table(text: str) -> dict:
    """Return {name: type} from lines `type: name name ...`."""
    rows = (line.rpartition(": ") for line in text.strip().splitlines())
    return {name: left.strip() for left, _, right in rows for name in right.split()}


# types of parameters by name; `function.name` and `Class.function.name` take precedence over `name`
PARAMETERS = table("""
MjModel: m model
MjData: d data d_dest d_src MjData.copy_from.other
MjModel | None: MjvScene.__init__.model MjrContext.__init__.model warmup.model
MjModel | Sequence[MjModel]: rollout.model Rollout.rollout.model stream.model
MjData | Sequence[MjData]: Rollout.rollout.data
MjData | Sequence[MjData] | None: rollout.data
MjSpec: spec child
MjsElement: next_body.child next_camera.child next_frame.child next_geom.child next_joint.child next_light.child next_site.child
MjsElement | MjsDefault: delete.element
MjsBody: body
MjsFrame: frame
MjsFrame | str | None: MjSpec.attach.frame
MjsSite | str | None: MjSpec.attach.site
MjsDefault | None: default parent
MjvScene: scn src mj_printScene.s mj_printFormattedScene.s
MjvCamera: cam
MjvGLCamera: cam1 cam2
MjvCamera | None: mjv_updateScene.cam
MjvOption: vopt opt
MjvOption | None: scene_option
MjvPerturb: pert
MjvPerturb | None: mjv_updateScene.pert mjv_addGeoms.pert
MjvGeom: geom
MjvFigure: fig
MjrContext: con
MjrRect: viewport mjr_blitBuffer.src mjr_blitBuffer.dst mjr_blitAux.src
Sequence[MjrRect]: rect
MjOption: mj_defaultOption.opt MjOption.copy_from.other
MjVisual: vis MjVisual.copy_from.other
MjStatistic: MjStatistic.copy_from.other
MjLROpt: mj_defaultLROpt.opt mj_setLengthRange.opt
MjContact: mj_addContact.con
mjpPlugin: plugin
mjpResourceProvider: provider
MjVfs | None: from_xml_path.vfs from_xml_string.vfs from_file.vfs from_string.vfs compile.vfs
MjVfs: mj_mountVFS.vfs mj_unmountVFS.vfs
Any: cache cluster where specs exc_type exc_val exc_value exc_tb traceback output
SupportsIndex: meshid hfieldid texid width height samples index action framebuffer catmask flg_color flg_depth flg_paused
SupportsIndex: left bottom x y nrect
SupportsIndex: type type1 type2 max_geom maxgeom font gridpos fontscale max_width max_height subdivision nedge count
SupportsIndex: control_spec instance
SupportsIndex: capabilityflags needstage MjsMesh.make_hemisphere.resolution MjsMesh.make_supersphere.resolution
SupportsIndex: mjr_findRect.x mjr_findRect.y
SupportsIndex: MjsMesh.make_supertorus.resolution max_iter
SupportsIndex | None: nthread nstep chunk_size workers
SupportsFloat: reldx reldy aspectratio relx rely r g b a rt gt bt mjv_connector.width mjr_text.x mjr_text.y coef divisor
SupportsFloat: radius e n s t gamma
SupportsFloat: MjsMesh.make_supersphere.n kp kv inheritrange eps mu_min mu_max mu_factor xtol gtol
SupportsFloat | None: font_scale
npt.ArrayLike: roomup from_ to vec initial_state fov MjsMesh.make_wedge.resolution MjsMesh.make_plate.resolution
npt.ArrayLike: mjv_alignToCamera.forward
npt.ArrayLike: mjv_room2model.roompos mjv_room2model.roomquat mjv_model2room.modelpos mjv_model2room.modelquat
npt.ArrayLike | None: control initial_warmstart mjv_initGeom.size pos mat rgba
npt.NDArray[np.float64]: res headpos forward up right modelpos modelquat roompos roomquat selpnt
npt.NDArray[np.float64] | None: state sensordata
npt.NDArray[np.float64]: x0 least_squares.x proj least_squares.r Norm.value.r Norm.grad_hess.r Quadratic.value.r
npt.NDArray[np.float64]: Quadratic.grad_hess.r
npt.NDArray[np.float64]: jacobian_fd.x jacobian_fd.r check_jacobian.x check_jacobian.r check_jacobian.jac check_norm.r
npt.NDArray[np.float32]: zver zhor zclip
npt.NDArray[np.int32]: geomid flexid skinid
npt.NDArray[np.uint8] | None: rgb
npt.NDArray[np.float32] | None: depth
npt.NDArray[Any] | None: out
str: page host filename filepath float_format txt overlay overlay2 xml classname lighting scheme msh_file key value
str: check_jacobian.name sidesite
str: MjSpec.activate_plugin.name wrap_site.name wrap_geom.name wrap_joint.name find_child.name mjpPlugin.__init__.name
str | None: prefix suffix inside sequence compat
str | IO[bytes]: file
bool: degree everything skip_checks persistent_pool check_derivatives
dict[str, bytes] | None: assets
dict[str, Any] | None: include
Sequence[str]: attributes arguments
Sequence[Any] | None: orientation
mjtObj | str: what
int | str: name
str | int | MjvCamera: camera
int: n_res
Norm: norm
Verbosity | int: verbose
Sequence[npt.NDArray[np.float64]] | None: bounds
Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]: residual
Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64]], npt.NDArray[np.float64]] | None: jacobian
Callable[[list[IterLog]], object] | None: iter_callback
Callable[[int, int, str], object] | None: progress
Callable[[MjModel, MjData], object] | None: set_mjcb_control.callback set_mjcb_passive.callback
Callable[[MjModel, MjData, int], object] | None: set_mjcb_sensor.callback
Callable[[MjModel, MjData, int], float] | None: set_mjcb_act_dyn.callback set_mjcb_act_gain.callback set_mjcb_act_bias.callback
Callable[[MjModel, MjData, int, int], int] | None: set_mjcb_contactfilter.callback
Callable[[], float] | None: set_mjcb_time.callback
Callable[[str], object] | None: set_mju_user_warning.handler
Callable[..., Any] | None: handler function callback open close getdir modified place
Callable[[Any], bytes]: read
Any: show.source serve.trajectory Served.__init__.server functions kwargs values viewports_figures viewports_images texts
int: sizes num2
object: _exc
Any: Mark.place.how
MjvScene: user_scn
npt.NDArray[np.float64] | None: solref solimp
npt.NDArray[np.float64] | float | None: mju_standardNormal.num2
npt.ArrayLike: face vert set_to_muscle.timeconst set_to_muscle.range
SupportsFloat: tausmooth force scale lmin lmax vmax fpmax fvmax bias area diameter gain set_to_cylinder.timeconst
SupportsFloat: set_to_position.kv
SupportsFloat: set_to_intvelocity.kv set_to_position.timeconst set_to_intvelocity.timeconst set_to_position.dampratio
SupportsFloat: set_to_intvelocity.dampratio
SupportsFloat | None: set_to_pid.kv set_to_pid.dampratio set_to_orientation.kv set_to_orientation.dampratio
SupportsFloat | None: set_to_dcmotor.resistance
SupportsFloat: ki imax slewmax
SupportsIndex | None: ctrlspec
npt.ArrayLike | None: posrange motorconst nominal saturation inductance cogging controller thermal lugre
""")

# result types of functions, methods and properties by name; a function without `return` returns None
RESULTS = table("""
viewer.Served | viewer.Film: show
list[Any]: help
None: ImageItem.show
Any: mj_getCache get_mjcb_collision get_mju_user_malloc get_mju_user_free get_mju_user_warning get_mjcb_control
Any: get_mjcb_passive get_mjcb_sensor
Any: get_mjcb_act_dyn get_mjcb_act_gain get_mjcb_act_bias get_mjcb_contactfilter get_mjcb_time bind bind_scalar plugin_object
MjModel: from_xml_path from_xml_string from_binary_path MjSpec.compile
MjSpec: from_file from_string from_zip MjSpec.copy
MjSpec | None: MjSpec.parent
_Pair: MjSpec.recompile
str: to_xml signature_text mj_id2name MjsBody.childclass MjsFrame.childclass Element.name Element.info MjsDefault.name
str: GLContext.name MjsPlugin.name
str: MjsPlugin.label msh_to_obj
str | Any: mj_getPluginConfig
int: mj_version signature mjp_registerPlugin mjp_pluginCount mjp_registerResourceProvider mjp_resourceProviderCount
int: mjr_findRect mjv_select
int: memory_limit get_data_size id warmup nattribute threadpool mj_addContact height width mjr_getError
list[str]: .names
bytes: names paths text_data
npt.NDArray[np.int8]: plugin_attr
dict[str, int]: sizes capacities
dict[str, bytes]: assets
dict[str, str]: config
dict[str, float]: warmup
float: mjv_frustumHeight Norm.value Quadratic.value
bool: same exists
MjrRect: mjr_maxViewport viewport
mjpPlugin | None: mjp_getPluginAtSlot
_PluginSlot: mjp_getPlugin
mjpResourceProvider | None: mjp_getResourceProvider mjp_getResourceProviderAtSlot
MjsDefault | None: add_default find_default
MjsDefault: MjSpec.default classname InBody.classname _Classed.classname
MjsBody: worldbody
MjsBody | None: find_child
MjsBody | MjsFrame: parent
MjsFrame | None: frame to_frame_of
MjsFrame: to_frame attach_frame MjSpec.attach
MjsBody: attach_body
list[Any]: find_all
list[float]: resolve_orientation
MjsJoint: add_freejoint
MjsTendonPath: path
MjsWrap: wrap_site wrap_geom wrap_joint wrap_pulley
MjsJoint | MjsSite | MjsGeom | None: MjsWrap.target
MjsSite | None: MjsWrap.sidesite
float | None: coef divisor
bool: copy_during_attach
Sequence[MjvGeom]: geoms
Sequence[MjvLight]: lights
Sequence[MjvGLCamera]: MjvScene.camera
MjModel: Renderer.model m
MjvScene: Renderer.scene user_scn
MjvCamera: cam
MjvOption: opt
MjvPerturb: perturb pert
None: check_norm
object: create_initialized_egl_device_display
npt.NDArray[Any]: array
bytes: contents
Renderer: Renderer.__enter__
Rollout: Rollout.__enter__
MjvGLCamera: mjv_averageCamera
MjData: d mj_copyData
AbstractContextManager[Any]: lock
npt.NDArray[Any]: Renderer.render
_Trajectories: rollout Rollout.rollout
Any: Cluster.pool
dict[Any, npt.NDArray[Any]]: Batch.rollout
_Minimum: least_squares
_Columns: grad_hess jacobian_fd
int: check_jacobian
Msh: create
""")

# attributes that objects get when they are created
ATTRIBUTES = {
    "MjModel": {"opt": "MjOption", "vis": "MjVisual", "stat": "MjStatistic"},
    "MjData": {
        "model": "MjModel",
        "contact": "_MjContactList",
        "solver": "_MjSolverStatList",
        "warning": "_MjWarningStatList",
        "timer": "_MjTimerStatList",
    },
    "Element": {"default": "MjsDefault"},
    "InBody": {"parent": "MjsBody", "frame": "MjsFrame | None"},
    "MjsCompiler": {"LRopt": "MjLROpt"},
    "MjSpec": {
        "compiler": "MjsCompiler",
        "option": "MjOption",
        "visual": "MjVisual",
        "stat": "MjStatistic",
        "meshdir": "str",
        "texturedir": "str",
    },
    "MjvScene": {"maxgeom": "int", "geomorder": INTS},
    "Renderer": {},
    "Msh": {},
    "Mark": {"visible": "bool"},
}

# methods and attributes for internal use
HIDDEN = frozenset(
    """
plan schema storage poison grow reserve capacities copy_to changed remember check_repeat position id_of open_files rows
keywords blank kind set all_bodies all_defaults items find add fields reset assign snapshot append label over of take place
raw set_font size prepare fbo draw_with model_signature plugin_instances parts specs pending_keys active_plugins files
override_assets deep attached tree_version children same set_callback
""".split()
)
# public methods whose names other classes use for internal methods
SHOWN = frozenset(("Batch.reset", "PlotItem.append", "Mark.place"))


def hidden(name: str, owner: str) -> bool:
    """Return whether stubs omit a method or attribute of a class."""
    return name in HIDDEN and f"{owner}.{name}" not in SHOWN
