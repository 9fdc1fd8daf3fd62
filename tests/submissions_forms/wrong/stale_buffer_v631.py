# Wrong at: a second step with other labels
import torch


class ClassNLLCriterion:
    def __init__(self):
        self.gradInput = None

    def updateOutput(self, input, target):
        n = input.shape[0]
        self.output = -input[torch.arange(n), target].sum() / n
        return self.output

    def updateGradInput(self, input, target):
        n = input.shape[0]
        if self.gradInput is None or self.gradInput.shape != input.shape:
            self.gradInput = torch.zeros_like(input)
        self.gradInput[torch.arange(n), target] = -1.0 / n
        return self.gradInput
