import torch
import torch.nn.functional as F


class ReLU(object):
    """ReLU activation"""

    @staticmethod
    def forward(x):
        """
        Input:
        - x: any shape
        Returns:
        - out: same shape as x
        - cache: what we need in backward
        """
        zeros = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
        out = torch.max(x, zeros)
        # where the unit fired
        fired = (out > 0)
        print("relu forward:", tuple(x.shape), "fired:", int(fired.sum()), "of", x.numel())
        cache = {}
        cache["fired"] = fired
        return out, cache

    @staticmethod
    def backward(dout, cache):
        fired = cache["fired"]
        assert fired.shape == dout.shape
        local_grad = torch.zeros_like(dout)
        local_grad[fired] = 1.0      # d relu / dx is 1 if it fired
        local_grad[~fired] = 0.0     # ... and 0 if not
        dx = local_grad * dout
        print("relu backward:", tuple(dx.shape))
        return dx
