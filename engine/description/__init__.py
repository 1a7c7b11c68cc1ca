"""Words to Model: MJCF and URDF in, the editable MjSpec between, a compiled MjModel out.

    text ── read ──▶ MjSpec (elements) ── compile ──▶ MjModel          MjSpec ── write ──▶ text

A room imports only from rooms to its left, a file only from files before it in its room's list:

    language < files < elements < compile < read < write < rewrite < robots < load, copyback, save, archive, encode, spec, bind

`language`  words, numbers and rows: the grammar of MJCF, the fields of elements
`files`     where the contents of files come from
`elements`  the editable model: MjSpec, its elements, attach and edit
`compile`   the stages from a spec to a model, in order
`read`      MJCF and URDF, includes, macros
`write`     canonical MJCF
`robots`    robot descriptions as people have them: URDF, xacro and SDF, meshes of many formats, repairs with a report
`rewrite`   edits of the text that a model was read from, as small as they can be

Entry points: `load` (models from files and text), `save` (models as XML), `archive` (zip files), `encode` (any of these), `spec` (MjSpec with all its methods,
one row a method), `imports` (robots as such a spec), `bind` (gives MjModel its loaders).
"""
