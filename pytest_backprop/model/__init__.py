"""Plain, frozen data shared by every room of the house. No torch here, and no behaviour.

Three families: what a submission *is* (`Unit`, `Submission`), what a child process *saw* of it
(`Recording`, `Observation`, `Evidence`), and what the grader *says* of it (`Finding`,
`CheckResult`, `Grade`). The middle family crosses a process boundary as msgpack, so it is made of
numbers, strings and structs only, and every number in it is untrusted until it is replayed.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from .drawing import Drawing

Outcome = Literal["passed", "partial", "failed", "not_judged"]
Basis = Literal["replayed", "observed"]
Status = Literal["graded", "unreadable", "timeout", "out_of_memory", "crashed", "grader_error"]
VariantSource = Literal["roster", "option", "name", "submission"]

CHECK_IDS = (
    "forward",
    "manual-forward",
    "gradient",
    "unused-nodes",
    "release",
    "integrity",
    "onnx",
)
"""Every check there is, in the order in which reports list them."""

PASS_NAMES = ("my_forward_backward", "your_forward_backward")
"""Names the course gives to the manual pass (seed 000 uses the second)."""

COURSE_KIND = "forward-backward"
"""The kind of assignment that the course gives."""

PLUGGED_NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
"""What a plugin may call a check, a report format and a kind of assignment."""


# -- what a submission is -------------------------------------------------------------------


class Unit(Struct, frozen=True):
    """One piece of Python text: a whole `.py` file, or one code cell of a notebook.

    `cell` counts *all* cells of the notebook from 1, as editors show it; None for a `.py` file.
    `text` is Python: magics and shell lines are already rewritten, line for line.
    `original` is the text as the student sees it, with the same number of lines.
    """

    text: str
    cell: int | None = None
    original: str = ""


class Submission(Struct, frozen=True):
    """A submission's text. `path` is what reports print, relative where that is possible."""

    path: str
    kind: Literal["py", "ipynb"]
    units: tuple[Unit, ...]


class Span(Struct, frozen=True, array_like=True):
    """A stretch of a submission: lines from 1, columns in UTF-8 bytes from 0, as `ast` counts.

    `unit` indexes `Submission.units`.
    """

    unit: int
    line: int
    column: int
    end_line: int
    end_column: int


class Place(Struct, frozen=True):
    """Where a finding points, in the reader's own counting: cell, line and column from 1.

    `source` is that line of the submission, as written, without its line break.
    """

    path: str
    line: int
    column: int | None = None
    cell: int | None = None
    source: str = ""


# -- what the child saw ---------------------------------------------------------------------


class Ref(Struct, frozen=True, tag="v"):
    """An operand that is a tensor: the position of its `Value` in `Recording.values`."""

    value: int


class Items(Struct, frozen=True, tag="l"):
    """A list or tuple of operands."""

    items: tuple[Arg, ...]


class Complex(Struct, frozen=True, tag="c"):
    """A complex constant."""

    real: float
    imag: float


class Symbol(Struct, frozen=True, tag="s"):
    """A torch enumeration as text: a dtype (`float32`), a memory format, a device."""

    text: str


Arg = Ref | Items | Complex | Symbol | bool | int | float | str | None

Origin = Literal["weight", "input", "op", "constant", "foreign"]


class Value(Struct, frozen=True):
    """One tensor of a pass. Tensors that share a `storage` are views of one value.

    `origin`: `weight` and `input` are leaves (then `leaf` lists, element for element in row-major
    order, which weight or input it holds); `op` was made by a recorded op; `constant` is a tensor
    made from Python numbers; `foreign` has no recorded maker. The last two carry `data`, row-major
    (empty when too large to be worth sending).
    `offset` and `strides` count elements of the storage.
    """

    storage: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    dtype: str
    origin: Origin
    leaf: tuple[int, ...] = ()
    data: tuple[float, ...] = ()


Context = Literal["student", "forward", "autograd", "transform", "foreign", "python"]


class Op(Struct, frozen=True):
    """One op of a pass, in order of execution.

    `target` is the torch overload (`aten::mul.Tensor`); or, where the dispatcher shows no data
    flow, one of ours: `torch::tensor` (put together from tensors and numbers), `torch::constant`
    (made from numbers alone), `torch::element` (one element of a tensor, by row-major position).
    `reads`, `writes`, `outputs` are positions in `Recording.values`; `writes` are those changed in
    place. `statement` is a position in `Recording.statements`. `site` is the expression.
    `context` says on whose behalf it ran: the student's own code, the module's `forward` called
    inside the pass, the autograd engine, a function transform (torch.func), `foreign`: code that is
    not in the submission (the text of an `eval`, a copy of a code object), or `python`: not an op but Python looking at a tensor (`python::item`, `python::bool`, `python::repr`, ...), which uses
    it and makes no node.
    """

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


class Statement(Struct, frozen=True):
    """One execution of one statement of the student's, if it ran an op.

    `path` leads from the pass to the statement: (frame, execution) per student frame, outermost
    first. A frame number is never used twice, nor is an execution number within a frame. `spans`
    has the place of the statement in each of these frames.
    """

    path: tuple[tuple[int, int], ...]
    spans: tuple[Span | None, ...]


class Life(Struct, frozen=True):
    """The life of one storage made in the pass, in op positions.

    `born`: the op that made it. `last_use`: the last op that read or wrote it. `dead_by`: the
    first op before which it was gone; None if it outlived the pass. `holders`: names that still
    held it after its last use (`t9`, `self.cache['a']`), when they were looked for.
    """

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


class Recording(Struct, frozen=True):
    """What one run of a method did, as the recorder saw it.

    `result` is the value returned. `gradients` has, for each weight, the value that holds its
    gradient and the row-major element in it; None where the pass left no gradient.
    `live` counts, for each op, the storages made in the pass that are alive once it has run.
    """

    values: tuple[Value, ...]
    ops: tuple[Op, ...]
    statements: tuple[Statement, ...]
    lives: tuple[Life, ...]
    live: tuple[int, ...]
    breaches: tuple[Breach, ...]
    result: int | None
    gradients: tuple[tuple[int, int] | None, ...]


class Fault(Struct, frozen=True):
    """An error of the student's code, with the line of theirs that raised it."""

    kind: str
    message: str
    site: Span | None = None


class Tensor(Struct, frozen=True):
    """A tensor the child reports: float64 copies of at most 64 elements, row-major."""

    data: tuple[float, ...]
    shape: tuple[int, ...]
    dtype: str


class Observation(Struct, frozen=True):
    """One run of a method on one point, as the child reports it.

    `result` is a tensor, or the name of the type returned instead. `gradients` has one entry a
    weight. `recording` is a position in the evidence's recordings, None for an unrecorded run.
    """

    result: Tensor | str | None = None
    gradients: tuple[float | None, ...] = ()
    recording: int | None = None
    fault: Fault | None = None


class Evidence(Struct, frozen=True):
    """All that a child says of one submission. `notes` are adaptations it made, in words.

    The runs are in the order of the points that were sent. `weight_dtype` is the parameters'.
    `gradient_problems` name parameters whose `.grad` had a wrong shape or type.
    """

    class_name: str
    pass_name: str
    weight_dtype: str
    forward_runs: tuple[Observation, ...]
    pass_runs: tuple[Observation, ...]
    forward_recordings: tuple[Recording, ...]
    pass_recordings: tuple[Recording, ...]
    notes: tuple[str, ...] = ()
    mutations: tuple[str, ...] = ()
    gradient_problems: tuple[str, ...] = ()
    forward_site: Span | None = None
    pass_site: Span | None = None
    piece_shape: tuple[int, ...] = ()
    """Shape of one weight as the module holds it: () for `self.w[0]`, (1,) for a (1,) parameter."""
    weight_labels: tuple[tuple[str, int], ...] = ()
    """For each weight, the name of the parameter that holds it and the element."""
    pass_way: str = "separate"
    """How the pass takes its inputs: `separate`, `stacked` in one tensor, or `named`."""


# -- what a model is --------------------------------------------------------------------------

ModelKind = Literal[
    "unreadable-model",
    "large-model",
    "invalid-model",
    "external-data",
    "baked-in-input",
    "unused-input",
    "wrong-inputs",
    "wrong-dtype",
    "wrong-output",
    "cannot-run",
    "cannot-export",
    "unfinished",
]


class ModelProblem(Struct, frozen=True):
    """Why an ONNX model could not be run on the points. `about` is the input or the file that it is
    about, `reason` what onnx, torch or the system says of it; both printable and short."""

    kind: ModelKind
    about: str = ""
    reason: str = ""


# -- what the grader says -------------------------------------------------------------------


class Finding(Struct, frozen=True):
    """One thing to tell the student. `level` `fault` costs points, `note` does not.

    `kind` is a stable id (`late-release`, `unused-node`, ...), `name` the student's own name of
    the value, `hint` what to do.
    """

    kind: str
    message: str
    level: Literal["fault", "note"] = "fault"
    place: Place | None = None
    name: str | None = None
    hint: str | None = None


class CheckResult(Struct, frozen=True):
    """A check's verdict: `fraction` in [0, 1] of its points, one line of message, findings."""

    id: str
    outcome: Outcome
    fraction: float
    message: str
    basis: Basis
    findings: tuple[Finding, ...] = ()
    details: dict[str, Any] = {}


Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
"""When a student may see a check, in Gradescope's words."""


class CheckRules(Struct, frozen=True):
    """How one check is scored; the rubric's entry for it.

    `points`: what it is worth. `credit`: `all-or-nothing`; `share`, the share that is right; or
    `per-finding`, which takes `penalty` (of 1) off for each fault. `slack`: statements a value may
    outlive its last use. `zero_nodes`: whether ops that are zero at every point are told
    (`note`) or cost (`count`). `visibility`: when students see the check.
    """

    points: float
    credit: Literal["all-or-nothing", "share", "per-finding"] = "all-or-nothing"
    penalty: float = 0.1
    slack: int = 0
    zero_nodes: Literal["note", "count"] = "note"
    visibility: Visibility = "visible"


class GradedCheck(Struct, frozen=True):
    """A check's verdict and what it earned."""

    result: CheckResult
    score: float
    max_score: float
    visibility: Visibility = "visible"


class Grade(Struct, frozen=True):
    """One submission's grade. `score` of `max_score`; `seconds` is wall time spent on it.

    `student`, `student_id` and `email` are the roster's, never the submission's. `drawing` is there
    when a report was asked for that draws.
    """

    path: str
    student: str | None
    variant: str | None
    variant_source: VariantSource | None
    status: Status
    message: str
    checks: tuple[GradedCheck, ...]
    score: float
    max_score: float
    seconds: float
    notes: tuple[str, ...] = ()
    drawing: Drawing | None = None
    student_id: str | None = None
    email: str | None = None
