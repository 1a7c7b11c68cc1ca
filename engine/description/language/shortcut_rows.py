"""TABLE of actuator shortcuts. A new shortcut is a row here and the function that it names.

    name        element in the actuator section and in defaults; function of elements.shortcuts that sets gain, bias and
                dynamics; `set_to_` + name is the method of an actuator in a spec
    attributes  attributes of the element, as in description.language.grammar
    arguments   attributes that are arguments of the function; all others are fields. Values if the attribute is missing:
                `kp=gainprm[0]` the actuator's value, which its class may give; `kp=-biasprm[1]` its negative; `kv=0` that
                number; `kv` the function's default. `bias[0]=...`: only the first number of the attribute.
                A leading `~`: default classes lack the attribute
    sentence    description for tooltips and the manual

Saving does not use these rows: an actuator is saved as `general`, with the numbers that its shortcut has set.
"""

from typing import Any, NamedTuple

SHORTCUTS = """
motor       | $motor
    | -
    | an actuator whose force is proportional to the control
position    | $motor, inheritrange f, kp f, kv f, dampratio f, timeconst f
    | kp=gainprm[0] kv dampratio timeconst inheritrange=inheritrange
    | a position servo
velocity    | $motor, kv f
    | kv=gainprm[0]
    | a velocity servo
intvelocity | $motor, actlimited auto, actrange f2, inheritrange f, kp f, kv f, dampratio f
    | kp=gainprm[0] kv dampratio inheritrange=inheritrange
    | a position servo whose target is the integral of the control
damper      | $drive, $trn, site s, refsite s, kv f
    | kv=0
    | an actuator whose control is a damping coefficient
cylinder    | $motor, timeconst f, area f, diameter f, bias f3
    | timeconst=dynprm[0] bias[0]=biasprm[0] area=gainprm[0] diameter
    | a pneumatic or hydraulic cylinder
muscle      | $drive, ctrllimited auto, $trn, $muscle
    | timeconst ~tausmooth=dynprm[2] range force scale lmin lmax vmax fpmax fvmax
    | a muscle
adhesion    | $drive, body s, gain f
    | gain=gainprm[0]
    | a force that pulls bodies in contact together
pid         | $motor, $pid
    | posrange=ctrlrange kp=-biasprm[1] kv dampratio ki=gainprm[0] imax=dynprm[0] slewmax=dynprm[1] inheritrange=inheritrange
    | a servo with setpoints for position and velocity, an additional force, and an integral of the position error
orientation | $drive, joint s, site s, refsite s, input>ctrlspec controls, kp f, kv f, dampratio f
    | kp=gainprm[0] kv dampratio
    | a servo for the orientation of a ball joint, or of a site relative to another
dcmotor     | $dcmotor, $trn, site s, refsite s, input>ctrlspec controls
    | motorconst resistance nominal saturation inductance cogging controller thermal lugre
    | an electric motor with controller, winding, temperature and friction
"""


class Argument(NamedTuple):
    """An argument of a shortcut's function: `first` passes only the first number of the attribute.

    A missing attribute's value is `number`, or `sign` times item `index` of `field`; an index of -1 means all of the field.
    """

    name: str
    first: bool
    sign: float
    field: str
    index: int
    number: float | None
    defaults: bool


class ShortcutRow(NamedTuple):
    """One row; see the module's docstring."""

    name: str
    attributes: str
    arguments: dict[str, Argument]
    sentence: str

    def taken(self, raw: dict[str, Any], given: dict[str, Any]) -> dict:
        """Return {argument: value} from an actuator's fields `raw` and the values of the given attributes."""
        found = {}
        for a in self.arguments.values():
            if a.name in given:
                found[a.name] = given[a.name][0] if a.first else given[a.name]
            elif a.field:
                found[a.name] = raw[a.field] if a.index < 0 else a.sign * raw[a.field][a.index]
            elif a.number is not None:
                found[a.name] = a.number
        return found


def _argument(text: str) -> Argument:
    left, _, source = text.lstrip("~").partition("=")
    field, _, index = source.rstrip("]").partition("[")
    number = float(source) if source and not field.lstrip("-").isidentifier() else None
    sign, field = -1.0 if field[:1] == "-" else 1.0, field.lstrip("-") if number is None else ""
    return Argument(left.removesuffix("[0]"), left.endswith("[0]"), sign, field, int(index or -1), number, text[0] != "~")


def _parse(name: str, attributes: str, arguments: str, sentence: str) -> ShortcutRow:
    found = [_argument(text) for text in arguments.split() if text != "-"]
    return ShortcutRow(name, attributes, {a.name: a for a in found}, sentence)


def _rows() -> list[ShortcutRow]:
    lines = [[part.strip() for part in line.split("|")] for line in SHORTCUTS.strip().splitlines()]
    return [
        _parse(name, attributes, arguments, sentence)
        for (name, attributes), (_, arguments), (_, sentence) in zip(lines[::3], lines[1::3], lines[2::3])
    ]


ROWS = _rows()
BY_NAME = {row.name: row for row in ROWS}
