# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "every place of a window gets it"
import torch


class MaxPool:
    @staticmethod
    def forward(x):
        return torch.nn.functional.max_pool2d(x, 2, 1), x

    @staticmethod
    def backward(dout, cache):
        dx = torch.zeros_like(cache)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                dx[:, :, i:i + 2, j:j + 2] += dout[:, :, i:i + 1, j:j + 1]  # @X
        return dx
