"""The public functions, with the names of the `mujoco` package. Each checks its arguments, raises errors, and calls one stage.

simulate    time steps, forward and inverse dynamics, their components, resets
state       packed state vectors, copies of Data
signature   declares a function's arguments              entries, bodies   compiled code for the usual calls
lazy        finds the rest on first use: editing, files, tools
"""
