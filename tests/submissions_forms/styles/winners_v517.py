import torch


class MaxPool:
    """Remembers where each winner was, and sends its gradient there."""

    @staticmethod
    def forward(x, pool_param):
        kh = pool_param["pool_height"]
        kw = pool_param["pool_width"]
        step = pool_param["stride"]
        width = x.size(3)

        windows = x.unfold(2, kh, step).unfold(3, kw, step)
        best, which = windows.flatten(-2).max(dim=-1)

        rows, cols = best.shape[2:]
        top = (torch.arange(rows) * step)[:, None]
        left = (torch.arange(cols) * step)[None, :]
        where = (top + which // kw) * width + left + which % kw
        return best, (where, x.shape)

    @staticmethod
    def backward(dout, cache):
        where, shape = cache
        flat = dout.new_zeros(shape[0], shape[1], shape[2] * shape[3])
        flat.scatter_add_(2, where.flatten(2), dout.flatten(2))
        return flat.view(shape)
