"""The table of decor generators, in draw-list order."""
ALWAYS = ()
TABLE = ()
