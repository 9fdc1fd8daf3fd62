# Wrong at: a second step: it keeps the mask of the first
class ReLU:
    def __init__(self):
        self.mask = None

    def forward(self, *input):
        x = input[0]
        if self.mask is None or self.mask.shape != x.shape:
            self.mask = (x > 0).float()
        return x * self.mask

    def backward(self, *gradwrtoutput):
        return gradwrtoutput[0] * self.mask
