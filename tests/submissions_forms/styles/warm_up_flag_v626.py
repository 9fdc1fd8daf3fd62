import torch


class BatchNormalization:
    EPS = 1e-3

    def __init__(self, alpha=0.0):
        self.alpha = alpha
        self.training = True
        self.warm = False
        self.step = 0

    def train(self):
        self.training = True

    def evaluate(self):
        self.training = False

    def momentum(self):
        # rises to alpha over the first steps
        return min(self.alpha, self.step / (self.step + 10))

    def updateOutput(self, input):
        if self.training:
            self.mean = input.mean(0)
            self.var = ((input - self.mean) ** 2).mean(0)
            if not self.warm:
                self.moving = [self.mean.clone(), self.var.clone()]
                self.warm = True
            else:
                a = self.momentum()
                self.moving = [a * old + (1 - a) * new for old, new in zip(self.moving, (self.mean, self.var))]
            self.step += 1
        else:
            self.mean, self.var = self.moving
        self.output = (input - self.mean) * (self.var + self.EPS) ** -0.5
        return self.output

    def updateGradInput(self, input, gradOutput):
        inv = (self.var + self.EPS) ** -0.5
        if not self.training:
            self.gradInput = gradOutput * inv
            return self.gradInput
        n = len(input)
        dvar = -0.5 * (gradOutput * (input - self.mean)).sum(0) * inv ** 3
        dmean = -gradOutput.sum(0) * inv
        self.gradInput = gradOutput * inv + dvar * 2 * (input - self.mean) / n + dmean / n
        return self.gradInput
