import torch


class Linear():
    def __init__(self, n_in, n_out):
        self.W = torch.randn(n_out, n_in) * 0.01
        self.B = torch.zeros(n_out, 1)
        self.gradW = torch.zeros(n_out, n_in)
        self.gradB = torch.zeros(n_out, 1)

    def forward(self, input):
        self.output = input.mm(self.W.t()) + self.B.t()
        return self.output

    def backward(self, input, gradOutput):
        self.gradInput = gradOutput.mm(self.W)
        self.gradW = gradOutput.t().mm(input)
        self.gradB = gradOutput.sum(dim=0).view(-1, 1)
        return self.gradInput
