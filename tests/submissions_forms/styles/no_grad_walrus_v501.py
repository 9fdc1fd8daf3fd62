from __future__ import annotations

import torch


class Linear:
    @staticmethod
    @torch.no_grad()
    def forward(x, w, b):
        return (out := (rows := x.flatten(1)) @ w).add_(b), {"x": x, "rows": rows, "w": w}

    @staticmethod
    @torch.no_grad()
    def backward(dout, cache):
        match cache:
            case {"x": x, "rows": rows, "w": w}:
                pass
            case _:
                raise ValueError("no cache")
        return (dout @ w.mT).view_as(x), rows.mT @ dout, dout.sum(0)
