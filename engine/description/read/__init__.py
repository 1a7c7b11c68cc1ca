"""MJCF and URDF → MjSpec.

include         the model's file, and files that it includes
reader          what the readers of all sections share
settings        compiler, option, size, visual, statistic
custom          extension; numerics, texts, tuples
assets          textures, materials, meshes, height fields, skins, models
bodies          the kinematic tree
composite, flexcomp      chains of bodies, deformables
macros          what stands for many elements: these two, replicate, attach
actuators, sensors, links      what refers to elements by name
mjcf            the sections in order; default classes
urdf            URDF
parse           entry points: a file or text → MjSpec
"""
