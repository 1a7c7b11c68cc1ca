"""Lanes: a model's step for W worlds side by side, made by tracing the kernels as they are. `batch` runs it with lanes=True.

    symbols    numbers that differ from lane to lane, and the tape of what is done with them
    paths      branches on them: every way is taken, what they leave is merged by selection
    rewrite    a kernel's source as the tracer runs it
    fields     Model and Data as a traced kernel sees them
    trace      a kernel, traced on a model
    circular   sine and cosine
    touch      which worlds may have contacts
    reach      what stages that are not traced read and write
    emit       traces as text of LLVM, on vectors
    order      the order of a step's parts
    program    parts, and the border between those on lanes and those that each world does for itself; kept in the store
    build      programs made by another process, meanwhile
    problems   constraint problems side by side                            factor, line, newton   their solution
    run        worlds through a program, compiled

What depends on the Model alone is folded into the code. A stage that branches on numbers of worlds in a way that no selection expresses, collision
and constraint rows run for each world alone; so do solvers but Newton's method with pyramidal cones, for which problems of worlds, whatever their
sizes, are put side by side. A world's results depend on that world alone, whatever lanes it shares.
"""
