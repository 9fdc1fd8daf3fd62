# verdict:
# gradient = "partial 40: wrong-shape @X x"
# why = "the gradient of the padded images"
import torch
import torch.nn.functional as F


class Conv:
    @staticmethod
    def forward(x, w, b):
        xp = F.pad(x, (1, 1, 1, 1))
        return F.conv2d(xp, w, b, stride=2), (xp, w)

    @staticmethod
    def backward(dout, cache):
        xp, w = cache
        dx, dw = torch.zeros_like(xp), torch.zeros_like(w)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                rows, cols = slice(2 * i, 2 * i + 3), slice(2 * j, 2 * j + 3)
                d = dout[:, :, i, j]
                dw += torch.einsum("nf,ncij->fcij", d, xp[:, :, rows, cols])
                dx[:, :, rows, cols] += torch.einsum("nf,fcij->ncij", d, w)  # @X
        return dx, dw, dout.sum((0, 2, 3))
