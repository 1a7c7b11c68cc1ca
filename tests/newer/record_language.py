"""Writes language.json: the elements, attributes and keywords of MJCF in 4.0.1. Run with the Python of an
environment that has mujoco-core==4.0.1.
"""

import json
import pathlib
import re

import mujoco

HERE = pathlib.Path(__file__).parent
MANUAL = pathlib.Path(mujoco.__file__).parent / "doc" / "XMLreference.rst"
# columns before the attributes, and of each level, in the printed schema
LEFT, LEVEL = 28, 3


def elements():
    """{path: attributes} as the library prints them; frames and what only the manual lists are added from its labels."""
    found, stack = {}, []
    for line in mujoco.mj_printSchema(False, True).splitlines():
        indent = len(line) - len(line.lstrip())
        start = re.match(r"\s*(\S+) \((.)\)(.*)$", line)
        if start and indent < LEFT:
            del stack[indent // LEVEL :]
            stack.append(start[1].replace("(world)body", "body"))
            found["/".join(stack[1:])] = start[3].split()
        elif line.strip():
            found["/".join(stack[1:])] += line.split()
    found["body/frame"] = re.findall(r"^\.\. _frame-(\w+):", MANUAL.read_text(), re.M)
    return found


def keywords():
    """{label of the manual: words of the enumeration}."""
    found = {}
    for block in re.split(r"\n(?=\.\. _)", MANUAL.read_text()):
        label, words = re.match(r"\.\. _([\w-]+):", block), re.search(r":at-val:`\[([^\]]+)\]", block)
        if label and words and "-" in label[1]:
            found[label[1]] = [w.strip().strip('"') for w in words[1].replace("\n", " ").split(",")]
    return found


if __name__ == "__main__":
    facts = {"version": mujoco.__version__, "elements": elements(), "keywords": keywords()}
    (HERE / "language.json").write_text(json.dumps(facts, indent=1) + "\n")
