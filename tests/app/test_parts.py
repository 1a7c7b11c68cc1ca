"""Channels, settings, watched files, background loading."""

import ctypes
import json
import os
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from tumble.app import messages
from tumble.app.channels import Letter, Queue
from tumble.app.config import SETTINGS, Config, check
from tumble.app.flags import restore
from tumble.app.loading import Failed, Loaded, Loader, place_of
from tumble.app.messages import Messages
from tumble.app.reload import QUIET, Watcher, model_files, stamps_of
from tumble.render.scene import MjvOption
from tumble.ui.browse import listing


def test_queue_keeps_the_order_of_all_messages():
    queue, got = Queue(), []

    def read():
        while len(got) < 1000:
            queue.wait(0.1)
            got.extend(queue.drain())

    thread = threading.Thread(target=read)
    thread.start()
    for i in range(1000):
        queue.put(i)
    thread.join(5)
    assert got == list(range(1000))


def test_slot_holds_the_latest():
    slot = Letter()
    assert slot.take() is None
    slot.put(1)
    slot.put(2)
    assert slot.peek() == 2 and slot.take() == 2 and slot.take() is None


# ---- settings ------------------------------------------------------------------------------------------------------------


def test_settings_survive(tmp_path):
    config = Config(tmp_path / "deep" / "settings.json")
    config["theme"], config["font"], config["panels"] = "light", 150, {"watch": True}
    config["help"] = True
    config.save()
    again = Config(config.path)
    assert again["theme"] == "light" and again["font"] == 150 and again["panels"] == {"watch": True}
    # overlays that would hide the view at the next start are not saved
    assert again["help"] is False
    assert not list(config.path.parent.glob("*.tmp"))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"theme": 7, "font": "big", "panels": []}', '{"theme": "pink", "font": 1e9}']
)
def test_a_broken_file_is_harmless(tmp_path, text):
    path = tmp_path / "settings.json"
    path.write_text(text)
    config = Config(path)
    assert config["theme"] in ("dark", "light") and 50 <= config["font"] <= 300 and isinstance(config["panels"], dict)


def test_texts_that_cannot_be_displayed_are_dropped(tmp_path):
    """The names of files, for example, whose bytes are not UTF-8."""
    path, bad = tmp_path / "settings.json", "\ud800"
    path.write_text(
        json.dumps({"recent": ["a.xml", bad], "layouts": {bad: {}, "own": {}}, "editor": bad, "keys": {"quit": bad}})
    )
    config = Config(path)
    assert (
        config["recent"] == ("a.xml",) and config["layouts"] == {"own": {}} and config["editor"] == "" and config["keys"] == {}
    )


def test_flags_with_any_index(tmp_path):
    path, view = tmp_path / "settings.json", SimpleNamespace(opt=MjvOption(), render_flags=np.zeros(10, int))
    path.write_text(json.dumps({"vis_flags": {"9" * 5000: 1, "-1": 1, "x": 1, "2": 0}}))
    before = view.opt.flags.copy()
    restore(view, Config(path))  # type: ignore[arg-type]
    assert np.flatnonzero(view.opt.flags != before).tolist() in ([], [2])


@pytest.mark.skipif(sys.platform != "linux", reason="names are texts here")
def test_a_name_that_cannot_be_displayed_is_refused(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"a\xff.xml")
    with open(path, "wb") as file:
        file.write(b"<mujoco/>")
    loader = Loader()
    loader.request(os.fsdecode(path))
    (failed,) = loader.results.drain()
    assert failed.path.endswith("a?.xml") and "rename it" in failed.message and not loader.busy
    assert listing(str(tmp_path))[1] == []
    messages = Messages(lambda: None, lambda text: text.encode())
    messages.note("info", os.fsdecode(path), show=True)
    assert messages.notice.endswith("a?.xml")


def test_unwritable_place_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    config = Config(tmp_path / "file" / "settings.json")
    config["theme"] = "light"
    config.save()
    assert config.dirty


@pytest.mark.parametrize("row", SETTINGS, ids=lambda r: r.name)
def test_defaults_fit_their_rows(row):
    assert check(row, row.default) == row.default
    assert check(row, json.loads(json.dumps(row.default))) == row.default
    assert check(row, object()) == row.default


# ---- files ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.obj").write_text("v 0 0 0")
    (tmp_path / "parts" / "inner.xml").write_text('<mujoco><include file="parts/leaf.xml"/></mujoco>')
    (tmp_path / "parts" / "leaf.xml").write_text('<mujoco><asset><mesh file="a.obj"/></asset></mujoco>')
    (tmp_path / "main.xml").write_text('<mujoco><compiler meshdir="assets"/><include file="parts/inner.xml"/></mujoco>')
    return tmp_path


def test_includes_and_assets_are_found(tree):
    found = [os.path.relpath(f, tree) for f in model_files(str(tree / "main.xml"))]
    assert found == ["main.xml", "parts/inner.xml", "parts/leaf.xml", "assets/a.obj"]


def test_a_file_that_includes_itself_ends(tmp_path):
    path = tmp_path / "loop.xml"
    path.write_text('<mujoco><include file="loop.xml"/></mujoco>')
    assert model_files(str(path)) == (str(path),)


def settle(watcher, now):
    """Check twice: one check sees the change, the next that the file has been quiet since."""
    return watcher.poll(now), watcher.poll(now + 2 * QUIET)


def test_a_save_is_reported_once(tree):
    watcher = Watcher()
    watcher.watch(model_files(str(tree / "main.xml")))
    assert not watcher.poll(0.0)
    (tree / "parts" / "leaf.xml").write_text("<mujoco/>")
    assert settle(watcher, 1.0) == (False, True)
    assert not watcher.poll(3.0)


def test_a_save_while_the_model_was_read_is_noticed(tree):
    """A save by another program is noticed even between the reading of the files and the start of watching."""
    files = model_files(str(tree / "main.xml"))
    stamps = stamps_of(files)
    (tree / "main.xml").write_text("<mujoco>later</mujoco>")
    watcher = Watcher()
    watcher.watch(files, stamps=stamps)
    assert settle(watcher, 1.0) == (False, True)
    # without a change there is nothing to report
    watcher.watch(files, stamps=stamps_of(files))
    assert settle(watcher, 3.0) == (False, False)


def test_a_save_by_renaming_counts_once_even_if_the_file_is_missing_for_a_while(tree):
    watcher, path = Watcher(), tree / "main.xml"
    watcher.watch([str(path)])
    path.rename(tree / "backup")
    assert settle(watcher, 1.0) == (False, False)
    (tree / "new").write_text("<mujoco> </mujoco>")
    (tree / "new").rename(path)
    assert settle(watcher, 2.0) == (False, True)


def test_several_writes_in_a_row_count_once(tree):
    watcher, path = Watcher(), tree / "main.xml"
    watcher.watch([str(path)])
    reports = 0
    for i in range(5):
        path.write_text("<mujoco>" + " " * i + "</mujoco>")
        reports += watcher.poll(1.0 + 0.4 * QUIET * i)
    assert reports == 0
    assert watcher.poll(5.0)


def test_the_thread_reports(tree):
    watcher = Watcher()
    watcher.watch([str(tree / "main.xml")])
    watcher.start()
    try:
        (tree / "main.xml").write_text("<mujoco>changed</mujoco>")
        end = time.monotonic() + 5
        while not (seen := watcher.take()) and time.monotonic() < end:
            time.sleep(0.02)
        assert seen
    finally:
        watcher.stop()


# ---- loading -------------------------------------------------------------------------------------------------------------


def wait_for(loader, count=1, seconds=5.0):
    """Return the next results."""
    out, end = [], time.monotonic() + seconds
    while len(out) < count and time.monotonic() < end:
        loader.results.wait(0.05)
        out += loader.results.drain()
    return out


def test_of_several_waiting_requests_the_last_wins(tmp_path):
    started, go, seen = threading.Event(), threading.Event(), []

    def compile_(path, progress):
        seen.append(os.path.basename(path))
        started.set()
        go.wait(5)
        return path, None, None, ""

    loader = Loader(compile_)
    try:
        loader.request(str(tmp_path / "a"))
        assert started.wait(5) and loader.busy.endswith("a")
        for name in "bcd":
            loader.request(str(tmp_path / name))
        go.set()
        results = wait_for(loader, 2)
        assert [os.path.basename(r.path) for r in results] == ["a", "d"] and seen == ["a", "d"]
        assert all(isinstance(r, Loaded) for r in results)
    finally:
        loader.stop()


def test_a_cancelled_load_is_dropped_and_delays_no_other(tmp_path):
    """The thread of the cancelled load still works; the next model comes from another one, and only this model."""
    started, go = threading.Event(), threading.Event()

    def compile_(path, progress):
        if path.endswith("slow"):
            started.set()
            go.wait(20)
            progress(1, 2)
        return path, None, None, ""

    loader = Loader(compile_)
    try:
        assert loader.cancel() == "" and loader.seconds == 0
        loader.request(str(tmp_path / "slow"))
        assert started.wait(5) and loader.seconds > 0
        first = loader._thread
        loader.request(str(tmp_path / "waits"))
        assert loader.cancel().endswith("slow") and loader.busy == "" and loader.seconds == 0
        loader.request(str(tmp_path / "fast"))
        results = wait_for(loader)
        assert first.is_alive(), "the slow load is not over yet"
        go.set()
        first.join(5)
        assert not first.is_alive() and not loader.detail
        results += loader.results.drain()
        assert [os.path.basename(r.path) for r in results] == ["fast"] and isinstance(results[0], Loaded)
    finally:
        go.set()
        loader.stop()


def test_failures_say_where(tmp_path):
    def compile_(path, progress):
        raise ValueError("XML Error: bad thing\nElement 'geom', line 12")

    loader = Loader(compile_)
    try:
        loader.request(str(tmp_path / "x.xml"))
        (result,) = wait_for(loader)
        assert isinstance(result, Failed) and result.line == 12 and "bad thing" in result.message
        assert result.file == str(tmp_path / "x.xml")
    finally:
        loader.stop()


def test_memory_goes_back_once_things_have_settled(tmp_path, monkeypatch):
    """Memory is released once, after the last of several loads, and never while another load waits."""
    from tumble.app import loading

    calls, busy = [], []
    monkeypatch.setattr(loading, "SETTLED", 1.0)
    loader = Loader(lambda path, progress: (time.sleep(0.02), None, None, ""))
    monkeypatch.setattr(loading, "give_back", lambda: (calls.append(time.monotonic()), busy.append(loader.busy)))
    try:
        for name in "abc":
            loader.request(str(tmp_path / name))
            wait_for(loader)
        end = time.monotonic() + 10
        while not calls and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(1.5)
        assert len(calls) == 1 and busy == [""]
    finally:
        loader.stop()


def test_freed_memory_goes_back_to_the_system():
    """If one in ten small blocks stays alive, all their pages stay in use; large blocks are returned whole."""
    from tumble.app.loading import give_back
    from tumble.engine.machine.systems import resident_memory as memory

    blocks = [np.ones(3000) for _ in range(4000)]
    kept = blocks[::10]
    full = memory()
    del blocks
    give_back()
    if hasattr(ctypes.CDLL(None), "malloc_trim"):
        assert full - memory() > 0.5 * (4000 - len(kept)) * 3000 * 8


def test_the_error_may_name_another_file():
    class Placed(ValueError):
        file, line = "part.xml", 7

    assert place_of(Placed("x"), "main.xml") == ("part.xml", 7)
    assert place_of(ValueError("part.xml:9: wrong"), "main.xml") == ("part.xml", 9)
    assert place_of(ValueError("no place"), "main.xml") == ("main.xml", 0)


def test_news_wait_until_a_warning_was_read(monkeypatch):
    """A message that arrives with a warning is shown after it; a newer warning is shown at once."""
    now = 100.0
    monkeypatch.setattr(messages.time, "perf_counter", lambda: now)
    m = messages.Messages(lambda: None, lambda _text: None)
    m.note("info", "loaded", show=True)
    m.note("warning", "edited and not saved")
    m.note("info", "reloaded", show=True)
    m.note("info", "in the console alone")
    assert m.notice == "edited and not saved"
    now += messages.NOTICE_SECONDS + 0.1
    assert m.notice == "reloaded"
    m.note("error", "failed")
    m.note("warning", "low")
    assert m.notice == "low"
    now += messages.NOTICE_SECONDS + 0.1
    assert m.notice == "" and len(m.log.lines) == 6
    m.note("info", "saved", show=True)
    assert m.notice == "saved"
