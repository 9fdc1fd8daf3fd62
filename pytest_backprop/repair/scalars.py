"""A recorded pass as scalars (`lowering`), with what the student's text says of them.

Every number that an op makes is a node of its own, with the expression that made it and the name it
was given. What Python does without an op appears: a second name for a value, and arithmetic on
plain numbers, both read from the text. A number that is put together with others is a copy of its
own.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence
from typing import Any

import torch

from ..model import VALUE, Arg, Items, Op, Origin, Recording, Ref, Span, gradient_of
from ..trace.graph import op_name
from ..trace.op_table import row_of
from .aliases import DEPTH, Aliases, Expressions, Frames, is_half
from .lowering import Lowering
from .scalar_nodes import Code, Node, Numbers
from .text import MODULES, Text, TypedIn, key_of

AS_OP = {"max": "maximum", "min": "minimum"}
BY_PYTHON = Node("number")
CLONES = frozenset({"clone", "_to_copy", "contiguous", "lift"})


class Scalars(Lowering):
    """The nodes of a recording, in an order in which each comes after its operands.

    `outputs` are the nodes of the result and of each gradient, None where there is none. Raises
    NotLowered for too many. A recording is not trusted: one that no run can have made may raise
    LookupError, ValueError, TypeError or AssertionError.
    """

    max_nodes = 4_000
    """More than a pass of the course's has."""

    def __init__(
        self, recording: Recording, text: Text, names: Sequence[str], inputs: Sequence[str]
    ) -> None:
        super().__init__(recording)
        self.weights = tuple(names)
        self._text = text
        self.expressions: Expressions = {}
        """For a node, the student's expressions for its operands."""
        self._aliases = Aliases(text, self.nodes, self.expressions, self._add)
        self._op: Op | None = None
        self._made = BY_PYTHON
        """What nodes of the present op have in common."""
        self._frames: Frames = ()
        self._looks = self._holds = False
        """Whether it only looks at its operands, or puts them together."""
        self._texts: list[ast.expr | None] = []
        """The student's expressions for its operands, by their positions."""
        self._said: dict[int, ast.expr | None] = {}
        """And by their nodes."""
        self._whole: dict[int, torch.Tensor] = {}
        """The nodes of tensors of whole numbers that the student typed in."""
        self._leaves = {
            (origin, index): self._add(Node("leaf", name=label))
            for origin, labels in (("weight", names), ("input", inputs))
            for index, label in enumerate(labels)
        }
        _, outputs = self.lowered(range(len(recording.ops)))
        self._op, self._made = None, BY_PYTHON
        self.typed, handed = self._named_at_the_end()
        """Numbers that the pass gives a name to, and where."""
        named = [VALUE, *map(gradient_of, names)]
        self.outputs: list[int | None] = []
        for name, expression in itertools.zip_longest(named, handed):
            end = outputs[name][0] if name in outputs else None
            if end is not None:
                shape = recording.values[recording.outputs[name].value].shape
                end = end if math.prod(shape) > 1 else self._handed_over(end, expression)
            self.outputs.append(end)

    # -- nodes -----------------------------------------------------------------------------

    def node(
        self, code: Code, operands: Sequence[int] = (), number: float = 0, name: str = ""
    ) -> int:
        """A new node, with what is known of the op that makes it. Raises NotLowered for too
        many."""
        if code == "mul" and self._is_reciprocal(operands[0]):  # `c / t` runs as reciprocal(t) * c
            first, other = operands
            before = self.nodes[first]
            self.nodes[first] = before._replace(bound=None)
            self._said.setdefault(before.operands[1], self.expressions.get(first, (None, None))[1])
            code, operands = "div", (other, before.operands[1])
        elif code == "pow" and not is_half(number):
            code, name = "call", f"pow|{number}"
        name = AS_OP.get(name, name)
        made = self._made._replace(code=code, operands=tuple(operands), number=number, name=name)
        at = self._add(made)
        said = tuple(self._said.get(operand) for operand in operands)
        if any(said):
            self.expressions[at] = said
        return at

    def _is_reciprocal(self, n: int) -> bool:
        """Whether a node is one that the same expression has made, out of a one of its own."""
        node = self.nodes[n]
        return (
            node.code == "div"
            and node.site == self._made.site
            and self.nodes[node.operands[0]].op == node.op >= 0
        )

    def nodes_for(self, operand: Any) -> torch.Tensor:
        """Nodes of an operand that may be a number: one in the text is what it says there."""
        op = self._op
        if self._holds or op is None or isinstance(operand, torch.Tensor | Numbers):
            return super().nodes_for(operand)
        if operand not in (*op.args, *op.kwargs.values()):
            return super().nodes_for(operand)
        expression = self._expression(op.args.index(operand)) if operand in op.args else None
        found = (
            None if expression is None else self._aliases.folded(expression, self._frames, DEPTH)
        )
        if found is not None and found[1] == operand:
            node = found[0]
        else:
            node = self._add(Node("number", number=operand))
        self._said.setdefault(node, expression)
        return torch.tensor(node)

    def leaf(self, origin: Origin, number: int) -> int:
        """The node of a weight or an input."""
        return self._leaves[origin, number]

    def read(self, value: int, at: int) -> torch.Tensor:
        """The nodes of an operand as the text names it. What is put together with others is a copy:
        it could be another one."""
        nodes = self._whole.get(value, self._values[value])
        if self._looks:
            return nodes
        expression = self._expression(at)
        before = nodes.flatten().tolist()
        flat = [self._aliases.through(n, expression, self._frames) for n in before]
        if self._holds:
            flat = [self.node("copy", (n,)) for n in flat]
            if expression is not None:
                self.expressions |= dict.fromkeys(flat, (expression,))
        else:
            self._said = {**dict.fromkeys(flat, expression), **self._said}
        return (
            nodes if flat == before else torch.tensor(flat, dtype=torch.long).reshape(nodes.shape)
        )

    def _operand(self, arg: Arg, at: int = 0) -> Any:
        found = super()._operand(arg, at)
        if isinstance(found, Numbers) and isinstance(arg, Ref) and arg.value in self._whole:
            return found._replace(nodes=self.read(arg.value, at))
        return found

    def opaque(self, op: Op, error: Exception) -> None:
        """An op without a rule is a function of all that it reads."""
        del error
        values = self._recording.values
        shape = values[(op.outputs or op.writes)[0]].shape
        operands = [n for v in op.reads for n in self._nodes_of(v).flatten().tolist()]
        flat = [
            self.node("call", operands, name=f"{op.target}|{i}") for i in range(math.prod(shape))
        ]
        self._put(op, (torch.tensor(flat, dtype=torch.long).reshape(shape),))

    def precedes(self, m: int, n: int) -> bool:
        """Whether the value of node `m` is there when node `n` is made: by the order of ops, or, of
        a name that no op made, by the text, if both stand in one function."""
        first, then = self.nodes[m], self.nodes[n]
        if first.op >= 0 and then.op >= 0:
            return first.op < then.op
        one, other = self._statement(first), self._statement(then)
        if (
            one is None
            or other is None
            or self._text.function(one) is not self._text.function(other)
        ):
            return True
        return (one.end_lineno or 0, one.end_col_offset or 0) <= (other.lineno, other.col_offset)

    def _statement(self, node: Node) -> ast.stmt | None:
        span = node.place[0] if node.place else None
        found = self._text.at(span) if isinstance(span, Span) else None
        return found if isinstance(found, ast.stmt) else None

    # -- ops -------------------------------------------------------------------------------

    def _run(self, op: Op, position: int) -> None:
        if not (op.writes or op.outputs):
            return
        statement = self._recording.statements[op.statement]
        frames = self._frames = statement.spans
        place = (frames[-1] if frames else None, statement.path)
        name = op_name(op)
        kind = row_of(name).kind
        self._op, self._said = op, {}
        self._made = Node("number", op=position, site=op.site, place=place)
        self._looks = kind in ("view", "pick") or op.target == "torch::element"
        self._holds = kind in ("copy", "own", "overwrite") and not self._looks
        self._texts = self._operand_texts(op, name)
        super()._run(op, position)

    def _put(self, op: Op, results: Sequence[torch.Tensor], plain: bool = False) -> None:
        super()._put(op, results, plain)
        nodes = results[0]
        if plain:
            if op.reads:
                return
            nodes = self._whole[op.outputs[0]] = self.numbers(nodes)
        for n in nodes.flatten().tolist():
            if self.nodes[n].op == self._made.op and self.nodes[n].code != "copy":
                self.nodes[n] = self.nodes[n]._replace(bound=op.name)

    # -- the text --------------------------------------------------------------------------

    def read_again(self, expression: ast.expr) -> bool:
        """Whether an expression is a parameter's name that its function reads in other places,
        too."""
        function = self._text.function(expression)
        if not isinstance(expression, ast.Name) or function is None:
            return False
        names = {
            a.arg
            for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        }
        reads = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Name)
            and node.id == expression.id
            and isinstance(node.ctx, ast.Load)
        ]
        return expression.id in names and len(reads) > 1

    def _expression(self, at: int) -> ast.expr | None:
        return self._texts[at] if at < len(self._texts) else None

    def _operand_texts(self, op: Op, name: str) -> list[ast.expr | None]:
        """The student's expressions for the operands of an op, as far as they can be told."""
        node = self._text.at(op.site)
        if name == "copy_":
            return [None, None if node is None else _bare(self._text.assigned(node))]
        given = self._text.operands(node)
        if not given or name in CLONES:  # `torch.zeros(())` has none
            return []
        if self._holds:
            parts = op.args[0].items if isinstance(op.args[0], Items) else op.args
            return [_bare(text) for text in given] if len(given) == len(parts) else []
        args = [a for a in op.args if isinstance(a, Ref | int | float)][:2]
        if len(args) == 1:
            return [given[-1] if name == "reciprocal" else given[0]]
        if len(given) != 2:
            return [given[0]]
        if name == "rsub":
            return [given[1], given[0]]
        refs = [isinstance(a, Ref) for a in args]
        if refs == [True, False] and isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Div) and name == "mul":
                return [None, given[0]]  # the tensor is the reciprocal, which has no text
            # torch puts the tensor first in `2 * t`
            left = self._aliases.folded(given[0], (), DEPTH)
            if left is not None and left[1] == args[1]:
                return [given[1], given[0]]
        return [*given]

    def _named_at_the_end(self) -> tuple[list[TypedIn], list[ast.expr | None]]:
        """What the text of the pass itself says: numbers with a name, and what it hands over."""
        recording, text = self._recording, self._text
        sites = [op.site for op in recording.ops if op.site is not None and op.context == "student"]
        outer = [s.spans[0] for s in recording.statements if s.spans and s.spans[0] is not None]
        first = text.at(outer[-1] if outer else sites[-1] if sites else None)
        function = None if first is None else text.function(first)
        return text.typed_in(function), text.handed_over(function, len(self.weights))

    def _handed_over(self, node: int, expression: ast.expr | None) -> int:
        """The node of an output by the name that is handed over."""
        if expression is None:
            return node
        node = self._aliases.through(node, _bare(expression), ())
        statement = self._text.statement(expression)
        assert isinstance(statement, ast.stmt)
        place = self._text.span(statement)
        copy = self._add(Node("copy", (node,), site=place, place=(place, "end")))
        self.expressions[copy] = (_bare(expression),)
        return copy


def _bare(expression: ast.expr | None) -> ast.expr | None:
    """`dw0` of `dw0.view(1)`."""
    while isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        if key_of(expression.func.value) in MODULES:
            return expression
        expression = expression.func.value
    return expression
