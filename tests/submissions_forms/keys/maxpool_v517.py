import torch


class MaxPool(object):
    @staticmethod
    def forward(x, pool_param):
        ph, pw, s = pool_param["pool_height"], pool_param["pool_width"], pool_param["stride"]
        N, C, H, W = x.shape
        H_out = 1 + (H - ph) // s
        W_out = 1 + (W - pw) // s
        out = torch.zeros((N, C, H_out, W_out), dtype=x.dtype, device=x.device)
        for n in range(N):
            for c in range(C):
                for i in range(H_out):
                    for j in range(W_out):
                        out[n, c, i, j] = x[n, c, i * s:i * s + ph, j * s:j * s + pw].max()
        return out, (x, pool_param)

    @staticmethod
    def backward(dout, cache):
        x, pool_param = cache
        ph, pw, s = pool_param["pool_height"], pool_param["pool_width"], pool_param["stride"]
        N, C, H_out, W_out = dout.shape
        dx = torch.zeros_like(x)
        for n in range(N):
            for c in range(C):
                for i in range(H_out):
                    for j in range(W_out):
                        window = x[n, c, i * s:i * s + ph, j * s:j * s + pw]
                        mask = window == window.max()
                        dx[n, c, i * s:i * s + ph, j * s:j * s + pw] += mask * dout[n, c, i, j]
        return dx
