"""What a child process saw of a submission. It crosses a process boundary as msgpack, so it is
made of numbers, strings and structs only, and every number in it is untrusted until it is
replayed. Structs that come in thousands travel as arrays, and without `gc`: none can hold itself.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from .submission import Span


class Ref(Struct, frozen=True, array_like=True, gc=False, tag="v"):
    """An operand that is a tensor: the position of its `Value` in `Recording.values`."""

    value: int


class Items(Struct, frozen=True, array_like=True, gc=False, tag="l"):
    """A list or tuple of operands."""

    items: tuple[Arg, ...]


class Complex(Struct, frozen=True, array_like=True, gc=False, tag="c"):
    """A complex constant."""

    real: float
    imag: float


class Symbol(Struct, frozen=True, array_like=True, gc=False, tag="s"):
    """A torch enumeration as text: a dtype (`float32`), a memory format, a device."""

    text: str


Arg = Ref | Items | Complex | Symbol | bool | int | float | str | None

Origin = Literal["weight", "input", "op", "constant", "foreign"]


Layout = Literal["plain", "transposed", "strided", "expanded"]
"""How a tensor lies in memory: row by row, column by column, every second number, or one number
for all."""


class Leaf(Struct, frozen=True):
    """A tensor that a task is a function of, at given sizes: a weight, whose gradient is asked for,
    or an input. Its numbers, row-major, are a stretch of each point (`places`). `integers`, such as
    labels, and plain values are in no point, and the same at each. `literal` is such a value as
    Python writes it: `0.1`, `True`, `{'stride': 1}`. `written`: whether the task itself changes it
    in place, so that a student may: running statistics."""

    name: str
    kind: Literal["weight", "input"]
    shape: tuple[int, ...] = ()
    integers: tuple[int, ...] | None = None
    literal: str = ""
    dtype: str = "float32"
    layout: Layout = "plain"
    order: int = 1
    """2 for a leaf by which gradients are differentiated again."""
    positive: bool = False
    """Whether its numbers are."""
    ranges: tuple[tuple[float, float], ...] = ()
    """From one of which its numbers are drawn, at one point after another; none: as the others."""
    written: bool = False
    requires_grad: bool = False
    """Whether it is given as a leaf of autograd's graph, where an exercise lets the student call
    the engine."""
    probe: bool = False
    """Whether it stands for zeros that are added to an intermediate of the task, so that its
    gradient is that of the intermediate. Its numbers are zero at each point, and it is given to
    nobody."""

    @property
    def is_drawn(self) -> bool:
        """Whether its numbers are in the points."""
        return self.integers is None and not self.literal

    @property
    def plain(self) -> Any:
        """The plain value, made anew: a dict is whoever's who asks."""
        return ast.literal_eval(self.literal)

    @property
    def elements(self) -> tuple[str, ...]:
        """What its numbers are called: `w[0, 1]`, or as the leaf if there is no dimension. What
        is in no point has no names."""
        if not self.is_drawn:
            return ()
        places = itertools.product(*map(range, self.shape))
        return tuple(f"{self.name}{list(place) if place else ''}" for place in places)


VALUE = "value"
"""The output that a method returns."""
LOSS = "loss"
"""The sum of the value times its adjoint, where the student's own operators calculate that."""


def gradient_of(name: str) -> str:
    """What the output is called that has the gradient of a leaf."""
    return f"grad.{name}"


def second_of(name: str) -> str:
    """What the output is called that has the derivatives of a leaf's gradient by all leaves, one
    behind the other. A child's own runs tell it; no replay does."""
    return f"second.{name}"


def is_gradient(output: str) -> bool:
    """Whether an output has a gradient."""
    return output.startswith("grad.")


def scalars(weights: Iterable[str], inputs: Iterable[str]) -> tuple[Leaf, ...]:
    """Leaves that are numbers."""
    return (*(Leaf(w, "weight") for w in weights), *(Leaf(x, "input") for x in inputs))


def places(leaves: Sequence[Leaf]) -> dict[str, range]:
    """Where the numbers of each leaf stand in a point: those of all weights first, then those of
    inputs. What is not drawn has no place."""
    drawn = [leaf for leaf in leaves if leaf.is_drawn]
    drawn.sort(key=lambda leaf: leaf.kind == "input")
    ends = list(itertools.accumulate((math.prod(leaf.shape) for leaf in drawn), initial=0))
    return {leaf.name: range(*at) for leaf, at in zip(drawn, itertools.pairwise(ends), strict=True)}


def gradient_places(leaves: Sequence[Leaf]) -> dict[str, range]:
    """The same of the leaves whose gradients are asked for."""
    return places([leaf for leaf in leaves if leaf.kind == "weight"])


def width_of(leaves: Sequence[Leaf]) -> int:
    """How many numbers a point has."""
    return sum(map(len, places(leaves).values()))


class Scenario(Struct, frozen=True):
    """Points at which a submission runs: `points` (P, D) are float32 numbers of the `leaves`, each
    at its `places`. `expression` is what the child calls with the leaves where an
    exercise has that done by the child: the text of a function, or the name of one of the
    student's. `variation` is what it does otherwise in a run beside the draws, by a name of the
    exercise's own, and `before` are scenarios that come first there. `is_recorded`: whether its
    ops are asked for, and not its numbers alone."""

    leaves: tuple[Leaf, ...]
    points: tuple[tuple[float, ...], ...]
    expression: str = ""
    variation: str = ""
    is_recorded: bool = True
    before: tuple[Scenario, ...] = ()

    @property
    def outputs(self) -> set[str]:
        """What may come back, by name."""
        leaves = [leaf.name for leaf in self.leaves]
        return {VALUE, LOSS, *map(gradient_of, leaves), *map(second_of, leaves)}


MethodName = Literal["forward", "pass"]
"""What runs of a submission: its value alone, or value and gradients as it works them out."""


class Value(Struct, frozen=True, array_like=True, gc=False):
    """One tensor of a pass. Tensors that share a `storage` are views of one value.

    `origin`: `weight` and `input` are leaves (then `leaf` is the place in a point of its first
    number, behind which the others stand in row-major order); `op` was made by a recorded op;
    `constant` is a tensor made from Python numbers; `foreign` has no recorded maker. The last two
    carry `data`, row-major (empty when too large to be worth sending).
    `offset` and `strides` count elements of the storage."""

    storage: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    dtype: str
    origin: Origin
    leaf: int = 0
    data: tuple[float, ...] = ()


Context = Literal[
    "student", "forward", "autograd", "engine", "transform", "foreign", "python", "grader"
]


class Op(Struct, frozen=True, array_like=True, gc=False):
    """One op of a pass, in order of execution.

    `target` is the torch overload (`aten::mul.Tensor`); or, where the dispatcher shows no data
    flow, one of ours: `torch::tensor` (put together from tensors and numbers), `torch::constant`
    (made from numbers alone), `torch::element` (one element of a tensor, by row-major position).
    `reads`, `writes`, `outputs` are positions in `Recording.values`; `writes` are those changed in
    place. `statement` is a position in `Recording.statements`. `site` is the expression. `context`
    says on whose behalf it ran: the student's own code, the module's `forward` called inside the
    pass, the autograd engine (`engine` in an exercise whose student may call it, else `autograd`),
    a function transform (torch.func), `foreign`: code that is not in the submission (the text of an
    `eval`, a copy of a code object), or `python`: not an op but Python looking at a tensor
    (`python::item`, `python::bool`, `python::repr`, ...), which uses it and makes no node. `grader`
    ran it where an exercise itself calls torch's engine, or puts results together."""

    target: str
    args: tuple[Arg, ...]
    kwargs: dict[str, Arg]
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    outputs: tuple[int, ...]
    statement: int
    site: Span | None = None
    context: Context = "student"
    name: str | None = None
    """The student's name for what it made, where the statement is an assignment of it."""


class Statement(Struct, frozen=True, array_like=True, gc=False):
    """One execution of one statement of the student's, if it ran an op.

    `path` leads from the pass to the statement: (frame, execution) per student frame, outermost
    first. A frame number is never used twice, nor is an execution number within a frame. `spans`
    has the place of the statement in each of these frames."""

    path: tuple[tuple[int, int], ...]
    spans: tuple[Span | None, ...]


class Life(Struct, frozen=True, array_like=True, gc=False):
    """The life of one storage made in the pass, in op positions.

    `born`: the op that made it. `last_use`: the last op that read or wrote it. `dead_by`: the
    first op before which it was gone; None if it outlived the pass. `holders`: names that still
    held it after its last use (`t9`, `self.cache['a']`), when they were looked for."""

    storage: int
    born: int
    last_use: int
    dead_by: int | None
    holders: tuple[str, ...] = ()


class Breach(Struct, frozen=True):
    """Something the recorder saw that a manual pass does not do (`autograd`, `transform`, ...)."""

    kind: str
    detail: str
    site: Span | None


class Output(Struct, frozen=True):
    """Where a recording has an output: a position in `Recording.values`, and the row-major
    element of that value; None for all of it."""

    value: int
    element: int | None = None


class Recording(Struct, frozen=True):
    """What one run of a method did, as the recorder saw it.

    `outputs` has each output that is a tensor, by its name: what was returned is VALUE, the
    gradient of w is `grad.w`. `live` counts, for each op, the storages made in the pass that are
    alive once it has run. `phases` has each phase of an exercise that has some, with the op that it
    began at."""

    values: tuple[Value, ...]
    ops: tuple[Op, ...]
    statements: tuple[Statement, ...]
    lives: tuple[Life, ...]
    live: tuple[int, ...]
    breaches: tuple[Breach, ...]
    outputs: dict[str, Output]
    phases: tuple[tuple[str, int], ...] = ()

    def of_value(self) -> Recording:
        """What of it may give the value: all before backward, where it is told in phases."""
        end = dict(self.phases).get("backward", len(self.ops))
        ops, live, slots = self.ops[:end], self.live[:end], self.outputs
        outputs = {VALUE: slots[VALUE]} if VALUE in slots else {}
        return replace(self, ops=ops, live=live, lives=(), phases=(), outputs=outputs)

    def storages_of(self, *but: str) -> set[int]:
        """The storages of the outputs, without those of some names."""
        kept = [slot.value for name, slot in self.outputs.items() if name not in but]
        return {self.values[value].storage for value in kept}


class Fault(Struct, frozen=True):
    """An error of the student's code, with the line of theirs that raised it."""

    kind: str
    message: str
    site: Span | None = None

    @property
    def text(self) -> str:
        """What Python says of it, as part of a sentence."""
        return f"{self.kind}: {self.message}" if self.message else self.kind


class Tensor(Struct, frozen=True):
    """A tensor the child reports: float64 copies of at most 64 elements, row-major."""

    data: tuple[float, ...]
    shape: tuple[int, ...]
    dtype: str


class Observation(Struct, frozen=True):
    """One run of a method on one point, as the child reports it.

    `outputs` has by name what came back: a tensor, None, or the name of another type. What is not
    in it did not come. `recording` is a position in the evidence's recordings, None for an
    unrecorded run."""

    outputs: dict[str, Tensor | str | None] = {}
    recording: int | None = None
    fault: Fault | None = None

    def tensor(self, output: str) -> Tensor | None:
        """An output, if it is a tensor."""
        value = self.outputs.get(output)
        return value if isinstance(value, Tensor) else None

    def of_value(self) -> Observation:
        """The same without what is not the value."""
        outputs = {name: own for name, own in self.outputs.items() if name == VALUE}
        return replace(self, outputs=outputs)

    @property
    def replayed(self) -> list[str]:
        """The outputs that a replay gives, too."""
        return [name for name in self.outputs if not name.startswith(second_of(""))]

    def gave_gradient(self) -> bool:
        """Whether any gradient is a tensor."""
        return any(isinstance(t, Tensor) for name, t in self.outputs.items() if is_gradient(name))


class Evidence(Struct, frozen=True):
    """All that a child says of one submission. `notes` are adaptations it made, in words.

    The runs are in the order of the points that were sent. `weight_dtype` is the parameters'.
    `gradient_problems` say what is wrong with a gradient, each behind its name, "" for all.
    `returned_gradients` says that in some run the gradients are those that the pass returned: it
    left no `.grad`. `breaches` are of runs without a recording."""

    class_name: str
    pass_name: str
    weight_dtype: str
    forward_runs: tuple[Observation, ...] = ()
    pass_runs: tuple[Observation, ...] = ()
    forward_recordings: tuple[Recording, ...] = ()
    pass_recordings: tuple[Recording, ...] = ()
    notes: tuple[str, ...] = ()
    mutations: tuple[str, ...] = ()
    gradient_problems: tuple[tuple[str, str], ...] = ()
    forward_site: Span | None = None
    pass_site: Span | None = None
    piece_shape: tuple[int, ...] = ()
    """Shape of one weight as the module holds it: () for `self.w[0]`, (1,) for a (1,) parameter."""
    weight_labels: tuple[tuple[str, int], ...] = ()
    """For each weight, the name of the parameter that holds it and the element."""
    pass_way: str = "separate"
    forward_way: str = "separate"
    """How the pass, and `forward`, take their inputs: `separate`, `stacked` in one tensor,
    `named`, or, as the assignment's three where the variant reads fewer, `course` or `course in
    one`."""
    facts: bytes = b"\xc0"
    """What else an exercise saw, msgpack of its own `facts` type."""
    returned_gradients: bool = False
    breaches: tuple[Breach, ...] = ()

    def runs(self, method: MethodName) -> tuple[Observation, ...]:
        """Those of a method. Where forward did not run on its own, those of the pass."""
        if method == "pass":
            return self.pass_runs
        return self.forward_runs or tuple(run.of_value() for run in self.pass_runs)

    def recordings(self, method: MethodName) -> tuple[Recording, ...]:
        """Those of a method, as of its runs."""
        if method == "pass":
            return self.pass_recordings
        if self.forward_runs:
            return self.forward_recordings
        return tuple(recording.of_value() for recording in self.pass_recordings)
