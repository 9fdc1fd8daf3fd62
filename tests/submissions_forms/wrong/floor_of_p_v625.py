# Wrong at: a probability below 1e-5
import torch


class LogSoftMax:
    def updateOutput(self, input):
        e = torch.exp(input - input.max(1, keepdim=True).values)
        self.p = e / e.sum(1, keepdim=True)
        self.output = torch.log(self.p.clamp(min=1e-5))
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput - self.p * gradOutput.sum(1, keepdim=True)
        return self.gradInput
