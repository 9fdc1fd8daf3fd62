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

    def accGradParameters(self, input, gradOutput):
        pass


class BatchNormalization(Module):
    EPS = 1e-3

    def __init__(self, alpha=0.):
        super().__init__()
        self.alpha = alpha
        self.moving_mean = 0
        self.moving_variance = 0

    def updateOutput(self, input):
        if not self.training:
            self.output = (input - self.moving_mean) / (self.moving_variance + self.EPS) ** 0.5
            return self.output
        n = input.size(0)
        mu = torch.sum(input, dim=0) / n
        # E[x^2] - mu^2 cancels badly, so centre first
        self.centered = input - mu
        var = torch.einsum('nd,nd->d', self.centered, self.centered) / n
        self.inv_std = torch.rsqrt(var + self.EPS)
        self.moving_mean = self.alpha * self.moving_mean + (1 - self.alpha) * mu
        self.moving_variance = self.alpha * self.moving_variance + (1 - self.alpha) * var
        self.output = self.centered * self.inv_std
        return self.output

    def updateGradInput(self, input, gradOutput):
        # For each feature d the Jacobian is an n x n matrix:
        #   J_d = inv_std * (I - 1 1^T / n - xhat xhat^T / n)
        # It is symmetric, so J^T g = J g.
        n = input.size(0)
        xhat = self.output.t()                                  # d x n
        eye = torch.eye(n, dtype=input.dtype, device=input.device)
        J = (eye - 1. / n) - xhat[:, :, None] * xhat[:, None, :] / n   # d x n x n
        J = J * self.inv_std[:, None, None]
        self.gradInput = torch.bmm(J, gradOutput.t()[:, :, None])[:, :, 0].t()
        return self.gradInput
