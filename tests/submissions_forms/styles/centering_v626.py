import torch


def centering(n, like):
    """The matrix that takes the mean of each column away: I - 11'/n. It is its own transpose."""
    return torch.eye(n, dtype=like.dtype) - torch.full((n, n), 1.0 / n, dtype=like.dtype)


class BatchNormalization:
    EPS = 1e-3

    def __init__(self, alpha=0.0):
        self.alpha = alpha
        self.training = True
        self.moving_mean = 0.0
        self.moving_variance = 1.0
        self.output = self.gradInput = None

    def _blend(self, old, new):
        return self.alpha * old + (1.0 - self.alpha) * new

    def updateOutput(self, input):
        if not self.training:
            self.inv_std = (self.moving_variance + self.EPS) ** -0.5
            self.output = (input - self.moving_mean) * self.inv_std
            return self.output
        self.H = centering(input.size(0), input)
        self.c = self.H @ input
        variance = (self.c ** 2).mean(0)
        self.inv_std = (variance + self.EPS) ** -0.5
        self.output = self.c * self.inv_std
        self.moving_mean = self._blend(self.moving_mean, input.mean(0))
        self.moving_variance = self._blend(self.moving_variance, variance)
        return self.output

    def updateGradInput(self, input, gradOutput):
        # output = c * inv_std: by c itself, and by inv_std, which is a function of c
        g_inv_std = (gradOutput * self.c).sum(0)
        g_variance = -0.5 * g_inv_std * self.inv_std ** 3
        g_c = gradOutput * self.inv_std + g_variance * self.c * (2.0 / len(input))
        self.gradInput = self.H @ g_c
        return self.gradInput

    def accGradParameters(self, input, gradOutput):
        return None

    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput):
        return self.updateGradInput(input, gradOutput)
