# verdict:
# why = "loops over images, filters and pixels"
import torch


class Conv(object):
    @staticmethod
    def forward(x, w, b):
        stride, pad = 2, 1
        N, C, H, W = x.shape
        F, _, HH, WW = w.shape
        Ho = 1 + (H + 2 * pad - HH) // stride
        Wo = 1 + (W + 2 * pad - WW) // stride
        padded = torch.nn.functional.pad(x, (pad, pad, pad, pad))
        out = torch.zeros((N, F, Ho, Wo), dtype=x.dtype, device=x.device)
        for n in range(N):
            for f in range(F):
                for i in range(Ho):
                    for j in range(Wo):
                        window = padded[n, :, i * stride:i * stride + HH, j * stride:j * stride + WW]
                        out[n, f, i, j] = (window * w[f]).sum() + b[f]
        cache = (x, w, b)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        stride, pad = 2, 1
        x, w, b = cache
        N, F, Ho, Wo = dout.shape
        _, _, HH, WW = w.shape
        padded = torch.nn.functional.pad(x, (pad, pad, pad, pad))
        dpadded = torch.zeros_like(padded)
        dw = torch.zeros_like(w)
        db = torch.zeros_like(b)
        for n in range(N):
            for f in range(F):
                db[f] += dout[n, f].sum()
                for i in range(Ho):
                    for j in range(Wo):
                        top, left = i * stride, j * stride
                        window = padded[n, :, top:top + HH, left:left + WW]
                        dw[f] += window * dout[n, f, i, j]
                        dpadded[n, :, top:top + HH, left:left + WW] += w[f] * dout[n, f, i, j]
        dx = dpadded[:, :, pad:-pad, pad:-pad]
        return dx, dw, db
