"""Why a simulation blew up: signs of it, the step where it began, what is likely to have caused it, and what was tried against
it.

    ring.py      states of the last seconds, and what was noticed in them   signs.py      what tells that a simulation blows up
    measure.py   stiffness, damping and inertia along rows of Jacobians      causes.py     rules: springs, servos, contacts, ...
    remedies.py  changes of the model against each cause                     diagnose.py   from a state to a report
    examine.py   the same aside, for the window                              command.py    `tumble doctor`

Works on copies of Model and Data, and without a window. Rules compare a rate with what one time step can follow: a spring k on
an inertia 1 / c is integrated with a growing error when sqrt(k c) dt exceeds 2, a damper b when b c dt exceeds 2.
"""
