"""Finds out why a simulation becomes unstable: the symptoms, the step where the instability starts, likely causes, and remedies
that it has tried.

    ring.py     states of the last seconds, with marks          signs.py    symptoms of an unstable simulation
    measure.py  stiffness, damping and inertia of constraints   causes.py   rules for springs, servos, contacts, ...
    remedies.py changes of the model against each cause         diagnose.py from a state to a report
    examine.py  the doctor in the window's background           command.py  `tumble doctor`

The doctor works on copies of Model and Data, and needs no window. Rules compare the rate of a spring or damper with the
stability limit of a time step. A spring k on an inertia 1 / c becomes unstable when sqrt(k c) dt exceeds 2, a damper b when b c
dt exceeds 2.
"""
