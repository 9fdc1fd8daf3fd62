# Wrong at: a second step: it keeps the mask of the first
class ReLU(object):
    def __init__(self):
        self.mask = None

    def forward(self, x):
        if self.mask is None or self.mask.shape != x.shape:
            self.mask = (x > 0).to(x.dtype)
        return x * self.mask, None

    def backward(self, dout, cache):
        return dout * self.mask
