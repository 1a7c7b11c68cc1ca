"""Reads MJCF and URDF text into an MjSpec.

include         the model's file and the files it includes
reader          state and helpers shared by the readers of all sections
settings        compiler, option, size, visual, statistic
custom          extension; numerics, texts, tuples
assets          textures, materials, meshes, height fields, skins, models
bodies          the kinematic tree
composite, flexcomp             macros: chains of bodies, deformables
macros          table of all macros; replicate and attach
actuators, sensors, links      elements that refer to others by name
mjcf            the sections in reading order; default classes
urdf            URDF
parse           entry points: file or text -> MjSpec
"""
