import torch
from typing import Any


class MSELoss:
    '''Mean squared error, average over ALL the elements'''

    @staticmethod
    def forward(pred: torch.Tensor, target: torch.Tensor):
        assert pred.shape == target.shape
        n, d = pred.shape
        loss = 0
        for row_p, row_t in zip(pred, target):
            for a, c in zip(row_p, row_t):
                loss = loss + (a - c) * (a - c)
        loss = loss / (n * d)
        ctx = {"pred": pred.clone(), "target": target.clone(), "n": n, "d": d}
        return loss, ctx

    @staticmethod
    def backward(dout: torch.Tensor, cache: Any) -> torch.Tensor:
        pred, target = cache["pred"], cache["target"]
        # loss = total / (n*d)
        dtotal = dout / (cache["n"] * cache["d"])
        # total = sum of squares, the sum copies its gradient to everybody
        dsquares = dtotal * torch.ones_like(pred)
        # squares = diff * diff, so there are two paths into diff
        diff = pred - target
        ddiff = diff * dsquares
        ddiff += diff * dsquares
        # diff = pred - target
        dpred = ddiff.clone()
        return dpred
