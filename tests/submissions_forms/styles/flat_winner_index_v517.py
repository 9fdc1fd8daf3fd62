import torch


class MaxPool(object):
    """Remember for each output which flat pixel won, then scatter."""

    @staticmethod
    def forward(x, pool_param):
        ph = pool_param["pool_height"]
        pw = pool_param["pool_width"]
        s = pool_param["stride"]
        N, C, H, W = x.shape
        windows = x.unfold(2, ph, s).unfold(3, pw, s)
        Ho, Wo = windows.shape[2], windows.shape[3]
        best, k = windows.reshape(N, C, Ho, Wo, ph * pw).max(dim=-1)

        # k is the position inside the window: back to row and column of the image
        top = torch.arange(Ho, device=x.device).view(Ho, 1) * s
        left = torch.arange(Wo, device=x.device).view(1, Wo) * s
        row = top + torch.div(k, pw, rounding_mode="floor")
        col = left + k % pw
        winner = row * W + col
        return best, (winner, x.shape)

    @staticmethod
    def backward(dout, cache):
        winner, (N, C, H, W) = cache
        flat = dout.new_zeros(N, C, H * W)
        # windows may overlap, so one pixel can win several times -> add
        flat.scatter_add_(2, winner.reshape(N, C, -1), dout.reshape(N, C, -1))
        return flat.view(N, C, H, W)
