# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "windows that overlap are written over"
import torch
import torch.nn.functional as F


class Conv:
    @staticmethod
    def forward(x, w, b):
        return F.conv2d(x, w, b, stride=2, padding=1), (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        xp = F.pad(x, (1, 1, 1, 1))
        dxp, dw = torch.zeros_like(xp), torch.zeros_like(w)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                rows, cols = slice(2 * i, 2 * i + 3), slice(2 * j, 2 * j + 3)
                d = dout[:, :, i, j]
                dw += torch.einsum("nf,ncij->fcij", d, xp[:, :, rows, cols])
                dxp[:, :, rows, cols] = torch.einsum("nf,fcij->ncij", d, w)  # @X
        return dxp[:, :, 1:-1, 1:-1], dw, dout.sum((0, 2, 3))
