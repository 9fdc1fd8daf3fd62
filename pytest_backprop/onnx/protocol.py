"""What the grader asks about ONNX models, and what is answered.

Two kinds of children: one runs student code and exports `forward`, the other runs none and
evaluates a model, which is data that nobody trusts. Each has a zygote of its own."""

from __future__ import annotations

import msgspec
from msgspec import Struct, field

from ..messages import language
from ..model import Leaf, Unit
from ..processes.protocol import Broke, ChildKind, Limits, LoadProblem

MAX_MODEL = 8 * 2**20
"""Bytes of the largest model that is looked at; an export of a function has some ten thousand."""


class ModelProblem(Struct, frozen=True):
    """Why an ONNX model could not be run on the points. `kind` is a key of `check.MESSAGES`,
    `about` the input or the file that it is about, `reason` what onnx, torch or the system says of
    it; both printable and short."""

    kind: str
    about: str = ""
    reason: str = ""


def printable(text: str, most: int) -> str:
    """Untrusted text for a message: one line, printable, cut."""
    shown = " ".join(text[: 4 * most].split())
    shown = "".join(c if c.isprintable() else "?" for c in shown)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


class Export(Struct, frozen=True):
    """Export a submission's `forward` through torch.onnx, called at a point of the leaves."""

    units: tuple[Unit, ...]
    class_name: str | None
    leaves: tuple[Leaf, ...]
    point: tuple[float, ...]
    limits: Limits
    pass_names: tuple[str, ...]
    language: str = field(default_factory=language)


class Exported(Struct, frozen=True, tag="exported"):
    """The export, as bytes of an ONNX model: as untrusted as a file."""

    model: bytes


class Evaluate(Struct, frozen=True):
    """Read a model, check it, and run it with onnx's reference evaluator on `inputs`, which has a
    row a point.

    `weight_labels` are the names and elements of the parameters that hold the weights in the
    student's module. A model that has its weights as inputs is given `weights`."""

    model: bytes
    weight_names: tuple[str, ...]
    input_names: tuple[str, ...]
    weight_labels: tuple[tuple[str, int], ...]
    weights: tuple[float, ...]
    inputs: tuple[tuple[float, ...], ...]
    limits: Limits
    language: str = field(default_factory=language)


class Evaluated(Struct, frozen=True, tag="evaluated"):
    """What a model gives, or the problem that stood in the way.

    `values` are its results on the request's points, with the `weights` that stand in it; these are
    None where they are folded into constants. `ops` are the types of its nodes, in order."""

    problem: ModelProblem | None = None
    values: tuple[float, ...] = ()
    weights: tuple[float, ...] | None = None
    ops: tuple[str, ...] = ()


EVALUATION = ChildKind("onnx.evaluate", msgspec.msgpack.Decoder(Evaluated | Broke))
EXPORT = ChildKind("onnx.export", msgspec.msgpack.Decoder(Exported | LoadProblem | Broke))
