"""The editable model: `spec` (MjSpec), `elements` and `element` (what it holds), and what changes them.

`attach` (attach, replicate), `edit` (delete, copy, compile anew), `references` (names from one element to others), `keyframes`,
`shortcuts` (actuators), `signature` (hash of the structure).
"""
