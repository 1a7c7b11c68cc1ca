"""MjSpec → canonical MJCF.

    rows            TABLE of what is written in which order; the grammar says how
    writer          what the writers of all sections share
    model_values    numbers that were changed in a Model
    settings, assets, custom, bodies, links, sensors      the sections
    mjcf            the sections in order
"""
