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


class ELU(Module):
    def __init__(self, alpha=1.0):
        super(ELU, self).__init__()
        self.alpha = alpha

    def updateOutput(self, input):
        self.output = torch.where(input > 0, input, self.alpha * (torch.exp(input) - 1))
        return self.output

    def updateGradInput(self, input, gradOutput):
        slope = torch.where(input > 0, torch.ones_like(input), self.alpha * torch.exp(input))
        self.gradInput = gradOutput * slope
        return self.gradInput
