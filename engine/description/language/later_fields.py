"""Fields of a spec's elements in the interface of MuJoCo's newest release. There, members of enumerations have that release's
numbers, short sizes are filled up, and springs and dampers have all their coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tables import enums
from ...tables.later_enums import CLASSES, CODES, later, ours
from .unheld import ROWS as UNHELD
from .unheld import check

# keyword arguments that are not fields
PROPERTIES = {("MjsActuator", "type"), ("MjsCamera", "proj")}
# sizes that may be given as one number, or with fewer numbers than they have; missing ones are 0
SHORT = ("size",)
# fields that contain a member of an enumeration, or flags, with other numbers in `tumble.v4`
TYPED = {
    "limited": "mjtLimited",
    "actfrclimited": "mjtLimited",
    "actlimited": "mjtLimited",
    "ctrllimited": "mjtLimited",
    "forcelimited": "mjtLimited",
    "conflict": "mjtConflict",
    "inertiafromgeom": "mjtInertiaFromGeom",
    "align": "mjtAlignFree",
    "alignfree": "bool",
    "selfcollide": "mjtFlexSelf",
    "builtin": "mjtBuiltin",
    "mark": "mjtMark",
    "scaling": "mjtScaling",
}
# number of coefficients of springs and dampers
COEFFICIENTS = 3


class Coefficients(np.ndarray):
    """Coefficients of a spring or a damper; writing to them changes the element."""

    element: Any
    name: str

    @classmethod
    def of(cls, element: Any, name: str) -> Coefficients:
        """Return the coefficients of a field, including those of higher powers."""
        new = np.array([element.raw[name], *element.raw[f"{name}poly"]], np.float64).view(cls)
        new.element, new.name = element, name
        return new

    def __array_finalize__(self, source: Any) -> None:
        self.element, self.name = None, ""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if self.element is not None:
            self.element.raw[self.name] = float(self[0])
            self.element.raw[f"{self.name}poly"] = tuple(float(x) for x in self[1:])


def is_later(element: Any) -> bool:
    """Return whether an element's spec is used through the interface of the newest release."""
    return element.spec is not None and element.spec.later


def faced(row: Any, rows: dict[str, Any], own: property) -> property:
    """Return the property of a field for both interfaces; `own` is the property for 3.4."""
    name = row.name
    if row.shape == "enum" and (row.type in CODES or row.type in CLASSES):

        def member(self) -> Any:
            return later(row.type, int(self.raw[name])) if is_later(self) else own.fget(self)  # type: ignore[misc]

        def set_member(self, value: Any) -> None:
            own.fset(self, _member(row.type, value) if is_later(self) else ours(value))  # type: ignore[misc]

        return property(member, set_member)
    if row.shape == "enum":

        def set_any(self, value: Any) -> None:
            own.fset(self, _member(row.type, value) if is_later(self) else value)  # type: ignore[misc]

        return property(own.fget, set_any)
    if f"{name}poly" in rows:

        def powers(self) -> Any:
            return Coefficients.of(self, name) if is_later(self) else own.fget(self)  # type: ignore[misc]

        def set_powers(self, value: Any) -> None:
            if not is_later(self):
                own.fset(self, value)  # type: ignore[misc]
                return
            given = np.asarray(value, np.float64)
            if given.shape != (COEFFICIENTS,):
                raise TypeError(f"{name}: incompatible function arguments: needs {COEFFICIENTS} numbers")
            self.raw[name], self.raw[f"{name}poly"] = float(given[0]), tuple(given[1:].tolist())

        return property(powers, set_powers)
    if name in TYPED and row.shape == "number":
        kind = bool if TYPED[name] == "bool" else getattr(enums, TYPED[name], None) or CLASSES[TYPED[name]]

        def typed(self) -> Any:
            value = own.fget(self)  # type: ignore[misc]
            return kind(value) if is_later(self) else value

        return property(typed, own.fset)
    if row.type == "u1" and row.shape == "number":

        def flag(self) -> Any:
            return bool(own.fget(self)) if is_later(self) else own.fget(self)  # type: ignore[misc]

        return property(flag, own.fset)
    return own


def _member(kind: str, value: Any) -> Any:
    """Return the engine's enumeration member for a member of either interface, or for a whole number of the newest release."""
    value = ours(value)
    own = getattr(enums, kind)
    if isinstance(value, own) or not isinstance(value, (int, np.integer)):
        return value
    number = int(value)
    if kind in CODES:
        number = CODES[kind][1].get(number, number)
    try:
        return own(number)
    except ValueError:
        raise TypeError(f"needs {kind}, got {value!r}") from None


def _powers(name: str, value: Any) -> list[float]:
    """Return all coefficients, given one to three of them."""
    given = np.asarray(value, np.float64).ravel()
    if not 1 <= given.size <= COEFFICIENTS:
        raise ValueError(f"{name} should be a list/array of size 1 to {COEFFICIENTS}.")
    return [*given.tolist(), *[0.0] * (COEFFICIENTS - given.size)]


def given_later(element: Any, known: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments of an add_* method, converted to the interface of 3.4."""
    found: dict[str, Any] = {}
    struct = type(element).__name__
    for key, value in values.items():
        if key in UNHELD.get(struct, {}):
            check(struct, key, value)
            continue
        if (struct, key) in PROPERTIES:
            setattr(element, key, value)
            continue
        row = known[key][0] if key in known else None
        if row is not None and row.shape == "enum":
            found[key] = _member(row.type, value)
        elif row is not None and key in SHORT and row.count > 0:
            numbers = [value] if np.ndim(value) == 0 else list(value)
            if not 1 <= len(numbers) <= row.count:
                raise ValueError(f"{key} should be a list/array of size 1 to {row.count}.")
            found[key] = [*numbers, *[0.0] * (row.count - len(numbers))]
        elif row is not None and f"{key}poly" in known:
            first, *rest = _powers(key, value)
            found |= {key: first, f"{key}poly": rest}
        else:
            found[key] = value
    return found


# ---- attributes that are not fields -------------------------------------------------------------------------------------
ACTUATORS, PROJECTIONS = CLASSES["mjtActuator"], CLASSES["mjtProjection"]


def _shortcut(self) -> int:
    return ACTUATORS[f"mjACTUATOR_{self.shortcut.upper()}"]


def _set_shortcut(self, value: Any) -> None:
    try:
        self.shortcut = ACTUATORS(int(value)).name.removeprefix("mjACTUATOR_").lower()
    except ValueError:
        raise TypeError(f"type: incompatible function arguments: needs mjtActuator, got {value!r}") from None


def _projection(self) -> int:
    return PROJECTIONS(int(self.raw["orthographic"]))


def _set_projection(self, value: Any) -> None:
    self.raw["orthographic"] = int(PROJECTIONS(int(value)))


SHORTCUT = property(_shortcut, _set_shortcut, doc="The shortcut that this actuator was made by (mjtActuator, since 3.16).")
PROJECTION = property(
    _projection, _set_projection, doc="Projection, 0: perspective, 1: orthographic (mjtProjection, since 3.5)."
)
