# Wrong at: input == 0 exactly: value 0 for log 2, gradient 0 for 1/2
import torch


class SoftPlus:
    def updateOutput(self, input):
        self.output = torch.zeros_like(input)
        self.pos, self.neg = input > 0, input < 0
        self.output[self.pos] = input[self.pos] + torch.log1p(torch.exp(-input[self.pos]))
        self.output[self.neg] = torch.log1p(torch.exp(input[self.neg]))
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = torch.zeros_like(input)
        self.gradInput[self.pos] = gradOutput[self.pos] / (1 + torch.exp(-input[self.pos]))
        e = torch.exp(input[self.neg])
        self.gradInput[self.neg] = gradOutput[self.neg] * e / (1 + e)
        return self.gradInput
