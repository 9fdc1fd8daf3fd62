from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass
class LayerNormContext:
    x: Tensor
    mean: Tensor
    rstd: Tensor
    gamma: Tensor

    @property
    def normalized(self) -> Tensor:
        """Recomputed in backward: cheaper than a second activation kept alive."""
        return self.x.sub(self.mean).mul_(self.rstd)


class LayerNorm:
    eps: float = 1e-5

    @classmethod
    def forward(cls, x: Tensor, gamma: Tensor, beta: Tensor):
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        rstd = var.add_(cls.eps).rsqrt_()
        out = F.layer_norm(x, gamma.shape, gamma, beta, cls.eps)
        return out, LayerNormContext(x, mean, rstd, gamma)

    @staticmethod
    def backward(dout: Tensor, ctx: LayerNormContext):
        xhat = ctx.normalized
        dbeta = dout.flatten(0, -2).sum(0)
        dgamma = (dout * xhat).flatten(0, -2).sum(0)

        dx = dout * ctx.gamma
        along = torch.linalg.vecdot(dx, xhat).unsqueeze_(-1) / xhat.size(-1)
        dx -= dx.mean(-1, keepdim=True)
        dx.addcmul_(xhat, along, value=-1)
        dx *= ctx.rstd
        return dx, dgamma, dbeta
