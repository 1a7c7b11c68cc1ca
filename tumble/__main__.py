"""`python -m tumble` runs the command line of `tumble`."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import sys

from .app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
