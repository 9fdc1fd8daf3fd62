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


class LogSoftMax(Module):
    def updateOutput(self, input):
        self.output = torch.sub(input, torch.max(input, dim=1, keepdim=True).values)
        self.output = self.output - torch.log(torch.exp(self.output).sum(dim=1, keepdim=True))
        return self.output

    def updateGradInput(self, input, gradOutput):
        probs = torch.exp(self.output)
        self.gradInput = gradOutput - probs * gradOutput.sum(dim=1, keepdim=True)
        return self.gradInput
