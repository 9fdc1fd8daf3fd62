# verdict:
# why = "the room for the results is made as float64 and cast to the dtype of what it is for"
import torch


class MaxPool(object):
    @staticmethod
    def forward(x):
        N, C, H, W = x.shape
        out = torch.zeros(N, C, H - 1, W - 1, dtype=torch.float64).to(x.dtype)
        for i in range(H - 1):
            for j in range(W - 1):
                out[:, :, i, j] = x[:, :, i:i + 2, j:j + 2].amax(dim=(2, 3))
        return out, x

    @staticmethod
    def backward(dout, cache):
        x = cache
        N, C, Ho, Wo = dout.shape
        dx = torch.zeros(x.shape, dtype=torch.float64).to(x)
        for n in range(N):
            for c in range(C):
                for i in range(Ho):
                    for j in range(Wo):
                        at = x[n, c, i:i + 2, j:j + 2].argmax()
                        dx[n, c, i + at // 2, j + at % 2] += dout[n, c, i, j]
        return dx
