"""Features of releases after 3.4, compared with recorded values of 4.0.1. The records are stored beside the scripts
that write them (see oracle).
"""
