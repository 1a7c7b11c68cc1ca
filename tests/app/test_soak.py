"""Ten seconds of random events: the viewer lives, answers, and keeps its memory. `make soak SECONDS=3600` runs longer."""

import os

from tests.app.soak import soak

SECONDS = float(os.environ.get("TUMBLE_SOAK", "10"))


def test_random_events():
    counts = soak(SECONDS, seed=1)
    assert counts["events"] > SECONDS / 4, counts
