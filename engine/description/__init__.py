"""From text to Model: reads MJCF and URDF into the editable MjSpec, and compiles that to an MjModel.

    text ── read ──▶ MjSpec (elements) ── compile ──▶ MjModel          MjSpec ── write ──▶ text

A package imports only from packages to its left; a file only from files listed before it in its package:

    language < files < elements < compile < read < write < rewrite < robots <
    again, load, copyback, live, save, archive, encode, spec, bind

`language`  the vocabulary: words, numbers, the grammar of MJCF, the fields of elements
`files`     where the contents of files come from
`elements`  the editable model: MjSpec, its elements, attach and edit
`compile`   the stages from a spec to a model, in order
`read`      MJCF and URDF, includes, macros
`write`     canonical MJCF
`robots`    robot descriptions: URDF, xacro and SDF, meshes of many formats, with a report of repairs
`rewrite`   small edits of the text that a model was read from

Entry points: `load` (models from files and text), `again` (copies of models that are loaded repeatedly), `save` (models
as XML), `archive` (zip files), `encode` (any output format), `spec` (MjSpec with all its methods, one row per method),
`imports` (imports robots into an MjSpec), `bind` (adds the loaders to MjModel). Methods of specs: `reduce` (inertias,
visual elements, static bodies), `flexes` (make_flex).
"""
