"""Writes traces as LLVM IR text: one function for each trace, on vectors of W numbers, and an entry function that calls the
function of trace k.

    element 7 of all lanes        %v3 = load <8 x double>, ptr (memory + 7 * 64)
    x < y ? a : b                 %v9 = select <8 x i1> %v8, <8 x double> %v4, <8 x double> %v5

Sums and products may be fused. Each lane is computed independently, and functions such as exp are called lane by lane, so
a world's results do not depend on its lane.
"""

import struct
from collections.abc import Sequence
from typing import Any

from .arrange import arranged
from .trace import Trace

SYMBOL = "tumble_lanes"
_PREDICATES = ("olt", "ole", "ogt", "oge", "oeq", "une")
_MASKS = frozenset((*_PREDICATES, "and", "or", "not"))
# _BINARY: operations that are LLVM instructions. _INTRINSIC, _LIBRARY: {operation that calls an LLVM intrinsic or a C function:
# number of operands}.
_BINARY = {"fadd": "fadd contract", "fsub": "fsub contract", "fmul": "fmul contract", "fdiv": "fdiv"}
_INTRINSIC = {"sqrt": 1, "fabs": 1, "rint": 1, "floor": 1, "fma": 3}
_LIBRARY = {"tan": 1, "exp": 1, "atan2": 2, "pow": 2}

# Without an aligned stack, most vectors that do not fit into registers would lie across two cache lines.
_ATTRIBUTES = "alignstack(64) nounwind"


class Writer:
    """Writes LLVM functions for one width of vectors."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.vector, self.mask = f"<{width} x double>", f"<{width} x i1>"
        self._constants: dict[bytes, str] = {}

    def constant(self, x: float) -> str:
        """Return LLVM text for a vector that has x in every lane."""
        bits = struct.pack(">d", x)
        if bits not in self._constants:
            self._constants[bits] = "<" + ", ".join([f"double 0x{bits.hex().upper()}"] * self.width) + ">"
        return self._constants[bits]

    def _operand(self, x: Any) -> str:
        """Return the text of an operand: the result of an earlier row, or a constant."""
        return f"%v{x}" if isinstance(x, int) else self.constant(x)

    def line(self, k: int, name: str, operands: Sequence[Any]) -> list[str]:
        """Return the lines of LLVM text for row k of an arranged trace."""
        v, i = self.vector, self.mask

        # write an access to memory, or else an operator, a comparison or a function call
        if name in ("load", "store"):
            address = f"%a{k} = getelementptr i8, ptr %p, i64 {8 * self.width * operands[0]}"
            access = f"%v{k} = load {v}," if name == "load" else f"store {v} {self._operand(operands[1])},"
            return [address, f"{access} ptr %a{k}, align {8 * self.width}"]
        x = [self._operand(o) for o in operands]
        if name in _BINARY:
            text = f"{_BINARY[name]} {v} {x[0]}, {x[1]}"
        elif name in _PREDICATES:
            text = f"fcmp {name} {v} {x[0]}, {x[1]}"
        elif name == "select":
            text = f"select {i} {x[0]}, {v} {x[1]}, {v} {x[2]}"
        elif name in ("and", "or"):
            text = f"{name} {i} {x[0]}, {x[1]}"
        elif name == "not":
            text = f"xor {i} {x[0]}, <" + ", ".join(["i1 true"] * self.width) + ">"
        elif name == "fneg":
            text = f"fneg {v} {x[0]}"
        elif name in _INTRINSIC:
            text = f"call {v} @llvm.{name}.v{self.width}f64(" + ", ".join(f"{v} {o}" for o in x) + ")"
        else:
            text = f"call {v} @each_{name}(" + ", ".join(f"{v} {o}" for o in x) + ")"
        return [f"%v{k} = {text}"]

    def function(self, name: str, trace: Trace) -> str:
        """Return the LLVM function of a trace; its argument is the address of lane memory."""
        lines = []
        for k, (operation, operands) in enumerate(arranged(trace)):
            lines += self.line(k, operation, operands)
        body = "\n ".join(lines)
        return f"define internal void @{name}(ptr noalias %p) {_ATTRIBUTES} {{\n {body}\n ret void\n}}\n"

    def library(self, name: str) -> str:
        """Return an LLVM function that calls a function of the C library for each lane."""
        v, count, lines, last = self.vector, _LIBRARY[name], [], "undef"
        for k in range(self.width):
            lines += [f"%x{k}_{a} = extractelement {v} %a{a}, i32 {k}" for a in range(count)]
            lines.append(f"%y{k} = call double @{name}(" + ", ".join(f"double %x{k}_{a}" for a in range(count)) + ")")
            lines.append(f"%r{k} = insertelement {v} {last}, double %y{k}, i32 {k}")
            last = f"%r{k}"
        body = "\n ".join(lines)
        arguments = ", ".join(f"{v} %a{a}" for a in range(count))
        return (
            f"declare double @{name}({', '.join(['double'] * count)})\n"
            f"define internal {v} @each_{name}({arguments}) noinline nounwind {{\n {body}\n ret {v} {last}\n}}\n"
        )


def module(traces: list[Trace], width: int) -> str:
    """Return an LLVM module. Its entry function `SYMBOL(address of lane memory, k)` runs trace k."""
    writer = Writer(width)

    # declare functions of the C library and of LLVM
    used = {name for t in traces for name, _ in t.rows}
    parts = [writer.library(name) for name in sorted(used & _LIBRARY.keys())]
    parts += [
        f"declare {writer.vector} @llvm.{n}.v{width}f64({', '.join([writer.vector] * count)})\n"
        for n, count in _INTRINSIC.items()
    ]

    # write the functions of the traces, and the entry function
    parts += [writer.function(f"part{k}", t) for k, t in enumerate(traces)]
    cases = " ".join(f"i64 {k}, label %c{k}" for k in range(len(traces)))
    bodies = "\n".join(f"c{k}:\n call void @part{k}(ptr %p)\n ret void" for k in range(len(traces)))
    parts.append(
        f"define void @{SYMBOL}(i64 %address, i64 %k) nounwind {{\n %p = inttoptr i64 %address to ptr\n"
        f" switch i64 %k, label %end [{cases}]\n{bodies}\nend:\n ret void\n}}\n"
    )
    return "\n".join(parts)
