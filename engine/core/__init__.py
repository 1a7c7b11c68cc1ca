"""Model and Data: their memory, the stages that work on it, and who may touch it when.

```
     struct, options, listed, records ──► model, data ◄── arena    what the reference keeps of its memory
     buffers and views                        │
                                              ▼
     stages   the addresses of compiled stages, status and recovery
       ├── hooks, pair_hooks    the user's functions          plugin    the registry of plugins and their instances
       ├── edits                indices that somebody writes  debug     what stands in a stage's place
       ├── owner, turns         which thread is in a Data, which call in a Batch
       └── counts, timers, pace        warnings, times, slices of long calls
     report, logs, printing     errors, warnings, the log, and structs as text
     binary                     Models in files
```

Below it: `tables` says what exists, `machine` makes code of kernels. Above it: `calls`, the way in from Python.
"""
