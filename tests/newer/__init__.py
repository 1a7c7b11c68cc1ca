"""What releases after 3.4 added, held to recorded values of 4.0.1: the records lie here beside the
scripts that write them (see oracle).
"""
