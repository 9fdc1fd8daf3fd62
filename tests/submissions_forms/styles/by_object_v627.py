import weakref

import torch

STATE = weakref.WeakKeyDictionary()


class ChannelwiseScaling:
    def __init__(self, n):
        self.gamma, self.beta = torch.ones(n), torch.zeros(n)
        self.gradGamma, self.gradBeta = torch.zeros(n), torch.zeros(n)
        STATE[self] = {"calls": 0}

    def forward(self, input):
        return self.updateOutput(input)

    def updateOutput(self, input):
        state = STATE[self]
        state["calls"] += 1
        state["input"] = input
        return torch.addcmul(self.beta, input, self.gamma)

    def updateGradInput(self, input, gradOutput):
        return gradOutput * self.gamma

    def accGradParameters(self, input, gradOutput):
        self.gradGamma += (gradOutput * STATE[self]["input"]).sum(0)
        self.gradBeta += gradOutput.sum(0)

    def zeroGradParameters(self):
        for g in (self.gradGamma, self.gradBeta):
            g.fill_(0)
