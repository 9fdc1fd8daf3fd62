import torch


class Module(object):
    def __init__(self):
        self.output = None
        self.gradInput = None

    def forward(self, input):
        self.output = self.updateOutput(input)
        return self.output

    def backward(self, input, gradOutput):
        self.gradInput = self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        pass


class SoftMax(Module):
    def updateOutput(self, input):
        return torch.softmax(input, 1)

    def updateGradInput(self, input, gradOutput):
        p = self.output
        return p * (gradOutput - (p * gradOutput).sum(1, keepdim=True))
