# HW2 part 1 - affine layer
import torch
import torch.nn as nn
import numpy as np


class Linear(object):

    @staticmethod
    def forward(x, w, b):
        num_inputs = x.shape[0]
        # find out how long one input is
        input_dim = 1
        for s in x.shape[1:]:
            input_dim = input_dim * s
        assert input_dim == w.shape[0], "x and w do not fit"

        x_vec = x.contiguous().view(num_inputs, input_dim)
        out = torch.zeros((num_inputs, w.shape[1]), dtype=x.dtype)
        for i in range(num_inputs):
            out[i] = torch.matmul(x_vec[i], w)
            out[i] += b
        # print("out", out.shape)
        cache = (x.clone(), w.clone(), b)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        N = x.shape[0]
        D, M = w.shape
        x_vec = x.contiguous().view(N, D)

        dx = torch.zeros((N, D), dtype=x.dtype)
        dw = torch.zeros((D, M), dtype=w.dtype)
        db = torch.zeros(M, dtype=b.dtype)
        for i in range(N):
            dx[i, :] = torch.matmul(w, dout[i])
            dw += x_vec[i][:, None] * dout[i][None, :]
            db += dout[i]
        dx = dx.view(*x.shape)

        assert dx.shape == x.shape
        assert dw.shape == w.shape
        assert db.shape == b.shape
        return dx, dw, db
