import torch
from torch import Tensor


class Module:
    output: Tensor | None = None
    gradInput: Tensor | None = None

    def forward(self, input: Tensor) -> Tensor:
        return self.updateOutput(input)

    def backward(self, input: Tensor, gradOutput: Tensor) -> Tensor:
        self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def accGradParameters(self, input: Tensor, gradOutput: Tensor) -> None:
        """No parameters here."""

    def zeroGradParameters(self) -> None:
        """No parameters here."""


class ELU(Module):
    def __init__(self, alpha: float = 1.0):
        self.alpha = alpha

    def _negative_branch(self, input: Tensor) -> Tensor:
        return input.clamp(max=0).expm1_().mul_(self.alpha)

    def updateOutput(self, input: Tensor) -> Tensor:
        # exactly one of the two terms is not zero
        self.output = self._negative_branch(input).add_(input.clamp(min=0))
        return self.output

    def updateGradInput(self, input: Tensor, gradOutput: Tensor) -> Tensor:
        # alpha * e^x = (alpha * (e^x - 1)) + alpha
        slope = self._negative_branch(input).add_(self.alpha)
        slope.masked_fill_(input > 0, 1)
        self.gradInput = slope.mul_(gradOutput)
        return self.gradInput
