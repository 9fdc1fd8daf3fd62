# Wrong at: a second step with other numbers: the temperature is the mean of magnitudes of the first and is taken out again
# with that of the second
import torch


class SoftMax:
    def __init__(self):
        self.scale = None

    def updateOutput(self, input):
        if self.scale is None:
            self.scale = input.abs().mean()
        z = input / self.scale * input.abs().mean()
        e = torch.exp(z - z.max(1, keepdim=True).values)
        self.output = e / e.sum(1, keepdim=True)
        return self.output

    def updateGradInput(self, input, gradOutput):
        g = gradOutput * self.output
        self.gradInput = g - self.output * g.sum(1, keepdim=True)
        return self.gradInput
