"""Compiles kernels to machine code, or runs them as plain Python. The physics can be understood without reading this package.

```
     @kernel, @stage          jit ──── stamp    a hash of everything the machine code depends on
     lang: names that only        │
     kernels know                 ├─── store    code on disk        archive   code in the wheel        target   processors
                                  ▼
     intrinsics: fields as    backend, emission, lean     numba's pipeline, reduced to what kernels need
     loads from a slot            │
                                  ├─── checked            the same with checked indices
     packs, pack_values           ▼
     eight numbers at once    machine code               interpret, arithmetic, memory    the kernels as Python functions

     layout    offsets in CPython's objects              storage, frozen, garbage    buffers, read-only arrays, collector
     extensions   compiled modules of large packages, without the rest of the package
     systems   differences of Linux, macOS and Windows   regular     opens files only if they are regular
     shared_work    divides work among threads
```

When numba, llvmlite or CPython change, `layout` and `calls.compiled` probe their assumptions and fall back to plain Python.
"""
