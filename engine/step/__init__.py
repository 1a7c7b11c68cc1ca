"""The pipeline: reads as a table of contents. forward, integrate, implicit, inverse, derivative, setconst, reset, state, checks, rollout, worlds."""
