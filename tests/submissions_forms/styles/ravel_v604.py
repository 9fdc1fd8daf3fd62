import torch
import torch as np
import random  # noqa


def softmax_loss_vectorized(W, X, y, reg):
    """
    Softmax loss function, vectorized version.
    """
    N, D = X.shape
    C = W.shape[1]

    f = np.matmul(X, W)
    f -= np.amax(f, axis=1, keepdims=True)   # numeric stability
    expf = np.exp(f)
    P = expf / np.sum(expf, axis=1, keepdims=True)

    # flat positions of the correct classes: np.ravel_multi_index((rows, y), (N, C))
    flat = np.arange(N) * C + y
    loss = np.sum(-np.log(np.ravel(P)[flat])) / N
    loss += reg * np.sum(W ** 2)

    np.ravel(P)[flat] -= 1       # a view: changes P itself
    dW = np.zeros_like(W)
    for c in range(C):
        dW[:, c] = np.mean(P[:, c].reshape(N, 1) * X, axis=0)
    dW += 2 * reg * W
    return loss, dW
