"""What exists, as tables with one row a thing; everything that lists, checks, reads, writes or computes them loops over the rows.

```
     to add ...                  a row of
     a stage                     stage_rows       what computes what, and which models need it
     a type of sensor            sensor_rows      a kind of equality     equality_rows
     a type of geom              geom_rows        a passive force        force_rows
     a gain, bias, dynamics      actuator_rows    of an actuator
     a solver                    solver_rows      a silent change of a later release     compat_rows
     a field of Model, Data      model_fields, data_fields, option_fields
                                       │
     enums, consts                     ▼                            names      kinds of things that have names
     integers of the reference       schema     where each field lies        units, values      what numbers mean
                                       │                            scratch    cells of work arrays
                                       ▼
     validate ─ validate_bodies, validate_assets, validate_objects, validate_terms      what compiled code may trust
```

The lowest floor: it imports nothing of the project, and no numba.
"""
