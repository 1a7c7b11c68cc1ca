"""The reference pages of functions, classes and methods describe every public name: a text, the shape of every array that it
takes or returns, and the unit of every number that has one."""

import ast
import re

import pytest

from tumble import reference_api
from tumble.engine.tables.schema import MODEL_SIZES

# sizes in shapes that are not sizes of a model
SIZES = {
    *"m n k r c h w nr nc r1 r2 c1 c2 nx nnz nmat nbyte width height nsim nstep nbatch nstate ncontrol ncurve nray".split(),
    *"nface nvert ntotal nsample ctrlnum sensor_dim start stop nC nefc nsensordata nM nmocap mjNWARNING".split(),
    *MODEL_SIZES,
}
TERM = r"(?:\d+|\d* ?[A-Za-z]\w*|\.\.\.)"
SHAPE = re.compile(rf"(?<![\w.])\((?:{TERM}(?: [+-] {TERM})?(?:, ?{TERM}(?: [+-] {TERM})?)*,?)?\)")
LINE = re.compile(r"- ((?:`\w+`(?:, )?)+)[:;]?(.*)")
SAME = re.compile(r"as for `(?:(\w+)\.)?(\w+)`")
LIKE = re.compile(r"Like (`(?:\w+\.)?\w+`), ")
IS_ARRAY = re.compile(r"ArrayLike|NDArray|np\.ndarray|_Columns|_Trajectories|_Minimum")
# {name of a parameter: pattern of the unit that its description must name}
UNITS = {
    "dt": "second",
    "time": "second",
    "seconds": "second",
    "timeout": "second",
    "phase": "second",
    "timeconst": "second",
    "angle": "radian",
    "distmax": "meter",
    "cutoff": "meter",
    "inertiabox": "meter",
    "mass": "kilogram",
    "newmass": "kilogram",
    "density": "kg/m",
    "height": "pixel",
    "width": "pixel|meter",
    "left": "pixel",
    "bottom": "pixel",
    "fontscale": "percent",
    "fov": "degree",
    "softness": "degree",
    "focus": "meter",
    "reldx": "fraction",
    "reldy": "fraction",
    "relx": "fraction",
    "rely": "fraction",
    "pnt": "meter",
    "pos": "meter",
    "point": "meter",
    "where": "meter|processes",
    "vel": "per second",
    "radius": "meter|radius",
}
# functions whose argument of such a name has no fixed unit, or belongs to mathematics
WITHOUT_UNIT = {
    *("mju_muscleGain.vel mju_mulPose.pos1 mju_negPose.pos mju_trnVecPose.pos mj_local2Global.pos").split(),
}


def has_shape(text):
    """Return whether a text contains a shape such as `(n, 3)`."""
    for found in SHAPE.findall(text):
        names = re.findall(r"[A-Za-z]\w*", found)
        if SIZES.issuperset(names):
            return True
    return False


def sections():
    """Return {(owner, name): (nodes of a stub, text on the page, module)} for every callable and property on the pages."""
    found = {}

    def add(owner, name, nodes, lines):
        found[owner, name] = nodes, lines

    for name, nodes in reference_api.grouped(reference_api.parsed("__init__").body).items():
        add("", name, nodes, [*reference_api.function_lines(nodes, "###")])
    for module in (*(m for m, _ in reference_api.CLASSES), reference_api.PACKAGE):
        for node in reference_api.class_nodes(module):
            about = reference_api.described(node)
            for name, nodes in reference_api.grouped(node.body).items():
                if module == reference_api.PACKAGE and reference_api.is_field(nodes[0]):
                    continue
                made = name == "__init__"
                lines = about if made else [*reference_api.function_lines(nodes, "###", f"{node.name}.")]
                add(node.name, name, nodes, lines)
        if module != reference_api.PACKAGE:
            for name, nodes in reference_api.grouped(reference_api.parsed(module).body).items():
                add(module, name, nodes, [*reference_api.function_lines(nodes, "###", f"{module}.")])
    return found


def text_of(lines):
    """Return the lines of a section without heading and signature."""
    text = "\n".join(lines)
    return text.rpartition("```\n")[2].strip()


def items(text):
    """Return {argument: text} of the list of a section."""
    rows = [LINE.fullmatch(line) for line in text.split("\n")]
    return {name: row[2] for row in rows if row for name in re.findall(r"`(\w+)`", row[1])}


def argument_text(found, owner, name, argument):
    """Return what a section says about an argument. If it refers to another section, add what that one says."""
    whole = text_of(found[owner, name][1])
    # `Like x, ...` describes the arguments of x too
    like = LIKE.match(whole)
    text = items(whole).get(argument, f"as for {like[1]}" if like else "")
    for place, other in SAME.findall(text):
        for key in ((place or owner, other), ("", other), (place, "__init__")):
            if key in found and key != (owner, name):
                text += argument_text(found, *key, argument)
                break
    return text


def parameters(nodes):
    """Return {name: annotation} of the parameters of all overloads, without self."""
    found = {}
    for node in nodes:
        a = node.args
        for arg in (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg):
            if arg is not None and arg.arg not in ("self", "cls"):
                found[arg.arg] = ast.unparse(arg.annotation) if arg.annotation else ""
    return found


def problems(found, owner, name):
    """Return the faults of one section."""
    nodes, lines = found[owner, name]
    text, where = text_of(lines), f"{owner}.{name}".lstrip(".")
    given = parameters(nodes)
    faults = [f"{where} has no text"] if not text or text.startswith("- ") else []

    # arrays that are taken and returned
    for argument, kind in given.items():
        if IS_ARRAY.search(kind) and "Callable" not in kind and not has_shape(argument_text(found, owner, name, argument)):
            faults.append(f"{where}: the shape of {argument} is told nowhere")
    result = ast.unparse(nodes[0].returns) if nodes[0].returns else ""
    prose = "\n".join(line for line in text.split("\n") if not line.startswith("- "))
    if IS_ARRAY.search(result) and "Callable" not in result and not has_shape(prose):
        faults.append(f"{where}: the shape of the result is told nowhere")

    # constructors, and numbers with units
    if name == "__init__":
        faults += [f"{where}: {a} is not described" for a in given if not re.search(rf"\b{a}\b", text)]
    for argument, kind in given.items():
        whole = text + argument_text(found, owner, name, argument)
        if argument in UNITS and "str" not in kind and f"{name}.{argument}" not in WITHOUT_UNIT:
            if not re.search(UNITS[argument], whole):
                faults.append(f"{where}: the unit of {argument} is told nowhere")
    return faults


def test_every_public_name_has_text_shapes_and_units():
    found = sections()
    assert len(found) > 800
    wrong = [fault for owner, name in found for fault in problems(found, owner, name)]
    assert not wrong, "\n".join([*wrong, str(len(wrong))])


def test_lines_of_arguments_stand_together():
    """A line of prose below a line like `ids: numbers` would be shown above the list of arguments."""
    wrong = []
    for (owner, name), (nodes, _) in sections().items():
        for node in nodes:
            inside = False
            for line in (ast.get_docstring(node) or "").split("\n"):
                match = reference_api.ARGUMENT.fullmatch(line)
                item = match and {*reference_api.arguments_of(node)}.issuperset(match[1].split(", "))
                if inside and line and not item and not line.startswith(" "):
                    wrong.append(f"{owner}.{name}: {line}")
                inside = bool(item or inside and line.startswith(" "))
    assert not wrong, wrong


def broken(source):
    """Return the faults of functions in the text of a stub."""
    found = {}
    for name, nodes in reference_api.grouped(ast.parse(source).body).items():
        found["", name] = nodes, [*reference_api.function_lines(nodes, "###", "x.")]
    return [fault for owner, name in found for fault in problems(found, owner, name)]


@pytest.mark.parametrize(
    ("source", "fault"),
    (
        ("def f(x: int) -> None: ...", "has no text"),
        ('def f(x: npt.ArrayLike) -> None:\n    """Do it (see mj_ray).\n\n    x: numbers (see mj_ray)\n    """', "shape of x"),
        ('def f(x: npt.ArrayLike) -> None:\n    """Do it with x (n, 3)."""', "shape of x"),
        ('def f() -> np.ndarray:\n    """Return numbers."""', "shape of the result"),
        ('def f(dt: float) -> None:\n    """Advance by dt."""', "unit of dt"),
        ('def f(x: npt.ArrayLike) -> None:\n    """Do it.\n\n    x: as for `g`\n    """', "shape of x"),
    ),
)
def test_a_missing_text_shape_or_unit_is_found(source, fault):
    assert any(fault in found for found in broken(source))


def test_what_is_described_is_accepted():
    source = 'def f(x: npt.ArrayLike, dt: float) -> np.ndarray:\n    """Return (n, 3).\n\n    x: (n,)\n    dt: seconds\n    """'
    source += '\ndef g(x: npt.ArrayLike) -> None:\n    """Do it.\n\n    x: as for `f`\n    """'
    assert not broken(source)
