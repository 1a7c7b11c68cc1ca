"""The TABLE of names that exist only in some releases: names of the package, its structs and its enumerations.

    owner    `-` for the package, or a struct or enumeration. A name without a row is in all releases
    names    the names that the rest of the row describes
    since    the first release with them; -: 3.4 or before
    until    the first release without them; -: the newest release has them

NUMBERS lists enumerations whose values or members changed: the members of the newest release, in its order. The engine
has one value for each member, that of 3.4 or one of ours; `engine.later` translates it for the newest release.
"""

import functools
from typing import Any, NamedTuple

from .compat_rows import key
from .consts import mjDISABLESTRING, mjRNDSTRING

NAMES = """
-         3.5   -     mjtProjection mjtCamOutBit mjtRayDataField mj_rayFlex
-         3.5   -     mj_copyData mj_readCtrl mj_readSensor mj_initCtrlHistory
-         3.5   -     mj_initSensorHistory
-         -     3.5   mju_rayFlex
-         3.7   -     mjNPOLY
-         3.8   -     mj_maxContact mju_sym2dense
-         3.9   -     mjtCTimer MjPreContact
-         3.10  -     mjtConflict mjtLogLevel mjtLogTopic MjLogConfig MjLogMessage mju_threadpool
-         -     3.10  mjtTaskStatus mjMAXTHREAD
-         3.11  -     mjtCtrlChart mj_resetCtrl
-         3.12  -     mjtCtrlInput mj_actuatorInputName
-         3.13  -     mj_insideSite
-         3.16  -     mjtActuator mjtScaling MjsAuthored
-         3.17  -     mjtEmbed mjtPassthrough mj_loadTexture mj_embedAssets
-         3.17  -     mjSC_IN mjSC_OUT mjSC_INOUT MJTNUM_BYTES MJTNUM_DTYPE
-         4.0   -     mjtTendon mjtFlexSection mjv_camera2GLCamera mjrIndexType mjrMeshPrimitiveType mjrPixelFormat
-         4.0   -     mjrVertexAttributeType mjrVertexAttributeUsage MjrRendererInfo MjrVertexAttribute mjr_defaultRendererInfo
-         4.0   -     mjr_getRendererInfo Any IO Sequence TypeAlias Union
MjModel   -     3.5   cam_orthographic
MjModel   3.5   -     cam_projection cam_output actuator_delay actuator_history actuator_historyadr sensor_delay sensor_history
MjModel   3.5   -     sensor_historyadr sensor_interval nhistory
MjModel   3.6   -     nJten ten_J_rownnz ten_J_rowadr ten_J_colind nJfe flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind
MjModel   3.7   -     jnt_stiffnesspoly dof_dampingpoly tendon_stiffnesspoly tendon_dampingpoly actuator_dampingpoly
MjModel   3.7   -     actuator_armature actuator_damping jnt_actuatorid tendon_actuatorid
MjModel   3.8   -     flex_cellnum flex_stiffnessadr nflexstiffness flex_bendingadr nflexbending npolygonmax nmeshdegmax
MjModel   3.11  -     nactuator nout actuator_ctrladr actuator_ctrlnum
MjModel   3.11  -     actuator_outadr actuator_outnum geom_surfacevel geom_adhesion
MjModel   3.11  -     pair_adhesion flg_gravcomp flg_surfacevel flg_adhesion
MjModel   3.11  -     nefm0dof nefm0L efm0_dofid efm0_L_rownnz efm0_L_rowadr
MjModel   3.11  -     efm0_L_colind efm0_L
MjModel   3.12  -     mesh_extrema light_softness flex_size
MjModel   -     3.15  flex_internal flex_evpair flex_evpairadr flex_evpairnum nflexevpair
MjModel   3.13  -     site_dataid
MjModel   3.16  -     actuator_ctrlspec
MjModel   3.17  -     tex_contenttypeadr
MjModel   4.0   -     tendon_type geom_castshadow jnt_springyield jnt_plasticadr tendon_springyield tendon_plasticadr nplastic
MjModel   4.0   -     key_plastic flex_vertcell flex_plasticadr flex_plasticmode flex_yield efmC_perm nefmCvert
MjData    3.5   -     history
MjData    -     3.6   ten_J_rownnz ten_J_rowadr ten_J_colind flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind
MjData    3.9   -     efc_Y efc_Y_rownnz efc_Y_rowadr efc_Y_colind nY
MjData    -     3.10  efc_diagApprox maxuse_threadstack qM iM iM_rownnz iM_rowadr iM_colind iLD iLDiagInv iefc_J iefc_J_rownnz
MjData    -     3.10  iefc_J_rowadr iefc_J_rowsuper iefc_J_colind
MjData    3.10  -     efc_diagA
MjData    3.11  -     qfrc_adhesion flg_energypos flg_energyvel flg_subtreevel flg_rnepost
MjData    3.12  -     flexelem_krot flex_hessian_valid flexvert_hessian flexedge_hessian flexvert_lambda flexvert_conage
MjData    3.13  -     efm_active efm_c efm_diag efm_ck efm_sdiag efm_fluid efm_tid efm_ts efm_tk efm_aid efm_as efm_ak efm_ca
MjData    3.13  -     efm_K_rownnz efm_K_rowadr efm_K_colind efm_K_val efm_dofid
MjData    3.13  -     efm_con_ind efm_con_val efm_L nefmK nefmcon nefmT
MjData    3.13  -     nefmA nefmdof nefmL
MjData    4.0   -     plastic xiquat geom_xquat site_xquat
MjContact 3.11  -     adhesion
MjContact 4.0   -     surfacevel
MjvLight  3.12  -     softness
"""

# enumeration: its members in the newest release; numbers are given only where they do not count up
NUMBERS = """
mjtBias         mjBIAS_NONE mjBIAS_AFFINE mjBIAS_MUSCLE mjBIAS_DCMOTOR mjBIAS_SO3 mjBIAS_USER
mjtDyn          mjDYN_NONE mjDYN_INTEGRATOR mjDYN_FILTER mjDYN_FILTEREXACT mjDYN_MUSCLE mjDYN_DCMOTOR mjDYN_PID mjDYN_USER
mjtGain         mjGAIN_FIXED mjGAIN_AFFINE mjGAIN_MUSCLE mjGAIN_DCMOTOR mjGAIN_SO3 mjGAIN_PID mjGAIN_USER
mjtEq           mjEQ_CONNECT mjEQ_WELD mjEQ_JOINT mjEQ_TENDON mjEQ_FLEX mjEQ_FLEXVERT mjEQ_FLEXSTRAIN mjEQ_DISTANCE
mjtConDataField mjCONDATA_FOUND mjCONDATA_FORCE mjCONDATA_TORQUE mjCONDATA_DIST mjCONDATA_POS mjCONDATA_NORMAL mjCONDATA_TANGENT
mjtConDataField mjCONDATA_LINVEL mjCONDATA_ANGVEL mjNCONDATA
mjtDisableBit   mjDSBL_CONSTRAINT=1 mjDSBL_EQUALITY=2 mjDSBL_FRICTIONLOSS=4 mjDSBL_LIMIT=8 mjDSBL_CONTACT=16 mjDSBL_SPRING=32
mjtDisableBit   mjDSBL_DAMPER=64 mjDSBL_GRAVITY=128 mjDSBL_CLAMPCTRL=256 mjDSBL_WARMSTART=512 mjDSBL_FILTERPARENT=1024
mjtDisableBit   mjDSBL_ACTUATION=2048 mjDSBL_REFSAFE=4096 mjDSBL_SENSOR=8192 mjDSBL_MIDPHASE=16384 mjDSBL_EULERDAMP=32768
mjtDisableBit   mjDSBL_AUTORESET=65536 mjDSBL_NATIVECCD=131072 mjDSBL_ISLAND=262144 mjDSBL_MULTICCD=524288 mjNDISABLE=20
mjtEnableBit    mjENBL_OVERRIDE=1 mjENBL_ENERGY=2 mjENBL_FWDINV=4 mjENBL_INVDISCRETE=8 mjENBL_SLEEP=16 mjENBL_DIAGEXACT=32
mjtEnableBit    mjENBL_IPC=64 mjENBL_SPECULATIVE=128 mjNENABLE=8
mjtMeshBuiltin  mjMESH_BUILTIN_NONE mjMESH_BUILTIN_SPHERE
mjtMeshBuiltin  mjMESH_BUILTIN_HEMISPHERE mjMESH_BUILTIN_CONE mjMESH_BUILTIN_SUPERSPHERE
mjtMeshBuiltin  mjMESH_BUILTIN_SUPERTORUS mjMESH_BUILTIN_WEDGE mjMESH_BUILTIN_PLATE mjMESH_BUILTIN_GRID mjMESH_BUILTIN_BOX
mjtMeshBuiltin  mjMESH_BUILTIN_CYLINDER mjMESH_BUILTIN_ELLIPSOID mjMESH_BUILTIN_SQUARE mjMESH_BUILTIN_DISC
mjtRndFlag      mjRND_SHADOW mjRND_WIREFRAME mjRND_REFLECTION mjRND_ADDITIVE mjRND_SKYBOX mjRND_FOG mjRND_HAZE mjRND_DEPTH
mjtRndFlag      mjRND_SEGMENT mjRND_IDCOLOR mjRND_CULL_FACE mjRND_POST_PROCESSING mjNRNDFLAG
mjtState        mjSTATE_TIME=1 mjSTATE_QPOS=2 mjSTATE_QVEL=4
mjtState        mjSTATE_ACT=8 mjSTATE_HISTORY=16 mjSTATE_WARMSTART=32 mjSTATE_CTRL=64
mjtState        mjSTATE_QFRC_APPLIED=128 mjSTATE_XFRC_APPLIED=256 mjSTATE_EQ_ACTIVE=512 mjSTATE_MOCAP_POS=1024
mjtState        mjSTATE_MOCAP_QUAT=2048 mjSTATE_USERDATA=4096 mjSTATE_PLUGIN=8192 mjSTATE_PLASTIC=16384 mjNSTATE=15
mjtState        mjSTATE_PHYSICS=16414 mjSTATE_FULLPHYSICS=24607 mjSTATE_USER=8128 mjSTATE_INTEGRATION=32767
mjtWarning      mjWARN_INERTIA mjWARN_CONTACTFULL mjWARN_CNSTRFULL mjWARN_BADQPOS mjWARN_BADQVEL mjWARN_BADQACC mjWARN_BADCTRL
mjtWarning      mjNWARNING
mjtActuator     mjACTUATOR_GENERAL mjACTUATOR_MOTOR mjACTUATOR_POSITION mjACTUATOR_VELOCITY mjACTUATOR_INTVELOCITY
mjtActuator     mjACTUATOR_DAMPER mjACTUATOR_CYLINDER mjACTUATOR_MUSCLE
mjtActuator     mjACTUATOR_ADHESION mjACTUATOR_PID mjACTUATOR_ORIENTATION
mjtActuator     mjACTUATOR_DCMOTOR
mjtCamOutBit    mjCAMOUT_RGB=1 mjCAMOUT_DEPTH=2 mjCAMOUT_DIST=4 mjCAMOUT_NORMAL=8 mjCAMOUT_SEG=16 mjNCAMOUT=5
mjtConflict     mjCONFLICT_WARNING mjCONFLICT_MERGE mjCONFLICT_ERROR
mjtEmbed        mjEMBED_FALSE mjEMBED_TRUE mjEMBED_AUTO
mjtFlexSection  mjFLEXSECTION_CIRCLE mjFLEXSECTION_BOX
mjtPassthrough  mjPASSTHROUGH_NONE mjPASSTHROUGH_TEXTURES
mjtProjection   mjPROJ_PERSPECTIVE mjPROJ_ORTHOGRAPHIC
mjtRayDataField mjRAYDATA_DIST mjRAYDATA_DIR mjRAYDATA_ORIGIN mjRAYDATA_POINT mjRAYDATA_NORMAL mjRAYDATA_DEPTH mjNRAYDATA
mjtScaling      mjSCALING_SIMILAR mjSCALING_GEOMETRY
mjtTendon       mjTENDON_FIXED mjTENDON_SPATIAL
mjrIndexType    mjINDEX_TYPE_U16 mjINDEX_TYPE_U32
mjrMeshPrimitiveType   mjMESH_PRIMITIVE_TYPE_TRIANGLES mjMESH_PRIMITIVE_TYPE_LINES
mjrPixelFormat  mjPIXEL_FORMAT_UNKNOWN mjPIXEL_FORMAT_R8 mjPIXEL_FORMAT_RGB8 mjPIXEL_FORMAT_RGBA8 mjPIXEL_FORMAT_R32F
mjrPixelFormat  mjPIXEL_FORMAT_DEPTH32F mjPIXEL_FORMAT_KTX
mjrVertexAttributeType mjVERTEX_ATTRIBUTE_TYPE_FLOAT2 mjVERTEX_ATTRIBUTE_TYPE_FLOAT3 mjVERTEX_ATTRIBUTE_TYPE_FLOAT4
mjrVertexAttributeType mjVERTEX_ATTRIBUTE_TYPE_UBYTE4
mjrVertexAttributeUsage mjVERTEX_ATTRIBUTE_USAGE_POSITION mjVERTEX_ATTRIBUTE_USAGE_NORMAL mjVERTEX_ATTRIBUTE_USAGE_TANGENTS
mjrVertexAttributeUsage mjVERTEX_ATTRIBUTE_USAGE_UV mjVERTEX_ATTRIBUTE_USAGE_COLOR
"""

# constants of the newest release that 3.4 lacks or defines differently
CONSTANTS: dict[str, Any] = {
    "mjNPOLY": 2,
    "MJTNUM_BYTES": 8,
    "mjSC_IN": 1,
    "mjSC_OUT": 2,
    "mjSC_INOUT": 3,
    "mjNEQDATA": 12,
    "mjVERSION_HEADER": 4000001,
    "mjDISABLESTRING": (*mjDISABLESTRING, "MultiCCD"),
    "mjRNDSTRING": (*mjRNDSTRING[:7], ("Depth", "0", ""), *mjRNDSTRING[7:], ("Post Processing", "1", "")),
    "mjENABLESTRING": ("Override", "Energy", "Fwdinv", "InvDiscrete", "Sleep", "DiagExact", "IPC", "Speculative"),
}
# the release whose interface `engine.later` provides
VERSION = "4.0.1"


class NameRow(NamedTuple):
    """One name of a row; the module's docstring describes its fields."""

    owner: str
    name: str
    since: str
    until: str


ROWS = [
    NameRow(owner, name, since, until)
    for owner, since, until, *names in (line.split() for line in NAMES.strip().splitlines())
    for name in names
]


@functools.cache
def changed(owner: str, version: str = VERSION) -> tuple[frozenset[str], frozenset[str]]:
    """Return (names that an owner has gained, names that it has lost) from 3.4 to a release."""
    now = key(version)[:2]
    gained = {r.name for r in ROWS if r.owner == owner and r.since != "-" and key(r.since) <= now}
    lost = {r.name for r in ROWS if r.owner == owner and r.until != "-" and key(r.until) <= now}
    return frozenset(gained - lost), frozenset(lost)


def until(owner: str, name: str) -> str:
    """Return the first release that lacks a name."""
    return next(r.until for r in ROWS if (r.owner, r.name) == (owner, name))


def _members() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in NUMBERS.strip().splitlines():
        enum, *words = line.split()
        members = found.setdefault(enum, {})
        for word in words:
            name, _, number = word.partition("=")
            members[name] = int(number) if number else max(members.values(), default=-1) + 1
    return found


# enumeration: {member: number}, in the newest release
MEMBERS = _members()
