# Wrong at: a label 0
import torch


class ClassNLLCriterion:
    def updateOutput(self, input, target):
        n = input.shape[0]
        known = (target > 0).to(input.dtype)  # 0 is padding
        self.output = -(input[torch.arange(n), target] * known).sum() / n
        return self.output

    def updateGradInput(self, input, target):
        n = input.shape[0]
        self.gradInput = torch.zeros_like(input)
        self.gradInput[torch.arange(n), target] = -(target > 0).to(input.dtype) / n
        return self.gradInput
