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


class SoftPlus(Module):
    def updateOutput(self, input):
        self.output = torch.clamp(input, min=0) + torch.log1p(torch.exp(-torch.abs(input)))
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput / (1 + torch.exp(-input))
        return self.gradInput
