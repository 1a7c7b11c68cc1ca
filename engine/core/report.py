"""Errors, warnings and the log."""

import ctypes
from typing import Any, NoReturn

from ..tables.enums import mjtObj, mjtWarning
from ..tables.named_access import id2name
from ..tables.values import C_FUNCTION
from . import logs, stages


class FatalError(Exception):
    """An error after which a call cannot continue: its arguments have the right types but invalid values."""


class UnexpectedError(Exception):
    """An error that no input should be able to cause (an internal error)."""


# code of messages that are not counted; it follows the numbers of mjtWarning
SLEEPLESS = 100
_TEXTS = {
    SLEEPLESS: "Trees marked as sleep='init' could not be put to sleep; body {} is the root of the first one, "
    "which starts awake.",
    mjtWarning.mjWARN_INERTIA: "Inertia matrix is too close to singular at DOF {}. Check model.",
    mjtWarning.mjWARN_CONTACTFULL: "Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = {})",
    mjtWarning.mjWARN_CNSTRFULL: "Insufficient arena memory for the number of constraints generated. "
    "Increase arena memory allocation above {bytes} bytes.",
    mjtWarning.mjWARN_VGEOMFULL: "Pre-allocated visual geom buffer is full. Increase maxgeom above {}.",
    mjtWarning.mjWARN_BADQPOS: "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADQVEL: "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADQACC: "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADCTRL: "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
}


def bytes_text(count: int) -> str:
    """Return a number of bytes as text, with a suffix if it is a multiple of a power of 1024."""
    for power in range(6, 0, -1):
        unit = 1 << 10 * power
        if count >= unit and not count & (unit - 1):
            return f"{count >> 10 * power}{' KMGTPE'[power]}"
    return str(count)


def warning_text(kind: int, info: int) -> str:
    """Return the text of a warning (mjtWarning); `info` is the number of an element or a size."""
    text = _TEXTS.get(kind)
    return f"Unknown warning type {kind}." if text is None else text.format(info, bytes=bytes_text(info))


# error messages for the status BROKEN, by code
BAD_SOLVER, BAD_INTEGRATOR, SLEEPLESS_TENDON, SLEEPLESS_FLEX, NOT_DISCRETE = 1, 2, 3, 4, 5
# A negative code stands for a mesh without an octree. A code of at least NOT_ASLEEP is NOT_ASLEEP plus a tree's root body.
NOT_ASLEEP = 1_000_000


def broken_text(d: Any, code: int) -> str:
    """Return the reason why a stage was interrupted."""
    if code == BAD_SOLVER:
        return f"mj_fwdConstraint: unknown solver type {d.model.opt.solver}"
    if code == BAD_INTEGRATOR:
        return f"mj_step: invalid integrator {d.model.opt.integrator}"
    if code == NOT_DISCRETE:
        return (
            "mj_step: integrator discrete needs the solver CG or Newton, no noslip iterations, no sleep, "
            "and flexes without elasticity or damping"
        )
    if code == SLEEPLESS_TENDON or code == SLEEPLESS_FLEX:
        return f"mj_wakeEquality: {'tendon' if code == SLEEPLESS_TENDON else 'flex'} equality does not yet support sleeping"
    if code < 0:
        return (
            f"Octree not found in mesh {-1 - code}: a geom of type 'sdf' whose mesh is made from the field of a plugin "
            "must use that plugin, too"
        )

    # a negative code contains the id of a mesh, a large code the id of a body
    if code >= NOT_ASLEEP:
        root = code - NOT_ASLEEP
        return (
            "mj_resetData: trees marked as sleep='init' could not be put to sleep; "
            f"body '{id2name(d.model, mjtObj.mjOBJ_BODY, root) or ''}' "
            f"(id={root}) is the root of the first one"
        )
    return f"a stage failed with code {code}"


@stages.recovery(stages.BROKEN)
def give_up(d: Any, code: int) -> NoReturn:
    """Raise FatalError: a stage was interrupted for a reason that repeating it cannot fix."""
    raise FatalError(broken_text(d, code))


user_warning: Any = None
C_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


def write_log(kind: str, text: str) -> None:
    """Append a line with the time to the log file (MjLogConfig.logfile)."""
    config = logs.config()
    if config.logto_file and config.logfile:
        logs.append(config.logfile, f"{logs.now()}\n{kind}: {text}")


# number of warnings so far
_COUNT = [0]


def count() -> int:
    """Return the number of warnings since the start of the process."""
    return _COUNT[0]


def warn(text: str) -> None:
    """Pass a warning to the user's handler, or write it to the log and the terminal. A handler in C gets the text as bytes."""
    _COUNT[0] += 1
    if logs.handled():
        logs.mju_message(logs.MjLogMessage(logs.WARNING, 0, text))
    elif isinstance(user_warning, C_FUNCTION):
        ctypes.cast(user_warning, C_HANDLER)(text.encode())
    elif user_warning is not None:
        user_warning(text)
    else:
        write_log("WARNING", text)
        if logs.config().logto_console:
            print(f"WARNING: {text}\n", flush=True)


def tell(kind: int, info: int, time: float) -> None:
    """Report the first warning of a type in a Data."""
    warn(f"{warning_text(kind, info)} Time = {time:.4f}.")
