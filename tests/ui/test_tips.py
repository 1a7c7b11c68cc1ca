"""Tooltips say what a command does before they name its key."""

from tumble.app.keymap import default_actions
from tumble.render import scene as mjv
from tumble.ui.panel.option import OVERLAYS
from tumble.ui.panels import PANELS
from tumble.ui.tips import TIPS


def test_every_panel_flag_and_overlay_has_a_sentence():
    wanted = {f"panel.{panel.name}" for panel in PANELS} | {name for name, _title in OVERLAYS}
    wanted |= {f"vis.{row[0]}" for row in mjv.mjVISSTRING} | {f"render.{row[0]}" for row in mjv.mjRNDSTRING}
    assert wanted <= set(TIPS)


def test_every_sentence_is_of_an_action_or_a_panel():
    known = {action.id for action in default_actions()} | {f"panel.{panel.name}" for panel in PANELS}
    assert set(TIPS) <= known
    assert all(text[0].isupper() and not text.endswith(".") for text in TIPS.values())
