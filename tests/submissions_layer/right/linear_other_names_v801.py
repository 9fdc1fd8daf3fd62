# verdict:
# why = "class methods, annotations, what is inherited, a decorator of torch's"
import torch
from torch import Tensor


class Layer:
    @classmethod
    @torch.no_grad()
    def forward(cls, x: Tensor, w: Tensor, b: Tensor) -> tuple:
        return cls.affine(x, w, b), (x, w)


class Linear(Layer):
    @staticmethod
    def affine(x, w, b):
        return x.matmul(w).add_(b)

    @staticmethod
    @torch.no_grad()
    def backward(dout: Tensor, cache: tuple) -> tuple:
        x, w = cache
        return torch.matmul(dout, w.mT), torch.matmul(x.mT, dout), dout.sum(-2)
