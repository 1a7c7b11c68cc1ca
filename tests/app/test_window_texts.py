"""No byte of typed text is lost: a few random sessions by real events, some of which end when the process is killed. `python -m
tests.app.texts` does hundreds of them.
"""

from tests.app.texts import run

SESSIONS = 3


def test_no_byte_of_typed_text_is_lost(server):
    counts = run(SESSIONS, seed=5)
    assert counts.get("type", 0) >= SESSIONS
