"""What exercises share whose students give vector-Jacobian products: a function of tensors of any
shape is called, and the adjoint of its value sent back through it.

`child` makes the call, `tensors` what it is made with, and `checks` judges what came of it. It has
no tasks, and does not know how a student gives the products."""

from __future__ import annotations

from msgspec import Struct

from ...model import Leaf, Scenario, Span, Tensor, gradient_of, second_of

GRAD_OUTPUT = "grad_output"
"""The name of the leaf that has the adjoint of the value."""
SEED = 0
"""Of torch's generator before each call of a submission's, and of a task's function: a mask that
both draw is the same."""
WARM_SCENARIO = Scenario(
    (Leaf("x", "weight", (2,), order=2), Leaf(GRAD_OUTPUT, "input", (2,), order=2)),
    ((0.3, 0.7, 0.2, 0.4),),
)
"""That of a function of one vector, which a process runs before any submission's."""


class AdjointFacts(Struct, frozen=True):
    """Of the first point: what was made beside the outputs.

    `second_problem` says why there are no derivatives of the gradients, `second_site` which line of
    the student's raised it. `kept` are inputs that something still holds afterwards,
    `written` the storages, by the recording's numbers, of tensors in a dict that was an argument,
    and of those that the task itself changes in place."""

    second_problem: str = ""
    second_site: Span | None = None
    kept: tuple[str, ...] = ()
    written: tuple[int, ...] = ()


class Reference(Struct, frozen=True):
    """What is right in one run beside the draws, by torch's own function and autograd: `where`
    says at which inputs, as a message that `say` takes. At a kink every slope between those of the
    sides is right, and versions of torch differ: where an output is NaN, any number is right."""

    where: str
    scenario: Scenario
    outputs: dict[str, Tensor]
    unused: tuple[str, ...] = ()
    """Inputs that the value does not depend on, so that torch gives None."""
    is_draw: bool = False
    """Whether it is at sizes and plain values as a draw is, which `where` has then, and all else is
    as there."""
    hint: str = ""
    """The way out of what is wrong there alone, where it is not what the exercise says."""

    @property
    def asked(self) -> list[str]:
        """The leaves whose gradients are asked for."""
        return [
            leaf.name for leaf in self.scenario.leaves if gradient_of(leaf.name) in self.outputs
        ]

    @property
    def has_second(self) -> bool:
        """Whether any derivative of a gradient is more than zeros."""
        return any(
            any(self.outputs[n].data) for n in map(second_of, self.asked) if n in self.outputs
        )
