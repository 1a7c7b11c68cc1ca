"""Calls from Python into compiled code: fast entries, and compilation before it is needed.

compiled     public functions that convert their arguments in compiled code
warm         which stages a model needs, and compiling them on all cores
waiting      one line on stderr for a script that waits for the compiler
meanwhile    runs stages as Python while their machine code is being made
"""
