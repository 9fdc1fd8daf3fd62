import torch


class Module(object):
    """Base class, as in the lecture notes."""

    def forward(self, input):
        self.output = self.updateOutput(input)
        return self.output

    def backward(self, input, gradOutput):
        self.gradInput = self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        pass

    def zeroGradParameters(self):
        pass


class Linear(Module):
    def __init__(self, n_in, n_out):
        # Xavier
        bound = (6.0 / (n_in + n_out)) ** 0.5
        self.W = (torch.rand(n_out, n_in) * 2 - 1) * bound
        self.b = torch.zeros(n_out)
        self.gradW = torch.zeros(n_out, n_in)
        self.gradb = torch.zeros(n_out)

    def updateOutput(self, input):
        self.output = torch.einsum("bi,oi->bo", input, self.W)
        self.output += self.b
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = torch.zeros_like(input)
        for o in range(self.W.shape[0]):
            self.gradInput += torch.outer(gradOutput[:, o], self.W[o])
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        # one sample at a time
        for sample, g in zip(input, gradOutput):
            self.gradW += g[:, None] * sample[None, :]
            self.gradb += g

    def zeroGradParameters(self):
        self.gradW[:] = 0
        self.gradb[:] = 0
