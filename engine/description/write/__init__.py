"""MjSpec -> canonical MJCF: `save` (entry points), `mjcf` with `rows` (what, in which order), `tree`, `links`; `model_values` (numbers changed in a Model)."""
