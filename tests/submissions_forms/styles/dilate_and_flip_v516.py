import torch
import torch.nn.functional as F


class Conv(object):
    @staticmethod
    def forward(x, w, b, conv_param):
        s, p = conv_param["stride"], conv_param["pad"]
        xp = F.pad(x, (p, p, p, p))
        HH, WW = w.shape[2:]
        # windows: (N, C, Ho, Wo, HH, WW)
        windows = xp.unfold(2, HH, s).unfold(3, WW, s)
        out = torch.einsum("nchwij,fcij->nfhw", windows, w) + b[None, :, None, None]
        return out, (xp, w, s, p)

    @staticmethod
    def backward(dout, cache):
        xp, w, s, p = cache
        N, C, Hp, Wp = xp.shape
        n_filters, _, HH, WW = w.shape

        # a conv with stride s is a conv with stride 1 and then dropping outputs,
        # so put zeros where the outputs were dropped
        dense = dout.new_zeros(N, n_filters, Hp - HH + 1, Wp - WW + 1)
        dense[:, :, ::s, ::s] = dout

        db = dout.sum(dim=(0, 2, 3))

        # dw: correlate the padded input with the dense gradient
        patches = xp.unfold(2, dense.shape[2], 1).unfold(3, dense.shape[3], 1)
        dw = torch.einsum("ncijhw,nfhw->fcij", patches, dense)

        # dx: "full" convolution with the kernel turned by 180 degrees
        full = F.pad(dense, (WW - 1, WW - 1, HH - 1, HH - 1))
        turned = torch.flip(w, dims=(2, 3))
        dxp = torch.einsum("nfhwij,fcij->nchw", full.unfold(2, HH, 1).unfold(3, WW, 1), turned)
        assert dxp.shape == xp.shape
        dx = dxp[:, :, p:Hp - p, p:Wp - p]
        return dx, dw, db
