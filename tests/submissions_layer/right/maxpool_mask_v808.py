# verdict:
# why = "a mask of each window, all images at once"
import torch


class MaxPool:
    @staticmethod
    def forward(x):
        windows = x.unfold(2, 2, 1).unfold(3, 2, 1)
        out = windows.flatten(4).max(dim=4).values
        return out, (x, out)

    @staticmethod
    def backward(dout, cache):
        x, out = cache
        dx = torch.zeros_like(x)
        for i in range(out.shape[2]):
            for j in range(out.shape[3]):
                window = x[:, :, i:i + 2, j:j + 2]
                mask = window == out[:, :, i, j][:, :, None, None]
                dx[:, :, i:i + 2, j:j + 2] += mask * dout[:, :, i, j][:, :, None, None]
        return dx
