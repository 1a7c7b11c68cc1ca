"""The public interface: every name is listed, every callable is documented, and the stubs match the code."""

import inspect

import mujoco
import pytest

import tumble
from tumble import late, reference, stubs

# names that the reference's package exposes or hides by accident
LEFTOVERS = {
    "Any",
    "IO",
    "Sequence",
    "TypeAlias",
    "Union",
    "ctypes",
    "os",
    "platform",
    "subprocess",
    "warnings",
    "zipfile",
    "HEADERS_DIR",
}
LISTED = dir(tumble)


def test_dir_has_every_name_of_the_reference():
    wanted = {n for n in dir(mujoco) if not n.startswith("_")} - LEFTOVERS
    assert not wanted - set(LISTED)


def test_dir_has_what_is_loaded_on_first_use():
    from tumble.engine.api import lazy

    found = set()
    for places, load in ((late.PLACES, lambda p: __import__(f"tumble{p}", fromlist=["_"])), (lazy.PLACES, lazy.load)):
        for beginnings, modules in places:
            for place in modules:
                module = load(place)
                found |= {n for n in getattr(module, "__all__", ()) if n.startswith(beginnings)}
    assert found - {"MjvGLCamera"} <= set(LISTED), found - set(LISTED)
    assert len(set(late.LAZY)) == len(late.LAZY)


@pytest.mark.parametrize("name", [n for n in LISTED if not n.startswith("_")])
def test_every_name_is_there_and_explains_itself(name):
    value = getattr(tumble, name)
    if inspect.isroutine(value) or inspect.isclass(value) and not issubclass(value, int):
        assert inspect.getdoc(value), name


def public_methods():
    named = {name: getattr(tumble, name, None) for name in LISTED}
    for module, listed in stubs.PUBLIC.items():
        named |= {f"{module}.{name}": getattr(getattr(tumble, module), name) for name in listed}
    for name, cls in named.items():
        if inspect.isclass(cls) and cls.__module__.startswith("tumble") and not issubclass(cls, int):
            for attribute, value in inspect.getmembers_static(cls):
                if (
                    stubs.shown(attribute)
                    and not attribute.startswith("_")
                    and inspect.isfunction(getattr(value, "__func__", value))
                ):
                    yield f"{name}.{attribute}", getattr(value, "__func__", value)


def test_every_public_method_explains_itself():
    assert not [name for name, method in public_methods() if not inspect.getdoc(method)]


@pytest.fixture(scope="module")
def written():
    return stubs.texts()


def test_stubs_are_fresh(written):
    found = {path.name for path in stubs.FOLDER.glob("*.pyi")}
    stale = sorted(
        {*written, *found}
        - {name for name, text in written.items() if name in found and (stubs.FOLDER / name).read_text() == text}
    )
    assert not stale, f"`make stubs` writes {', '.join(stale)} anew"
    assert (stubs.FOLDER / "py.typed").exists()


def test_reference_pages_are_fresh():
    written = reference.texts()
    found = {path.name for path in reference.FOLDER.glob("*.md")}
    stale = sorted(
        {*written, *found}
        - {name for name, text in written.items() if name in found and (reference.FOLDER / name).read_text() == text}
    )
    assert not stale, f"`make reference` writes {', '.join(stale)} anew"


def test_stubs_have_every_name(written):
    module = {}
    for line in written["__init__.pyi"].splitlines():
        for start, stop in (("def ", "("), ("class ", ":"), ("from . import ", " as"), ("", ":"), ("", " =")):
            if line.startswith(start) and stop in line and line[:1] not in (" ", ""):
                module[line[len(start) :].partition(stop)[0].partition("(")[0]] = line
    rooms = {
        "app",
        "engine",
        "render",
        "ui",
        "assets",
        "late",
        "stubs",
        "stub_signatures",
        "stub_types",
        "reference",
        "reference_api",
        "reference_page",
        "site",
        "pictures",
        "notebooks",
        # present only if another test has imported it
        "v4",
    }
    missing = [n for n in LISTED if not n.startswith("_") and n not in module and n not in rooms]
    assert not missing, missing
