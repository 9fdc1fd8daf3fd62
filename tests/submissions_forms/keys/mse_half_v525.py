import torch


def mse_forward(pred, target):
    n = pred.shape[0]
    diff = pred - target
    loss = 0.5 * (diff * diff).sum() / n
    return loss, (diff, n)


def mse_backward(dout, cache):
    diff, n = cache
    dpred = dout * diff / n
    dtarget = -dpred
    return dpred, dtarget
