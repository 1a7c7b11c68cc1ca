"""Nominal units of fields. A table writes `a or b` if joints, tendons or components differ, `-` if there is nothing to
measure."""

UNITS = {
    "-": "no unit: a count, an index, a flag, a ratio or a mixture",
    "any": "depends on the model or the user",
    "0..1": "a fraction, or a component of a colour",
    "quat": "unit quaternion, w x y z",
    "s": "second",
    "ns": "nanosecond",
    "1/s": "per second",
    "angle": "degree or radian, depending on the compiler's setting",
    "m": "metre",
    "m^2": "square metre",
    "rad": "radian",
    "deg": "degree",
    "pixel": "pixel",
    "byte": "byte",
    "m/s": "metre per second",
    "rad/s": "radian per second",
    "m/s^2": "metre per second squared",
    "rad/s^2": "radian per second squared",
    "m/m": "metre per metre",
    "m/rad": "metre per radian",
    "rad/rad": "radian per radian",
    "kg": "kilogram",
    "kg m": "kilogram metre",
    "kg m^2": "kilogram metre squared",
    "kg/m^3": "kilogram per cubic metre",
    "kg/m^2": "kilogram per square metre",
    "1/kg": "per kilogram",
    "1/(kg m^2)": "per kilogram metre squared",
    "kg m^2/s": "kilogram metre squared per second",
    "N": "newton",
    "N m": "newton metre",
    "N/m": "newton per metre",
    "N m/rad": "newton metre per radian",
    "N s/m": "newton second per metre",
    "N m s/rad": "newton metre second per radian",
    "m/N": "metre per newton",
    "1/N": "per newton",
    "N m/s^2": "newton metre per second squared",
    "N rad/s^2": "newton radian per second squared",
    "J": "joule",
    "Pa": "pascal",
    "Pa s": "pascal second",
    "T": "tesla",
    "cd": "candela",
}


def atoms(unit: str) -> list[str]:
    """Return the alternatives of a field's unit; each is a key of UNITS."""
    return unit.split(" or ")
