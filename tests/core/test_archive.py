"""Archives of kernels that a wheel brings: which one serves a processor, and that only what was packed is run."""

import os
import random
import stat

import pytest

from tumble.engine.core import stages
from tumble.engine.machine import archive, jit, target

CODES = {"a-1": bytes(range(256)) * 20, "b-2": b"other code" * 99}
# damaged archives a kind
CASES = 100
SEED = 21
ALL = {name: True for level in target.LEVELS for name in level.features}
V2, V3, V4 = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of archives of three levels, on a processor that has all of them."""
    monkeypatch.setattr(archive, "FOLDER", tmp_path)
    monkeypatch.setattr(target, "machine", lambda: "x86_64")
    monkeypatch.setattr(target, "host_features", lambda: ALL)
    monkeypatch.setattr(target, "compiler_settings", lambda: ("", ""))
    monkeypatch.setattr(archive, "BOUNDSCHECK", False)
    monkeypatch.delenv("TUMBLE_LEVEL", raising=False)
    for name in (V2, V3, V4):
        (tmp_path / (name + archive.SUFFIX)).write_bytes(
            archive.pack(name, "nobody", {f"{k}-{name}": name.encode() + v for k, v in CODES.items()})
        )
    archive.chosen.cache_clear()
    yield tmp_path
    archive.chosen.cache_clear()


def load(kernel):
    """The level of the code that is found for a kernel; None if there is none."""
    archive.chosen.cache_clear()
    names = {level.stamp: level.name for level in target.LEVELS}
    code = archive.load(lambda made_for: f"{kernel}-{names[made_for]}")
    return code and next(level for level in (V2, V3, V4) if code == level.encode() + CODES[kernel])


def test_the_best_level_of_the_processor_is_taken(folder, monkeypatch):
    assert load("a-1") == V4 and load("b-2") == V4
    assert archive.load(lambda made_for: "c-3") is None
    for lacking, level in (("avx512vl", V3), ("fma", V2), ("popcnt", None)):
        monkeypatch.setattr(target, "host_features", lambda lacking=lacking: {**ALL, lacking: False})
        assert load("a-1") == level
    monkeypatch.setattr(target, "host_features", dict)
    assert load("a-1") is None


def test_another_architecture_takes_nothing(folder, monkeypatch):
    monkeypatch.setattr(target, "machine", lambda: "aarch64")
    assert load("a-1") is None
    monkeypatch.setattr(target, "machine", lambda: "riscv64")
    assert load("a-1") is None and target.levels() == []


def test_a_level_can_be_named(folder, monkeypatch):
    for name in (V2, V3, V4):
        monkeypatch.setenv("TUMBLE_LEVEL", name)
        assert load("a-1") == name
    monkeypatch.setenv("TUMBLE_LEVEL", "native")
    assert load("a-1") is None
    # what this processor cannot run, and what nobody has heard of
    monkeypatch.setattr(target, "host_features", lambda: {**ALL, "avx512f": False})
    for name in (V4, "pentium"):
        monkeypatch.setenv("TUMBLE_LEVEL", name)
        with pytest.raises(ValueError, match="this processor can have native, x86-64-v3, x86-64-v2"):
            load("a-1")


@pytest.mark.parametrize("setting", ["bounds", "compiler"])
def test_code_of_another_kind_is_not_taken_from_an_archive(folder, monkeypatch, setting):
    if setting == "bounds":
        monkeypatch.setattr(archive, "BOUNDSCHECK", True)
    else:
        monkeypatch.setattr(target, "compiler_settings", lambda: ("", "1"))
    assert load("a-1") is None


def test_a_missing_level_or_kernel_is_taken_from_the_next(folder):
    (folder / (V4 + archive.SUFFIX)).unlink()
    assert load("a-1") == V3
    path = folder / (V3 + archive.SUFFIX)
    path.write_bytes(archive.pack(V3, "nobody", {f"b-2-{V3}": V3.encode() + CODES["b-2"]}))
    assert load("a-1") == V2 and load("b-2") == V3


def cut(contents, rng):
    return contents[: rng.randrange(len(contents))]


def flipped(contents, rng):
    at = rng.randrange(len(contents))
    return contents[:at] + bytes([contents[at] ^ 1 << rng.randrange(8)]) + contents[at + 1 :]


def swapped(contents, rng):
    """A page of another place."""
    page = contents[:512]
    at = rng.randrange(1, len(contents) - len(page))
    return contents[:at] + page + contents[at + len(page) :]


@pytest.mark.parametrize("damage", [cut, flipped, swapped])
def test_damaged_code_is_not_taken(folder, damage):
    """What is found in spite of the damage is what was packed."""
    rng, path = random.Random(SEED), folder / (V4 + archive.SUFFIX)
    whole = path.read_bytes()
    found = set()
    for _ in range(CASES):
        path.write_bytes(damage(whole, rng))
        levels = {load("a-1"), load("b-2")}
        found |= levels
        assert (V3 in levels) == any(fault for name, _, fault in archive.check() if name == path)
    assert found == {V3, V4}


def test_what_is_no_file_or_empty_is_not_taken(folder, monkeypatch):
    path = folder / (V4 + archive.SUFFIX)
    for contents in (b"", archive.MAGIC, b"\0" * 4096):
        path.write_bytes(contents)
        assert load("a-1") == V3
    path.unlink()
    path.mkdir()
    assert load("a-1") == V3
    monkeypatch.setattr(archive, "FOLDER", folder / "none")
    assert load("a-1") is None and archive.check() == []


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_an_archive_is_trusted_as_the_sources_are(folder):
    path, sources = folder / (V4 + archive.SUFFIX), os.stat(archive.__file__)
    plain = sources.st_mode & ~(stat.S_IWGRP | stat.S_IWOTH)

    def owned(mode, owner):
        return os.stat_result((mode, *sources[1:4], owner, *sources[5:]))

    path.chmod(0o664)
    with pytest.raises(archive.ArchiveError, match="written by others"):
        archive.check_trusted(path.stat(), owned(plain, sources.st_uid))
    # installed with a mask that lets the group write everything
    archive.check_trusted(path.stat(), owned(plain | stat.S_IWGRP, sources.st_uid))
    path.chmod(0o644)
    archive.check_trusted(path.stat(), owned(plain, sources.st_uid))
    with pytest.raises(archive.ArchiveError, match="written by others"):
        archive.check_trusted(owned(plain, 4321), owned(plain, 1234))


def test_keys_name_sources_and_level():
    stage = stages.find("kinematics")
    keys = {stage.key_for(level.stamp) for level in target.LEVELS} | {
        stage.key,
        stages.find("com_pos").key_for(target.LEVELS[0].stamp),
    }
    assert len(keys) == len(target.LEVELS) + 2
    assert stage.key == stage.key_for(target.of_host(jit.BOUNDSCHECK))


def test_levels_are_ordered():
    """Who has a level has all below it."""
    for better, level in zip(target.LEVELS, target.LEVELS[1:], strict=False):
        assert better.machine != level.machine or {*better.features} > {*level.features}
