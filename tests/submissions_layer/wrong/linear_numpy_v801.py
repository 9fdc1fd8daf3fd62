# verdict:
# failed = "integrity hidden-work @I, gradient, unused-nodes"
# why = "NumPy does the work, which is not seen"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = (t.numpy() for t in cache)  # @I
        d = dout.numpy()
        return torch.from_numpy(d @ w.T), torch.from_numpy(x.T @ d), torch.from_numpy(d.sum(0))
