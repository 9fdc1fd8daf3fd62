import torch


class MaxPool:
    @staticmethod
    def forward(x, pool_param):
        hh, ww, s = pool_param["pool_height"], pool_param["pool_width"], pool_param["stride"]
        windows = x.unfold(2, hh, s).unfold(3, ww, s)
        flat = windows.reshape(*windows.shape[:4], hh * ww)
        at = hh * ww - 1 - flat.flip(-1).argmax(-1)
        out = flat.gather(-1, at[..., None])[..., 0]
        return out, (x.shape, at, pool_param)

    @staticmethod
    def backward(dout, cache):
        shape, at, pool_param = cache
        ww, s = pool_param["pool_width"], pool_param["stride"]
        rows = torch.arange(dout.shape[2])[:, None] * s + at // ww
        cols = torch.arange(dout.shape[3]) * s + at % ww
        place = rows * shape[3] + cols
        dx = dout.new_zeros(shape[0], shape[1], shape[2] * shape[3])
        dx.scatter_add_(2, place.flatten(2), dout.flatten(2))
        return dx.view(shape)
