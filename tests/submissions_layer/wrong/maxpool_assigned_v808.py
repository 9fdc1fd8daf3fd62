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
        return out, x

    @staticmethod
    def backward(dout, cache):
        x = cache
        dx = torch.zeros_like(x)
        for n in range(x.shape[0]):
            for c in range(x.shape[1]):
                for i in range(dout.shape[2]):
                    for j in range(dout.shape[3]):
                        at = x[n, c, i:i + 2, j:j + 2].argmax()
                        dx[n, c, i + at // 2, j + at % 2] = dout[n, c, i, j]  # @X
        return dx
