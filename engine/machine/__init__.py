"""How kernels become machine code, and how they run without it. Physics needs none of this to be read.

```
     @kernel, @stage          jit ──── stamp    what the code depends on, as a hash
     lang: names that only        │
     kernels know                 ├─── store    objects on disk     archive   objects in the wheel     target   processors
                                  ▼
     intrinsics: fields as    backend, emission, lean     numba's pipeline, and what is taken out of its output
     loads from a slot            │
                                  ├─── checked            the same with checked indices
     packs, pack_values           ▼
     numbers side by side     machine code               interpret, arithmetic, memory    the same kernels as Python functions

     layout    places in CPython's own objects            storage, frozen, garbage    buffers, arrays that are only read, the collector
     systems   what Linux, macOS and Windows name         regular     files that may be pipes or devices
```

When numba, llvmlite or CPython change, `layout` and `calls.compiled` probe what they rely on and go by plain Python where that fails.
"""
