import torch


class ELU:
    def __init__(self, alpha=1.0):
        self.alpha = alpha
        self.negative = None

    def updateOutput(self, input):
        self.negative = input < 0
        self.output = input.clone()
        if self.negative.any():
            self.output[self.negative] = self.alpha * torch.expm1(input[self.negative])
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput.clone()
        if self.negative.any():
            self.gradInput[self.negative] *= self.output[self.negative] + self.alpha
        return self.gradInput
