"""MjSpec → MJCF: canonical, or as it is written.

rows            TABLE of what is written in which order; the grammar says how
writer          what the writers of all sections share
model_values    numbers that were changed in a Model
settings, assets, custom, bodies, links, sensors      the sections
notation, authored, authored_tree, authored_text      the same of a spec as it is written
mjcf            the sections in order
"""
