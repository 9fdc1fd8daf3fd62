# Wrong at: a second step: statistics of the first are in it
import torch


class BatchNormalization:
    EPS = 1e-3

    def __init__(self, alpha=0.0):
        self.alpha = alpha
        self.moving_mean = None
        self.moving_variance = None

    def updateOutput(self, input):
        mean = input.mean(dim=0)
        variance = input.var(dim=0, unbiased=False)
        if self.moving_mean is None:
            self.moving_mean, self.moving_variance = mean, variance
        else:
            self.moving_mean = self.moving_mean * self.alpha + mean * (1 - self.alpha)
            self.moving_variance = self.moving_variance * self.alpha + variance * (1 - self.alpha)
        self.std = torch.sqrt(self.moving_variance + self.EPS)
        self.output = (input - self.moving_mean) / self.std
        return self.output

    def updateGradInput(self, input, gradOutput):
        n = input.shape[0]
        total = gradOutput.sum(dim=0)
        along = (gradOutput * self.output).sum(dim=0)
        self.gradInput = (gradOutput - total / n - self.output * along / n) / self.std
        return self.gradInput
