import torch


class Linear:
    def __init__(self, d, m):
        self.W, self.B = torch.randn(m, d), torch.zeros(m, 1)
        self.gradW, self.gradB = torch.zeros(m, d), torch.zeros(m, 1)

    def forward(self, input):
        return torch.baddbmm(self.B.T[None], input[None], self.W.T[None])[0]

    def backward(self, input, gradOutput):
        self.gradW.zero_().addmm_(gradOutput.T, input)
        self.gradB.copy_(gradOutput.sum(0)[:, None])
        self.gradInput = gradOutput @ self.W
        return self.gradInput
