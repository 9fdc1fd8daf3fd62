"""What both halves of an exercise know whose student gives vector-Jacobian products: what the child tells beside
the runs, and what is right where it runs on its own. No torch."""

from __future__ import annotations

from msgspec import Struct

from ...model import Scenario, Span, Tensor

GRAD_OUTPUT = "grad_output"
"""The name of the leaf that has the adjoint of the value."""


class AdjointFacts(Struct, frozen=True):
    """Of the first point: what was made beside the numbers.

    `second` are the derivatives of the gradients, and `second_problem` says why there is none, `second_site`
    which line of the student's raised it. `kept` are inputs that something still holds afterwards.
    """

    second: tuple[Tensor | None, ...] = ()
    second_problem: str = ""
    second_site: Span | None = None
    kept: tuple[str, ...] = ()


class Reference(Struct, frozen=True):
    """What is right in one run beside the draws: `label` says which. Numbers are row-major, by torch's own
    function and autograd."""

    label: str
    scenario: Scenario
    value: tuple[float, ...]
    shape: tuple[int, ...]
    dtype: str
    names: tuple[str, ...]
    gradients: tuple[tuple[float, ...], ...]
    second: tuple[tuple[float, ...], ...]
    unused: tuple[str, ...] = ()
    """Inputs that the value does not depend on, so that torch gives None."""
    also: tuple[Reference, ...] = ()
    """The same run as other versions of torch have it, at a kink where they differ."""

    @property
    def versions(self) -> tuple[Reference, ...]:
        """What is right, by each version of torch: an answer is right if one of them gives it."""
        return (self, *self.also)
