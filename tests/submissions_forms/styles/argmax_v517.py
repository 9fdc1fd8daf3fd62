import torch


class MaxPool:
    @staticmethod
    def forward(x, pool_param):
        kh, kw = pool_param["pool_height"], pool_param["pool_width"]
        step = pool_param["stride"]
        n, c, H, W = x.shape

        # windows: (n, c, h, w, kh * kw)
        windows = x.unfold(2, kh, step).unfold(3, kw, step).flatten(4)
        best, where = windows.max(dim=-1)
        h, w = best.shape[2:]

        # turn the place in the window into a place in the flat image
        top = torch.arange(h, device=x.device).view(h, 1) * step
        left = torch.arange(w, device=x.device).view(1, w) * step
        rows = top + torch.div(where, kw, rounding_mode="floor")
        cols = left + where % kw
        index = rows * W + cols
        return best, (index, x.shape)

    @staticmethod
    def backward(dout, cache):
        index, shape = cache
        n, c, H, W = shape
        flat = dout.new_zeros(n * c, H * W)
        flat.scatter_add_(1, index.reshape(n * c, -1), dout.reshape(n * c, -1))
        return flat.view(shape)
