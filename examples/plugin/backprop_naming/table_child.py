"""The child's half of the exercise `gradient-table`: the pass leaves its gradients in a table of the module's,
`self.grads["w0"]`, and sets no `.grad`. This module runs in the process of a submission."""

from __future__ import annotations

from pytest_backprop.exercises.by_hand.forms.forward_backward import PASS_NAMES, WARM_UP
from pytest_backprop.exercises.modules import find_model
from pytest_backprop.extension import ModuleTarget

__all__ = ["PASS_NAMES", "WARM_UP", "find"]


class TableTarget(ModuleTarget):
    """A module with the methods of the homework."""

    def gradients(self, extra):
        """The tensor and the element that is the gradient of each weight, then problems and notes."""
        table = getattr(self.model, "grads", {})
        found = [table.get(name) for name in self.weight_names]
        return [None if gradient is None else (gradient, 0) for gradient in found], [], []


def find(source, scenario):
    """The module of a submission. Raises SubmissionProblem."""
    return find_model(source, scenario, TableTarget)
