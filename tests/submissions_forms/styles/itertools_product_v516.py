import itertools

import torch


class Conv:
    @staticmethod
    def forward(x, w, b, conv_param):
        s, p = conv_param["stride"], conv_param["pad"]
        (N, C, H, W), (K, _, h, v) = x.shape, w.shape
        xp = torch.zeros(N, C, H + 2 * p, W + 2 * p, dtype=x.dtype)
        xp[:, :, p:p + H, p:p + W] = x
        Ho, Wo = (H + 2 * p - h) // s + 1, (W + 2 * p - v) // s + 1
        out = b[None, :, None, None].expand(N, K, Ho, Wo).clone()
        for i, j in itertools.product(range(h), range(v)):
            patch = xp[:, :, i:i + s * Ho:s, j:j + s * Wo:s]
            out += torch.einsum("nchw,kc->nkhw", patch, w[:, :, i, j])
        return out, (xp, w, (H, W), s, p)

    @staticmethod
    def backward(dout, cache):
        xp, w, (H, W), s, p = cache
        Ho, Wo = dout.shape[2:]
        dxp, dw = torch.zeros_like(xp), torch.empty_like(w)
        for i, j in itertools.product(*map(range, w.shape[2:])):
            at = (..., slice(i, i + s * Ho, s), slice(j, j + s * Wo, s))
            dw[:, :, i, j] = torch.einsum("nkhw,nchw->kc", dout, xp[at])
            dxp[at] += torch.einsum("nkhw,kc->nchw", dout, w[:, :, i, j])
        return dxp[:, :, p:p + H, p:p + W], dw, dout.sum((0, 2, 3))
