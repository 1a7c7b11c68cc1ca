"""Rewrites a kernel's source for the tracer: branches and logical operators become calls to functions in `paths` and `trace`.

    if a < b < c and flag: x = 1.0      def then_1(x): x = 1.0; return x,
                                        def else_1(x): return x,
                                  ──▶   x, = branch(both(both(a < b, lambda: b < c), lambda: flag), then_1, else_1, (x,))
    not a    u if a else v              invert(a)    choose(a, lambda: u, lambda: v)

In a loop, `if ...: continue` first becomes an `if` whose else-branch is the rest of the loop. An `if` that contains
return or break is not changed.
"""

import ast
import copy
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from ..machine.interpret import Rewriter

PREFIX = "lanes."
_ESCAPES = ast.Return | ast.Break | ast.Continue


def _name(name: str, context: ast.expr_context | None = None) -> ast.Name:
    return ast.Name(name, context or ast.Load())


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_name(PREFIX + name), list(args), [])


def _lazy(value: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


def _escapes(nodes: Iterable[ast.AST]) -> bool:
    """Return whether statements can leave the block that contains them."""
    return any(isinstance(n, _ESCAPES) for n in _own(nodes, ast.For | ast.While, ast.Return))


def _own(nodes: Iterable[ast.AST], loops: Any = (), always: Any = ()) -> Iterator[ast.AST]:
    """Yield the nodes of statements, but not those of nested functions. Inside nodes of the types `loops`, yield only nodes of
    the types `always`."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        yield node
        inner = _own(ast.iter_child_nodes(node), loops, always)
        if loops and isinstance(node, loops):
            inner = (n for n in ast.walk(node) if isinstance(n, always) and not _hidden(node, n))
        yield from inner


def _hidden(root: ast.AST, node: ast.AST) -> bool:
    """Return whether `node` is inside a function nested in `root`."""
    return any(isinstance(f, ast.FunctionDef) and any(x is node for x in ast.walk(f)) for f in ast.walk(root))


def _assigned(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the names that statements assign."""
    return sorted({n.id for n in _own(nodes) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)})


def _without_continue(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a loop's statements. Those after `if ...: continue` become the else-branch of this `if`."""
    for k, node in enumerate(body):
        if (
            isinstance(node, ast.If)
            and not node.orelse
            and isinstance(node.body[-1], ast.Continue)
            and not _escapes(node.body[:-1])
        ):
            rest = _without_continue(body[k + 1 :]) or [ast.Pass()]
            return [*body[:k], ast.copy_location(ast.If(node.test, node.body[:-1] or [ast.Pass()], rest), node)]
    return body


class Branches(Rewriter):
    """Replaces branches in a kernel's source by calls to functions that can run both sides."""

    def __init__(self, modular: bool) -> None:
        super().__init__(modular)
        self._numbers = itertools.count(1)
        self._unset: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node = copy.deepcopy(node)
        self.generic_visit(node)
        given = {a.arg for a in node.args.args}
        first = [ast.Assign([_name(n, ast.Store())], ast.Constant(None)) for n in sorted(self._unset - given)]
        node.body = [ast.copy_location(ast.fix_missing_locations(n), node.body[0]) for n in first] + node.body
        return node

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        if _escapes([*node.body, *node.orelse]):
            return node

        # both branches become functions of the variables that they assign
        names, k = _assigned([*node.body, *node.orelse]), next(self._numbers)
        self._unset.update(names)
        parameters = ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])

        def values(context: Any = None) -> ast.Tuple:
            return ast.Tuple([_name(n, context and ast.Store()) for n in names], context or ast.Load())

        made: list[Any] = [
            ast.FunctionDef(f"{side}_{k}", parameters, [*body, ast.Return(values())], [])
            for side, body in (("then", node.body), ("else", node.orelse))
        ]
        for function in made:
            # Python 3.12 and later need this attribute
            function.type_params = []
        call = _call("branch", node.test, _name(f"then_{k}"), _name(f"else_{k}"), values())
        last = ast.Assign([values(ast.Store())], call) if names else ast.Expr(call)
        return [ast.fix_missing_locations(ast.copy_location(n, node)) for n in (*made, last)]

    def _loop(self, node: Any) -> Any:
        node.body = _without_continue(node.body)
        self.generic_visit(node)
        return node

    visit_For = visit_While = _loop

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        result = node.values[-1]
        for value in node.values[-2::-1]:
            result = _call("both" if isinstance(node.op, ast.And) else "either", value, _lazy(result))
        return ast.copy_location(result, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        return ast.copy_location(_call("invert", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        left, parts = node.left, []
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts.append(ast.Compare(left, [op], [right]))
            left = right
        result = parts[-1]
        for part in parts[-2::-1]:
            result = _call("both", part, _lazy(result))
        return ast.copy_location(result, node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        return ast.copy_location(_call("choose", node.test, _lazy(node.body), _lazy(node.orelse)), node)
