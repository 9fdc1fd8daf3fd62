import torch


class Module(object):
    def __init__(self):
        self.output = None
        self.gradInput = None
        self.training = True

    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput):
        self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def updateOutput(self, input):
        pass

    def updateGradInput(self, input, gradOutput):
        pass

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass


class SoftMax(Module):
    def updateOutput(self, input):
        # start with normalization for numerical stability
        shifted = input - input.max(dim=1, keepdim=True)[0]
        self.output = torch.exp(shifted)
        self.output = self.output / self.output.sum(dim=1, keepdim=True)
        return self.output

    def updateGradInput(self, input, gradOutput):
        weighted = gradOutput * self.output
        self.gradInput = weighted - self.output * weighted.sum(dim=1, keepdim=True)
        return self.gradInput
