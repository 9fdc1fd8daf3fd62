# Wrong at: x < -4
import torch


class ELU:
    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def updateOutput(self, input):
        self.e = torch.exp(input.clamp(min=-4))
        self.output = torch.where(input > 0, input, self.alpha * (self.e - 1))
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * torch.where(input > 0, torch.ones_like(input), self.alpha * self.e)
        return self.gradInput
