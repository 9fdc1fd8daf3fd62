# verdict:
# why = "einsum, and a cache that is a dict"
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        out = torch.einsum("nd,dm->nm", x, w) + b
        return out, {"x": x, "w": w}

    @staticmethod
    def backward(dout, cache):
        dx = torch.einsum("nm,dm->nd", dout, cache["w"])
        dw = torch.einsum("nd,nm->dm", cache["x"], dout)
        db = torch.einsum("nm->m", dout)
        return [dx, dw, db]
