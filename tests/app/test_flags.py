"""Flags of the view: they last as long as their window, unless they are kept on purpose."""

from types import SimpleNamespace

from tests.app.models import PENDULUM
from tests.app.test_actions import session as bare
from tumble.app import actions, flags, settings, undo_rows
from tumble.app.flags import Flags, flags_of, put_flags
from tumble.app.view import View
from tumble.ui import intents as I


def session(xml, path):
    made = bare(xml, path)
    made.messages = SimpleNamespace(note=lambda *_a, **_k: None)
    return made


def mess(s):
    """Change flags, like letters typed by accident."""
    for intent in (
        I.SetVisFlag(0),
        I.SetRenderFlag(1),
        I.SetGroup("geom", 0),
        I.SetViewOption("label", 3),
        I.SetViewOption("bvh_depth", 4),
    ):
        actions.apply(s, intent)


def test_default_flags_undo_every_flag(tmp_path):
    """One undo restores all of the flags."""
    s = session(PENDULUM, tmp_path)
    assert flags_of(s.view) == Flags()
    mess(s)
    changed = flags_of(s.view)
    assert changed != Flags()
    entry = undo_rows.entry_of(s, I.DefaultFlags())
    actions.apply(s, I.DefaultFlags())
    assert flags_of(s.view) == Flags() and undo_rows.entry_of(s, I.DefaultFlags()) is None
    for intent in entry.back:
        actions.apply(s, intent)
    assert flags_of(s.view) == changed


def test_flags_are_kept_on_purpose_only(tmp_path):
    s = session(PENDULUM, tmp_path)
    mess(s)
    changed, view = flags_of(s.view), View(lambda intent: None)
    flags.restore(view, s.config)
    assert flags_of(view) == Flags(), "nothing was kept"
    actions.apply(s, I.KeepFlags())
    flags.restore(view, s.config)
    assert flags_of(view) == changed
    actions.apply(s, I.KeepFlags(False))
    again = View(lambda intent: None)
    flags.restore(again, s.config)
    assert flags_of(again) == Flags()


def test_windows_of_scripts_take_no_flags_from_the_settings(tmp_path):
    s = session(PENDULUM, tmp_path)
    mess(s)
    actions.apply(s, I.KeepFlags())

    class Script:
        passive = True

        def post(self, intent):
            raise AssertionError(intent)

    view = View(lambda intent: None)
    s.config["ring_seconds"] = 10.0
    settings.restore(view, Script(), s.config)
    assert flags_of(view) == Flags()


def test_put_flags_is_the_inverse_of_reading_them(tmp_path):
    s = session(PENDULUM, tmp_path)
    mess(s)
    view = View(lambda intent: None)
    put_flags(view, flags_of(s.view))
    assert flags_of(view) == flags_of(s.view)
