# verdict:
# why = "windows as columns, by unfold and fold"
import torch
import torch.nn.functional as F


class Conv:
    @staticmethod
    def forward(x, w, b):
        cols = F.unfold(x, w.shape[2:], padding=1, stride=2)
        rows = w.reshape(w.shape[0], -1)
        out = rows @ cols + b.view(1, -1, 1)
        height = (x.shape[2] + 2 - w.shape[2]) // 2 + 1
        return out.view(x.shape[0], w.shape[0], height, -1), (cols, x.shape, w)

    @staticmethod
    def backward(dout, cache):
        cols, shape, w = cache
        flat = dout.flatten(2)
        dw = torch.einsum("nfl,nkl->fk", flat, cols).view_as(w)
        dcols = w.reshape(w.shape[0], -1).t() @ flat
        dx = F.fold(dcols, shape[2:], w.shape[2:], padding=1, stride=2)
        return dx, dw, flat.sum((0, 2))
