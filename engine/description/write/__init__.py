"""Writes an MjSpec as MJCF text: canonical, or with values as given in the spec.

write_table     TABLE of the attributes written and their order; the grammar gives their format
writer          state and helpers shared by the writers of all sections
model_values    numbers that were changed in a Model
settings, assets, custom, bodies, links, sensors      the sections
notation, authored, authored_tree, authored_text      the text of a spec with values as given, not as compiled
mjcf            the sections in order
"""
