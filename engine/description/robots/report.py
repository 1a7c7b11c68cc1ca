"""Findings of an import, and what was done about them: the table of repair rules, and the report with an entry for each
finding.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..language.errors import SpecError

ERROR, REPAIR, NOTE = "error", "repair", "note"

# Rule, severity, sentence for the manual. A `repair` deviates from the file, and strict imports refuse it. An `error` means
# that the model lacks something that the file describes. A `note` is information; the model is as in the file.
ROWS = """
number         repair  a number has a comma, a unit or other characters around it
vector         repair  a vector has too few or too many numbers
attribute      repair  a required attribute or element is missing and a default is used
expression     repair  a value is an expression that only xacro can compute
duplicate      repair  an element that may occur once occurs several times; one of them counts
name           repair  two elements have the same name, or a name is reserved; one is renamed
unknown_link   repair  a joint names a link that the file does not have; the joint is left out
several_parents  repair  a link has several parents; the first joint stays in the tree, the others become constraints
loop           repair  links form a loop without a root; the loop is opened
joint_type     repair  the type of a joint is unknown, or impossible at this position in the tree
axis           repair  the axis of a joint has no length or is missing
limits         repair  the limits of a joint are reversed, equal or not finite
mimic          repair  a joint mimics a joint that does not exist or does not move
mass           repair  a mass is negative, not finite or missing
inertia        repair  an inertia is not physical; the nearest physical one is used, or none for a link without mass
no_inertia     repair  an inertia is missing or zero and is computed from the shapes of the link
massless       repair  a moving link has no mass; it gets a small one
size           repair  the size of a shape is not positive
shape          error   the shape is unknown or cannot be represented; it is left out
lost_mesh      error   the file of a mesh was not found; the link has no such shape
bad_mesh       error   a mesh cannot be read; the link has no such shape
lost_texture   note    the file of a texture was not found or cannot be read
mesh           repair  a mesh is flat, mirrored, empty or has broken triangles; what was done to use it
empty          error   the file describes no link at all
fitted         note    shapes that collide in place of a mesh, on request
measured       note    extent and mass of a mesh that is opened alone
found          note    a file was found at another place, or under another spelling, than the one given
unsupported    note    an element has no counterpart in MJCF and is not used
adjacent       note    neighboring links that overlap around their joint do not collide
overlap        note    two links that are not neighbors overlap in the reference pose
lost_layer     error   a USD file that another one refers to was not found
composition    note    messages of the USD library about a scene
renamed        note    elements at different places have the same name; one is named with its parent
defaults       note    values that the file leaves to the program, and those that are used
scaled         note    a primitive is scaled unevenly or sheared, and becomes triangles
closing        note    a joint closes a loop and becomes a constraint
apart          note    the frames of a joint do not meet in the pose of the file
drives         note    joints have drives, which become actuators only on request
xacro          note    how a xacro file was expanded
actuator       note    an actuator was made, or was asked for and cannot be made
skipped        note    an element is not part of the description format and is ignored
"""


@dataclass(frozen=True)
class Rule:
    """A row of the table: a type of finding."""

    name: str
    severity: str
    sentence: str


RULES = {
    name: Rule(name, severity, sentence.strip())
    for name, severity, sentence in (row.split(None, 2) for row in ROWS.strip().splitlines())
}


@dataclass(frozen=True)
class Entry:
    """A finding: rule and severity, file and line, what was found and what was done."""

    rule: str
    severity: str
    file: str
    line: int
    found: str
    done: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.severity}: {self.found}" + (f"; {self.done}" if self.done else "")


def cell(text: str) -> str:
    """Return a string as a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "/")


@dataclass
class ImportReport:
    """All findings of an import, in order. With `strict`, the first repair or error raises a SpecError."""

    file: str = ""
    strict: bool = False
    entries: list[Entry] = field(default_factory=list)
    # Folders and files that were read, so that they can be watched for changes.
    files: dict[str, None] = field(default_factory=dict)
    # {pair of bodies that overlap in the reference pose: depth in meters}
    overlaps: dict[tuple[str, str], float] = field(default_factory=dict)
    # {mesh file: sentence about the collision shape that replaces it, and how well this shape fits}
    collisions: dict[str, str] = field(default_factory=dict)
    # {name of a mesh, joint, ... in the spec: its origin}
    sources: dict[str, str] = field(default_factory=dict)

    def add(self, rule: str, node: object, found: str, done: str = "") -> None:
        """Add a finding at a node of the file; SpecError if repairs are not allowed."""
        row = RULES[rule]
        if self.strict and row.severity != NOTE:
            raise SpecError(found + (f" ({row.sentence})" if not done else f"; without strict=True: {done}"), node)
        entry = Entry(rule, row.severity, getattr(node, "file", "") or self.file, getattr(node, "line", 0) or 0, found, done)
        self.entries.append(entry)

    def of(self, *rules: str) -> list[Entry]:
        """Return the entries that belong to the given rules."""
        return [e for e in self.entries if e.rule in rules]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def moved(self, old: str, new: str) -> None:
        """Replace the leading folder of file names, including those in messages."""
        self.file = self.file.replace(old, new)
        for k, e in enumerate(self.entries):
            texts = {name: getattr(e, name).replace(old, new) for name in ("file", "found", "done")}
            self.entries[k] = replace(e, **texts)

    def summary(self) -> str:
        """Return the numbers of errors, repairs and notes as one line."""
        counts = Counter(e.severity for e in self.entries)
        words = [f"{counts[s]} {s}{'s' if counts[s] != 1 else ''}" for s in (ERROR, REPAIR, NOTE) if counts[s]]
        return ", ".join(words) or "nothing to report"

    def __str__(self) -> str:
        return "\n".join([self.summary(), *map(str, self.entries)])

    def markdown(self) -> str:
        """Return the report as a page with a table of findings for each severity."""
        lines = [f"# Import of {self.file.replace(chr(92), '/').rpartition('/')[2]}", "", self.summary(), ""]
        for severity in (ERROR, REPAIR, NOTE):
            rows = [e for e in self.entries if e.severity == severity]
            if rows:
                lines += [f"## {severity.capitalize()}s", "", "| rule | line | found | done |", "|---|---|---|---|"]
                lines += [f"| {e.rule} | {e.line or ''} | {cell(e.found)} | {cell(e.done)} |" for e in rows]
                lines.append("")
        return "\n".join(lines)
