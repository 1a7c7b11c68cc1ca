"""A minimised window draws nothing: it takes hardly any processor time while the simulation runs, and less while it rests."""

import os
import time

from Xlib import X

from tests.app.models import CUBE

# limits for the share of a core, including the trace's samples, with a margin for a loaded machine; measured: 2.5 %, 2.7 %
RUNNING, PAUSED = 0.06, 0.05
SECONDS = 4.0
ICONIC, NORMAL = 3, 1


def put_state(viewer, state):
    """Do what a window manager does: set WM_STATE, and take the window off the screen or put it back."""
    window = viewer.window()
    atom = viewer._display.intern_atom("WM_STATE")
    window.change_property(atom, atom, 32, [state, X.NONE])
    window.unmap() if state == ICONIC else window.map()
    viewer._display.sync()


def share(viewer):
    """Share of a core that the viewer uses."""
    ticks = os.sysconf("SC_CLK_TCK")

    def used():
        with open(f"/proc/{viewer.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    begin, before = time.perf_counter(), used()
    time.sleep(SECONDS)
    return (used() - before) / (time.perf_counter() - begin)


def test_a_minimised_window_draws_nothing(make_viewer):
    viewer = make_viewer(CUBE, window=[800, 560], info=False)
    viewer.started()
    seen = share(viewer)
    put_state(viewer, ICONIC)
    frame = viewer.until(lambda r: r["frame"] == viewer.fresh()["frame"], what="no more frames")["frame"]
    hidden, row = share(viewer), viewer.fresh()
    assert row["frame"] == frame and row["running"] and hidden < RUNNING, (seen, hidden)
    # once restored, the window continues with the current state
    put_state(viewer, NORMAL)
    viewer.until(lambda r: r["frame"] > frame + 3 and r["time"] > row["time"])
    viewer.take_focus()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    put_state(viewer, ICONIC)
    viewer.until(lambda r: r["frame"] == viewer.fresh()["frame"])
    paused = share(viewer)
    assert paused < PAUSED, paused
    print(f"\nshare of a core: in sight {seen:.1%}, minimised {hidden:.1%}, minimised and paused {paused:.1%}")

    # a minimised window gets no keys, so restore it before closing it by key
    put_state(viewer, NORMAL)
    rest = viewer.row()["frame"]
    viewer.until(lambda r: r["frame"] > rest)
    viewer.take_focus()
