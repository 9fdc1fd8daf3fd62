import torch


class Conv(object):
    @staticmethod
    def forward(x, w, b, conv_param):
        stride, pad = conv_param["stride"], conv_param["pad"]
        N, C, H, W = x.shape
        F, _, HH, WW = w.shape
        H_out = 1 + (H + 2 * pad - HH) // stride
        W_out = 1 + (W + 2 * pad - WW) // stride
        padded = torch.nn.functional.pad(x, (pad, pad, pad, pad))
        out = torch.zeros((N, F, H_out, W_out), dtype=x.dtype, device=x.device)
        for n in range(N):
            for f in range(F):
                for i in range(H_out):
                    for j in range(W_out):
                        hs, ws = i * stride, j * stride
                        window = padded[n, :, hs:hs + HH, ws:ws + WW]
                        out[n, f, i, j] = (window * w[f]).sum() + b[f]
        cache = (x, w, b, conv_param)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w, b, conv_param = cache
        stride, pad = conv_param["stride"], conv_param["pad"]
        N, C, H, W = x.shape
        F, _, HH, WW = w.shape
        _, _, H_out, W_out = dout.shape
        padded = torch.nn.functional.pad(x, (pad, pad, pad, pad))
        dpadded = torch.zeros_like(padded)
        dw = torch.zeros_like(w)
        db = torch.zeros_like(b)
        for n in range(N):
            for f in range(F):
                db[f] += dout[n, f].sum()
                for i in range(H_out):
                    for j in range(W_out):
                        hs, ws = i * stride, j * stride
                        window = padded[n, :, hs:hs + HH, ws:ws + WW]
                        dw[f] += window * dout[n, f, i, j]
                        dpadded[n, :, hs:hs + HH, ws:ws + WW] += w[f] * dout[n, f, i, j]
        dx = dpadded[:, :, pad:pad + H, pad:pad + W]
        return dx, dw, db
