"""Calls from Python into compiled code: fast entry functions, and compilation in advance.

compiled     public functions that convert their arguments in compiled code
warm         compiles stages in advance, on all cores
waiting      prints a line on stderr if a script waits for the compiler
meanwhile    runs stages as Python while they are being compiled
"""
