"""Whatever is stored under a kernel's name, only compiled code of this kernel is run, and the next start finds a good file
again.

All code is run by one function, which the tests watch. Nothing is compiled here: short bytes stand for the code.
"""

import os
import random
import shutil
import stat
import warnings

import pytest

from tumble.engine.machine import jit, store

CODE, FOREIGN = b"what the compiler made" * 200, b"what somebody else made" * 200
# cases of each type; together about 400
CASES = 16
SEED = 22
SOMEBODY = 54321


def function(m, d):
    """A fake kernel."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty store folder on a fast clock: nothing is synced."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    store._writable.cache_clear()
    yield tmp_path / "kernels"
    store._writable.cache_clear()


@pytest.fixture
def start(monkeypatch):
    """start() -> (origin, code that is run, warnings) of a program that needs the kernel."""
    monkeypatch.setattr(jit, "compile_half", lambda stage: None)
    monkeypatch.setattr(jit, "emit", lambda stage, half: CODE)

    def one():
        ran = []
        monkeypatch.setattr(jit, "map_object", lambda symbol, code: ran.append(code) or 1)
        store._warned.clear()
        stage = jit.Stage(function, "vMD", listed=False)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert stage.address
        (code,) = ran
        return stage.origin, code, [str(w.message) for w in told]

    return one


NAME = jit.Stage(function, "vMD", listed=False).key


def contents(make):
    """A type of damage: other contents of the file."""

    def damage(path, rng):
        path.write_bytes(make(path.read_bytes(), rng))

    damage.__name__ = make.__name__
    return damage


@contents
def cut(whole, rng):
    return whole[: rng.randrange(len(whole))]


@contents
def flipped(whole, rng):
    at = rng.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]


@contents
def lengthened(whole, rng):
    return whole + rng.randbytes(rng.randrange(1, 50))


@contents
def zeroed(whole, rng):
    """As after a crash of the machine: the size is right, some of the data is missing."""
    at = rng.randrange(len(whole))
    return whole[:at] + bytes(len(whole) - at)


@contents
def emptied(whole, rng):
    return b""


@contents
def noise(whole, rng):
    return rng.randbytes(rng.randrange(1, 2 * len(whole)))


@contents
def bare(whole, rng):
    """Machine code without a seal, or with the seal of the real one."""
    return rng.choice((FOREIGN, b"\x7fELF" + FOREIGN, whole[: store.HEADER] + FOREIGN))


@contents
def of_another_name(whole, rng):
    return store.seal(f"{NAME[:-1]}{rng.choice('ghij')}", FOREIGN)


@contents
def no_code(whole, rng):
    return store.seal(NAME, b"")


@contents
def of_another_format(whole, rng):
    return whole.replace(b"-1\n", b"-%d\n" % rng.randrange(2, 9), 1)


def sealed_by_somebody(path, mode=0o644, owner=None):
    """Foreign code that is complete and has the right name: only owner and permissions reveal it."""
    path.write_bytes(store.seal(NAME, FOREIGN))
    path.chmod(mode)
    if owner is not None:
        os.chown(path, owner, owner)


def group_may_write(path, rng):
    sealed_by_somebody(path, 0o644 | stat.S_IWGRP)


def all_may_write(path, rng):
    sealed_by_somebody(path, rng.choice((0o666, 0o646, 0o777)))


def of_another_owner(path, rng):
    sealed_by_somebody(path, rng.choice((0o644, 0o600, 0o755)), SOMEBODY)


def link_to_another_owners(path, rng):
    other = path.with_name(f"other{rng.randrange(9)}")
    other.touch()
    sealed_by_somebody(other, 0o644, SOMEBODY)
    path.unlink()
    path.symlink_to(other)


def link_to_foreign_code(path, rng):
    other = path.with_name("other")
    other.write_bytes(store.seal("other-1", FOREIGN))
    path.unlink()
    path.symlink_to(other)


def link_to_nothing(path, rng):
    path.unlink()
    path.symlink_to(path.with_name(f"gone{rng.random()}"))


def link_to_itself(path, rng):
    path.unlink()
    path.symlink_to(path.name)


def link_to_a_device(path, rng):
    path.unlink()
    path.symlink_to(rng.choice(("/dev/zero", "/dev/null", "/dev/random")))


def pipe(path, rng):
    """Opening it for reading would wait forever."""
    path.unlink()
    os.mkfifo(path)


def folder(path, rng):
    path.unlink()
    path.mkdir()


def gone(path, rng):
    path.unlink()


def gone_with_its_folder(path, rng):
    shutil.rmtree(path.parent)


def file_for_folder(path, rng):
    shutil.rmtree(path.parent)
    path.parent.write_bytes(store.seal(NAME, FOREIGN))


def full_folder(path, rng):
    path.unlink()
    path.mkdir()
    (path / "letter").write_text("not ours")


KINDS = [
    cut,
    flipped,
    lengthened,
    zeroed,
    emptied,
    noise,
    bare,
    of_another_name,
    no_code,
    of_another_format,
    group_may_write,
    all_may_write,
    of_another_owner,
    link_to_another_owners,
    link_to_foreign_code,
    link_to_nothing,
    link_to_itself,
    link_to_a_device,
    pipe,
    folder,
    gone,
    gone_with_its_folder,
]
# files that we may not remove: kernels stay in memory, with one warning
STAY = [file_for_folder, full_folder]
POSIX = {group_may_write, all_may_write, of_another_owner, link_to_another_owners, pipe, link_to_a_device}


def skip_where_impossible(kind):
    if kind in POSIX and not hasattr(os, "getuid"):
        pytest.skip("files have no owners here")
    if kind in (of_another_owner, link_to_another_owners) and os.getuid():
        pytest.skip("only the administrator gives files away")


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_damage_heals(place, start, kind):
    skip_where_impossible(kind)
    rng = random.Random(SEED)
    for case in range(CASES):
        assert start()[1] == CODE and start() == ("cache", CODE, []), case
        kind(place / (NAME + store.SUFFIX), rng)
        assert start() == ("compiled", CODE, []), case
        assert start() == ("cache", CODE, []), case
        shutil.rmtree(place)


@pytest.mark.parametrize("kind", STAY, ids=lambda k: k.__name__)
def test_what_cannot_be_mended_is_one_warning(place, start, kind):
    start()
    kind(place / (NAME + store.SUFFIX), random.Random(SEED))
    store._writable.cache_clear()
    for case in range(CASES):
        origin, code, told = start()
        assert origin == "compiled" and code == CODE and len(told) == 1 and "cannot be kept" in told[0], (case, told)


def future(path):
    os.utime(path, (4e9, 4e9))


def past(path):
    os.utime(path, (0, 0))


def read_only(path):
    path.chmod(0o444)
    path.parent.chmod(0o555)


def link_to_the_same(path):
    other = path.rename(path.with_name("moved"))
    path.symlink_to(other)


def leftovers(path):
    """Temporary files of dead processes."""
    for k in range(5):
        path.with_name(f"{NAME}.{k}.tmp").write_bytes(FOREIGN)


@pytest.mark.parametrize("kind", [future, past, read_only, link_to_the_same, leftovers], ids=lambda k: k.__name__)
def test_what_is_no_damage_is_used(place, start, kind):
    start()
    kind(place / (NAME + store.SUFFIX))
    for _ in range(CASES):
        assert start() == ("cache", CODE, [])
    place.chmod(0o755)


def test_there_are_enough_cases():
    assert CASES * (len(KINDS) + len(STAY) + 5) >= 400


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_the_same_file_seen_by_somebody_else(place, start, monkeypatch):
    start()
    monkeypatch.setattr(store, "_trusted_owners", lambda: {os.getuid() + 1})
    assert start()[:2] == ("compiled", CODE)


@pytest.mark.parametrize("kind", [*KINDS, *STAY], ids=lambda k: k.__name__)
def test_the_check_sees_it_and_clearing_removes_it(place, start, kind):
    skip_where_impossible(kind)
    start()
    path = place / (NAME + store.SUFFIX)
    kind(path, random.Random(SEED))
    rows = [fault for found, fault in store.check(place) if found == path]
    assert len(rows) == os.path.lexists(path) and all(rows)
    store.clear(place)
    assert not os.path.lexists(path) or kind in STAY
