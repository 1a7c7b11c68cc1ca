"""The renderer gets the lock soon, whatever the physics thread does."""

import threading
import time

from tumble.app.lock import FairLock

ROUNDS = 40
# seconds for which a thread that steps without pause holds the lock at a time
HELD = 0.002
# generous for a loaded machine; an unfair lock needs seconds
PATIENT = 0.25


def hammer(lock: FairLock, stop: threading.Event, count: list[int]) -> None:
    while not stop.is_set():
        with lock:
            time.sleep(HELD)
            count[0] += 1


def test_renderer_is_not_starved():
    lock, stop, count = FairLock(), threading.Event(), [0]
    thread = threading.Thread(target=hammer, args=(lock, stop, count))
    thread.start()
    waits = []
    try:
        for _ in range(ROUNDS):
            asked = time.perf_counter()
            with lock.urgent() as held:
                assert held
                waits.append(time.perf_counter() - asked)
            time.sleep(0.002)
    finally:
        stop.set()
        thread.join()
    assert max(waits) < PATIENT
    # most of the time, it waits for at most the running slice
    assert sorted(waits)[ROUNDS // 2] < 3 * HELD
    # the physics thread does not starve either
    assert count[0] > ROUNDS / 4


def test_recursive_even_while_somebody_urgent_waits():
    lock, inside, done = FairLock(), threading.Event(), []

    def render() -> None:
        with lock.urgent() as held:
            done.append(held)

    with lock:
        thread = threading.Thread(target=render)
        thread.start()
        while not lock.contended:
            time.sleep(0.001)
        # the owner may enter again although others must wait
        with lock, lock.urgent():
            inside.set()
        assert not done
    thread.join(2)
    assert inside.is_set() and done == [True]


def test_urgent_gives_up_in_time_and_leaves_the_gate_open():
    lock, held_by_it, release = FairLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held_by_it.set()
            release.wait(5)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held_by_it.wait(5)
    begin = time.perf_counter()
    with lock.urgent(0.02) as held:
        assert not held
    assert 0.015 < time.perf_counter() - begin < PATIENT
    assert not lock.contended
    release.set()
    thread.join()
    with lock:
        pass
