"""One module for each panel, with a function `draw(ctx)`. The table of panels is in ui/panels.py."""
