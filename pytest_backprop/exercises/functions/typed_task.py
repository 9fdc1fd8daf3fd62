"""Tasks of matrices: a typed function, `def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d
c"])`.

Positional parameters are inputs, keyword-only ones weights; annotations are jaxtyping's and are
read, not needed. Names of dimensions are drawn anew, numbers are fixed. At given sizes, and with
given integers, such a task is the variant that `at` gives, whose weights are the numbers `w[0, 0]`,
`w[0, 1]`, ...
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Literal

import torch
from msgspec import Struct

from ...errors import UsageProblem
from ...model import Leaf, width_of
from ...trace.validate import MAX_REPLAYED
from ..adjoint.tensors import fixed, sample
from .bank.library import read_constant as read_constant
from .bank.program import Variant
from .bank.reading import refusing_text

ANNOTATION = re.compile(r"(Float|Int)\[(?:torch\.)?Tensor, *(['\"])([\w ]*)\2\]")
SIZES = range(2, 9)
"""What a dimension may be where it is no number; in some of the draws it is 1."""
FEW_NUMBERS = 64
"""Of all leaves of one kind together, where sizes are drawn and so few are possible. A task that
says its sizes may have `MAX_REPLAYED` in each tensor."""
TRIES = 2000
"""To find sizes at which there are no more."""
NUMBERS = (0.1, 0.25, 0.01, 0.7, 0.3)
"""What a plain number may be."""

Kind = Literal["weight", "input"]


class TypedLeaf(Struct, frozen=True):
    """A parameter of a task: `kind` `weight` or `input`, `integer` or float32 (perhaps
    `positive`, as a logarithm needs), or a plain `number`, and its dimensions, by name or
    number."""

    name: str
    kind: Kind
    integer: bool
    dims: tuple[str | int, ...]
    number: bool = False
    positive: bool = False

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Its shape where the dimensions have these sizes."""
        return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in self.dims)


class TypedTask(Struct, frozen=True):
    """A task as its file has it. `below` bounds integer inputs: a number, or the name of a
    dimension. `function` takes tensors. It is judged at `draw_count` sizes. `may_leave_out`: some
    of its parameters may have no part in its value. `expression` is what a child calls itself,
    where an exercise has one do so. `order` 2 asks for derivatives of the gradients, too."""

    name: str
    leaves: tuple[TypedLeaf, ...]
    below: Mapping[str, str | int]
    source: str
    path: str
    function: Callable[..., torch.Tensor]
    draw_count: int = 8
    may_leave_out: bool = False
    expression: str = ""
    order: int = 1

    needs: ClassVar[tuple[Kind, ...]] = ("weight", "input")
    """Kinds of leaves of which a task has numbers."""

    def at(self, draw: int) -> MatrixVariant:
        """The task at the sizes, and with the integers, of one of the draws. The first has sizes
        that all differ, the second ones. Raises UsageProblem for a function that does not run
        there."""
        random = Random(f"sizes:{self.name}:{draw}")
        sizes = self._sizes(draw, random)
        text = ", ".join(f"{name}={size}" for name, size in sizes.items())
        try:
            leaves = self.leaves_at(sizes, draw, random)
            self._check(leaves, text)
        except UsageProblem:
            raise
        except Exception as error:
            raise UsageProblem(
                f"{self.path}: {self.name} fails at {text}: {type(error).__name__}: {error}",
                "A task must run at all sizes, of each dimension 1 to 8, and in float64: "
                "torch.ones(n, dtype=x.dtype).",
            ) from None
        return MatrixVariant(
            self.name,
            f"{self.source}\n# at {text}, draw {draw}" if draw else self.source,
            self.path,
            (),
            leaves,
            text,
            self.may_leave_out,
            self.expression,
            self.draw_count,
            task=self,
        )

    def leaves_at(self, sizes: Mapping[str, int], draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, at its sizes. Raises what the function raises."""
        leaves = []
        for leaf in self.leaves:
            shape = leaf.shape(sizes)
            if leaf.number:
                leaves.append(Leaf(leaf.name, "input", number=random.choice(NUMBERS)))
            elif leaf.integer:
                bound = self.below[leaf.name]
                most = sizes[bound] if isinstance(bound, str) else bound
                numbers = tuple(random.randrange(most) for _ in range(math.prod(shape)))
                leaves.append(Leaf(leaf.name, leaf.kind, shape, numbers))
            else:
                leaves.append(Leaf(leaf.name, leaf.kind, shape, positive=leaf.positive))
        return tuple(leaves)

    def _sizes(self, draw: int, random: Random) -> dict[str, int]:
        names = sorted({dim for leaf in self.leaves for dim in leaf.dims if isinstance(dim, str)})
        if draw == 1:  # of one class there is nothing to tell
            return {name: 2 if name in self.below.values() else 1 for name in names}
        best, least = dict[str, int](), math.inf
        for _ in range(TRIES):
            order = random.sample(SIZES, len(SIZES)) if draw == 0 else random.choices(SIZES, k=14)
            sizes = dict(zip(names, order * 2, strict=False))
            if names and draw > 1 and draw % 3 == 0:
                sizes[random.choice(names)] = 1
            count = self._numbers_at(sizes)
            if count < least:
                best, least = sizes, count
            if least <= FEW_NUMBERS or not names:
                break
        return best

    def _numbers_at(self, sizes: Mapping[str, int]) -> int:
        """How many numbers all leaves of one kind have together, those of the kind with more."""
        counts = {"weight": 0, "input": 0}
        try:
            for leaf in self.leaves_at(sizes, 0, Random(0)):
                counts[leaf.kind] += math.prod(leaf.shape)
        except Exception:
            return 0  # what fails is told when it is taken apart
        return max(counts.values())

    def _check(self, leaves: tuple[Leaf, ...], text: str) -> None:
        """Raises UsageProblem for no weights or inputs, a tensor that no replay takes, and for a
        function whose value has another shape than it must have, or that does not read a
        parameter."""
        for leaf in leaves:
            if math.prod(leaf.shape) > MAX_REPLAYED:
                raise UsageProblem(
                    f"{self.path}: {leaf.name} of {self.name} has {math.prod(leaf.shape)} numbers "
                    f"at {text}",
                    f"Have at most {MAX_REPLAYED} numbers in a tensor.",
                )
        for kind in self.needs:
            if not width_of([leaf for leaf in leaves if leaf.kind == kind]):
                raise UsageProblem(
                    f"{self.path}: {self.name} has no numbers in its {kind}s at {text}",
                    f"Have at least one float {kind}.",
                )
        with torch.no_grad():
            value, adjoint = self.differentiated(leaves, sample(leaves))
        if not isinstance(value, torch.Tensor) or (adjoint is None and value.numel() != 1):
            raise UsageProblem(
                f"{self.path}: {self.name} does not return one number at {text}",
                "Return a scalar, such as a loss: the pass then has one y.",
            )
        read = {node.id for node in ast.walk(ast.parse(self.source)) if isinstance(node, ast.Name)}
        unread = [leaf.name for leaf in self.leaves if leaf.name not in read]
        if unread and not self.may_leave_out:
            raise UsageProblem(
                f"{self.path}: {', '.join(unread[:3])} does not reach the result of "
                f"{self.name} at {text}",
                "Use every parameter in the result, or leave it out.",
            )

    def differentiated(
        self, leaves: Sequence[Leaf], values: Sequence[torch.Tensor]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The value of a draw's tensors, and its adjoint, of the same shape; None for a value of
        one number."""
        return self.call(leaves, values), None

    def call(self, leaves: Sequence[Leaf], values: Sequence[torch.Tensor]) -> torch.Tensor:
        """The function itself, with a tensor, or a plain number, for each leaf."""
        return self.function(**self.arguments(leaves, values))

    def arguments(
        self, leaves: Sequence[Leaf], values: Sequence[torch.Tensor]
    ) -> dict[str, torch.Tensor | float]:
        """What the function is called with, by name."""
        return {
            leaf.name: tensor if leaf.number is None else leaf.number
            for leaf, tensor in zip(leaves, values, strict=True)
            if not leaf.probe
        }


class MatrixVariant(Variant, frozen=True, kw_only=True):
    """A task of matrices at given sizes."""

    task: TypedTask

    def differentiated(
        self, tensors: Mapping[str, torch.Tensor]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Value and adjoint (N, ...) of tensors (N, *shape), one for each leaf that is drawn, by
        name: a graph of autograd's."""

        def one_point(drawn: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
            values = [drawn[leaf.name] if leaf.is_drawn else fixed(leaf) for leaf in self.leaves]
            value, adjoint = self.task.differentiated(self.leaves, values)
            return (value,) if adjoint is None else (value, adjoint)

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of an op that torch has no batching rule for
                value, *adjoint = torch.vmap(one_point)(tensors)
        except RuntimeError:  # it decides by a number, or writes into what it made
            rows = zip(*tensors.values(), strict=True)
            points = [one_point(dict(zip(tensors, row, strict=True))) for row in rows]
            value, *adjoint = (torch.stack(column) for column in zip(*points, strict=True))
        return value, adjoint[0] if adjoint else None


def read_typed_task(text: str, path: str) -> MatrixVariant:
    """The task of a file, at its first sizes. The file is the instructor's: its function is run.

    Raises UsageProblem, naming the place, for a file that is no task.
    """
    function, leaves, below = parts_of(text, path, "input")
    source = "\n".join(text.splitlines()[function.lineno - 1 : function.end_lineno])
    task = TypedTask(function.name, leaves, below, source, path, compiled(function, path))
    return task.at(0)


def parts_of(
    text: str, path: str, positional: Kind
) -> tuple[ast.FunctionDef, tuple[TypedLeaf, ...], dict[str, str | int]]:
    """The function of a task's file, its parameters, and the bounds of its integers. Raises
    UsageProblem."""
    with refusing_text(path):
        module = ast.parse(text)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    function = next((f for f in functions if re.fullmatch(r"v\d+", f.name)), None)
    if function is None:
        raise UsageProblem(
            f"{path}: there is no function v<number>", "Write the task as `def v8(x: …): …`."
        )
    leaves = read_leaves(function, path, positional, read_constant(module, "POSITIVE", ()))
    return function, leaves, bounds_of(module, leaves, path)


def bounds_of(module: ast.Module, leaves: Sequence[TypedLeaf], path: str) -> dict[str, str | int]:
    """What the integers of leaves are below, by `BELOW`. Raises UsageProblem where it does not
    say."""
    bounds = read_constant(module, "BELOW", {})
    below = bounds if isinstance(bounds, dict) else {}
    dims = {dim for leaf in leaves for dim in leaf.dims if isinstance(dim, str)}
    for leaf in leaves:
        bound = below.get(leaf.name)
        if leaf.integer and not (bound in dims or (isinstance(bound, int) and bound > 0)):
            raise UsageProblem(
                f"{path}: the integers of {leaf.name} have no bound",
                f'Say how large they may be: BELOW = {{"{leaf.name}": "c"}}, a dimension or a '
                "number.",
            )
    return below


def read_leaves(
    function: ast.FunctionDef, path: str, positional: Kind = "input", positive: Sequence[str] = ()
) -> tuple[TypedLeaf, ...]:
    """The parameters of a typed function: what gradients are asked of is keyword-only, or
    `positional`; `positive` are the names of those whose numbers are.

    Raises UsageProblem for one without a type."""
    arguments = function.args
    if (
        arguments.posonlyargs
        or arguments.vararg
        or arguments.kwarg
        or arguments.defaults
        or any(arguments.kw_defaults)
    ):
        raise UsageProblem(
            f"{path}:{function.lineno}: {function.name} has *args, **kwargs or defaults",
            "Name every tensor: inputs first, then `*`, then the weights.",
        )
    leaves = []
    for argument in (*arguments.args, *arguments.kwonlyargs):
        name, kind = argument.arg, "weight" if argument in arguments.kwonlyargs else positional
        written = "" if argument.annotation is None else ast.unparse(argument.annotation)
        if written == "float" and positional == "weight":
            leaves.append(TypedLeaf(name, "input", False, (), number=True))
            continue
        match = ANNOTATION.fullmatch(written)
        integer = match is not None and match[1] == "Int"
        if integer and positional == "weight":
            kind = "input"
        if match is None or (integer and kind == "weight"):
            raise UsageProblem(
                f"{path}:{argument.lineno}: {name}: {written or 'no annotation'}",
                'Say its dimensions: Float[Tensor, "n d"], or Int[Tensor, "n"] for an input.',
            )
        dims = tuple(int(dim) if dim.isdigit() else dim for dim in match[3].split())
        leaves.append(TypedLeaf(name, kind, integer, dims, positive=name in positive))
    return tuple(leaves)


def compiled(function: ast.FunctionDef, path: str) -> Callable[..., torch.Tensor]:
    """The function of a task's file, whose annotations are taken off. It is the instructor's, so
    it may be run."""
    for argument in (*function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    names: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math}
    exec(compile(ast.Module([function], []), path, "exec"), names)
    task: Callable[..., torch.Tensor] = names[function.name]
    return task
