from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(slots=True)
class Saved:
    xhat: Tensor
    scale: Tensor  # gamma / sigma


def update_running(bn_param: dict, momentum: float, **stats: Tensor) -> None:
    for name, value in stats.items():
        previous = bn_param.setdefault(name, torch.zeros_like(value))
        bn_param[name] = previous * momentum + value * (1 - momentum)


class BatchNorm:
    @staticmethod
    def forward(x: Tensor, gamma: Tensor, beta: Tensor, bn_param: dict) -> tuple[Tensor, Saved | None]:
        eps, momentum = bn_param.get("eps", 1e-5), bn_param.get("momentum", 0.9)
        match bn_param["mode"]:
            case "train":
                mean, var = x.mean(0), x.var(0, correction=0)
                update_running(bn_param, momentum, running_mean=mean, running_var=var)
            case "test":
                mean, var = bn_param["running_mean"], bn_param["running_var"]
            case other:
                raise ValueError(f"unknown mode {other!r}")
        rsigma = (var + eps).rsqrt()
        xhat = (x - mean).mul_(rsigma)
        return torch.addcmul(beta, xhat, gamma), Saved(xhat, gamma * rsigma)

    @staticmethod
    def backward(dout: Tensor, cache: Saved) -> tuple[Tensor, Tensor, Tensor]:
        n = len(dout)
        dbeta = dout.sum(0)
        dgamma = torch.linalg.vecdot(dout, cache.xhat, dim=0)
        dx = dout - dbeta / n
        dx.sub_(cache.xhat * (dgamma / n)).mul_(cache.scale)
        return dx, dgamma, dbeta
