# Wrong at: a second step with other numbers: the loss of the first is returned for ever
class LossMSE(object):
    def __init__(self):
        self.value = None

    def forward(self, pred, target):
        self.diff = pred - target
        if self.value is None:
            self.value = (self.diff ** 2).mean()
        return self.value

    def backward(self):
        return 2 * self.diff / self.diff.numel()
