import math

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

    def zeroGradParameters(self):
        pass

    def accGradParameters(self, input, gradOutput):
        pass


class Linear(Module):
    """Transforms (batch_size, n_in) into (batch_size, n_out)."""

    def __init__(self, n_in, n_out):
        super(Linear, self).__init__()
        stdv = 1.0 / math.sqrt(n_in)
        self.W = torch.empty(n_out, n_in).uniform_(-stdv, stdv)
        self.b = torch.empty(n_out).uniform_(-stdv, stdv)
        self.gradW = torch.zeros_like(self.W)
        self.gradb = torch.zeros_like(self.b)

    def updateOutput(self, input):
        self.output = torch.mm(input, self.W.t()) + self.b
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = torch.mm(gradOutput, self.W)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradW += torch.mm(gradOutput.t(), input)
        self.gradb += torch.sum(gradOutput, dim=0)

    def zeroGradParameters(self):
        self.gradW.fill_(0)
        self.gradb.fill_(0)

    def __repr__(self):
        return "Linear %d -> %d" % (self.W.shape[1], self.W.shape[0])
