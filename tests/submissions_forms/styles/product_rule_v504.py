import torch
from torch import Tensor
from typing import Tuple

# constants of the paper
SQRT_2_OVER_PI = torch.sqrt(torch.tensor(2.0) / torch.pi).item()
COEF = 0.044715


def my_tanh(z: Tensor) -> Tensor:
    return 2.0 / (1.0 + torch.exp(-2.0 * z)) - 1.0


class GELU:

    @staticmethod
    def forward(x: Tensor) -> Tuple[Tensor, Tensor]:
        u = SQRT_2_OVER_PI * (x + COEF * torch.pow(x, 3))
        return x / 2 * (1 + my_tanh(u)), x.detach().clone()

    @staticmethod
    def backward(dout: Tensor, cache: Tensor) -> Tensor:
        x = cache
        # recompute everything instead of caching it
        u = SQRT_2_OVER_PI * (x + COEF * torch.pow(x, 3))
        th = my_tanh(u)

        # y = first * second
        first = x / 2
        second = 1 + th
        dfirst = dout * second
        dsecond = dout * first

        # first = x / 2
        dx = dfirst / 2
        # second = 1 + tanh(u)
        sech2 = 1 - th * th
        du = dsecond * sech2
        # u = SQRT * (x + COEF x^3): two branches
        dinner = du * SQRT_2_OVER_PI
        dx = dx + dinner
        dcube = dinner * COEF
        dx = dx + dcube * 3 * torch.square(x)
        return dx
