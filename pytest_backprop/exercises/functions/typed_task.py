"""Tasks of matrices: a typed function, `def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d c"])`.

Positional parameters are inputs, keyword-only ones weights; annotations are jaxtyping's and are read, not
needed. Names of dimensions are drawn anew, numbers are fixed. At given sizes, and with given integers, such
a task is a function of single numbers: the variant that `at` gives, whose weights are `w[0, 0]`,
`w[0, 1]`, ... So all that judges scalars judges matrices.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Literal

import torch
from msgspec import Struct

from ...errors import UsageProblem
from ...model import Leaf, stretches
from ...trace.codes import AnyCodes
from ...trace.graph import DataFlow
from ...trace.lowering import Lowered, lower
from ...trace.record import Recorder
from ...trace.scalar_nodes import NotLowered
from ...trace.stack import StackReader
from .bank.program import FUNCTION_NAMES, Code, Step, Variant

ANNOTATION = re.compile(r"(Float|Int)\[(?:torch\.)?Tensor, *(['\"])([\w ]*)\2\]")
SIZES = range(2, 9)
"""What a dimension may be where it is no number; in some of the draws it is 1."""
MAX_ELEMENTS = 64
"""Of all leaves of one kind together."""
TRIES = 2000
"""To find sizes at which there are no more."""
RTOL = 1e-9
"""How closely the numbers taken apart must give what torch gives, in float64."""


class TypedLeaf(Struct, frozen=True):
    """A parameter of a task: `kind` `weight` or `input`, `integer` or float32, and its dimensions, by
    name or number."""

    name: str
    kind: Literal["weight", "input"]
    integer: bool
    dims: tuple[str | int, ...]


class TypedTask(Struct, frozen=True):
    """A task as its file has it. `below` bounds integer inputs: a number, or the name of a dimension.
    `function` takes tensors."""

    name: str
    leaves: tuple[TypedLeaf, ...]
    below: Mapping[str, str | int]
    source: str
    path: str
    function: Callable[..., torch.Tensor]

    def at(self, draw: int) -> MatrixVariant:
        """The task at the sizes, and with the integers, of one of the draws. The first has sizes that
        all differ, the second ones. Raises UsageProblem for a function that cannot be taken apart."""
        random = Random(f"sizes:{self.name}:{draw}")
        names = sorted({dim for leaf in self.leaves for dim in leaf.dims if isinstance(dim, str)})
        sizes = self._sizes(names, draw, random)
        leaves = tuple(self._leaf(leaf, sizes, random) for leaf in self.leaves)
        weights, inputs = (
            tuple(name for leaf in leaves if leaf.kind == kind for name in leaf.elements)
            for kind in ("weight", "input")
        )
        text = ", ".join(f"{name}={size}" for name, size in sizes.items())
        for named, what in ((weights, "weights"), (inputs, "inputs")):
            if not 0 < len(named) <= MAX_ELEMENTS:
                raise UsageProblem(
                    f"{self.path}: {self.name} has {len(named)} numbers in its {what} at {text}",
                    f"Have at least one float {what[:-1]}, and at most {MAX_ELEMENTS} numbers in all.",
                )
        program = self._program(leaves, weights, inputs, text)
        source = f"{self.source}\n# at {text}, draw {draw}" if draw else self.source
        return MatrixVariant(
            self.name, weights, inputs, source, self.path, program, leaves,
            sizes=text, draw=draw, task=self,
        )  # fmt: skip

    def _sizes(self, names: list[str], draw: int, random: Random) -> dict[str, int]:
        if draw == 1:  # of one class there is nothing to tell
            return {name: 2 if name in self.below.values() else 1 for name in names}
        for _ in range(TRIES):
            order = random.sample(SIZES, len(SIZES)) if draw == 0 else random.choices(SIZES, k=14)
            sizes = dict(zip(names, order * 2, strict=False))
            if names and draw > 1 and draw % 3 == 0:
                sizes[random.choice(names)] = 1
            counts = [
                sum(math.prod(_concrete(leaf.dims, sizes)) for leaf in self.leaves
                    if leaf.kind == kind)
                for kind in ("weight", "input")
            ]  # fmt: skip
            if max(counts) <= MAX_ELEMENTS or not names:
                break
        return sizes  # where none would do, the caller says so

    def _leaf(self, leaf: TypedLeaf, sizes: Mapping[str, int], random: Random) -> Leaf:
        shape = _concrete(leaf.dims, sizes)
        if not leaf.integer:
            return Leaf(leaf.name, leaf.kind, shape)
        bound = self.below[leaf.name]
        most = sizes[bound] if isinstance(bound, str) else bound
        numbers = tuple(random.randrange(most) for _ in range(math.prod(shape)))
        return Leaf(leaf.name, leaf.kind, shape, numbers)

    # -- the function as numbers -----------------------------------------------------------

    def _program(
        self, leaves: tuple[Leaf, ...], weights: tuple[str, ...], inputs: tuple[str, ...], text: str
    ) -> tuple[Step, ...]:
        generator = torch.Generator().manual_seed(7)
        given = [_drawn(leaf, generator) for leaf in leaves]
        recorder = Recorder(StackReader(AnyCodes(), lambda *_: None), lambda _: None)
        for (leaf, places), tensor in zip(stretches(leaves), given, strict=True):
            if leaf.integers is None:
                recorder.leaf(tensor, leaf.kind, places)
        try:
            with torch.no_grad():
                result = recorder.run(lambda: self.call(leaves, given))
        except Exception as error:
            raise UsageProblem(
                f"{self.path}: {self.name} fails at {text}: {type(error).__name__}: {error}",
                "A task must run at all sizes, of each dimension 1 to 8, and in float64: "
                "torch.ones(n, dtype=x.dtype).",
            ) from None
        if not isinstance(result, torch.Tensor) or result.numel() != 1:
            raise UsageProblem(
                f"{self.path}: {self.name} does not return one number at {text}",
                "Return a scalar, such as a loss: the pass then has one y.",
            )
        recording = recorder.finish(result, ())
        try:
            program = _steps(lower(recording, DataFlow(recording)), weights, inputs)
        except NotLowered as problem:
            raise UsageProblem(
                f"{self.path}: {self.name} cannot be taken apart into single numbers: {problem}",
                "Write it with sums, products, means, matrix products, exp, log, softmax and the like.",
            ) from None
        missing = {*weights, *inputs} - {step.name for step in program if step.code == "load"}
        if missing:
            raise UsageProblem(
                f"{self.path}: {', '.join(sorted(missing)[:3])} does not reach the result of "
                f"{self.name} at {text}",
                "Use every parameter in the result, or leave it out.",
            )
        return program

    def call(self, leaves: tuple[Leaf, ...], given: list[torch.Tensor]) -> torch.Tensor:
        """The function itself on tensors, in the order of the leaves."""
        inputs = [t for leaf, t in zip(leaves, given, strict=True) if leaf.kind == "input"]
        weights = {
            leaf.name: t for leaf, t in zip(leaves, given, strict=True) if leaf.kind == "weight"
        }
        return self.function(*inputs, **weights)


class MatrixVariant(Variant, frozen=True, kw_only=True):
    """A task of matrices at given sizes: the task itself, and which draw of it."""

    draw: int
    task: TypedTask

    @property
    def draws(self) -> Iterator[Variant]:
        """The task at other sizes, one after another, without end; this one first."""
        yield self
        for draw in itertools.count(self.draw + 1):
            yield self.task.at(draw)


def read_typed_task(text: str, path: str) -> MatrixVariant:
    """The task of a file, at its first sizes. The file is the instructor's: its function is run.

    Raises UsageProblem, naming the place, for a file that is no task, and for a function that torch's own
    autograd and the numbers it is taken apart into do not agree on.
    """
    module = ast.parse(text)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    function = next(f for f in functions if re.fullmatch(r"v\d+", f.name))
    leaves = _read_leaves(function, path)
    below = _read_below(module)
    dims = {dim for leaf in leaves for dim in leaf.dims if isinstance(dim, str)}
    for leaf in leaves:
        bound = below.get(leaf.name)
        if leaf.integer and not (bound in dims or (isinstance(bound, int) and bound > 0)):
            raise UsageProblem(
                f"{path}: the integers of {leaf.name} have no bound",
                f'Say how large they may be: BELOW = {{"{leaf.name}": "c"}}, a dimension or a number.',
            )
    source = "\n".join(text.splitlines()[function.lineno - 1 : function.end_lineno])
    task = TypedTask(function.name, leaves, below, source, path, _compiled(function, path))
    variant = task.at(0)
    _check(variant)
    return variant


def _read_leaves(function: ast.FunctionDef, path: str) -> tuple[TypedLeaf, ...]:
    given = function.args
    if given.vararg or given.kwarg or given.defaults or any(given.kw_defaults):
        raise UsageProblem(
            f"{path}:{function.lineno}: {function.name} has *args, **kwargs or defaults",
            "Name every tensor: inputs first, then `*`, then the weights.",
        )
    found = []
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs):
        kind: Literal["weight", "input"] = "weight" if argument in given.kwonlyargs else "input"
        written = "" if argument.annotation is None else ast.unparse(argument.annotation)
        match = ANNOTATION.fullmatch(written)
        if match is None or (kind == "weight" and match[1] == "Int"):
            raise UsageProblem(
                f"{path}:{argument.lineno}: {argument.arg}: {written or 'no annotation'}",
                'Say its dimensions: Float[Tensor, "n d"], or Int[Tensor, "n"] for an input.',
            )
        dims = tuple(int(dim) if dim.isdigit() else dim for dim in match[3].split())
        found.append(TypedLeaf(argument.arg, kind, match[1] == "Int", dims))
    return tuple(found)


def _read_below(module: ast.Module) -> dict[str, str | int]:
    """The bounds that a file gives its integers; none where it gives no plain table."""
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "BELOW":
            with contextlib.suppress(ValueError):
                below = ast.literal_eval(node.value)
                return below if isinstance(below, dict) else {}
    return {}


def _compiled(function: ast.FunctionDef, path: str) -> Callable[..., torch.Tensor]:
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    names: dict[str, Any] = {
        "torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math
    }  # fmt: skip
    exec(compile(ast.Module([function], []), path, "exec"), names)
    made: Callable[..., torch.Tensor] = names[function.name]
    return made


def _concrete(dims: tuple[str | int, ...], sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in dims)


def _drawn(leaf: Leaf, generator: torch.Generator) -> torch.Tensor:
    if leaf.integers is not None:
        return torch.tensor(leaf.integers, dtype=torch.long).reshape(leaf.shape)
    return 0.1 + 0.9 * torch.rand(leaf.shape, generator=generator, dtype=torch.float64)


def _steps(lowered: Lowered, weights: tuple[str, ...], inputs: tuple[str, ...]) -> tuple[Step, ...]:
    """The nodes as steps of a variant, each with the operands that it uses last."""
    steps: list[Step] = []
    place: list[int] = []
    names = {"weight": weights, "input": inputs}
    assert lowered.result is not None
    needed = {lowered.result[0]}
    for node in reversed(range(len(lowered.nodes))):
        if node in needed:
            needed |= set(lowered.nodes[node][1])
    for node, (code, operands, number, name) in enumerate(lowered.nodes):
        if node not in needed:
            place.append(-1)
            continue
        at = tuple(place[operand] for operand in operands)
        if code == "leaf":
            steps.append(Step("load", (), names[name][int(number)]))
        elif code == "number":
            steps.append(Step("constant", value=number))
        elif code == "pow":
            steps.append(Step("exponent", value=number))
            steps.append(Step("pow", (*at, len(steps) - 1)))
        elif code == "call":
            if name not in FUNCTION_NAMES:
                raise NotLowered(name)
            steps.append(Step("call", at, name))
        else:
            arithmetic: Code = code  # type: ignore[assignment]
            steps.append(Step(arithmetic, at))
        place.append(len(steps) - 1)
    if steps[-1].code in ("load", "constant"):
        raise NotLowered("a result that is no calculation")
    last = {operand: at for at, step in enumerate(steps) for operand in step.operands}
    return tuple(
        Step(step.code, step.operands, step.name, step.value,
             tuple(o for o in dict.fromkeys(step.operands) if last[o] == at))
        for at, step in enumerate(steps)
    )  # fmt: skip


def _check(variant: MatrixVariant) -> None:
    """Raises UsageProblem unless the numbers give torch's own value and gradients."""
    from .reference import TORCH_FUNCTIONS  # this module is read by what reads the bank

    generator = torch.Generator().manual_seed(11)
    given = [_drawn(leaf, generator) for leaf in variant.leaves]
    floats = [t for t in given if t.is_floating_point()]
    with torch.enable_grad():
        whole = [t.clone().requires_grad_(t.is_floating_point()) for t in given]
        y = variant.task.call(variant.leaves, whole)
        asked = [t for t in whole if t.is_floating_point()]
        right = torch.cat([g.flatten() for g in torch.autograd.grad(y.sum(), asked)])
        ordered = [leaf for leaf in variant.leaves if leaf.integers is None]
        names = [name for leaf in ordered for name in leaf.elements]
        numbers = torch.cat([t.flatten() for t in floats]).requires_grad_()
        got = variant.evaluate(dict(zip(names, numbers.unbind(), strict=True)), TORCH_FUNCTIONS)
        (slopes,) = torch.autograd.grad(got, numbers)
    same = torch.allclose(got, y.reshape(()), RTOL) and torch.allclose(slopes, right, RTOL, 1e-12)
    if not same:
        raise UsageProblem(
            f"{variant.path}: {variant.name} taken apart into single numbers is another function than in "
            "torch",
            "Write it with plainer operations, and tell us: this is a fault of ours.",
        )
