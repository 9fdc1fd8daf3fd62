# verdict:
# why = "numbers are taken out, and added"
import torch
class MaxPool(object):
    @staticmethod
    def forward(x):
        N, C, H, W = x.shape
        out = torch.zeros((N, C, H - 1, W - 1))
        for i in range(H - 1):
            for j in range(W - 1):
                out[:, :, i, j] = x[:, :, i:i+2, j:j+2].reshape(N, C, 4).max(-1)[0]
        return out, x
    @staticmethod
    def backward(dout, cache):
        x = cache
        N, C, H, W = dout.shape
        dx = torch.zeros_like(x)
        for n in range(N):
            for c in range(C):
                for i in range(H):
                    for j in range(W):
                        w = x[n, c, i:i+2, j:j+2]
                        k = int(torch.argmax(w))
                        dx[n, c, i + k // 2, j + k % 2] += dout[n, c, i, j].item()
        return dx
