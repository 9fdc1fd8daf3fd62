import torch


class Linear(object):
    """getParameters(): all parameters in one vector, all gradients in another."""

    def __init__(self, n_in, n_out):
        size = n_out * n_in
        self.flat = torch.randn(size + n_out) * 0.1
        self.gradFlat = torch.zeros(size + n_out)
        self.W = self.flat[:size].view(n_out, n_in)
        self.b = self.flat[size:]
        self.gradW = self.gradFlat[:size].view(n_out, n_in)
        self.gradb = self.gradFlat[size:]

    def getParameters(self):
        return self.flat, self.gradFlat

    def forward(self, input):
        return self.updateOutput(input)

    def updateOutput(self, input):
        self.output = torch.addmm(self.b, input, self.W.t())
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = torch.mm(gradOutput, self.W)
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        self.gradW += gradOutput.t() @ input
        self.gradb += gradOutput.sum(0)

    def zeroGradParameters(self):
        self.gradFlat.zero_()
