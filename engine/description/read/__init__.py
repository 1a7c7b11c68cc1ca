"""MJCF and URDF -> MjSpec: `load` (entry points), `include`, `mjcf` with `mjcf_tree` and `mjcf_links`, the macros `composite` and `flexcomp`, `urdf`."""
