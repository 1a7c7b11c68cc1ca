"""Model and Data: their memory, the stages that work on them, and which thread may use them.

```
     struct, options, listed, records ──► model, data ◄── arena    counts the bytes of MuJoCo's arena
     buffers and views                        │
                                              ▼
     stages   addresses of compiled stages, status and recovery
       ├── hooks, pair_hooks    user callbacks                plugin    registry of plugins and their instances
       ├── edits                detects edited indices        debug     replaces stages by other functions
       ├── owner, turns         which thread uses a Data, which call uses a Batch
       └── counts, timers, pace        warnings, times, slices of long calls
     report, logs, printing     errors, warnings, the log, and structs as text
     binary                     Models in files
```

Modules below: `tables` lists what exists, `machine` turns kernels into machine code. Modules above: `calls`, the entry
points from Python.
"""
