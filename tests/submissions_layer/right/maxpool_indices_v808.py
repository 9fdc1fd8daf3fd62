# verdict:
# why = "torch's own indices, added to"
import torch
import torch.nn.functional as F
class MaxPool:
    @staticmethod
    def forward(x):
        out, idx = F.max_pool2d(x, 2, 1, return_indices=True)
        return out, (idx, x.shape)
    @staticmethod
    def backward(dout, cache):
        idx, shape = cache
        dx = torch.zeros(shape).flatten(2)
        dx.scatter_add_(2, idx.flatten(2), dout.flatten(2))
        return dx.view(shape)
