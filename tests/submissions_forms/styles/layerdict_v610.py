import torch
import torch.nn.functional as F


def one_hot(y, num_classes):
    Y = torch.zeros(len(y), num_classes)
    for i, label in enumerate(y):
        Y[i, label] = 1
    return Y


def tanh_backward(dA, Z):
    # 1 / cosh^2
    return dA / torch.cosh(Z) ** 2


def linear_backward(dZ, cache):
    A_prev, W = cache["A_prev"], cache["W"]
    dW = torch.matmul(A_prev.T, dZ)
    db = torch.sum(dZ, dim=0, keepdim=True).squeeze(0)
    dA_prev = torch.matmul(dZ, W.T)
    return dA_prev, dW, db


def deep_net(params, X, y):
    caches = {}
    A = X.clone()

    # L_model_forward
    for l in [1, 2, 3]:
        W = params['W%d' % l]
        b = params['b%d' % l]
        Z = torch.matmul(A, W) + b
        caches[l] = {"A_prev": A, "W": W, "Z": Z}
        if l != 3:
            A = torch.tanh(Z)
    AL = F.softmax(Z, dim=1)

    # cost
    m = X.shape[0]
    Y = one_hot(y, AL.shape[1]).to(X.dtype)
    cost = -torch.sum(Y * torch.log(AL)) / m

    # L_model_backward
    grads = {}
    dZ3 = (AL - Y) / m
    grads["dA2"], grads["dW3"], grads["db3"] = linear_backward(dZ3, caches[3])
    dZ2 = tanh_backward(grads["dA2"], caches[2]["Z"])
    grads["dA1"], grads["dW2"], grads["db2"] = linear_backward(dZ2, caches[2])
    dZ1 = tanh_backward(grads["dA1"], caches[1]["Z"])
    _, grads["dW1"], grads["db1"] = linear_backward(dZ1, caches[1])
    return cost, grads
