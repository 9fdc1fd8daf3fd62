import torch


class Module(object):
    """Abstract class, copied from modules.ipynb"""

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

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass

    def getParameters(self):
        return []

    def __repr__(self):
        return "Module"


class SoftPlus(Module):
    def __init__(self):
        super(SoftPlus, self).__init__()

    def updateOutput(self, input):
        # log(e^x + e^0)
        pair = torch.stack((input, torch.zeros_like(input)), dim=-1)
        self.output = pair.logsumexp(dim=-1)
        return self.output

    def updateGradInput(self, input, gradOutput):
        # e^y = 1 + e^x   =>   y' = e^x / (1 + e^x) = 1 - e^-y
        self.gradInput = torch.expm1(self.output.neg()).neg_().mul_(gradOutput)
        return self.gradInput

    def __repr__(self):
        return "SoftPlus"
