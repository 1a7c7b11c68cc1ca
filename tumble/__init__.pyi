"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import batch as batch
from . import egl as egl
from . import gl_context as gl_context
from . import glfw as glfw
from . import minimize as minimize
from . import msh2obj as msh2obj
from . import osmesa as osmesa
from . import renderer as renderer
from . import rollout as rollout
from . import viewer as viewer
from . import debug as debug
from . import studio as studio

_T = TypeVar("_T")
_G = TypeVar("_G")
_D = TypeVar("_D", bound=np.generic)
# Any: the value is rarely None, so scripts should not have to check for None each time
_MaybeNone: TypeAlias = Any
_Columns: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
_Strings: TypeAlias = tuple[str, ...]
_Flags: TypeAlias = tuple[tuple[str, str, str], ...]

class _Array(Generic[_D]):
    """An array: reading gives it, assigning writes its elements."""
    @overload
    def __get__(self, obj: None, owner: type) -> _Array[_D]: ...
    @overload
    def __get__(self, obj: object, owner: type | None = ...) -> npt.NDArray[_D]: ...
    def __set__(self, obj: object, value: npt.ArrayLike) -> None: ...

class _List(Generic[_T, _G]):
    """A list of a spec: reading gives a view of type _T, assigning takes a _G."""
    @overload
    def __get__(self, obj: None, owner: type) -> _List[_T, _G]: ...
    @overload
    def __get__(self, obj: object, owner: type | None = ...) -> _T: ...
    def __set__(self, obj: object, value: _G) -> None: ...

__version__: str
mujoco_version: str
tumble_version: str
mjDISABLESTRING: _Strings
mjENABLESTRING: _Strings
mjFRAMESTRING: _Strings
mjKEY_BACKSPACE: int
mjKEY_DELETE: int
mjKEY_DOWN: int
mjKEY_END: int
mjKEY_ENTER: int
mjKEY_ESCAPE: int
mjKEY_F1: int
mjKEY_F10: int
mjKEY_F11: int
mjKEY_F12: int
mjKEY_F2: int
mjKEY_F3: int
mjKEY_F4: int
mjKEY_F5: int
mjKEY_F6: int
mjKEY_F7: int
mjKEY_F8: int
mjKEY_F9: int
mjKEY_HOME: int
mjKEY_INSERT: int
mjKEY_LEFT: int
mjKEY_NUMPAD_0: int
mjKEY_NUMPAD_9: int
mjKEY_PAGE_DOWN: int
mjKEY_PAGE_UP: int
mjKEY_RIGHT: int
mjKEY_TAB: int
mjKEY_UP: int
mjLABELSTRING: _Strings
mjMAXCONPAIR: int
mjMAXFLEXNODES: int
mjMAXIMP: float
mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXMATERIAL: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjMAXTEXTURE: int
mjMAXTHREAD: int
mjMAXTREEDEPTH: int
mjMAXUIEDIT: int
mjMAXUIITEM: int
mjMAXUIMULTI: int
mjMAXUINAME: int
mjMAXUIRECT: int
mjMAXUISECT: int
mjMAXUITEXT: int
mjMAXVAL: float
mjMINAWAKE: int
mjMINIMP: float
mjMINMU: float
mjMINVAL: float
mjNAUX: int
mjNBIAS: int
mjNDYN: int
mjNEQDATA: int
mjNFLUID: int
mjNGAIN: int
mjNGROUP: int
mjNIMP: int
mjNISLAND: int
mjNREF: int
mjNSENS: int
mjNSOLVER: int
mjPI: float
mjPRESERVE: int
mjRNDSTRING: _Flags
mjSEPCLOSED: int
mjTIMERSTRING: _Strings
mjVERSION_HEADER: int
mjVISSTRING: _Flags
HEADERS_DIR: str
PLUGINS_DIR: str
PLUGIN_HANDLES: list[Any]

class MjContact:
    """Members are rows of `contact_*` of MjData."""
    dist: float
    """m: distance of the surfaces, negative if they overlap"""
    pos: _Array[np.float64]
    """3, m: point midway between the surfaces"""
    frame: _Array[np.float64]
    """9: axes by rows: normal from the first to the second geom, then two tangents"""
    includemargin: float
    """m: distance below which the contact exerts force: margin minus gap"""
    friction: _Array[np.float64]
    """5: friction: two sliding (no unit), one torsional and two rolling (m)"""
    solref: _Array[np.float64]
    """2: solver reference of the normal: timeconst (s), dampratio or -stiffness, -damping"""
    solreffriction: _Array[np.float64]
    """2: solver reference of friction, zeros: same as solref"""
    solimp: _Array[np.float64]
    """5: solver impedance: d0, dwidth, width, midpoint, power"""
    mu: float
    """friction of the regularised cone (make_constraint)"""
    H: _Array[np.float64]
    """36: Hessian of the elliptic cone, dim by dim (constraint_update)"""
    dim: int
    """dimensions: 1, 3, 4 or 6"""
    geom: _Array[np.int32]
    """2: the two geoms, -1: flex"""
    flex: _Array[np.int32]
    """2: the two flexes, -1: geom"""
    elem: _Array[np.int32]
    """2: elements of the flexes, -1: geom or vertex"""
    vert: _Array[np.int32]
    """2: vertices of the flexes, -1: geom or element"""
    exclude: int
    """0: has rows; without rows: 1 in the gap, 2 fused or fixed, 3 no dofs, 4 a spring"""
    efc_address: int
    """first row in efc_*, -1: none"""
    geom1: int
    """1: see geom"""
    geom2: int
    """2: see geom"""
    def __init__(self) -> None: ...

class _MjContactList:
    """Sequence of MjContact; attributes are whole columns."""
    dist: _Array[np.float64]
    pos: _Array[np.float64]
    frame: _Array[np.float64]
    includemargin: _Array[np.float64]
    friction: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    solimp: _Array[np.float64]
    mu: _Array[np.float64]
    H: _Array[np.float64]
    dim: _Array[np.int32]
    geom: _Array[np.int32]
    flex: _Array[np.int32]
    elem: _Array[np.int32]
    vert: _Array[np.int32]
    exclude: _Array[np.int32]
    efc_address: _Array[np.int32]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjContact]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> MjContact: ...
    @overload
    def __getitem__(self, index: slice) -> _MjContactList: ...

class MjSolverStat:
    """Members are rows of `solver_*` of MjData."""
    improvement: float
    """decrease of the cost, scaled by the mean inertia"""
    gradient: float
    """norm of the gradient, scaled by the mean inertia"""
    lineslope: float
    """slope of the cost at the end of the line search, scaled"""
    nactive: int
    """active rows"""
    nchange: int
    """rows whose state changed"""
    neval: int
    """evaluations of the cost in the line search"""
    nupdate: int
    """rank-one updates of the Cholesky factor"""
    def __init__(self) -> None: ...

class _MjSolverStatList:
    """Sequence of MjSolverStat; attributes are whole columns."""
    improvement: _Array[np.float64]
    gradient: _Array[np.float64]
    lineslope: _Array[np.float64]
    nactive: _Array[np.int32]
    nchange: _Array[np.int32]
    neval: _Array[np.int32]
    nupdate: _Array[np.int32]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjSolverStat]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> MjSolverStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjSolverStatList: ...

class MjWarningStat:
    """Members are rows of `warning_*` of MjData."""
    lastinfo: int
    """number reported with the last warning of each type (mjtWarning)"""
    number: int
    """number of warnings of each type"""
    def __init__(self) -> None: ...

class _MjWarningStatList:
    """Sequence of MjWarningStat; attributes are whole columns."""
    lastinfo: _Array[np.int32]
    number: _Array[np.int32]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjWarningStat]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> MjWarningStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjWarningStatList: ...

class MjTimerStat:
    """Members are rows of `timer_*` of MjData."""
    duration: float
    """s: time spent in each part of a step (mjtTimer)"""
    number: int
    """number of times that each part ran"""
    def __init__(self) -> None: ...

class _MjTimerStatList:
    """Sequence of MjTimerStat; attributes are whole columns."""
    duration: _Array[np.float64]
    number: _Array[np.int32]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjTimerStat]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> MjTimerStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjTimerStatList: ...

class MjLROpt:
    """Options of the computation of actuator length ranges."""
    mode: int
    """which actuators: none, muscles, muscles and user- defined, all (mjtLRMode)"""
    useexisting: int
    """whether given ranges are kept"""
    uselimit: int
    """whether limits of joints and tendons are used where given"""
    accel: float
    """m/s^2 or rad/s^2: acceleration for which the applied force aims"""
    maxforce: float
    """N or N m: maximum force, 0: no limit"""
    timeconst: float
    """s: time constant of the damping"""
    timestep: float
    """s: time step"""
    inttotal: float
    """s: length of the simulation"""
    interval: float
    """s: interval at the end of the simulation in which the range is measured"""
    tolrange: float
    """maximum change of the range in that interval, relative to the range"""
    def __init__(self) -> None: ...

class mjtAlignFree(enum.IntEnum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtBias(enum.IntEnum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3
    mjBIAS_SO3 = 4
    mjBIAS_DCMOTOR = 5

class mjtBuiltin(enum.IntEnum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtButton(enum.IntEnum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtCTimer(enum.IntEnum):
    """Phases of compiling that are timed (since 3.9)."""
    mjCTIMER_TOTAL = 0
    mjCTIMER_ASSETS = 1
    mjCTIMER_TEXTURE = 2
    mjCTIMER_MESH_LOAD = 3
    mjCTIMER_MESH_HULL = 4
    mjCTIMER_MESH_POLYGON = 5
    mjCTIMER_MESH_INERTIA = 6
    mjCTIMER_MESH_BVH = 7
    mjCTIMER_MESH_OCTREE = 8
    mjNCTIMER = 9

class mjtCamLight(enum.IntEnum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtCamera(enum.IntEnum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtCatBit(enum.IntEnum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtColorSpace(enum.IntEnum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtConDataField(enum.IntEnum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtCone(enum.IntEnum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtConstraint(enum.IntEnum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtCtrlChart(enum.IntEnum):
    """Coordinates of an orientation servo's control (since 3.11)."""
    mjCHART_EXPMAP = 1
    mjCHART_QUAT = 2

class mjtCtrlInput(enum.IntEnum):
    """Inputs of an actuator's control (since 3.16)."""
    mjINPUT_POS = 1
    mjINPUT_VEL = 2
    mjINPUT_FF = 4
    mjINPUT_VOLTAGE = 8
    mjINPUT_NONE = 16
    mjINPUT_PRESSURE = 32

class mjtDataType(enum.IntEnum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtDepthMap(enum.IntEnum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtDisableBit(enum.IntEnum):
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjNDISABLE = 19

class mjtDyn(enum.IntEnum):
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5
    mjDYN_PID = 6
    mjDYN_DCMOTOR = 7

class mjtEnableBit(enum.IntEnum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32
    mjENBL_DIAGEXACT = 64
    mjENBL_SPECULATIVE = 128
    mjNENABLE = 6

class mjtEq(enum.IntEnum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_DISTANCE = 5

class mjtEvent(enum.IntEnum):
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtFlexSelf(enum.IntEnum):
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtFont(enum.IntEnum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtFontScale(enum.IntEnum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFrame(enum.IntEnum):
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8

class mjtFramebuffer(enum.IntEnum):
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtGain(enum.IntEnum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3
    mjGAIN_PID = 4
    mjGAIN_SO3 = 5
    mjGAIN_DCMOTOR = 6

class mjtGeom(enum.IntEnum):
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjNGEOMTYPES = 9
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001

class mjtGeomInertia(enum.IntEnum):
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtGridPos(enum.IntEnum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtInertiaFromGeom(enum.IntEnum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtIntegrator(enum.IntEnum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    mjINT_DISCRETE = 4

class mjtItem(enum.IntEnum):
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14

class mjtJacobian(enum.IntEnum):
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtJoint(enum.IntEnum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtLRMode(enum.IntEnum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtLabel(enum.IntEnum):
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17

class mjtLightType(enum.IntEnum):
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtLimited(enum.IntEnum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtLogLevel(enum.IntEnum):
    """Severity of a log message (since 3.10)."""
    mjLOG_DEBUG = 0
    mjLOG_INFO = 1
    mjLOG_WARNING = 2
    mjLOG_ERROR = 3

class mjtLogTopic(enum.IntEnum):
    """Topics of log messages (since 3.10)."""
    mjTOPIC_NONE = 0
    mjTOPIC_TIME_STP = 1
    mjTOPIC_TIME_CMP = 2
    mjTOPIC_SLEEP = 3
    mjNTOPIC = 3

class mjtMark(enum.IntEnum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtMeshBuiltin(enum.IntEnum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtMeshInertia(enum.IntEnum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMouse(enum.IntEnum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7
    mjMOUSE_TURN_V = 8
    mjMOUSE_TURN_H = 9

class mjtObj(enum.IntEnum):
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjNOBJECT = 26
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102

class mjtOrientation(enum.IntEnum):
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtPertBit(enum.IntEnum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtPluginCapabilityBit(enum.IntEnum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtRndFlag(enum.IntEnum):
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_SEGMENT = 7
    mjRND_IDCOLOR = 8
    mjRND_CULL_FACE = 9
    mjNRNDFLAG = 10

class mjtSDFType(enum.IntEnum):
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtSameFrame(enum.IntEnum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSection(enum.IntEnum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class mjtSensor(enum.IntEnum):
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtSleepPolicy(enum.IntEnum):
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtSleepState(enum.IntEnum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtSolver(enum.IntEnum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2

class mjtStage(enum.IntEnum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtState(enum.IntEnum):
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_WARMSTART = 16
    mjSTATE_CTRL = 32
    mjSTATE_QFRC_APPLIED = 64
    mjSTATE_XFRC_APPLIED = 128
    mjSTATE_EQ_ACTIVE = 256
    mjSTATE_MOCAP_POS = 512
    mjSTATE_MOCAP_QUAT = 1024
    mjSTATE_USERDATA = 2048
    mjSTATE_PLUGIN = 4096
    mjNSTATE = 13
    mjSTATE_PHYSICS = 14
    mjSTATE_FULLPHYSICS = 4111
    mjSTATE_USER = 4064
    mjSTATE_INTEGRATION = 8191

class mjtStereo(enum.IntEnum):
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtTaskStatus(enum.IntEnum):
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class mjtTexture(enum.IntEnum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10

class mjtTimer(enum.IntEnum):
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15

class mjtTrn(enum.IntEnum):
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_SO3 = 6
    mjTRN_UNDEFINED = 1000

class mjtVisFlag(enum.IntEnum):
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31

class mjtWarning(enum.IntEnum):
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7
    mjNWARNING = 8

class mjtWrap(enum.IntEnum):
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

class DataInUse(RuntimeError):
    """A thread used an MjData that another thread is working on. The refused call had no effect."""

class FatalError(Exception):
    """An error after which a call cannot continue: its arguments have the right types but invalid values."""

class GLContext:
    """A context from the first backend that works, or from the backend that MUJOCO_GL names. ContextError, a RuntimeError, if
    there is none.

    max_width, max_height: size of its buffer in pixels
    """
    def __init__(self, max_width: SupportsIndex, max_height: SupportsIndex) -> None: ...
    @property
    def name(self) -> str:
        """Name of the backend in use."""
    def make_current(self) -> None:
        """Make the context current in this thread."""
    def free(self) -> None:
        """Destroy the context."""

class InvalidModel(ValueError):
    """A Model whose integer fields contradict each other; compiled code would read outside its arrays."""

class MjByteVec:
    """A list of integers from 0 to 255 in a spec. `MjByteVec(value, count)` has `count` elements, all `value`. Values of another type raise a TypeError."""
    def __init__(self, value: int, count: SupportsIndex) -> None: ...
    def __setitem__(self, index: SupportsIndex, value: int) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> int: ...
    def __iter__(self) -> Iterator[int]: ...

class MjCharVec:
    """A list of single characters in a spec. `MjCharVec(value, count)` has `count` elements, all `value`. Values of another type raise a TypeError."""
    def __init__(self, value: str, count: SupportsIndex) -> None: ...
    def __setitem__(self, index: SupportsIndex, value: str) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> str: ...
    def __iter__(self) -> Iterator[str]: ...

class _MjDataBodyViews:
    """Rows of a body."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    xfrc_applied: _Array[np.float64]
    """N or N m: input: force and torque at the centre of mass, in world axes"""
    xpos: _Array[np.float64]
    """m: positions of body frames"""
    xquat: _Array[np.float64]
    """quat: orientations of body frames"""
    xmat: _Array[np.float64]
    """orientations of body frames, rotation matrices by rows"""
    xipos: _Array[np.float64]
    """m: centres of mass of bodies"""
    ximat: _Array[np.float64]
    """orientations of inertial frames, rotation matrices by rows"""
    subtree_com: _Array[np.float64]
    """m: centre of mass of each body including its descendants"""
    cinert: _Array[np.float64]
    """kg m^2 or kg m or kg: inertia of bodies: six moments and products, mass times offset, mass"""
    crb: _Array[np.float64]
    """kg m^2 or kg m or kg: inertia of each body including its descendants, in the layout of cinert"""
    cvel: _Array[np.float64]
    """rad/s or m/s: velocity of bodies: rotation, then translation"""
    subtree_linvel: _Array[np.float64]
    """m/s: velocity of each subtree's centre of mass"""
    subtree_angmom: _Array[np.float64]
    """kg m^2/s: angular momentum of each subtree about its centre of mass"""
    cacc: _Array[np.float64]
    """rad/s^2 or m/s^2: acceleration of bodies, with -gravity: rotation, then translation"""
    cfrc_int: _Array[np.float64]
    """N m or N: load that the parent exerts, about the tree's centre: torque, force"""
    cfrc_ext: _Array[np.float64]
    """N m or N: load from applied forces and contacts, about the tree's centre: torque, force"""

class _MjDataJointViews:
    """Rows of a joint."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    cdof: _Array[np.float64]
    """rad/rad or m/rad or m/m: motion of each dof at unit velocity: rotation, then translation"""
    cdof_dot: _Array[np.float64]
    """1/s or m/s: rate of change of cdof"""
    qLDiagInv: _Array[np.float64]
    """inverse of D"""
    qacc: _Array[np.float64]
    """m/s^2 or rad/s^2: acceleration: output of forward dynamics, input of inverse dynamics"""
    qacc_smooth: _Array[np.float64]
    """m/s^2 or rad/s^2: acceleration without constraint forces"""
    qacc_warmstart: _Array[np.float64]
    """m/s^2 or rad/s^2: initial guess of the solver: acceleration of the last step"""
    qfrc_actuator: _Array[np.float64]
    """N or N m: generalized force of all actuators"""
    qfrc_applied: _Array[np.float64]
    """N or N m: input: generalized force"""
    qfrc_bias: _Array[np.float64]
    """N or N m: Coriolis, centrifugal and gravitational forces"""
    qfrc_constraint: _Array[np.float64]
    """N or N m: generalized force of all constraints"""
    qfrc_inverse: _Array[np.float64]
    """N or N m: force that qacc requires in addition to passive and constraint forces"""
    qfrc_passive: _Array[np.float64]
    """N or N m: sum of all passive forces"""
    qfrc_smooth: _Array[np.float64]
    """N or N m: all generalized forces except those of constraints"""
    qpos: _Array[np.float64]
    """m or rad: configuration; quaternions are w x y z"""
    qvel: _Array[np.float64]
    """m/s or rad/s: velocity"""
    xanchor: _Array[np.float64]
    """m: anchors of joints"""
    xaxis: _Array[np.float64]
    """axes of joints"""

class _MjDataGeomViews:
    """Rows of a geom."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    xpos: _Array[np.float64]
    """m: positions of geoms"""
    xmat: _Array[np.float64]
    """orientations of geoms, rotation matrices by rows"""

class _MjDataSiteViews:
    """Rows of a site."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    xpos: _Array[np.float64]
    """m: positions of sites"""
    xmat: _Array[np.float64]
    """orientations of sites, rotation matrices by rows"""

class _MjDataCameraViews:
    """Rows of a camera."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    xpos: _Array[np.float64]
    """m: positions of cameras"""
    xmat: _Array[np.float64]
    """orientations of cameras, rotation matrices by rows"""

class _MjDataLightViews:
    """Rows of a light."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    xpos: _Array[np.float64]
    """m: positions of lights"""
    xdir: _Array[np.float64]
    """directions of lights"""

class _MjDataTendonViews:
    """Rows of a tendon."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    wrapadr: _Array[np.int32]
    """first point on the path"""
    wrapnum: _Array[np.int32]
    """points on the path"""
    J_rownnz: _Array[np.int32]
    """tendon Jacobian: elements of each row"""
    J_rowadr: _Array[np.int32]
    """tendon Jacobian: where each row begins"""
    J_colind: _Array[np.int32]
    """tendon Jacobian: dof of each element"""
    J: _Array[np.float64]
    """m/m or m/rad: tendon Jacobian: change of each tendon's length with each dof"""
    length: _Array[np.float64]
    """m or rad: lengths"""
    velocity: _Array[np.float64]
    """m/s or rad/s: rates of change of tendon lengths"""

class _MjDataActuatorViews:
    """Rows of a actuator."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    ctrl: _Array[np.float64]
    """any: controls: the inputs of actuators"""
    length: _Array[np.float64]
    """m or rad: lengths of actuators, including gear"""
    moment: _Array[np.float64]
    """m/m or m/rad: change of each actuator's length with each dof"""
    velocity: _Array[np.float64]
    """m/s or rad/s: rates of change of actuator lengths"""
    force: _Array[np.float64]
    """N or N m: force of each actuator along its length"""

class _MjDataSensorViews:
    """Rows of a sensor."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    data: _Array[np.float64]
    """any: readings of all sensors, one after another"""

class MjData:
    """State and results of a simulation of `model`."""
    @property
    def nq(self) -> int:
        """length of qpos: coordinates of all joints; a quaternion counts as four"""
    @property
    def nv(self) -> int:
        """degrees of freedom: length of qvel and qacc"""
    @property
    def nu(self) -> int:
        """controls: inputs of all actuators"""
    @property
    def na(self) -> int:
        """activations: internal states of all actuators"""
    @property
    def nbody(self) -> int:
        """bodies, including the world"""
    @property
    def nbvh(self) -> int:
        """nodes of all bounding volume hierarchies"""
    @property
    def nbvhstatic(self) -> int:
        """nodes of hierarchies that move rigidly with a body (bodies and meshes)"""
    @property
    def nbvhdynamic(self) -> int:
        """nodes of hierarchies that are refitted at every step (flexes)"""
    @property
    def noct(self) -> int:
        """cells of all octrees of meshes"""
    @property
    def njnt(self) -> int:
        """joints"""
    @property
    def ntree(self) -> int:
        """kinematic trees below the world"""
    @property
    def nM(self) -> int:
        """elements of qM, which stores the inertia of each dof with itself and with its ancestors"""
    @property
    def nB(self) -> int:
        """elements of the sparse body-dof incidence matrix"""
    @property
    def nC(self) -> int:
        """elements of M and of its factor: one triangle, in which rows of simple dofs have only the diagonal"""
    @property
    def nD(self) -> int:
        """elements of the sparse dof-dof matrix with both triangles"""
    @property
    def ngeom(self) -> int:
        """geoms"""
    @property
    def nsite(self) -> int:
        """sites"""
    @property
    def ncam(self) -> int:
        """cameras"""
    @property
    def nlight(self) -> int:
        """lights"""
    @property
    def nflex(self) -> int:
        """flexes, that is deformable bodies"""
    @property
    def nflexnode(self) -> int:
        """nodes of all interpolated flexes"""
    @property
    def nflexvert(self) -> int:
        """vertices of all flexes"""
    @property
    def nflexedge(self) -> int:
        """edges of all flexes"""
    @property
    def nflexelem(self) -> int:
        """elements of all flexes"""
    @property
    def nflexelemdata(self) -> int:
        """vertex indices listed by the elements of all flexes"""
    @property
    def nflexelemedge(self) -> int:
        """edge indices listed by the elements of all flexes"""
    @property
    def nflexshelldata(self) -> int:
        """vertex indices listed by the shell fragments of all flexes"""
    @property
    def nflexevpair(self) -> int:
        """element-vertex pairs that can collide within flexes"""
    @property
    def nflextexcoord(self) -> int:
        """vertices of all flexes that have texture coordinates"""
    @property
    def nmesh(self) -> int:
        """meshes"""
    @property
    def nmeshvert(self) -> int:
        """vertices of all meshes"""
    @property
    def nmeshnormal(self) -> int:
        """normals of all meshes"""
    @property
    def nmeshtexcoord(self) -> int:
        """texture coordinates of all meshes"""
    @property
    def nmeshface(self) -> int:
        """triangles of all meshes"""
    @property
    def nmeshgraph(self) -> int:
        """numbers in the convex hull graphs of all meshes"""
    @property
    def nmeshpoly(self) -> int:
        """polygons of all convex hulls"""
    @property
    def nmeshpolyvert(self) -> int:
        """vertex indices listed by the polygons of all hulls"""
    @property
    def nmeshpolymap(self) -> int:
        """polygon indices listed by the vertices of all hulls"""
    @property
    def nskin(self) -> int:
        """skins"""
    @property
    def nskinvert(self) -> int:
        """vertices of all skins"""
    @property
    def nskintexvert(self) -> int:
        """vertices of skins that have texture coordinates"""
    @property
    def nskinface(self) -> int:
        """triangles of all skins"""
    @property
    def nskinbone(self) -> int:
        """bones of all skins"""
    @property
    def nskinbonevert(self) -> int:
        """vertices that the bones of all skins move"""
    @property
    def nhfield(self) -> int:
        """height fields"""
    @property
    def nhfielddata(self) -> int:
        """samples of all height fields"""
    @property
    def ntex(self) -> int:
        """textures"""
    @property
    def ntexdata(self) -> int:
        """bytes of all textures"""
    @property
    def nmat(self) -> int:
        """materials"""
    @property
    def npair(self) -> int:
        """geom pairs listed for collision"""
    @property
    def nexclude(self) -> int:
        """body pairs excluded from collision"""
    @property
    def neq(self) -> int:
        """equality constraints"""
    @property
    def ntendon(self) -> int:
        """tendons"""
    @property
    def nwrap(self) -> int:
        """objects on the paths of all tendons"""
    @property
    def nsensor(self) -> int:
        """sensors"""
    @property
    def nnumeric(self) -> int:
        """custom numeric fields"""
    @property
    def nnumericdata(self) -> int:
        """numbers in all custom numeric fields"""
    @property
    def ntext(self) -> int:
        """custom text fields"""
    @property
    def ntextdata(self) -> int:
        """bytes in all custom texts, including final zeros"""
    @property
    def ntuple(self) -> int:
        """custom tuples"""
    @property
    def ntupledata(self) -> int:
        """objects in all custom tuples"""
    @property
    def nkey(self) -> int:
        """keyframes"""
    @property
    def nmocap(self) -> int:
        """bodies whose pose is an input"""
    @property
    def npluginattr(self) -> int:
        """bytes in all plugin attributes, including final zeros"""
    @property
    def nuser_body(self) -> int:
        """length of the user data of each body"""
    @property
    def nuser_jnt(self) -> int:
        """length of the user data of each joint"""
    @property
    def nuser_geom(self) -> int:
        """length of the user data of each geom"""
    @property
    def nuser_site(self) -> int:
        """length of the user data of each site"""
    @property
    def nuser_cam(self) -> int:
        """length of the user data of each camera"""
    @property
    def nuser_tendon(self) -> int:
        """length of the user data of each tendon"""
    @property
    def nuser_actuator(self) -> int:
        """length of the user data of each actuator"""
    @property
    def nuser_sensor(self) -> int:
        """length of the user data of each sensor"""
    @property
    def nnames(self) -> int:
        """bytes in all names, including final zeros"""
    @property
    def npaths(self) -> int:
        """bytes in all file paths, including final zeros"""
    @property
    def nnames_map(self) -> int:
        """slots of the hash table of names"""
    @property
    def nJmom(self) -> int:
        """elements of the sparse actuator moment"""
    @property
    def ngravcomp(self) -> int:
        """bodies with gravity compensation"""
    @property
    def nemax(self) -> int:
        """maximum number of equality rows for which the model was built"""
    @property
    def njmax(self) -> int:
        """number of constraint rows to allocate memory for; -1: as many as memory allows"""
    @property
    def nconmax(self) -> int:
        """number of contacts to allocate memory for; -1: as many as memory allows"""
    @property
    def nuserdata(self) -> int:
        """length of userdata"""
    @property
    def nsensordata(self) -> int:
        """length of sensordata"""
    @property
    def npluginstate(self) -> int:
        """length of plugin_state"""
    @property
    def nactuator(self) -> int:
        """actuators; each has one control and one force, except for types that later releases added"""
    @property
    def nout(self) -> int:
        """forces of all actuators"""
    @property
    def nplastic(self) -> int:
        """length of the plastic state: rest positions of plastic springs"""
    narena: int
    """byte: size of MuJoCo's arena, as in the model"""
    nbuffer: int
    """byte: size of MuJoCo's buffer of state and results"""
    nplugin: int
    """plugin instances"""
    pstack: int
    """byte: used part of MuJoCo's stack, in stages that count it"""
    pbase: int
    """byte: base of MuJoCo's stack frame; 0 here"""
    parena: int
    """byte: used part of MuJoCo's arena if limit_arena is set, else 0"""
    maxuse_stack: int
    """byte: largest use of the stack so far"""
    maxuse_threadstack: _Array[np.int64]
    """128, byte: largest use of each thread's stack so far"""
    maxuse_arena: int
    """byte: largest use of the arena so far"""
    maxuse_con: int
    """largest number of contacts so far"""
    maxuse_efc: int
    """largest number of constraint rows so far"""
    solver_niter: _Array[np.int32]
    """20: iterations in each island"""
    solver_nnz: _Array[np.int32]
    """20: elements of the Hessian or of AR in each island"""
    solver_fwdinv: _Array[np.float64]
    """2, N or N m: norms of forward minus inverse dynamics: constraint forces, applied forces"""
    ncon: int
    """contacts"""
    ne: int
    """rows of equality constraints"""
    nf: int
    """rows of dry friction"""
    nl: int
    """rows of limits"""
    nefc: int
    """constraint rows"""
    nJ: int
    """elements of the constraint Jacobian"""
    nA: int
    """elements of AR, the inverse inertia in constraint space"""
    nisland: int
    """islands: groups of trees that constraints connect"""
    nidof: int
    """dofs in islands"""
    ntree_awake: int
    """trees that are awake"""
    nbody_awake: int
    """bodies that are awake"""
    nparent_awake: int
    """bodies whose parent is awake"""
    nv_awake: int
    """dofs that are awake"""
    time: float
    """s: simulation time"""
    energy: _Array[np.float64]
    """2, J: potential and kinetic energy (energy_pos, energy_vel)"""
    qpos: _Array[np.float64]
    """nq, m or rad: configuration; quaternions are w x y z"""
    qvel: _Array[np.float64]
    """nv, m/s or rad/s: velocity"""
    act: _Array[np.float64]
    """na, any: activations of actuators"""
    qacc_warmstart: _Array[np.float64]
    """nv, m/s^2 or rad/s^2: initial guess of the solver: acceleration of the last step"""
    plugin_state: _Array[np.float64]
    """npluginstate, any: state of plugins"""
    ctrl: _Array[np.float64]
    """nu, any: controls: the inputs of actuators"""
    qfrc_applied: _Array[np.float64]
    """nv, N or N m: input: generalized force"""
    xfrc_applied: _Array[np.float64]
    """nbody x 6, N or N m: input: force and torque at the centre of mass, in world axes"""
    eq_active: _Array[np.uint8]
    """neq: input: whether the equality constraint is active"""
    mocap_pos: _Array[np.float64]
    """nmocap x 3, m: input: positions of mocap bodies"""
    mocap_quat: _Array[np.float64]
    """nmocap x 4, quat: input: orientations of mocap bodies"""
    qacc: _Array[np.float64]
    """nv, m/s^2 or rad/s^2: acceleration: output of forward dynamics, input of inverse dynamics"""
    act_dot: _Array[np.float64]
    """na, any: rates of activations (actuation)"""
    userdata: _Array[np.float64]
    """nuserdata, any: user data, which no stage changes"""
    sensordata: _Array[np.float64]
    """nsensordata, any: readings of all sensors, one after another"""
    tree_asleep: _Array[np.int32]
    """ntree: awake: -1 minus steps until it may sleep; asleep: next tree in its cycle"""
    plugin: _Array[np.int32]
    """nplugin: number of the plugin in the registry, as in the model"""
    plugin_data: _Array[np.uint64]
    """nplugin: number that each instance may use for its own purposes"""
    xpos: _Array[np.float64]
    """nbody x 3, m: positions of body frames"""
    xquat: _Array[np.float64]
    """nbody x 4, quat: orientations of body frames"""
    xmat: _Array[np.float64]
    """nbody x 9: orientations of body frames, rotation matrices by rows"""
    xipos: _Array[np.float64]
    """nbody x 3, m: centres of mass of bodies"""
    ximat: _Array[np.float64]
    """nbody x 9: orientations of inertial frames, rotation matrices by rows"""
    xanchor: _Array[np.float64]
    """njnt x 3, m: anchors of joints"""
    xaxis: _Array[np.float64]
    """njnt x 3: axes of joints"""
    geom_xpos: _Array[np.float64]
    """ngeom x 3, m: positions of geoms"""
    geom_xmat: _Array[np.float64]
    """ngeom x 9: orientations of geoms, rotation matrices by rows"""
    site_xpos: _Array[np.float64]
    """nsite x 3, m: positions of sites"""
    site_xmat: _Array[np.float64]
    """nsite x 9: orientations of sites, rotation matrices by rows"""
    cam_xpos: _Array[np.float64]
    """ncam x 3, m: positions of cameras"""
    cam_xmat: _Array[np.float64]
    """ncam x 9: orientations of cameras, rotation matrices by rows"""
    light_xpos: _Array[np.float64]
    """nlight x 3, m: positions of lights"""
    light_xdir: _Array[np.float64]
    """nlight x 3: directions of lights"""
    subtree_com: _Array[np.float64]
    """nbody x 3, m: centre of mass of each body including its descendants"""
    cdof: _Array[np.float64]
    """nv x 6, rad/rad or m/rad or m/m: motion of each dof at unit velocity: rotation, then translation"""
    cinert: _Array[np.float64]
    """nbody x 10, kg m^2 or kg m or kg: inertia of bodies: six moments and products, mass times offset, mass"""
    flexvert_xpos: _Array[np.float64]
    """nflexvert x 3, m: positions of vertices"""
    flexelem_aabb: _Array[np.float64]
    """nflexelem x 6, m: bounding boxes of elements: centre and half sizes"""
    flexedge_J_rownnz: _Array[np.int32]
    """nflexedge: edge Jacobian: elements of each row"""
    flexedge_J_rowadr: _Array[np.int32]
    """nflexedge: edge Jacobian: where each row begins"""
    flexedge_J_colind: _Array[np.int32]
    """nflexedge x nv: edge Jacobian: dof of each element"""
    flexedge_J: _Array[np.float64]
    """nflexedge x nv, m/m or m/rad: edge Jacobian: change of each edge's length with each dof"""
    flexedge_length: _Array[np.float64]
    """nflexedge, m: lengths of edges"""
    bvh_aabb_dyn: _Array[np.float64]
    """nbvhdynamic x 6, m: boxes of hierarchies that are refitted at every step: centre and half sizes"""
    ten_wrapadr: _Array[np.int32]
    """ntendon: first point on the path"""
    ten_wrapnum: _Array[np.int32]
    """ntendon: points on the path"""
    ten_J_rownnz: _Array[np.int32]
    """ntendon: tendon Jacobian: elements of each row"""
    ten_J_rowadr: _Array[np.int32]
    """ntendon: tendon Jacobian: where each row begins"""
    ten_J_colind: _Array[np.int32]
    """ntendon x nv: tendon Jacobian: dof of each element"""
    ten_J: _Array[np.float64]
    """ntendon x nv, m/m or m/rad: tendon Jacobian: change of each tendon's length with each dof"""
    ten_length: _Array[np.float64]
    """ntendon, m or rad: lengths"""
    wrap_obj: _Array[np.int32]
    """nwrap x 2: object of a path point: a geom, -1: site, -2: pulley"""
    wrap_xpos: _Array[np.float64]
    """nwrap x 6, m: points of paths, two per row"""
    actuator_length: _Array[np.float64]
    """nout, m or rad: lengths of actuators, including gear"""
    moment_rownnz: _Array[np.int32]
    """nout: moment: elements of each row"""
    moment_rowadr: _Array[np.int32]
    """nout: moment: where each row begins"""
    moment_colind: _Array[np.int32]
    """nJmom: moment: dof of each element"""
    actuator_moment: _Array[np.float64]
    """nJmom, m/m or m/rad: change of each actuator's length with each dof"""
    crb: _Array[np.float64]
    """nbody x 10, kg m^2 or kg m or kg: inertia of each body including its descendants, in the layout of cinert"""
    qM: _Array[np.float64]
    """nM, kg or kg m or kg m^2: inertia, a row for each dof along its chain of ancestors"""
    M: _Array[np.float64]
    """nC, kg or kg m or kg m^2: inertia, lower triangle as compressed rows"""
    qLD: _Array[np.float64]
    """nC: factor of the inertia, L' D L in the layout of M"""
    qLDiagInv: _Array[np.float64]
    """nv: inverse of D"""
    bvh_active: _Array[np.uint8]
    """nbvh: whether collision detection tested the node"""
    tree_awake: _Array[np.int32]
    """ntree: whether the tree is awake"""
    body_awake: _Array[np.int32]
    """nbody: sleep state of each body (mjtSleepState): static, asleep, awake"""
    body_awake_ind: _Array[np.int32]
    """nbody: bodies that are awake or fixed, in ascending order"""
    parent_awake_ind: _Array[np.int32]
    """nbody: bodies whose parent is awake or fixed, in ascending order"""
    dof_awake_ind: _Array[np.int32]
    """nv: dofs that are awake, in ascending order"""
    flexedge_velocity: _Array[np.float64]
    """nflexedge, m/s: rates of change of edge lengths"""
    ten_velocity: _Array[np.float64]
    """ntendon, m/s or rad/s: rates of change of tendon lengths"""
    actuator_velocity: _Array[np.float64]
    """nout, m/s or rad/s: rates of change of actuator lengths"""
    cvel: _Array[np.float64]
    """nbody x 6, rad/s or m/s: velocity of bodies: rotation, then translation"""
    cdof_dot: _Array[np.float64]
    """nv x 6, 1/s or m/s: rate of change of cdof"""
    qfrc_bias: _Array[np.float64]
    """nv, N or N m: Coriolis, centrifugal and gravitational forces"""
    qfrc_spring: _Array[np.float64]
    """nv, N or N m: forces of springs"""
    qfrc_damper: _Array[np.float64]
    """nv, N or N m: forces of dampers"""
    qfrc_gravcomp: _Array[np.float64]
    """nv, N or N m: forces of gravity compensation"""
    qfrc_fluid: _Array[np.float64]
    """nv, N or N m: forces of the fluid: drag and lift"""
    qfrc_adhesion: _Array[np.float64]
    """nv, N or N m: forces of attracting contacts"""
    qfrc_passive: _Array[np.float64]
    """nv, N or N m: sum of all passive forces"""
    subtree_linvel: _Array[np.float64]
    """nbody x 3, m/s: velocity of each subtree's centre of mass"""
    subtree_angmom: _Array[np.float64]
    """nbody x 3, kg m^2/s: angular momentum of each subtree about its centre of mass"""
    qH: _Array[np.float64]
    """nC: factor of M with damping times the step, in the layout of M"""
    qHDiagInv: _Array[np.float64]
    """nv: inverse of the factor's diagonal"""
    qDeriv: _Array[np.float64]
    """nD: derivative of passive, actuator and bias forces by qvel, as compressed rows"""
    qLU: _Array[np.float64]
    """nD: M - h qDeriv as lower and upper factor, in the layout of qDeriv"""
    actuator_force: _Array[np.float64]
    """nout, N or N m: force of each actuator along its length"""
    qfrc_actuator: _Array[np.float64]
    """nv, N or N m: generalized force of all actuators"""
    qfrc_smooth: _Array[np.float64]
    """nv, N or N m: all generalized forces except those of constraints"""
    qacc_smooth: _Array[np.float64]
    """nv, m/s^2 or rad/s^2: acceleration without constraint forces"""
    qfrc_constraint: _Array[np.float64]
    """nv, N or N m: generalized force of all constraints"""
    qfrc_inverse: _Array[np.float64]
    """nv, N or N m: force that qacc requires in addition to passive and constraint forces"""
    cacc: _Array[np.float64]
    """nbody x 6, rad/s^2 or m/s^2: acceleration of bodies, with -gravity: rotation, then translation"""
    cfrc_int: _Array[np.float64]
    """nbody x 6, N m or N: load that the parent exerts, about the tree's centre: torque, force"""
    cfrc_ext: _Array[np.float64]
    """nbody x 6, N m or N: load from applied forces and contacts, about the tree's centre: torque, force"""
    tendon_efcadr: _Array[np.int32]
    """ntendon: first row of a limit, friction or equality of the tendon, -1: none"""
    tree_island: _Array[np.int32]
    """ntree: island of each tree, -1: none"""
    island_ntree: _Array[np.int32]
    """ntree: number of trees"""
    island_itreeadr: _Array[np.int32]
    """ntree: first tree, in map_itree2tree"""
    map_itree2tree: _Array[np.int32]
    """ntree: tree at each index in island order"""
    dof_island: _Array[np.int32]
    """nv: island of each dof, -1: none"""
    island_nv: _Array[np.int32]
    """ntree: number of dofs"""
    island_idofadr: _Array[np.int32]
    """ntree: first dof, in the order of islands"""
    island_dofadr: _Array[np.int32]
    """ntree: first dof, in the order of the model"""
    map_dof2idof: _Array[np.int32]
    """nv: index of each dof in island order"""
    map_idof2dof: _Array[np.int32]
    """nv: dof at each index in island order"""
    ifrc_smooth: _Array[np.float64]
    """nv, N or N m: qfrc_smooth in the order of islands"""
    iacc_smooth: _Array[np.float64]
    """nv, m/s^2 or rad/s^2: qacc_smooth in the order of islands"""
    iM_rownnz: _Array[np.int32]
    """nv: inertia in the order of islands: elements of each row"""
    iM_rowadr: _Array[np.int32]
    """nv: inertia in the order of islands: where each row begins"""
    iM_colind: _Array[np.int32]
    """nC: inertia in the order of islands: dof of each element"""
    iM: _Array[np.float64]
    """nC, kg or kg m or kg m^2: inertia in the order of islands"""
    iLD: _Array[np.float64]
    """nC: factor of iM"""
    iLDiagInv: _Array[np.float64]
    """nv: inverse of the factor's diagonal"""
    iacc: _Array[np.float64]
    """nv, m/s^2 or rad/s^2: qacc in the order of islands"""
    island_ne: _Array[np.int32]
    """ntree: rows of equality constraints"""
    island_nf: _Array[np.int32]
    """ntree: rows of dry friction"""
    island_nefc: _Array[np.int32]
    """ntree: constraint rows"""
    island_iefcadr: _Array[np.int32]
    """ntree: first row, in the order of islands"""
    ifrc_constraint: _Array[np.float64]
    """nv, N or N m: qfrc_constraint in the order of islands"""
    solver_improvement: _Array[np.float64]
    """4000: decrease of the cost, scaled by the mean inertia"""
    solver_gradient: _Array[np.float64]
    """4000: norm of the gradient, scaled by the mean inertia"""
    solver_lineslope: _Array[np.float64]
    """4000: slope of the cost at the end of the line search, scaled"""
    solver_nactive: _Array[np.int32]
    """4000: active rows"""
    solver_nchange: _Array[np.int32]
    """4000: rows whose state changed"""
    solver_neval: _Array[np.int32]
    """4000: evaluations of the cost in the line search"""
    solver_nupdate: _Array[np.int32]
    """4000: rank-one updates of the Cholesky factor"""
    warning_lastinfo: _Array[np.int32]
    """8: number reported with the last warning of each type (mjtWarning)"""
    warning_number: _Array[np.int32]
    """8: number of warnings of each type"""
    timer_duration: _Array[np.float64]
    """15, s: time spent in each part of a step (mjtTimer)"""
    timer_number: _Array[np.int32]
    """15: number of times that each part ran"""
    contact_dist: _Array[np.float64]
    """ncon_cap, m: distance of the surfaces, negative if they overlap"""
    contact_pos: _Array[np.float64]
    """ncon_cap x 3, m: point midway between the surfaces"""
    contact_frame: _Array[np.float64]
    """ncon_cap x 9: axes by rows: normal from the first to the second geom, then two tangents"""
    contact_includemargin: _Array[np.float64]
    """ncon_cap, m: distance below which the contact exerts force: margin minus gap"""
    contact_friction: _Array[np.float64]
    """ncon_cap x 5: friction: two sliding (no unit), one torsional and two rolling (m)"""
    contact_solref: _Array[np.float64]
    """ncon_cap x 2: solver reference of the normal: timeconst (s), dampratio or -stiffness, -damping"""
    contact_solreffriction: _Array[np.float64]
    """ncon_cap x 2: solver reference of friction, zeros: same as solref"""
    contact_solimp: _Array[np.float64]
    """ncon_cap x 5: solver impedance: d0, dwidth, width, midpoint, power"""
    contact_mu: _Array[np.float64]
    """ncon_cap: friction of the regularised cone (make_constraint)"""
    contact_H: _Array[np.float64]
    """ncon_cap x 36: Hessian of the elliptic cone, dim by dim (constraint_update)"""
    contact_dim: _Array[np.int32]
    """ncon_cap: dimensions: 1, 3, 4 or 6"""
    contact_geom: _Array[np.int32]
    """ncon_cap x 2: the two geoms, -1: flex"""
    contact_flex: _Array[np.int32]
    """ncon_cap x 2: the two flexes, -1: geom"""
    contact_elem: _Array[np.int32]
    """ncon_cap x 2: elements of the flexes, -1: geom or vertex"""
    contact_vert: _Array[np.int32]
    """ncon_cap x 2: vertices of the flexes, -1: geom or element"""
    contact_exclude: _Array[np.int32]
    """ncon_cap: 0: has rows; without rows: 1 in the gap, 2 fused or fixed, 3 no dofs, 4 a spring"""
    contact_efc_address: _Array[np.int32]
    """ncon_cap: first row in efc_*, -1: none"""
    efc_type: _Array[np.int32]
    """nefc_cap: type of the row (mjtConstraint)"""
    efc_id: _Array[np.int32]
    """nefc_cap: equality, dof, joint, tendon or contact to which it belongs"""
    efc_J_rownnz: _Array[np.int32]
    """nefc_cap: Jacobian: elements of each row"""
    efc_J_rowadr: _Array[np.int32]
    """nefc_cap: Jacobian: where each row begins"""
    efc_J_rowsuper: _Array[np.int32]
    """nefc_cap: Jacobian: following rows with the same columns"""
    efc_J_colind: _Array[np.int32]
    """nJ_cap: Jacobian: dof of each element"""
    efc_J: _Array[np.float64]
    """nJ_cap, m/m or m/rad: Jacobian: change of each row's position with each dof"""
    efc_pos: _Array[np.float64]
    """nefc_cap, m or rad: constraint is violated if this is below margin; residual of an equality"""
    efc_margin: _Array[np.float64]
    """nefc_cap, m or rad: position below which the row is active"""
    efc_frictionloss: _Array[np.float64]
    """nefc_cap, N or N m: dry friction: maximum force of the row"""
    efc_diagApprox: _Array[np.float64]
    """nefc_cap, 1/kg or 1/(kg m^2): estimate of the diagonal of A, the inverse inertia in constraint space"""
    efc_KBIP: _Array[np.float64]
    """nefc_cap x 4: stiffness, damping, impedance and its derivative by position"""
    efc_D: _Array[np.float64]
    """nefc_cap, kg or kg m^2: inverse of R: the row's mass"""
    efc_R: _Array[np.float64]
    """nefc_cap, 1/kg or 1/(kg m^2): regularisation of the diagonal of A"""
    efc_island: _Array[np.int32]
    """nefc_cap: island of each row"""
    map_efc2iefc: _Array[np.int32]
    """nefc_cap: index of each row in island order"""
    map_iefc2efc: _Array[np.int32]
    """nefc_cap: row at each index in island order"""
    iefc_type: _Array[np.int32]
    """nefc_cap: efc_type in the order of islands"""
    iefc_id: _Array[np.int32]
    """nefc_cap: efc_id in the order of islands"""
    iefc_J_rownnz: _Array[np.int32]
    """nefc_cap: Jacobian in the order of islands: elements of each row"""
    iefc_J_rowadr: _Array[np.int32]
    """nefc_cap: Jacobian in the order of islands: where each row begins"""
    iefc_J_rowsuper: _Array[np.int32]
    """nefc_cap: Jacobian in the order of islands: following rows with the same columns"""
    iefc_J_colind: _Array[np.int32]
    """nJ_cap: Jacobian in the order of islands: index of each element's dof in island order"""
    iefc_J: _Array[np.float64]
    """nJ_cap, m/m or m/rad: Jacobian in the order of islands"""
    iefc_frictionloss: _Array[np.float64]
    """nefc_cap, N or N m: efc_frictionloss in the order of islands"""
    iefc_D: _Array[np.float64]
    """nefc_cap, kg or kg m^2: efc_D in the order of islands"""
    iefc_R: _Array[np.float64]
    """nefc_cap, 1/kg or 1/(kg m^2): efc_R in the order of islands"""
    efc_AR_rownnz: _Array[np.int32]
    """nefc_cap: AR: elements of each row"""
    efc_AR_rowadr: _Array[np.int32]
    """nefc_cap: AR: where each row begins"""
    efc_AR_colind: _Array[np.int32]
    """nA_cap: AR: row of each element"""
    efc_AR: _Array[np.float64]
    """nA_cap, 1/kg or 1/(kg m^2): J inv(M) J' + R"""
    efc_vel: _Array[np.float64]
    """nefc_cap, m/s or rad/s: velocity of each row: J qvel"""
    efc_aref: _Array[np.float64]
    """nefc_cap, m/s^2 or rad/s^2: acceleration that each row requests"""
    efc_b: _Array[np.float64]
    """nefc_cap, m/s^2 or rad/s^2: J qacc_smooth - aref"""
    iefc_aref: _Array[np.float64]
    """nefc_cap, m/s^2 or rad/s^2: efc_aref in the order of islands"""
    iefc_state: _Array[np.int32]
    """nefc_cap: efc_state in the order of islands"""
    iefc_force: _Array[np.float64]
    """nefc_cap, N or N m: efc_force in the order of islands"""
    efc_state: _Array[np.int32]
    """nefc_cap: zone of the row's cost function (mjtConstraintState)"""
    efc_force: _Array[np.float64]
    """nefc_cap, N or N m: force of each row"""
    model: MjModel
    contact: _MjContactList
    solver: _MjSolverStatList
    warning: _MjWarningStatList
    timer: _MjTimerStatList
    def body(self, name: int | str = ...) -> _MjDataBodyViews:
        """The body of an id or a name."""
    def joint(self, name: int | str = ...) -> _MjDataJointViews:
        """The joint of an id or a name."""
    def jnt(self, name: int | str = ...) -> _MjDataJointViews:
        """The joint of an id or a name."""
    def geom(self, name: int | str = ...) -> _MjDataGeomViews:
        """The geom of an id or a name."""
    def site(self, name: int | str = ...) -> _MjDataSiteViews:
        """The site of an id or a name."""
    def camera(self, name: int | str = ...) -> _MjDataCameraViews:
        """The camera of an id or a name."""
    def cam(self, name: int | str = ...) -> _MjDataCameraViews:
        """The camera of an id or a name."""
    def light(self, name: int | str = ...) -> _MjDataLightViews:
        """The light of an id or a name."""
    def tendon(self, name: int | str = ...) -> _MjDataTendonViews:
        """The tendon of an id or a name."""
    def ten(self, name: int | str = ...) -> _MjDataTendonViews:
        """The tendon of an id or a name."""
    def actuator(self, name: int | str = ...) -> _MjDataActuatorViews:
        """The actuator of an id or a name."""
    def sensor(self, name: int | str = ...) -> _MjDataSensorViews:
        """The sensor of an id or a name."""
    def peek(self, name: str) -> np.ndarray:
        """Return a view of the whole array (n, ...) of a field, without keeping it."""
    def array(self, name: str) -> npt.NDArray[Any]:
        """Return the whole array (n, ...) of a field, including rows that are not in use."""
    def __init__(self, model: MjModel) -> None: ...
    def plugin_object(self, instance: SupportsIndex) -> Any:
        """Return the object that a plugin's init function returned for an instance."""
    memory_limit: int
    """Upper bound in bytes for contacts, constraint rows and scratch of collision and solvers together: 1 GiB by
    default.

    Contacts beyond it are dropped (mjWARN_CONTACTFULL). If rows do not fit, the step has no constraints
    (mjWARN_CNSTRFULL). If anything else does not fit, the call raises MemoryError. Lowering the limit does not shrink
    memory that is already allocated.
    """
    limit_arena: bool
    """Whether contacts, constraint rows and islands that do not fit into MuJoCo's arena of `narena` bytes are
    dropped.

    Dropped elements are counted as mjWARN_CONTACTFULL and mjWARN_CNSTRFULL; parena, maxuse_arena, maxuse_con and
    maxuse_efc equal MuJoCo's (scratch is counted only where it limits contacts and rows). The default is True if
    the model sets the size of its memory, otherwise False: then memory grows up to `memory_limit`.
    """
    def copy_from(self, other: MjData) -> None:
        """Overwrite this Data with a copy of another MjData of the same model. Only the used parts of growable arrays are
        copied.
        """
    @property
    def signature(self) -> int:
        """Signature of the model of this Data."""
    @property
    def history(self) -> np.ndarray:
        """Past controls and sensor readings with their times (nhistory), stored in plugin_state."""
    @property
    def plastic(self) -> np.ndarray:
        """Rest lengths of plastic springs (nplastic), of joints, then of tendons; stored at the end of plugin_state (since
        4.0).
        """
    @property
    def xiquat(self) -> np.ndarray:
        """Orientations of inertial frames in the world (nbody, 4), computed on access (since 4.0)."""
    @property
    def geom_xquat(self) -> np.ndarray:
        """Orientations of geoms in the world (ngeom, 4), computed on access (since 4.0)."""
    @property
    def site_xquat(self) -> np.ndarray:
        """Orientations of sites in the world (nsite, 4), computed on access (since 4.0)."""
    @property
    def efc_diagA(self) -> np.ndarray:
        """Same as efc_diagApprox; releases since 3.10 use this name."""
    @property
    def threadpool(self) -> int:
        """Number of threads that `mju_threadpool` of `tumble.v4` asked for. Only the calling thread steps a Data."""
    def bind(self, specs: Any) -> Any:
        """Return the rows of an element, or of a sequence of elements, of the spec from which the model was compiled."""
    def bind_scalar(self, spec: MjSpec) -> Any:
        """Return a view of the rows that belong to one element of the spec from which the model was compiled."""

class MjDoubleVec:
    """A list of numbers in a spec. `MjDoubleVec(value, count)` has `count` elements, all `value`. Values of another type raise a TypeError."""
    def __init__(self, value: float, count: SupportsIndex) -> None: ...
    def __setitem__(self, index: SupportsIndex, value: float) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> float: ...
    def __iter__(self) -> Iterator[float]: ...

class MjFloatVec:
    """A list of numbers in a spec. `MjFloatVec(value, count)` has `count` elements, all `value`. Values of another type raise a TypeError."""
    def __init__(self, value: float, count: SupportsIndex) -> None: ...
    def __setitem__(self, index: SupportsIndex, value: float) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> float: ...
    def __iter__(self) -> Iterator[float]: ...

class MjIntVec:
    """A list of integers in a spec. `MjIntVec(value, count)` has `count` elements, all `value`. Values of another type raise a TypeError."""
    def __init__(self, value: int, count: SupportsIndex) -> None: ...
    def __setitem__(self, index: SupportsIndex, value: int) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> int: ...
    def __iter__(self) -> Iterator[int]: ...

class MjLogConfig:
    """The destinations of messages that no handler receives: logto_console, logto_file, logfile. topics: bits 1 << (topic - 1)
    to enable.
    """
    logfile: Any
    logto_console: Any
    logto_file: Any
    topics: Any
    def __init__(self) -> None: ...
    @staticmethod
    def get() -> MjLogConfig:
        """Return a copy of the current configuration."""

class MjLogMessage:
    """A message: level (mjtLogLevel), topic (mjtLogTopic), subject (one line), body (more lines, or None), timestamp (whether
    to write the time).
    """
    body: Any
    file: Any
    func: Any
    level: Any
    line: Any
    subject: Any
    timestamp: Any
    topic: Any
    def __init__(self, level: int = ..., topic: int = 0, subject: str = "", body: str | None = None, timestamp: bool = True) -> None: ...
    @property
    def text(self) -> str:
        """Subject and body as one text."""

class _MjModelBodyViews:
    """Rows of a body."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    parentid: _Array[np.int32]
    """parent body; the world is its own parent"""
    rootid: _Array[np.int32]
    """ancestor whose parent is the world"""
    weldid: _Array[np.int32]
    """nearest ancestor (or the body itself) that can move relative to its parent"""
    mocapid: _Array[np.int32]
    """row of mocap_pos and mocap_quat, -1: none"""
    jntnum: _Array[np.int32]
    """number of joints"""
    jntadr: _Array[np.int32]
    """first joint, -1: none"""
    dofnum: _Array[np.int32]
    """number of dofs"""
    dofadr: _Array[np.int32]
    """first dof, -1: none"""
    treeid: _Array[np.int32]
    """kinematic tree, -1: fixed to the world"""
    geomnum: _Array[np.int32]
    """number of geoms"""
    geomadr: _Array[np.int32]
    """first geom, -1: none"""
    simple: _Array[np.uint8]
    """diagonal block of the inertia: 0 full, 1 diagonal, 2 diagonal with slide joints only"""
    sameframe: _Array[np.uint8]
    """how the inertial frame coincides with the body frame (mjtSameFrame)"""
    pos: _Array[np.float64]
    """m: position of the frame in the parent's frame"""
    quat: _Array[np.float64]
    """quat: orientation of the frame in the parent's frame"""
    ipos: _Array[np.float64]
    """m: centre of mass in the body frame"""
    iquat: _Array[np.float64]
    """quat: orientation of the principal axes of inertia in the body frame"""
    mass: _Array[np.float64]
    """kg: mass"""
    subtreemass: _Array[np.float64]
    """kg: mass of the body and all its descendants"""
    inertia: _Array[np.float64]
    """kg m^2: principal moments of inertia, in the inertial frame"""
    invweight0: _Array[np.float64]
    """1/kg or 1/(kg m^2): mean inverse inertia at the centre of mass at qpos0: translation, rotation"""
    gravcomp: _Array[np.float64]
    """fraction of the weight compensated by a force at the centre of mass"""
    margin: _Array[np.float64]
    """m: largest contact margin among the geoms"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    plugin: _Array[np.int32]
    """instance of a passive force plugin, -1: none"""
    contype: _Array[np.int32]
    """union of the contact types of the geoms, as bits"""
    conaffinity: _Array[np.int32]
    """union of the contact affinities of the geoms, as bits"""
    bvhadr: _Array[np.int32]
    """root of the bounding volume hierarchy of the geoms, -1: none"""
    bvhnum: _Array[np.int32]
    """number of nodes of the bounding volume hierarchy"""

class _MjModelJointViews:
    """Rows of a joint."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    bodyid: _Array[np.int32]
    """body that the dof moves"""
    jntid: _Array[np.int32]
    """joint of the dof"""
    parentid: _Array[np.int32]
    """previous dof on the way to the root, -1: none"""
    treeid: _Array[np.int32]
    """kinematic tree"""
    Madr: _Array[np.int32]
    """address of the diagonal element in qM"""
    simplenum: _Array[np.int32]
    """number of consecutive simple dofs from here on, including this one; 0: not simple"""
    solref: _Array[np.float64]
    """solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping"""
    solimp: _Array[np.float64]
    """solver impedance of the limit: d0, dwidth, width, midpoint, power"""
    frictionloss: _Array[np.float64]
    """N or N m: dry friction: maximum friction force"""
    armature: _Array[np.float64]
    """kg or kg m^2: inertia added to the diagonal, such as that of a rotor"""
    damping: _Array[np.float64]
    """N s/m or N m s/rad: viscous damping"""
    invweight0: _Array[np.float64]
    """1/kg or 1/(kg m^2): diagonal of the inverse inertia at qpos0, averaged over the joint's block"""
    M0: _Array[np.float64]
    """kg or kg m^2: diagonal of the inertia at qpos0"""
    length: _Array[np.float64]
    """m: length that converts an angle to a distance at qpos0; 1 for translations"""
    dampingpoly: _Array[np.float64]
    """any: damper: coefficients of the second and third power"""
    type: _Array[np.int32]
    """type (mjtJoint): free, ball, slide, hinge"""
    qposadr: _Array[np.int32]
    """first coordinate in qpos"""
    dofadr: _Array[np.int32]
    """first dof in qvel"""
    group: _Array[np.int32]
    """visibility group"""
    limited: _Array[np.uint8]
    """whether range limits the joint"""
    actfrclimited: _Array[np.uint8]
    """whether actfrcrange limits the sum of actuator forces"""
    actgravcomp: _Array[np.uint8]
    """whether gravity compensation counts as an actuator force"""
    pos: _Array[np.float64]
    """m: anchor in the body frame"""
    axis: _Array[np.float64]
    """unit axis in the body frame (hinge, slide)"""
    stiffness: _Array[np.float64]
    """N/m or N m/rad: spring stiffness"""
    range: _Array[np.float64]
    """m or rad: limits; for a ball joint, the second is the largest angle"""
    actfrcrange: _Array[np.float64]
    """N or N m: smallest and largest sum of actuator forces"""
    margin: _Array[np.float64]
    """m or rad: distance before a limit at which its constraint becomes active"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    stiffnesspoly: _Array[np.float64]
    """any: spring: coefficients of the second and third power"""
    springyield: _Array[np.float64]
    """m or rad: elongation beyond which the spring yields"""
    plasticnum: _Array[np.int32]
    """length of the plastic state, the spring's rest position; 0: not plastic"""
    qpos0: _Array[np.float64]
    """m or rad: reference configuration, in which the model is described; quaternions are w x y z"""
    qpos_spring: _Array[np.float64]
    """m or rad: configuration in which joint springs are at rest"""

class _MjModelGeomViews:
    """Rows of a geom."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    type: _Array[np.int32]
    """type of shape (mjtGeom)"""
    contype: _Array[np.int32]
    """contact type, as bits: geoms can touch if one's contype matches the other's conaffinity"""
    conaffinity: _Array[np.int32]
    """contact affinity, as bits; see contype"""
    condim: _Array[np.int32]
    """dimensions of its contacts: 1, 3, 4 or 6"""
    bodyid: _Array[np.int32]
    """body to which it belongs"""
    dataid: _Array[np.int32]
    """mesh or height field, -1: none"""
    matid: _Array[np.int32]
    """material, -1: none"""
    group: _Array[np.int32]
    """visibility group"""
    priority: _Array[np.int32]
    """priority: the geom with the higher one alone determines the contact parameters"""
    plugin: _Array[np.int32]
    """instance of a signed distance plugin, -1: none"""
    sameframe: _Array[np.uint8]
    """how the frame coincides with the body's frames (mjtSameFrame)"""
    solmix: _Array[np.float64]
    """weight of its solver parameters when those of two geoms are mixed"""
    solref: _Array[np.float64]
    """solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping"""
    solimp: _Array[np.float64]
    """solver impedance of contacts: d0, dwidth, width, midpoint, power"""
    size: _Array[np.float64]
    """m: sizes, whose meaning depends on the type: radius, half lengths"""
    aabb: _Array[np.float64]
    """m: bounding box in the geom frame: centre and half sizes"""
    rbound: _Array[np.float64]
    """m: radius of the bounding sphere around the geom's centre; 0 for a plane"""
    pos: _Array[np.float64]
    """m: position in the body frame"""
    quat: _Array[np.float64]
    """quat: orientation in the body frame"""
    friction: _Array[np.float64]
    """friction: sliding (no unit), torsional and rolling (m)"""
    margin: _Array[np.float64]
    """m: distance at which a contact is made"""
    gap: _Array[np.float64]
    """m: part of the margin within which a contact exists but exerts no force"""
    fluid: _Array[np.float64]
    """ellipsoid model of fluid forces: whether used, five coefficients, virtual mass and inertia"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    rgba: _Array[np.float32]
    """0..1: colour if it has no material: red, green, blue, opacity"""
    surfacevel: _Array[np.float64]
    """m/s or rad/s: velocity of the surface in the geom frame: linear, angular"""
    adhesion: _Array[np.float64]
    """N: maximum attractive force of its contacts"""
    shadowless: _Array[np.uint8]
    """whether it casts no shadow; the opposite of geom_castshadow in 4.0"""

class _MjModelSiteViews:
    """Rows of a site."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    type: _Array[np.int32]
    """type of the drawn shape (mjtGeom)"""
    bodyid: _Array[np.int32]
    """body to which it belongs"""
    matid: _Array[np.int32]
    """material, -1: none"""
    group: _Array[np.int32]
    """visibility group"""
    sameframe: _Array[np.uint8]
    """how the frame coincides with the body's frames (mjtSameFrame)"""
    size: _Array[np.float64]
    """m: sizes, as for a geom of its type"""
    pos: _Array[np.float64]
    """m: position in the body frame"""
    quat: _Array[np.float64]
    """quat: orientation in the body frame"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    rgba: _Array[np.float32]
    """0..1: colour if it has no material: red, green, blue, opacity"""

class _MjModelCameraViews:
    """Rows of a camera."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    mode: _Array[np.int32]
    """how it follows its body (mjtCamLight)"""
    bodyid: _Array[np.int32]
    """body to which it belongs"""
    targetbodyid: _Array[np.int32]
    """body at which it looks in the target modes, -1: none"""
    pos: _Array[np.float64]
    """m: position in the body frame"""
    quat: _Array[np.float64]
    """quat: orientation in the body frame; the camera looks along -z, and y is up"""
    poscom0: _Array[np.float64]
    """m: position relative to the subtree's centre of mass at qpos0, in world axes"""
    pos0: _Array[np.float64]
    """m: position relative to the body at qpos0, in world axes"""
    mat0: _Array[np.float64]
    """orientation at qpos0, a rotation matrix by rows"""
    orthographic: _Array[np.int32]
    """whether the projection is parallel"""
    fovy: _Array[np.float64]
    """deg or m: vertical field of view: an angle, or a length if orthographic"""
    ipd: _Array[np.float64]
    """m: distance between the eyes in stereo"""
    resolution: _Array[np.int32]
    """pixel: width and height of its picture"""
    sensorsize: _Array[np.float32]
    """m: width and height of the image sensor; 0: fovy is used"""
    intrinsic: _Array[np.float32]
    """m: focal lengths and offset of the principal point, each in x and y"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    output: _Array[np.int32]
    """types of picture that it provides, as bits: rgb, depth, distance, normal, segmentation"""

class _MjModelLightViews:
    """Rows of a light."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    mode: _Array[np.int32]
    """how it follows its body (mjtCamLight)"""
    bodyid: _Array[np.int32]
    """body to which it belongs"""
    targetbodyid: _Array[np.int32]
    """body at which it points in the target modes, -1: none"""
    type: _Array[np.int32]
    """type (mjtLightType): spot, directional, point, image"""
    texid: _Array[np.int32]
    """texture of an image light, -1: none"""
    castshadow: _Array[np.uint8]
    """whether it casts shadows"""
    bulbradius: _Array[np.float32]
    """m: radius of the bulb, for soft shadows"""
    intensity: _Array[np.float32]
    """cd: intensity, for physically based renderers"""
    range: _Array[np.float32]
    """m: maximum reach, for physically based renderers"""
    active: _Array[np.uint8]
    """whether it is switched on"""
    pos: _Array[np.float64]
    """m: position in the body frame"""
    dir: _Array[np.float64]
    """direction of the light, in the body frame"""
    poscom0: _Array[np.float64]
    """m: position relative to the subtree's centre of mass at qpos0, in world axes"""
    pos0: _Array[np.float64]
    """m: position relative to the body at qpos0, in world axes"""
    dir0: _Array[np.float64]
    """direction at qpos0, in world axes"""
    attenuation: _Array[np.float32]
    """constant, linear and quadratic loss with distance"""
    cutoff: _Array[np.float32]
    """deg: half angle of a spot's cone"""
    exponent: _Array[np.float32]
    """how sharply a spot fades towards the edge of its cone"""
    ambient: _Array[np.float32]
    """0..1: colour of its ambient light"""
    diffuse: _Array[np.float32]
    """0..1: colour of its diffuse light"""
    specular: _Array[np.float32]
    """0..1: colour of its highlights"""
    softness: _Array[np.float32]
    """0..1: fraction of a spotlight's cone over which it fades, for physically based renderers"""

class _MjModelMeshViews:
    """Rows of a mesh."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    vertadr: _Array[np.int32]
    """first vertex"""
    vertnum: _Array[np.int32]
    """number of vertices"""
    faceadr: _Array[np.int32]
    """first triangle"""
    facenum: _Array[np.int32]
    """number of triangles"""
    bvhadr: _Array[np.int32]
    """root of the bounding volume hierarchy of the triangles"""
    bvhnum: _Array[np.int32]
    """number of nodes of the bounding volume hierarchy"""
    octadr: _Array[np.int32]
    """root of the octree, -1: none"""
    octnum: _Array[np.int32]
    """cells of the octree"""
    normaladr: _Array[np.int32]
    """first normal"""
    normalnum: _Array[np.int32]
    """number of normals"""
    texcoordadr: _Array[np.int32]
    """first texture coordinate, -1: none"""
    texcoordnum: _Array[np.int32]
    """number of texture coordinates"""
    graphadr: _Array[np.int32]
    """start of the convex hull in mesh_graph, -1: none"""
    scale: _Array[np.float64]
    """scaling that was applied to the vertices"""
    pos: _Array[np.float64]
    """m: translation that was removed from the file's vertices"""
    quat: _Array[np.float64]
    """quat: rotation that was removed from the file's vertices"""
    pathadr: _Array[np.int32]
    """start of the file's name in paths, -1: none"""
    polynum: _Array[np.int32]
    """number of polygons of the convex hull"""
    polyadr: _Array[np.int32]
    """first polygon"""

class _MjModelSkinViews:
    """Rows of a skin."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    matid: _Array[np.int32]
    """material, -1: none"""
    group: _Array[np.int32]
    """visibility group"""
    rgba: _Array[np.float32]
    """0..1: colour if it has no material: red, green, blue, opacity"""
    inflate: _Array[np.float32]
    """m: distance by which vertices are moved out along their normals"""
    vertadr: _Array[np.int32]
    """first vertex"""
    vertnum: _Array[np.int32]
    """number of vertices"""
    texcoordadr: _Array[np.int32]
    """first texture coordinate, -1: none"""
    faceadr: _Array[np.int32]
    """first triangle"""
    facenum: _Array[np.int32]
    """number of triangles"""
    boneadr: _Array[np.int32]
    """first bone"""
    bonenum: _Array[np.int32]
    """number of bones"""
    pathadr: _Array[np.int32]
    """start of the file's name in paths, -1: none"""

class _MjModelHfieldViews:
    """Rows of a hfield."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    size: _Array[np.float64]
    """m: half extents in x and y, height of data 1, depth of the base"""
    nrow: _Array[np.int32]
    """rows of the grid, along y"""
    ncol: _Array[np.int32]
    """columns of the grid, along x"""
    adr: _Array[np.int32]
    """start in hfield_data"""
    pathadr: _Array[np.int32]
    """start of the file's name in paths, -1: none"""
    data: _Array[np.float32]
    """0..1: heights by rows, as fractions of the maximum"""

class _MjModelTextureViews:
    """Rows of a texture."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    type: _Array[np.int32]
    """type (mjtTexture): 2d, cube, skybox"""
    colorspace: _Array[np.int32]
    """encoding of the colours (mjtColorSpace)"""
    height: _Array[np.int32]
    """pixel: rows; the six squares of a cube are stacked"""
    width: _Array[np.int32]
    """pixel: columns"""
    nchannel: _Array[np.int32]
    """bytes per pixel"""
    adr: _Array[np.int32]
    """start in tex_data"""
    pathadr: _Array[np.int32]
    """start of the file's name in paths, -1: none"""
    data: _Array[np.uint8]
    """pixels by rows, bytes 0 to 255"""

class _MjModelMaterialViews:
    """Rows of a material."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    texid: _Array[np.int32]
    """texture for each mjtTextureRole, -1: none"""
    texuniform: _Array[np.uint8]
    """whether the texture is repeated by length instead of by object"""
    texrepeat: _Array[np.float32]
    """repeats of the texture in u and v"""
    emission: _Array[np.float32]
    """light that the surface emits, as a fraction of its colour"""
    specular: _Array[np.float32]
    """0..1: strength of highlights"""
    shininess: _Array[np.float32]
    """0..1: sharpness of highlights"""
    reflectance: _Array[np.float32]
    """0..1: weight of the mirror image (planes and boxes)"""
    metallic: _Array[np.float32]
    """0..1: metallic fraction, -1: not given; for physically based renderers"""
    roughness: _Array[np.float32]
    """0..1: roughness, -1: not given; for physically based renderers"""
    rgba: _Array[np.float32]
    """0..1: colour: red, green, blue, opacity"""

class _MjModelPairViews:
    """Rows of a pair."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    dim: _Array[np.int32]
    """dimensions of its contacts: 1, 3, 4 or 6"""
    geom1: _Array[np.int32]
    """first geom"""
    geom2: _Array[np.int32]
    """second geom"""
    signature: _Array[np.int32]
    """the bodies of the geoms as one number: (body1 << 16) + body2"""
    solref: _Array[np.float64]
    """solver reference of the contact: timeconst (s), dampratio or -stiffness, -damping"""
    solreffriction: _Array[np.float64]
    """solver reference of friction, zeros: same as solref"""
    solimp: _Array[np.float64]
    """solver impedance of the contact: d0, dwidth, width, midpoint, power"""
    margin: _Array[np.float64]
    """m: distance at which a contact is made"""
    gap: _Array[np.float64]
    """m: part of the margin within which a contact exists but exerts no force"""
    friction: _Array[np.float64]
    """friction: two sliding (no unit), one torsional and two rolling (m)"""
    adhesion: _Array[np.float64]
    """N: maximum attractive force of its contacts"""

class _MjModelExcludeViews:
    """Rows of a exclude."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    signature: _Array[np.int32]
    """the two bodies as one number: (body1 << 16) + body2"""

class _MjModelEqualityViews:
    """Rows of a equality."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    type: _Array[np.int32]
    """type (mjtEq)"""
    obj1id: _Array[np.int32]
    """first object"""
    obj2id: _Array[np.int32]
    """second object, -1: none"""
    objtype: _Array[np.int32]
    """type of the objects (mjtObj)"""
    active0: _Array[np.uint8]
    """whether it is active after a reset"""
    solref: _Array[np.float64]
    """solver reference: timeconst (s), dampratio or -stiffness, -damping"""
    solimp: _Array[np.float64]
    """solver impedance: d0, dwidth, width, midpoint, power"""
    data: _Array[np.float64]
    """numbers that depend on the type: anchors, relative pose, polynomial"""
    relative: _Array[np.uint8]
    """whether mj_setConst computes the relative pose of this weld; eq_data[11] in 4.0"""

class _MjModelTendonViews:
    """Rows of a tendon."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    adr: _Array[np.int32]
    """first object on its path, in wrap_*"""
    num: _Array[np.int32]
    """number of objects on its path"""
    matid: _Array[np.int32]
    """material, -1: none"""
    group: _Array[np.int32]
    """visibility group"""
    treenum: _Array[np.int32]
    """number of kinematic trees that it touches"""
    treeid: _Array[np.int32]
    """first two of these trees, -1: none"""
    limited: _Array[np.uint8]
    """whether range limits the length"""
    actfrclimited: _Array[np.uint8]
    """whether actfrcrange limits the sum of actuator forces"""
    width: _Array[np.float64]
    """m: radius with which it is drawn"""
    solref_lim: _Array[np.float64]
    """solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping"""
    solimp_lim: _Array[np.float64]
    """solver impedance of the limit: d0, dwidth, width, midpoint, power"""
    solref_fri: _Array[np.float64]
    """solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping"""
    solimp_fri: _Array[np.float64]
    """solver impedance of dry friction: d0, dwidth, width, midpoint, power"""
    range: _Array[np.float64]
    """m or rad: smallest and largest length"""
    actfrcrange: _Array[np.float64]
    """N or N m: smallest and largest sum of actuator forces"""
    margin: _Array[np.float64]
    """m or rad: distance before a limit at which its constraint becomes active"""
    stiffness: _Array[np.float64]
    """N/m or N m/rad: spring stiffness"""
    damping: _Array[np.float64]
    """N s/m or N m s/rad: viscous damping"""
    armature: _Array[np.float64]
    """kg or kg m^2: inertia that resists changes of length"""
    frictionloss: _Array[np.float64]
    """N or N m: dry friction: maximum friction force"""
    lengthspring: _Array[np.float64]
    """m or rad: lengths between which the spring is at rest"""
    length0: _Array[np.float64]
    """m or rad: length at qpos0"""
    invweight0: _Array[np.float64]
    """1/kg or 1/(kg m^2): inverse inertia along it at qpos0"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    rgba: _Array[np.float32]
    """0..1: colour if it has no material: red, green, blue, opacity"""
    stiffnesspoly: _Array[np.float64]
    """any: spring: coefficients of the second and third power"""
    dampingpoly: _Array[np.float64]
    """any: damper: coefficients of the second and third power"""
    springyield: _Array[np.float64]
    """m or rad: elongation beyond which the spring yields"""
    plasticnum: _Array[np.int32]
    """length of the plastic state, the spring's rest lengths; 0: not plastic"""

class _MjModelActuatorViews:
    """Rows of a actuator."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    trntype: _Array[np.int32]
    """type of transmission: what it acts on (mjtTrn)"""
    dyntype: _Array[np.int32]
    """dynamics of the activation (mjtDyn)"""
    gaintype: _Array[np.int32]
    """type of gain: force per input (mjtGain)"""
    biastype: _Array[np.int32]
    """type of bias: force without input (mjtBias)"""
    trnid: _Array[np.int32]
    """joint, tendon, site or body on which it acts; reference or slider site, -1: none"""
    actadr: _Array[np.int32]
    """first activation in act, -1: none"""
    actnum: _Array[np.int32]
    """number of activations"""
    group: _Array[np.int32]
    """visibility group; actuators can also be disabled by group"""
    ctrllimited: _Array[np.uint8]
    """whether ctrlrange limits the control"""
    forcelimited: _Array[np.uint8]
    """whether forcerange limits the force"""
    actlimited: _Array[np.uint8]
    """whether actrange limits the activation"""
    dynprm: _Array[np.float64]
    """parameters of the activation's dynamics, such as time constants in s"""
    gainprm: _Array[np.float64]
    """parameters of the gain"""
    biasprm: _Array[np.float64]
    """parameters of the bias"""
    actearly: _Array[np.uint8]
    """whether the force uses the activation at the end of the step"""
    ctrlrange: _Array[np.float64]
    """any: smallest and largest control"""
    forcerange: _Array[np.float64]
    """N or N m: smallest and largest force"""
    actrange: _Array[np.float64]
    """any: smallest and largest activation"""
    gear: _Array[np.float64]
    """scaling of length and moment, by component of joints and sites"""
    cranklength: _Array[np.float64]
    """m: length of a slider-crank's rod"""
    acc0: _Array[np.float64]
    """m/s^2 or rad/s^2: norm of the acceleration caused by a unit force at qpos0"""
    length0: _Array[np.float64]
    """m or rad: length at qpos0"""
    lengthrange: _Array[np.float64]
    """m or rad: smallest and largest reachable length"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    plugin: _Array[np.int32]
    """plugin instance, -1: none"""
    armature: _Array[np.float64]
    """kg or kg m^2: inertia added to its joint or tendon, multiplied by gear squared"""
    damping: _Array[np.float64]
    """N s/m or N m s/rad: damping added to its joint or tendon, multiplied by gear squared"""
    dampingpoly: _Array[np.float64]
    """any: damping: coefficients of the second and third power"""
    history: _Array[np.int32]
    """number of stored control samples; interpolation: 0 hold, 1 linear, 2 cubic"""
    delay: _Array[np.float64]
    """s: delay of its control, 0: none"""
    ctrlspec: _Array[np.int32]
    """meaning of its control, as bits of mjtCtrlInput, 0: a command"""
    ctrladr: _Array[np.int32]
    """first control in ctrl"""
    ctrlnum: _Array[np.int32]
    """number of controls"""
    outadr: _Array[np.int32]
    """first force in actuator_force; also first length, gear and moment"""
    outnum: _Array[np.int32]
    """number of forces"""

class _MjModelSensorViews:
    """Rows of a sensor."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    type: _Array[np.int32]
    """type (mjtSensor)"""
    datatype: _Array[np.int32]
    """type of its values: real, positive, axis, quaternion (mjtDataType)"""
    needstage: _Array[np.int32]
    """stage after which it can be computed (mjtStage)"""
    objtype: _Array[np.int32]
    """type of the object that it measures (mjtObj)"""
    objid: _Array[np.int32]
    """object that it measures"""
    reftype: _Array[np.int32]
    """type of the reference object (mjtObj)"""
    refid: _Array[np.int32]
    """reference object, -1: the world"""
    intprm: _Array[np.int32]
    """integers whose meaning depends on the type"""
    dim: _Array[np.int32]
    """number of values"""
    adr: _Array[np.int32]
    """first of its values in sensordata"""
    cutoff: _Array[np.float64]
    """any: limit on the absolute value of its readings, 0: none"""
    noise: _Array[np.float64]
    """any: standard deviation of its noise, which the engine does not add"""
    user: _Array[np.float64]
    """any: user data, not used by the engine"""
    plugin: _Array[np.int32]
    """plugin instance, -1: none"""
    history: _Array[np.int32]
    """number of stored samples; interpolation: 0 hold, 1 linear, 2 cubic"""
    delay: _Array[np.float64]
    """s: delay of its values, 0: none"""
    interval: _Array[np.float64]
    """s: sampling period (0: every step), and time of the last sample before the start"""

class _MjModelNumericViews:
    """Rows of a numeric."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    adr: _Array[np.int32]
    """start in numeric_data"""
    size: _Array[np.int32]
    """number of values"""
    data: _Array[np.float64]
    """any: values of all elements"""

class _MjModelTupleViews:
    """Rows of a tuple."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    adr: _Array[np.int32]
    """first object"""
    size: _Array[np.int32]
    """number of objects"""
    objtype: _Array[np.int32]
    """type of each object (mjtObj)"""
    objid: _Array[np.int32]
    """id of each object"""
    objprm: _Array[np.float64]
    """any: number stored with each object"""

class _MjModelKeyframeViews:
    """Rows of a key."""
    @property
    def id(self) -> int:
        ...
    @property
    def name(self) -> str:
        ...
    time: _Array[np.float64]
    """s: time"""
    qpos: _Array[np.float64]
    """m or rad: configuration"""
    qvel: _Array[np.float64]
    """m/s or rad/s: velocity"""
    act: _Array[np.float64]
    """any: activations"""
    mpos: _Array[np.float64]
    """m: positions of mocap bodies"""
    mquat: _Array[np.float64]
    """quat: orientations of mocap bodies"""
    ctrl: _Array[np.float64]
    """any: controls"""
    plastic: _Array[np.float64]
    """any: plastic state"""

class MjModel:
    """A compiled model. `MjModel(**sizes)` allocates zeroed arrays; use `from_xml_path` and its siblings to load one."""
    @property
    def nq(self) -> int:
        """length of qpos: coordinates of all joints; a quaternion counts as four"""
    @property
    def nv(self) -> int:
        """degrees of freedom: length of qvel and qacc"""
    @property
    def nu(self) -> int:
        """controls: inputs of all actuators"""
    @property
    def na(self) -> int:
        """activations: internal states of all actuators"""
    @property
    def nbody(self) -> int:
        """bodies, including the world"""
    @property
    def nbvh(self) -> int:
        """nodes of all bounding volume hierarchies"""
    @property
    def nbvhstatic(self) -> int:
        """nodes of hierarchies that move rigidly with a body (bodies and meshes)"""
    @property
    def nbvhdynamic(self) -> int:
        """nodes of hierarchies that are refitted at every step (flexes)"""
    @property
    def noct(self) -> int:
        """cells of all octrees of meshes"""
    @property
    def njnt(self) -> int:
        """joints"""
    @property
    def ntree(self) -> int:
        """kinematic trees below the world"""
    @property
    def nM(self) -> int:
        """elements of qM, which stores the inertia of each dof with itself and with its ancestors"""
    @property
    def nB(self) -> int:
        """elements of the sparse body-dof incidence matrix"""
    @property
    def nC(self) -> int:
        """elements of M and of its factor: one triangle, in which rows of simple dofs have only the diagonal"""
    @property
    def nD(self) -> int:
        """elements of the sparse dof-dof matrix with both triangles"""
    @property
    def ngeom(self) -> int:
        """geoms"""
    @property
    def nsite(self) -> int:
        """sites"""
    @property
    def ncam(self) -> int:
        """cameras"""
    @property
    def nlight(self) -> int:
        """lights"""
    @property
    def nflex(self) -> int:
        """flexes, that is deformable bodies"""
    @property
    def nflexnode(self) -> int:
        """nodes of all interpolated flexes"""
    @property
    def nflexvert(self) -> int:
        """vertices of all flexes"""
    @property
    def nflexedge(self) -> int:
        """edges of all flexes"""
    @property
    def nflexelem(self) -> int:
        """elements of all flexes"""
    @property
    def nflexelemdata(self) -> int:
        """vertex indices listed by the elements of all flexes"""
    @property
    def nflexelemedge(self) -> int:
        """edge indices listed by the elements of all flexes"""
    @property
    def nflexshelldata(self) -> int:
        """vertex indices listed by the shell fragments of all flexes"""
    @property
    def nflexevpair(self) -> int:
        """element-vertex pairs that can collide within flexes"""
    @property
    def nflextexcoord(self) -> int:
        """vertices of all flexes that have texture coordinates"""
    @property
    def nmesh(self) -> int:
        """meshes"""
    @property
    def nmeshvert(self) -> int:
        """vertices of all meshes"""
    @property
    def nmeshnormal(self) -> int:
        """normals of all meshes"""
    @property
    def nmeshtexcoord(self) -> int:
        """texture coordinates of all meshes"""
    @property
    def nmeshface(self) -> int:
        """triangles of all meshes"""
    @property
    def nmeshgraph(self) -> int:
        """numbers in the convex hull graphs of all meshes"""
    @property
    def nmeshpoly(self) -> int:
        """polygons of all convex hulls"""
    @property
    def nmeshpolyvert(self) -> int:
        """vertex indices listed by the polygons of all hulls"""
    @property
    def nmeshpolymap(self) -> int:
        """polygon indices listed by the vertices of all hulls"""
    @property
    def nskin(self) -> int:
        """skins"""
    @property
    def nskinvert(self) -> int:
        """vertices of all skins"""
    @property
    def nskintexvert(self) -> int:
        """vertices of skins that have texture coordinates"""
    @property
    def nskinface(self) -> int:
        """triangles of all skins"""
    @property
    def nskinbone(self) -> int:
        """bones of all skins"""
    @property
    def nskinbonevert(self) -> int:
        """vertices that the bones of all skins move"""
    @property
    def nhfield(self) -> int:
        """height fields"""
    @property
    def nhfielddata(self) -> int:
        """samples of all height fields"""
    @property
    def ntex(self) -> int:
        """textures"""
    @property
    def ntexdata(self) -> int:
        """bytes of all textures"""
    @property
    def nmat(self) -> int:
        """materials"""
    @property
    def npair(self) -> int:
        """geom pairs listed for collision"""
    @property
    def nexclude(self) -> int:
        """body pairs excluded from collision"""
    @property
    def neq(self) -> int:
        """equality constraints"""
    @property
    def ntendon(self) -> int:
        """tendons"""
    @property
    def nwrap(self) -> int:
        """objects on the paths of all tendons"""
    @property
    def nsensor(self) -> int:
        """sensors"""
    @property
    def nnumeric(self) -> int:
        """custom numeric fields"""
    @property
    def nnumericdata(self) -> int:
        """numbers in all custom numeric fields"""
    @property
    def ntext(self) -> int:
        """custom text fields"""
    @property
    def ntextdata(self) -> int:
        """bytes in all custom texts, including final zeros"""
    @property
    def ntuple(self) -> int:
        """custom tuples"""
    @property
    def ntupledata(self) -> int:
        """objects in all custom tuples"""
    @property
    def nkey(self) -> int:
        """keyframes"""
    @property
    def nmocap(self) -> int:
        """bodies whose pose is an input"""
    @property
    def nplugin(self) -> int:
        """plugin instances"""
    @property
    def npluginattr(self) -> int:
        """bytes in all plugin attributes, including final zeros"""
    @property
    def nuser_body(self) -> int:
        """length of the user data of each body"""
    @property
    def nuser_jnt(self) -> int:
        """length of the user data of each joint"""
    @property
    def nuser_geom(self) -> int:
        """length of the user data of each geom"""
    @property
    def nuser_site(self) -> int:
        """length of the user data of each site"""
    @property
    def nuser_cam(self) -> int:
        """length of the user data of each camera"""
    @property
    def nuser_tendon(self) -> int:
        """length of the user data of each tendon"""
    @property
    def nuser_actuator(self) -> int:
        """length of the user data of each actuator"""
    @property
    def nuser_sensor(self) -> int:
        """length of the user data of each sensor"""
    @property
    def nnames(self) -> int:
        """bytes in all names, including final zeros"""
    @property
    def npaths(self) -> int:
        """bytes in all file paths, including final zeros"""
    @property
    def nnames_map(self) -> int:
        """slots of the hash table of names"""
    @property
    def nJmom(self) -> int:
        """elements of the sparse actuator moment"""
    @property
    def ngravcomp(self) -> int:
        """bodies with gravity compensation"""
    @property
    def nemax(self) -> int:
        """maximum number of equality rows for which the model was built"""
    @property
    def njmax(self) -> int:
        """number of constraint rows to allocate memory for; -1: as many as memory allows"""
    @property
    def nconmax(self) -> int:
        """number of contacts to allocate memory for; -1: as many as memory allows"""
    @property
    def nuserdata(self) -> int:
        """length of userdata"""
    @property
    def nsensordata(self) -> int:
        """length of sensordata"""
    @property
    def npluginstate(self) -> int:
        """length of plugin_state"""
    @property
    def narena(self) -> int:
        """bytes of MuJoCo's arena, stored for files and scripts"""
    @property
    def nbuffer(self) -> int:
        """bytes of all arrays of the model, including alignment"""
    @property
    def nactuator(self) -> int:
        """actuators; each has one control and one force, except for types that later releases added"""
    @property
    def nout(self) -> int:
        """forces of all actuators"""
    @property
    def nplastic(self) -> int:
        """length of the plastic state: rest positions of plastic springs"""
    qpos0: _Array[np.float64]
    """nq, m or rad: reference configuration, in which the model is described; quaternions are w x y z"""
    qpos_spring: _Array[np.float64]
    """nq, m or rad: configuration in which joint springs are at rest"""
    body_parentid: _Array[np.int32]
    """nbody: parent body; the world is its own parent"""
    body_rootid: _Array[np.int32]
    """nbody: ancestor whose parent is the world"""
    body_weldid: _Array[np.int32]
    """nbody: nearest ancestor (or the body itself) that can move relative to its parent"""
    body_mocapid: _Array[np.int32]
    """nbody: row of mocap_pos and mocap_quat, -1: none"""
    body_jntnum: _Array[np.int32]
    """nbody: number of joints"""
    body_jntadr: _Array[np.int32]
    """nbody: first joint, -1: none"""
    body_dofnum: _Array[np.int32]
    """nbody: number of dofs"""
    body_dofadr: _Array[np.int32]
    """nbody: first dof, -1: none"""
    body_treeid: _Array[np.int32]
    """nbody: kinematic tree, -1: fixed to the world"""
    body_geomnum: _Array[np.int32]
    """nbody: number of geoms"""
    body_geomadr: _Array[np.int32]
    """nbody: first geom, -1: none"""
    body_simple: _Array[np.uint8]
    """nbody: diagonal block of the inertia: 0 full, 1 diagonal, 2 diagonal with slide joints only"""
    body_sameframe: _Array[np.uint8]
    """nbody: how the inertial frame coincides with the body frame (mjtSameFrame)"""
    body_pos: _Array[np.float64]
    """nbody x 3, m: position of the frame in the parent's frame"""
    body_quat: _Array[np.float64]
    """nbody x 4, quat: orientation of the frame in the parent's frame"""
    body_ipos: _Array[np.float64]
    """nbody x 3, m: centre of mass in the body frame"""
    body_iquat: _Array[np.float64]
    """nbody x 4, quat: orientation of the principal axes of inertia in the body frame"""
    body_mass: _Array[np.float64]
    """nbody, kg: mass"""
    body_subtreemass: _Array[np.float64]
    """nbody, kg: mass of the body and all its descendants"""
    body_inertia: _Array[np.float64]
    """nbody x 3, kg m^2: principal moments of inertia, in the inertial frame"""
    body_invweight0: _Array[np.float64]
    """nbody x 2, 1/kg or 1/(kg m^2): mean inverse inertia at the centre of mass at qpos0: translation, rotation"""
    body_gravcomp: _Array[np.float64]
    """nbody: fraction of the weight compensated by a force at the centre of mass"""
    body_margin: _Array[np.float64]
    """nbody, m: largest contact margin among the geoms"""
    body_user: _Array[np.float64]
    """nbody x nuser_body, any: user data, not used by the engine"""
    body_plugin: _Array[np.int32]
    """nbody: instance of a passive force plugin, -1: none"""
    body_contype: _Array[np.int32]
    """nbody: union of the contact types of the geoms, as bits"""
    body_conaffinity: _Array[np.int32]
    """nbody: union of the contact affinities of the geoms, as bits"""
    body_bvhadr: _Array[np.int32]
    """nbody: root of the bounding volume hierarchy of the geoms, -1: none"""
    body_bvhnum: _Array[np.int32]
    """nbody: number of nodes of the bounding volume hierarchy"""
    bvh_depth: _Array[np.int32]
    """nbvh: depth of the node in its tree"""
    bvh_child: _Array[np.int32]
    """nbvh x 2: left and right child within the tree, -1: leaf"""
    bvh_nodeid: _Array[np.int32]
    """nbvh: geom, mesh face or flex element of a leaf, -1: inner node"""
    bvh_aabb: _Array[np.float64]
    """nbvhstatic x 6, m: bounding box: centre and half sizes, in the frame of its body or mesh"""
    oct_depth: _Array[np.int32]
    """noct: depth of the cell in its tree"""
    oct_child: _Array[np.int32]
    """noct x 8: eight children within the tree, -1: leaf"""
    oct_aabb: _Array[np.float64]
    """noct x 6, m: box of the cell: centre and half sizes"""
    oct_coeff: _Array[np.float64]
    """noct x 8, m: signed distance at the eight corners, for trilinear interpolation"""
    jnt_type: _Array[np.int32]
    """njnt: type (mjtJoint): free, ball, slide, hinge"""
    jnt_qposadr: _Array[np.int32]
    """njnt: first coordinate in qpos"""
    jnt_dofadr: _Array[np.int32]
    """njnt: first dof in qvel"""
    jnt_bodyid: _Array[np.int32]
    """njnt: body that the joint moves"""
    jnt_group: _Array[np.int32]
    """njnt: visibility group"""
    jnt_limited: _Array[np.uint8]
    """njnt: whether range limits the joint"""
    jnt_actfrclimited: _Array[np.uint8]
    """njnt: whether actfrcrange limits the sum of actuator forces"""
    jnt_actgravcomp: _Array[np.uint8]
    """njnt: whether gravity compensation counts as an actuator force"""
    jnt_solref: _Array[np.float64]
    """njnt x 2: solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping"""
    jnt_solimp: _Array[np.float64]
    """njnt x 5: solver impedance of the limit: d0, dwidth, width, midpoint, power"""
    jnt_pos: _Array[np.float64]
    """njnt x 3, m: anchor in the body frame"""
    jnt_axis: _Array[np.float64]
    """njnt x 3: unit axis in the body frame (hinge, slide)"""
    jnt_stiffness: _Array[np.float64]
    """njnt, N/m or N m/rad: spring stiffness"""
    jnt_range: _Array[np.float64]
    """njnt x 2, m or rad: limits; for a ball joint, the second is the largest angle"""
    jnt_actfrcrange: _Array[np.float64]
    """njnt x 2, N or N m: smallest and largest sum of actuator forces"""
    jnt_margin: _Array[np.float64]
    """njnt, m or rad: distance before a limit at which its constraint becomes active"""
    jnt_user: _Array[np.float64]
    """njnt x nuser_jnt, any: user data, not used by the engine"""
    dof_bodyid: _Array[np.int32]
    """nv: body that the dof moves"""
    dof_jntid: _Array[np.int32]
    """nv: joint of the dof"""
    dof_parentid: _Array[np.int32]
    """nv: previous dof on the way to the root, -1: none"""
    dof_treeid: _Array[np.int32]
    """nv: kinematic tree"""
    dof_Madr: _Array[np.int32]
    """nv: address of the diagonal element in qM"""
    dof_simplenum: _Array[np.int32]
    """nv: number of consecutive simple dofs from here on, including this one; 0: not simple"""
    dof_solref: _Array[np.float64]
    """nv x 2: solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping"""
    dof_solimp: _Array[np.float64]
    """nv x 5: solver impedance of dry friction: d0, dwidth, width, midpoint, power"""
    dof_frictionloss: _Array[np.float64]
    """nv, N or N m: dry friction: maximum friction force"""
    dof_armature: _Array[np.float64]
    """nv, kg or kg m^2: inertia added to the diagonal, such as that of a rotor"""
    dof_damping: _Array[np.float64]
    """nv, N s/m or N m s/rad: viscous damping"""
    dof_invweight0: _Array[np.float64]
    """nv, 1/kg or 1/(kg m^2): diagonal of the inverse inertia at qpos0, averaged over the joint's block"""
    dof_M0: _Array[np.float64]
    """nv, kg or kg m^2: diagonal of the inertia at qpos0"""
    dof_length: _Array[np.float64]
    """nv, m: length that converts an angle to a distance at qpos0; 1 for translations"""
    tree_bodyadr: _Array[np.int32]
    """ntree: first body"""
    tree_bodynum: _Array[np.int32]
    """ntree: number of bodies"""
    tree_dofadr: _Array[np.int32]
    """ntree: first dof"""
    tree_dofnum: _Array[np.int32]
    """ntree: number of dofs"""
    tree_sleep_policy: _Array[np.int32]
    """ntree: whether the tree may fall asleep (mjtSleepPolicy)"""
    geom_type: _Array[np.int32]
    """ngeom: type of shape (mjtGeom)"""
    geom_contype: _Array[np.int32]
    """ngeom: contact type, as bits: geoms can touch if one's contype matches the other's conaffinity"""
    geom_conaffinity: _Array[np.int32]
    """ngeom: contact affinity, as bits; see contype"""
    geom_condim: _Array[np.int32]
    """ngeom: dimensions of its contacts: 1, 3, 4 or 6"""
    geom_bodyid: _Array[np.int32]
    """ngeom: body to which it belongs"""
    geom_dataid: _Array[np.int32]
    """ngeom: mesh or height field, -1: none"""
    geom_matid: _Array[np.int32]
    """ngeom: material, -1: none"""
    geom_group: _Array[np.int32]
    """ngeom: visibility group"""
    geom_priority: _Array[np.int32]
    """ngeom: priority: the geom with the higher one alone determines the contact parameters"""
    geom_plugin: _Array[np.int32]
    """ngeom: instance of a signed distance plugin, -1: none"""
    geom_sameframe: _Array[np.uint8]
    """ngeom: how the frame coincides with the body's frames (mjtSameFrame)"""
    geom_solmix: _Array[np.float64]
    """ngeom: weight of its solver parameters when those of two geoms are mixed"""
    geom_solref: _Array[np.float64]
    """ngeom x 2: solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping"""
    geom_solimp: _Array[np.float64]
    """ngeom x 5: solver impedance of contacts: d0, dwidth, width, midpoint, power"""
    geom_size: _Array[np.float64]
    """ngeom x 3, m: sizes, whose meaning depends on the type: radius, half lengths"""
    geom_aabb: _Array[np.float64]
    """ngeom x 6, m: bounding box in the geom frame: centre and half sizes"""
    geom_rbound: _Array[np.float64]
    """ngeom, m: radius of the bounding sphere around the geom's centre; 0 for a plane"""
    geom_pos: _Array[np.float64]
    """ngeom x 3, m: position in the body frame"""
    geom_quat: _Array[np.float64]
    """ngeom x 4, quat: orientation in the body frame"""
    geom_friction: _Array[np.float64]
    """ngeom x 3: friction: sliding (no unit), torsional and rolling (m)"""
    geom_margin: _Array[np.float64]
    """ngeom, m: distance at which a contact is made"""
    geom_gap: _Array[np.float64]
    """ngeom, m: part of the margin within which a contact exists but exerts no force"""
    geom_fluid: _Array[np.float64]
    """ngeom x 12: ellipsoid model of fluid forces: whether used, five coefficients, virtual mass and inertia"""
    geom_user: _Array[np.float64]
    """ngeom x nuser_geom, any: user data, not used by the engine"""
    geom_rgba: _Array[np.float32]
    """ngeom x 4, 0..1: colour if it has no material: red, green, blue, opacity"""
    site_type: _Array[np.int32]
    """nsite: type of the drawn shape (mjtGeom)"""
    site_bodyid: _Array[np.int32]
    """nsite: body to which it belongs"""
    site_matid: _Array[np.int32]
    """nsite: material, -1: none"""
    site_group: _Array[np.int32]
    """nsite: visibility group"""
    site_sameframe: _Array[np.uint8]
    """nsite: how the frame coincides with the body's frames (mjtSameFrame)"""
    site_size: _Array[np.float64]
    """nsite x 3, m: sizes, as for a geom of its type"""
    site_pos: _Array[np.float64]
    """nsite x 3, m: position in the body frame"""
    site_quat: _Array[np.float64]
    """nsite x 4, quat: orientation in the body frame"""
    site_user: _Array[np.float64]
    """nsite x nuser_site, any: user data, not used by the engine"""
    site_rgba: _Array[np.float32]
    """nsite x 4, 0..1: colour if it has no material: red, green, blue, opacity"""
    cam_mode: _Array[np.int32]
    """ncam: how it follows its body (mjtCamLight)"""
    cam_bodyid: _Array[np.int32]
    """ncam: body to which it belongs"""
    cam_targetbodyid: _Array[np.int32]
    """ncam: body at which it looks in the target modes, -1: none"""
    cam_pos: _Array[np.float64]
    """ncam x 3, m: position in the body frame"""
    cam_quat: _Array[np.float64]
    """ncam x 4, quat: orientation in the body frame; the camera looks along -z, and y is up"""
    cam_poscom0: _Array[np.float64]
    """ncam x 3, m: position relative to the subtree's centre of mass at qpos0, in world axes"""
    cam_pos0: _Array[np.float64]
    """ncam x 3, m: position relative to the body at qpos0, in world axes"""
    cam_mat0: _Array[np.float64]
    """ncam x 9: orientation at qpos0, a rotation matrix by rows"""
    cam_orthographic: _Array[np.int32]
    """ncam: whether the projection is parallel"""
    cam_fovy: _Array[np.float64]
    """ncam, deg or m: vertical field of view: an angle, or a length if orthographic"""
    cam_ipd: _Array[np.float64]
    """ncam, m: distance between the eyes in stereo"""
    cam_resolution: _Array[np.int32]
    """ncam x 2, pixel: width and height of its picture"""
    cam_sensorsize: _Array[np.float32]
    """ncam x 2, m: width and height of the image sensor; 0: fovy is used"""
    cam_intrinsic: _Array[np.float32]
    """ncam x 4, m: focal lengths and offset of the principal point, each in x and y"""
    cam_user: _Array[np.float64]
    """ncam x nuser_cam, any: user data, not used by the engine"""
    light_mode: _Array[np.int32]
    """nlight: how it follows its body (mjtCamLight)"""
    light_bodyid: _Array[np.int32]
    """nlight: body to which it belongs"""
    light_targetbodyid: _Array[np.int32]
    """nlight: body at which it points in the target modes, -1: none"""
    light_type: _Array[np.int32]
    """nlight: type (mjtLightType): spot, directional, point, image"""
    light_texid: _Array[np.int32]
    """nlight: texture of an image light, -1: none"""
    light_castshadow: _Array[np.uint8]
    """nlight: whether it casts shadows"""
    light_bulbradius: _Array[np.float32]
    """nlight, m: radius of the bulb, for soft shadows"""
    light_intensity: _Array[np.float32]
    """nlight, cd: intensity, for physically based renderers"""
    light_range: _Array[np.float32]
    """nlight, m: maximum reach, for physically based renderers"""
    light_active: _Array[np.uint8]
    """nlight: whether it is switched on"""
    light_pos: _Array[np.float64]
    """nlight x 3, m: position in the body frame"""
    light_dir: _Array[np.float64]
    """nlight x 3: direction of the light, in the body frame"""
    light_poscom0: _Array[np.float64]
    """nlight x 3, m: position relative to the subtree's centre of mass at qpos0, in world axes"""
    light_pos0: _Array[np.float64]
    """nlight x 3, m: position relative to the body at qpos0, in world axes"""
    light_dir0: _Array[np.float64]
    """nlight x 3: direction at qpos0, in world axes"""
    light_attenuation: _Array[np.float32]
    """nlight x 3: constant, linear and quadratic loss with distance"""
    light_cutoff: _Array[np.float32]
    """nlight, deg: half angle of a spot's cone"""
    light_exponent: _Array[np.float32]
    """nlight: how sharply a spot fades towards the edge of its cone"""
    light_ambient: _Array[np.float32]
    """nlight x 3, 0..1: colour of its ambient light"""
    light_diffuse: _Array[np.float32]
    """nlight x 3, 0..1: colour of its diffuse light"""
    light_specular: _Array[np.float32]
    """nlight x 3, 0..1: colour of its highlights"""
    flex_contype: _Array[np.int32]
    """nflex: contact type, as bits: objects can touch if one's contype matches the other's conaffinity"""
    flex_conaffinity: _Array[np.int32]
    """nflex: contact affinity, as bits; see contype"""
    flex_condim: _Array[np.int32]
    """nflex: dimensions of its contacts: 1, 3, 4 or 6"""
    flex_priority: _Array[np.int32]
    """nflex: priority: the object with the higher one alone determines the contact parameters"""
    flex_solmix: _Array[np.float64]
    """nflex: weight of its solver parameters when those of two objects are mixed"""
    flex_solref: _Array[np.float64]
    """nflex x 2: solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping"""
    flex_solimp: _Array[np.float64]
    """nflex x 5: solver impedance of contacts: d0, dwidth, width, midpoint, power"""
    flex_friction: _Array[np.float64]
    """nflex x 3: friction: sliding (no unit), torsional and rolling (m)"""
    flex_margin: _Array[np.float64]
    """nflex, m: distance at which a contact is made"""
    flex_gap: _Array[np.float64]
    """nflex, m: part of the margin within which a contact exists but exerts no force"""
    flex_internal: _Array[np.uint8]
    """nflex: whether elements collide with vertices in their neighbourhood"""
    flex_selfcollide: _Array[np.int32]
    """nflex: how it collides with itself (mjtFlexSelf)"""
    flex_activelayers: _Array[np.int32]
    """nflex: number of outer element layers that collide (3D)"""
    flex_passive: _Array[np.int32]
    """nflex: whether its contacts are penalty forces instead of constraints"""
    flex_dim: _Array[np.int32]
    """nflex: dimension: 1 lines, 2 triangles, 3 tetrahedra"""
    flex_matid: _Array[np.int32]
    """nflex: material, -1: none"""
    flex_group: _Array[np.int32]
    """nflex: visibility group"""
    flex_interp: _Array[np.int32]
    """nflex: order of interpolation of vertices between nodes, 0: none"""
    flex_nodeadr: _Array[np.int32]
    """nflex: first node"""
    flex_nodenum: _Array[np.int32]
    """nflex: number of nodes"""
    flex_vertadr: _Array[np.int32]
    """nflex: first vertex"""
    flex_vertnum: _Array[np.int32]
    """nflex: number of vertices"""
    flex_edgeadr: _Array[np.int32]
    """nflex: first edge"""
    flex_edgenum: _Array[np.int32]
    """nflex: number of edges"""
    flex_elemadr: _Array[np.int32]
    """nflex: first element"""
    flex_elemnum: _Array[np.int32]
    """nflex: number of elements"""
    flex_elemdataadr: _Array[np.int32]
    """nflex: start in flex_elem"""
    flex_elemedgeadr: _Array[np.int32]
    """nflex: start in flex_elemedge"""
    flex_shellnum: _Array[np.int32]
    """nflex: number of shell fragments"""
    flex_shelldataadr: _Array[np.int32]
    """nflex: start in flex_shell"""
    flex_evpairadr: _Array[np.int32]
    """nflex: start in flex_evpair"""
    flex_evpairnum: _Array[np.int32]
    """nflex: number of element-vertex pairs"""
    flex_texcoordadr: _Array[np.int32]
    """nflex: start in flex_texcoord, -1: none"""
    flex_nodebodyid: _Array[np.int32]
    """nflexnode: body of each node"""
    flex_vertbodyid: _Array[np.int32]
    """nflexvert: body of each vertex, -1: interpolated"""
    flex_edge: _Array[np.int32]
    """nflexedge x 2: the two vertices of each edge, within the flex"""
    flex_edgeflap: _Array[np.int32]
    """nflexedge x 2: vertices opposite an edge in its two triangles, -1: boundary"""
    flex_elem: _Array[np.int32]
    """nflexelemdata: dim+1 vertices of each element, within the flex"""
    flex_elemtexcoord: _Array[np.int32]
    """nflexelemdata: texture coordinates of each element's vertices, within the flex"""
    flex_elemedge: _Array[np.int32]
    """nflexelemedge: edges of each element, within the flex"""
    flex_elemlayer: _Array[np.int32]
    """nflexelem: distance of each element from the surface, in layers (3D)"""
    flex_shell: _Array[np.int32]
    """nflexshelldata: dim vertices of each fragment of the surface, within the flex"""
    flex_evpair: _Array[np.int32]
    """nflexevpair x 2: element and vertex of each pair that can collide within the flex"""
    flex_vert: _Array[np.float64]
    """nflexvert x 3, m: vertices in the frames of their bodies"""
    flex_vert0: _Array[np.float64]
    """nflexvert x 3: vertices at qpos0 as fractions of the bounding box"""
    flex_node: _Array[np.float64]
    """nflexnode x 3, m: nodes in the frames of their bodies"""
    flex_node0: _Array[np.float64]
    """nflexnode x 3, m: nodes at qpos0 in world axes"""
    flexedge_length0: _Array[np.float64]
    """nflexedge, m: length of each edge at qpos0"""
    flexedge_invweight0: _Array[np.float64]
    """nflexedge, 1/kg: inverse inertia along each edge at qpos0"""
    flex_radius: _Array[np.float64]
    """nflex, m: radius around the elements for contact and drawing"""
    flex_stiffness: _Array[np.float64]
    """nflexelem x 21, N/m: stiffness matrix of each element with respect to edge lengths, one triangle"""
    flex_bending: _Array[np.float64]
    """nflexedge x 17, N/m: bending of the two triangles at each edge: 4x4 matrix, coefficient of the rest curvature"""
    flex_damping: _Array[np.float64]
    """nflex, s: Rayleigh damping: rate times stiffness"""
    flex_edgestiffness: _Array[np.float64]
    """nflex, N/m: spring stiffness of the edges"""
    flex_edgedamping: _Array[np.float64]
    """nflex, N s/m: damping of the edges"""
    flex_edgeequality: _Array[np.uint8]
    """nflex: whether an equality constraint keeps the lengths of edges"""
    flex_rigid: _Array[np.uint8]
    """nflex: whether all vertices belong to one body"""
    flexedge_rigid: _Array[np.uint8]
    """nflexedge: whether both vertices of the edge belong to one body"""
    flex_centered: _Array[np.uint8]
    """nflex: whether all vertices are at the origins of their bodies"""
    flex_flatskin: _Array[np.uint8]
    """nflex: whether the surface is drawn flat instead of smooth"""
    flex_bvhadr: _Array[np.int32]
    """nflex: root of the bounding volume hierarchy of the elements, -1: none"""
    flex_bvhnum: _Array[np.int32]
    """nflex: number of nodes of the bounding volume hierarchy"""
    flex_rgba: _Array[np.float32]
    """nflex x 4, 0..1: colour if it has no material: red, green, blue, opacity"""
    flex_texcoord: _Array[np.float32]
    """nflextexcoord x 2: texture coordinates of vertices"""
    mesh_vertadr: _Array[np.int32]
    """nmesh: first vertex"""
    mesh_vertnum: _Array[np.int32]
    """nmesh: number of vertices"""
    mesh_faceadr: _Array[np.int32]
    """nmesh: first triangle"""
    mesh_facenum: _Array[np.int32]
    """nmesh: number of triangles"""
    mesh_bvhadr: _Array[np.int32]
    """nmesh: root of the bounding volume hierarchy of the triangles"""
    mesh_bvhnum: _Array[np.int32]
    """nmesh: number of nodes of the bounding volume hierarchy"""
    mesh_octadr: _Array[np.int32]
    """nmesh: root of the octree, -1: none"""
    mesh_octnum: _Array[np.int32]
    """nmesh: cells of the octree"""
    mesh_normaladr: _Array[np.int32]
    """nmesh: first normal"""
    mesh_normalnum: _Array[np.int32]
    """nmesh: number of normals"""
    mesh_texcoordadr: _Array[np.int32]
    """nmesh: first texture coordinate, -1: none"""
    mesh_texcoordnum: _Array[np.int32]
    """nmesh: number of texture coordinates"""
    mesh_graphadr: _Array[np.int32]
    """nmesh: start of the convex hull in mesh_graph, -1: none"""
    mesh_vert: _Array[np.float32]
    """nmeshvert x 3, m: vertices in the frame of the centre of mass and principal axes"""
    mesh_normal: _Array[np.float32]
    """nmeshnormal x 3: unit normals"""
    mesh_texcoord: _Array[np.float32]
    """nmeshtexcoord x 2: texture coordinates u, v"""
    mesh_face: _Array[np.int32]
    """nmeshface x 3: vertices of each triangle, within the mesh"""
    mesh_facenormal: _Array[np.int32]
    """nmeshface x 3: normals of each triangle's corners, within the mesh, or -1"""
    mesh_facetexcoord: _Array[np.int32]
    """nmeshface x 3: texture coordinates of each triangle's corners, within the mesh"""
    mesh_graph: _Array[np.int32]
    """nmeshgraph: convex hulls: counts, then vertices, their edges and the hull's faces"""
    mesh_scale: _Array[np.float64]
    """nmesh x 3: scaling that was applied to the vertices"""
    mesh_pos: _Array[np.float64]
    """nmesh x 3, m: translation that was removed from the file's vertices"""
    mesh_quat: _Array[np.float64]
    """nmesh x 4, quat: rotation that was removed from the file's vertices"""
    mesh_pathadr: _Array[np.int32]
    """nmesh: start of the file's name in paths, -1: none"""
    mesh_polynum: _Array[np.int32]
    """nmesh: number of polygons of the convex hull"""
    mesh_polyadr: _Array[np.int32]
    """nmesh: first polygon"""
    mesh_polynormal: _Array[np.float64]
    """nmeshpoly x 3: unit normal of each polygon"""
    mesh_polyvertadr: _Array[np.int32]
    """nmeshpoly: start of each polygon's vertices in mesh_polyvert"""
    mesh_polyvertnum: _Array[np.int32]
    """nmeshpoly: number of vertices of a polygon"""
    mesh_polyvert: _Array[np.int32]
    """nmeshpolyvert: vertices of the polygons, within the mesh"""
    mesh_polymapadr: _Array[np.int32]
    """nmeshvert: start of each vertex's polygons in mesh_polymap"""
    mesh_polymapnum: _Array[np.int32]
    """nmeshvert: number of polygons that meet at a vertex"""
    mesh_polymap: _Array[np.int32]
    """nmeshpolymap: polygons that meet at each vertex, within the mesh"""
    skin_matid: _Array[np.int32]
    """nskin: material, -1: none"""
    skin_group: _Array[np.int32]
    """nskin: visibility group"""
    skin_rgba: _Array[np.float32]
    """nskin x 4, 0..1: colour if it has no material: red, green, blue, opacity"""
    skin_inflate: _Array[np.float32]
    """nskin, m: distance by which vertices are moved out along their normals"""
    skin_vertadr: _Array[np.int32]
    """nskin: first vertex"""
    skin_vertnum: _Array[np.int32]
    """nskin: number of vertices"""
    skin_texcoordadr: _Array[np.int32]
    """nskin: first texture coordinate, -1: none"""
    skin_faceadr: _Array[np.int32]
    """nskin: first triangle"""
    skin_facenum: _Array[np.int32]
    """nskin: number of triangles"""
    skin_boneadr: _Array[np.int32]
    """nskin: first bone"""
    skin_bonenum: _Array[np.int32]
    """nskin: number of bones"""
    skin_vert: _Array[np.float32]
    """nskinvert x 3, m: vertices at qpos0 in world axes"""
    skin_texcoord: _Array[np.float32]
    """nskintexvert x 2: texture coordinates u, v"""
    skin_face: _Array[np.int32]
    """nskinface x 3: vertices of each triangle, within the skin"""
    skin_bonevertadr: _Array[np.int32]
    """nskinbone: first of the vertices that a bone moves"""
    skin_bonevertnum: _Array[np.int32]
    """nskinbone: number of vertices that a bone moves"""
    skin_bonebindpos: _Array[np.float32]
    """nskinbone x 3, m: position of each bone in the pose in which the vertices are given"""
    skin_bonebindquat: _Array[np.float32]
    """nskinbone x 4, quat: orientation of each bone in the pose in which the vertices are given"""
    skin_bonebodyid: _Array[np.int32]
    """nskinbone: body of each bone"""
    skin_bonevertid: _Array[np.int32]
    """nskinbonevert: vertices that a bone moves, within the skin"""
    skin_bonevertweight: _Array[np.float32]
    """nskinbonevert: weight of each of these vertices"""
    skin_pathadr: _Array[np.int32]
    """nskin: start of the file's name in paths, -1: none"""
    hfield_size: _Array[np.float64]
    """nhfield x 4, m: half extents in x and y, height of data 1, depth of the base"""
    hfield_nrow: _Array[np.int32]
    """nhfield: rows of the grid, along y"""
    hfield_ncol: _Array[np.int32]
    """nhfield: columns of the grid, along x"""
    hfield_adr: _Array[np.int32]
    """nhfield: start in hfield_data"""
    hfield_data: _Array[np.float32]
    """nhfielddata, 0..1: heights by rows, as fractions of the maximum"""
    hfield_pathadr: _Array[np.int32]
    """nhfield: start of the file's name in paths, -1: none"""
    tex_type: _Array[np.int32]
    """ntex: type (mjtTexture): 2d, cube, skybox"""
    tex_colorspace: _Array[np.int32]
    """ntex: encoding of the colours (mjtColorSpace)"""
    tex_height: _Array[np.int32]
    """ntex, pixel: rows; the six squares of a cube are stacked"""
    tex_width: _Array[np.int32]
    """ntex, pixel: columns"""
    tex_nchannel: _Array[np.int32]
    """ntex: bytes per pixel"""
    tex_adr: _Array[np.int32]
    """ntex: start in tex_data"""
    tex_data: _Array[np.uint8]
    """ntexdata: pixels by rows, bytes 0 to 255"""
    tex_pathadr: _Array[np.int32]
    """ntex: start of the file's name in paths, -1: none"""
    mat_texid: _Array[np.int32]
    """nmat x 10: texture for each mjtTextureRole, -1: none"""
    mat_texuniform: _Array[np.uint8]
    """nmat: whether the texture is repeated by length instead of by object"""
    mat_texrepeat: _Array[np.float32]
    """nmat x 2: repeats of the texture in u and v"""
    mat_emission: _Array[np.float32]
    """nmat: light that the surface emits, as a fraction of its colour"""
    mat_specular: _Array[np.float32]
    """nmat, 0..1: strength of highlights"""
    mat_shininess: _Array[np.float32]
    """nmat, 0..1: sharpness of highlights"""
    mat_reflectance: _Array[np.float32]
    """nmat, 0..1: weight of the mirror image (planes and boxes)"""
    mat_metallic: _Array[np.float32]
    """nmat, 0..1: metallic fraction, -1: not given; for physically based renderers"""
    mat_roughness: _Array[np.float32]
    """nmat, 0..1: roughness, -1: not given; for physically based renderers"""
    mat_rgba: _Array[np.float32]
    """nmat x 4, 0..1: colour: red, green, blue, opacity"""
    pair_dim: _Array[np.int32]
    """npair: dimensions of its contacts: 1, 3, 4 or 6"""
    pair_geom1: _Array[np.int32]
    """npair: first geom"""
    pair_geom2: _Array[np.int32]
    """npair: second geom"""
    pair_signature: _Array[np.int32]
    """npair: the bodies of the geoms as one number: (body1 << 16) + body2"""
    pair_solref: _Array[np.float64]
    """npair x 2: solver reference of the contact: timeconst (s), dampratio or -stiffness, -damping"""
    pair_solreffriction: _Array[np.float64]
    """npair x 2: solver reference of friction, zeros: same as solref"""
    pair_solimp: _Array[np.float64]
    """npair x 5: solver impedance of the contact: d0, dwidth, width, midpoint, power"""
    pair_margin: _Array[np.float64]
    """npair, m: distance at which a contact is made"""
    pair_gap: _Array[np.float64]
    """npair, m: part of the margin within which a contact exists but exerts no force"""
    pair_friction: _Array[np.float64]
    """npair x 5: friction: two sliding (no unit), one torsional and two rolling (m)"""
    exclude_signature: _Array[np.int32]
    """nexclude: the two bodies as one number: (body1 << 16) + body2"""
    eq_type: _Array[np.int32]
    """neq: type (mjtEq)"""
    eq_obj1id: _Array[np.int32]
    """neq: first object"""
    eq_obj2id: _Array[np.int32]
    """neq: second object, -1: none"""
    eq_objtype: _Array[np.int32]
    """neq: type of the objects (mjtObj)"""
    eq_active0: _Array[np.uint8]
    """neq: whether it is active after a reset"""
    eq_solref: _Array[np.float64]
    """neq x 2: solver reference: timeconst (s), dampratio or -stiffness, -damping"""
    eq_solimp: _Array[np.float64]
    """neq x 5: solver impedance: d0, dwidth, width, midpoint, power"""
    eq_data: _Array[np.float64]
    """neq x 11: numbers that depend on the type: anchors, relative pose, polynomial"""
    tendon_adr: _Array[np.int32]
    """ntendon: first object on its path, in wrap_*"""
    tendon_num: _Array[np.int32]
    """ntendon: number of objects on its path"""
    tendon_matid: _Array[np.int32]
    """ntendon: material, -1: none"""
    tendon_group: _Array[np.int32]
    """ntendon: visibility group"""
    tendon_treenum: _Array[np.int32]
    """ntendon: number of kinematic trees that it touches"""
    tendon_treeid: _Array[np.int32]
    """ntendon x 2: first two of these trees, -1: none"""
    tendon_limited: _Array[np.uint8]
    """ntendon: whether range limits the length"""
    tendon_actfrclimited: _Array[np.uint8]
    """ntendon: whether actfrcrange limits the sum of actuator forces"""
    tendon_width: _Array[np.float64]
    """ntendon, m: radius with which it is drawn"""
    tendon_solref_lim: _Array[np.float64]
    """ntendon x 2: solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping"""
    tendon_solimp_lim: _Array[np.float64]
    """ntendon x 5: solver impedance of the limit: d0, dwidth, width, midpoint, power"""
    tendon_solref_fri: _Array[np.float64]
    """ntendon x 2: solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping"""
    tendon_solimp_fri: _Array[np.float64]
    """ntendon x 5: solver impedance of dry friction: d0, dwidth, width, midpoint, power"""
    tendon_range: _Array[np.float64]
    """ntendon x 2, m or rad: smallest and largest length"""
    tendon_actfrcrange: _Array[np.float64]
    """ntendon x 2, N or N m: smallest and largest sum of actuator forces"""
    tendon_margin: _Array[np.float64]
    """ntendon, m or rad: distance before a limit at which its constraint becomes active"""
    tendon_stiffness: _Array[np.float64]
    """ntendon, N/m or N m/rad: spring stiffness"""
    tendon_damping: _Array[np.float64]
    """ntendon, N s/m or N m s/rad: viscous damping"""
    tendon_armature: _Array[np.float64]
    """ntendon, kg or kg m^2: inertia that resists changes of length"""
    tendon_frictionloss: _Array[np.float64]
    """ntendon, N or N m: dry friction: maximum friction force"""
    tendon_lengthspring: _Array[np.float64]
    """ntendon x 2, m or rad: lengths between which the spring is at rest"""
    tendon_length0: _Array[np.float64]
    """ntendon, m or rad: length at qpos0"""
    tendon_invweight0: _Array[np.float64]
    """ntendon, 1/kg or 1/(kg m^2): inverse inertia along it at qpos0"""
    tendon_user: _Array[np.float64]
    """ntendon x nuser_tendon, any: user data, not used by the engine"""
    tendon_rgba: _Array[np.float32]
    """ntendon x 4, 0..1: colour if it has no material: red, green, blue, opacity"""
    wrap_type: _Array[np.int32]
    """nwrap: type (mjtWrap)"""
    wrap_objid: _Array[np.int32]
    """nwrap: joint, site or geom, -1: none"""
    wrap_prm: _Array[np.float64]
    """nwrap: divisor of a pulley, coefficient of a joint, or side site of a geom"""
    actuator_trntype: _Array[np.int32]
    """nactuator: type of transmission: what it acts on (mjtTrn)"""
    actuator_dyntype: _Array[np.int32]
    """nactuator: dynamics of the activation (mjtDyn)"""
    actuator_gaintype: _Array[np.int32]
    """nactuator: type of gain: force per input (mjtGain)"""
    actuator_biastype: _Array[np.int32]
    """nactuator: type of bias: force without input (mjtBias)"""
    actuator_trnid: _Array[np.int32]
    """nactuator x 2: joint, tendon, site or body on which it acts; reference or slider site, -1: none"""
    actuator_actadr: _Array[np.int32]
    """nactuator: first activation in act, -1: none"""
    actuator_actnum: _Array[np.int32]
    """nactuator: number of activations"""
    actuator_group: _Array[np.int32]
    """nactuator: visibility group; actuators can also be disabled by group"""
    actuator_ctrllimited: _Array[np.uint8]
    """nu: whether ctrlrange limits the control"""
    actuator_forcelimited: _Array[np.uint8]
    """nactuator: whether forcerange limits the force"""
    actuator_actlimited: _Array[np.uint8]
    """nactuator: whether actrange limits the activation"""
    actuator_dynprm: _Array[np.float64]
    """nactuator x 10: parameters of the activation's dynamics, such as time constants in s"""
    actuator_gainprm: _Array[np.float64]
    """nactuator x 10: parameters of the gain"""
    actuator_biasprm: _Array[np.float64]
    """nactuator x 10: parameters of the bias"""
    actuator_actearly: _Array[np.uint8]
    """nactuator: whether the force uses the activation at the end of the step"""
    actuator_ctrlrange: _Array[np.float64]
    """nu x 2, any: smallest and largest control"""
    actuator_forcerange: _Array[np.float64]
    """nactuator x 2, N or N m: smallest and largest force"""
    actuator_actrange: _Array[np.float64]
    """nactuator x 2, any: smallest and largest activation"""
    actuator_gear: _Array[np.float64]
    """nout x 6: scaling of length and moment, by component of joints and sites"""
    actuator_cranklength: _Array[np.float64]
    """nactuator, m: length of a slider-crank's rod"""
    actuator_acc0: _Array[np.float64]
    """nout, m/s^2 or rad/s^2: norm of the acceleration caused by a unit force at qpos0"""
    actuator_length0: _Array[np.float64]
    """nout, m or rad: length at qpos0"""
    actuator_lengthrange: _Array[np.float64]
    """nout x 2, m or rad: smallest and largest reachable length"""
    actuator_user: _Array[np.float64]
    """nactuator x nuser_actuator, any: user data, not used by the engine"""
    actuator_plugin: _Array[np.int32]
    """nactuator: plugin instance, -1: none"""
    sensor_type: _Array[np.int32]
    """nsensor: type (mjtSensor)"""
    sensor_datatype: _Array[np.int32]
    """nsensor: type of its values: real, positive, axis, quaternion (mjtDataType)"""
    sensor_needstage: _Array[np.int32]
    """nsensor: stage after which it can be computed (mjtStage)"""
    sensor_objtype: _Array[np.int32]
    """nsensor: type of the object that it measures (mjtObj)"""
    sensor_objid: _Array[np.int32]
    """nsensor: object that it measures"""
    sensor_reftype: _Array[np.int32]
    """nsensor: type of the reference object (mjtObj)"""
    sensor_refid: _Array[np.int32]
    """nsensor: reference object, -1: the world"""
    sensor_intprm: _Array[np.int32]
    """nsensor x 3: integers whose meaning depends on the type"""
    sensor_dim: _Array[np.int32]
    """nsensor: number of values"""
    sensor_adr: _Array[np.int32]
    """nsensor: first of its values in sensordata"""
    sensor_cutoff: _Array[np.float64]
    """nsensor, any: limit on the absolute value of its readings, 0: none"""
    sensor_noise: _Array[np.float64]
    """nsensor, any: standard deviation of its noise, which the engine does not add"""
    sensor_user: _Array[np.float64]
    """nsensor x nuser_sensor, any: user data, not used by the engine"""
    sensor_plugin: _Array[np.int32]
    """nsensor: plugin instance, -1: none"""
    plugin: _Array[np.int32]
    """nplugin: number of the plugin in the registry"""
    plugin_stateadr: _Array[np.int32]
    """nplugin: start in plugin_state"""
    plugin_statenum: _Array[np.int32]
    """nplugin: numbers of state"""
    plugin_attr: npt.NDArray[np.int8]
    """attributes as texts, each followed by a zero"""
    plugin_attradr: _Array[np.int32]
    """nplugin: start of an instance's attributes in plugin_attr"""
    numeric_adr: _Array[np.int32]
    """nnumeric: start in numeric_data"""
    numeric_size: _Array[np.int32]
    """nnumeric: number of values"""
    numeric_data: _Array[np.float64]
    """nnumericdata, any: values of all elements"""
    text_adr: _Array[np.int32]
    """ntext: start in text_data"""
    text_size: _Array[np.int32]
    """ntext: bytes, including the final zero"""
    text_data: bytes
    """all texts, each followed by a zero"""
    tuple_adr: _Array[np.int32]
    """ntuple: first object"""
    tuple_size: _Array[np.int32]
    """ntuple: number of objects"""
    tuple_objtype: _Array[np.int32]
    """ntupledata: type of each object (mjtObj)"""
    tuple_objid: _Array[np.int32]
    """ntupledata: id of each object"""
    tuple_objprm: _Array[np.float64]
    """ntupledata, any: number stored with each object"""
    key_time: _Array[np.float64]
    """nkey, s: time"""
    key_qpos: _Array[np.float64]
    """nkey x nq, m or rad: configuration"""
    key_qvel: _Array[np.float64]
    """nkey x nv, m/s or rad/s: velocity"""
    key_act: _Array[np.float64]
    """nkey x na, any: activations"""
    key_mpos: _Array[np.float64]
    """nkey x nmocap*3, m: positions of mocap bodies"""
    key_mquat: _Array[np.float64]
    """nkey x nmocap*4, quat: orientations of mocap bodies"""
    key_ctrl: _Array[np.float64]
    """nkey x nu, any: controls"""
    name_bodyadr: _Array[np.int32]
    """nbody: names of bodies"""
    name_jntadr: _Array[np.int32]
    """njnt: names of joints"""
    name_geomadr: _Array[np.int32]
    """ngeom: names of geoms"""
    name_siteadr: _Array[np.int32]
    """nsite: names of sites"""
    name_camadr: _Array[np.int32]
    """ncam: names of cameras"""
    name_lightadr: _Array[np.int32]
    """nlight: names of lights"""
    name_flexadr: _Array[np.int32]
    """nflex: names of flexes"""
    name_meshadr: _Array[np.int32]
    """nmesh: names of meshes"""
    name_skinadr: _Array[np.int32]
    """nskin: names of skins"""
    name_hfieldadr: _Array[np.int32]
    """nhfield: names of height fields"""
    name_texadr: _Array[np.int32]
    """ntex: names of textures"""
    name_matadr: _Array[np.int32]
    """nmat: names of materials"""
    name_pairadr: _Array[np.int32]
    """npair: names of geom pairs"""
    name_excludeadr: _Array[np.int32]
    """nexclude: names of excluded pairs"""
    name_eqadr: _Array[np.int32]
    """neq: names of equality constraints"""
    name_tendonadr: _Array[np.int32]
    """ntendon: names of tendons"""
    name_actuatoradr: _Array[np.int32]
    """nactuator: names of actuators"""
    name_sensoradr: _Array[np.int32]
    """nsensor: names of sensors"""
    name_numericadr: _Array[np.int32]
    """nnumeric: names of custom numbers"""
    name_textadr: _Array[np.int32]
    """ntext: names of custom texts"""
    name_tupleadr: _Array[np.int32]
    """ntuple: names of custom tuples"""
    name_keyadr: _Array[np.int32]
    """nkey: names of keyframes"""
    name_pluginadr: _Array[np.int32]
    """nplugin: names of plugin instances"""
    names: bytes
    """name of the model, then those of all elements, each followed by a zero"""
    names_map: _Array[np.int32]
    """nnames_map: hash table from names to ids, with a part for each type of element"""
    paths: bytes
    """names of files, each followed by a zero"""
    B_rownnz: _Array[np.int32]
    """nbody: body-dof matrix: elements of each row"""
    B_rowadr: _Array[np.int32]
    """nbody: body-dof matrix: where each row begins"""
    B_colind: _Array[np.int32]
    """nB: body-dof matrix: dof of each element"""
    M_rownnz: _Array[np.int32]
    """nv: inertia, lower triangle: elements of each row"""
    M_rowadr: _Array[np.int32]
    """nv: inertia, lower triangle: where each row begins"""
    M_colind: _Array[np.int32]
    """nC: inertia, lower triangle: dof of each element"""
    mapM2M: _Array[np.int32]
    """nC: element of qM for each element of M"""
    D_rownnz: _Array[np.int32]
    """nv: dof-dof matrix: elements of each row"""
    D_rowadr: _Array[np.int32]
    """nv: dof-dof matrix: where each row begins"""
    D_diag: _Array[np.int32]
    """nv: dof-dof matrix: position of the diagonal in each row"""
    D_colind: _Array[np.int32]
    """nD: dof-dof matrix: dof of each element"""
    mapM2D: _Array[np.int32]
    """nD: element of M for each element of the dof-dof matrix"""
    mapD2M: _Array[np.int32]
    """nC: element of the dof-dof matrix for each element of M"""
    jnt_stiffnesspoly: _Array[np.float64]
    """njnt x 2, any: spring: coefficients of the second and third power"""
    dof_dampingpoly: _Array[np.float64]
    """nv x 2, any: damper: coefficients of the second and third power"""
    geom_surfacevel: _Array[np.float64]
    """ngeom x 6, m/s or rad/s: velocity of the surface in the geom frame: linear, angular"""
    geom_adhesion: _Array[np.float64]
    """ngeom, N: maximum attractive force of its contacts"""
    pair_adhesion: _Array[np.float64]
    """npair, N: maximum attractive force of its contacts"""
    tendon_stiffnesspoly: _Array[np.float64]
    """ntendon x 2, any: spring: coefficients of the second and third power"""
    tendon_dampingpoly: _Array[np.float64]
    """ntendon x 2, any: damper: coefficients of the second and third power"""
    actuator_armature: _Array[np.float64]
    """nactuator, kg or kg m^2: inertia added to its joint or tendon, multiplied by gear squared"""
    actuator_damping: _Array[np.float64]
    """nactuator, N s/m or N m s/rad: damping added to its joint or tendon, multiplied by gear squared"""
    actuator_dampingpoly: _Array[np.float64]
    """nactuator x 2, any: damping: coefficients of the second and third power"""
    cam_output: _Array[np.int32]
    """ncam: types of picture that it provides, as bits: rgb, depth, distance, normal, segmentation"""
    actuator_history: _Array[np.int32]
    """nactuator x 2: number of stored control samples; interpolation: 0 hold, 1 linear, 2 cubic"""
    actuator_delay: _Array[np.float64]
    """nactuator, s: delay of its control, 0: none"""
    sensor_history: _Array[np.int32]
    """nsensor x 2: number of stored samples; interpolation: 0 hold, 1 linear, 2 cubic"""
    sensor_delay: _Array[np.float64]
    """nsensor, s: delay of its values, 0: none"""
    sensor_interval: _Array[np.float64]
    """nsensor x 2, s: sampling period (0: every step), and time of the last sample before the start"""
    geom_shadowless: _Array[np.uint8]
    """ngeom: whether it casts no shadow; the opposite of geom_castshadow in 4.0"""
    actuator_ctrlspec: _Array[np.int32]
    """nactuator: meaning of its control, as bits of mjtCtrlInput, 0: a command"""
    eq_relative: _Array[np.uint8]
    """neq: whether mj_setConst computes the relative pose of this weld; eq_data[11] in 4.0"""
    actuator_ctrladr: _Array[np.int32]
    """nactuator: first control in ctrl"""
    actuator_ctrlnum: _Array[np.int32]
    """nactuator: number of controls"""
    actuator_outadr: _Array[np.int32]
    """nactuator: first force in actuator_force; also first length, gear and moment"""
    actuator_outnum: _Array[np.int32]
    """nactuator: number of forces"""
    jnt_springyield: _Array[np.float64]
    """njnt, m or rad: elongation beyond which the spring yields"""
    jnt_plasticnum: _Array[np.int32]
    """njnt: length of the plastic state, the spring's rest position; 0: not plastic"""
    tendon_springyield: _Array[np.float64]
    """ntendon, m or rad: elongation beyond which the spring yields"""
    tendon_plasticnum: _Array[np.int32]
    """ntendon: length of the plastic state, the spring's rest lengths; 0: not plastic"""
    key_plastic: _Array[np.float64]
    """nkey x nplastic, any: plastic state"""
    light_softness: _Array[np.float32]
    """nlight, 0..1: fraction of a spotlight's cone over which it fades, for physically based renderers"""
    signature: int
    """hash of the structure of the spec that it was compiled from"""
    compat_bits: int
    """silent changes of later releases that apply (tables.compat_rows)"""
    features: int
    """features of later releases that the model uses, as bits (step.setconst)"""
    nhistory: int
    """numbers of all histories of controls and sensors, in plugin_state"""
    opt: MjOption
    vis: MjVisual
    stat: MjStatistic
    def body(self, name: int | str = ...) -> _MjModelBodyViews:
        """The body of an id or a name."""
    def joint(self, name: int | str = ...) -> _MjModelJointViews:
        """The joint of an id or a name."""
    def jnt(self, name: int | str = ...) -> _MjModelJointViews:
        """The joint of an id or a name."""
    def geom(self, name: int | str = ...) -> _MjModelGeomViews:
        """The geom of an id or a name."""
    def site(self, name: int | str = ...) -> _MjModelSiteViews:
        """The site of an id or a name."""
    def camera(self, name: int | str = ...) -> _MjModelCameraViews:
        """The camera of an id or a name."""
    def cam(self, name: int | str = ...) -> _MjModelCameraViews:
        """The camera of an id or a name."""
    def light(self, name: int | str = ...) -> _MjModelLightViews:
        """The light of an id or a name."""
    def mesh(self, name: int | str = ...) -> _MjModelMeshViews:
        """The mesh of an id or a name."""
    def skin(self, name: int | str = ...) -> _MjModelSkinViews:
        """The skin of an id or a name."""
    def hfield(self, name: int | str = ...) -> _MjModelHfieldViews:
        """The hfield of an id or a name."""
    def texture(self, name: int | str = ...) -> _MjModelTextureViews:
        """The texture of an id or a name."""
    def tex(self, name: int | str = ...) -> _MjModelTextureViews:
        """The texture of an id or a name."""
    def material(self, name: int | str = ...) -> _MjModelMaterialViews:
        """The material of an id or a name."""
    def mat(self, name: int | str = ...) -> _MjModelMaterialViews:
        """The material of an id or a name."""
    def pair(self, name: int | str = ...) -> _MjModelPairViews:
        """The pair of an id or a name."""
    def exclude(self, name: int | str = ...) -> _MjModelExcludeViews:
        """The exclude of an id or a name."""
    def equality(self, name: int | str = ...) -> _MjModelEqualityViews:
        """The equality of an id or a name."""
    def eq(self, name: int | str = ...) -> _MjModelEqualityViews:
        """The equality of an id or a name."""
    def tendon(self, name: int | str = ...) -> _MjModelTendonViews:
        """The tendon of an id or a name."""
    def ten(self, name: int | str = ...) -> _MjModelTendonViews:
        """The tendon of an id or a name."""
    def actuator(self, name: int | str = ...) -> _MjModelActuatorViews:
        """The actuator of an id or a name."""
    def sensor(self, name: int | str = ...) -> _MjModelSensorViews:
        """The sensor of an id or a name."""
    def numeric(self, name: int | str = ...) -> _MjModelNumericViews:
        """The numeric of an id or a name."""
    def tuple(self, name: int | str = ...) -> _MjModelTupleViews:
        """The tuple of an id or a name."""
    def key(self, name: int | str = ...) -> _MjModelKeyframeViews:
        """The key of an id or a name."""
    def keyframe(self, name: int | str = ...) -> _MjModelKeyframeViews:
        """The key of an id or a name."""
    def peek(self, name: str) -> np.ndarray:
        """Return a view of the whole array (n, ...) of a field, without keeping it."""
    def array(self, name: str) -> npt.NDArray[Any]:
        """Return the whole array (n, ...) of a field, including rows that are not in use."""
    def __init__(self, **sizes: int) -> None: ...
    @property
    def compat(self) -> str:
        """The release whose unannounced behavior changes apply, such as "3.4" (see tables.compat_rows)."""
    @property
    def tendon_type(self) -> np.ndarray:
        """Types of tendons: 0 fixed, 1 spatial (since 4.0)."""
    @property
    def cam_projection(self) -> np.ndarray:
        """Projections of cameras: 0 perspective, 1 orthographic. Later releases use this name for cam_orthographic."""
    @property
    def flg_gravcomp(self) -> bool:
        """Whether gravity of any body is compensated (since 3.11)."""
    @property
    def flg_surfacevel(self) -> bool:
        """Whether the surface of any geom moves (since 3.11)."""
    @property
    def flg_adhesion(self) -> bool:
        """Whether contacts of any geom or pair adhere (since 3.11)."""
    @property
    def jnt_plasticadr(self) -> np.ndarray:
        """Index of each joint's plastic state in MjData.plastic, -1 if it has none (since 4.0)."""
    @property
    def tendon_plasticadr(self) -> np.ndarray:
        """Index of each tendon's plastic state in MjData.plastic, -1 if it has none (since 4.0)."""
    @property
    def actuator_historyadr(self) -> np.ndarray:
        """Index of each actuator's control history in MjData.history, -1 if it has none."""
    @property
    def sensor_historyadr(self) -> np.ndarray:
        """Index of each sensor's history in MjData.history, -1 if it has none."""
    def trust(self, fresh: bool = False) -> None:
        """Trust the indices from now on, and detect later edits (see core.edits).

        `fresh`: no other code has seen the model, and the code that made it will write no array again.
        """
    def sizes(self) -> dict[str, int]:
        """Return all sizes by name."""
    @property
    def geom_castshadow(self) -> np.ndarray:
        """Whether each geom casts a shadow, as a copy (ngeom) (since 4.0). The stored field is geom_shadowless."""
    @staticmethod
    def from_binary_path(filename: str, assets: dict[str, bytes] | None = None) -> MjModel:
        """Return a model from a binary file that mj_saveModel wrote. The file may also be one of the assets {name: contents}."""
    def bind(self, specs: Any) -> Any:
        """Return the rows of an element, or of a sequence of elements, of the spec from which the model was compiled."""
    def bind_scalar(self, spec: MjSpec) -> Any:
        """Return a view of the rows that belong to one element of the spec from which the model was compiled."""
    @staticmethod
    def from_xml_path(filename: str, assets: dict[str, bytes] | None = None, *, inside: str | None = None, compat: str | None = None, vfs: MjVfs | None = None) -> MjModel:
        """Return a model from an MJCF or URDF file. `assets` maps file names to contents; the file itself may be one of them.

        `inside`: a directory; files outside it are refused, even if file names, links or resource providers lead to them. For
        untrusted models.
        `compat`: the MuJoCo release whose silent changes apply, from "3.4" (the default) to "4.0"; see tables.compat_rows.
        `vfs`: an MjVfs that is searched first, instead of `assets`. The file may be an archive (.mjz, .zip) with a model and its
        files.
        """
    @staticmethod
    def from_xml_string(xml: str, assets: dict[str, bytes] | None = None, *, inside: str | None = None, compat: str | None = None, vfs: MjVfs | None = None) -> MjModel:
        """Return a model from MJCF or URDF text. `assets` maps file names to contents; other arguments as in `from_xml_path`."""

class MjOption:
    """Simulation options: time step, gravity, solver parameters, flags."""
    timestep: float
    """s: time step"""
    impratio: float
    """ratio of frictional to normal impedance of elliptic cones"""
    tolerance: float
    """solver: stop when the scaled improvement and gradient are below this"""
    ls_tolerance: float
    """line search: stop when the slope is below this fraction of the initial slope"""
    noslip_tolerance: float
    """noslip solver: stop when the improvement is below this"""
    ccd_tolerance: float
    """m: convex collision: stop when the error of the distance is below this"""
    sleep_tolerance: float
    """m/s: speed below which a tree may fall asleep"""
    gravity: _Array[np.float64]
    """3, m/s^2: gravitational acceleration"""
    wind: _Array[np.float64]
    """3, m/s: velocity of the medium"""
    magnetic: _Array[np.float64]
    """3, T: magnetic flux, for magnetometers"""
    density: float
    """kg/m^3: density of the medium, for inertial drag and lift"""
    viscosity: float
    """Pa s: viscosity of the medium"""
    o_margin: float
    """m: distance at which contacts are made"""
    o_solref: _Array[np.float64]
    """2: solver reference: timeconst (s), dampratio or -stiffness, -damping"""
    o_solimp: _Array[np.float64]
    """5: solver impedance: d0, dwidth, width, midpoint, power"""
    o_friction: _Array[np.float64]
    """5: friction: two sliding (no unit), one torsional and two rolling (m)"""
    integrator: int
    """integrator (mjtIntegrator)"""
    cone: int
    """friction cone: pyramidal or elliptic (mjtCone)"""
    jacobian: int
    """storage of Jacobians: dense, sparse, automatic (mjtJacobian)"""
    solver: int
    """constraint solver (mjtSolver)"""
    iterations: int
    """maximum number of iterations of the solver"""
    ls_iterations: int
    """maximum number of iterations of the line search"""
    noslip_iterations: int
    """maximum number of iterations of the noslip solver, 0: off"""
    ccd_iterations: int
    """maximum number of iterations of convex collision"""
    disableflags: int
    """disabled features, as bits (mjtDisableBit)"""
    enableflags: int
    """enabled features, as bits (mjtEnableBit)"""
    disableactuator: int
    """groups of actuators that are disabled, as bits"""
    sdf_initpoints: int
    """number of starting points in signed distance collision"""
    sdf_iterations: int
    """number of descent steps in signed distance collision"""
    def __init__(self) -> None: ...
    def peek(self, name: str) -> np.ndarray:
        """Return a view of the whole array (n, ...) of a field, without keeping it."""
    def copy_from(self, other: MjOption) -> None:
        """Copy all values of another struct of the same class."""

class MjSpec:
    """An editable model; `compile()` turns it into an MjModel.

    Elements outside the tree are in `parts`, by kind; the attributes `meshes`, `sensors`, ... return copies of these lists.
    """
    def __init__(self) -> None: ...
    compiler: MjsCompiler
    option: MjOption
    visual: MjVisual
    stat: MjStatistic
    meshdir: str
    texturedir: str
    modelname: str
    """name of the model"""
    strippath: int
    """whether folders are removed from file names"""
    memory: int
    """byte: size of MuJoCo's arena, -1: automatic"""
    nemax: int
    """maximum number of equality constraints; obsolete"""
    nuserdata: int
    """length of userdata"""
    nuser_body: int
    """length of the user data of each body"""
    nuser_jnt: int
    """length of the user data of each joint"""
    nuser_geom: int
    """length of the user data of each geom"""
    nuser_site: int
    """length of the user data of each site"""
    nuser_cam: int
    """length of the user data of each camera"""
    nuser_tendon: int
    """length of the user data of each tendon"""
    nuser_actuator: int
    """length of the user data of each actuator"""
    nuser_sensor: int
    """length of the user data of each sensor"""
    nkey: int
    """keyframes"""
    njmax: int
    """number of constraint rows to allocate memory for; -1: as many as memory allows"""
    nconmax: int
    """number of contacts to allocate memory for; -1: as many as memory allows"""
    nstack: int
    """size of MuJoCo's stack in numbers, -1: automatic; obsolete"""
    comment: str
    """comment at the beginning of the XML"""
    modelfiledir: str
    """folder of the model's file"""
    hasImplicitPluginElem: int
    """whether elements configure plugins without a named instance"""
    @property
    def flexes(self) -> list[MjsFlex]:
        """All elements of kind flex."""
    def flex(self, name: str) -> MjsFlex | _MaybeNone:
        """The flex with this name, or None."""
    def add_flex(self, *, name: str = ..., contype: SupportsIndex = ..., conaffinity: SupportsIndex = ..., condim: SupportsIndex = ..., priority: SupportsIndex = ..., friction: npt.ArrayLike = ..., solmix: SupportsFloat = ..., solref: npt.ArrayLike = ..., solimp: npt.ArrayLike = ..., margin: SupportsFloat = ..., gap: SupportsFloat = ..., dim: SupportsIndex = ..., radius: SupportsFloat = ..., internal: SupportsIndex = ..., flatskin: SupportsIndex = ..., selfcollide: SupportsIndex = ..., vertcollide: SupportsIndex = ..., passive: SupportsIndex = ..., activelayers: SupportsIndex = ..., group: SupportsIndex = ..., edgestiffness: SupportsFloat = ..., edgedamping: SupportsFloat = ..., rgba: npt.ArrayLike = ..., material: str = ..., young: SupportsFloat = ..., poisson: SupportsFloat = ..., damping: SupportsFloat = ..., thickness: SupportsFloat = ..., elastic2d: SupportsIndex = ..., nodebody: Sequence[str] = ..., vertbody: Sequence[str] = ..., node: npt.ArrayLike = ..., vert: npt.ArrayLike = ..., elem: npt.ArrayLike = ..., texcoord: npt.ArrayLike = ..., elemtexcoord: npt.ArrayLike = ..., info: str = ...) -> MjsFlex:
        """Add a flex; its fields may be given by name."""
    @property
    def meshes(self) -> list[MjsMesh]:
        """All elements of kind mesh."""
    def mesh(self, name: str) -> MjsMesh | _MaybeNone:
        """The mesh with this name, or None."""
    def add_mesh(self, default: MjsDefault | None = ..., *, name: str = ..., content_type: str = ..., file: str = ..., refpos: npt.ArrayLike = ..., refquat: npt.ArrayLike = ..., scale: npt.ArrayLike = ..., inertia: mjtMeshInertia = ..., smoothnormal: SupportsIndex = ..., needsdf: SupportsIndex = ..., maxhullvert: SupportsIndex = ..., uservert: npt.ArrayLike = ..., usernormal: npt.ArrayLike = ..., usertexcoord: npt.ArrayLike = ..., userface: npt.ArrayLike = ..., userfacenormal: npt.ArrayLike = ..., userfacetexcoord: npt.ArrayLike = ..., plugin: MjsPlugin = ..., material: str = ..., info: str = ...) -> MjsMesh:
        """Add a mesh; its fields may be given by name."""
    @property
    def skins(self) -> list[MjsSkin]:
        """All elements of kind skin."""
    def skin(self, name: str) -> MjsSkin | _MaybeNone:
        """The skin with this name, or None."""
    def add_skin(self, *, name: str = ..., file: str = ..., material: str = ..., rgba: npt.ArrayLike = ..., inflate: SupportsFloat = ..., group: SupportsIndex = ..., vert: npt.ArrayLike = ..., texcoord: npt.ArrayLike = ..., face: npt.ArrayLike = ..., bodyname: Sequence[str] = ..., bindpos: npt.ArrayLike = ..., bindquat: npt.ArrayLike = ..., vertid: Sequence[Sequence[int]] = ..., vertweight: Sequence[Sequence[float]] = ..., info: str = ...) -> MjsSkin:
        """Add a skin; its fields may be given by name."""
    @property
    def hfields(self) -> list[MjsHField]:
        """All elements of kind hfield."""
    def hfield(self, name: str) -> MjsHField | _MaybeNone:
        """The hfield with this name, or None."""
    def add_hfield(self, *, name: str = ..., content_type: str = ..., file: str = ..., size: npt.ArrayLike = ..., nrow: SupportsIndex = ..., ncol: SupportsIndex = ..., userdata: npt.ArrayLike = ..., info: str = ...) -> MjsHField:
        """Add a hfield; its fields may be given by name."""
    @property
    def textures(self) -> list[MjsTexture]:
        """All elements of kind texture."""
    def texture(self, name: str) -> MjsTexture | _MaybeNone:
        """The texture with this name, or None."""
    def add_texture(self, default: MjsDefault | None = ..., *, name: str = ..., type: mjtTexture = ..., colorspace: mjtColorSpace = ..., builtin: SupportsIndex = ..., mark: SupportsIndex = ..., rgb1: npt.ArrayLike = ..., rgb2: npt.ArrayLike = ..., markrgb: npt.ArrayLike = ..., random: SupportsFloat = ..., height: SupportsIndex = ..., width: SupportsIndex = ..., nchannel: SupportsIndex = ..., content_type: str = ..., file: str = ..., gridsize: npt.ArrayLike = ..., gridlayout: Sequence[str] = ..., cubefiles: Sequence[str] = ..., data: npt.ArrayLike = ..., hflip: SupportsIndex = ..., vflip: SupportsIndex = ..., info: str = ...) -> MjsTexture:
        """Add a texture; its fields may be given by name."""
    @property
    def materials(self) -> list[MjsMaterial]:
        """All elements of kind material."""
    def material(self, name: str) -> MjsMaterial | _MaybeNone:
        """The material with this name, or None."""
    def add_material(self, default: MjsDefault | None = ..., *, name: str = ..., textures: Sequence[str] = ..., texuniform: SupportsIndex = ..., texrepeat: npt.ArrayLike = ..., emission: SupportsFloat = ..., specular: SupportsFloat = ..., shininess: SupportsFloat = ..., reflectance: SupportsFloat = ..., metallic: SupportsFloat = ..., roughness: SupportsFloat = ..., rgba: npt.ArrayLike = ..., info: str = ...) -> MjsMaterial:
        """Add a material; its fields may be given by name."""
    @property
    def pairs(self) -> list[MjsPair]:
        """All elements of kind pair."""
    def pair(self, name: str) -> MjsPair | _MaybeNone:
        """The pair with this name, or None."""
    def add_pair(self, default: MjsDefault | None = ..., *, name: str = ..., geomname1: str = ..., geomname2: str = ..., condim: SupportsIndex = ..., solref: npt.ArrayLike = ..., solreffriction: npt.ArrayLike = ..., solimp: npt.ArrayLike = ..., margin: SupportsFloat = ..., gap: SupportsFloat = ..., friction: npt.ArrayLike = ..., info: str = ..., adhesion: SupportsFloat = ...) -> MjsPair:
        """Add a pair; its fields may be given by name."""
    @property
    def excludes(self) -> list[MjsExclude]:
        """All elements of kind exclude."""
    def exclude(self, name: str) -> MjsExclude | _MaybeNone:
        """The exclude with this name, or None."""
    def add_exclude(self, *, name: str = ..., bodyname1: str = ..., bodyname2: str = ..., info: str = ...) -> MjsExclude:
        """Add a exclude; its fields may be given by name."""
    @property
    def equalities(self) -> list[MjsEquality]:
        """All elements of kind equality."""
    def equality(self, name: str) -> MjsEquality | _MaybeNone:
        """The equality with this name, or None."""
    def add_equality(self, default: MjsDefault | None = ..., *, name: str = ..., type: mjtEq = ..., data: npt.ArrayLike = ..., active: SupportsIndex = ..., name1: str = ..., name2: str = ..., objtype: mjtObj = ..., solref: npt.ArrayLike = ..., solimp: npt.ArrayLike = ..., info: str = ...) -> MjsEquality:
        """Add a equality; its fields may be given by name."""
    @property
    def tendons(self) -> list[MjsTendon]:
        """All elements of kind tendon."""
    def tendon(self, name: str) -> MjsTendon | _MaybeNone:
        """The tendon with this name, or None."""
    def add_tendon(self, default: MjsDefault | None = ..., *, name: str = ..., stiffness: SupportsFloat = ..., springlength: npt.ArrayLike = ..., damping: SupportsFloat = ..., frictionloss: SupportsFloat = ..., solref_friction: npt.ArrayLike = ..., solimp_friction: npt.ArrayLike = ..., armature: SupportsFloat = ..., limited: SupportsIndex = ..., actfrclimited: SupportsIndex = ..., range: npt.ArrayLike = ..., actfrcrange: npt.ArrayLike = ..., margin: SupportsFloat = ..., solref_limit: npt.ArrayLike = ..., solimp_limit: npt.ArrayLike = ..., material: str = ..., width: SupportsFloat = ..., rgba: npt.ArrayLike = ..., group: SupportsIndex = ..., userdata: npt.ArrayLike = ..., info: str = ..., stiffnesspoly: npt.ArrayLike = ..., dampingpoly: npt.ArrayLike = ..., springyield: SupportsFloat = ...) -> MjsTendon:
        """Add a tendon; its fields may be given by name."""
    @property
    def actuators(self) -> list[MjsActuator]:
        """All elements of kind actuator."""
    def actuator(self, name: str) -> MjsActuator | _MaybeNone:
        """The actuator with this name, or None."""
    def add_actuator(self, default: MjsDefault | None = ..., *, name: str = ..., gaintype: mjtGain = ..., gainprm: npt.ArrayLike = ..., biastype: mjtBias = ..., biasprm: npt.ArrayLike = ..., dyntype: mjtDyn = ..., dynprm: npt.ArrayLike = ..., actdim: SupportsIndex = ..., actearly: SupportsIndex = ..., trntype: mjtTrn = ..., gear: npt.ArrayLike = ..., target: str = ..., refsite: str = ..., slidersite: str = ..., cranklength: SupportsFloat = ..., lengthrange: npt.ArrayLike = ..., inheritrange: SupportsFloat = ..., ctrllimited: SupportsIndex = ..., ctrlrange: npt.ArrayLike = ..., forcelimited: SupportsIndex = ..., forcerange: npt.ArrayLike = ..., actlimited: SupportsIndex = ..., actrange: npt.ArrayLike = ..., ctrlspec: SupportsIndex = ..., velrange: npt.ArrayLike = ..., ffrange: npt.ArrayLike = ..., nsample: SupportsIndex = ..., interp: SupportsIndex = ..., group: SupportsIndex = ..., userdata: npt.ArrayLike = ..., plugin: MjsPlugin = ..., info: str = ..., armature: SupportsFloat = ..., damping: SupportsFloat = ..., dampingpoly: npt.ArrayLike = ..., delay: SupportsFloat = ...) -> MjsActuator:
        """Add a actuator; its fields may be given by name."""
    @property
    def sensors(self) -> list[MjsSensor]:
        """All elements of kind sensor."""
    def sensor(self, name: str) -> MjsSensor | _MaybeNone:
        """The sensor with this name, or None."""
    def add_sensor(self, *, name: str = ..., type: mjtSensor = ..., objtype: mjtObj = ..., objname: str = ..., reftype: mjtObj = ..., refname: str = ..., intprm: npt.ArrayLike = ..., datatype: mjtDataType = ..., needstage: mjtStage = ..., dim: SupportsIndex = ..., cutoff: SupportsFloat = ..., noise: SupportsFloat = ..., nsample: SupportsIndex = ..., interp: SupportsIndex = ..., userdata: npt.ArrayLike = ..., plugin: MjsPlugin = ..., info: str = ..., delay: SupportsFloat = ..., interval: npt.ArrayLike = ...) -> MjsSensor:
        """Add a sensor; its fields may be given by name."""
    @property
    def numerics(self) -> list[MjsNumeric]:
        """All elements of kind numeric."""
    def numeric(self, name: str) -> MjsNumeric | _MaybeNone:
        """The numeric with this name, or None."""
    def add_numeric(self, *, name: str = ..., data: npt.ArrayLike = ..., size: SupportsIndex = ..., info: str = ...) -> MjsNumeric:
        """Add a numeric; its fields may be given by name."""
    @property
    def texts(self) -> list[MjsText]:
        """All elements of kind text."""
    def text(self, name: str) -> MjsText | _MaybeNone:
        """The text with this name, or None."""
    def add_text(self, *, name: str = ..., data: str = ..., info: str = ...) -> MjsText:
        """Add a text; its fields may be given by name."""
    @property
    def tuples(self) -> list[MjsTuple]:
        """All elements of kind tuple."""
    def tuple(self, name: str) -> MjsTuple | _MaybeNone:
        """The tuple with this name, or None."""
    def add_tuple(self, *, name: str = ..., objtype: npt.ArrayLike = ..., objname: Sequence[str] = ..., objprm: npt.ArrayLike = ..., info: str = ...) -> MjsTuple:
        """Add a tuple; its fields may be given by name."""
    @property
    def keys(self) -> list[MjsKey]:
        """All elements of kind key."""
    def key(self, name: str) -> MjsKey | _MaybeNone:
        """The key with this name, or None."""
    def add_key(self, *, name: str = ..., time: SupportsFloat = ..., qpos: npt.ArrayLike = ..., qvel: npt.ArrayLike = ..., act: npt.ArrayLike = ..., mpos: npt.ArrayLike = ..., mquat: npt.ArrayLike = ..., ctrl: npt.ArrayLike = ..., plastic: npt.ArrayLike = ..., info: str = ...) -> MjsKey:
        """Add a key; its fields may be given by name."""
    @property
    def plugins(self) -> list[MjsPlugin]:
        """All elements of kind plugin."""
    def plugin(self, name: str) -> MjsPlugin | _MaybeNone:
        """The plugin with this name, or None."""
    def add_plugin(self, *, name: str = ..., plugin_name: str = ..., active: SupportsIndex = ..., info: str = ...) -> MjsPlugin:
        """Add a plugin; its fields may be given by name."""
    @property
    def bodies(self) -> list[MjsBody]:
        """All elements of kind body."""
    def body(self, name: str) -> MjsBody | _MaybeNone:
        """The body with this name, or None."""
    @property
    def joints(self) -> list[MjsJoint]:
        """All elements of kind joint."""
    def joint(self, name: str) -> MjsJoint | _MaybeNone:
        """The joint with this name, or None."""
    @property
    def geoms(self) -> list[MjsGeom]:
        """All elements of kind geom."""
    def geom(self, name: str) -> MjsGeom | _MaybeNone:
        """The geom with this name, or None."""
    @property
    def sites(self) -> list[MjsSite]:
        """All elements of kind site."""
    def site(self, name: str) -> MjsSite | _MaybeNone:
        """The site with this name, or None."""
    @property
    def cameras(self) -> list[MjsCamera]:
        """All elements of kind camera."""
    def camera(self, name: str) -> MjsCamera | _MaybeNone:
        """The camera with this name, or None."""
    @property
    def lights(self) -> list[MjsLight]:
        """All elements of kind light."""
    def light(self, name: str) -> MjsLight | _MaybeNone:
        """The light with this name, or None."""
    @property
    def frames(self) -> list[MjsFrame]:
        """All elements of kind frame."""
    def frame(self, name: str) -> MjsFrame | _MaybeNone:
        """The frame with this name, or None."""
    def unlink(self) -> None:
        """Break all reference cycles to free the memory at once; the spec is unusable afterwards."""
    @property
    def compat_bits(self) -> int:
        """Bits of the behavior changes of later releases that the spec uses (see tables.compat_rows)."""
    @property
    def signature(self) -> int:
        """Hash of the structure; a model compiled from this spec has the same signature."""
    @property
    def timer(self) -> np.ndarray:
        """Seconds that each part of the last compilation took, as a copy (9,) in the order of mjtCTimer (since MuJoCo 3.9)."""
    def find_default(self, classname: str) -> MjsDefault | None:
        """Return the default class with this name, or None."""
    def add_default(self, classname: str, parent: MjsDefault | None = None) -> MjsDefault | None:
        """Add a default class below `parent` (None: the main class). Return None if the name is taken."""
    def activate_plugin(self, name: str, place: Callable[..., Any] | None = None) -> None:
        """Allow elements to use a plugin; SpecError if the plugin is unknown."""
    @staticmethod
    def resolve_orientation(degree: bool, sequence: str | None = None, orientation: Sequence[Any] | None = None) -> list[float]:
        """Return the quaternion (4 numbers) of an orientation. `degree`: whether angles are in degrees; `sequence`: axes of
        Euler angles.
        """
    @property
    def worldbody(self) -> MjsBody:
        """The body that everything else stands on."""
    @property
    def default(self) -> MjsDefault:
        """The main default class."""
    @property
    def parent(self) -> MjSpec | None:
        """The spec that this one was attached to, or None."""
    copy_during_attach: bool
    assets: dict[str, bytes]
    """{name: contents} of files. Assignment adds to the existing entries."""
    @staticmethod
    def from_file(filename: str, include: dict[str, Any] | None = None, assets: dict[str, bytes] | None = None, *, vfs: MjVfs | None = None, inside: str | None = None) -> MjSpec:
        """Return an MjSpec from a file. The file may also be in `include`, or in a `vfs` (MjVfs).

        An archive (.mjz, .zip) has a model with its files. `inside` as in `from_string`.
        """
    @staticmethod
    def from_string(xml: str, include: dict[str, Any] | None = None, assets: dict[str, bytes] | None = None, *, vfs: MjVfs | None = None, inside: str | None = None) -> MjSpec:
        """Return an MjSpec from XML text.

        `include` maps names of included files to contents, `assets` names of assets; `vfs`, an MjVfs, replaces both.
        `inside`: a directory, or an archive; files outside it are refused, now and when the spec is compiled. For untrusted models.
        """
    @staticmethod
    def from_zip(file: str | IO[bytes], *, inside: str | None = None) -> MjSpec:
        """Return the MjSpec in a zip file, given as a name or as a binary file object, with its assets and included files.

        If there are several XML files, the model is the one with a usual name (`main_names`), otherwise the last. `inside`: a
        directory; files outside it are refused. If this is the path of the archive itself, only files in the archive are allowed.
        ValueError if the file is not such an archive.
        """
    def to_zip(self, file: str | IO[bytes]) -> None:
        """Write a spec, as XML, and its assets to a zip file, given as a name or as a binary file object."""
    def to_xml(self) -> str:
        """Return the canonical MJCF text of the compiled spec; SpecError if it cannot be compiled."""
    def to_file(self, file: str) -> None:
        """Write the text of `to_xml` to a file; FatalError if that fails."""
    def encode(self, filename: str, model: MjModel | None = None, content_type: str | None = None) -> int:
        """Write a spec to a file and return the size in bytes (since MuJoCo 3.8).

        Formats: MJCF (.xml), an archive with all files (.mjz, .zip), a binary model (.mjb), text (.txt). `model`: a model compiled
        from the spec; its numbers are written, and the last two formats need it. `content_type`: "text/xml" or "application/zip"
        if the name has no extension. FatalError if the format is unknown, the model is missing or the file cannot be written.
        """
    def copy(self) -> MjSpec:
        """Return a copy of a spec with all its elements."""
    def copy_back(self, model: MjModel) -> None:
        """Write changes made to a Model into the spec from which it was last compiled.

        ValueError if the Model was compiled from something else, or if the spec cannot express a change; the message then names the
        element. In both cases, nothing is written.
        """
    def delete(self, element: MjsElement | MjsDefault) -> None:
        """Remove an element from a spec, with its subtree and the elements that refer to it. TypeError or ValueError if this is
        impossible.
        """
    def dedup_assets(self) -> int:
        """Merge textures and meshes that have the same files or data and the same parameters; return how many were removed.

        The first of each group stays and all references to the others are redirected to it. No file is read. Unnamed assets and
        meshes of plugins are left alone.
        """
    def adopt_inertial(self, body: MjsBody, vfs: MjVfs | None = None) -> None:
        """Compute a body's inertia as compiling would, and store it in the spec. The body's geoms then no longer determine it.

        SpecError if the spec does not compile. `vfs`: an MjVfs in which files are searched first.
        """
    def discard_visual(self, vfs: MjVfs | None = None) -> int:
        """Remove materials, textures, geoms that neither collide nor are referred to, and meshes that only these use; return the
        number of removed elements. Bodies keep the inertia that they get from such geoms.
        """
    def fuse_static(self, vfs: MjVfs | None = None) -> int:
        """Turn static bodies to which nothing refers into frames, and add their inertia to their parents. Return how many bodies
        became frames.
        """
    def attach(self, child: MjSpec, prefix: str | None = None, suffix: str | None = None, site: MjsSite | str | None = None, frame: MjsFrame | str | None = None) -> MjsFrame:
        """Attach another spec, with its assets, to a frame or site, given as an element or by name; return the new frame.

        The affixes are put around all names; `prefix=None` means '/'. ValueError if neither or both of `site` and `frame` are
        given, or if the site or frame is unknown or belongs to another spec.
        """
    def compile(self, *, vfs: MjVfs | None = None) -> MjModel:
        """Return a new MjModel; SpecError at the first error. `vfs`: an MjVfs in which files are searched first."""
    def recompile(self, model: MjModel, data: MjData) -> _Pair:
        """Return a new model and data. They keep the time, and the state of elements that the old model had."""

class MjStatistic:
    """Statistics of a model, used to scale rendering and solver: mean mass, mean inertia, mean size, extent, center."""
    meaninertia: float
    """kg or kg m^2: mean diagonal of the inertia at qpos0"""
    meanmass: float
    """kg: mean mass of a body"""
    meansize: float
    """m: mean size of a body"""
    extent: float
    """m: size of the model"""
    center: _Array[np.float64]
    """3, m: centre of the model"""
    def __init__(self) -> None: ...
    def peek(self, name: str) -> np.ndarray:
        """Return a view of the whole array (n, ...) of a field, without keeping it."""
    def copy_from(self, other: MjStatistic) -> None:
        """Copy all values of another struct of the same class."""

class MjStringVec:
    """A list of texts in a spec. `MjStringVec(value, count)` has `count` elements, all `value`. Values of another type raise a TypeError."""
    def __init__(self, value: str, count: SupportsIndex) -> None: ...
    def __setitem__(self, index: SupportsIndex, value: str) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> str: ...
    def __iter__(self) -> Iterator[str]: ...

class MjVfs:
    """Files in memory, and providers by folder: `vfs["model.xml"] = b"..."`, `del vfs[name]`, `name in vfs`, `with MjVfs() as
    vfs`.

    Loaders search here before the file system. Contents are bytes; each name can be set once. RuntimeError after `close`.
    """
    buffers: Any
    closed: Any
    mounts: Any
    def __init__(self) -> None: ...
    def mount(self, path: str, provider: mjpResourceProvider) -> None:
        """Let a provider read all names at and below a path. ValueError if the path already has one."""
    def unmount(self, path: str) -> None:
        """Remove the provider of a path; KeyError if it has none."""
    def close(self) -> None:
        """Drop all contents; the object cannot be used afterwards."""
    def __enter__(self) -> MjVfs: ...
    def __exit__(self, exc_type: Any, exc_value: Any, exc_tb: Any) -> None: ...

class _MjVisualGlobal:
    """Group `global` of MjVisual."""
    cameraid: int
    """initial camera of pictures, -1: free"""
    orthographic: int
    """whether the free camera uses parallel projection"""
    fovy: float
    """deg or m: vertical field of view of the free camera: an angle, or a length if orthographic"""
    ipd: float
    """m: distance between the eyes of the free camera"""
    azimuth: float
    """deg: initial azimuth of the free camera"""
    elevation: float
    """deg: initial elevation of the free camera"""
    linewidth: float
    """pixel: width of lines"""
    glow: float
    """0..1: glow of the selected body"""
    realtime: float
    """speed of the simulation relative to real time"""
    offwidth: int
    """pixel: width of offscreen pictures"""
    offheight: int
    """pixel: height of offscreen pictures"""
    ellipsoidinertia: int
    """whether inertia is drawn as an ellipsoid instead of a box"""
    bvactive: int
    """whether nodes that collision detection tested are drawn in a separate colour"""

class _MjVisualQuality:
    """Group `quality` of MjVisual."""
    shadowsize: int
    """pixel: side of the shadow map"""
    offsamples: int
    """samples per pixel of offscreen pictures"""
    numslices: int
    """slices of spheres and cylinders around their axis"""
    numstacks: int
    """stacks of spheres and cylinders along their axis"""
    numquads: int
    """quads along each edge of a box"""

class _MjVisualHeadlight:
    """Group `headlight` of MjVisual."""
    ambient: _Array[np.float32]
    """3, 0..1: colour of its ambient light"""
    diffuse: _Array[np.float32]
    """3, 0..1: colour of its diffuse light"""
    specular: _Array[np.float32]
    """3, 0..1: colour of its highlights"""
    active: int
    """whether it is switched on"""

class _MjVisualMap:
    """Group `map` of MjVisual."""
    stiffness: float
    """N/m: stiffness of a pull with the mouse"""
    stiffnessrot: float
    """N m/rad: stiffness of a rotation with the mouse"""
    force: float
    """m/N: arrow length per unit of force, relative to meansize"""
    torque: float
    """1/N: arrow length per unit of torque, relative to meansize"""
    alpha: float
    """0..1: opacity of transparent geoms"""
    fogstart: float
    """distance at which fog begins, in extents"""
    fogend: float
    """distance at which fog is complete, in extents"""
    znear: float
    """near clipping plane, in extents"""
    zfar: float
    """far clipping plane, in extents"""
    haze: float
    """0..1: hazy fraction of the distance to the horizon"""
    shadowclip: float
    """reach of a directional light's shadow, in extents"""
    shadowscale: float
    """fraction of a spotlight's cone that casts shadows"""
    actuatortendon: float
    """width of actuated tendons, relative to other tendons"""

class _MjVisualScale:
    """Group `scale` of MjVisual."""
    forcewidth: float
    """width of force arrows"""
    contactwidth: float
    """radius of contacts"""
    contactheight: float
    """height of contacts"""
    connect: float
    """width of lines between bodies"""
    com: float
    """radius of centres of mass"""
    camera: float
    """size of cameras"""
    light: float
    """size of lights"""
    selectpoint: float
    """radius of the selected point"""
    jointlength: float
    """length of joint axes"""
    jointwidth: float
    """width of joint axes"""
    actuatorlength: float
    """length of actuators"""
    actuatorwidth: float
    """width of actuators"""
    framelength: float
    """length of frame axes"""
    framewidth: float
    """width of frame axes"""
    constraint: float
    """width of constraints"""
    slidercrank: float
    """width of slider-cranks"""
    frustum: float
    """length of camera frustums"""

class _MjVisualRgba:
    """Group `rgba` of MjVisual."""
    fog: _Array[np.float32]
    """4, 0..1: fog"""
    haze: _Array[np.float32]
    """4, 0..1: haze at the horizon"""
    force: _Array[np.float32]
    """4, 0..1: external forces"""
    inertia: _Array[np.float32]
    """4, 0..1: inertia boxes"""
    joint: _Array[np.float32]
    """4, 0..1: joints"""
    actuator: _Array[np.float32]
    """4, 0..1: actuators at rest"""
    actuatornegative: _Array[np.float32]
    """4, 0..1: actuators at their smallest activation"""
    actuatorpositive: _Array[np.float32]
    """4, 0..1: actuators at their largest activation"""
    com: _Array[np.float32]
    """4, 0..1: centres of mass"""
    camera: _Array[np.float32]
    """4, 0..1: cameras"""
    light: _Array[np.float32]
    """4, 0..1: lights"""
    selectpoint: _Array[np.float32]
    """4, 0..1: selected point"""
    connect: _Array[np.float32]
    """4, 0..1: lines between bodies"""
    contactpoint: _Array[np.float32]
    """4, 0..1: contacts"""
    contactforce: _Array[np.float32]
    """4, 0..1: contact forces"""
    contactfriction: _Array[np.float32]
    """4, 0..1: friction forces"""
    contacttorque: _Array[np.float32]
    """4, 0..1: contact torques"""
    contactgap: _Array[np.float32]
    """4, 0..1: contacts in the gap"""
    rangefinder: _Array[np.float32]
    """4, 0..1: rays of range finders"""
    constraint: _Array[np.float32]
    """4, 0..1: violated constraints"""
    slidercrank: _Array[np.float32]
    """4, 0..1: slider-cranks"""
    crankbroken: _Array[np.float32]
    """4, 0..1: slider-cranks whose rod is too short"""
    frustum: _Array[np.float32]
    """4, 0..1: camera frustums"""
    bv: _Array[np.float32]
    """4, 0..1: bounding boxes"""
    bvactive: _Array[np.float32]
    """4, 0..1: bounding boxes that were tested"""

class MjVisual:
    """Visual options in six groups: global_, quality, headlight, map, scale, rgba."""
    global_: _MjVisualGlobal
    Global: TypeAlias = _MjVisualGlobal
    quality: _MjVisualQuality
    Quality: TypeAlias = _MjVisualQuality
    headlight: _MjVisualHeadlight
    Headlight: TypeAlias = _MjVisualHeadlight
    map: _MjVisualMap
    Map: TypeAlias = _MjVisualMap
    scale: _MjVisualScale
    Scale: TypeAlias = _MjVisualScale
    rgba: _MjVisualRgba
    Rgba: TypeAlias = _MjVisualRgba
    def __init__(self) -> None: ...
    def peek(self, name: str) -> np.ndarray:
        """Return a view of the whole array (n, ...) of a field, without keeping it."""
    def copy_from(self, other: MjVisual) -> None:
        """Copy all values of another struct of the same class."""
MjVisualHeadlight = _MjVisualHeadlight
MjVisualRgba = _MjVisualRgba

class MjrContext:
    """The GPU objects of a model, in the OpenGL context that is current now. Call `free` in the same context.

    Without a model, the MjrContext is empty and needs no OpenGL. fontscale is in percent.
    """
    lineWidth: float
    shadowClip: float
    shadowScale: float
    fogStart: float
    fogEnd: float
    fogRGBA: npt.NDArray[Any]
    shadowSize: int
    offWidth: int
    offHeight: int
    offSamples: int
    fontScale: int
    auxWidth: npt.NDArray[Any]
    auxHeight: npt.NDArray[Any]
    auxSamples: npt.NDArray[Any]
    offFBO: int
    offFBO_r: int
    offColor: int
    offColor_r: int
    offDepthStencil: int
    offDepthStencil_r: int
    shadowFBO: int
    shadowTex: int
    auxFBO: npt.NDArray[Any]
    auxFBO_r: npt.NDArray[Any]
    auxColor: npt.NDArray[Any]
    auxColor_r: npt.NDArray[Any]
    mat_texid: npt.NDArray[Any]
    mat_texuniform: npt.NDArray[Any]
    mat_texrepeat: npt.NDArray[Any]
    ntexture: int
    textureType: npt.NDArray[Any]
    texture: npt.NDArray[Any]
    basePlane: int
    baseMesh: int
    baseHField: int
    baseBuiltin: int
    baseFontNormal: int
    baseFontShadow: int
    baseFontBig: int
    rangePlane: int
    rangeMesh: int
    rangeHField: int
    rangeBuiltin: int
    rangeFont: int
    nskin: int
    skinvertVBO: npt.NDArray[Any]
    skinnormalVBO: npt.NDArray[Any]
    skintexcoordVBO: npt.NDArray[Any]
    skinfaceVBO: npt.NDArray[Any]
    charWidth: npt.NDArray[Any]
    charWidthBig: npt.NDArray[Any]
    charHeight: int
    charHeightBig: int
    glInitialized: int
    windowAvailable: int
    windowSamples: int
    windowStereo: int
    windowDoublebuffer: int
    currentBuffer: int
    readPixelFormat: int
    readDepthMap: int
    latest: int | None
    def __init__(self, model: MjModel | None = None, fontscale: SupportsIndex = 100) -> None: ...
    def free(self) -> None:
        """Delete everything; safe to call twice. If the OpenGL context is no longer current, nothing is deleted."""

class MjrRect:
    """A rectangle in pixels; the origin is bottom left.

    left, bottom: position in pixels
    width, height: size in pixels
    """
    left: int
    bottom: int
    width: int
    height: int
    def __init__(self, left: SupportsIndex = 0, bottom: SupportsIndex = 0, width: SupportsIndex = 0, height: SupportsIndex = 0) -> None: ...

class MjsActuator(MjsElement):
    """An actuator: transmission, dynamics, gain and bias. `shortcut` names the shortcut with which it was created."""
    default: MjsDefault
    info: str
    """text for error messages"""
    gaintype: mjtGain
    """type of gain: force per input (mjtGain)"""
    gainprm: _Array[np.float64]
    """10: parameters of the gain"""
    biastype: mjtBias
    """type of bias: force without input (mjtBias)"""
    biasprm: _Array[np.float64]
    """10: parameters of the bias"""
    dyntype: mjtDyn
    """dynamics of the activation (mjtDyn)"""
    dynprm: _Array[np.float64]
    """10: parameters of the activation's dynamics, such as time constants in s"""
    actdim: int
    """number of activations, -1: as many as the dynamics need"""
    actearly: int
    """whether the force uses the activation at the end of the step"""
    trntype: mjtTrn
    """type of transmission: what it acts on (mjtTrn)"""
    gear: _Array[np.float64]
    """6: scaling of length and moment, by component of joints and sites"""
    target: str
    """name of the object on which it acts"""
    refsite: str
    """name of the reference site, relative to which a site is moved"""
    slidersite: str
    """name of the site along whose z axis a slider-crank slides"""
    cranklength: float
    """m: length of a slider-crank's rod"""
    lengthrange: _Array[np.float64]
    """2, m or rad: smallest and largest reachable length"""
    inheritrange: float
    """position servo: ctrlrange is the target's range times this, 0: off"""
    ctrllimited: int
    """whether ctrlrange limits the control (mjtLimited)"""
    ctrlrange: _Array[np.float64]
    """2, any: smallest and largest control"""
    forcelimited: int
    """whether forcerange limits the force (mjtLimited)"""
    forcerange: _Array[np.float64]
    """2, N or N m: smallest and largest force"""
    actlimited: int
    """whether actrange limits the activation (mjtLimited)"""
    actrange: _Array[np.float64]
    """2, any: smallest and largest activation"""
    ctrlspec: int
    """meaning of its control, as bits of mjtCtrlInput, 0: a command"""
    velrange: _Array[np.float64]
    """2: pid servo: smallest and largest velocity setpoint"""
    ffrange: _Array[np.float64]
    """2: pid servo: smallest and largest feedforward force"""
    nsample: int
    """number of stored control samples, 0: none"""
    interp: int
    """interpolation between stored samples: 0 hold, 1 linear, 2 cubic"""
    group: int
    """visibility group; actuators can also be disabled by group"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    plugin: MjsPlugin
    """plugin instance"""
    armature: float
    """kg or kg m^2: inertia added to its joint or tendon, multiplied by gear squared"""
    damping: float
    """N s/m or N m s/rad: damping added to its joint or tendon, multiplied by gear squared"""
    dampingpoly: _Array[np.float64]
    """2, any: damping: coefficients of the second and third power"""
    delay: float
    """s: delay of its control, 0: none"""
    def set_to_motor(self) -> None:
        """Make this a motor, whose force is proportional to control."""
    def set_to_position(self, kp: SupportsFloat, kv: SupportsFloat = -1, dampratio: SupportsFloat = -1, timeconst: SupportsFloat = -1, inheritrange: SupportsFloat = False) -> None:
        """Make this a position servo. `kv` is stored as a negative number, a damping ratio as a positive number. ValueError for a
        negative kv, dampratio or timeconst other than -1, for both kv and dampratio, and for inheritrange with a control range.

        kp: stiffness, in newtons per meter or newton meters per radian
        kv: damping, in newton seconds per meter or newton meter seconds per radian; -1: none
        dampratio: damping ratio instead of kv; -1: none
        timeconst: time constant of the setpoint's filter in seconds; -1: none
        inheritrange: control range, relative to the joint's range; 0: none
        """
    def set_to_velocity(self, kv: SupportsFloat) -> None:
        """Make this a velocity servo.

        kv: force per velocity, in newton seconds per meter or newton meter seconds per radian
        """
    def set_to_intvelocity(self, kp: SupportsFloat, kv: SupportsFloat = -1, dampratio: SupportsFloat = -1, timeconst: SupportsFloat = -1, inheritrange: SupportsFloat = False) -> None:
        """Make this a position servo whose setpoint is the integral of the control. Errors are those of `set_to_position`.

        kp, kv, dampratio, timeconst, inheritrange: as for `set_to_position`
        """
    def set_to_damper(self, kv: SupportsFloat) -> None:
        """Make this a damper, whose damping is proportional to control. ValueError for a negative kv or control range.

        kv: damping at control 1, in newton seconds per meter or newton meter seconds per radian
        """
    def set_to_cylinder(self, timeconst: SupportsFloat, bias: SupportsFloat, area: SupportsFloat, diameter: SupportsFloat = -1.0) -> None:
        """Make this a pneumatic or hydraulic cylinder.

        timeconst: time constant of the activation in seconds
        bias: one number or up to three: parameters of the bias
        area: area of the piston in square meters
        diameter: diameter of the piston in meters, instead of its area; negative: use area
        """
    def set_to_muscle(self, timeconst: npt.ArrayLike = ..., tausmooth: SupportsFloat = 0.0, range: npt.ArrayLike = ..., force: SupportsFloat = -1, scale: SupportsFloat = -1, lmin: SupportsFloat = -1, lmax: SupportsFloat = -1, vmax: SupportsFloat = -1, fpmax: SupportsFloat = -1, fvmax: SupportsFloat = -1) -> None:
        """Make this a muscle, with activation dynamics and a force-length-velocity curve. Negative arguments keep the current
        values. ValueError for a negative tausmooth.

        timeconst: float (2): time constants of activation and deactivation in seconds
        tausmooth: width of the smooth transition between them
        range: float (2): range of lengths, relative to the optimal length
        force: maximum active force in newtons
        scale: if force is not set, largest force times acceleration at unit force
        lmin, lmax: ends of the force-length curve, in optimal lengths
        vmax: velocity at which the force vanishes, in optimal lengths per second
        fpmax: passive force at lmax, relative to the largest active force
        fvmax: active force at the largest lengthening velocity, relative to that at rest
        """
    def set_to_adhesion(self, gain: SupportsFloat) -> None:
        """Make this an adhesive force at the contacts of a body. ValueError for a negative gain or control range.

        gain: force at control 1, in newtons
        """
    def set_to_pid(self, kp: SupportsFloat, kv: SupportsFloat | None = None, dampratio: SupportsFloat | None = None, ki: SupportsFloat = 0.0, imax: SupportsFloat = 0.0, slewmax: SupportsFloat = 0.0, inheritrange: SupportsFloat = 0.0, ctrlspec: SupportsIndex | None = None, posrange: npt.ArrayLike | None = None) -> None:
        """Make this a servo for position and velocity, with integral action on the position error. ValueError for a negative
        slewmax, kv or dampratio, for kv together with dampratio, and for posrange together with inheritrange.

        kp, kv, dampratio, inheritrange: as for `set_to_position`
        ki: integral gain
        imax: limit of the integral; 0: none
        slewmax: limit of the setpoint's rate of change, per second; 0: none
        ctrlspec: inputs of the control, bits of mjtCtrlInput
        posrange: float (2): range of the position control, in meters or radians
        """
    def set_to_orientation(self, kp: SupportsFloat, kv: SupportsFloat | None = None, dampratio: SupportsFloat | None = None, ctrlspec: SupportsIndex | None = None) -> None:
        """Make this a servo for an orientation. ValueError if kv or dampratio is negative, or if both are given.

        kp, kv, dampratio: as for `set_to_position`
        ctrlspec: inputs of the control, bits of mjtCtrlInput
        """
    def set_to_dcmotor(self, motorconst: npt.ArrayLike | None = None, resistance: SupportsFloat | None = None, nominal: npt.ArrayLike | None = None, saturation: npt.ArrayLike | None = None, inductance: npt.ArrayLike | None = None, cogging: npt.ArrayLike | None = None, controller: npt.ArrayLike | None = None, thermal: npt.ArrayLike | None = None, lugre: npt.ArrayLike | None = None, ctrlspec: SupportsIndex | None = None) -> None:
        """Make this an electric motor with its controller. Lists may be shorter than their fields; None keeps the current values.
        ValueError for negative or missing constants.

        motorconst: float (2): torque per current, voltage per speed; their geometric mean is used
        resistance: resistance of the winding in ohms
        nominal: float (3): voltage, stall torque and no-load speed, from which motorconst and resistance are computed
        saturation: float (3): maximum torque, or maximum current, and maximum rate of the current
        inductance: float (2): inductance in henries, or time constant of the current in seconds
        cogging: float (3): amplitude, poles and phase of the cogging torque
        controller: float (6): kp, ki, kd, and limits of the setpoint's rate, the integral and the voltage
        thermal: float (6): resistance, capacity, time constant, coefficient, reference and ambient temperature
        lugre: float (5): stiffness, damping, Coulomb torque, static torque, Stribeck velocity
        ctrlspec: inputs of the control, bits of mjtCtrlInput
        """
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    type: int
    """The shortcut that this actuator was made by (mjtActuator, since 3.16)."""

class MjsBody(MjsElement):
    """A body: pose, inertia, and its elements by type (`parts`)."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    pos: _Array[np.float64]
    """3, m: position of the frame in the parent's frame"""
    quat: _Array[np.float64]
    """4, quat: orientation of the frame in the parent's frame"""
    alt: MjsOrientation
    """angle: orientation in another notation, used instead of quat"""
    mass: float
    """kg: mass"""
    ipos: _Array[np.float64]
    """3, m: centre of mass in the body frame"""
    iquat: _Array[np.float64]
    """4, quat: orientation of the principal axes of inertia in the body frame"""
    inertia: _Array[np.float64]
    """3, kg m^2: principal moments of inertia, in the inertial frame"""
    ialt: MjsOrientation
    """angle: orientation of the inertial frame in another notation, used instead of iquat"""
    fullinertia: _Array[np.float64]
    """6, kg m^2: inertia about ipos in the body frame: xx, yy, zz, xy, xz, yz; or inertia and iquat"""
    mocap: int
    """whether the pose is an input (mocap_pos and mocap_quat)"""
    gravcomp: float
    """fraction of the weight compensated by a force at the centre of mass"""
    sleep: mjtSleepPolicy
    """whether the tree may fall asleep (mjtSleepPolicy)"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    simple: int
    """whether a diagonal inertia may be stored as such: 0 no, 2 yes"""
    explicitinertial: int
    """whether the inertia was given, not inferred from geoms"""
    plugin: MjsPlugin
    """instance of a passive force plugin"""
    childclass: str
    """default class of elements added below it"""
    def add_body(self, default: MjsDefault | None = ..., *, name: str = ..., childclass: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., mass: SupportsFloat = ..., ipos: npt.ArrayLike = ..., iquat: npt.ArrayLike = ..., inertia: npt.ArrayLike = ..., iaxisangle: npt.ArrayLike = ..., ixyaxes: npt.ArrayLike = ..., izaxis: npt.ArrayLike = ..., ieuler: npt.ArrayLike = ..., fullinertia: npt.ArrayLike = ..., mocap: SupportsIndex = ..., gravcomp: SupportsFloat = ..., sleep: mjtSleepPolicy = ..., userdata: npt.ArrayLike = ..., simple: SupportsIndex = ..., explicitinertial: SupportsIndex = ..., plugin: MjsPlugin = ..., info: str = ...) -> MjsBody:
        """Add a body; its fields may be given by name."""
    def add_joint(self, default: MjsDefault | None = ..., *, name: str = ..., type: mjtJoint = ..., pos: npt.ArrayLike = ..., axis: npt.ArrayLike = ..., ref: SupportsFloat = ..., align: SupportsIndex = ..., stiffness: SupportsFloat = ..., springref: SupportsFloat = ..., springdamper: npt.ArrayLike = ..., limited: SupportsIndex = ..., range: npt.ArrayLike = ..., margin: SupportsFloat = ..., solref_limit: npt.ArrayLike = ..., solimp_limit: npt.ArrayLike = ..., actfrclimited: SupportsIndex = ..., actfrcrange: npt.ArrayLike = ..., armature: SupportsFloat = ..., damping: SupportsFloat = ..., dampingpoly: npt.ArrayLike = ..., frictionloss: SupportsFloat = ..., solref_friction: npt.ArrayLike = ..., solimp_friction: npt.ArrayLike = ..., group: SupportsIndex = ..., actgravcomp: SupportsIndex = ..., userdata: npt.ArrayLike = ..., info: str = ..., stiffnesspoly: npt.ArrayLike = ..., springyield: SupportsFloat = ...) -> MjsJoint:
        """Add a joint; its fields may be given by name."""
    def add_geom(self, default: MjsDefault | None = ..., *, name: str = ..., type: mjtGeom = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., fromto: npt.ArrayLike = ..., size: npt.ArrayLike = ..., contype: SupportsIndex = ..., conaffinity: SupportsIndex = ..., condim: SupportsIndex = ..., priority: SupportsIndex = ..., friction: npt.ArrayLike = ..., solmix: SupportsFloat = ..., solref: npt.ArrayLike = ..., solimp: npt.ArrayLike = ..., margin: SupportsFloat = ..., gap: SupportsFloat = ..., mass: SupportsFloat = ..., density: SupportsFloat = ..., typeinertia: mjtGeomInertia = ..., fluid_ellipsoid: SupportsFloat = ..., fluid_coefs: npt.ArrayLike = ..., material: str = ..., rgba: npt.ArrayLike = ..., group: SupportsIndex = ..., hfieldname: str = ..., meshname: str = ..., fitscale: SupportsFloat = ..., castshadow: SupportsIndex = ..., userdata: npt.ArrayLike = ..., plugin: MjsPlugin = ..., info: str = ..., surfacevel: npt.ArrayLike = ..., adhesion: SupportsFloat = ...) -> MjsGeom:
        """Add a geom; its fields may be given by name."""
    def add_site(self, default: MjsDefault | None = ..., *, name: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., fromto: npt.ArrayLike = ..., size: npt.ArrayLike = ..., type: mjtGeom = ..., material: str = ..., group: SupportsIndex = ..., rgba: npt.ArrayLike = ..., userdata: npt.ArrayLike = ..., info: str = ...) -> MjsSite:
        """Add a site; its fields may be given by name."""
    def add_camera(self, default: MjsDefault | None = ..., *, name: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., mode: mjtCamLight = ..., targetbody: str = ..., orthographic: SupportsIndex = ..., output: SupportsIndex = ..., fovy: SupportsFloat = ..., ipd: SupportsFloat = ..., intrinsic: npt.ArrayLike = ..., sensor_size: npt.ArrayLike = ..., resolution: npt.ArrayLike = ..., focal_length: npt.ArrayLike = ..., focal_pixel: npt.ArrayLike = ..., principal_length: npt.ArrayLike = ..., principal_pixel: npt.ArrayLike = ..., userdata: npt.ArrayLike = ..., info: str = ...) -> MjsCamera:
        """Add a camera; its fields may be given by name."""
    def add_light(self, default: MjsDefault | None = ..., *, name: str = ..., pos: npt.ArrayLike = ..., dir: npt.ArrayLike = ..., mode: mjtCamLight = ..., targetbody: str = ..., active: SupportsIndex = ..., type: mjtLightType = ..., texture: str = ..., castshadow: SupportsIndex = ..., bulbradius: SupportsFloat = ..., intensity: SupportsFloat = ..., range: SupportsFloat = ..., attenuation: npt.ArrayLike = ..., cutoff: SupportsFloat = ..., exponent: SupportsFloat = ..., ambient: npt.ArrayLike = ..., diffuse: npt.ArrayLike = ..., specular: npt.ArrayLike = ..., softness: SupportsFloat = ..., info: str = ...) -> MjsLight:
        """Add a light; its fields may be given by name."""
    def add_frame(self, default: MjsFrame | None = ..., *, name: str = ..., childclass: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., scale: npt.ArrayLike = ..., scaling: SupportsIndex = ..., massscale: SupportsFloat = ..., info: str = ...) -> MjsFrame:
        """Add a frame; its fields may be given by name."""
    @property
    def bodies(self) -> list[MjsBody]:
        """Elements of kind body on this body."""
    def first_body(self) -> MjsBody | _MaybeNone:
        """Return the first body on this body, or None."""
    def next_body(self, child: MjsElement) -> MjsBody | _MaybeNone:
        """Return the body after `child`, or None."""
    @property
    def joints(self) -> list[MjsJoint]:
        """Elements of kind joint on this body."""
    def first_joint(self) -> MjsJoint | _MaybeNone:
        """Return the first joint on this body, or None."""
    def next_joint(self, child: MjsElement) -> MjsJoint | _MaybeNone:
        """Return the joint after `child`, or None."""
    @property
    def geoms(self) -> list[MjsGeom]:
        """Elements of kind geom on this body."""
    def first_geom(self) -> MjsGeom | _MaybeNone:
        """Return the first geom on this body, or None."""
    def next_geom(self, child: MjsElement) -> MjsGeom | _MaybeNone:
        """Return the geom after `child`, or None."""
    @property
    def sites(self) -> list[MjsSite]:
        """Elements of kind site on this body."""
    def first_site(self) -> MjsSite | _MaybeNone:
        """Return the first site on this body, or None."""
    def next_site(self, child: MjsElement) -> MjsSite | _MaybeNone:
        """Return the site after `child`, or None."""
    @property
    def cameras(self) -> list[MjsCamera]:
        """Elements of kind camera on this body."""
    def first_camera(self) -> MjsCamera | _MaybeNone:
        """Return the first camera on this body, or None."""
    def next_camera(self, child: MjsElement) -> MjsCamera | _MaybeNone:
        """Return the camera after `child`, or None."""
    @property
    def lights(self) -> list[MjsLight]:
        """Elements of kind light on this body."""
    def first_light(self) -> MjsLight | _MaybeNone:
        """Return the first light on this body, or None."""
    def next_light(self, child: MjsElement) -> MjsLight | _MaybeNone:
        """Return the light after `child`, or None."""
    @property
    def frames(self) -> list[MjsFrame]:
        """Elements of kind frame on this body."""
    def first_frame(self) -> MjsFrame | _MaybeNone:
        """Return the first frame on this body, or None."""
    def next_frame(self, child: MjsElement) -> MjsFrame | _MaybeNone:
        """Return the frame after `child`, or None."""
    def add_freejoint(self, *, align: SupportsIndex = ..., group: SupportsIndex = ..., name: str = ...) -> MjsJoint:
        """Add a free joint."""
    def unlink(self) -> None:
        """Remove references, like Element.unlink."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""
    def find_all(self, what: mjtObj | str) -> list[Any]:
        """Return all elements of a type on this body and below; `what` is an mjtObj or the type's name. If the type is body,
        this body is not included.
        """
    def find_child(self, name: str) -> MjsBody | None:
        """Return the body with this name below this body (before 4.0, possibly this body itself); None if there is none."""
    fuse: int
    """whether a static body may become part of its parent (since 3.16); only the neutral value is here."""
    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
        """Attach a frame of this or another spec, with everything in it, to this body."""
    def make_flex(self, name: str, type: str | None = None, dim: int = 3, dof: str | None = None, count: Sequence[int] | None = None, cellcount: Sequence[int] | None = None, spacing: Sequence[float] | None = None, scale: SupportsFloat = ..., radius: SupportsFloat = 0.0, mass: float = 1.0, inertiabox: float = 0.005, equality: int = 0, rigid: int = 0, flatskin: int = 0, elastic2d: int = 0, pos: npt.ArrayLike | None = None, quat: Sequence[float] | None = None, origin: Sequence[float] | None = None, file: str | None = None, mesh: str | None = None, vfs: Any = None) -> MjsFlex:
        """Add a flex and the bodies of its vertices, as the element `flexcomp` does; arguments are that element's attributes.
        ValueError if the arguments do not fit. Cells (`cellcount` over 1) and meshes of the spec (`mesh`) are not supported.

        count: int (3): points in x, y and z
        spacing: float (3): distances of points in meters
        scale, origin: float (3): scaling of points, and their center in meters
        radius: radius around the elements in meters
        mass: mass of all bodies together in kilograms
        inertiabox: side of a cube in meters, which determines the inertia of each body
        pos: float (3): position in meters
        quat: float (4)
        """
    def to_frame(self) -> MjsFrame:
        """Turn a body into a frame of its parent. The body's elements and child bodies move into the frame. Return the frame."""

class MjsCamera(MjsElement):
    """A camera on a body."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    pos: _Array[np.float64]
    """3, m: position in the body frame"""
    quat: _Array[np.float64]
    """4, quat: orientation in the body frame; the camera looks along -z, and y is up"""
    alt: MjsOrientation
    """angle: orientation in another notation, used instead of quat"""
    mode: mjtCamLight
    """how it follows its body (mjtCamLight)"""
    targetbody: str
    """name of the body at which it looks in the target modes"""
    orthographic: int
    """whether the projection is parallel"""
    output: int
    """types of picture that it provides, as bits: rgb, depth, distance, normal, segmentation"""
    fovy: float
    """deg or m: vertical field of view: an angle, or a length if orthographic"""
    ipd: float
    """m: distance between the eyes in stereo"""
    intrinsic: _Array[np.float32]
    """4, m: focal lengths and offset of the principal point, each in x and y"""
    sensor_size: _Array[np.float32]
    """2, m: width and height of the image sensor; 0: fovy is used"""
    resolution: _Array[np.float32]
    """2, pixel: width and height of its picture"""
    focal_length: _Array[np.float32]
    """2, m: focal lengths in x and y"""
    focal_pixel: _Array[np.float32]
    """2, pixel: focal lengths in x and y, in pixels"""
    principal_length: _Array[np.float32]
    """2, m: offset of the principal point in x and y"""
    principal_pixel: _Array[np.float32]
    """2, pixel: offset of the principal point in x and y, in pixels"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""
    proj: int
    """Projection, 0: perspective, 1: orthographic (mjtProjection, since 3.5)."""

class MjsCompiler(MjsElement):
    """Compiler settings of a spec."""
    LRopt: MjLROpt
    default: MjsDefault
    info: str
    """text for error messages"""
    autolimits: int
    """whether giving a range enables its limit"""
    boundmass: float
    """kg: lower bound of the mass of a moving body"""
    boundinertia: float
    """kg m^2: lower bound of a moving body's moments of inertia"""
    settotalmass: float
    """kg: total mass to which all masses and inertias are scaled, if positive"""
    balanceinertia: int
    """whether moments of inertia that violate A + B >= C are replaced by their mean"""
    fitaabb: int
    """whether shapes are fitted to a mesh's bounding box instead of its inertia box"""
    degree: int
    """whether angles are in degrees instead of radians"""
    eulerseq: _List[MjCharVec, Sequence[str]]
    """3: axes of Euler angles: x, y, z turn with the body; X, Y, Z are fixed"""
    discardvisual: int
    """whether to leave out geoms that do not collide, and assets that are then unused"""
    usethread: int
    """whether the compiler may use several threads"""
    fusestatic: int
    """whether bodies without joints are merged into their parents"""
    inertiafromgeom: int
    """whether inertias are inferred from geoms (mjtInertiaFromGeom)"""
    inertiagrouprange: _Array[np.int32]
    """2: first and last group of geoms that contribute to inertia"""
    saveinertial: int
    """whether inertias of all bodies are written to XML"""
    alignfree: int
    """whether frames of free bodies are moved to the centre of mass and principal axes"""
    meshdir: str
    """folder of meshes and height fields"""
    texturedir: str
    """folder of textures"""
    conflict: int
    """handling of conflicting options of attached models: 0 warning, 1 merge, 2 error"""
    savecompiled: int
    """whether the compiled model is saved, instead of the model as written"""
    savecanonical: int
    """without savecompiled: whether orientations, angles and end points are saved in canonical notation"""
    compat: str
    """release whose silent changes apply; empty: 3.4 (tables.compat_rows); a Tumble attribute"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    passthrough: int
    """assets by reference (since 3.17); only the neutral value is here."""
    authored: int
    """which settings a file gives, as bits (since 3.16); only the neutral value is here."""

class MjsDefault(MjsElement):
    """A default class: for each type, an element whose fields new elements copy.

    While a model is read, a class creates its own element of a type only when a field of it is set; until then, the parent
    class's element applies. Classes that users can edit are `complete`: they have their own elements of all types.
    """
    name: str
    mesh: MjsMesh
    texture: MjsTexture
    material: MjsMaterial
    joint: MjsJoint
    geom: MjsGeom
    site: MjsSite
    camera: MjsCamera
    light: MjsLight
    flex: MjsFlex
    pair: MjsPair
    equality: MjsEquality
    tendon: MjsTendon
    actuator: MjsActuator
    def __call__(self) -> MjsDefault: ...

class MjsElement:
    """Base class of everything that a spec contains. Only the add_* methods create objects."""

class MjsEquality(MjsElement):
    """An equality constraint."""
    default: MjsDefault
    info: str
    """text for error messages"""
    type: mjtEq
    """type (mjtEq)"""
    data: _Array[np.float64]
    """11: numbers that depend on the type: anchors, relative pose, polynomial"""
    active: int
    """whether it is active at the start"""
    name1: str
    """name of the first object"""
    name2: str
    """name of the second object; empty: the world, or a constant"""
    objtype: mjtObj
    """type of the objects (mjtObj)"""
    solref: _Array[np.float64]
    """2: solver reference: timeconst (s), dampratio or -stiffness, -damping"""
    solimp: _Array[np.float64]
    """5: solver impedance: d0, dwidth, width, midpoint, power"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""

class MjsExclude(MjsElement):
    """A pair of bodies between which contacts are excluded."""
    default: MjsDefault
    info: str
    """text for error messages"""
    bodyname1: str
    """name of the first body"""
    bodyname2: str
    """name of the second body"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsFlex(MjsElement):
    """A deformable body: its elements, the bodies that carry its vertices, and its contact and elasticity parameters."""
    default: MjsDefault
    info: str
    """text for error messages"""
    contype: int
    """contact type, as bits: objects can touch if one's contype matches the other's conaffinity"""
    conaffinity: int
    """contact affinity, as bits; see contype"""
    condim: int
    """dimensions of its contacts: 1, 3, 4 or 6"""
    priority: int
    """priority: the object with the higher one alone determines the contact parameters"""
    friction: _Array[np.float64]
    """3: friction: sliding (no unit), torsional and rolling (m)"""
    solmix: float
    """weight of its solver parameters when those of two objects are mixed"""
    solref: _Array[np.float64]
    """2: solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping"""
    solimp: _Array[np.float64]
    """5: solver impedance of contacts: d0, dwidth, width, midpoint, power"""
    margin: float
    """m: distance at which a contact is made"""
    gap: float
    """m: part of the margin within which a contact exists but exerts no force"""
    dim: int
    """dimension: 1 lines, 2 triangles, 3 tetrahedra"""
    radius: float
    """m: radius around the elements for contact and drawing"""
    internal: int
    """whether elements collide with vertices in their neighbourhood"""
    flatskin: int
    """whether the surface is drawn flat instead of smooth"""
    selfcollide: int
    """how it collides with itself (mjtFlexSelf)"""
    vertcollide: int
    """whether vertices collide instead of elements"""
    passive: int
    """whether its contacts are penalty forces instead of constraints"""
    activelayers: int
    """number of outer element layers that collide (3D)"""
    group: int
    """visibility group"""
    edgestiffness: float
    """N/m: spring stiffness of the edges"""
    edgedamping: float
    """N s/m: damping of the edges"""
    rgba: _Array[np.float32]
    """4, 0..1: colour if it has no material: red, green, blue, opacity"""
    material: str
    """name of the material"""
    young: float
    """Pa: Young's modulus"""
    poisson: float
    """Poisson's ratio, 0 to 0.5"""
    damping: float
    """s: Rayleigh damping: rate times stiffness"""
    thickness: float
    """m: thickness of a shell"""
    elastic2d: int
    """elasticity of a shell: 0 none, 1 bending, 2 stretching, 3 both"""
    nodebody: _List[MjStringVec, Sequence[str]]
    """names of the nodes' bodies"""
    vertbody: _List[MjStringVec, Sequence[str]]
    """names of the vertices' bodies"""
    node: _List[MjDoubleVec, npt.ArrayLike]
    """m: nodes in the frames of their bodies, three numbers each"""
    vert: _List[MjDoubleVec, npt.ArrayLike]
    """m: vertices in the frames of their bodies, three numbers each"""
    elem: _List[MjIntVec, npt.ArrayLike]
    """vertices of elements, dim+1 each"""
    texcoord: _List[MjFloatVec, npt.ArrayLike]
    """texture coordinates of vertices, two numbers each"""
    elemtexcoord: _List[MjIntVec, npt.ArrayLike]
    """texture coordinates of elements' vertices"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    cellcount: npt.NDArray[np.int32]
    """cells of an interpolated flex (since 3.8); only the neutral value is here."""
    order: int
    """order of interpolation (since 3.8); only the neutral value is here."""
    shear: float
    """shear stiffness of rods (since 3.17); only the neutral value is here."""
    section: int
    """cross section of rods (since 3.17); only the neutral value is here."""
    sectionsize: npt.NDArray[np.float64]
    """size of the cross section of rods (since 3.17); only the neutral value is here."""
    stressyield: npt.NDArray[np.float64]
    """plastic flexes (since 4.0); only the neutral value is here."""
    elastic3d: int
    """elastic law of solids (since 3.15); only the neutral value is here."""

class MjsFrame(MjsElement):
    """A coordinate frame of a body. The elements in it are posed relative to this frame."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    pos: _Array[np.float64]
    """3, m: position in the body or the outer frame"""
    quat: _Array[np.float64]
    """4, quat: orientation in the body or the outer frame"""
    alt: MjsOrientation
    """angle: orientation in another notation, used instead of quat"""
    scale: _Array[np.float64]
    """3: scale factors of lengths inside the frame"""
    scaling: int
    """whether forces scale with lengths and masses: 0 yes (similar), 1 no (geometry)"""
    massscale: float
    """scale factor of masses; 0: the product of scale"""
    childclass: str
    """default class of elements added below it"""
    def add_body(self, default: MjsDefault | None = ..., *, name: str = ..., childclass: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., mass: SupportsFloat = ..., ipos: npt.ArrayLike = ..., iquat: npt.ArrayLike = ..., inertia: npt.ArrayLike = ..., iaxisangle: npt.ArrayLike = ..., ixyaxes: npt.ArrayLike = ..., izaxis: npt.ArrayLike = ..., ieuler: npt.ArrayLike = ..., fullinertia: npt.ArrayLike = ..., mocap: SupportsIndex = ..., gravcomp: SupportsFloat = ..., sleep: mjtSleepPolicy = ..., userdata: npt.ArrayLike = ..., simple: SupportsIndex = ..., explicitinertial: SupportsIndex = ..., plugin: MjsPlugin = ..., info: str = ...) -> MjsBody:
        """Add a body; its fields may be given by name."""
    def add_joint(self, default: MjsDefault | None = ..., *, name: str = ..., type: mjtJoint = ..., pos: npt.ArrayLike = ..., axis: npt.ArrayLike = ..., ref: SupportsFloat = ..., align: SupportsIndex = ..., stiffness: SupportsFloat = ..., springref: SupportsFloat = ..., springdamper: npt.ArrayLike = ..., limited: SupportsIndex = ..., range: npt.ArrayLike = ..., margin: SupportsFloat = ..., solref_limit: npt.ArrayLike = ..., solimp_limit: npt.ArrayLike = ..., actfrclimited: SupportsIndex = ..., actfrcrange: npt.ArrayLike = ..., armature: SupportsFloat = ..., damping: SupportsFloat = ..., dampingpoly: npt.ArrayLike = ..., frictionloss: SupportsFloat = ..., solref_friction: npt.ArrayLike = ..., solimp_friction: npt.ArrayLike = ..., group: SupportsIndex = ..., actgravcomp: SupportsIndex = ..., userdata: npt.ArrayLike = ..., info: str = ..., stiffnesspoly: npt.ArrayLike = ..., springyield: SupportsFloat = ...) -> MjsJoint:
        """Add a joint; its fields may be given by name."""
    def add_geom(self, default: MjsDefault | None = ..., *, name: str = ..., type: mjtGeom = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., fromto: npt.ArrayLike = ..., size: npt.ArrayLike = ..., contype: SupportsIndex = ..., conaffinity: SupportsIndex = ..., condim: SupportsIndex = ..., priority: SupportsIndex = ..., friction: npt.ArrayLike = ..., solmix: SupportsFloat = ..., solref: npt.ArrayLike = ..., solimp: npt.ArrayLike = ..., margin: SupportsFloat = ..., gap: SupportsFloat = ..., mass: SupportsFloat = ..., density: SupportsFloat = ..., typeinertia: mjtGeomInertia = ..., fluid_ellipsoid: SupportsFloat = ..., fluid_coefs: npt.ArrayLike = ..., material: str = ..., rgba: npt.ArrayLike = ..., group: SupportsIndex = ..., hfieldname: str = ..., meshname: str = ..., fitscale: SupportsFloat = ..., castshadow: SupportsIndex = ..., userdata: npt.ArrayLike = ..., plugin: MjsPlugin = ..., info: str = ..., surfacevel: npt.ArrayLike = ..., adhesion: SupportsFloat = ...) -> MjsGeom:
        """Add a geom; its fields may be given by name."""
    def add_site(self, default: MjsDefault | None = ..., *, name: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., fromto: npt.ArrayLike = ..., size: npt.ArrayLike = ..., type: mjtGeom = ..., material: str = ..., group: SupportsIndex = ..., rgba: npt.ArrayLike = ..., userdata: npt.ArrayLike = ..., info: str = ...) -> MjsSite:
        """Add a site; its fields may be given by name."""
    def add_camera(self, default: MjsDefault | None = ..., *, name: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., mode: mjtCamLight = ..., targetbody: str = ..., orthographic: SupportsIndex = ..., output: SupportsIndex = ..., fovy: SupportsFloat = ..., ipd: SupportsFloat = ..., intrinsic: npt.ArrayLike = ..., sensor_size: npt.ArrayLike = ..., resolution: npt.ArrayLike = ..., focal_length: npt.ArrayLike = ..., focal_pixel: npt.ArrayLike = ..., principal_length: npt.ArrayLike = ..., principal_pixel: npt.ArrayLike = ..., userdata: npt.ArrayLike = ..., info: str = ...) -> MjsCamera:
        """Add a camera; its fields may be given by name."""
    def add_light(self, default: MjsDefault | None = ..., *, name: str = ..., pos: npt.ArrayLike = ..., dir: npt.ArrayLike = ..., mode: mjtCamLight = ..., targetbody: str = ..., active: SupportsIndex = ..., type: mjtLightType = ..., texture: str = ..., castshadow: SupportsIndex = ..., bulbradius: SupportsFloat = ..., intensity: SupportsFloat = ..., range: SupportsFloat = ..., attenuation: npt.ArrayLike = ..., cutoff: SupportsFloat = ..., exponent: SupportsFloat = ..., ambient: npt.ArrayLike = ..., diffuse: npt.ArrayLike = ..., specular: npt.ArrayLike = ..., softness: SupportsFloat = ..., info: str = ...) -> MjsLight:
        """Add a light; its fields may be given by name."""
    def add_frame(self, default: MjsFrame | None = ..., *, name: str = ..., childclass: str = ..., pos: npt.ArrayLike = ..., quat: npt.ArrayLike = ..., axisangle: npt.ArrayLike = ..., xyaxes: npt.ArrayLike = ..., zaxis: npt.ArrayLike = ..., euler: npt.ArrayLike = ..., scale: npt.ArrayLike = ..., scaling: SupportsIndex = ..., massscale: SupportsFloat = ..., info: str = ...) -> MjsFrame:
        """Add a frame; its fields may be given by name."""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""
    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attach a body of this or another spec, with its subtree, to this frame."""

class MjsGeom(MjsElement):
    """A shape of a body."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    type: mjtGeom
    """type of shape (mjtGeom)"""
    pos: _Array[np.float64]
    """3, m: position in the body frame"""
    quat: _Array[np.float64]
    """4, quat: orientation in the body frame"""
    alt: MjsOrientation
    """angle: orientation in another notation, used instead of quat"""
    fromto: _Array[np.float64]
    """6, m: end points of a long shape, used instead of pose and length"""
    size: _Array[np.float64]
    """3, m: sizes, whose meaning depends on the type: radius, half lengths"""
    contype: int
    """contact type, as bits: geoms can touch if one's contype matches the other's conaffinity"""
    conaffinity: int
    """contact affinity, as bits; see contype"""
    condim: int
    """dimensions of its contacts: 1, 3, 4 or 6"""
    priority: int
    """priority: the geom with the higher one alone determines the contact parameters"""
    friction: _Array[np.float64]
    """3: friction: sliding (no unit), torsional and rolling (m)"""
    solmix: float
    """weight of its solver parameters when those of two geoms are mixed"""
    solref: _Array[np.float64]
    """2: solver reference of contacts: timeconst (s), dampratio or -stiffness, -damping"""
    solimp: _Array[np.float64]
    """5: solver impedance of contacts: d0, dwidth, width, midpoint, power"""
    margin: float
    """m: distance at which a contact is made"""
    gap: float
    """m: part of the margin within which a contact exists but exerts no force"""
    mass: float
    """kg: mass; used instead of density if given"""
    density: float
    """kg/m^3 or kg/m^2: density; for a shell, mass per area"""
    typeinertia: mjtGeomInertia
    """whether it is solid or a shell (mjtGeomInertia)"""
    fluid_ellipsoid: float
    """1: use the ellipsoid model of fluid forces"""
    fluid_coefs: _Array[np.float64]
    """5: coefficients: blunt drag, slender drag, angular drag, Kutta lift, Magnus lift"""
    material: str
    """name of the material"""
    rgba: _Array[np.float32]
    """4, 0..1: colour if it has no material: red, green, blue, opacity"""
    group: int
    """visibility group"""
    hfieldname: str
    """name of the height field"""
    meshname: str
    """name of the mesh that it shows or is fitted to"""
    fitscale: float
    """scale of a shape that is fitted to a mesh"""
    castshadow: int
    """whether it casts shadows"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    plugin: MjsPlugin
    """instance of a signed distance plugin"""
    surfacevel: _Array[np.float64]
    """6, m/s or rad/s: velocity of the surface in the geom frame: linear, angular"""
    adhesion: float
    """N: maximum attractive force of its contacts"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""

class MjsHField(MjsElement):
    """A height field, from a file or from given elevations."""
    default: MjsDefault
    info: str
    """text for error messages"""
    content_type: str
    """media type of the file, if its name does not imply it"""
    file: str
    """name of the file"""
    size: _Array[np.float64]
    """4, m: half extents in x and y, height of data 1, depth of the base"""
    nrow: int
    """rows of the grid, along y"""
    ncol: int
    """columns of the grid, along x"""
    userdata: _List[MjFloatVec, npt.ArrayLike]
    """any: elevations by rows, scaled to 0..1 by the compiler"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsJoint(MjsElement):
    """A joint of a body."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    type: mjtJoint
    """type (mjtJoint): free, ball, slide, hinge"""
    pos: _Array[np.float64]
    """3, m: anchor in the body frame"""
    axis: _Array[np.float64]
    """3: unit axis in the body frame (hinge, slide)"""
    ref: float
    """m or angle: coordinate in the configuration in which the model is described"""
    align: int
    """free joint: whether the body frame is moved to the inertial frame (mjtAlignFree)"""
    stiffness: float
    """N/m or N m/rad: spring stiffness"""
    springref: float
    """m or angle: coordinate at which the spring is at rest"""
    springdamper: _Array[np.float64]
    """2: time constant (s) and damping ratio from which stiffness and damping are computed, if positive"""
    limited: int
    """whether range limits the joint (mjtLimited)"""
    range: _Array[np.float64]
    """2, m or angle: limits; for a ball joint, the second is the largest angle"""
    margin: float
    """m or rad: distance before a limit at which its constraint becomes active"""
    solref_limit: _Array[np.float64]
    """2: solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping"""
    solimp_limit: _Array[np.float64]
    """5: solver impedance of the limit: d0, dwidth, width, midpoint, power"""
    actfrclimited: int
    """whether actfrcrange limits actuator forces (mjtLimited)"""
    actfrcrange: _Array[np.float64]
    """2, N or N m: smallest and largest sum of actuator forces"""
    armature: float
    """kg or kg m^2: inertia added to the diagonal, such as that of a rotor"""
    damping: float
    """N s/m or N m s/rad: viscous damping"""
    dampingpoly: _Array[np.float64]
    """2, any: damper: coefficients of the second and third power"""
    frictionloss: float
    """N or N m: dry friction: maximum friction force"""
    solref_friction: _Array[np.float64]
    """2: solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping"""
    solimp_friction: _Array[np.float64]
    """5: solver impedance of dry friction: d0, dwidth, width, midpoint, power"""
    group: int
    """visibility group"""
    actgravcomp: int
    """whether gravity compensation counts as an actuator force"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    stiffnesspoly: _Array[np.float64]
    """2, any: spring: coefficients of the second and third power"""
    springyield: float
    """m or rad: elongation beyond which the spring yields"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""

class MjsKey(MjsElement):
    """A keyframe: a saved simulation state."""
    default: MjsDefault
    info: str
    """text for error messages"""
    time: float
    """s: time"""
    qpos: _List[MjDoubleVec, npt.ArrayLike]
    """m or rad: configuration"""
    qvel: _List[MjDoubleVec, npt.ArrayLike]
    """m/s or rad/s: velocity"""
    act: _List[MjDoubleVec, npt.ArrayLike]
    """any: activations"""
    mpos: _List[MjDoubleVec, npt.ArrayLike]
    """m: positions of mocap bodies"""
    mquat: _List[MjDoubleVec, npt.ArrayLike]
    """quat: orientations of mocap bodies"""
    ctrl: _List[MjDoubleVec, npt.ArrayLike]
    """any: controls"""
    plastic: _List[MjDoubleVec, npt.ArrayLike]
    """any: plastic state"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsLight(MjsElement):
    """A light on a body."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    pos: _Array[np.float64]
    """3, m: position in the body frame"""
    dir: _Array[np.float64]
    """3: direction of the light, in the body frame"""
    mode: mjtCamLight
    """how it follows its body (mjtCamLight)"""
    targetbody: str
    """name of the body at which it points in the target modes"""
    active: int
    """whether it is switched on"""
    type: mjtLightType
    """type (mjtLightType): spot, directional, point, image"""
    texture: str
    """name of an image light's texture"""
    castshadow: int
    """whether it casts shadows"""
    bulbradius: float
    """m: radius of the bulb, for soft shadows"""
    intensity: float
    """cd: intensity, for physically based renderers"""
    range: float
    """m: maximum reach, for physically based renderers"""
    attenuation: _Array[np.float32]
    """3: constant, linear and quadratic loss with distance"""
    cutoff: float
    """deg: half angle of a spot's cone"""
    exponent: float
    """how sharply a spot fades towards the edge of its cone"""
    ambient: _Array[np.float32]
    """3, 0..1: colour of its ambient light"""
    diffuse: _Array[np.float32]
    """3, 0..1: colour of its diffuse light"""
    specular: _Array[np.float32]
    """3, 0..1: colour of its highlights"""
    softness: float
    """0..1: fraction of a spotlight's cone over which it fades, for physically based renderers"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""

class MjsMaterial(MjsElement):
    """A material: colors, and a texture for each role."""
    default: MjsDefault
    info: str
    """text for error messages"""
    textures: _List[MjStringVec, Sequence[str]]
    """name of the texture of each role (mjtTextureRole)"""
    texuniform: int
    """whether the texture is repeated by length instead of by object"""
    texrepeat: _Array[np.float32]
    """2: repeats of the texture in u and v"""
    emission: float
    """light that the surface emits, as a fraction of its colour"""
    specular: float
    """0..1: strength of highlights"""
    shininess: float
    """0..1: sharpness of highlights"""
    reflectance: float
    """0..1: weight of the mirror image (planes and boxes)"""
    metallic: float
    """0..1: metallic fraction, -1: not given; for physically based renderers"""
    roughness: float
    """0..1: roughness, -1: not given; for physically based renderers"""
    rgba: _Array[np.float32]
    """4, 0..1: colour: red, green, blue, opacity"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""

class MjsMesh(MjsElement):
    """A triangle mesh, from a file or from given vertices and faces."""
    default: MjsDefault
    info: str
    """text for error messages"""
    content_type: str
    """media type of the file, if its name does not imply it"""
    file: str
    """name of the file"""
    refpos: _Array[np.float64]
    """3, m: translation removed from the vertices"""
    refquat: _Array[np.float64]
    """4, quat: rotation removed from the vertices"""
    scale: _Array[np.float64]
    """3: scaling of the vertices in x, y and z"""
    inertia: mjtMeshInertia
    """how mass properties are computed (mjtMeshInertia)"""
    smoothnormal: int
    """whether normals are averaged over all faces, even across sharp edges"""
    needsdf: int
    """whether a signed distance field is computed for it"""
    maxhullvert: int
    """maximum number of vertices of its convex hull, -1: no limit"""
    uservert: _List[MjFloatVec, npt.ArrayLike]
    """m: vertices, three numbers each"""
    usernormal: _List[MjFloatVec, npt.ArrayLike]
    """normals, three numbers each"""
    usertexcoord: _List[MjFloatVec, npt.ArrayLike]
    """texture coordinates, two numbers each"""
    userface: _List[MjIntVec, npt.ArrayLike]
    """vertices of triangles, three each"""
    userfacenormal: _List[MjIntVec, npt.ArrayLike]
    """normals of triangles' corners, three each"""
    userfacetexcoord: _List[MjIntVec, npt.ArrayLike]
    """texture coordinates of triangles' corners, three each"""
    plugin: MjsPlugin
    """instance of a signed distance plugin"""
    material: str
    """name of the material"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    octree_maxdepth: int
    """depth of octrees (since 3.8); only the neutral value is here."""
    usernode: list[float]
    """nodes of a volume mesh (since 4.0); only the neutral value is here."""
    usertet: list[float]
    """tetrahedra of a volume mesh (since 4.0); only the neutral value is here."""
    def make_sphere(self, subdivision: SupportsIndex) -> None:
        """Make an icosphere, whose faces are subdivided `subdivision` times (0 to 4)."""
    def make_hemisphere(self, resolution: SupportsIndex) -> None:
        """Make a hemisphere, closed by a disk; `resolution` is 0 to 10."""
    def make_cone(self, nedge: SupportsIndex, radius: SupportsFloat) -> None:
        """Make a cone or prism over a polygon with `nedge` corners; `radius` is the radius at the top."""
    def make_supersphere(self, resolution: SupportsIndex, e: SupportsFloat, n: SupportsFloat) -> None:
        """Make a superellipsoid; `e` and `n` are the exponents of its two directions."""
    def make_supertorus(self, resolution: SupportsIndex, radius: SupportsFloat, s: SupportsFloat, t: SupportsFloat) -> None:
        """Make a supertoroid with the inner radius `radius`; `s` and `t` are the exponents of its two directions."""
    def make_wedge(self, resolution: npt.ArrayLike = ..., fov: npt.ArrayLike = ..., gamma: SupportsFloat = 0) -> None:
        """Make a section of a sphere around a viewing axis.

        resolution: int (2): numbers of points in two directions
        fov: float (2): fields of view in degrees
        gamma: foveation
        """
    def make_plate(self, resolution: npt.ArrayLike = ...) -> None:
        """Make a flat rectangular grid of points.

        resolution: int (2): numbers of points in two directions
        """
    def make_grid(self, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
        """Make a grid of `count` points along three axes, at distances of `spacing`: a solid or, with dim=2, a sheet (since MuJoCo
        3.16).
        """
    def make_box(self, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
        """Make a box from a grid: a solid or, with dim=2, its surface without a lid (since MuJoCo 3.16)."""
    def make_cylinder(self, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
        """Make a cylinder from a grid; arguments as in `make_box` (since MuJoCo 3.16)."""
    def make_ellipsoid(self, count: Sequence[int], spacing: Sequence[float], dim: int = 3) -> None:
        """Make an ellipsoid from a grid; arguments as in `make_box` (since MuJoCo 3.16)."""
    def make_square(self, count: Sequence[int], spacing: Sequence[float]) -> None:
        """Make a flat grid of points; the third number of `count` is 1 (since MuJoCo 3.16)."""
    def make_disc(self, count: Sequence[int], spacing: Sequence[float]) -> None:
        """Make a flat grid whose concentric squares are mapped to circles; the third number of `count` is 1 (since MuJoCo 3.16)."""

class MjsNumeric(MjsElement):
    """A named list of numbers."""
    default: MjsDefault
    info: str
    """text for error messages"""
    data: _List[MjDoubleVec, npt.ArrayLike]
    """any: values of all elements"""
    size: int
    """number of values"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsOrientation:
    """An element's alternative orientation: `type` selects axisangle, xyaxes, zaxis or euler.

    Iteration yields (type, numbers), the form that compiler and reader use.
    """
    type: mjtOrientation
    axisangle: _Array[np.float64]
    xyaxes: _Array[np.float64]
    zaxis: _Array[np.float64]
    euler: _Array[np.float64]

class MjsPair(MjsElement):
    """A pair of geoms whose contact parameters replace those of the two geoms."""
    default: MjsDefault
    info: str
    """text for error messages"""
    geomname1: str
    """name of the first geom"""
    geomname2: str
    """name of the second geom"""
    condim: int
    """dimensions of its contacts: 1, 3, 4 or 6"""
    solref: _Array[np.float64]
    """2: solver reference of the contact: timeconst (s), dampratio or -stiffness, -damping"""
    solreffriction: _Array[np.float64]
    """2: solver reference of friction, zeros: same as solref"""
    solimp: _Array[np.float64]
    """5: solver impedance of the contact: d0, dwidth, width, midpoint, power"""
    margin: float
    """m: distance at which a contact is made"""
    gap: float
    """m: part of the margin within which a contact exists but exerts no force"""
    friction: _Array[np.float64]
    """5: friction: two sliding (no unit), one torsional and two rolling (m)"""
    adhesion: float
    """N: maximum attractive force of its contacts"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""

class MjsPlugin(MjsElement):
    """A plugin instance of a spec, or an element's reference to one (`source`). `config` maps keys to strings."""
    default: MjsDefault
    info: str
    """text for error messages"""
    name: str
    """name of the instance"""
    plugin_name: str
    """name of the plugin"""
    active: int
    """whether the element has a plugin"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    @property
    def id(self) -> int:
        ...
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    config: dict[str, str]

class MjsSensor(MjsElement):
    """A sensor."""
    default: MjsDefault
    info: str
    """text for error messages"""
    type: mjtSensor
    """type (mjtSensor)"""
    objtype: mjtObj
    """type of the object that it measures (mjtObj)"""
    objname: str
    """name of the object that it measures"""
    reftype: mjtObj
    """type of the reference object (mjtObj)"""
    refname: str
    """name of the reference object; empty: the world"""
    intprm: _Array[np.int32]
    """3: integers whose meaning depends on the type"""
    datatype: mjtDataType
    """type of its values: real, positive, axis, quaternion (mjtDataType)"""
    needstage: mjtStage
    """stage after which it can be computed (mjtStage)"""
    dim: int
    """number of values"""
    cutoff: float
    """any: limit on the absolute value of its readings, 0: none"""
    noise: float
    """any: standard deviation of its noise, which the engine does not add"""
    nsample: int
    """number of stored samples, 0: none"""
    interp: int
    """interpolation between stored samples: 0 hold, 1 linear, 2 cubic"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    plugin: MjsPlugin
    """plugin instance"""
    delay: float
    """s: delay of its values, 0: none"""
    interval: _Array[np.float64]
    """2, s: sampling period (0: every step), and time of the last sample before the start"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    def get_data_size(self) -> int:
        """Return the dimension of a spec's sensor; 0 if its plugin determines it, -1 for an unknown type."""

class MjsSite(MjsElement):
    """A site: a point of interest on a body."""
    parent: MjsBody
    frame: MjsFrame | None
    default: MjsDefault
    info: str
    """text for error messages"""
    pos: _Array[np.float64]
    """3, m: position in the body frame"""
    quat: _Array[np.float64]
    """4, quat: orientation in the body frame"""
    alt: MjsOrientation
    """angle: orientation in another notation, used instead of quat"""
    fromto: _Array[np.float64]
    """6, m: end points of a long shape, used instead of pose and length"""
    size: _Array[np.float64]
    """3, m: sizes, as for a geom of its type"""
    type: mjtGeom
    """type of the drawn shape (mjtGeom)"""
    material: str
    """name of the material"""
    group: int
    """visibility group"""
    rgba: _Array[np.float32]
    """4, 0..1: colour if it has no material: red, green, blue, opacity"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    def set_frame(self, frame: MjsFrame) -> None:
        """Move this element into a frame of its body. ValueError if the frame is on another body."""
    meshname: str
    """sites in the shape of a mesh (since 3.13); only the neutral value is here."""
    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attach a body of this or another spec, with its subtree, at this site."""

class MjsSkin(MjsElement):
    """A skin: a mesh that is deformed by bodies, which are called its bones."""
    default: MjsDefault
    info: str
    """text for error messages"""
    file: str
    """name of the file"""
    material: str
    """name of the material"""
    rgba: _Array[np.float32]
    """4, 0..1: colour if it has no material: red, green, blue, opacity"""
    inflate: float
    """m: distance by which vertices are moved out along their normals"""
    group: int
    """visibility group"""
    vert: _List[MjFloatVec, npt.ArrayLike]
    """m: vertices, three numbers each"""
    texcoord: _List[MjFloatVec, npt.ArrayLike]
    """texture coordinates, two numbers each"""
    face: _List[MjIntVec, npt.ArrayLike]
    """vertices of triangles, three each"""
    bodyname: _List[MjStringVec, Sequence[str]]
    """names of the bones' bodies"""
    bindpos: _List[MjFloatVec, npt.ArrayLike]
    """m: positions of bones in the pose of the vertices, three numbers each"""
    bindquat: _List[MjFloatVec, npt.ArrayLike]
    """quat: orientations of bones in the pose of the vertices, four numbers each"""
    vertid: Sequence[Sequence[int]]
    """vertices that each bone moves"""
    vertweight: Sequence[Sequence[float]]
    """weights of these vertices"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsTendon(MjsElement):
    """A tendon: a path of sites, geoms and pulleys, or a weighted sum of joints."""
    default: MjsDefault
    info: str
    """text for error messages"""
    stiffness: float
    """N/m or N m/rad: spring stiffness"""
    springlength: _Array[np.float64]
    """2, m or rad: lengths between which the spring is at rest"""
    damping: float
    """N s/m or N m s/rad: viscous damping"""
    frictionloss: float
    """N or N m: dry friction: maximum friction force"""
    solref_friction: _Array[np.float64]
    """2: solver reference of dry friction: timeconst (s), dampratio or -stiffness, -damping"""
    solimp_friction: _Array[np.float64]
    """5: solver impedance of dry friction: d0, dwidth, width, midpoint, power"""
    armature: float
    """kg or kg m^2: inertia that resists changes of length"""
    limited: int
    """whether range limits the length (mjtLimited)"""
    actfrclimited: int
    """whether actfrcrange limits actuator forces (mjtLimited)"""
    range: _Array[np.float64]
    """2, m or rad: smallest and largest length"""
    actfrcrange: _Array[np.float64]
    """2, N or N m: smallest and largest sum of actuator forces"""
    margin: float
    """m or rad: distance before a limit at which its constraint becomes active"""
    solref_limit: _Array[np.float64]
    """2: solver reference of the limit: timeconst (s), dampratio or -stiffness, -damping"""
    solimp_limit: _Array[np.float64]
    """5: solver impedance of the limit: d0, dwidth, width, midpoint, power"""
    material: str
    """name of the material"""
    width: float
    """m: radius with which it is drawn"""
    rgba: _Array[np.float32]
    """4, 0..1: colour if it has no material: red, green, blue, opacity"""
    group: int
    """visibility group"""
    userdata: _List[MjDoubleVec, npt.ArrayLike]
    """any: user data, not used by the engine"""
    stiffnesspoly: _Array[np.float64]
    """2, any: spring: coefficients of the second and third power"""
    dampingpoly: _Array[np.float64]
    """2, any: damper: coefficients of the second and third power"""
    springyield: float
    """m or rad: elongation beyond which the spring yields"""
    def unlink(self) -> None:
        """Remove references, like Element.unlink."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    @property
    def path(self) -> MjsTendonPath:
        """The objects of the path, in order."""
    def wrap_site(self, name: str) -> MjsWrap:
        """Append a site to the path."""
    def wrap_geom(self, name: str, sidesite: str = "") -> MjsWrap:
        """Append a sphere or cylinder to the path. The tendon passes it on the side of `sidesite`, if given."""
    def wrap_joint(self, name: str, coef: SupportsFloat) -> MjsWrap:
        """Append a joint to a fixed tendon, with its coefficient."""
    def wrap_pulley(self, divisor: SupportsFloat) -> MjsWrap:
        """Start another branch of the path, whose length is divided by `divisor`."""

class MjsTendonPath:
    """The objects of a tendon's path; the wrap_* methods append to it."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> MjsWrap: ...
    def __iter__(self) -> Iterator[MjsWrap]: ...

class MjsText(MjsElement):
    """A named text."""
    default: MjsDefault
    info: str
    """text for error messages"""
    data: str
    """the text"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsTexture(MjsElement):
    """A texture: built-in, from files, or from given pixels."""
    default: MjsDefault
    info: str
    """text for error messages"""
    type: mjtTexture
    """type (mjtTexture): 2d, cube, skybox"""
    colorspace: mjtColorSpace
    """encoding of the colours (mjtColorSpace)"""
    builtin: int
    """generated pattern: none, gradient, checker, flat (mjtBuiltin)"""
    mark: int
    """marks on the pattern: none, edge, cross, random (mjtMark)"""
    rgb1: _Array[np.float64]
    """3, 0..1: first colour of the pattern"""
    rgb2: _Array[np.float64]
    """3, 0..1: second colour of the pattern"""
    markrgb: _Array[np.float64]
    """3, 0..1: colour of marks"""
    random: float
    """0..1: probability that a pixel has a random mark"""
    height: int
    """pixel: rows; the six squares of a cube are stacked"""
    width: int
    """pixel: columns"""
    nchannel: int
    """bytes per pixel"""
    content_type: str
    """media type of the file, if its name does not imply it"""
    file: str
    """name of the file"""
    gridsize: _Array[np.int32]
    """2: rows and columns of the grid, in one file, that contains the sides of a cube"""
    gridlayout: _List[MjCharVec, Sequence[str]]
    """12: side that each square of the grid shows: R, L, U, D, F, B or . for unused"""
    cubefiles: _List[MjStringVec, Sequence[str]]
    """names of the files of a cube's sides: right, left, up, down, front, back"""
    data: _List[MjByteVec, npt.ArrayLike]
    """pixels by rows, bytes 0 to 255"""
    hflip: int
    """whether the picture is flipped horizontally"""
    vflip: int
    """whether the picture is flipped vertically"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    classname: MjsDefault
    """Return an element's default class."""
    embed: int
    """textures by reference (since 3.17); only the neutral value is here."""

class MjsTuple(MjsElement):
    """A named list of objects, each with a number."""
    default: MjsDefault
    info: str
    """text for error messages"""
    objtype: _List[MjIntVec, npt.ArrayLike]
    """type of each object (mjtObj)"""
    objname: _List[MjStringVec, Sequence[str]]
    """names of the objects"""
    objprm: _List[MjDoubleVec, npt.ArrayLike]
    """any: number stored with each object"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""

class MjsWrap(MjsElement):
    """One object on a tendon's path: its name, and a coefficient, divisor or side site."""
    default: MjsDefault
    info: str
    """text for error messages"""
    type: mjtWrap
    """type (mjtWrap)"""
    def unlink(self) -> None:
        """Remove references to and from contained elements before the element is discarded, to free the memory at once."""
    name: str
    @property
    def id(self) -> int:
        """Id in the compiled model; -1 if the tree has changed since the last compilation."""
    @property
    def signature(self) -> int:
        """Signature of the spec that contains this element; equal to the signature of the model compiled from the spec."""
    @property
    def target(self) -> MjsJoint | MjsSite | MjsGeom | None:
        """The joint, site or geom on the path; None for a pulley."""
    @property
    def sidesite(self) -> MjsSite | None:
        """The site that selects the side on which the tendon passes a geom, or None."""
    @property
    def coef(self) -> float | None:
        """The coefficient of a joint; None for other objects."""
    @property
    def divisor(self) -> float | None:
        """The divisor of a pulley; None for other objects."""

class MjvCamera:
    """An abstract camera: its type and parameters. Free and tracking cameras also have a point to look at, a distance, and two
    angles in degrees.
    """
    type: int
    fixedcamid: int
    trackbodyid: int
    lookat: _Array[np.float64]
    distance: float
    azimuth: float
    elevation: float
    orthographic: int
    def __init__(self) -> None: ...

class MjvFigure:
    """A line or bar plot: up to 100 lines of up to 1001 points (x, y interleaved in `linedata`)."""
    flg_legend: int
    flg_ticklabel: _Array[np.int32]
    flg_extend: int
    flg_barplot: int
    flg_selection: int
    flg_symmetric: int
    linewidth: float
    gridwidth: float
    gridsize: _Array[np.int32]
    gridrgb: _Array[np.float32]
    figurergba: _Array[np.float32]
    panergba: _Array[np.float32]
    legendrgba: _Array[np.float32]
    textrgb: _Array[np.float32]
    linergb: _Array[np.float32]
    range: _Array[np.float32]
    xformat: str
    yformat: str
    minwidth: str
    title: str
    xlabel: str
    linename: _Array[np.bytes_]
    legendoffset: int
    subplot: int
    highlight: _Array[np.int32]
    highlightid: int
    selection: float
    linepnt: _Array[np.int32]
    linedata: _Array[np.float32]
    xaxispixel: _Array[np.int32]
    yaxispixel: _Array[np.int32]
    xaxisdata: _Array[np.float32]
    yaxisdata: _Array[np.float32]
    def __init__(self) -> None: ...

class MjvGLCamera:
    """A camera as a renderer needs it: its frame, and its frustum at the near plane (perspective) or in meters
    (orthographic).
    """
    pos: _Array[np.float32]
    forward: _Array[np.float32]
    up: _Array[np.float32]
    frustum_center: float
    frustum_width: float
    frustum_bottom: float
    frustum_top: float
    frustum_near: float
    frustum_far: float
    orthographic: int
    def __init__(self) -> None: ...

class MjvGeom:
    """One geom of a scene. `mat` reads as a (3, 3) array. `dataid` identifies a mesh (2*id; its hull: 2*id+1), a height field
    or a plane.
    """
    type: int
    dataid: int
    objtype: int
    objid: int
    category: int
    matid: int
    texcoord: int
    segid: int
    size: _Array[np.float32]
    pos: _Array[np.float32]
    mat: _Array[np.float32]
    rgba: _Array[np.float32]
    emission: float
    specular: float
    shininess: float
    reflectance: float
    label: str
    camdist: float
    modelrbound: float
    transparent: int
    texid: int
    texuniform: int
    texrepeat: _Array[np.float32]
    castshadow: int
    def __init__(self) -> None: ...

class MjvLight:
    """An active light in world coordinates; id -1 is the headlight. `dir(light)` lists the fields of MuJoCo 3.4."""
    id: int
    pos: _Array[np.float32]
    dir: _Array[np.float32]
    type: int
    texid: int
    attenuation: _Array[np.float32]
    cutoff: float
    exponent: float
    ambient: _Array[np.float32]
    diffuse: _Array[np.float32]
    specular: _Array[np.float32]
    headlight: int
    castshadow: int
    bulbradius: float
    intensity: float
    range: float
    def __init__(self) -> None: ...

class MjvOption:
    """Visualization options: type of labels and frames, group masks (6 each), 31 flags, tree depth, flex layer."""
    label: int
    frame: int
    geomgroup: _Array[np.uint8]
    sitegroup: _Array[np.uint8]
    jointgroup: _Array[np.uint8]
    tendongroup: _Array[np.uint8]
    actuatorgroup: _Array[np.uint8]
    flexgroup: _Array[np.uint8]
    skingroup: _Array[np.uint8]
    flags: _Array[np.uint8]
    bvh_depth: int
    flex_layer: int
    def __init__(self) -> None: ...

class MjvPerturb:
    """The selection, and the drag that acts on it. All positions except localpos are in world coordinates."""
    select: int
    flexselect: int
    skinselect: int
    active: int
    active2: int
    refpos: _Array[np.float64]
    refquat: _Array[np.float64]
    refselpos: _Array[np.float64]
    localpos: _Array[np.float64]
    localmass: float
    scale: float
    def __init__(self) -> None: ...

class MjvScene:
    """Geoms, lights, cameras, surfaces of flexes and skins, and rendering flags of one frame.

    `MjvScene()` is empty. `MjvScene(model, maxgeom)` has space for maxgeom geoms and for the model's flexes and skins.
    """
    ngeom: int
    nflex: int
    flexvertopt: int
    flexedgeopt: int
    flexfaceopt: int
    flexskinopt: int
    nskin: int
    nlight: int
    enabletransform: int
    translate: _Array[np.float32]
    rotate: _Array[np.float32]
    scale: float
    stereo: int
    flags: _Array[np.uint8]
    framewidth: int
    framergb: _Array[np.float32]
    status: int
    maxgeom: int
    geomorder: npt.NDArray[np.int32]
    @property
    def flexvert(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexface(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexnormal(self) -> npt.NDArray[Any]:
        ...
    @property
    def flextexcoord(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexfaceused(self) -> npt.NDArray[Any]:
        ...
    @property
    def skinvert(self) -> npt.NDArray[Any]:
        ...
    @property
    def skinnormal(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexedge(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexedgeadr(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexedgenum(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexvertadr(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexvertnum(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexfaceadr(self) -> npt.NDArray[Any]:
        ...
    @property
    def flexfacenum(self) -> npt.NDArray[Any]:
        ...
    @property
    def skinfacenum(self) -> npt.NDArray[Any]:
        ...
    @property
    def skinvertadr(self) -> npt.NDArray[Any]:
        ...
    @property
    def skinvertnum(self) -> npt.NDArray[Any]:
        ...
    def __init__(self, model: MjModel | None = None, maxgeom: SupportsIndex = 0) -> None: ...
    @property
    def geoms(self) -> Sequence[MjvGeom]:
        """All geoms, in use or not."""
    @property
    def lights(self) -> Sequence[MjvLight]:
        """All lights, in use or not."""
    @property
    def camera(self) -> Sequence[MjvGLCamera]:
        """GL cameras of the left and the right eye."""
    def say_full(self) -> None:
        """Warn once that there is no space for all geoms."""

class Renderer:
    """Renders scenes of one model into arrays. A `with` statement closes it at the end. RuntimeError without OpenGL.

        with Renderer(model, height=480, width=640) as r:
            r.update_scene(data, camera="side")
            rgb = r.render()

    model: the model whose scenes it draws
    height, width: size of the images in pixels. ValueError if it exceeds offheight, offwidth of the model's visual/global
    max_geom: maximum number of geoms in a scene
    font_scale: no effect; accepted because MuJoCo's Renderer has this argument
    lighting: 'classic', the traditional look, or 'pixel', as in the viewer. ValueError for other words
    """
    def __init__(self, model: MjModel, height: SupportsIndex = 240, width: SupportsIndex = 320, max_geom: SupportsIndex = 10000, font_scale: SupportsFloat | None = None, lighting: str = "classic") -> None: ...
    @property
    def model(self) -> MjModel:
        """The model."""
    @property
    def scene(self) -> MjvScene:
        """The scene, to which scripts can add geoms between update_scene and render."""
    @property
    def height(self) -> int:
        """Image height in pixels."""
    @property
    def width(self) -> int:
        """Image width in pixels."""
    def enable_depth_rendering(self) -> None:
        """Make render() return distances in meters along the view direction."""
    def disable_depth_rendering(self) -> None:
        """Stop returning distances."""
    def enable_segmentation_rendering(self) -> None:
        """Make render() return object ids and types."""
    def disable_segmentation_rendering(self) -> None:
        """Stop returning object ids."""
    def update_scene(self, data: MjData, camera: str | int | MjvCamera = -1, scene_option: MjvOption | None = None) -> None:
        """Rebuild the scene from a state.

        camera: an MjvCamera, an id or a name; -1 is the default free camera. ValueError if there is no such camera
        """
    def render(self, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Draw the scene and return the image, top row first: uint8 (height, width, 3); with depth rendering, float32 (height,
        width), in meters; with segmentation, int32 (height, width, 2), the id and type (mjtObj) of objects, -1 for none.
        RuntimeError after close.

        out: array (height, width, 3), or (height, width) with depth rendering, that receives the image, and is then returned;
            segmentation ignores it. None: a new array. ValueError for other shapes
        """
    def close(self) -> None:
        """Free the context and everything in it; safe to call twice."""
    def __enter__(self) -> Renderer: ...
    def __exit__(self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None) -> None: ...

class UnexpectedError(Exception):
    """An error that no input should be able to cause (an internal error)."""

class mjpPlugin:
    """Description of a plugin. Only `name` and the arguments that its capabilities need are required.

        name                      unique name
        attributes                names of its configuration attributes
        capabilityflags           sum of mjtPluginCapabilityBit
        needstage                 mjtStage after which a sensor is computed
        nstate(m, instance)       how many numbers of state an instance has: an int or a function; 0 if missing
        nsensordata(m, instance, sensor_id)  size of a sensor's output: an int or a function; needed by sensors
        init(m, d, instance)      set up an instance; what it returns is kept as the instance's data, see `MjData.plugin_object`
                                  (compiled functions find the address of a returned array in `plugin_data`)
        destroy(d, instance)      called when a Data is deleted
        copy(dest, m, src, instance)  called when a Data is copied; viewers draw copies
        reset(m, plugin_state, plugin_data, instance)  plugin_state is None before collisions and rays of a distance field
        compute(m, d, instance, capability_bit)  forces, sensor data; calls in the same state must give the same results
        advance(m, d, instance)   called when time advances
        visualize(m, d, opt, scn, instance)  called by mjv_updateScene before the model is drawn
        actuator_act_dot(m, d, instance)  writes act_dot of the instance's actuators
        sdf_distance(point, d, instance), sdf_gradient(gradient, point, d, instance)  in the geom's frame
        sdf_staticdistance(point, attributes)  used to make the mesh
        sdf_attribute(attribute, names, values)  texts to numbers, with defaults
        sdf_aabb(aabb, attributes)  centre and half sizes of a box around the surface

    m and d are the MjModel and the MjData; nstate and nsensordata get a draft of the model (see
    engine.description.compile.plugins). Compiled functions: `v(M, D, instance, i)` for compute (i: capability), reset (i:
    1 with state), advance and actuator_act_dot; `f(M, D, instance, x, y, z)` and `v(M, D, instance, x, y, z, address of 3
    numbers)` for distance and gradient; `f(x, y, z, address of attributes)` for sdf_staticdistance.
    """
    actuator_act_dot: Any
    advance: Any
    attributes: Any
    capabilityflags: Any
    compute: Any
    copy: Any
    destroy: Any
    init: Any
    name: Any
    needstage: Any
    nsensordata: Any
    nstate: Any
    sdf_aabb: Any
    sdf_attribute: Any
    sdf_distance: Any
    sdf_gradient: Any
    sdf_staticdistance: Any
    visualize: Any
    def __init__(self, name: str = "", attributes: Sequence[str] = ..., capabilityflags: SupportsIndex = 0, needstage: SupportsIndex = ..., **functions: Any) -> None: ...
    @property
    def nattribute(self) -> int:
        """Number of configuration attributes."""

class mjpResourceProvider:
    """A reader of names that begin with `scheme:`. Each function gets the full name, or the handle that `open` returned for it.

    scheme: letters before the colon. FatalError at registration if it is taken or invalid
    read: called as read(handle), returns bytes
    open: called as open(name), returns a handle, None if there is no such resource; by default the handle is the name
    close: called as close(handle)
    getdir: called as getdir(name), returns the part of the name that relative names are joined to
    modified: called as modified(name, since), returns whether it changed after `since`, in seconds as from time.time()
    place: called as place(name), returns the file that contains the resource of this name; '' if no file does; None if that is
        unknown. A provider that returns None is refused if loading is confined to a directory.
    """
    def __init__(self, scheme: str, read: Callable[[Any], bytes], open: Callable[..., Any] | None = None, close: Callable[..., Any] | None = None, getdir: Callable[..., Any] | None = None, modified: Callable[..., Any] | None = None, place: Callable[..., Any] | None = None) -> None: ...
    def contents(self, name: str) -> bytes:
        """Return the bytes of a name; OSError for any failure."""
    def exists(self, name: str) -> bool:
        """Return whether a name can be opened."""

MjStruct: TypeAlias = MjsBody | MjsFrame | MjsGeom | MjsJoint | MjsLight | MjsMaterial | MjsSite | MjsMesh | MjsSkin | MjsTexture | MjsText | MjsTuple | MjsCamera | MjsFlex | MjsHField | MjsKey | MjsNumeric | MjsPair | MjsExclude | MjsEquality | MjsTendon | MjsSensor | MjsActuator | MjsPlugin
_Pair: TypeAlias = tuple[MjModel, MjData]
_PluginSlot: TypeAlias = tuple[mjpPlugin | None, int]

def from_zip(file: str | IO[bytes], *, inside: str | None = None) -> MjSpec:
    """Return the MjSpec in a zip file, given as a name or as a binary file object, with its assets and included files.

    If there are several XML files, the model is the one with a usual name (`main_names`), otherwise the last. `inside`: a
    directory; files outside it are refused. If this is the path of the archive itself, only files in the archive are allowed.
    ValueError if the file is not such an archive.
    """
def get_mjcb_act_bias() -> Any:
    """The callback mjcb_act_bias, or None."""
def get_mjcb_act_dyn() -> Any:
    """The callback mjcb_act_dyn, or None."""
def get_mjcb_act_gain() -> Any:
    """The callback mjcb_act_gain, or None."""
def get_mjcb_collision(type1: SupportsIndex, type2: SupportsIndex) -> Any:
    """Return the collision function that was installed for two geom types, or None."""
def get_mjcb_contactfilter() -> Any:
    """The callback mjcb_contactfilter, or None."""
def get_mjcb_control() -> Any:
    """The callback mjcb_control, or None."""
def get_mjcb_passive() -> Any:
    """The callback mjcb_passive, or None."""
def get_mjcb_sensor() -> Any:
    """The callback mjcb_sensor, or None."""
def get_mjcb_time() -> Any:
    """The callback mjcb_time, or None."""
def get_mju_user_free() -> Any:
    """The handler for free, or None."""
def get_mju_user_malloc() -> Any:
    """The handler for malloc, or None."""
def get_mju_user_warning() -> Any:
    """Return the installed handler of warnings, or None."""
def help(words: str) -> list[Any]:
    """Return the search results for one or several words: first names that begin with the words, then names that contain them,
    then descriptions that do.

    ValueError for an empty text.
    """
def import_model(path: str | os.PathLike[str], packages: Iterable[str] | Mapping[str, str] = ..., repair: bool = True, *, arguments: Mapping[str, str] | None = None, inside: str | None = None, free: bool = False, actuators: str = "", fit: str | Mapping[str, str] = "", decompose: bool = False, exclude_overlaps: bool | Iterable[tuple[str, str]] = False, density: float = 1000.0, scale: SupportsFloat = 1.0) -> MjSpec:
    """Return an MjSpec for a robot's file (or for the only one in a folder or archive), with `spec.import_report`.

    Each link becomes a body, and each movable joint a joint, with the same name. SpecError, a ValueError, for files that cannot
    be read, ValueError for wrong arguments, ImportError if `decompose` needs a package that is not installed.

    path: a file, a folder, an archive (.zip, .tar.gz, ...), or `archive!member`
    packages: {name: folder}, or strings `name=folder` and folders that contain packages, for package:// names; paths of the
        environment and the folders around the file are also searched
    repair: False: refuse a URDF that MuJoCo refuses, with MuJoCo's message, and any other file that needs a repair
    arguments: arguments of a xacro file
    inside: a folder; no file outside it is read, and xacro files are refused, because they are programs
    free: links without a parent move freely instead of being fixed to the world
    actuators: position, velocity or motor: add an actuator to each driven joint
    fit: box, cylinder, capsule or auto: replace collision meshes by this shape; auto chooses the one of least volume;
        or {mesh file: one of these, decompose or hull}; the file `*` stands for all others
    decompose: replace collision meshes by convex pieces (package coacd, extra `robots`) instead of hulls
    exclude_overlaps: turn off collisions of bodies that overlap in the reference pose: all, or pairs of names
    density: density in kg/m^3 of a mesh file that is opened alone
    scale: factor for the lengths of a mesh file that is opened alone
    """
def mj_Euler(m: MjModel, d: MjData) -> None:
    """Euler integrator, semi-implicit in velocity."""
def mj_RungeKutta(m: MjModel, d: MjData, N: SupportsIndex) -> None:
    """Make a Runge-Kutta step of order N; only 4 is supported."""
def mj_actuatorInputName(m: MjModel, id: SupportsIndex, input: SupportsIndex) -> str:
    """Return the name of an actuator's control input, such as `pos` or `qw`; None if it has no name or does not exist
    (since 3.12).
    """
def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int:
    """Add a contact to the list; constraint rows become invalid. Returns 0, or 1 and counts a warning if there is no room."""
def mj_addM(m: MjModel, d: MjData, dst: npt.NDArray[np.float64], rownnz: npt.NDArray[np.int32], rowadr: npt.NDArray[np.int32], colind: npt.NDArray[np.int32]) -> None:
    """Add the rows of the joint-space inertia matrix (M_rownnz, M_rowadr, M_colind) to a matrix in compressed rows, which must
    have room for them.
    """
def mj_angmomMat(m: MjModel, d: MjData, mat: npt.NDArray[np.float64], body: SupportsIndex) -> None:
    """Compute the matrix (3, nv) that maps velocities to a subtree's angular momentum about its center of mass."""
def mj_applyFT(m: MjModel, d: MjData, force: npt.ArrayLike, torque: npt.ArrayLike, point: npt.ArrayLike, body: SupportsIndex, qfrc_target: npt.NDArray[np.float64]) -> None:
    """Add to qfrc_target the joint force of a force and torque at a world point of a body.

    force: in newtons
    torque: in newton meters
    point: in meters
    """
def mj_camlight(m: MjModel, d: MjData) -> None:
    """Poses of cameras and lights."""
def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Reset everything and run forward dynamics if qacc contains NaN or a huge value."""
def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Reset everything if qpos contains NaN or a huge value."""
def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Reset everything if qvel contains NaN or a huge value."""
def mj_clearCache(cache: Any) -> None:
    """Empty the cache."""
def mj_collision(m: MjModel, d: MjData) -> None:
    """Contacts."""
def mj_comPos(m: MjModel, d: MjData) -> None:
    """Inertias and motion axes in frames at the centre of mass."""
def mj_comVel(m: MjModel, d: MjData) -> None:
    """Velocities of bodies, rates of motion axes."""
def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """Difference of forward and inverse dynamics."""
def mj_constraintUpdate(m: MjModel, d: MjData, jar: npt.ArrayLike, cost: npt.NDArray[np.float64] | None, flg_coneHessian: SupportsIndex) -> None:
    """Compute efc_state, efc_force, qfrc_constraint, and cone Hessians if requested, for jar = J qacc - aref. The cost is
    written to cost.
    """
def mj_contactForce(m: MjModel, d: MjData, id: SupportsIndex, result: npt.NDArray[np.float64]) -> None:
    """Set result to the force and torque of a contact in its own frame, normal first; zeros if it exerts none.

    result: in newtons and newton meters
    """
def mj_copyData(d_dest: MjData, m: MjModel, d_src: MjData) -> MjData:
    """Copy d_src to d_dest, two Data of the model m. Returns d_dest."""
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: SupportsIndex) -> None:
    """Copy the components sig from src to dst."""
def mj_crb(m: MjModel, d: MjData) -> None:
    """Composite inertias and joint-space inertia."""
def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Set options of length range computation to their defaults."""
def mj_defaultOption(opt: MjOption) -> None:
    """Set options to their defaults."""
def mj_defaultSolRefImp(solref: npt.NDArray[np.float64] | None, solimp: npt.NDArray[np.float64] | None) -> None:
    """Set the given arrays to the default solver parameters.

    solref: float64 (2), written: time constant in seconds, damping ratio; None if you do not need it
    solimp: float64 (5), written; None if you do not need it
    """
def mj_defaultVisual(vis: MjVisual) -> None:
    """Set visual options to their defaults."""
def mj_differentiatePos(m: MjModel, qvel: npt.NDArray[np.float64], dt: SupportsFloat, qpos1: npt.ArrayLike, qpos2: npt.ArrayLike) -> None:
    """Set qvel to the velocity that takes configuration qpos1 to qpos2 in time dt.

    dt: in seconds
    """
def mj_energyPos(m: MjModel, d: MjData) -> None:
    """Potential energy."""
def mj_energyVel(m: MjModel, d: MjData) -> None:
    """Kinetic energy."""
def mj_extractState(m: MjModel, src: npt.ArrayLike, srcsig: SupportsIndex, dst: npt.NDArray[np.float64], dstsig: SupportsIndex) -> None:
    """Copy the components dstsig to dst from a state with the components srcsig, which must include them.

    src: mj_stateSize(m, srcsig) numbers
    dst: mj_stateSize(m, dstsig) numbers. FatalError unless srcsig includes dstsig
    """
def mj_factorM(m: MjModel, d: MjData) -> None:
    """Sparse factorisation of the joint-space inertia."""
def mj_flex(m: MjModel, d: MjData) -> None:
    """Vertices, bounding boxes and edges of deformables."""
def mj_forward(m: MjModel, d: MjData) -> None:
    """Run forward dynamics: everything from positions to accelerations; time does not advance."""
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: SupportsIndex, skipsensor: SupportsIndex) -> None:
    """Run forward dynamics without the stages up to `skipstage` (mjtStage) and, if `skipsensor`, without sensors."""
def mj_fullM(m: MjModel, dst: npt.NDArray[np.float64], M: npt.ArrayLike) -> None:
    """Set dst (nv, nv) to the symmetric matrix of a packed inertia matrix such as qM. In later releases, mj_fullM(m, d, dst)
    reads the matrix from a Data.
    """
def mj_fwdAcceleration(m: MjModel, d: MjData) -> None:
    """Accelerations without constraints."""
def mj_fwdActuation(m: MjModel, d: MjData) -> None:
    """Actuator forces."""
def mj_fwdConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces and accelerations."""
def mj_fwdKinematics(m: MjModel, d: MjData) -> None:
    """Poses, tendon and flex lengths."""
def mj_fwdPosition(m: MjModel, d: MjData) -> None:
    """Everything that depends on positions."""
def mj_fwdVelocity(m: MjModel, d: MjData) -> None:
    """Everything that depends on velocities."""
def mj_geomDistance(m: MjModel, d: MjData, geom1: SupportsIndex, geom2: SupportsIndex, distmax: SupportsFloat, fromto: npt.NDArray[np.float64] | None) -> float:
    """Return the signed distance between two geoms in meters, at most distmax. FatalError if a geom does not exist.

    distmax: maximum distance in meters
    fromto: receives the nearest points of geom1 and geom2; None if you do not need them
    """
def mj_getCache() -> Any:
    """Return the cache of compiled assets."""
def mj_getCacheCapacity(cache: Any) -> int:
    """Return the maximum size of the cache in bytes."""
def mj_getCacheSize(cache: Any) -> int:
    """Return the number of bytes in use."""
def mj_getPluginConfig(m: MjModel, plugin_id: SupportsIndex, attrib: str) -> str | Any:
    """Return a configuration attribute of a plugin instance as text; empty if it is not set, None for unknown instances or
    attributes.
    """
def mj_getState(m: MjModel, d: MjData, state: npt.NDArray[np.float64], sig: SupportsIndex) -> None:
    """Copy the components sig of d to state, in the order of their bits.

    state: mj_stateSize(m, sig) numbers
    """
def mj_getTotalmass(m: MjModel) -> float:
    """Return the total mass of all bodies."""
def mj_id2name(m: MjModel, type: SupportsIndex, id: SupportsIndex) -> str:
    """Return the name of an object, or None."""
def mj_implicit(m: MjModel, d: MjData) -> None:
    """Step with an integrator that is implicit in velocity."""
def mj_initCtrlHistory(m: MjModel, d: MjData, id: SupportsIndex, times: npt.ArrayLike | None, values: npt.ArrayLike) -> None:
    """Fill an actuator's history (since 3.5). FatalError if it has no history, or if times do not increase.

    times: in seconds, oldest first; None keeps them
    values: controls at these times
    """
def mj_initSensorHistory(m: MjModel, d: MjData, id: SupportsIndex, times: npt.ArrayLike | None, values: npt.ArrayLike, phase: SupportsFloat) -> None:
    """Fill a sensor's history (since 3.5). FatalError if it has no history, or if times do not increase.

    times: in seconds, oldest first; None keeps them
    values: the sensor's values at these times
    phase: last sampling time in seconds
    """
def mj_integratePos(m: MjModel, qpos: npt.NDArray[np.float64], qvel: npt.ArrayLike, dt: SupportsFloat) -> None:
    """Move a configuration with velocity qvel for time dt.

    dt: in seconds
    """
def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces of given accelerations."""
def mj_invPosition(m: MjModel, d: MjData) -> None:
    """Position-dependent part of inverse dynamics."""
def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """Velocity-dependent part of inverse dynamics."""
def mj_inverse(m: MjModel, d: MjData) -> None:
    """Run inverse dynamics: qfrc_inverse from qpos, qvel, qacc."""
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: SupportsIndex, skipsensor: SupportsIndex) -> None:
    """Run inverse dynamics without the stages up to `skipstage` (mjtStage) and, if `skipsensor`, without sensors."""
def mj_isDual(m: MjModel) -> int:
    """Return 1 if the solver is dual, that is, if it works on constraint forces."""
def mj_isPyramidal(m: MjModel) -> int:
    """Return 1 if friction cones are pyramids."""
def mj_isSparse(m: MjModel) -> int:
    """Return 1 if the constraint Jacobian is stored in compressed rows."""
def mj_island(m: MjModel, d: MjData) -> None:
    """Islands of constraints."""
def mj_jac(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, jacr: npt.NDArray[np.float64] | None, point: npt.ArrayLike, body: SupportsIndex) -> None:
    """Compute Jacobians (3, nv) of the position and rotation of a world point that moves with a body. Pass None for a Jacobian
    that you do not need.

    point: in meters
    """
def mj_jacBody(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, jacr: npt.NDArray[np.float64] | None, body: SupportsIndex) -> None:
    """Compute the Jacobians of a body's frame."""
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, jacr: npt.NDArray[np.float64] | None, body: SupportsIndex) -> None:
    """Compute the Jacobians of a body's center of mass."""
def mj_jacDot(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, jacr: npt.NDArray[np.float64] | None, point: npt.ArrayLike, body: SupportsIndex) -> None:
    """Compute the time derivatives of a point's Jacobians.

    point: in meters
    """
def mj_jacGeom(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, jacr: npt.NDArray[np.float64] | None, geom: SupportsIndex) -> None:
    """Compute the Jacobians of a geom's center."""
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: npt.NDArray[np.float64] | None, jacAxis: npt.NDArray[np.float64] | None, point: npt.ArrayLike, axis: npt.ArrayLike, body: SupportsIndex) -> None:
    """Compute the Jacobians of a world point and of a world direction that move with a body.

    point: in meters
    axis: unit vector
    """
def mj_jacSite(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, jacr: npt.NDArray[np.float64] | None, site: SupportsIndex) -> None:
    """Compute the Jacobians of a site."""
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: npt.NDArray[np.float64] | None, body: SupportsIndex) -> None:
    """Compute the Jacobian of the center of mass of a body's subtree."""
def mj_kinematics(m: MjModel, d: MjData) -> None:
    """Poses of bodies, joints, geoms and sites."""
def mj_loadAllPluginLibraries(directory: str) -> None:
    """Load all libraries of a folder: Python files whose names do not begin with an underscore, and shared libraries.

    A library that fails raises FatalError (3.4), or is skipped with a warning (`compat` 4.0 or later).
    """
def mj_loadPluginLibrary(path: str) -> None:
    """Run a Python file that registers plugins. MuJoCo's own libraries are accepted, since their plugins are built in.

    FatalError for missing files, other shared libraries, and files whose code fails.
    """
def mj_local2Global(d: MjData, xpos: npt.NDArray[np.float64], xmat: npt.NDArray[np.float64], pos: npt.ArrayLike, quat: npt.ArrayLike, body: SupportsIndex, sameframe: SupportsIndex) -> None:
    """Convert a pose from a body's frame to the world frame, and write it to (xpos, xmat). sameframe (mjtSameFrame): whether
    position and orientation, or only the orientation, equal those of the body or of its inertial frame.
    """
def mj_makeConstraint(m: MjModel, d: MjData) -> None:
    """Constraint rows."""
def mj_makeM(m: MjModel, d: MjData) -> None:
    """Joint-space inertia with tendon armature."""
def mj_maxContact(m: MjModel, g1: SupportsIndex, g2: SupportsIndex, has_margin: SupportsIndex) -> int:
    """Return the maximum number of contacts between two geoms (since 3.8). has_margin: whether they have a margin; -1 takes it
    from the model.
    """
def mj_mountVFS(vfs: MjVfs, filepath: str, provider: mjpResourceProvider) -> None:
    """Let an mjpResourceProvider read all names at and below a path, for loaders that use this MjVfs (since 3.5)."""
def mj_mulJacTVec(m: MjModel, d: MjData, res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res (nv) to the transposed constraint Jacobian times vec (nefc)."""
def mj_mulJacVec(m: MjModel, d: MjData, res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res (nefc) to the constraint Jacobian times vec (nv)."""
def mj_mulM(m: MjModel, d: MjData, res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res to the joint-space inertia matrix times vec."""
def mj_mulM2(m: MjModel, d: MjData, res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res to a square root of the joint-space inertia matrix, sqrt(D) L, times vec."""
def mj_multiRay(m: MjModel, d: MjData, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None, flg_static: SupportsIndex, bodyexclude: SupportsIndex, geomid: npt.NDArray[np.int32], dist: npt.NDArray[np.float64], nray: SupportsIndex, cutoff: SupportsFloat) -> None:
    """Cast nray rays from one point; see mj_ray.

    Since 3.5, an argument `normal` may stand before nray: float64 (3 nray), written, or None.

    pnt: start of the rays in the world, in meters
    vec: directions, one after the other
    geomgroup, flg_static, bodyexclude: as for mj_ray
    geomid: receives the ids of geoms, -1 for a miss
    dist: receives the distances, in lengths of a ray's vec, -1 for a miss
    cutoff: distance in meters beyond which geoms are not searched
    """
def mj_name2id(m: MjModel, type: SupportsIndex, name: str) -> int:
    """Return the id of the object of a type (mjtObj) with a name, or -1."""
def mj_normalizeQuat(m: MjModel, qpos: npt.NDArray[np.float64]) -> None:
    """Normalize all quaternions of a configuration."""
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: SupportsIndex, objid: SupportsIndex, res: npt.NDArray[np.float64], flg_local: SupportsIndex) -> None:
    """Set res to the angular and linear acceleration of an object, in world or local orientation.

    objtype: mjtObj: body, xbody, geom, site or camera. FatalError for others
    res: in radians per second squared and meters per second squared
    """
def mj_objectVelocity(m: MjModel, d: MjData, objtype: SupportsIndex, objid: SupportsIndex, res: npt.NDArray[np.float64], flg_local: SupportsIndex) -> None:
    """Set res to the angular and linear velocity of an object, in world or local orientation.

    objtype: mjtObj: body, xbody, geom, site or camera. FatalError for others
    res: in radians per second and meters per second
    """
def mj_passive(m: MjModel, d: MjData) -> None:
    """Spring, damper, gravity compensation and fluid forces."""
def mj_printData(m: MjModel, d: MjData, filename: str) -> None:
    """Write an MjData to a text file."""
def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: str) -> None:
    """Write an MjData to a text file, with numbers in a format such as '% -9.2g'."""
def mj_printFormattedModel(m: MjModel, filename: str, float_format: str) -> None:
    """Write a model to a text file, with numbers in a format such as '% -9.2g'."""
def mj_printFormattedScene(s: MjvScene, filename: str, float_format: str) -> None:
    """Write a scene as text to a file ('': standard output). float_format is a C printf format; an invalid one raises
    ValueError.
    """
def mj_printModel(m: MjModel, filename: str) -> None:
    """Write a model to a text file."""
def mj_printScene(s: MjvScene, filename: str) -> None:
    """Write a scene as text to a file ('': standard output)."""
def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """Return the elements and attributes of MJCF as text or an HTML table; flg_pad aligns columns (text) or indents (HTML)."""
def mj_projectConstraint(m: MjModel, d: MjData) -> None:
    """Inverse inertia in constraint space."""
def mj_ray(m: MjModel, d: MjData, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None, flg_static: SupportsIndex, bodyexclude: SupportsIndex, geomid: npt.NDArray[np.int32]) -> float:
    """Return the distance from pnt along vec to the nearest visible geom, in lengths of vec; -1 for a miss.

    A further argument `normal`, float64 (3), receives the outward normal of the surface, zeros for a miss (since 3.5).

    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    geomgroup: flags of the groups to include; None includes all
    flg_static: whether to include static geoms
    bodyexclude: id of a body to ignore, or -1
    geomid: receives the geom's id, -1 for a miss
    """
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: SupportsIndex, flg_vert: bool, flg_edge: bool, flg_face: bool, flg_skin: bool, flexid: SupportsIndex, pnt: npt.ArrayLike, vec: npt.ArrayLike, vertid: npt.NDArray[np.int32] | None = None, normal: npt.NDArray[np.float64] | None = None) -> float:
    """Like mju_rayFlex, but a miss writes -1 to vertid, and the normal, or zeros, is written to normal (since 3.5).

    pnt: start of the ray in the world, in meters
    vec: direction; the distance is in lengths of vec
    """
def mj_rayHfield(m: MjModel, d: MjData, geomid: SupportsIndex, pnt: npt.ArrayLike, vec: npt.ArrayLike, normal: npt.NDArray[np.float64] | None = None) -> float:
    """Return the distance at which a ray hits one height field, in lengths of vec; -1 for a miss. FatalError for other geoms.

    normal: receives the outward normal, zeros for a miss (since 3.5)
    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    """
def mj_rayMesh(m: MjModel, d: MjData, geomid: SupportsIndex, pnt: npt.ArrayLike, vec: npt.ArrayLike, normal: npt.NDArray[np.float64] | None = None) -> float:
    """Return the distance at which a ray hits one mesh, in lengths of vec; -1 for a miss. FatalError for other geoms.

    normal: receives the outward normal, zeros for a miss (since 3.5)
    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    """
def mj_readCtrl(m: MjModel, d: MjData, id: SupportsIndex, time: SupportsFloat, result: npt.NDArray[np.float64], interp: SupportsIndex) -> np.ndarray:
    """Return the controls (ctrlnum,) of an actuator at the given time minus its delay. They come from its history, or from ctrl
    if it has none (since 3.5). TypeError if the actuator does not exist.

    time: in seconds
    result: receives interpolated values, and is then returned
    interp: 0 the last sample, 1 linear, 2 cubic, -1 the actuator's setting
    """
def mj_readSensor(m: MjModel, d: MjData, id: SupportsIndex, time: SupportsFloat, result: npt.NDArray[np.float64], interp: SupportsIndex) -> np.ndarray:
    """Return the values (sensor_dim,) of a sensor at the given time minus its delay. They come from its history, or from
    sensordata if it has none (since 3.5). TypeError if the sensor does not exist.

    time: in seconds
    result: receives interpolated values, and is then returned
    interp: 0 the last sample, 1 linear, 2 cubic, -1 the sensor's setting
    """
def mj_referenceConstraint(m: MjModel, d: MjData) -> None:
    """Constraint velocities and reference accelerations."""
def mj_resetCallbacks() -> None:
    """Remove all callbacks and collision functions."""
def mj_resetCtrl(m: MjModel, d: MjData) -> None:
    """Set all controls to neutral values: 0, or the identity for quaternions (since 3.11)."""
def mj_resetData(m: MjModel, d: MjData) -> None:
    """Reset everything to initial values: configuration qpos0; zero velocities, controls and forces."""
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: SupportsIndex) -> None:
    """Reset, and fill results with a byte value, to reveal results that are never computed."""
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: SupportsIndex) -> None:
    """Reset, then load a keyframe; an index out of range loads none."""
def mj_rne(m: MjModel, d: MjData, flg_acc: SupportsIndex, result: npt.NDArray[np.float64]) -> None:
    """Set result to the bias force: Coriolis, centrifugal, gravity. If flg_acc, add the inertial forces of qacc."""
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Accelerations and forces of bodies, with all constraint forces."""
def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """Write a model as MJCF, with its current numbers. An empty file name writes to standard output.

    The structure comes from the spec the model was compiled from; for a binary model, from the spec loaded last. FatalError if
    there is none, if the sizes or names of `m` differ from what the spec compiles to, or if the file cannot be written.
    """
def mj_saveModel(m: MjModel, filename: str | None = None, buffer: npt.NDArray[np.uint8] | None = None) -> None:
    """Write a model to a binary file, or into `buffer` of mj_sizeModel bytes if it is given."""
def mj_saveXML(s: MjSpec, filename: str) -> None:
    """Compile a spec and write it as MJCF; FatalError if that fails."""
def mj_sensorAcc(m: MjModel, d: MjData) -> None:
    """Sensors that depend on accelerations and forces."""
def mj_sensorPos(m: MjModel, d: MjData) -> None:
    """Sensors that depend on positions."""
def mj_sensorVel(m: MjModel, d: MjData) -> None:
    """Sensors that depend on velocities."""
def mj_setCacheCapacity(cache: Any, size: SupportsIndex) -> int:
    """Set the maximum number of bytes, and return it."""
def mj_setConst(m: MjModel, d: MjData) -> None:
    """Recompute the fields of a model that depend on other fields, for example after changing masses or poses; d is scratch."""
def mj_setKeyframe(m: MjModel, d: MjData, k: SupportsIndex) -> None:
    """Store the state of d in keyframe k of the model."""
def mj_setLengthRange(m: MjModel, d: MjData, index: SupportsIndex, opt: MjLROpt) -> None:
    """Compute the length range of an actuator by simulation, with options (MjLROpt); d is scratch."""
def mj_setState(m: MjModel, d: MjData, state: npt.ArrayLike, sig: SupportsIndex) -> None:
    """Copy the components sig from state to d.

    state: mj_stateSize(m, sig) numbers
    """
def mj_setTotalmass(m: MjModel, newmass: SupportsFloat) -> None:
    """Scale masses and inertias so that the total mass is newmass; call mj_setConst afterwards.

    newmass: in kilograms
    """
def mj_sizeModel(m: MjModel) -> int:
    """Return the size of a model's file in bytes."""
def mj_solveM(m: MjModel, d: MjData, x: npt.NDArray[np.float64], y: npt.ArrayLike) -> None:
    """Set rows of x to the inverse of the joint-space inertia matrix times rows of y.

    x, y: n rows of nv numbers
    """
def mj_solveM2(m: MjModel, d: MjData, x: npt.NDArray[np.float64], y: npt.ArrayLike, sqrtInvD: npt.ArrayLike) -> None:
    """Set rows of x to the inverse of (sqrt(D) L)' times rows of y; sqrtInvD holds 1 / sqrt(D)."""
def mj_stateSize(m: MjModel, sig: SupportsIndex) -> int:
    """Return the number of elements of a state with components sig (bits of mjtState)."""
def mj_step(m: MjModel, d: MjData, nstep: SupportsIndex = 1) -> None:
    """Advance simulation. Optionally, repeat nstep times. One call into compiled code does all steps, without the
    interpreter lock.
    """
def mj_step1(m: MjModel, d: MjData) -> None:
    """Make the first part of a step: checks, and everything that does not depend on controls and applied forces."""
def mj_step2(m: MjModel, d: MjData) -> None:
    """Make the second part of a step: forces, accelerations, integration (Runge-Kutta becomes Euler)."""
def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Linear velocity and angular momentum of subtrees."""
def mj_tendon(m: MjModel, d: MjData) -> None:
    """Tendon lengths and moments."""
def mj_transmission(m: MjModel, d: MjData) -> None:
    """Actuator lengths and moments."""
def mj_unmountVFS(vfs: MjVfs, filename: str) -> None:
    """Remove the provider from a path."""
def mj_version() -> int:
    """Return the version of MuJoCo whose interface and results this engine has."""
def mj_versionString() -> str:
    """Return the release of MuJoCo whose results this engine computes, as a string."""
def mjd_inverseFD(m: MjModel, d: MjData, eps: SupportsFloat, flg_actuation: SupportsIndex, DfDq: npt.NDArray[np.float64] | None, DfDv: npt.NDArray[np.float64] | None, DfDa: npt.NDArray[np.float64] | None, DsDq: npt.NDArray[np.float64] | None, DsDv: npt.NDArray[np.float64] | None, DsDa: npt.NDArray[np.float64] | None, DmDq: npt.NDArray[np.float64] | None) -> None:
    """Compute derivatives of inverse dynamics by finite differences of size eps. Each row of a result belongs to one input.

    The results are derivatives of the force (less actuator forces if flg_actuation) and of the sensors, with respect to
    configuration, velocity and acceleration. The last result is the derivative of the inertia with respect to configuration.
    The inertia is qM; since release 3.11, it is M, which has nC numbers. Pass None for arrays that you do not need.
    """
def mjd_quatIntegrate(vel: npt.ArrayLike, scale: SupportsFloat, Dquat: npt.NDArray[np.float64], Dvel: npt.NDArray[np.float64], Dscale: npt.NDArray[np.float64]) -> None:
    """Compute derivatives of mju_quatIntegrate with respect to the quaternion, the scaled velocity and the scale, as rotations
    in local frames.

    vel: in radians per second
    scale: time in seconds
    """
def mjd_subQuat(qa: npt.ArrayLike, qb: npt.ArrayLike, Da: npt.NDArray[np.float64] | None, Db: npt.NDArray[np.float64] | None) -> None:
    """Compute derivatives of mju_subQuat with respect to rotations of qa and qb in their own frames; 9 numbers each, or
    None.
    """
def mjd_transitionFD(m: MjModel, d: MjData, eps: SupportsFloat, flg_centered: SupportsIndex, A: npt.NDArray[np.float64] | None, B: npt.NDArray[np.float64] | None, C: npt.NDArray[np.float64] | None, D: npt.NDArray[np.float64] | None) -> None:
    """Compute derivatives of a step by finite differences of size eps: next state = A state + B ctrl, sensors = C state + D
    ctrl.

    The state is (configuration difference as a velocity, qvel, act), of size n = 2 nv + na. A is (n, n), B (n, nu),
    C (nsensordata, n), D (nsensordata, nu); pass None for a matrix that you do not need. As in MuJoCo, D of centered
    differences has the opposite sign.
    """
def mjp_defaultPlugin(plugin: mjpPlugin) -> None:
    """Set all members of an mjpPlugin to their defaults."""
def mjp_findProvider(resource_name: str) -> None:
    """Same as mjp_getResourceProvider; this name exists since 3.16."""
def mjp_getPlugin(name: str) -> _PluginSlot:
    """Return (mjpPlugin, slot) of a name; (None, -1) if no such plugin is registered."""
def mjp_getPluginAtSlot(slot: SupportsIndex) -> mjpPlugin | None:
    """Return the mjpPlugin in a slot, or None."""
def mjp_getProviderAtSlot(slot: SupportsIndex) -> None:
    """Same as mjp_getResourceProviderAtSlot; this name exists since 3.16."""
def mjp_getResourceProvider(resource_name: str) -> mjpResourceProvider | None:
    """Return the provider that reads a name; None if the name is that of a file."""
def mjp_getResourceProviderAtSlot(slot: SupportsIndex) -> mjpResourceProvider | None:
    """Return the provider in a slot, counted from 1, or None."""
def mjp_pluginCount() -> int:
    """Return the number of registered plugins."""
def mjp_providerCount() -> None:
    """Same as mjp_resourceProviderCount; this name exists since 3.16."""
def mjp_registerPlugin(plugin: mjpPlugin) -> int:
    """Register an mjpPlugin and return its slot; an equal description returns the same slot. FatalError if it is invalid."""
def mjp_registerProvider(provider: mjpResourceProvider) -> None:
    """Same as mjp_registerResourceProvider; this name exists since 3.16."""
def mjp_registerResourceProvider(provider: mjpResourceProvider) -> int:
    """Register an mjpResourceProvider and return its slot, counted from 1. FatalError if its scheme is taken or invalid."""
def mjp_resourceProviderCount() -> int:
    """Return the number of registered providers, including the built-in ones."""
def mjr_addAux(index: SupportsIndex, width: SupportsIndex, height: SupportsIndex, samples: SupportsIndex, con: MjrContext) -> None:
    """Create the auxiliary color and depth buffer with an index, in place of a previous one. A width or height below 1 only
    removes the previous one.

    index: from 0 to mjNAUX - 1. ValueError for others
    width, height: in pixels
    samples: samples per pixel; 0: no antialiasing
    """
def mjr_blitAux(index: SupportsIndex, src: MjrRect, left: SupportsIndex, bottom: SupportsIndex, con: MjrContext) -> None:
    """Copy a rectangle of an auxiliary buffer to a position in the current buffer. Do nothing if the auxiliary buffer does
    not exist.

    left, bottom: position in pixels
    """
def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: SupportsIndex, flg_depth: SupportsIndex, con: MjrContext) -> None:
    """Copy a rectangle of the current buffer to the other buffer, scaled if the sizes differ. Both buffers must exist."""
def mjr_changeFont(fontscale: SupportsIndex, con: MjrContext) -> None:
    """Change the font scale (percent)."""
def mjr_drawPixels(rgb: npt.NDArray[np.uint8] | None, depth: npt.NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Draw an image into a rectangle of h x w pixels. ValueError for an image of another size.

    rgb: uint8 (h, w, 3), bottom row first
    depth: depth (h, w) is not supported: pass None, other values raise ValueError
    """
def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draw a figure into a rectangle. Write its axes into the figure, in pixels and in data units."""
def mjr_findRect(x: SupportsIndex, y: SupportsIndex, nrect: SupportsIndex, rect: Sequence[MjrRect]) -> int:
    """Return the index of the first of nrect rectangles (one, or a sequence) that contains a pixel; -1 if none does."""
def mjr_finish() -> None:
    """Wait until the GPU has finished."""
def mjr_getError() -> int:
    """Return OpenGL's error code, 0 for none."""
def mjr_label(viewport: MjrRect, font: SupportsIndex, txt: str, r: SupportsFloat, g: SupportsFloat, b: SupportsFloat, a: SupportsFloat, rt: SupportsFloat, gt: SupportsFloat, bt: SupportsFloat, con: MjrContext) -> None:
    """Draw a filled rectangle with centered text.

    r, g, b, a: color of the rectangle, from 0 to 1
    rt, gt, bt: color of the text, from 0 to 1
    """
def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """Return the rectangle of the whole current buffer."""
def mjr_overlay(font: SupportsIndex, gridpos: SupportsIndex, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext) -> None:
    """Draw one or two columns of text on a dim box, at one of eight positions in a viewport. None or '' omits a column."""
def mjr_readPixels(rgb: npt.NDArray[np.uint8] | None, depth: npt.NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Read a rectangle of h x w pixels into arrays; None skips an array. ValueError for an array of another size.

    rgb: uint8 (h, w, 3), written, bottom row first
    depth: float32 (h, w), written, bottom row first: values of the depth buffer, 0 at the near plane to 1 at the far plane,
        or from 1 to 0 if con.readDepthMap is mjDEPTH_ZEROFAR
    """
def mjr_rectangle(viewport: MjrRect, r: SupportsFloat, g: SupportsFloat, b: SupportsFloat, a: SupportsFloat) -> None:
    """Fill a rectangle of the bound framebuffer with a color; an alpha below 1 blends.

    r, g, b, a: from 0 to 1
    """
def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene into a rectangle of the current buffer."""
def mjr_resizeOffscreen(width: SupportsIndex, height: SupportsIndex, con: MjrContext) -> None:
    """Change the size of the offscreen buffer.

    width, height: in pixels
    """
def mjr_restoreBuffer(con: MjrContext) -> None:
    """Bind the current buffer again, after drawing into an auxiliary buffer."""
def mjr_setAux(index: SupportsIndex, con: MjrContext) -> None:
    """Draw into an auxiliary buffer until the next mjr_setBuffer or mjr_restoreBuffer.

    index: ValueError unless there is such a buffer
    """
def mjr_setBuffer(framebuffer: SupportsIndex, con: MjrContext) -> None:
    """From now on, draw into the window's buffer or the offscreen buffer."""
def mjr_text(font: SupportsIndex, txt: str, con: MjrContext, x: SupportsFloat, y: SupportsFloat, r: SupportsFloat, g: SupportsFloat, b: SupportsFloat) -> None:
    """Draw text at a position x, y given as fractions of the current viewport.

    font: mjtFont
    r, g, b: from 0 to 1
    """
def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: SupportsIndex) -> None:
    """Upload one height field again."""
def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: SupportsIndex) -> None:
    """Upload one mesh again."""
def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: SupportsIndex) -> None:
    """Upload one texture again."""
def mju_Halton(index: SupportsIndex, base: SupportsIndex) -> float:
    """Return an element of a Halton sequence."""
def mju_L1(vec: npt.NDArray[np.float64]) -> float:
    """Return the sum of absolute values."""
def mju_add(res: npt.NDArray[np.float64], vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """Set res = vec1 + vec2."""
def mju_add3(res: npt.NDArray[np.float64], vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """Set res = vec1 + vec2."""
def mju_addScl(res: npt.NDArray[np.float64], vec1: npt.ArrayLike, vec2: npt.ArrayLike, scl: SupportsFloat) -> None:
    """Set res = vec1 + vec2 scl."""
def mju_addScl3(res: npt.NDArray[np.float64], vec1: npt.ArrayLike, vec2: npt.ArrayLike, scl: SupportsFloat) -> None:
    """Set res = vec1 + vec2 scl."""
def mju_addTo(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Add vec to res."""
def mju_addTo3(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Add vec to res."""
def mju_addToScl(res: npt.NDArray[np.float64], vec: npt.ArrayLike, scl: SupportsFloat) -> None:
    """Add the product of vec and scl to res."""
def mju_addToScl3(res: npt.NDArray[np.float64], vec: npt.ArrayLike, scl: SupportsFloat) -> None:
    """Add the product of vec and scl to res."""
def mju_axisAngle2Quat(res: npt.NDArray[np.float64], axis: npt.ArrayLike, angle: SupportsFloat) -> None:
    """Set res to the rotation by angle about a unit axis.

    angle: in radians
    """
def mju_band2Dense(res: npt.NDArray[np.float64], mat: npt.ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex, flg_sym: SupportsIndex) -> None:
    """Set res to a band-dense matrix: to its lower triangle, or to all of it if flg_sym.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
def mju_bandDiag(i: SupportsIndex, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex) -> int:
    """Return the index of diagonal element i of a band-dense matrix."""
def mju_bandMulMatVec(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex, nvec: SupportsIndex, flg_sym: SupportsIndex) -> None:
    """Set res = mat vec; nvec is 1; mat is symmetric if flg_sym, else lower triangular.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
def mju_boxQP(res: npt.NDArray[np.float64], R: npt.NDArray[np.float64], index: npt.NDArray[np.int32] | None, H: npt.ArrayLike, g: npt.ArrayLike, lower: npt.ArrayLike | None, upper: npt.ArrayLike | None) -> int:
    """Minimize x' H x / 2 + x' g within lower <= x <= upper, starting from res, by projected Newton steps.

    R gets the Cholesky factor of the free part of H, index the free dimensions. Returns the number of free dimensions, -1
    for failure. Source: Y. Tassa, N. Mansard, E. Todorov, Control-limited differential dynamic programming (2014).

    lower, upper: None: no bounds. FatalError if a lower bound is not below the upper one
    """
def mju_cholFactor(mat: npt.NDArray[np.float64], mindiag: SupportsFloat) -> int:
    """Factor mat in its lower triangle, raising smaller pivots to mindiag; return the number of pivots that were not raised."""
def mju_cholFactorBand(mat: npt.NDArray[np.float64], ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex, diagadd: SupportsFloat, diagmul: SupportsFloat) -> float:
    """Factor mat + diagadd + diagmul diag(mat) in place; return the smallest pivot, 0 if the matrix is singular.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
def mju_cholSolve(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """Solve (mat mat') res = vec for a factor in the lower triangle of mat."""
def mju_cholSolveBand(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex) -> None:
    """Solve (mat mat') res = vec for a band-dense Cholesky factor.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
def mju_cholUpdate(mat: npt.NDArray[np.float64], x: npt.NDArray[np.float64], flg_plus: SupportsIndex) -> int:
    """Update the factor of mat mat' + x x' (minus, if flg_plus is 0) in place, destroying x; return the rank."""
def mju_clip(x: SupportsFloat, min: SupportsFloat, max: SupportsFloat) -> float:
    """Return x clamped to the range from min to max."""
def mju_copy(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res = vec."""
def mju_copy3(res: npt.NDArray[np.float64], data: npt.ArrayLike) -> None:
    """Set res = data."""
def mju_copy4(res: npt.NDArray[np.float64], data: npt.ArrayLike) -> None:
    """Set res = data."""
def mju_cross(res: npt.NDArray[np.float64], a: npt.ArrayLike, b: npt.ArrayLike) -> None:
    """Set res = a x b."""
def mju_d2n(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res = vec."""
def mju_decodePyramid(force: npt.NDArray[np.float64], pyramid: npt.ArrayLike, mu: npt.ArrayLike) -> None:
    """Set force to the contact force that pyramid edge forces add up to."""
def mju_dense2Band(res: npt.NDArray[np.float64], mat: npt.ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex) -> None:
    """Set res to the band-dense form of a symmetric matrix; only the lower triangle is read.

    res: nmat = (ntotal - ndense) nband + ndense ntotal
    """
def mju_dense2sparse(res: npt.NDArray[np.float64], mat: npt.ArrayLike, rownnz: npt.NDArray[np.int32], rowadr: npt.NDArray[np.int32], colind: npt.NDArray[np.int32]) -> int:
    """Store mat in compressed rows; return 0, or 1 if res is too short."""
def mju_derivQuat(res: npt.NDArray[np.float64], quat: npt.ArrayLike, vel: npt.ArrayLike) -> None:
    """Set res to the time derivative of quat for an angular velocity in the rotated (local) frame.

    vel: in radians per second
    """
def mju_dist3(pos1: npt.ArrayLike, pos2: npt.ArrayLike) -> float:
    """Return the distance between two points."""
def mju_dot(vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> float:
    """Return the dot product."""
def mju_dot3(vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> float:
    """Return the dot product."""
def mju_eig3(eigval: npt.NDArray[np.float64], eigvec: npt.NDArray[np.float64], quat: npt.NDArray[np.float64], mat: npt.ArrayLike) -> int:
    """Compute eigenvalues (largest first) and eigenvectors (columns, also as quaternion) of a symmetric 3 x 3 matrix;
    return the iterations.

    Jacobi's method, with the rotations accumulated in a quaternion.
    """
def mju_encodePyramid(pyramid: npt.NDArray[np.float64], force: npt.ArrayLike, mu: npt.ArrayLike) -> None:
    """Set pyramid to edge forces whose sum is a contact force."""
def mju_euler2Quat(quat: npt.NDArray[np.float64], euler: npt.ArrayLike, seq: str) -> None:
    """Set quat to three rotations about the axes named by seq. Lower case: about moving axes; upper case: about fixed axes.

    euler: in radians
    seq: three letters of xyzXYZ. FatalError for others
    """
def mju_eye(mat: npt.NDArray[np.float64]) -> None:
    """Set mat to the identity."""
def mju_f2n(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res = vec, float32 to float64."""
def mju_fill(res: npt.NDArray[np.float64], val: SupportsFloat) -> None:
    """Set every element of res to val."""
def mju_getXMLDependencies(filename: str) -> list[str]:
    """Return the names of all files that a model file needs: the file itself, models and includes with their own files, and
    assets.
    """
def mju_info(topic: int, msg: str) -> None:
    """Send a message about a topic (mjtLogTopic)."""
def mju_insertionSort(list: npt.NDArray[np.float64]) -> None:
    """Sort in place, smallest first."""
def mju_insertionSortInt(list: npt.NDArray[np.int32]) -> None:
    """Sort in place, smallest first."""
def mju_isBad(x: SupportsFloat) -> int:
    """Return 1 if x is NaN or its absolute value is above mjMAXVAL."""
def mju_isZero(vec: npt.NDArray[np.float64]) -> int:
    """Return 1 if all elements are 0."""
def mju_mat2Quat(quat: npt.NDArray[np.float64], mat: npt.ArrayLike) -> None:
    """Set quat to the quaternion of a rotation matrix."""
def mju_mat2Rot(quat: npt.NDArray[np.float64], mat: npt.ArrayLike) -> int:
    """Rotate quat to the rotation nearest to a matrix; return the number of iterations.

    Source: M. Mueller, J. Bender, N. Chentanez, M. Macklin, A robust method to extract the rotational part of deformations
    (2016).
    """
def mju_max(a: SupportsFloat, b: SupportsFloat) -> float:
    """Return the larger number."""
def mju_message(msg: MjLogMessage) -> None:
    """Send a message. Messages of a topic other than mjTOPIC_NONE are written only if MjLogConfig.topics enables it."""
def mju_min(a: SupportsFloat, b: SupportsFloat) -> float:
    """Return the smaller number."""
def mju_mulMatMat(res: npt.NDArray[np.float64], mat1: npt.ArrayLike, mat2: npt.ArrayLike) -> None:
    """Set res = mat1 mat2."""
def mju_mulMatMatT(res: npt.NDArray[np.float64], mat1: npt.ArrayLike, mat2: npt.ArrayLike) -> None:
    """Set res = mat1 mat2'."""
def mju_mulMatTMat(res: npt.NDArray[np.float64], mat1: npt.ArrayLike, mat2: npt.ArrayLike) -> None:
    """Set res = mat1' mat2."""
def mju_mulMatTVec(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """Set res = mat' vec."""
def mju_mulMatTVec3(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """Set res = mat' vec, mat 3 x 3."""
def mju_mulMatVec(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """Set res = mat vec."""
def mju_mulMatVec3(res: npt.NDArray[np.float64], mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """Set res = mat vec, mat 3 x 3."""
def mju_mulPose(posres: npt.NDArray[np.float64], quatres: npt.NDArray[np.float64], pos1: npt.ArrayLike, quat1: npt.ArrayLike, pos2: npt.ArrayLike, quat2: npt.ArrayLike) -> None:
    """Set (posres, quatres) to pose 1 followed by pose 2 in its frame."""
def mju_mulQuat(res: npt.NDArray[np.float64], quat1: npt.ArrayLike, quat2: npt.ArrayLike) -> None:
    """Set res = quat1 quat2."""
def mju_mulQuatAxis(res: npt.NDArray[np.float64], quat: npt.ArrayLike, axis: npt.ArrayLike) -> None:
    """Set res = quat (0, axis)."""
def mju_mulVecMatVec(vec1: npt.ArrayLike, mat: npt.ArrayLike, vec2: npt.ArrayLike) -> float:
    """Return vec1' mat vec2 for a square matrix."""
def mju_muscleBias(len: SupportsFloat, lengthrange: npt.ArrayLike, acc0: SupportsFloat, prm: npt.ArrayLike) -> float:
    """Return a muscle's passive force; prm as in mju_muscleGain."""
def mju_muscleDynamics(ctrl: SupportsFloat, act: SupportsFloat, prm: npt.ArrayLike) -> float:
    """Return the time derivative of a muscle's activation; prm = (activation time, deactivation time, smoothing width)."""
def mju_muscleGain(len: SupportsFloat, vel: SupportsFloat, lengthrange: npt.ArrayLike, acc0: SupportsFloat, prm: npt.ArrayLike) -> float:
    """Return a muscle's active force at full activation; prm = (range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax)."""
def mju_n2d(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set res = vec."""
def mju_n2f(res: npt.NDArray[np.float32], vec: npt.ArrayLike) -> None:
    """Set res = vec, float64 to float32."""
def mju_negPose(posres: npt.NDArray[np.float64], quatres: npt.NDArray[np.float64], pos: npt.ArrayLike, quat: npt.ArrayLike) -> None:
    """Set (posres, quatres) to the inverse pose."""
def mju_negQuat(res: npt.NDArray[np.float64], quat: npt.ArrayLike) -> None:
    """Set res to the conjugate, the inverse rotation."""
def mju_norm(res: npt.ArrayLike) -> float:
    """Return the length of a vector."""
def mju_norm3(vec: npt.ArrayLike) -> float:
    """Return the length of vec."""
def mju_normalize(res: npt.NDArray[np.float64]) -> float:
    """Scale res to length 1 and return its length; below mjMINVAL it becomes (1, 0, ..., 0)."""
def mju_normalize3(vec: npt.NDArray[np.float64]) -> float:
    """Scale vec to length 1 and return its length; below mjMINVAL it becomes (1, 0, 0)."""
def mju_normalize4(vec: npt.NDArray[np.float64]) -> float:
    """Scale vec to length 1 and return its length; below mjMINVAL it becomes (1, 0, 0, 0)."""
def mju_printMat(mat: npt.ArrayLike) -> None:
    """Print a matrix."""
def mju_printMatSparse(mat: npt.ArrayLike, rownnz: npt.ArrayLike, rowadr: npt.ArrayLike, colind: npt.ArrayLike) -> None:
    """Print the stored elements of a matrix in compressed rows."""
def mju_quat2Mat(res: npt.NDArray[np.float64], quat: npt.ArrayLike) -> None:
    """Set res to the rotation matrix of quat."""
def mju_quat2Vel(res: npt.NDArray[np.float64], quat: npt.ArrayLike, dt: SupportsFloat) -> None:
    """Set res to the angular velocity that rotates by quat in time dt, the short way.

    dt: in seconds
    """
def mju_quatIntegrate(quat: npt.NDArray[np.float64], vel: npt.ArrayLike, scale: SupportsFloat) -> None:
    """Rotate quat by angular velocity vel, given in the rotated (local) frame, for time scale.

    vel: in radians per second
    scale: time in seconds
    """
def mju_quatZ2Vec(quat: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Set quat to the rotation that takes the z axis to vec."""
def mju_rayFlex(m: MjModel, d: MjData, flex_layer: SupportsIndex, flg_vert: bool, flg_edge: bool, flg_face: bool, flg_skin: bool, flexid: SupportsIndex, pnt: npt.ArrayLike, vec: npt.ArrayLike, vertid: npt.NDArray[np.int32]) -> float:
    """Return the distance at which a ray hits the visible parts of a deformable, -1 for a miss; the nearest vertex is written
    to vertid.

    The flags say whether vertices, edges, faces (of one layer) and skin are visible.

    pnt: start of the ray in the world, in meters
    vec: direction; the distance is in lengths of vec
    """
def mju_rayGeom(pos: npt.ArrayLike, mat: npt.ArrayLike, size: npt.ArrayLike, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomtype: SupportsIndex, normal: npt.NDArray[np.float64] | None = None) -> float:
    """Return the distance at which a ray hits a shape, in lengths of vec; -1 for a miss. FatalError for an unknown type.

    pos, mat, size: pose and size of the shape, in meters
    geomtype: type of the shape (mjtGeom)
    normal: receives the outward normal, zeros for a miss (since 3.5)
    pnt: start of the ray, in meters
    vec: direction of the ray
    """
def mju_raySkin(nface: SupportsIndex, nvert: SupportsIndex, face: npt.ArrayLike, vert: npt.ArrayLike, pnt: npt.ArrayLike, vec: npt.ArrayLike, vertid: npt.NDArray[np.int32] | None) -> float:
    """Return the distance at which a ray hits a skin, in lengths of vec; -1 for a miss.

    nface, nvert: number of triangles and of vertices
    face: int32 (3 nface) or (nface, 3): indices of the vertices of each triangle
    vert: float64 (3 nvert) or (nvert, 3): positions of the vertices, in meters
    vertid: receives the index of the vertex nearest to the hit; None if you do not need it
    pnt: start of the ray in the world, in meters
    vec: direction of the ray
    """
def mju_rotVecQuat(res: npt.NDArray[np.float64], vec: npt.ArrayLike, quat: npt.ArrayLike) -> None:
    """Set res = vec rotated by quat."""
def mju_round(x: SupportsFloat) -> int:
    """Return the nearest integer, rounding halves up; away from zero if `tumble.compat` is 3.11 or later."""
def mju_scl(res: npt.NDArray[np.float64], vec: npt.ArrayLike, scl: SupportsFloat) -> None:
    """Set res = vec scl."""
def mju_scl3(res: npt.NDArray[np.float64], vec: npt.ArrayLike, scl: SupportsFloat) -> None:
    """Set res = vec scl."""
def mju_setLogHandler(handler: Callable[[MjLogMessage], Any] | None) -> Any:
    """Set the function that receives all messages (MjLogMessage), None to remove it. Returns the previous one. Errors
    are not messages.
    """
def mju_sigmoid(x: SupportsFloat) -> float:
    """Return a quintic that rises from 0 at 0 to 1 at 1, with zero first and second derivatives at both ends."""
def mju_sign(x: SupportsFloat) -> float:
    """Return -1, 0 or 1."""
def mju_sparse2dense(res: npt.NDArray[np.float64], mat: npt.ArrayLike, rownnz: npt.ArrayLike, rowadr: npt.ArrayLike, colind: npt.ArrayLike) -> None:
    """Set res to the matrix stored in compressed rows."""
def mju_springDamper(pos0: SupportsFloat, vel0: SupportsFloat, Kp: SupportsFloat, Kv: SupportsFloat, dt: SupportsFloat) -> float:
    """Return the position after time dt of a unit mass on a spring and damper.

    pos0, vel0: position and velocity at time 0
    Kp, Kv: stiffness and damping
    dt: in seconds
    """
def mju_sqrMatTD(res: npt.NDArray[np.float64], mat: npt.ArrayLike, diag: npt.NDArray[np.float64] | None) -> None:
    """Set res = mat' diag mat; None for diag means the identity."""
def mju_standardNormal(num2: npt.NDArray[np.float64] | float | None = None) -> float:
    """Return a random number from the standard normal distribution.

    num2: float64 (1), written: a second random number; a number or None is ignored
    """
def mju_str2Type(str: str) -> int:
    """Return the object type (mjtObj) with a name; 0 if there is none."""
def mju_sub(res: npt.NDArray[np.float64], vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """Set res = vec1 - vec2."""
def mju_sub3(res: npt.NDArray[np.float64], vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """Set res = vec1 - vec2."""
def mju_subFrom(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Subtract vec from res."""
def mju_subFrom3(res: npt.NDArray[np.float64], vec: npt.ArrayLike) -> None:
    """Subtract vec from res."""
def mju_subQuat(res: npt.NDArray[np.float64], qa: npt.ArrayLike, qb: npt.ArrayLike) -> None:
    """Set res to the rotation vector from qb to qa, in the frame of qb."""
def mju_sum(vec: npt.NDArray[np.float64]) -> float:
    """Return the sum of the elements."""
def mju_sym2dense(res: npt.NDArray[np.float64], mat: npt.ArrayLike, rownnz: npt.ArrayLike, rowadr: npt.ArrayLike, colind: npt.ArrayLike) -> None:
    """Set res to the symmetric matrix whose lower triangle is given in compressed rows (since 3.8)."""
def mju_symmetrize(res: npt.NDArray[np.float64], mat: npt.ArrayLike) -> None:
    """Set res = (mat + mat') / 2."""
def mju_transformSpatial(res: npt.NDArray[np.float64], vec: npt.ArrayLike, flg_force: SupportsIndex, newpos: npt.ArrayLike, oldpos: npt.ArrayLike, rotnew2old: npt.ArrayLike) -> None:
    """Set res to a motion vector (or a force, if flg_force) of the old frame, expressed in the new frame; rotational part
    first.
    """
def mju_transpose(res: npt.NDArray[np.float64], mat: npt.ArrayLike) -> None:
    """Set res = mat'."""
def mju_trnVecPose(res: npt.NDArray[np.float64], pos: npt.ArrayLike, quat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """Set res to the point vec of a frame, expressed in the parent frame."""
def mju_type2Str(type: SupportsIndex) -> str:
    """Return the name of an object type (mjtObj), or None."""
def mju_unit4(res: npt.NDArray[np.float64]) -> None:
    """Set res = (1, 0, 0, 0)."""
def mju_warningText(warning: SupportsIndex, info: SupportsIndex) -> str:
    """Return the text of a warning (mjtWarning) about an element or size."""
def mju_writeLog(type: str, msg: str) -> None:
    """Append a message to the log file."""
def mju_writeNumBytes(nbytes: SupportsIndex) -> str:
    """Return a number of bytes as text, with a suffix if it is a whole number of units."""
def mju_zero(res: npt.NDArray[np.float64]) -> None:
    """Set res = 0."""
def mju_zero3(res: npt.NDArray[np.float64]) -> None:
    """Set res = 0."""
def mju_zero4(res: npt.NDArray[np.float64]) -> None:
    """Set res = 0."""
def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: SupportsIndex, scn: MjvScene) -> None:
    """Append the geoms of a state to the scene; a scene can combine several states. `catmask`: a sum of mjtCatBit values."""
def mjv_alignToCamera(res: npt.NDArray[np.float64], vec: npt.ArrayLike, forward: npt.ArrayLike) -> None:
    """Rotate a vector about the vertical, by the rotation that turns the y axis to the camera's horizontal direction.

    res: float64 (3), written
    vec: float64 (3)
    forward: float64 (3): direction in which the camera looks
    """
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None:
    """Write a drag's force and torque into `xfrc_applied` of the selected body."""
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: SupportsIndex) -> None:
    """Move a dragged mocap body to the reference pose. While paused, also move a free body, or the free root of the body's
    tree.
    """
def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """Return the camera midway between two GL cameras, with its up direction made orthogonal to forward."""
def mjv_camera2GLCamera(m: MjModel, d: MjData, cam: MjvCamera) -> MjvGLCamera:
    """Return the GL camera of an abstract camera, midway between the eyes (since 4.0). Raise ValueError if the model lacks
    the camera.
    """
def mjv_cameraFrame(headpos: npt.NDArray[np.float64], forward: npt.NDArray[np.float64], up: npt.NDArray[np.float64], right: npt.NDArray[np.float64], d: MjData, cam: MjvCamera) -> None:
    """Write the frame of an abstract camera into the given arrays; None skips one. ValueError if the model lacks the camera.

    headpos: float64 (3), written: position in the world, in meters
    forward, up, right: float64 (3), written: unit vectors
    """
def mjv_cameraFrustum(zver: npt.NDArray[np.float32], zhor: npt.NDArray[np.float32], zclip: npt.NDArray[np.float32], m: MjModel, cam: MjvCamera) -> None:
    """Write the frustum of an abstract camera into the given arrays; None skips one. ValueError if the model lacks the camera.

    zver: float32 (2), written: vertical extents on the two sides of the axis at the near plane, in meters
    zhor: float32 (2), written: horizontal extents; zeros if the viewport's aspect ratio determines them
    zclip: float32 (2), written: distances of the near and far planes, in meters
    """
def mjv_cameraInModel(headpos: npt.NDArray[np.float64], forward: npt.NDArray[np.float64], up: npt.NDArray[np.float64], scn: MjvScene) -> None:
    """Write the camera's frame in model space, averaged over the two GL cameras; None skips an array.

    headpos: float64 (3), written: position in meters
    forward, up: float64 (3), written: unit vectors
    """
def mjv_cameraInRoom(headpos: npt.NDArray[np.float64], forward: npt.NDArray[np.float64], up: npt.NDArray[np.float64], scn: MjvScene) -> None:
    """Write the camera's frame in room space, averaged over the two GL cameras; None skips an array.

    headpos: float64 (3), written: position in meters
    forward, up: float64 (3), written: unit vectors
    """
def mjv_connector(geom: MjvGeom, type: SupportsIndex, width: SupportsFloat, from_: npt.ArrayLike, to: npt.ArrayLike) -> None:
    """Set type, size, pos and mat of a geom so that it connects two points. ValueError for types that cannot connect points.

    type: mjtGeom
    width: radius or half width in meters; of a line, its width in pixels
    from_, to: float64 (3): the points, in meters
    """
def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Set an abstract camera to its defaults."""
def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Set a figure to its defaults."""
def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Set a free camera that shows the whole model, with the angles of `m.vis.global_`."""
def mjv_defaultOption(opt: MjvOption) -> None:
    """Set visualization options to their defaults."""
def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Clear a perturbation and its selection."""
def mjv_frustumHeight(scn: MjvScene) -> float:
    """Return the view's height in meters, averaged over both cameras: at a distance of 1 meter (perspective) or at any distance
    (orthographic). ValueError if only one camera is orthographic.
    """
def mjv_initGeom(geom: MjvGeom, type: SupportsIndex, size: npt.ArrayLike | None, pos: npt.ArrayLike | None, mat: npt.ArrayLike | None, rgba: npt.ArrayLike | None) -> None:
    """Set a geom's type and the given fields. All other fields, including those given as None, get defaults.

    type: mjtGeom
    size: float64 (3): in meters; sizes of spheres, capsules and cylinders are converted to x, y, z scales
    pos: float64 (3): in meters
    mat: float64 (9): rotation matrix
    rgba: float32 (4): from 0 to 1
    """
def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:
    """Start a drag of the selected body. From the body's pose, set the drag's reference pose and point, the mass at the point,
    and the mouse scale.
    """
def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Set the scene's lights: the headlight at the camera, then the model's active lights."""
def mjv_model2room(roompos: npt.NDArray[np.float64], roomquat: npt.NDArray[np.float64], modelpos: npt.ArrayLike, modelquat: npt.ArrayLike, scn: MjvScene) -> None:
    """Convert a pose in model space to room space.

    roompos: float64 (3), written: in meters
    roomquat: float64 (4), written
    modelpos: float64 (3): in meters
    modelquat: float64 (4)
    """
def mjv_moveCamera(m: MjModel, action: SupportsIndex, reldx: SupportsFloat, reldy: SupportsFloat, scn: MjvScene = ..., cam: MjvCamera | None = None) -> None:
    """Move a camera by a mouse motion, in fractions of the viewport height. Fixed cameras do not move; tracking cameras do
    not pan.

    If there is no scene argument, as in release 3.11 and later, the fifth argument is the camera. Turning (since 4.0) keeps the
    camera's position and moves the point it looks at. ValueError for an unknown action.

    action: mjtMouse
    reldx, reldy: motion of the mouse, in fractions of the viewport's height
    """
def mjv_moveModel(m: MjModel, action: SupportsIndex, reldx: SupportsFloat, reldy: SupportsFloat, roomup: npt.ArrayLike, scn: MjvScene) -> None:
    """Move, turn or scale the whole model in the room. Do nothing if the scene transform is off.

    action: mjtMouse
    reldx, reldy: motion of the mouse, in fractions of the viewport's height
    roomup: float64 (3): the up direction in the room, a unit vector
    """
def mjv_movePerturb(m: MjModel, d: MjData, action: SupportsIndex, reldx: SupportsFloat, reldy: SupportsFloat, scn: MjvScene, pert: MjvPerturb) -> None:
    """Move the reference pose of a drag by a mouse motion, in fractions of the viewport height.

    action: mjtMouse
    reldx, reldy: motion of the mouse, in fractions of the viewport's height
    """
def mjv_room2model(modelpos: npt.NDArray[np.float64], modelquat: npt.NDArray[np.float64], roompos: npt.ArrayLike, roomquat: npt.ArrayLike, scn: MjvScene) -> None:
    """Convert a pose in room space to model space, by inverting the scene transform.

    modelpos: float64 (3), written: in meters
    modelquat: float64 (4), written
    roompos: float64 (3): in meters
    roomquat: float64 (4)
    """
def mjv_select(m: MjModel, d: MjData, vopt: MjvOption, aspectratio: SupportsFloat, relx: SupportsFloat, rely: SupportsFloat, scn: MjvScene, selpnt: npt.NDArray[np.float64], geomid: npt.NDArray[np.int32], flexid: npt.NDArray[np.int32], skinid: npt.NDArray[np.int32]) -> int:
    """Return the id of the body under the cursor, or -1. Ids of types that were not hit become -1.

    aspectratio: the viewport's width / height
    relx, rely: cursor position, in fractions of the viewport's width and height from the bottom left
    selpnt: float64 (3), written: the point in the world, in meters
    geomid, flexid, skinid: int32 (1), written: id of the geom, flex or skin
    """
def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera | None, scn: MjvScene) -> None:
    """Set both GL cameras of the scene from an abstract camera. A user camera, or None, changes nothing."""
def mjv_updateScene(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera | None, catmask: SupportsIndex, scn: MjvScene) -> None:
    """Rebuild the whole scene from a state: geoms, GL cameras, lights, flex and skin surfaces.

    pert may be None. If not all geoms fit, status becomes 1, and Data counts a warning for a full geom buffer.
    """
def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Update the skin surfaces of a scene, for groups 0..2."""
def set_mjcb_act_bias(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Install the callback mjcb_act_bias: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_act_dyn(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Install the callback mjcb_act_dyn: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_act_gain(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Install the callback mjcb_act_gain: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_collision(type1: SupportsIndex, type2: SupportsIndex, function: Callable[..., Any] | None) -> None:
    """Install a collision function for two geom types: a Python or compiled function, or None to restore the built-in one.

    A Python function gets (MjModel, MjData, geom1, geom2, margin), where geom1 has the lower type. It returns rows (distance,
    position, normal[, tangent]) of 7 or 10 numbers, or None. See engine.core.pair_hooks for details and compiled functions.
    In MuJoCo this exists only as the C table mjCOLLISIONFUNC. ValueError for unknown types, TypeError for objects that
    cannot be called.
    """
def set_mjcb_contactfilter(callback: Callable[[MjModel, MjData, int, int], int] | None) -> None:
    """Install the callback mjcb_contactfilter: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_control(callback: Callable[[MjModel, MjData], object] | None) -> None:
    """Install the callback mjcb_control: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_passive(callback: Callable[[MjModel, MjData], object] | None) -> None:
    """Install the callback mjcb_passive: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_sensor(callback: Callable[[MjModel, MjData, int], object] | None) -> None:
    """Install the callback mjcb_sensor: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mjcb_time(callback: Callable[[], float] | None) -> None:
    """Install the callback mjcb_time: a Python or compiled function, or None (see engine.core.hooks)."""
def set_mju_user_free(handler: Callable[..., Any] | None) -> None:
    """Store a handler for `free`. It is never called, because numpy allocates the memory."""
def set_mju_user_malloc(handler: Callable[..., Any] | None) -> None:
    """Store a handler for `malloc`. It is never called, because numpy allocates the memory."""
def set_mju_user_warning(handler: Callable[[str], object] | None) -> None:
    """Install a function that receives the text of every warning, which then goes neither to the terminal nor to the log file;
    None removes it.
    """
def show(model: MjModel, source: Any = None, *, dt: float | None = None) -> viewer.Served | viewer.Film:
    """Show a model in a notebook: a live scene, or a player of a trajectory. Needs viser (extra `web`); ImportError without it.

    source: an MjData whose state is shown and updated by `sync()`; None for a simulation that steps by itself; or a
        trajectory as for `viewer.serve`, which becomes a page that needs no server and stays in the notebook
    dt: seconds between rows of a trajectory without times
    """
def to_zip(spec: MjSpec, file: str | IO[bytes]) -> None:
    """Write a spec, as XML, and its assets to a zip file, given as a name or as a binary file object."""
def validate(m: Any) -> None:
    """Raise InvalidModel with field, row and value unless compiled code can trust a Model. Takes a few milliseconds; ignores
    floats.

    Models that were compiled or loaded from XML need no check. Binary files and pickles are checked when they are loaded,
    and models filled by hand when their first MjData is made.
    """
def warmup(model: MjModel | None = None, progress: Callable[[int, int, str], object] | None = None, workers: SupportsIndex | None = None, everything: bool = False) -> dict[str, float]:
    """Compile kernels that are not in the cache: those that most models need, those that `model` needs, or `everything`. With
    `everything`, also write the bytecode of the sources.

    Compilation runs in worker processes, by default one per processor. progress(done, total, stage) is called after
    each stage, from a thread. Returns {stage: seconds}; raises RuntimeError with the traceback of a stage that does not
    compile.
    """
