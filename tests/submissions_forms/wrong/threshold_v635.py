# Wrong at: x > 5.2
import torch


class SoftPlus:
    def updateOutput(self, input):
        self.output = torch.where(input > 5.2, input, torch.log1p(torch.exp(input)))
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * torch.where(input > 5.2, torch.ones_like(input), 1 / (1 + torch.exp(-input)))
        return self.gradInput
