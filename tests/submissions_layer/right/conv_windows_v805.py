# verdict:
# why = "a loop over the places of the filter alone, all images at once"
import torch


class Conv(object):
    @staticmethod
    def forward(x, w, b):
        xp = torch.zeros(x.shape[0], x.shape[1], x.shape[2] + 2, x.shape[3] + 2)
        xp[:, :, 1:-1, 1:-1] = x
        windows = xp.unfold(2, 3, 2).unfold(3, 3, 2)
        out = torch.einsum("nchwij,fcij->nfhw", windows, w) + b[None, :, None, None]
        return out, (xp, w)

    @staticmethod
    def backward(dout, cache):
        xp, w = cache
        windows = xp.unfold(2, 3, 2).unfold(3, 3, 2)
        dw = torch.einsum("nfhw,nchwij->fcij", dout, windows)
        db = dout.sum(dim=[0, 2, 3])
        dxp = torch.zeros_like(xp)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                step = torch.einsum("nf,fcij->ncij", dout[:, :, i, j], w)
                dxp[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 3] += step
        return dxp[:, :, 1:-1, 1:-1], dw, db
