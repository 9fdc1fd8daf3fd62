# Wrong at: windows that overlap
import torch


class MaxPool(object):
    @staticmethod
    def forward(x, pool_param):
        ph, pw, s = pool_param["pool_height"], pool_param["pool_width"], pool_param["stride"]
        N, C, H, W = x.shape
        Ho, Wo = 1 + (H - ph) // s, 1 + (W - pw) // s
        out = torch.zeros((N, C, Ho, Wo), dtype=x.dtype)
        for i in range(Ho):
            for j in range(Wo):
                window = x[:, :, i * s:i * s + ph, j * s:j * s + pw]
                out[:, :, i, j] = window.amax((2, 3))
        return out, (x, pool_param)

    @staticmethod
    def backward(dout, cache):
        x, pool_param = cache
        ph, pw, s = pool_param["pool_height"], pool_param["pool_width"], pool_param["stride"]
        N, C, Ho, Wo = dout.shape
        dx = torch.zeros_like(x)
        for i in range(Ho):
            for j in range(Wo):
                window = x[:, :, i * s:i * s + ph, j * s:j * s + pw]
                mask = window == window.amax((2, 3), keepdim=True)
                dx[:, :, i * s:i * s + ph, j * s:j * s + pw] = mask * dout[:, :, i, j][:, :, None, None]
        return dx
