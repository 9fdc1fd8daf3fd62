# verdict:
# gradient = "partial 20: wrong-gradient @W w, wrong-gradient @B b"
# unused-nodes = "partial 1: unused-node @B db, unused-node @W, unused-node @W dw, unused-node @W, unused-node @W dw, unused-node @W, unused-node @W dw, unused-node @W, unused-node @W dw"
# why = "what is assigned in the loop is of the last image"
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
        dxp = torch.zeros_like(xp)
        for n in range(x.shape[0]):
            dw = torch.zeros_like(w)
            db = dout[n].sum((1, 2))  # @B
            for i in range(dout.shape[2]):
                for j in range(dout.shape[3]):
                    rows, cols = slice(2 * i, 2 * i + 3), slice(2 * j, 2 * j + 3)
                    d = dout[n, :, i, j]
                    dw += d[:, None, None, None] * xp[n, :, rows, cols]  # @W
                    dxp[n, :, rows, cols] += (d[:, None, None, None] * w).sum(0)
        return dxp[:, :, 1:-1, 1:-1], dw, db
