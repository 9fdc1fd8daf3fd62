"""Tasks of matrices: a typed function, `def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d
c"])`.

Positional parameters are inputs, keyword-only ones weights; annotations are jaxtyping's and are
read, not needed. Names of dimensions are drawn anew, numbers are fixed. At given sizes, and with
given integers and plain values, such a task is the variant that `at` gives, whose weights are the
numbers `w[0, 0]`, `w[0, 1]`, ..."""

from __future__ import annotations

import ast
import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from random import Random
from typing import Any, TypeVar

import torch
from msgspec import Struct
from msgspec.structs import replace

from ...errors import UsageProblem
from ...model import Leaf, width_of
from ...trace.validate import MAX_REPLAYED
from ..adjoint import SEED
from ..adjoint.tensors import fixed, sample
from .bank.library import assigned, function_of as function_of, read_constant as read_constant
from .bank.program import Variant
from .bank.reading import refusing_text
from .dimensions import Sizes, drawn_sizes, names_of
from .parameters import NUMBERS, Kind, Parameters, TypedLeaf, read_parameters
from .scenarios import rounds

MOST_NUMBERS = 2**18
"""Of all tensors of a task together."""
FEW_COMBINATIONS = 8
"""Of plain values that are all tried, each with each; of more each value is."""
SAME = ("dtype", "positive", "ranges", "written")
"""What a tensor of a draw has of its parameter."""


Task = TypeVar("Task", bound="TypedTask")


class TypedTask(Struct, frozen=True):
    """A task as its file has it. `below` bounds integer inputs: a number, or the name of a
    dimension; `said` has the sizes of dimensions of which the file says some. `function` takes
    tensors and plain values. It is judged at `draw_count` draws, or more, so that each plain value
    is tried. `may_leave_out`: some of its parameters may have no part in its value. `expression` is
    what a child calls itself, where an exercise has one do so. `order` 2 asks for derivatives of
    the gradients, too."""

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
    said: Mapping[str, list[int]] = {}
    alternatives: tuple[TypedTask, ...] = ()
    """The same task by other functions of its file that are right as well."""
    called: str = ""
    """Of an alternative, the name of its function."""

    @property
    def shown(self) -> str:
        """The name of its function."""
        return self.called or self.name

    @property
    def dimensions(self) -> list[str]:
        """The names of the dimensions of its tensors."""
        return names_of(dim for leaf in self.leaves for dim in leaf.dims)

    @property
    def combinations(self) -> int:
        """How many draws it takes to try the plain values."""
        counts = [len(leaf.literals) for leaf in self.leaves if leaf.literals]
        whole = math.prod(counts)
        return whole if whole <= FEW_COMBINATIONS else max(counts)

    @property
    def full_count(self) -> int:
        """At how many draws gradients of all that has some are asked for: two at the first values,
        one of which is at the least sizes, and one at each of the others."""
        return max(self.draw_count, 1 + self.combinations)

    @property
    def count(self) -> int:
        """At how many draws a submission is judged."""
        return self.full_count

    def at(self, draw: int) -> MatrixVariant:
        """The task at the sizes, and with the integers and plain values, of one of the draws. The
        first has sizes that all differ, the second the least. Raises UsageProblem for a function
        that does not run there."""
        random = Random(self._key(draw))
        sizes = self.sizes_at(draw, random)
        at: dict[str, Any] = {name.lstrip("*"): own for name, own in sorted(sizes.items())}
        at = {**self.literals_at(draw), **at}
        text = ", ".join(f"{name}={own}" for name, own in at.items())
        try:
            leaves = self.leaves_at(sizes, draw, random)
            self._check(leaves, text)
        except UsageProblem:
            raise
        except Exception as error:
            raise UsageProblem(
                f"{self.path}: {self.shown} fails at {text}: {type(error).__name__}: {error}",
                "A task must run at all sizes that SIZES says, else 1 to 8, with all VALUES, and "
                "in float64: torch.ones(n, dtype=x.dtype).",
            ) from None
        return MatrixVariant(
            self.name,
            f"{self.source}\n# at {text}, draw {draw}" if draw else self.source,
            self.path,
            (),
            leaves,
            text,
            self.may_leave_out,
            self.expression_at(sizes, leaves),
            self.count,
            task=self,
        )

    def expression_at(self, sizes: Sizes, leaves: Sequence[Leaf]) -> str:
        """What a child calls itself at the sizes and leaves of a draw."""
        return self.expression

    def literals_at(self, draw: int) -> dict[str, str]:
        """The plain values of a draw of which the task says some, by name: all together, each with
        each, where these are few, else each in turn, and each time round in other company."""
        tried = {leaf.name: leaf.literals for leaf in self.leaves if leaf.literals}
        turn = max(draw - 1, 0)  # the second draw is at sizes that may tell nothing
        if math.prod(map(len, tried.values())) <= FEW_COMBINATIONS:
            whole = [*product(*tried.values())]
            return dict(zip(tried, whole[turn % len(whole)], strict=True))
        in_turn = {name: rounds(f"{self.name}:{name}", of) for name, of in tried.items()}
        return {name: next(islice(values, turn, None)) for name, values in in_turn.items()}

    def leaves_at(self, sizes: Sizes, draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors and plain values of a draw, at its sizes. Raises what the function raises."""
        leaves, literals = [], self.literals_at(draw)
        for leaf in self.leaves:
            shape = leaf.shape(sizes)
            if leaf.plain:
                usual = rounds(f"{self.name}:{leaf.name}", NUMBERS)
                literal = literals.get(leaf.name) or repr(next(islice(usual, draw, None)))
                leaves.append(Leaf(leaf.name, "input", literal=literal))
            elif leaf.integer:
                bound = self.below[leaf.name]
                most = sizes[bound] if isinstance(bound, str) else bound
                assert isinstance(most, int)
                numbers = _integers(most, math.prod(shape), draw, random)
                leaves.append(Leaf(leaf.name, leaf.kind, shape, numbers, dtype=leaf.dtype))
            else:
                same = {name: getattr(leaf, name) for name in SAME}
                leaves.append(Leaf(leaf.name, leaf.kind, shape, **same))
        return tuple(leaves)

    def sizes_at(self, draw: int, random: Random) -> Sizes:
        """Those of the dimensions at one of the draws."""
        dims = dict.fromkeys(dim for leaf in self.leaves for dim in leaf.dims)
        bounds = {bound for bound in self.below.values() if isinstance(bound, str)}
        key = f"said:{self.name}"
        # a value may have no other draw, and make no difference where a size is 1
        narrow = draw > 1 and draw % 3 == 0 and self.combinations == 1
        first = self.sizes_at(0, Random(self._key(0))) if draw == 2 else None
        return drawn_sizes(
            dims, self.said, bounds, draw, random, key, self._numbers_at, narrow, first
        )

    def _key(self, draw: int) -> str:
        """What seeds the sizes and integers of a draw."""
        return f"sizes:{self.name}:{draw}"

    def _numbers_at(self, sizes: Sizes) -> int:
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
                    f"{self.path}: {leaf.name} of {self.shown} has {math.prod(leaf.shape)} numbers "
                    f"at {text}",
                    f"Have at most {MAX_REPLAYED} numbers in a tensor.",
                )
        if width_of(leaves) > MOST_NUMBERS:
            raise UsageProblem(
                f"{self.path}: the tensors of {self.shown} have {width_of(leaves)} numbers at "
                f"{text}",
                f"Have at most {MOST_NUMBERS} in all of them together.",
            )
        if not width_of([leaf for leaf in leaves if leaf.kind == "weight"]):
            raise UsageProblem(
                f"{self.path}: {self.shown} has no numbers in its weights at {text}",
                "Have at least one float weight.",
            )
        with torch.no_grad():
            value, adjoint = self.differentiated(leaves, sample(leaves))
        if not isinstance(value, torch.Tensor) or (adjoint is None and value.numel() != 1):
            raise UsageProblem(
                f"{self.path}: {self.shown} does not return one number at {text}",
                "Return a scalar, such as a loss: the pass then has one y.",
            )
        read = {node.id for node in ast.walk(ast.parse(self.source)) if isinstance(node, ast.Name)}
        # a plain value may be there because a course's signature has it
        read |= {leaf.name for leaf in self.leaves if leaf.literals}
        unread = [leaf.name for leaf in self.leaves if leaf.name not in read]
        if unread and not self.may_leave_out:
            raise UsageProblem(
                f"{self.path}: {', '.join(unread[:3])} does not reach the result of "
                f"{self.shown} at {text}",
                "Use every parameter in the result, or leave it out.",
            )

    def differentiated(
        self, leaves: Sequence[Leaf], values: Sequence[Any]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The value of a draw's tensors, and its adjoint, of the same shape; None for a value of
        one number."""
        return self.call(leaves, values), None

    def call(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> torch.Tensor:
        """The function itself, with a tensor, or a plain value, for each leaf."""
        return self.function(**self.arguments(leaves, values))

    def arguments(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> dict[str, Any]:
        """What the function is called with, by name."""
        pairs = zip(leaves, values, strict=True)
        return {leaf.name: value for leaf, value in pairs if not leaf.probe}


def _integers(most: int, count: int, draw: int, random: Random) -> tuple[int, ...]:
    """So many integers below `most`: the first and the last of them at the first draw, at the
    second the last alone, as of a mask that leaves nothing out. At the third there is no last, so
    that labels do not tell how many classes there are."""
    numbers = [random.randrange(most) for _ in range(count)]
    if draw == 1:
        return (most - 1,) * count
    if draw % 3 == 2 and most > 2:
        numbers = [number % (most - 1) for number in numbers]
    ends = (0,) if draw else (0, most - 1)
    lacking = [end for end in ends if end not in numbers]
    others = {*range(count)} - {numbers.index(end) for end in ends if end in numbers}
    places = random.sample(sorted(others), min(len(others), len(lacking)))
    for place, end in zip(places, lacking, strict=False):
        numbers[place] = end
    return tuple(numbers)


class MatrixVariant(Variant, frozen=True, kw_only=True):
    """A task of matrices at given sizes."""

    task: TypedTask

    @property
    def needs_all(self) -> bool:
        """Whether gradients are asked for of every tensor of which the task asks for one."""
        kinds = {leaf.name: leaf.kind for leaf in self.leaves}
        return all(kinds[leaf.name] == leaf.kind for leaf in self.task.leaves)

    @property
    def small(self) -> MatrixVariant:
        """The task at small sizes, though not at 1 where it may have others: for runs beside the
        draws, which ask for no real ones."""
        said = {
            name: [next((size for size in sizes if size > 1), sizes[0])]
            for name, sizes in self.task.said.items()
        }
        return replace(self.task, said=said).at(0) if said else self

    @property
    def accepted(self) -> tuple[MatrixVariant, ...]:
        """What a submission may be judged against: itself, then its task's alternatives."""
        return (self, *(task.at(0) for task in self.task.alternatives))

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
                value, *adjoint = torch.vmap(one_point, randomness="same")(tensors)
        except RuntimeError:  # it decides by a number, or writes into what it made
            rows = zip(*tensors.values(), strict=True)
            points = [one_point(dict(zip(tensors, row, strict=True))) for row in rows]
            value, *adjoint = (torch.stack(column) for column in zip(*points, strict=True))
        return value, adjoint[0] if adjoint else None


def read_typed_task(text: str, path: str) -> MatrixVariant:
    """The task of a file, at its first sizes. The file is the instructor's: its function is run.

    Raises UsageProblem, naming the place, for a file that is no task."""
    function, of = parts_of(text, path, "input")
    module = ast.parse(text)
    lines = text.splitlines()[function.lineno - 1 : function.end_lineno]
    others = [node for node in module.body if node.lineno != function.lineno]
    # what is said beside the function makes it another task, too
    lines += [f"# {line}" for node in others for line in ast.unparse(node).splitlines()]
    source, call = "\n".join(lines), compiled(function, path)
    task = TypedTask(function.name, of.leaves, of.below, source, path, call, said=of.said)
    return with_accepted(task, module, function).at(0)


def parts_of(text: str, path: str, positional: Kind) -> tuple[ast.FunctionDef, Parameters]:
    """The function of a task's file, and what that says of its parameters. Raises
    UsageProblem."""
    with refusing_text(path):
        module = ast.parse(text)
    function = function_of(module, path)
    return function, read_parameters(function, module, path, positional)


def with_accepted(
    task: Task,
    module: ast.Module,
    own: ast.FunctionDef,
    prepare: Callable[[ast.FunctionDef], None] = lambda _: None,
) -> Task:
    """A task with the alternatives that its file names in `ACCEPTS`, functions of the parameters
    that its `own` function has. `prepare` does to them what was done to that. Raises
    UsageProblem."""
    names = read_constant(module, "ACCEPTS", None)
    if assigned(module, "ACCEPTS") is None:
        return task
    names = (names,) if isinstance(names, str) else names
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    alternatives = []
    for name in names if isinstance(names, tuple | list) else (names,):
        function = functions.get(name) if isinstance(name, str) and name != task.name else None
        if function is None:
            raise UsageProblem(
                f"{task.path}: ACCEPTS: there is no further function {name!r} in the file",
                f'Write it beside {task.name} and name it: ACCEPTS = ("{task.name}_half",).',
            )
        if _arguments(function) != _arguments(own):
            raise UsageProblem(
                f"{task.path}:{function.lineno}: {name} has other parameters than {task.name}",
                f"Give it those of {task.name}, by the same names in the same order.",
            )
        text = f"# as {task.name}\n{ast.unparse(function)}"
        prepare(function)
        call = compiled(function, task.path)
        alternatives.append(replace(task, function=call, source=text, called=name))
        alternatives[-1].at(0)
    return replace(task, alternatives=tuple(alternatives))


def _arguments(function: ast.FunctionDef) -> list[Any]:
    """The parameters of a function, without their annotations."""
    of = function.args
    plain = of.vararg is of.kwarg is None and not of.defaults and not any(of.kw_defaults)
    groups = (of.posonlyargs + of.args, of.kwonlyargs)
    return [plain, *([each.arg for each in group] for group in groups)]


def compiled(function: ast.FunctionDef, path: str) -> Callable[..., torch.Tensor]:
    """The function of a task's file, whose annotations are taken off. It is the instructor's, so
    it may be run."""
    for argument in (*function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    names: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math}
    exec(compile(ast.Module([function], []), path, "exec"), names)
    task: Callable[..., torch.Tensor] = names[function.name]

    @functools.wraps(task)
    def seeded(*arguments: Any, **named: Any) -> torch.Tensor:
        with torch.random.fork_rng(devices=()):
            torch.default_generator.manual_seed(SEED)  # without the search for devices
            return task(*arguments, **named)

    return seeded
