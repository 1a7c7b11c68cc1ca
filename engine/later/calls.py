"""Functions of the newest MuJoCo release: new functions, and engine functions adapted to the objects of `tumble.v4`."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..api.support import check_index
from ..machine.interpret import plain as interpreted
from ..sense.zones import inside
from ..tables.compat_rows import LAST, starting
from ..tables.face_rows import CONSTANTS, VERSION
from ..tables.values import read_integer
from .data import MjContact, MjData
from .faces import face, plain
from .kept import GIVEN
from .model import MjModel

# functions that take no model, and whose results changed in a release after 3.4
BY_RELEASE = ("mju_round", "mju_cholFactor", "mju_mat2Rot", "mj_loadAllPluginLibraries")
# Functions that save XML. The newest release is the default when this interface reads XML, so XML names only other releases.
SAVING = ("mj_saveLastXML", "mj_saveXML", "mj_saveXMLString")
# functions that compute or reset all results; steps need no row here, because they change the time
ALL_RESULTS = """
mj_forward mj_forwardSkip mj_inverse mj_inverseSkip mj_resetData mj_resetDataDebug mj_resetDataKeyframe
""".split()
# Functions with this prefix take only numbers and arrays, so they need no adapting.
NUMBERS = ("mju_",)
_inside = interpreted(inside)


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an engine function adapted to objects of this interface."""
    name = getattr(function, "__name__", "")
    if name.startswith("set_mjcb"):
        return _setter(function)
    if name.startswith("get_mjcb"):
        return _getter(function)
    if name in BY_RELEASE:
        return _at_release(function)
    if name.startswith(NUMBERS):
        return function
    if name in ALL_RESULTS:
        return _forgetting(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*map(plain, args), **({k: plain(v) for k, v in kwargs.items()} if kwargs else kwargs))
        return result if result is None else face(result)

    return _at_release(call) if name in SAVING else call


def _forgetting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that also discards the values that scripts wrote into the results of its Data."""

    @functools.wraps(function)
    def call(m: Any, d: Any, *args: Any, **kwargs: Any) -> None:
        own = plain(d)
        function(plain(m), own, *args, **kwargs)
        own.__dict__.pop(GIVEN, None)

    return call


def _at_release(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with starting(LAST):
            return function(*args, **kwargs)

    return call


# ---- callbacks ---------------------------------------------------------------------------------------------------------
class _Callback:
    """Wraps a script's callback, so that it receives objects of this interface."""

    def __init__(self, script: Callable[..., Any]) -> None:
        self.script = script

    def __call__(self, *args: Any) -> Any:
        return self.script(*map(face, args))


def _setter(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any) -> None:
        *before, callback = args
        # Wrap only Python callbacks: compiled ones receive addresses.
        own = callable(callback) and type(callback).__module__ in ("builtins", "functools") or hasattr(callback, "__code__")
        function(*before, _Callback(callback) if own else callback)

    return call


def _getter(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        found = function(*args)
        return found.script if isinstance(found, _Callback) else found

    return call


# ---- functions that only this release has ------------------------------------------------------------------------------
def mj_insideSite(m: MjModel, d: MjData, siteid: int, point: Any) -> int:
    """Return 1 if a point is inside a site, else 0 (since 3.13)."""
    m, d = plain(m), plain(d)
    check_index("mj_insideSite", "site", siteid, m.nsite)
    point = np.asarray(point, np.float64).reshape(-1)
    if point.size != 3:
        raise TypeError("mj_insideSite(): incompatible function arguments: point: needs 3 numbers")
    i = read_integer(siteid)
    mat = tuple(d.site_xmat[i].tolist())
    return int(_inside(tuple(d.site_xpos[i].tolist()), mat, m.site_size[i], int(m.site_type[i]), tuple(point.tolist())))


def mj_loadTexture(m: MjModel, id: int) -> tuple[np.ndarray, int]:
    """Return (pixels (height, width, channels), color space) of a texture (since 3.17)."""
    m = plain(m)
    check_index("mj_loadTexture", "texture", id, m.ntex)
    i = read_integer(id)
    shape = int(m.tex_height[i]), int(m.tex_width[i]), int(m.tex_nchannel[i])
    start = int(m.tex_adr[i])
    return m.tex_data[start : start + int(np.prod(shape))].reshape(shape).copy(), int(m.tex_colorspace[i])


def mj_embedAssets(m: MjModel) -> MjModel:
    """Return a copy of a model with all its assets, which models here always contain (since 3.17)."""
    return face(plain(m).__copy__())


def mju_threadpool(d: MjData, nthread: int) -> None:
    """Set how many threads may work on a Data (since 3.10); 0 or less removes them. This does not affect steps, because here
    only the calling thread steps a Data. Use `batch` and `rollout` for several threads; `rollout` refuses such Data.
    """
    if not isinstance(d, MjData):
        raise TypeError(f"mju_threadpool(): incompatible function arguments: d: needs MjData, got {type(d).__name__}")
    d.plain.__dict__["threads_asked"] = max(0, read_integer(nthread))


def mj_version() -> int:
    """Return the release as a number."""
    return CONSTANTS["mjVERSION_HEADER"]


def mj_versionString() -> str:
    """Return the release as a string."""
    return VERSION


FUNCTIONS: dict[str, Any] = {
    f.__name__: f for f in (mj_insideSite, mj_loadTexture, mj_embedAssets, mju_threadpool, mj_version, mj_versionString)
}
CLASSES: dict[str, Any] = {"MjContact": MjContact}
