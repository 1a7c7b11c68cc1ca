"""One front over everything that is damaged at random: `make fuzz SECONDS=600`, or `python -m tests.fuzz SECONDS [kind ...]`.

Every kind of case (`cases.py`) gets a share of the time. A case is a kind and a seed, so a failure is told, and kept, as these
two: `seeds.txt`
holds what failed once, and a test runs it again. Cases run in forked processes with a bound on memory; one that is ended by a
signal, works
for too long or raises a kind of error that it should not is a finding.
"""
