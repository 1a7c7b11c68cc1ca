"""Work divided among threads."""

import threading

import pytest

from tumble.engine.machine.shared_work import share


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_each_row_is_called_once(threads):
    called = []
    share(lambda a, b: called.append((a, b)), [(k, -k) for k in range(50)], threads)
    assert sorted(called) == [(k, -k) for k in range(50)]


def test_two_threads_work_at_the_same_time():
    both = threading.Barrier(2)
    share(both.wait, [(30,), (30,)], 2)


def test_the_first_error_ends_the_work_and_is_raised():
    called = []

    def fail(k):
        called.append(k)
        raise ValueError(k)

    with pytest.raises(ValueError):
        share(fail, [(k,) for k in range(50)], 2)
    assert len(called) <= 2
