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


class BatchNormalization(Module):
    EPS = 1e-3

    def __init__(self, alpha=0.0):
        super(BatchNormalization, self).__init__()
        self.alpha = alpha
        self.moving_mean = None
        self.moving_variance = None

    def updateOutput(self, input):
        if self.training:
            mean = input.mean(dim=0)
            variance = input.var(dim=0, unbiased=False)
            if self.moving_mean is None:
                self.moving_mean, self.moving_variance = mean, variance
            else:
                self.moving_mean = self.moving_mean * self.alpha + mean * (1 - self.alpha)
                self.moving_variance = self.moving_variance * self.alpha + variance * (1 - self.alpha)
        else:
            mean, variance = self.moving_mean, self.moving_variance
        self.std = torch.sqrt(variance + self.EPS)
        self.output = (input - mean) / self.std
        return self.output

    def updateGradInput(self, input, gradOutput):
        n = input.shape[0]
        total = gradOutput.sum(dim=0)
        along = (gradOutput * self.output).sum(dim=0)
        self.gradInput = (gradOutput - total / n - self.output * along / n) / self.std
        return self.gradInput
