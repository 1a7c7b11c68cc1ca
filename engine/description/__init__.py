"""Words to Model: MJCF and URDF in, the editable MjSpec between, a compiled MjModel out.

    text ── read ──▶ MjSpec (elements) ── compile ──▶ MjModel          MjSpec ── write ──▶ text

    language < files < elements < compile < read < write

`language`  words, numbers and rows: the grammar of MJCF, the fields of elements
`files`     where the contents of files come from
`elements`  the editable model: MjSpec, its elements, attach and edit
`compile`   the stages from a spec to a model, in order
`read`      MJCF and URDF, includes, macros
`write`     canonical MJCF
`archive` has models with their files in one zip file, `bind` gives MjModel its loaders.
"""
