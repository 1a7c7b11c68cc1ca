"""MJCF and URDF → MjSpec.

    include         the model's file, and files that it includes
    reader          what the readers of all sections share
    settings        compiler, option, size, visual, statistic
    custom          extension; numerics, texts, tuples
    assets          textures, materials, meshes, height fields, skins, models
    composite, flexcomp      macros
    bodies          the kinematic tree, with replicate and attach
    actuators, sensors, links      what refers to elements by name
    mjcf            the sections in order; default classes
    urdf            URDF
    parse           entry points: a file or text → MjSpec
"""
