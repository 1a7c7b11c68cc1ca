"""Counts third-party models that agree with the records of 4.0.1, see agreement."""

import argparse

import tumble

from .agreement import compare

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    compare(tumble, args.folder, args.out, args.only, args.verbose)
