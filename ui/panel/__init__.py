"""One file for each panel, with a function `draw(ctx)`; the table is in ui/panels.py."""
