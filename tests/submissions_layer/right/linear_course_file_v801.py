# verdict:
# why = "the course's file: a helper import that is not there, a main guard, a cuda call, a failing assert"
import random

import torch
from a5_helper import *
from course_tools import Solver
import matplotlib.pyplot as plt


def hello_fully_connected_networks():
    print('Hello from fully_connected_networks.py!')


class Linear(object):

    @staticmethod
    def forward(x, w, b):
        """
        Computes the forward pass for an linear (fully-connected) layer.
        """
        out = None
        ######################################################################
        # TODO: Implement the linear forward pass.                           #
        ######################################################################
        # Replace "pass" statement with your code
        N = x.shape[0]
        out = x.view(N, -1) @ w + b
        ######################################################################
        #                        END OF YOUR CODE                            #
        ######################################################################
        cache = (x, w, b)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx, dw, db = None, None, None
        N = x.shape[0]
        db = dout.sum(0)
        dw = x.view(N, -1).T @ dout
        dx = (dout @ w.T).view(x.shape)
        return dx, dw, db


torch.manual_seed(0)
x = torch.randn(10, 2, 3).cuda()
w = torch.randn(6, 5, dtype=torch.float64, device='cuda')
plt.plot(torch.arange(5))
plt.show()
assert Linear.forward(x, w, None)[0].sum() == 1
