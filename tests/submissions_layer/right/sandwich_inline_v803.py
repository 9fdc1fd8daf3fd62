# verdict:
# why = "no other class; a view of the mask by multiplication"
import torch


class Linear_ReLU:
    @staticmethod
    def forward(x, w, b):
        pre = torch.matmul(x, w).add(b)
        return torch.max(pre, torch.zeros_like(pre)), (x, w, pre > 0)

    @staticmethod
    def backward(dout, cache):
        x, w, active = cache
        dpre = dout * active.float()
        dx = torch.matmul(dpre, w.transpose(0, 1))
        dw = torch.matmul(x.transpose(0, 1), dpre)
        db = torch.sum(dpre, dim=0)
        return dx, dw, db
