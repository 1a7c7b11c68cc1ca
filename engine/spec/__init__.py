"""Words to Model: MJCF and URDF in, the editable MjSpec between, a compiled MjModel out.

    text ── xmltree ── include ──▶ nodes ── schema (checks) ── mjcf_read, mjcf_tree, mjcf_links ──▶ MjSpec ── compile ──▶ MjModel

Tables: `grammar` (elements and attributes of MJCF), `keywords`, `structs` (fields of elements). Everything loops over these.
Editing: `spec` (MjSpec), `elements`, `element`, `fields` and `vectors` (public attributes), `shortcuts` (actuators), `orient`; `attach`
(attach, replicate), `edit` (delete, copy, compile anew), `references` (names from one element to others), `keyframes`, `signature`.
Writing: `save` (entry points), `mjcf_write` with `write_rows` (what, in which order), `write_tree`, `write_links`, `write_back`
(numbers changed in a Model), `xml_text` (numbers and layout).
Files: `resources` (assets, providers, paths), `load` (entry points), `archive` (zip files).
Compile stages, in order: `c_resolve` (ids, names), `c_links.materials`, `c_mesh`, `c_frames`, `c_inertia`, `c_bvh`, `c_fuse`,
`c_flex`, `c_skin`, `c_texture`, `c_links`, `c_sensors`, `c_sparse` and `c_pack` (sizes, fields). They work on `table.Table`
columns: numpy arrays over all elements of a kind.
"""
