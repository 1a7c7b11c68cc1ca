"""Lanes: the step of a model for W worlds in one vector, made by tracing the kernels. `batch` uses this with lanes=True.

```
    rewrite ──► trace ──► emit ──► program ──► run        a kernel's source, its operations, LLVM text, the program, a run
```

symbols    numbers that differ between lanes, and the tape that records operations on them
paths      branches on such numbers: both sides are taken, and their results merged by selection
rewrite    a kernel's source as the tracer runs it
fields     Model and Data as a traced kernel sees them
trace      traces a kernel on a model
instead    replacements for helpers that cannot be traced
circular   sine and cosine
touch      which worlds may have contacts
reach      what untraced stages read and write
emit       traces as LLVM text, on vectors
order      the order of a step's parts
program    parts, and the fields copied between lanes and worlds; kept in the store
build      programs made by another process in the background
problems   constraint problems of several worlds in one vector         factor, line, newton   their solution
run        runs worlds through a program, compiled

Values that depend only on the Model are folded into the code. Three types of work run world by world: stages whose
branches no selection can express, collision and constraint rows, and solvers other than Newton's method with pyramidal
cones. For that method, problems of several worlds, whatever their sizes, are solved in one vector. A world's results
depend only on that world, not on those in other lanes.
"""
