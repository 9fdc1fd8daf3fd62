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

    def updateOutput(self, input):
        pass

    def updateGradInput(self, input, gradOutput):
        pass

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass


class ChannelwiseScaling(Module):
    """y_i = gamma_i * x_i + beta_i"""

    def __init__(self, n_out):
        super(ChannelwiseScaling, self).__init__()
        stdv = 1.0 / math.sqrt(n_out)
        self.gamma = torch.rand(n_out) * 2 * stdv - stdv
        self.beta = torch.rand(n_out) * 2 * stdv - stdv
        self.gradGamma = torch.zeros_like(self.gamma)
        self.gradBeta = torch.zeros_like(self.beta)

    def updateOutput(self, input):
        self.output = input * self.gamma + self.beta
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput * self.gamma
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradBeta += torch.sum(gradOutput, dim=0)
        self.gradGamma += torch.sum(gradOutput * input, dim=0)

    def zeroGradParameters(self):
        self.gradGamma.fill_(0)
        self.gradBeta.fill_(0)
