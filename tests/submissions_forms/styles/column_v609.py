import torch
import torch as np


def sigmoid(Z):
    # np.where picks the form that cannot overflow
    E = np.exp(-np.abs(Z))
    return np.where(Z >= 0, 1 / (1 + E), E / (1 + E))


def logistic_loss(w, b, X, y):
    """
    w -- weights, (D,)      b -- bias, a scalar
    X -- data, (N, D)       y -- labels, (N,)
    """
    N, D = X.shape
    # work with columns
    w_ = w.reshape(D, 1)
    Y = y.reshape(N, 1)

    # FORWARD PROPAGATION
    A = sigmoid(np.matmul(X, w_) + b)
    assert A.shape == (N, 1)
    cost = -(1 / N) * np.sum(Y * np.log(A) + (1 - Y) * np.log(1 - A))
    cost = np.squeeze(cost)

    # BACKWARD PROPAGATION
    dZ = A - Y
    dw = (1 / N) * np.matmul(X.T, dZ)
    db = (1 / N) * np.sum(dZ)
    assert dw.shape == (D, 1)
    return cost, (dw[:, 0], db)
