"""One file a panel, each with `draw(ctx)`; the table is in ui/panels.py."""
