# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "windows that overlap are written over, which is right with a step of 2"
import torch


class MaxPool:
    @staticmethod
    def forward(x):
        out = torch.zeros(*x.shape[:2], x.shape[2] - 1, x.shape[3] - 1)
        for i in range(out.shape[2]):
            for j in range(out.shape[3]):
                out[:, :, i, j] = x[:, :, i:i + 2, j:j + 2].amax((2, 3))
        return out, (x, out)

    @staticmethod
    def backward(dout, cache):
        x, out = cache
        dx = torch.zeros_like(x)
        for i in range(out.shape[2]):
            for j in range(out.shape[3]):
                window = x[:, :, i:i + 2, j:j + 2]
                mask = window == out[:, :, i:i + 1, j:j + 1]
                dx[:, :, i:i + 2, j:j + 2] = mask * dout[:, :, i:i + 1, j:j + 1]  # @X
        return dx
