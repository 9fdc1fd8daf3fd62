import math

import torch

K = math.sqrt(2.0 / math.pi)
A = 0.044715


class GELU(object):
    """0.5 * x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))"""

    @staticmethod
    def forward(x):
        cube = x * x * x
        u = K * (x + A * cube)
        gate = (u.tanh() + 1) / 2
        y = x * gate
        return y, (x, gate)

    @staticmethod
    def backward(dout, cache):
        x, gate = cache
        # y = x * gate
        dx = dout * gate
        dgate = dout * x
        # gate is a sigmoid of 2u
        du = dgate * 2 * gate * (1 - gate)
        dinside = du * K
        dx += dinside
        dcube = dinside * A
        dx += 3 * dcube * x.square()
        return dx
