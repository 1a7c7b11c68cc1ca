"""The editable model (spec): its elements, and the operations that change them.

    element         base of all elements; plugin references, compiler settings
    shortcuts       actuator shortcuts: the fields that `motor`, `position`, ... set
    servo_shortcuts actuator shortcuts of later releases
    elements        the classes of all elements, made from the rows of `language.structs`
    signature       hash of the structure
    spec            MjSpec: the tree, the lists, default classes, settings
    keyframes       keyframe values, stored per element while the tree changes
    references      references by name between elements: renaming and lookup
    edit            delete, copy, turn bodies into frames
    conflicts       global settings of attached models
    attach          subtrees under other bodies, from the same or another spec
    mesh_shapes     meshes from a few parameters
    dedup           merging of equal assets
    state           everything that a compilation reads, for comparison

`description.spec` adds the methods that read, compile and write to MjSpec and its elements.
"""
