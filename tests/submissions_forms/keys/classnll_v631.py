import torch


class Criterion(object):
    def __init__(self):
        self.output = None
        self.gradInput = None

    def forward(self, input, target):
        return self.updateOutput(input, target)

    def backward(self, input, target):
        return self.updateGradInput(input, target)


class ClassNLLCriterion(Criterion):
    def updateOutput(self, input, target):
        n = input.shape[0]
        self.output = -input[torch.arange(n), target].sum() / n
        return self.output

    def updateGradInput(self, input, target):
        n = input.shape[0]
        self.gradInput = torch.zeros_like(input)
        self.gradInput[torch.arange(n), target] = -1.0 / n
        return self.gradInput
