"""MjSpec -> MjModel. `driver` has the stages in order; they work on `table.Table` columns: numpy arrays over all elements of a kind.

In order: `resolve` (ids, names), `links.materials`, `mesh`, `frames`, `inertia`, `bvh`, `fuse`, `flex`, `skin`, `texture`, `links`,
`plugins`, `sensors`, `sparse` and `pack` (sizes, fields).
"""
