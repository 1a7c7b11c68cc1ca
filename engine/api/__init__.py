"""The public functions, spelled as in the `mujoco` package: argument checks, errors, and one call into a stage each.

simulate    time steps, forward and inverse dynamics, their components, resets
state       packed state vectors, copies of Data
signature   what a function's arguments must be          entries, bodies   compiled code for the usual calls
"""
