"""Nominal units of fields. A table writes `a or b` if joints, tendons or components differ, `-` if there is nothing to
measure."""

UNITS = {
    "-": "no unit: a count, an index, a flag, a ratio or a mixture",
    "any": "whatever the user or the model makes of it",
    "0..1": "a share, or a colour's component",
    "quat": "unit quaternion, w x y z",
    "s": "second",
    "ns": "nanosecond",
    "1/s": "per second",
    "angle": "degree or radian, as the compiler's setting says",
    "m": "metre",
    "m^2": "square metre",
    "rad": "radian",
    "deg": "degree",
    "pixel": "pixel",
    "byte": "byte",
    "m/s": "metre a second",
    "rad/s": "radian a second",
    "m/s^2": "metre a second squared",
    "rad/s^2": "radian a second squared",
    "m/m": "metre a metre",
    "m/rad": "metre a radian",
    "rad/rad": "radian a radian",
    "kg": "kilogram",
    "kg m": "kilogram metre",
    "kg m^2": "kilogram metre squared",
    "kg/m^3": "kilogram a cubic metre",
    "kg/m^2": "kilogram a square metre",
    "1/kg": "per kilogram",
    "1/(kg m^2)": "per kilogram metre squared",
    "kg m^2/s": "kilogram metre squared a second",
    "N": "newton",
    "N m": "newton metre",
    "N/m": "newton a metre",
    "N m/rad": "newton metre a radian",
    "N s/m": "newton second a metre",
    "N m s/rad": "newton metre second a radian",
    "m/N": "metre a newton",
    "1/N": "per newton",
    "N m/s^2": "newton metre a second squared",
    "N rad/s^2": "newton radian a second squared",
    "J": "joule",
    "Pa": "pascal",
    "Pa s": "pascal second",
    "T": "tesla",
    "cd": "candela",
}


def atoms(unit: str) -> list[str]:
    """Return the alternatives of a field's unit; each is a key of UNITS."""
    return unit.split(" or ")
