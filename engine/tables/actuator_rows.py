"""The TABLE of actuator models: gains, biases and dynamics. To add a model, write a row and the kernels that the row names.

    force = gain(length, velocity) * input + bias(length, velocity)          d act / dt = dynamics(control, act)

    what        gain, bias or dyn
    name        keyword of `gaintype`, `biastype` or `dyntype`; a `+` before it marks one of ours, which MuJoCo lacks
    enum        member of mjtGain, mjtBias or mjtDyn, without the prefix
    number      value of the member: 128 to 255 if it is ours
    since       release that has it
    kernel      module that computes it. Ours have a stage for each: `gain_<module>(m, d, i)`, `bias_<module>(m, d, i)` or
                `dyn_<module>(m, d, i)`, marked `@stage("fMDi")`, returns the value for actuator i
    slopes      what the value depends on: x the length, v the velocity, xv both, `-` neither. Ours have a stage for each
                letter: `gain_<module>_by_length` and `gain_<module>_by_velocity` return the derivative
    traits      properties that other code tests for, see below
    parameters  numbers of `gainprm`, `biasprm` or `dynprm` in their order: `name dimension = default`
    sentence    meaning, in tooltips and in the manual

The shortcut `muscle` uses the defaults. Dimensions are products of

    F   force along the length of the actuator, which may be a torque        T   torque
    x   length of the actuator, m or rad                                     u   control
    s   displacement of a setpoint, m or rad                                 t   time      1   a number without a dimension

A frame that scales its contents multiplies a parameter according to the parameter's dimension; time is not scaled. `+F`:
only positive values are scaled; `-F`: only negative ones, since a positive value is a damping ratio.

Traits of gains:

    ratio       a positive third number of biasprm may be a damping ratio    always_ratio   it always is one
    muscle      needs a range of lengths          user      a callback computes it
    setpoints, electric, turn      has several controls: inputs of a pid servo, inputs of a motor, coordinates of a rotation.
                Without one of these an actuator has one control; with `turn` it has three outputs, else one
    unscaled    not allowed in a frame that scales forces

Traits of dynamics determine the number of activations: none for `stateless`, a number that follows from the parameters for
`own_count`, one for each control for `each`, and one for all other dynamics. Gains with several controls need the dynamics
and biases that description.compile.servos names; dynamics.servos computes all three.
"""

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

# KINDS: number of possible types. FIRST_OF_OURS: first number of the types that only Tumble has.
KINDS, FIRST_OF_OURS = 256, 128

MODELS = """
gain  fixed       FIXED       0  3.4   dynamics.actuation      -   ratio
      | gain F/u = 1
      | a constant
gain  affine      AFFINE      1  3.4   dynamics.actuation      xv  ratio
      | constant F/u = 1, by_length F/x/u, by_velocity F*t/x/u
      | a constant plus terms proportional to length and velocity
gain  muscle      MUSCLE      2  3.4   dynamics.actuator_models xv ratio muscle
      | range0 1 = .75, range1 1 = 1.05, force +F = -1, scale 1 = 200, lmin 1 = .5, lmax 1 = 1.6, vmax 1 = 1.5,
      | fpmax 1 = 1.3, fvmax 1 = 1.2
      | the active force of a muscle as a function of its length and velocity
gain  user        USER        3  3.4   dynamics.actuation      -   ratio user
      | -
      | what the callback act_gain returns
gain  pid         PID         4  3.12  dynamics.servos         xv  always_ratio setpoints
      | ki F/x
      | a servo with position, velocity and integral gains
gain  so3         SO3         5  3.11  dynamics.servos         xv  ratio turn
      | kp T
      | a servo for orientations
gain  dcmotor     DCMOTOR     6  3.7   dynamics.servos         xv  electric unscaled
      | resistance 1, constant 1, coefficient 1, reference 1, kp 1, ki 1, kd 1, voltage 1
      | a motor with electrical and thermal dynamics
bias  none        NONE        0  3.4   dynamics.actuation      -   -
      | -
      | no force without input
bias  affine      AFFINE      1  3.4   dynamics.actuation      xv  -
      | constant F, by_length F/x, by_velocity -F*t/x
      | a constant plus terms proportional to length and velocity
bias  muscle      MUSCLE      2  3.4   dynamics.actuator_models x  muscle
      | range0 1 = .75, range1 1 = 1.05, force +F = -1, scale 1 = 200, lmin 1 = .5, lmax 1 = 1.6, vmax 1 = 1.5,
      | fpmax 1 = 1.3, fvmax 1 = 1.2
      | the passive force of a muscle as a function of its length
bias  user        USER        3  3.4   dynamics.actuation      -   user
      | -
      | what the callback act_bias returns
bias  so3         SO3         4  3.11  dynamics.servos         xv  -
      | constant T, kp T, kv -T*t
      | a servo for orientations
bias  dcmotor     DCMOTOR     5  3.7   dynamics.servos         xv  -
      | cogging 1, poles 1, phase 1, coulomb 1, static 1, stribeck 1
      | a motor with electrical and thermal dynamics
dyn   none        NONE        0  3.4   dynamics.actuation      -   stateless
      | -
      | no activation: the input is the control
dyn   integrator  INTEGRATOR  1  3.4   dynamics.actuation      -   each
      | -
      | the activation is the integral of the control
dyn   filter      FILTER      2  3.4   dynamics.actuation      -   -
      | timeconst t = 1
      | the activation follows the control, with a time constant
dyn   filterexact FILTEREXACT 3  3.4   dynamics.actuation      -   -
      | timeconst t = 1
      | as filter, integrated exactly
dyn   muscle      MUSCLE      4  3.4   dynamics.actuator_models -  -
      | rising t = .01, falling t = .04, width 1
      | the activation of a muscle
dyn   user        USER        5  3.4   dynamics.actuation      -   user
      | -
      | what the callback act_dyn returns
dyn   pid         PID         6  3.12  dynamics.servos         -   own_count
      | imax s, slewmax s/t
      | the setpoint and the integral of a pid servo
dyn   dcmotor     DCMOTOR     7  3.7   dynamics.servos         -   own_count
      | electric t, rate 1, resistance 1, capacitance 1, ambient 1, stiffness 1, damping 1, slew 1, imax 1
      | current, temperature, friction and controller of a motor
"""
# for a gain, a bias and dynamics: attribute of the type, attribute of the parameters, enumeration of the types
TYPE = {"gain": "gaintype", "bias": "biastype", "dyn": "dyntype"}
PARAMETERS = {"gain": "gainprm", "bias": "biasprm", "dyn": "dynprm"}
ENUMS = {"gain": "mjtGain", "bias": "mjtBias", "dyn": "mjtDyn"}
# all attributes that a shortcut determines: types, parameters, and attributes derived from them
DECIDED = (*TYPE.values(), *PARAMETERS.values(), "actdim", "inheritrange")
TRAITS = set("ratio always_ratio muscle user setpoints electric turn unscaled stateless own_count each".split())
# traits of gains that have several controls
SEVERAL = ("setpoints", "electric", "turn")
# maximum number of parameters in gainprm, biasprm or dynprm
MOST_PARAMETERS = 10
DIMENSIONS = set("FTxust1")
# modules of types that the stages `actuation` and `servo_forces` compute; `muscle_forces` computes all other types, and calls
# the user's callbacks
PLAIN, SERVOS = "dynamics.actuation", "dynamics.servos"
# suffix of the derivative's stage, for each letter in the column `slopes`
SLOPES = {"x": "by_length", "v": "by_velocity"}


class Parameter(NamedTuple):
    """A parameter of a type. `sign`: + or - if only values of this sign are scaled; `factors`: (symbol, whether scaling
    multiplies by it)."""

    name: str
    sign: str
    factors: tuple[tuple[str, bool], ...]
    default: float


class ActuatorRow(NamedTuple):
    """A row of the table; the module's docstring describes its fields."""

    what: str
    name: str
    enum: str
    number: int
    since: str
    kernel: str
    slopes: str
    traits: frozenset[str]
    parameters: tuple[Parameter, ...]
    sentence: str
    ours: bool

    @property
    def servo(self) -> bool:
        """Return whether a gain has several controls."""
        return not self.traits.isdisjoint(SEVERAL)

    @property
    def stages(self) -> dict[str, str]:
        """Return {"": stage of the value, "by_length": stage of a derivative, ...} of a type that only Tumble has."""
        value = f"{self.what}_{self.kernel.rpartition('.')[2]}"
        return {"": value} | {SLOPES[letter]: f"{value}_{SLOPES[letter]}" for letter in self.slopes}


def _parameter(text: str) -> Parameter:
    left, _, default = text.partition("=")
    name, dimension = left.split()
    sign = dimension[0] if dimension[0] in "+-" else ""
    factors, multiplies = [], True
    for symbol in dimension[len(sign) :]:
        if symbol in "*/":
            multiplies = symbol == "*"
        elif symbol in DIMENSIONS:
            factors.append((symbol, multiplies))
        else:
            raise ValueError(f"parameter {name}: unknown dimension {symbol}")
    return Parameter(name, sign, tuple(factors), float(default or 0))


def _parse(head: str, parameters: str, sentence: str) -> ActuatorRow:
    what, name, enum, number, since, kernel, slopes, *traits = head.split()
    row = ActuatorRow(
        what,
        name.lstrip("+"),
        f"mj{what.upper()}_{enum}",
        int(number),
        since,
        kernel,
        slopes.strip("-"),
        frozenset(t for t in traits if t != "-"),
        tuple(_parameter(text) for text in parameters.split(",") if text.strip() != "-"),
        sentence,
        name.startswith("+"),
    )
    own = FIRST_OF_OURS <= row.number < KINDS
    if what not in TYPE or row.ours != own or not own and row.number >= FIRST_OF_OURS or row.ours and row.servo:
        raise ValueError(f"{what} {row.name}: invalid number, or controls that Tumble's own types cannot have")
    if not row.traits <= TRAITS or not set(row.slopes) <= set(SLOPES) or len(row.parameters) > MOST_PARAMETERS:
        raise ValueError(f"{what} {row.name}: invalid traits, slopes or parameters")
    return row


def _rows() -> list[ActuatorRow]:
    """Parse the table. A line without `|` starts a row; its last line is the sentence, the lines between list parameters."""
    parts: list[list[str]] = []
    for line in map(str.strip, MODELS.strip().splitlines()):
        if line.startswith("|"):
            parts[-1].append(line.lstrip("| "))
        else:
            parts.append([line])
    return [_parse(head, " ".join(parameters), sentence) for head, *parameters, sentence in parts]


ROWS = _rows()
OURS = [row for row in ROWS if row.ours]
BY_NAME = {(row.what, row.name): row for row in ROWS}
BY_NUMBER = {(row.what, row.number): row for row in ROWS}
if len(BY_NAME) != len(ROWS) or len(BY_NUMBER) != len(ROWS):
    raise ValueError("two actuator models have the same name or number")


# ---- looking up ----------------------------------------------------------------------------------------------------------
def number(what: str, name: str) -> int:
    """Return the number of a type, for use as a constant in kernels."""
    return BY_NAME[what, name].number


def of(what: str) -> list[ActuatorRow]:
    """Return the rows of all gains, biases or dynamics."""
    return [row for row in ROWS if row.what == what]


def members(what: str) -> dict[str, int]:
    """Return {member: value} of the enumeration of gains, biases or dynamics, in the order of their values."""
    return {row.enum: row.number for row in sorted(of(what), key=lambda row: row.number)}


@functools.cache
def with_trait(what: str, *traits: str) -> tuple[int, ...]:
    """Return the numbers of the types that have any of the given traits."""
    return tuple(row.number for row in of(what) if not row.traits.isdisjoint(traits))


@functools.cache
def marks(what: str, numbers: tuple[int, ...]) -> np.ndarray:
    """Return a table of flags: entry k + 1 says whether type k is one of the given types. The first and last entries are
    false; they stand for all numbers below and above those of the types.
    """
    found = np.zeros(max(row.number for row in of(what)) + 3, bool)
    found[np.array(numbers, int) + 1] = True
    return found


def marked(owner: Any, what: str, numbers: tuple[int, ...]) -> np.ndarray:
    """Return which actuators of a Model, or of the compiler's columns, have one of the given types."""
    return marks(what, numbers).take(kinds_in(owner, what) + 1, mode="clip")


def row_of(raw: Mapping[str, Any], what: str) -> ActuatorRow | None:
    """Return the row of the gain, bias or dynamics of an actuator of a spec; None if its type has no row."""
    return BY_NUMBER.get((what, int(raw[TYPE[what]])))


def is_kind(raw: Mapping[str, Any], **names: str) -> bool:
    """Return whether an actuator of a spec has the types given by keyword, such as `gain="fixed"`."""
    for what, name in names.items():
        if raw[TYPE[what]] != BY_NAME[what, name].number:
            return False
    return True


def has_trait(raw: Mapping[str, Any], what: str, *traits: str) -> bool:
    """Return whether the gain, bias or dynamics of an actuator of a spec has any of the given traits."""
    return raw[TYPE[what]] in with_trait(what, *traits)


def set_kinds(raw: dict[str, Any], **names: str) -> None:
    """Set the types given by keyword, such as `gain="fixed"`, in an actuator of a spec."""
    raw.update({TYPE[what]: number(what, name) for what, name in names.items()})


def kinds_in(owner: Any, what: str) -> np.ndarray:
    """Return the types of the gains, biases or dynamics of all actuators of a Model, or of the compiler's columns."""
    name = TYPE[what]
    found = getattr(owner, name, None)
    return np.asarray(getattr(owner, f"actuator_{name}") if found is None else found)


def among(owner: Any, what: str, *traits: str) -> np.ndarray:
    """Return which actuators of a Model, or of the compiler's columns, have a type with any of the given traits."""
    return marked(owner, what, with_trait(what, *traits))


def either(owner: Any, trait: str) -> np.ndarray:
    """Return which actuators of a Model, or of the compiler's columns, have a gain or a bias with the given trait."""
    return among(owner, "gain", trait) | among(owner, "bias", trait)


def more(owner: Any, what: str) -> np.ndarray:
    """Return which actuators of a Model have a type that the stage `muscle_forces` computes."""
    wanted = tuple(row.number for row in of(what) if row.kernel not in (PLAIN, SERVOS) or "user" in row.traits)
    return marked(owner, what, wanted)


def are(owner: Any, **names: str) -> np.ndarray:
    """Return which actuators of a Model, or of the compiler's columns, have the types given as keywords: `gain="fixed"`."""
    found = [kinds_in(owner, what) == number(what, name) for what, name in names.items()]
    return functools.reduce(np.logical_and, found)


def unknown(owner: Any, what: str) -> np.ndarray:
    """Return which actuators have a gain, bias or dynamics without a row."""
    return ~marked(owner, what, tuple(row.number for row in of(what)))
