"""Entry point of all random testing: `make fuzz SECONDS=600`, or `python -m tests.fuzz SECONDS [kind ...]`.

Every kind of case (`cases.py`) gets a share of the time. A case is a kind and a seed, so a failure is reported, and
stored, as these two: `seeds.txt` holds earlier failures, and a test repeats them. Cases run in forked processes with a
memory limit. A case that dies from a signal, runs too long or raises a wrong type of error is a finding.
"""
