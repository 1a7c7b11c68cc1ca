"""MjOption of the newest release, with that release's values of flags."""

from typing import Any

from ..core.options import MjOption as Base
from ..tables.enums import mjtEnableBit
from ..tables.face_rows import MEMBERS
from ..tables.values import read_integer
from .faces import face, registered

OVER_MULTICCD = int(mjtEnableBit.mjENBL_MULTICCD)
NO_MULTICCD = MEMBERS["mjtDisableBit"]["mjDSBL_MULTICCD"]
IPC = MEMBERS["mjtEnableBit"]["mjENBL_IPC"]
# (the engine's bit, this release's bit) of each enable flag
BITS = [
    (int(mjtEnableBit[name]), number)
    for name, number in MEMBERS["mjtEnableBit"].items()
    if name in mjtEnableBit.__members__ and name != "mjNENABLE"
]
# default of sleep_tolerance
SLEEP_SPEED = 1e-3
LIMITS = (-(2**31), 2**31 - 1)


@registered(Base)
class MjOption(Base):
    """Simulation options: time step, gravity, solver parameters, flags."""

    __slots__ = ("plain",)

    def __new__(cls) -> Any:
        # In this release, multiple contacts per pair of geoms (multiccd) are on by default.
        options = Base()
        options.enableflags, options.sleep_tolerance = OVER_MULTICCD, SLEEP_SPEED
        return face(options)

    def __init__(self) -> None:
        pass

    @property
    def enableflags(self) -> int:
        """Flags that are enabled (mjtEnableBit)."""
        own = self.plain.enableflags
        return sum(later for ours, later in BITS if own & ours)

    @enableflags.setter
    def enableflags(self, value: int) -> None:
        value = read_integer(value, *LIMITS)
        if value & IPC:
            raise ValueError("mjENBL_IPC: Tumble does not support incremental potential contact")
        self.plain.enableflags = self.plain.enableflags & OVER_MULTICCD | sum(ours for ours, later in BITS if value & later)

    @property
    def disableflags(self) -> int:
        """Flags that are disabled (mjtDisableBit)."""
        own = self.plain
        return own.disableflags | (0 if own.enableflags & OVER_MULTICCD else NO_MULTICCD)

    @disableflags.setter
    def disableflags(self, value: int) -> None:
        value, own = read_integer(value, *LIMITS), self.plain
        own.disableflags = value & ~NO_MULTICCD
        own.enableflags = own.enableflags & ~OVER_MULTICCD | (0 if value & NO_MULTICCD else OVER_MULTICCD)

    def copy_from(self, other: Any) -> None:
        """Copy all values of another struct of the same class."""
        self.plain.copy_from(getattr(other, "plain", other))

    def __copy__(self) -> Any:
        return face(self.plain.__copy__())

    def __reduce__(self) -> tuple:
        return face, (self.plain,)
