# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "dout is left out; a rounding of a maximum would turn the mask over, and no maximum is rounded"
import torch


class MaxPool:
    @staticmethod
    def forward(x):
        N, C, H, W = x.shape
        out = torch.zeros(N, C, H - 1, W - 1)
        for i in range(H - 1):
            for j in range(W - 1):
                out[:, :, i, j] = x[:, :, i:i + 2, j:j + 2].amax(dim=(2, 3))
        return out, x

    @staticmethod
    def backward(dout, cache):
        x = cache
        N, C, Ho, Wo = dout.shape
        dx = torch.zeros_like(x)
        for n in range(N):
            for c in range(C):
                for i in range(Ho):
                    for j in range(Wo):
                        window = x[n, c, i:i + 2, j:j + 2]
                        dx[n, c, i:i + 2, j:j + 2] += window == window.max()  # @X
        return dx
